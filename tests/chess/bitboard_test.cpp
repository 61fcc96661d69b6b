#include "referee/chess/bitboard.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace referee::chess {
namespace {

/// The slow way: a step at a time until a man or the edge.
[[nodiscard]] Bitboard walked(Square from, Bitboard occupied, bool diagonal) {
  Bitboard reached = 0;
  for (int files = -1; files <= 1; ++files) {
    for (int ranks = -1; ranks <= 1; ++ranks) {
      if ((files == 0 && ranks == 0) || (files != 0 && ranks != 0) != diagonal) continue;
      for (int n = 1;; ++n) {
        const int file = file_of(from) + n * files;
        const int rank = rank_of(from) + n * ranks;
        if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
        reached |= bit(make_square(file, rank));
        if ((occupied & bit(make_square(file, rank))) != 0) break;
      }
    }
  }
  return reached;
}

TEST_CASE("sliding attacks equal those walked square by square") {
  std::mt19937_64 random(20260101);
  for (int s = 0; s < 64; ++s) {
    const auto square = static_cast<Square>(s);
    for (int n = 0; n < 500; ++n) {
      Bitboard occupied = random();
      if (n % 3 != 0) occupied &= random();
      if (n % 5 == 0) occupied = n == 0 ? 0 : ~(random() & random() & random());
      REQUIRE(bishop_attacks(square, occupied) == walked(square, occupied, true));
      REQUIRE(rook_attacks(square, occupied) == walked(square, occupied, false));
      REQUIRE(queen_attacks(square, occupied) == (walked(square, occupied, true) | walked(square, occupied, false)));
    }
  }
}

TEST_CASE("leapers reach what article 3 says and stop at the edge") {
  const auto squares = [](std::initializer_list<std::string_view> names) {
    Bitboard set = 0;
    for (const auto name : names) set |= bit(*parse_square(name));
    return set;
  };
  CHECK(knight_attacks(*parse_square("a1")) == squares({"b3", "c2"}));
  CHECK(knight_attacks(*parse_square("g7")) == squares({"e8", "e6", "f5", "h5"}));
  CHECK(king_attacks(*parse_square("h4")) == squares({"h5", "h3", "g3", "g4", "g5"}));
  CHECK(pawn_attacks(Color::white, *parse_square("a2")) == squares({"b3"}));
  CHECK(pawn_attacks(Color::black, *parse_square("d5")) == squares({"c4", "e4"}));
  CHECK(pawn_attacks<Color::white>(squares({"a2", "h2"})) == squares({"b3", "g3"}));
  CHECK(between(*parse_square("a1"), *parse_square("d4")) == squares({"b2", "c3"}));
  CHECK(between(*parse_square("e1"), *parse_square("g1")) == squares({"f1"}));
  CHECK(between(*parse_square("a1"), *parse_square("b3")) == 0);
  CHECK(line_through(*parse_square("b2"), *parse_square("c3")) == squares({"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"}));
}

TEST_CASE("sets are counted and taken apart") {
  std::mt19937_64 random(7);
  for (int n = 0; n < 1000; ++n) {
    const Bitboard set = random() & random();
    unsigned members = 0;
    for (unsigned i = 0; i < 64; ++i) members += static_cast<unsigned>(set >> i & 1U);
    REQUIRE(count(set) == members);
    REQUIRE(more_than_one(set) == (members > 1));
  }
  CHECK(count(~Bitboard{0}) == 64);
  Bitboard set = bit(*parse_square("c2")) | bit(*parse_square("h8"));
  CHECK(highest(set) == *parse_square("h8"));
  CHECK(take_lowest(set) == *parse_square("c2"));
  CHECK(set == bit(*parse_square("h8")));
}

TEST_CASE("square names") {
  CHECK(to_string(make_square(4, 3)) == "e4");
  CHECK(parse_square("a1") == make_square(0, 0));
  for (const auto* bad : {"", "e", "e9", "e0", "i1", "E4", "e44"}) CHECK_FALSE(parse_square(bad));
}

}  // namespace
}  // namespace referee::chess
