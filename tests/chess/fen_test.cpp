#include "referee/chess/fen.hpp"

#include <array>

#include "tests/chess/helpers.hpp"

namespace referee::chess {
namespace {

struct Refused {
  std::string_view fen;
  FenField field;
  std::string_view said;  // part of the message
};

void check_refused(const Refused& expected, FenReading reading) {
  INFO(expected.fen);
  const FenResult read = parse_fen(expected.fen, reading);
  REQUIRE_FALSE(read);
  INFO(read.error().message);
  CHECK(name(read.error().field) == name(expected.field));
  CHECK(read.error().message.find(expected.said) != std::string::npos);
  CHECK(read.error().column >= 1);
  CHECK(read.error().column <= expected.fen.size() + 1);
}

TEST_CASE("standard chess knows castling with the king on e and rooks on a and h only (3.8)") {
  for (const std::string_view fen : {"4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "4k3/8/8/8/8/8/8/3K3R w K - 0 1", "1r2k3/8/8/8/8/8/8/4K3 b q - 0 1",
                                     "3k3r/8/8/8/8/8/8/4K3 b k - 0 1", "4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1"}) {
    INFO(fen);
    CHECK(parse_fen(fen));
    const FenResult read = parse_standard_fen(fen);
    REQUIRE_FALSE(read);
    CHECK(read.error().field == FenField::castling);
    CHECK(read.error().column == fen.find(fen.find(" w ") != std::string_view::npos ? " w " : " b ") + 4);
  }
  CHECK(parse_standard_fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"));
  CHECK(parse_standard_fen("startpos"));
  CHECK(parse_standard_fen("4k3/8/8/8/8/8/8/3K2R1 w - - 0 1"));
}

TEST_CASE("strict reading names the field at fault") {
  for (const Refused& expected : {
           Refused{"", FenField::placement, "no position"},
           Refused{"4k3/8/8/8/8/8/8 w - - 0 1", FenField::placement, "rank 2"},
           Refused{"4k3/8/8/8/8/8/8/4K4 w - - 0 1", FenField::placement, "rank 1"},
           Refused{"4k3/9/8/8/8/8/8/4K3 w - - 0 1", FenField::placement, "rank 7"},
           Refused{"4k3/8/8/7/8/8/8/4K3 w - - 0 1", FenField::placement, "rank 5"},
           Refused{"4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", FenField::placement, "rank 5"},
           Refused{"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", FenField::placement, "8 ranks"},
           Refused{"4k3/8/44/8/8/8/8/4K3 w - - 0 1", FenField::placement, "rank 6"},
           Refused{"4k3/08/8/8/8/8/8/4K3 w - - 0 1", FenField::placement, "rank 7"},
           Refused{"8/8/8/8/8/8/8/4K3 w - - 0 1", FenField::placement, "black has 0 kings"},
           Refused{"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", FenField::placement, "white has 2 kings"},
           Refused{"3Pk3/8/8/8/8/8/8/4K3 w - - 0 1", FenField::placement, "rank 8"},
           Refused{"4k3/8/8/8/8/8/8/3pK3 w - - 0 1", FenField::placement, "rank 1"},
           Refused{"4k3/pppppppp/8/8/8/4P3/PPPPPPPP/4K3 w - - 0 1", FenField::placement, "9 pawns"},
           Refused{"rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenField::placement, "17 men"},
           Refused{"4k3/8/8/8/8/8/8/4K3", FenField::side, "missing"},
           Refused{"4k3/8/8/8/8/8/8/4K3 x - - 0 1", FenField::side, "'x'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 W - - 0 1", FenField::side, "'W'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w", FenField::castling, "missing"},
           Refused{"r3k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", FenField::castling, "'K'"},
           Refused{"r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", FenField::castling, "home rank"},
           Refused{"r3k2r/8/8/8/8/8/8/R3K2R w KQkx - 0 1", FenField::castling, "'x'"},
           Refused{"r3k2r/8/8/8/8/8/8/R3K2R w KKkq - 0 1", FenField::castling, "repeats"},
           Refused{"r3k2r/8/8/8/8/8/8/R3K2R w HK - 0 1", FenField::castling, "repeats"},
           Refused{"4k3/8/8/8/8/8/8/4KRR1 w GF - 0 1", FenField::castling, "repeats"},
           Refused{"4k3/8/8/8/8/8/8/4K1n1 w G - 0 1", FenField::castling, "g1"},
           Refused{"4k3/8/8/8/8/8/8/4K2R w K", FenField::en_passant, "missing"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", FenField::en_passant, "e5"},
           Refused{"4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", FenField::en_passant, "rank 6"},
           Refused{"4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", FenField::en_passant, "'d9'"},
           Refused{"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", FenField::en_passant, "d6"},
           Refused{"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", FenField::en_passant, "d7"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - x 1", FenField::halfmove, "'x'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - -1 1", FenField::halfmove, "'-1'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - +1 1", FenField::halfmove, "'+1'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 65536 1", FenField::halfmove, "65535"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999999999 1", FenField::halfmove, "65535"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 0", FenField::fullmove, "missing"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 0 0", FenField::fullmove, "0"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", FenField::fullmove, "1.5"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm", FenField::fullmove, "bm"},
           Refused{"4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1", FenField::position, "black is in check"},
           Refused{"8/8/8/3kK3/8/8/8/8 w - - 0 1", FenField::position, "adjacent"},
           Refused{"4k3/8/8/8/7b/3n4/8/r3K3 w - - 0 1", FenField::position, "3 men"},
           Refused{"8/8/8/8/8/4k3/8/r3K2r w - - 0 1", FenField::position, "on one line"},
       }) {
    check_refused(expected, FenReading::strict);
  }
}

TEST_CASE("strict reading wants one space between fields and points at the other blank") {
  for (const auto& [fen, field, column] : {
           std::tuple<std::string_view, FenField, std::size_t>{" 4k3/8/8/8/8/8/8/4K3 w - - 0 1", FenField::placement, 1},
           {"4k3/8/8/8/8/8/8/4K3  w - - 0 1", FenField::side, 20},
           {"4k3/8/8/8/8/8/8/4K3 w\t- - 0 1", FenField::castling, 22},
           {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", FenField::fullmove, 30},
       }) {
    const FenResult read = parse_fen(fen);
    INFO(fen);
    REQUIRE_FALSE(read);
    CHECK(read.error().field == field);
    CHECK(read.error().column == column);
  }
}

TEST_CASE("the column of a fault") {
  CHECK(parse_fen("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1").error().column == 10);
  CHECK(parse_fen("r3k3/8/8/8/8/8/8/R3K3 w QqK - 0 1").error().column == 27);
  CHECK(parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 z").error().column == 29);
}

TEST_CASE("lenient reading repairs and says so") {
  for (const auto& [fen, becomes] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"r3k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1"},
           {" 4k3/8/8/8/8/8/8/4K3\tw  - - 3  9 \r\n", "4k3/8/8/8/8/8/8/4K3 w - - 3 9"},
           {"4k3/8/8/8/8/8/8/4K3 W - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3 w - - 5", "4k3/8/8/8/8/8/8/4K3 w - - 5 1"},
           {"4k3/8/8/8/8/8/8/4K3 w - - - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"x\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"4k3/8/44/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"8/8/8/8/8/4k3/8/r3K2r w - - 0 1", "8/8/8/8/8/4k3/8/r3K2r w - - 0 1"},
       }) {
    INFO(fen);
    CHECK_FALSE((parse_fen(fen) && parse_fen(fen).assumptions().empty()));
    const FenResult read = parse_fen(fen, FenReading::lenient);
    REQUIRE(read);
    CHECK_FALSE(read.assumptions().empty());
    CHECK(to_fen(read.position()) == becomes);
  }
}

TEST_CASE("lenient reading does not invent a position") {
  for (const Refused& expected : {
           Refused{"4k3/8/8/8/8/8/8 w - - 0 1", FenField::placement, "rank 2"},
           Refused{"4k3/8/8/8/8/8/4P3/8 w - - 0 1", FenField::placement, "white has 0 kings"},
           Refused{"4k3/8/8/8/8/8/8/4K3 white - - 0 1", FenField::side, "white"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w ? - 0 1", FenField::castling, "'?'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - e 0 1", FenField::en_passant, "'e'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - -3 1", FenField::halfmove, "'-3'"},
           Refused{"4k3/8/8/8/8/8/8/4K3 w - - 0 -3", FenField::fullmove, "'-3'"},
           Refused{"4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1", FenField::position, "black is in check"},
           Refused{"4k3/8/8/8/7b/3n4/8/r3K3 w - - 0 1", FenField::position, "3 men"},
       }) {
    check_refused(expected, FenReading::lenient);
  }
}

TEST_CASE("four fields are read in both ways, with what was assumed") {
  for (const FenReading reading : {FenReading::strict, FenReading::lenient}) {
    const FenResult read = parse_fen("4k3/8/8/8/8/8/4P3/4K3 w - -", reading);
    REQUIRE(read);
    CHECK(read.assumptions().size() == 1);
    CHECK(to_fen(read.position()) == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  }
}

TEST_CASE("a complete text leaves nothing to assume") {
  for (const auto* fen : {"startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"}) {
    const FenResult read = parse_fen(fen);
    REQUIRE(read);
    CHECK(read.assumptions().empty());
  }
}

TEST_CASE("what no game leads to is read with a doubt") {
  const auto doubts = [](std::string_view fen) {
    const FenResult read = parse_fen(fen);
    INFO(fen);
    REQUIRE(read);
    return read.assumptions().size();
  };
  CHECK(doubts("qq6/qq6/qq6/qq6/kq6/Pq6/1P6/K7 w - - 0 1") == 1);                      // ten queens
  CHECK(doubts("rrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1") == 1);       // a third rook without a missing pawn
  CHECK(doubts("rnbqkbnr/pppppppp/8/8/5P2/4P3/PPPP1BPP/RNBQK1NR w KQkq - 0 1") == 1);  // two bishops on dark squares
  CHECK(doubts("8/8/1r6/1k6/1p6/NBN5/NBN5/1K6 b - - 0 1") == 1);                       // two knights check
  CHECK(doubts("8/8/8/8/8/3nkn2/8/3RKR2 w - - 0 1") == 1);
  CHECK(doubts("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1") == 0);  // nine queens, no pawns
}

TEST_CASE("double checks that one move gives are no doubt") {
  for (const auto* fen : {
           "4k3/8/3N4/8/8/8/4R3/4K3 b - - 0 1",  // knight e4 left the file
           "4k3/8/2B5/8/8/8/4R3/4K3 b - - 0 1",  // bishop e4 left the file
           "4kR2/8/8/8/8/8/4R3/4K3 b - - 0 1",   // pawn e7 took on f8 and became a rook
           "8/8/4Pk2/8/8/8/1B6/K4R2 b - - 0 1",  // en passant f5xe6 opened the f-file, and the diagonal where the captured pawn stood
           "8/8/3k4/4P3/8/8/8/3R2K1 b - - 0 1",  // pawn d4 took on e5 and opened the file
       }) {
    INFO(fen);
    const FenResult read = parse_fen(fen);
    REQUIRE(read);
    CHECK((read.position().checkers() & (read.position().checkers() - 1)) != 0);
    CHECK(read.assumptions().empty());
  }
}

TEST_CASE("X-FEN letters mean the outermost rook; inner rooks are written by file") {
  const auto rooks = [](std::string_view fen) {
    std::string out;
    const Position position = position_of(fen);
    for (Bitboard left = position.castling_rooks(); left != 0; left &= left - 1) {
      for (unsigned i = 0; i < 64; ++i) {
        if ((left & -left) == Bitboard{1} << i) out += to_string(static_cast<Square>(i));
      }
    }
    return out;
  };
  CHECK(rooks("1k6/8/8/8/8/8/8/3K1RR1 w K - 0 1") == "g1");
  CHECK(rooks("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1") == "b1");
  CHECK(rooks("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1") == "a1");
  for (const auto& [fen, shredder] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"},
           {"4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1"},
           {"1k6/8/8/8/8/8/8/3K1RR1 w F - 0 1", "1k6/8/8/8/8/8/8/3K1RR1 w F - 0 1"},
           {"4k3/8/8/8/8/6R1/8/4K2R w K - 0 1", "4k3/8/8/8/8/6R1/8/4K2R w H - 0 1"},
           {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"},
       }) {
    CHECK(to_fen(position_of(fen)) == fen);
    CHECK(to_shredder_fen(position_of(fen)) == shredder);
    CHECK(position_of(shredder) == position_of(fen));
  }
}

TEST_CASE("en passant is written only where it can be made") {
  CHECK(to_fen(played("startpos", "e2e4").back()) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  CHECK(to_fen(position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")) ==
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  CHECK(to_fen(position_of("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 1")) ==
        "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 1");
}

TEST_CASE("EPD: four fields and operations") {
  const auto read =
      parse_epd(R"(rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 bm dxc6 e4; id "a; b"; hmvc 3; fmvn 12; draw_offer;)");
  REQUIRE(std::holds_alternative<EpdLine>(read));
  const EpdLine& line = std::get<EpdLine>(read);
  CHECK(to_fen(line.position) == "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 3 12");
  const std::vector<std::pair<std::string, std::string>> expected{
      {"bm", "dxc6 e4"}, {"id", "a; b"}, {"hmvc", "3"}, {"fmvn", "12"}, {"draw_offer", ""}};
  CHECK(line.operations == expected);
  CHECK(line.assumptions.empty());
}

TEST_CASE("EPD: a FEN in the list, with or without operations") {
  for (const auto* text : {"8/8/4k3/8/8/3K4/3R4/8 w - - 5 9", "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9\r\n",
                           "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9 id \"x\";", "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9 ;D1 20 ;D2 80",
                           "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9;", "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9; id \"x\";"}) {
    const auto read = parse_epd(text);
    REQUIRE(std::holds_alternative<EpdLine>(read));
    CHECK(to_fen(std::get<EpdLine>(read).position) == "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9");
  }
}

TEST_CASE("EPD: faults and leniencies") {
  const auto field_of = [](std::string_view text, FenReading reading) {
    const auto read = parse_epd(text, reading);
    return std::holds_alternative<FenError>(read) ? name(std::get<FenError>(read).field) : std::string_view("none");
  };
  CHECK(field_of("8/8/4k3/8/8/3K4/3R4/8 w - - hmvc x;", FenReading::lenient) == "halfmove");
  CHECK(field_of("8/8/4k3/8/8/3K4/3R4/8 w - - fmvn 0;", FenReading::strict) == "fullmove");
  CHECK(field_of("8/8/4k3/8/8/3K4/3R4/8 w - - 5", FenReading::strict) == "fullmove");
  CHECK(field_of("8/8/4k3/8/8/3K4/3R4/8 w", FenReading::strict) == "castling");
  CHECK(field_of("8/8/4k3/8/8/3K4/3R4/8 w - - bm Rd1", FenReading::strict) == "position");
  CHECK(field_of("8/8/4k3/8/8/3K4/3R4/8 w - - 5 9;", FenReading::strict) == "fullmove");
  const auto without_fullmove = parse_epd("8/8/4k3/8/8/3K4/3R4/8 w - - 5; id \"7\";");
  REQUIRE(std::holds_alternative<EpdLine>(without_fullmove));
  CHECK(to_fen(std::get<EpdLine>(without_fullmove).position) == "8/8/4k3/8/8/3K4/3R4/8 w - - 5 1");
  CHECK(std::get<EpdLine>(without_fullmove).operations.at(0).second == "7");
  const auto open = parse_epd("8/8/4k3/8/8/3K4/3R4/8 w - - bm Rd1");
  REQUIRE(std::holds_alternative<EpdLine>(open));
  CHECK(std::get<EpdLine>(open).operations.at(0).second == "Rd1");
  CHECK(std::get<EpdLine>(open).assumptions.size() == 1);
}

TEST_CASE("long and hostile texts get a short answer") {
  const std::string slashes(1'000'000, '/');
  CHECK(parse_fen(slashes).error().message.size() < 200);
  const std::string letters = "4k3/8/8/8/8/8/8/4K3 w " + std::string(1'000'000, 'K') + " - 0 1";
  CHECK(parse_fen(letters).error().message.size() < 200);
  const FenResult lenient = parse_fen(letters, FenReading::lenient);
  REQUIRE(lenient);
  CHECK(lenient.assumptions().size() < 100);
  CHECK(parse_fen(std::string_view("\0\xff\x01", 3)).error().message.find("\\x00") != std::string::npos);
}

}  // namespace
}  // namespace referee::chess
