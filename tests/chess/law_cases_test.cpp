// What the Laws say about single moves, endings on the board and set-up positions; ids as in the collection of rule cases, whose verdicts
// were checked with another program.
#include <string_view>

#include "tests/chess/helpers.hpp"

namespace referee::chess {
namespace {

TEST_CASE("rule cases: legality (articles 3.7, 3.8, 3.9)") {
  struct Case {
    std::string_view id, fen, moves, uci;
    bool legal;
    std::string_view fen_after;
  };
  for (const Case& c : std::vector<Case>{
           {"CAS-01", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 10 20", "", "e1g1", true, "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 11 20"},
           {"CAS-02", "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", false, ""},
           {"CAS-03", "4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", false, ""},
           {"CAS-04", "4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1c1", true, "4k3/5r2/8/8/8/8/8/2KR3R b - - 1 1"},
           {"CAS-05", "4k3/6r1/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", false, ""},
           {"CAS-06", "4k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", true, "4k2r/8/8/8/8/8/8/R4RK1 b - - 1 1"},
           {"CAS-07", "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1c1", true, "1r2k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
           {"CAS-08", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "", "e1c1", false, ""},
           {"CAS-09", "R4rk1/8/8/8/8/8/8/4K2R w K - 0 1", "", "e1g1", false, ""},
           {"CAS-10", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2 e8e7 e2e1 e7e8", "e1g1", false, ""},
           {"CAS-11", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1g1 h8g8 g1h1 g8h8", "e1c1", true, "r3k2r/8/8/8/8/8/8/2KR3R b q - 5 3"},
           {"EP-01", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", true, "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"},
           {"EP-02", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1d1 e8d8", "e5d6", false, ""},
           {"EP-03", "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1", "d7d5", "e5d6", false, ""},
           {"PRO-01", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1", "", "e7e8q", true, "4Q3/8/8/8/8/k7/8/4K3 b - - 0 1"},
           {"PRO-02", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1", "", "e7e8n", true, "4N3/8/8/8/8/k7/8/4K3 b - - 0 1"},
           {"PRO-03", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1", "", "e7e8", false, ""},
           {"PRO-04", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1", "", "e7e8k", false, ""},
           {"LEG-01", "4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "", "e2d3", false, ""},
           {"LEG-02", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "", "e2e7", true, "4r1k1/4R3/8/8/8/8/8/4K3 b - - 1 1"},
           {"LEG-03", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "", "d3d4", false, ""},
       }) {
    INFO(c.id);
    const Position position = played(c.fen, c.moves).back();
    CHECK(is_legal_uci(position, c.uci) == c.legal);
    if (c.legal && is_legal_uci(position, c.uci)) CHECK(to_fen(position.after(move_of(position, c.uci))) == c.fen_after);
  }
}

enum class Ending { none, mate, stalemate };

TEST_CASE("rule cases: mate and stalemate after the moves (articles 5.1.1, 5.2.1)") {
  struct Case {
    std::string_view id, fen, moves;
    Ending ending;
  };
  for (const Case& c : std::vector<Case>{
           {"DEAD-01", "8/8/8/4n3/3K4/8/8/k7 w - - 0 1", "d4e5", Ending::none},
           {"DEAD-02", "8/8/4k3/4p3/8/3K1N2/8/8 w - - 0 1", "f3e5", Ending::none},
           {"DEAD-03", "8/5b2/4k3/8/8/3K4/4p3/5B2 w - - 0 1", "f1e2", Ending::none},
           {"DEAD-04", "8/8/4k3/4b3/8/3K4/4p3/5B2 w - - 0 1", "f1e2", Ending::none},
           {"DEAD-05", "8/8/4k3/4n3/8/3K1N2/4p3/8 w - - 0 1", "d3e2", Ending::none},
           {"DEAD-06", "8/8/4k3/8/8/3K1N2/4N3/6r1 w - - 0 1", "f3g1", Ending::none},
           {"DEAD-07", "8/8/4k3/p1p1p1p1/2P1P1P1/P3K3/8/8 w - - 0 1", "a3a4", Ending::none},
           {"DEAD-08", "8/8/4k3/p1p1p1p1/2P1P1P1/P3K3/4B3/8 w - - 0 1", "a3a4", Ending::none},
           {"DEAD-09", "8/8/4k3/p1p1p1p1/2P1P1P1/P3K3/5B2/8 w - - 0 1", "a3a4", Ending::none},
           {"DEAD-10", "8/8/4k3/p1p1p1p1/P1P1Pp2/5P2/3K2P1/8 w - - 0 1", "g2g4", Ending::none},
           {"DEAD-11", "8/8/4k3/p1p1p1p1/P1P1Pp2/5P2/3K2P1/8 w - - 0 1", "g2g4 e6d6", Ending::none},
           {"DEAD-12", "8/8/8/8/8/1k4q1/8/7K b - - 0 1", "g3g2", Ending::none},
           {"DEAD-13", "1q6/8/8/8/K7/8/2Q5/k7 b - - 0 1", "b8b4", Ending::none},
           {"END-01", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "f2f3 e7e5 g2g4 d8h4", Ending::mate},
           {"END-02", "7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", Ending::stalemate},
           {"REP-12", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", Ending::none},
           {"FIF-05", "6k1/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a8", Ending::mate},
           {"FIF-06", "4k3/7r/8/8/8/8/R7/4K3 b - - 149 120", "h7g7", Ending::none},
           {"FIF-07", "6k1/8/6K1/8/8/8/8/R7 w - - 149 120", "a1a8", Ending::mate},
       }) {
    INFO(c.id);
    const Position position = played(c.fen, c.moves).back();
    CHECK(position.is_checkmate() == (c.ending == Ending::mate));
    CHECK(position.is_stalemate() == (c.ending == Ending::stalemate));
  }
}

TEST_CASE("rule cases: the counts that end a game (articles 9.2, 9.6)") {
  const auto knights = played("startpos",
                              "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");  // REP-12
  CHECK(occurrences(knights, 16) == 5);
  CHECK(occurrences(knights, 15) == 4);
  CHECK(played("4k3/7r/8/8/8/8/R7/4K3 b - - 149 120", "h7g7").back().halfmove_clock() == 150);  // FIF-06
}

TEST_CASE("rule cases: positions that are refused") {
  for (const auto& [id, fen, field] : std::vector<std::tuple<std::string_view, std::string_view, FenField>>{
           {"SET-01", "4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1", FenField::position},
           {"SET-02", "3Pk3/8/8/8/8/8/8/4K3 w - - 0 1", FenField::placement},
       }) {
    INFO(id);
    const FenResult read = parse_fen(fen);
    REQUIRE_FALSE(read);
    CHECK(read.error().field == field);
  }
}

}  // namespace
}  // namespace referee::chess
