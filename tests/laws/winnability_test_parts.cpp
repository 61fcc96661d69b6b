#include <set>

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_closure.hpp"
#include "referee/laws/winnability_clouds.hpp"
#include "referee/laws/winnability_matching.hpp"
#include "referee/laws/winnability_packed.hpp"
#include "referee/laws/winnability_saturation.hpp"
#include "referee/laws/winnability_search.hpp"
#include "referee/laws/winnability_squares.hpp"
#include "tests/laws/winnability_helpers.hpp"

using namespace winnability_tests;
using namespace referee::laws::winnability;
using referee::chess::bit;
using referee::chess::Role;
using referee::chess::Square;

TEST_CASE("a packed position is the position") {
  Dice dice(5);
  for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                          "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1", "8/8/8/2k5/2pP4/8/8/4K3 b - d3 0 1",
                          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"}) {
    for (int game = 0; game < 20; ++game) {
      Position position = at(fen);
      for (int ply = 0; ply < 40; ++ply) {
        const Position back = PackedPosition(position).unpack();
        INFO(to_fen(position));
        REQUIRE(back.same_position(position));
        REQUIRE(back.key() == position.key());
        REQUIRE(PackedPosition(back) == PackedPosition(position));
        const auto moves = position.legal_moves();
        if (moves.empty()) break;
        const Position next = position.after(moves[dice.below(moves.size())]);
        REQUIRE_FALSE(PackedPosition(next) == PackedPosition(position));
        position = next;
      }
    }
  }
  // The same men with and without a right are two positions.
  CHECK_FALSE(PackedPosition(at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")) == PackedPosition(at("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1")));
  CHECK_FALSE(PackedPosition(at("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")) == PackedPosition(at("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")));
  CHECK_FALSE(PackedPosition(at("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")) == PackedPosition(at("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")));
}

TEST_CASE("steps of whole sets are the steps of their squares") {
  const auto leap = [](std::initializer_list<std::pair<int, int>> steps, int square) {
    referee::chess::Bitboard made = 0;
    for (const auto& [files, ranks] : steps) {
      const int file = square % 8 + files;
      const int rank = square / 8 + ranks;
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) made |= referee::chess::Bitboard{1} << (8 * rank + file);
    }
    return made;
  };
  for (int square = 0; square < 64; ++square) {
    const auto set = referee::chess::Bitboard{1} << square;
    const auto straight = leap({{0, 1}, {0, -1}, {1, 0}, {-1, 0}}, square);
    const auto diagonal = leap({{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, square);
    const auto knight = leap({{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}, square);
    CHECK(step(Role::rook, Color::white, set) == straight);
    CHECK(step(Role::bishop, Color::white, set) == diagonal);
    CHECK(step(Role::queen, Color::white, set) == (straight | diagonal));
    CHECK(step(Role::king, Color::white, set) == (straight | diagonal));
    CHECK(step(Role::knight, Color::white, set) == knight);
    CHECK(step(Role::pawn, Color::white, set) == leap({{1, 1}, {-1, 1}}, square));
    CHECK(step(Role::pawn, Color::black, set) == leap({{1, -1}, {-1, -1}}, square));
    CHECK(any_step(set) == (straight | diagonal | knight));
  }
}

TEST_CASE("each square is held by a man of its own, or not all are") {
  Matching two_for_two;
  two_for_two.add(0b011);
  two_for_two.add(0b001);
  CHECK(two_for_two.complete());
  Matching one_for_two;
  one_for_two.add(0b100);
  one_for_two.add(0b100);
  CHECK_FALSE(one_for_two.complete());
  Matching chain;  // the last square pushes the others aside one by one
  chain.add(0b0011);
  chain.add(0b0110);
  chain.add(0b1100);
  chain.add(0b0001);
  CHECK(chain.complete());
  Matching crowded;  // four squares, three men
  for (int i = 0; i < 4; ++i) crowded.add(0b0111);
  CHECK_FALSE(crowded.complete());
  CHECK(Matching().complete());
}

TEST_CASE("saturation knows who is shut in") {
  // Comb: no king gets across, nothing is ever taken.
  World comb(at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1"), Color::white);
  CHECK(comb.excludes_mate());
  for (std::size_t i = 0; i < comb.count(); ++i) {
    const World::Man man = comb.man(i);
    CHECK_FALSE(man.takeable);
    CHECK_FALSE(man.promotes);
    if (man.role == Role::pawn) CHECK(man.reach == man.start);
    if (man.role == Role::king) CHECK((man.reach & (man.color == Color::white ? 0xFFFFFFFF00000000ULL : 0x00000000FFFFFFFFULL)) == 0);
  }
  CHECK(comb.mate_squares(World::Wanted::all) == 0);
  // Facing pawns of one file never pass, though one of them may be taken from behind.
  CHECK(saturation_excludes_mate(at("4k3/1p1p1p1p/1P1P1P1P/1p1p1p1p/8/8/1P1P1P1P/4K3 w - - 0 1"), Color::white));
  // A limit on the rounds is no proof.
  CHECK_FALSE(World(at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1"), Color::white).excludes_mate(1));
  // The pawn just passed may be taken: after each move the wall is looked at again.
  CHECK_FALSE(saturation_excludes_mate(at("4k3/1p6/1p1p1p1p/1PpP1P1P/2P5/8/8/4K3 w - c6 0 1"), Color::white));
}

TEST_CASE("the straight search finds short work in open positions and keeps to its nodes") {
  for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/4k3/8/8/3K4/3R4/8 b - - 0 1",
                          "6nk/8/6K1/4N3/8/8/8/8 w - - 0 1", "8/5k2/8/8/2K5/8/P7/8 w - - 0 1"}) {
    std::uint64_t nodes = 800;
    Line line;
    INFO(fen);
    REQUIRE(find_helpmate(at(fen), Color::white, nodes, line));
    CHECK(replays(at(fen), Color::white, {line.begin(), line.end()}));
  }
  std::uint64_t none = 0;
  Line line;
  CHECK_FALSE(find_helpmate(at("8/8/4k3/8/8/3K4/3R4/8 b - - 0 1"), Color::white, none, line));
  std::uint64_t few = 10;
  CHECK_FALSE(find_helpmate(at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1"), Color::white, few, line));
  CHECK(few == 0);
}

TEST_CASE("the closure of the comb has as many positions as kings can be placed") {
  // 1152 positions (counted independently); the closure goes on where it stopped.
  const Position start = at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1");
  Closure closure(start, Color::white);
  std::uint64_t nodes = 100;
  CHECK(closure.advance(nodes, 10'000) == Closure::State::open);
  CHECK(nodes == 0);
  nodes = 1'000'000;
  CHECK(closure.advance(nodes, 1'152) == Closure::State::open);
  CHECK(closure.advance(nodes, 1'153) == Closure::State::closed);
}

TEST_CASE("a closure finds the mate and the way to it") {
  const Position start = at("2b1k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1");
  for (const Color winner : {Color::white, Color::black}) {
    Closure closure(start, winner);
    std::uint64_t nodes = 200'000;
    REQUIRE(closure.advance(nodes, 100'000) == Closure::State::mate);
    CHECK(replays(start, winner, closure.line()));
  }
}

TEST_CASE("clouds prove what positions are too many for") {
  // Each time the white king comes near, Black is stalemated before a bishop can give check.
  const Position start = at("K7/1p4B1/1Pp5/k1P5/p1P5/P7/7B/8 b - - 0 1");
  std::uint64_t nodes = 10'000;
  CHECK(CloudClosure(start, Color::white, CloudClosure::Hemmed::by_any_man).excludes_mate(nodes));
  CHECK(nodes > 0);
  std::uint64_t few = 3;
  CHECK_FALSE(CloudClosure(start, Color::white, CloudClosure::Hemmed::by_any_man).excludes_mate(few));
  CHECK(few == 0);
  // Move the black pawn on a4 away and the king has room: there is a mate.
  std::uint64_t more = 10'000;
  CHECK_FALSE(
      CloudClosure(at("K7/1p4B1/1Pp5/k1P5/2P5/P7/7B/8 b - - 0 1"), Color::white, CloudClosure::Hemmed::by_any_man).excludes_mate(more));
  // Nothing free: left to the ordinary closure.
  std::uint64_t unused = 10;
  CHECK_FALSE(CloudClosure(at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1"), Color::white, CloudClosure::Hemmed::by_any_man)
                  .excludes_mate(unused));
  CHECK(unused == 10);
}
