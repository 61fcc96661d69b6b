#include "referee/laws/winnability.hpp"

#include <array>

#include "tests/laws/winnability_helpers.hpp"

using namespace winnability_tests;
using referee::laws::can_mate;
using referee::laws::Proof;

namespace {

constexpr std::array<Color, 2> both{Color::white, Color::black};

Winnability ask(const std::string& fen, Color winner, WinnabilityBudget budget = WinnabilityBudget::verdict()) {
  const Position position = at(fen);
  Winnability found = can_mate(position, winner, budget);
  INFO(fen);
  if (found.verdict == CanMate::yes) {
    CHECK(replays(position, winner, found.helpmate));
  } else {
    CHECK(found.helpmate.empty());
  }
  CHECK((found.proof == Proof::none) == (found.verdict == CanMate::undecided));
  return found;
}

/// Counts verdicts of a list; a wrong one fails at once.
std::size_t undecided(const std::vector<Known>& list, WinnabilityBudget budget) {
  std::size_t open = 0;
  for (const Known& known : list) {
    const Position position = at(known.fen);
    for (const Color winner : both) {
      const bool truth = winner == Color::white ? known.white : known.black;
      const Winnability found = can_mate(position, winner, budget);
      INFO(known.fen << " " << name(winner) << " " << name(found.proof));
      if (found.verdict == CanMate::undecided) {
        ++open;
        REQUIRE(found.nodes >= budget.nodes);
      } else {
        REQUIRE((found.verdict == CanMate::yes) == truth);
      }
      if (found.verdict == CanMate::yes) REQUIRE(replays(position, winner, found.helpmate));
      if (referee::laws::cannot_mate_quick(position, winner)) REQUIRE(!truth);
      if (referee::laws::cannot_mate_by_material(position, winner)) REQUIRE(!truth);
    }
    if (referee::laws::quick_dead(position)) REQUIRE((!known.white && !known.black));
  }
  return open;
}

}  // namespace

TEST_CASE("whole material classes with at most four men are decided, and at once") {
  const auto list = shipped_list("small-material.txt");
  CHECK(undecided(list, WinnabilityBudget::verdict()) == 0);
  // The test after every move misses no dead position among them.
  for (const Known& known : list) {
    INFO(known.fen);
    REQUIRE(referee::laws::quick_dead(at(known.fen)) == (!known.white && !known.black));
  }
}

TEST_CASE("pawn walls and random positions are decided") {
  CHECK(undecided(shipped_list("generated.txt"), WinnabilityBudget::verdict()) == 0);
}

TEST_CASE("positions with a reasoned verdict are decided") {
  CHECK(undecided(shipped_list("reasoned.txt"), WinnabilityBudget::verdict()) == 0);
}

TEST_CASE("public lists, read through REFEREE_DATA") {
  const char* const folder = std::getenv("REFEREE_DATA");
  if (folder == nullptr) {
    WARN("REFEREE_DATA is not set: the public lists are not read");
    return;
  }
  const std::string base = std::string(folder) + "/winnability/";
  CHECK(undecided(read_list(base + "timeouts-unfair.txt"), WinnabilityBudget::verdict()) == 0);
  CHECK(undecided(read_list(base + "timeouts-sample.txt"), WinnabilityBudget::verdict()) == 0);
  // Compositions meant to be hard; a smaller budget than a verdict's leaves some open, none wrong.
  const auto hard = read_list(base + "community.txt");
  CHECK(undecided(hard, {50'000}) < hard.size() * 2 / 10);
}

TEST_CASE("a budget makes an answer undecided, never wrong") {
  for (const std::uint64_t nodes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{60}, std::uint64_t{500}}) {
    undecided(shipped_list("reasoned.txt"), {nodes});
  }
  // Spending it stops the work.
  const Winnability found = ask("5b2/8/7b/p1p1p1p1/P1P1P1P1/6K1/4k3/8 b - - 0 1", Color::white, {2'000});
  CHECK(found.verdict == CanMate::undecided);
  CHECK(found.nodes == 2'000);
}

TEST_CASE("the mate on the board comes before the rules of material") {
  // Set up by hand: bishops of one colour give mate, which no game leads to.
  const char* const fen = "3rkr2/8/2B1K1B1/8/8/8/8/8 b - - 0 1";
  const Winnability white = ask(fen, Color::white);
  CHECK(white.verdict == CanMate::yes);
  CHECK(white.proof == Proof::terminal);
  CHECK(white.helpmate.empty());
  CHECK(ask(fen, Color::black).verdict == CanMate::no);
  CHECK_FALSE(referee::laws::cannot_mate_quick(at(fen), Color::white));
  CHECK_FALSE(referee::laws::cannot_mate_by_material(at(fen), Color::white));
}

TEST_CASE("each kind of proof is named") {
  CHECK(ask("8/8/4k3/8/8/3K4/8/8 w - - 0 1", Color::white).proof == Proof::material);
  CHECK(ask("8/8/4k3/8/8/3K4/3Q4/8 w - - 0 1", Color::black).proof == Proof::material);
  CHECK(ask("k7/P7/K7/8/8/8/8/8 b - - 0 1", Color::white).proof == Proof::terminal);
  // The king must take the queen that gives check.
  CHECK(ask("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", Color::white).proof == Proof::forced_lines);
  CHECK(ask("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", Color::white).proof == Proof::saturation);
  CHECK(ask("8/8/8/8/p1p2k2/P1P1p1p1/3KP1P1/8 w - - 0 1", Color::white).proof == Proof::closure);
  CHECK(ask("K7/1p4B1/1Pp5/k1P5/p1P5/P7/7B/8 b - - 0 1", Color::white).proof == Proof::cloud_closure);
  CHECK(ask("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", Color::white).proof == Proof::line);
  for (const Proof proof :
       {Proof::line, Proof::terminal, Proof::material, Proof::forced_lines, Proof::saturation, Proof::cloud_closure, Proof::closure}) {
    CHECK_FALSE(name(proof).empty());
  }
  CHECK(name(Proof::none).empty());
}

TEST_CASE("material that can mate only with help") {
  // K+N against K+R: smothered beside its own rook. Against K+Q, never: the queen takes the knight.
  CHECK(ask("6rk/8/8/8/8/8/8/1K1N4 w - - 0 1", Color::white).verdict == CanMate::yes);
  CHECK(ask("6qk/8/8/8/8/8/8/1K1N4 w - - 0 1", Color::white).verdict == CanMate::no);
  CHECK(ask("6qk/6q1/8/8/8/8/8/1K1N4 w - - 0 1", Color::white).verdict == CanMate::no);
  // Bishops: of one square colour never, of both always.
  CHECK(ask("8/8/2b5/4k3/8/3K4/8/5B2 w - - 0 1", Color::white).verdict == CanMate::no);
  CHECK(ask("5b1k/8/8/8/8/8/8/1K3B2 w - - 0 1", Color::white).verdict == CanMate::yes);
  CHECK(ask("7k/8/8/8/8/8/8/1BB1K3 w - - 0 1", Color::white).verdict == CanMate::yes);
  CHECK(ask("7k/8/8/8/2B5/8/4B3/4K3 w - - 0 1", Color::white).verdict == CanMate::no);
}

TEST_CASE("castling in standard chess and Chess960 stays part of the game") {
  for (const char* fen : {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
                          // walls that the castling rook could not cross, with the right to castle left
                          "4k2r/8/8/1p1p1p1p/1P1P1P1P/8/8/4K2R w Kk - 0 1", "1k1r4/8/8/p1p1p1p1/P1P1P1P1/8/8/1KR5 w - - 0 1"}) {
    for (const Color winner : both) CHECK(ask(fen, winner).verdict == CanMate::yes);
  }
}

TEST_CASE("an en passant capture opens a wall that is closed without it") {
  // b5xc6 en passant frees a file; without the right every pawn is blocked.
  const char* const without = "4k3/1p6/1p1p1p1p/1PpP1P1P/2P5/8/8/4K3 w - - 0 1";
  const char* const with = "4k3/1p6/1p1p1p1p/1PpP1P1P/2P5/8/8/4K3 w - c6 0 1";
  for (const Color winner : both) {
    CHECK(ask(without, winner).verdict == CanMate::no);
    CHECK(ask(with, winner).verdict == CanMate::yes);
  }
}
