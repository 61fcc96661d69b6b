#include "referee/chess/notation.hpp"

#include <fstream>
#include <set>

#include "referee/chess/notation_languages.hpp"
#include "tests/chess/helpers.hpp"

namespace referee::chess {
namespace {

constexpr auto two_squares = CastlingText::king_two_squares;
constexpr auto takes_rook = CastlingText::king_takes_rook;

/// The move as king-takes-rook coordinates, or the fault's name.
[[nodiscard]] std::string told(const Position& position, const MoveText& read) {
  if (const auto* move = std::get_if<ReadMove>(&read)) return to_uci(position, move->move, takes_rook);
  switch (std::get<MoveTextError>(read).fault) {
    case MoveTextFault::malformed:
      return "malformed";
    case MoveTextFault::illegal:
      return "illegal";
    case MoveTextFault::ambiguous:
      return "ambiguous";
    case MoveTextFault::promotion_missing:
      return "promotion_missing";
  }
  return "";
}

[[nodiscard]] std::string note_of(const MoveText& read) {
  return std::holds_alternative<ReadMove>(read) ? std::get<ReadMove>(read).note : "-";
}

TEST_CASE("UCI: exact form, and the forms that are no move") {
  const Position& position = Position::initial();
  CHECK(told(position, read_uci(position, "e2e4", two_squares)) == "e2e4");
  for (const auto* text : {"", "0000", "(none)", "NULL", "a1a1", "d4d4", "e2", "e2e", "e2e9", "E2E4", "e2e4 ", " e2e4", "e2-e4", "e2e4qq",
                           "Nf3", "e7e8x", "resign"}) {
    INFO(text);
    CHECK(told(position, read_uci(position, text, two_squares)) == "malformed");
  }
  for (const auto* text : {"e2e5", "e7e5", "e4e5", "e2e4q", "e1g1", "a1h1"}) {
    INFO(text);
    CHECK(told(position, read_uci(position, text, two_squares)) == "illegal");
  }
}

TEST_CASE("UCI: promotion") {
  const Position position = position_of("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
  CHECK(told(position, read_uci(position, "e7e8n", two_squares)) == "e7e8n");
  CHECK(told(position, read_uci(position, "e7e8", two_squares)) == "promotion_missing");
  CHECK(told(position, read_uci(position, "e7e8k", two_squares)) == "illegal");
  CHECK(told(position, read_uci(position, "e7e8p", two_squares)) == "illegal");
  CHECK(told(position, read_uci(position, "e7e8x", two_squares)) == "malformed");
  CHECK(told(position, read_uci(position, "e7d8", two_squares)) == "illegal");
  CHECK(told(position, read_uci(position, "e7e8Q", two_squares)) == "e7e8q");
  CHECK(note_of(read_uci(position, "e7e8Q", two_squares)) == "upper-case promotion letter");
  CHECK(note_of(read_uci(position, "e7e8q", two_squares)).empty());
}

TEST_CASE("UCI: castling in both forms, the unexpected one is noted") {
  const Position position = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  for (const auto& [text, castling, move, noted] :
       {std::tuple{"e1g1", two_squares, "e1h1", false}, std::tuple{"e1c1", two_squares, "e1a1", false},
        std::tuple{"e1h1", two_squares, "e1h1", true}, std::tuple{"e1a1", takes_rook, "e1a1", false},
        std::tuple{"e1g1", takes_rook, "e1h1", true}}) {
    const MoveText read = read_uci(position, text, castling);
    INFO(text);
    CHECK(told(position, read) == move);
    CHECK(note_of(read).empty() == !noted);
  }
  CHECK(to_uci(position, Move::castling(make_square(4, 0), make_square(7, 0)), two_squares) == "e1g1");
  CHECK(to_uci(position, Move::castling(make_square(4, 0), make_square(0, 0)), two_squares) == "e1c1");
  CHECK(to_uci(position, Move::castling(make_square(4, 0), make_square(7, 0)), takes_rook) == "e1h1");
}

TEST_CASE("UCI: in Chess960 an ordinary king's move is never taken for castling") {
  const Position position = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
  CHECK(told(position, read_uci(position, "f1g1", takes_rook)) == "f1g1");
  CHECK(told(position, read_uci(position, "f1h1", takes_rook)) == "f1h1");
  CHECK(told(position, read_uci(position, "f1g1", two_squares)) == "f1g1");
  // So the two-squares form is not written where it would be one.
  CHECK(to_uci(position, Move::castling(make_square(5, 0), make_square(7, 0)), two_squares) == "f1h1");
}

TEST_CASE("SAN: letters, captures, promotion, castling, signs") {
  const Position position = position_of("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1");
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"cxd8=Q+", "c7d8q"},
           {"cxd8Q+", "c7d8q"},
           {"cxd8(Q)", "c7d8q"},
           {"cxd8=q", "c7d8q"},
           {"cxd8/Q", "c7d8q"},
           {"c8=N", "c7c8n"},
           {"cd8=R", "c7d8r"},
           {"c7xd8=B", "c7d8b"},
           {"cxd8", "promotion_missing"},
           {"c8", "promotion_missing"},
           {"c8=K", "illegal"},
           {"c8=P", "malformed"},
           {"c8=", "malformed"},
           {"d8=Q", "illegal"},
           {"Ke2=Q", "illegal"},
           {"Ke2", "e1e2"},
           {"Ke2!?", "e1e2"},
           {"Ke2 (=)", "e1e2"},
           {"Ke2++", "e1e2"},
           {"Ke1-e2", "e1e2"},
           {"e1e2", "e1e2"},
           {"Kxe2", "e1e2"},
           {"O-O", "illegal"},
           {"Ra1", "illegal"},
           {"", "malformed"},
           {"K", "malformed"},
           {"Kd", "malformed"},
           {"Kd9", "malformed"},
           {"Zd2", "malformed"},
           {"--", "malformed"},
           {"Ke2 e5", "malformed"},
           {"O-O-O-O", "malformed"},
       }) {
    INFO(text);
    CHECK(told(position, read_san(position, text)) == expected);
  }
  CHECK(told(position, read_san(position, std::string(100'000, 'K'))) == "malformed");
}

TEST_CASE("SAN: castling in all its letters") {
  const Position position = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  for (const auto* text : {"O-O", "0-0", "o-o", "O-O+", "0-0!?"}) CHECK(told(position, read_san(position, text)) == "e1h1");
  for (const auto* text : {"O-O-O", "0-0-0", "O-O-O#"}) CHECK(told(position, read_san(position, text)) == "e1a1");
  CHECK(note_of(read_san(position, "O-O")).empty());
  CHECK_FALSE(note_of(read_san(position, "0-0")).empty());
  CHECK(told(position, read_san(position, "e1g1")) == "e1h1");
}

TEST_CASE("SAN: disambiguation on reading") {
  const Position position = position_of("4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1");
  CHECK(told(position, read_san(position, "Nf3")) == "ambiguous");
  CHECK(told(position, read_san(position, "Ngf3")) == "g1f3");
  CHECK(told(position, read_san(position, "Ng1f3")) == "g1f3");
  CHECK(told(position, read_san(position, "N1f3")) == "ambiguous");
  CHECK(told(position, read_san(position, "Nh3")) == "g1h3");
  // A pinned rival needs no telling apart.
  CHECK(told(position_of("2k4r/8/8/8/8/R6R/8/7K w - - 0 1"), read_san(position_of("2k4r/8/8/8/8/R6R/8/7K w - - 0 1"), "Re3")) == "a3e3");
}

TEST_CASE("SAN: writing") {
  for (const auto& [fen, uci, san, lan] : std::vector<std::array<std::string_view, 4>>{
           {"2k4r/8/8/8/8/R6R/8/7K w - - 0 1", "a3e3", "Re3", "Ra3-e3"},
           {"7k/3R4/8/8/8/8/3R4/K7 w - - 0 1", "d7d4", "R7d4", "Rd7-d4"},
           {"7k/3R4/8/8/8/8/3R4/K7 w - - 0 1", "d2d4", "R2d4", "Rd2-d4"},
           {"7k/8/8/8/3N4/8/7N/K7 w - - 0 1", "d4f3", "Ndf3", "Nd4-f3"},
           {"8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1"},
           {"4k3/1p1p4/2B5/8/8/8/8/4K3 b - - 0 1", "d7c6", "dxc6", "d7xc6"},
           {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"},
           {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+"},
           {"3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", "cxd8=Q+", "c7xd8=Q+"},
           {"6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "a1a8", "Ra8#", "Ra1-a8#"},
           {"8/1P6/k7/8/1K6/8/8/8 w - - 0 1", "b7b8q", "b8=Q", "b7-b8=Q"},
           {"2r1k3/8/8/1Pp5/8/8/8/2K5 w - c6 0 1", "b5c6", "bxc6", "b5xc6"},
       }) {
    const Position position = position_of(fen);
    INFO(fen << ' ' << uci);
    CHECK(to_san(position, move_of(position, uci)) == san);
    CHECK(to_long_algebraic(position, move_of(position, uci)) == lan);
  }
}

TEST_CASE("the sample game of appendix C, read and written") {
  // FIDE Laws, sample game: 1.d4 Nf6 ... 17.a5 (=).
  const auto san = words(
      "d4 Nf6 c4 e6 Nc3 Bb4 Bd2 O-O e4 d5 exd5 exd5 cxd5 Bxc3 Bxc3 Nxd5 Nf3 b6 Qb3 Nxc3 bxc3 c5 Be2 cxd4 Nxd4 Re8 O-O Nd7 "
      "a4 Nc5 Qb4 Bb7 a5");
  const auto uci = words(
      "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 c1d2 e8g8 e2e4 d7d5 e4d5 e6d5 c4d5 b4c3 d2c3 f6d5 g1f3 b7b6 d1b3 d5c3 b2c3 c7c5 f1e2 c5d4 "
      "f3d4 f8e8 e1g1 b8d7 a2a4 d7c5 b3b4 c8b7 a4a5");
  REQUIRE(san.size() == 33);
  REQUIRE(uci.size() == 33);
  Position position = Position::initial();
  for (std::size_t ply = 0; ply < san.size(); ++ply) {
    const Move move = move_of(position, uci[ply]);
    CHECK(to_san(position, move) == san[ply]);
    const MoveText read = read_san(position, san[ply]);
    REQUIRE(std::holds_alternative<ReadMove>(read));
    CHECK(std::get<ReadMove>(read).move == move);
    position.play(move);
  }
}

TEST_CASE("XBoard: coordinates or SAN, O-O in both") {
  const Position position = position_of("r3k2r/1P6/8/8/8/2N5/8/R3K2R w KQkq - 0 1");
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"e1g1", "e1h1"},
           {"O-O", "e1h1"},
           {"0-0-0", "e1a1"},
           {"e1h1", "e1h1"},
           {"c3d5", "c3d5"},
           {"Nd5", "c3d5"},
           {"b7b8q", "b7b8q"},
           {"b7a8Q", "b7a8q"},
           {"bxa8=N", "b7a8n"},
           {"b8=Q+", "b7b8q"},
           {"b7b8=r", "b7b8r"},
           {"b7b8", "promotion_missing"},
           {"@@@@", "malformed"},
           {"P@h3", "malformed"},
           {"resign", "malformed"},
           {"c3d4", "illegal"},
       }) {
    INFO(text);
    CHECK(told(position, read_xboard(position, text, two_squares)) == expected);
  }
}

TEST_CASE("coordinates with a sign between them move what stands there, pieces as pawns") {
  const Position position = position_of("r3k2r/pppq1ppp/8/3p4/4P3/5N2/PPPP1PPP/R1BQK2R w KQkq - 0 1");
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"f3-g5", "f3g5"},
           {"f3g5", "f3g5"},
           {"e4-e5", "e4e5"},
           {"e4xd5", "e4d5"},
           {"e1-g1", "e1h1"},
           {"h1-g1", "h1g1"},
           {"f3-e5+", "f3e5"},
           {"f3-f5", "illegal"},
           {"d7-d6", "illegal"},  // the opponent's
       }) {
    INFO(text);
    CHECK(told(position, read_san(position, text)) == expected);
    CHECK(told(position, read_xboard(position, text, two_squares)) == expected);
  }
  const Position captures = position_of("3qk3/8/8/3R4/8/8/8/4K3 b - - 0 1");
  CHECK(told(captures, read_san(captures, "d8xd5")) == "d8d5");
  CHECK(told(captures, read_xboard(captures, "d8xd5", two_squares)) == "d8d5");
}

TEST_CASE("every legal move of the perft lists reads back from every text") {
  for (const auto* name : {"standard.epd", "chess960.epd"}) {
    std::ifstream in(std::string(REFEREE_SOURCE_FOLDER) + "/tests/data/perft/" + name);
    REQUIRE(in);
    for (std::string line; std::getline(in, line);) {
      const auto epd = parse_epd(line);
      if (!std::holds_alternative<EpdLine>(epd)) continue;
      const Position& position = std::get<EpdLine>(epd).position;
      std::set<std::string> sans;
      for (const Move move : position.legal_moves()) {
        const std::string san = to_san(position, move);
        const std::string text = to_uci(position, move, takes_rook);
        const auto check = [&](const MoveText& read, std::string_view shown) {
          if (told(position, read) != text) FAIL_CHECK(line << " : " << shown << " is not read as " << text);
        };
        check(read_san(position, san), san);
        check(read_san(position, to_long_algebraic(position, move)), to_long_algebraic(position, move));
        for (const CastlingText castling : {two_squares, takes_rook}) {
          const std::string uci = to_uci(position, move, castling);
          check(read_uci(position, uci, castling), uci);
          check(read_xboard(position, uci, castling), uci);
          if (!note_of(read_uci(position, uci, castling)).empty()) FAIL_CHECK(line << " : " << uci << " is noted as odd");
        }
        if (!note_of(read_san(position, san)).empty()) FAIL_CHECK(line << " : " << san << " is noted as odd");
        if (!sans.insert(san).second) FAIL_CHECK(line << " : " << san << " is written for two moves");
      }
    }
  }
}

TEST_CASE("other languages: their own letters and no others") {
  struct Case {
    std::string_view fen, language, text, move, san;
  };
  for (const Case& c : {
           Case{"4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1", "et", "Rgf3", "g1f3", "Ngf3"},
           Case{"4k3/8/8/6N1/8/8/8/K5N1 w - - 0 1", "et", "R5f3", "g5f3", "N5f3"},
           Case{"4k3/8/8/8/3N4/8/7N/K7 w - - 0 1", "et", "Rdf3", "d4f3", "Ndf3"},
           Case{"4k3/8/8/8/2B5/8/8/3QK3 w - - 0 1", "et", "Lb3", "d1b3", "Qb3"},
           Case{"4k3/8/8/8/2B5/8/8/3QK3 w - - 0 1", "de", "Lb3", "c4b3", "Bb3"},
           Case{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "et", "exd6 e.p.", "e5d6", "exd6"},
           Case{"8/3P4/8/8/8/k7/8/4K3 w - - 0 1", "et", "d8L", "d7d8q", "d8=Q"},
           Case{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "et", "0-0", "e1h1", "O-O"},
           Case{"4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1", "et", "Rf3", "ambiguous", ""},
           Case{"4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1", "et", "Ngf3", "malformed", ""},
           Case{"4k3/8/8/8/8/8/8/K3N3 w - - 0 1", "lt", "Žf3", "e1f3", "Nf3"},
           Case{"4k3/8/8/8/8/8/8/K3N3 w - - 0 1", "ru", "Кf3", "e1f3", "Nf3"},
           Case{"4k3/8/8/8/8/8/8/K3N3 w - - 0 1", "ru", "Крb1", "a1b1", "Kb1"},
           Case{"8/3P4/8/8/8/k7/8/4K3 w - - 0 1", "ru", "d8Ф", "d7d8q", "d8=Q"},
           Case{"4k3/8/8/8/8/8/8/K3N3 w - - 0 1", "nl", "Pf3", "e1f3", "Nf3"},
       }) {
    INFO(c.language << ' ' << c.text);
    const auto language = parse_language(c.language);
    REQUIRE(language);
    const Position position = position_of(c.fen);
    const MoveText read = read_san(position, c.text, *language);
    CHECK(told(position, read) == c.move);
    if (const auto* move = std::get_if<ReadMove>(&read)) {
      CHECK(to_san(position, move->move) == c.san);
      CHECK(to_san(position, move->move, *language) == c.text);
    }
  }
  CHECK_FALSE(parse_language("xx"));
  CHECK_FALSE(parse_language(""));
}

TEST_CASE("the 18 languages' letters differ within each, and every move reads back") {
  const Position position = position_of("r3k2r/pPp2ppp/2nq1n2/2bpp3/2B1P1b1/2NP1N2/PPP2pPP/R1BQK2R w KQkq d6 0 8", FenReading::lenient);
  for (const Language language : all_languages) {
    INFO(code(language));
    CHECK(parse_language(code(language)) == language);
    std::set<std::string_view> letters;
    for (const Role role : {Role::knight, Role::bishop, Role::rook, Role::queen, Role::king}) letters.insert(piece_letter(role, language));
    CHECK(letters.size() == 5);
    CHECK(piece_letter(Role::pawn, language).empty());
    for (const Move move : position.legal_moves()) {
      const std::string text = to_san(position, move, language);
      INFO(text);
      const MoveText read = read_san(position, text, language);
      REQUIRE(std::holds_alternative<ReadMove>(read));
      CHECK(std::get<ReadMove>(read).move == move);
    }
  }
}

}  // namespace
}  // namespace referee::chess
