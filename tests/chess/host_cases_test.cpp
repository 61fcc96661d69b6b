// Faults that users reported of chess hosts, with the right answers; ids as in the collection of host cases. What belongs to the game as a
// whole (results, dead positions) is tested above this floor.
#include <algorithm>
#include <string_view>

#include "tests/chess/helpers.hpp"

namespace referee::chess {
namespace {

struct Answer {
  std::string_view uci, expected;
};

TEST_CASE("host cases: legal or not") {
  struct Case {
    std::string_view id, fen;
    std::vector<Answer> legal;
  };
  for (const Case& c : std::vector<Case>{
           {"CA-01", "4k3/8/8/8/8/8/8/6KR w H - 0 1", {{"g1h1", "yes"}}},
           {"CA-03", "3Q2kr/5ppp/8/8/8/8/8/K7 b h - 0 1", {{"g8h8", "no"}}},
           {"CA-05", "1k6/8/8/8/8/8/8/3K1RR1 w K - 0 1", {{"d1g1", "no"}, {"d1f1", "no"}}},
           {"CA-07", "4k3/8/8/8/8/6R1/8/4K2R w K - 0 1", {{"e1g1", "yes"}}},
           {"CA-11", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", {{"e1b1", "yes"}, {"e1a1", "no"}}},
           {"EP-01", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", {{"e5d6", "no"}}},
           {"EP-03", "2r1k3/8/8/1Pp5/8/8/8/2K5 w - c6 0 1", {{"b5c6", "yes"}}},
           {"EP-05", "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 1", {{"d5c6", "yes"}}},
           {"IL-01", "8/5k2/8/8/3n4/8/1P3K2/8 b - - 0 1", {{"d4d4", "no"}}},
           {"PR-03",
            "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
            {{"e7e8k", "no"}, {"e7e8p", "no"}, {"e7e8x", "no"}, {"e7e8", "no"}, {"e7e8n", "yes"}}},
       }) {
    const Position position = position_of(c.fen);
    for (const Answer& move : c.legal) {
      INFO(c.id << ' ' << move.uci);
      CHECK(is_legal_uci(position, move.uci) == (move.expected == "yes"));
    }
  }
}

TEST_CASE("host cases: move text") {
  struct Case {
    std::string_view id, fen;
    std::vector<Answer> san;
  };
  for (const Case& c : std::vector<Case>{
           {"CA-01", "4k3/8/8/8/8/8/8/6KR w H - 0 1", {{"g1h1", "O-O"}}},
           {"EP-03", "2r1k3/8/8/1Pp5/8/8/8/2K5 w - c6 0 1", {{"b5c6", "bxc6"}}},
           {"EP-09", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", {{"e5d6", "exd6"}}},
           {"SN-01", "2k4r/8/8/8/8/R6R/8/7K w - - 0 1", {{"a3e3", "Re3"}}},
           {"SN-03", "7k/3R4/8/8/8/8/3R4/K7 w - - 0 1", {{"d7d4", "R7d4"}, {"d2d4", "R2d4"}}},
           {"SN-05", "4k3/1p1p4/2B5/8/8/8/8/4K3 b - - 0 1", {{"b7c6", "bxc6"}, {"d7c6", "dxc6"}}},
           {"SN-07", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", {{"e1g1", "O-O+"}}},
           {"PR-07", "8/1P6/k7/8/1K6/8/8/8 w - - 0 1", {{"b7b8q", "b8=Q"}, {"b7b8r", "b8=R"}}},
       }) {
    const Position position = position_of(c.fen);
    for (const Answer& move : c.san) {
      INFO(c.id << ' ' << move.uci);
      CHECK(to_san(position, move_of(position, move.uci)) == move.expected);
    }
  }
}

TEST_CASE("host case PR-05: promotion by capture, read") {
  const Position position = position_of("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1");
  for (const Answer& token : {Answer{"cxd8=Q+", "c7d8q"}, Answer{"cxd8Q+", "c7d8q"}, Answer{"cxd8(Q)", "c7d8q"}, Answer{"c8=N", "c7c8n"},
                              Answer{"cd8=R", "c7d8r"}, Answer{"cxd8", ""}}) {
    INFO(token.uci);
    const MoveText read = read_san(position, token.uci);
    REQUIRE(std::holds_alternative<ReadMove>(read) == !token.expected.empty());
    if (const auto* move = std::get_if<ReadMove>(&read)) {
      CHECK(to_uci(position, move->move, CastlingText::king_two_squares) == token.expected);
    }
  }
}

TEST_CASE("host cases: mate and stalemate") {
  CHECK(position_of("3Q2kr/5ppp/8/8/8/8/8/K7 b h - 0 1").is_checkmate());  // CA-03
  const Position waiting = position_of("7k/5K2/6Q1/8/8/8/8/8 w - - 0 1");  // MS-01
  CHECK_FALSE(waiting.is_stalemate());
  CHECK_FALSE(waiting.is_checkmate());
  const Position only_en_passant = played("7k/2R5/8/8/6p1/6K1/B4P2/R7 w - - 0 1", "f2f4").back();  // MS-03
  CHECK_FALSE(only_en_passant.in_check());
  CHECK_FALSE(only_en_passant.is_stalemate());
  const MoveList moves = only_en_passant.legal_moves();
  REQUIRE(moves.size() == 1);
  CHECK(to_uci(only_en_passant, moves[0], CastlingText::king_two_squares) == "g4f3");
  const Position promoting = position_of("8/1P6/k7/8/1K6/8/8/8 w - - 0 1");  // PR-07
  CHECK(promoting.after(move_of(promoting, "b7b8q")).is_stalemate());
  CHECK_FALSE(promoting.after(move_of(promoting, "b7b8r")).is_stalemate());
  CHECK(played("6nk/8/6K1/4N3/8/8/8/8 w - - 0 1", "e5f7").back().is_checkmate());  // DP-03
  CHECK(played("6bk/8/7K/8/5N2/8/8/8 w - - 0 1", "f4g6").back().is_checkmate());
  CHECK(played("8/8/4k3/2b1p3/4P3/3BK3/8/8 w - - 0 1",  // DP-11
               "e3d2 e6d6 d3b1 d6c6 b1a2 c6b7 a2b1 b7a8 d2d3 c5e3 d3e3 a8a7 e3d3 a7a6 d3c4 a6b7 c4d5 b7a8 d5e5 a8a7 e5d4 a7a6 d4c4 a6b7 "
               "e4e5 b7a8 e5e6 a8a7 e6e7 a7a6 e7e8q a6a5 e8b5")
            .back()
            .is_checkmate());
  CHECK(played("7k/5K2/8/8/8/8/8/6R1 w - - 99 80", "g1h1").back().is_checkmate());  // FM-01
}

TEST_CASE("host cases: positions after moves, as FEN") {
  struct Case {
    std::string_view id, fen, moves, final_fen;
  };
  for (const Case& c : std::vector<Case>{
           {"CA-01", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
           {"CA-05", "1k6/8/8/8/8/8/8/3K1RR1 w K - 0 1", "f1f5 b8a8 d1g1", "k7/8/8/5R2/8/8/8/5RK1 b - - 3 2"},
           {"CA-07", "4k3/8/8/8/8/6R1/8/4K2R w K - 0 1", "", "4k3/8/8/8/8/6R1/8/4K2R w K - 0 1"},
           {"CA-11", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"},
           {"EP-01", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "", "8/8/8/K2pP2r/8/8/8/7k w - - 0 1"},
           {"EP-07", "startpos", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
       }) {
    INFO(c.id);
    CHECK(to_fen(played(c.fen, c.moves).back()) == c.final_fen);
  }
  CHECK(position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1") == played("startpos", "e2e4").back());  // EP-07
}

TEST_CASE("host cases: repetition") {
  const auto first_third = [](const std::vector<Position>& positions) {
    for (std::size_t ply = 0; ply < positions.size(); ++ply) {
      if (occurrences(positions, ply) >= 3) return static_cast<int>(ply);
    }
    return -1;
  };
  CHECK(first_third(played("4r1k1/3p4/8/4P3/8/8/8/R3K3 b - - 0 1", "d7d5 a1a2 g8h8 a2a1 h8g8 a1a2 g8h8 a2a1 h8g8")) == 9);  // RP-01
  CHECK(first_third(played("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
                           "a1a2 h8h7 a2a1 h7h8 a1a2 h8h7 a2a1 h7h8 a1a2 h8h7 a2a1 h7h8")) == 10);             // RP-03
  CHECK(first_third(played("startpos", "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8")) == 8);                      // RP-05
  const auto rooks_moved = played("startpos", "b1c3 b8c6 a1b1 a8b8 b1a1 b8a8 c3b1 c6b8 g1f3 g8f6 f3g1 f6g8");  // RP-07
  CHECK(first_third(rooks_moved) == -1);
  CHECK(to_fen(rooks_moved.back()).find(" w Kk - ") != std::string::npos);
  const auto rooks_exchanged = played("4k3/8/8/8/8/1R6/1R6/4K3 w - - 0 1", "b2c2 e8d8 b3b2 d8e8 c2c3 e8d8 c3b3 d8e8");  // RP-09
  CHECK(first_third(rooks_exchanged) == -1);
  CHECK(occurrences(rooks_exchanged, 8) == 2);
}

TEST_CASE("host cases: half-move clock") {
  CHECK(played("7k/5K2/8/8/8/8/8/6R1 w - - 99 80", "g1h1").back().halfmove_clock() == 100);              // FM-01
  CHECK(played("8/8/4k3/8/8/3K4/3R4/8 w - - 49 90", "d2d1").back().halfmove_clock() == 50);              // FM-03
  CHECK(played("8/8/4k3/8/8/3K4/3R4/8 w - - 97 130", "d2d1 e6e5 d1d2").back().halfmove_clock() == 100);  // FM-05
  CHECK(played("7k/5K2/8/8/8/8/8/6R1 w - - 149 120", "g1g2").back().halfmove_clock() == 150);            // FM-07
  const auto castled = played("4k3/8/8/8/8/8/8/4K2R w K - 98 70", "e1g1 e8d7");                          // FM-09
  CHECK(castled[1].halfmove_clock() == 99);
  CHECK(castled[2].halfmove_clock() == 100);
}

TEST_CASE("host cases: FEN") {
  struct Case {
    std::string_view id, fen, field, lenient;
  };
  for (const Case& c : std::vector<Case>{
           {"FN-01", "r3k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "castling", "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1"},
           {"FN-03", "4k3/8/8/8/8/8/4P3/8 w - - 0 1", "placement", ""},
           {"FN-05", "4k3/pppppppp/8/8/8/4P3/PPPPPPPP/4K3 w - - 0 1", "placement", ""},
           {"FN-07 a", "4k3/8/8/8/8/8/8 w - - 0 1", "placement", ""},
           {"FN-07 b", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "placement", ""},
           {"FN-07 c", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "placement", ""},
           {"FN-07 d", "4k3/8/8/7/8/8/8/4K3 w - - 0 1", "placement", ""},
           {"FN-07 e", "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "placement", ""},
           {"FN-07 f", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement", ""},
           {"FN-11", "4k3/8/8/8/7b/3n4/8/r3K3 w - - 0 1", "position", ""},
           {"FN-13", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en-passant", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
           {"FN-15", "8/8/8/3kK3/8/8/8/8 w - - 0 1", "position", ""},
       }) {
    INFO(c.id);
    const FenResult strict = parse_fen(c.fen);
    REQUIRE_FALSE(strict);
    CHECK(name(strict.error().field) == c.field);
    if (c.field == "placement" && c.id.substr(0, 5) == "FN-07") CHECK(strict.error().message.find("rank") != std::string::npos);
    const FenResult lenient = parse_fen(c.fen, FenReading::lenient);
    REQUIRE(static_cast<bool>(lenient) == !c.lenient.empty());
    if (lenient) CHECK(to_fen(lenient.position()) == c.lenient);
  }
  CHECK(to_fen(position_of("4k3/8/8/8/8/8/4P3/4K3 w - -")) == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");  // FN-09
}

TEST_CASE("host cases: EPD") {
  const auto fen_of = [](std::string_view line) {
    const auto read = parse_epd(line);
    REQUIRE(std::holds_alternative<EpdLine>(read));
    CHECK(std::get<EpdLine>(read).operations.empty());
    return to_fen(std::get<EpdLine>(read).position);
  };
  CHECK(fen_of("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6") ==
        "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 1");                  // EP-05
  CHECK(fen_of("8/8/4k3/8/8/3K4/3R4/8 w - - 5 9") == "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9");  // OP-03
}

}  // namespace
}  // namespace referee::chess
