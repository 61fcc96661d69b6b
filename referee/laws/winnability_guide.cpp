#include "referee/laws/winnability_guide.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_saturation.hpp"

namespace referee::laws::winnability {

using chess::file_of;
using chess::opposite;
using chess::Position;
using chess::rank_of;
using chess::take_lowest;

namespace {

// Costs in moves, about. A mate in the corner needs three flights closed, one at the edge five, one inside eight: unless no corner
// will do, the others only lead astray.
constexpr unsigned edge_penalty = 60;
constexpr unsigned inside_penalty = 120;
constexpr unsigned only_this_much_worse = 25;
constexpr std::size_t most_pictures = 4;
constexpr unsigned king_step_cost = 3;
constexpr unsigned out_of_reach = 8;
constexpr Bitboard corner_squares = 0x8100000000000081;

[[nodiscard]] unsigned steps(Square a, Square b) noexcept {
  return static_cast<unsigned>(std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b))));
}
[[nodiscard]] unsigned beyond(unsigned value, unsigned free) noexcept { return value > free ? value - free : 0; }
[[nodiscard]] Bitboard colour_of(Square square) noexcept { return (bit(square) & light_squares) != 0 ? light_squares : dark_squares; }
[[nodiscard]] unsigned ranks_to_go(Square pawn, Color color) noexcept {
  return static_cast<unsigned>(color == Color::white ? 7 - rank_of(pawn) : rank_of(pawn));
}

}  // namespace

Guide::Guide(const Position& start, Color winner) : winner_(winner), loser_(opposite(winner)) {
  blockable_.fill(~Bitboard{0});
  look_at_reach(start);
  choose_pictures(start);
}

void Guide::look_at_reach(const Position& start) {
  if (start.en_passant()) return;
  World world(start, winner_);
  if (world.excludes_mate()) return;
  mates_ = world.mate_squares(World::Wanted::all);
  attackable_ = 0;
  blockable_.fill(0);
  for (std::size_t i = 0; i < world.count(); ++i) {
    const World::Man man = world.man(i);
    if (man.role == Role::king) {
      if (man.color == winner_) {
        guardable_ = king_step(man.reach);
      } else {
        king_reach_ = man.reach;
      }
    } else if (man.color == winner_) {
      attackable_ |= man.promotes ? ~Bitboard{0} : step(man.role, winner_, man.reach);
    } else if (man.promotes) {
      for (Bitboard& squares : blockable_) squares |= man.reach;
    } else {
      blockable_[index(man.role)] |= man.reach;
    }
  }
}

void Guide::choose_pictures(const Position& start) {
  std::vector<std::pair<unsigned, Picture>> all;
  for (Bitboard squares = mates_; squares != 0;) {
    const Square square = take_lowest(squares);
    Picture made{square, chess::king_attacks(square) & king_reach_, {}};
    constexpr std::uint8_t no_way = 30;
    made.way.fill(no_way);
    Bitboard seen = bit(square);
    Bitboard front = seen;
    for (std::uint8_t d = 0; front != 0 && d < no_way; ++d) {
      for (Bitboard at = front; at != 0;) made.way[index(take_lowest(at))] = d;
      front = king_step(front) & king_reach_ & ~seen;
      seen |= front;
    }
    const bool end_file = file_of(square) % 7 == 0;
    const bool end_rank = rank_of(square) % 7 == 0;
    const unsigned penalty = end_file && end_rank ? 0 : end_file || end_rank ? edge_penalty : inside_penalty;
    all.emplace_back(picture(start, made) + penalty, made);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [cost, made] : all) {
    if (pictures_.size() == most_pictures || cost >= all.front().first + only_this_much_worse) break;
    pictures_.push_back(made);
  }
}

unsigned Guide::distance(Guess guess, const Position& position) const noexcept {
  unsigned least = farthest;
  switch (guess) {
    case Guess::strength:
      least = strength(position);
      break;
    case Guess::net:
      least = net(position);
      break;
    case Guess::picture:
      for (const Picture& wanted : pictures_) least = std::min(least, picture(position, wanted));
      break;
  }
  return std::min(least, farthest);
}

unsigned Guide::strength(const Position& position) const noexcept {
  const Square loser_king = position.king(loser_);
  const Square winner_king = position.king(winner_);
  const auto from_edge = [](int line) { return static_cast<unsigned>(std::min(line, 7 - line)); };
  unsigned total = std::max(from_edge(file_of(loser_king)), from_edge(rank_of(loser_king))) + beyond(steps(loser_king, winner_king), 2);
  const Bitboard own = position.pieces(winner_);
  if ((own & (position.pieces(Role::queen) | position.pieces(Role::rook))) == 0) {
    if ((own & position.pieces(Role::pawn)) == 0) return minors(position);
    total += 2 + 2 * pawns_to_go(position);
  }
  return total + chess::count(position.pieces(loser_));
}

unsigned Guide::minors(const Position& position) const noexcept {
  // Knights and bishops mate in a corner; a single one needs a man of the loser's beside its king.
  const Bitboard own = position.pieces(winner_) & ~position.pieces(Role::king);
  const Bitboard bishops = own & position.pieces(Role::bishop);
  const bool only_bishops = own == bishops;
  const bool only_knights = bishops == 0;
  const Bitboard others =
      position.pieces(loser_) & ~position.pieces(Role::king) & ~position.pieces(Role::pawn) & ~position.pieces(Role::queen);
  unsigned least = farthest;
  for (Bitboard corners = corner_squares; corners != 0;) {
    const Square corner = take_lowest(corners);
    const Bitboard colour = colour_of(corner);
    if (only_bishops && (bishops & colour) == 0) continue;
    // A bishop of the corner's colour can only stand on the diagonal beside it: no help against a knight.
    if (only_knights && others != 0 && (others & ~(position.pieces(Role::bishop) & colour)) == 0) continue;
    unsigned total = 2 * steps(position.king(loser_), corner) + 2 * beyond(steps(position.king(winner_), corner), 2);
    for (Bitboard men = own; men != 0;) total += steps(take_lowest(men), corner);
    if (single(own)) total += helper_to_go(position, others, corner);
    least = std::min(least, total);
  }
  return least;
}

unsigned Guide::helper_to_go(const Position& position, Bitboard others, Square corner) const noexcept {
  unsigned least = 20;
  for (Bitboard men = others; men != 0;) {
    const Square at = take_lowest(men);
    least = std::min(least, (bit(at) & chess::king_attacks(corner)) != 0 ? 0 : steps(at, corner));
  }
  if (others != 0) return least;
  for (Bitboard pawns = position.pieces(loser_, Role::pawn); pawns != 0;)
    least = std::min(least, 8 + ranks_to_go(take_lowest(pawns), loser_));
  return least;
}

unsigned Guide::pawns_to_go(const Position& position) const noexcept {
  unsigned least = 8;
  for (Bitboard pawns = position.pieces(winner_, Role::pawn); pawns != 0;) {
    const Square pawn = take_lowest(pawns);
    Bitboard ahead = pawn_push(bit(pawn), winner_);
    for (int i = 0; i < 6; ++i) ahead |= pawn_push(ahead, winner_);
    least = std::min(least, ranks_to_go(pawn, winner_) + 2 * chess::count(ahead & position.occupied()));
  }
  return least;
}

unsigned Guide::net(const Position& position) const noexcept {
  const Square king = position.king(loser_);
  const Bitboard open = chess::king_attacks(king) & ~position.pieces(loser_);
  const Bitboard occupied = position.occupied() ^ bit(king);
  Bitboard attacked = pawn_attack(position.pieces(winner_, Role::pawn), winner_);
  for (Bitboard men = position.pieces(winner_) & ~position.pieces(Role::pawn); men != 0;) {
    const Square from = take_lowest(men);
    attacked |= chess::piece_attacks(position.role_at(from), from, occupied);
  }
  return 2 * chess::count(open & ~attacked) + chess::count(open);
}

unsigned Guide::picture(const Position& position, const Picture& wanted) const noexcept {
  unsigned total = king_step_cost * wanted.way[index(position.king(loser_))] + check(position, wanted.square);
  const Bitboard helpers = position.pieces(loser_) & ~position.pieces(Role::king);
  for (Bitboard flights = wanted.flights & ~helpers; flights != 0;) total += closing(position, take_lowest(flights));
  return total;
}

unsigned Guide::check(const Position& position, Square square) const noexcept {
  const Bitboard own = position.pieces(winner_);
  const Bitboard bishops = own & position.pieces(Role::bishop) & colour_of(square);
  unsigned least = 4;
  if ((own & ~position.pieces(Role::bishop) & ~position.pieces(Role::knight) & ~position.pieces(Role::king)) != 0) least = 3;
  if (bishops != 0) least = 2;
  for (Bitboard men = bishops; men != 0;) {
    const Bitboard lines = chess::bishop_attacks(take_lowest(men), position.occupied());
    if ((lines & (bit(square) | chess::king_attacks(square))) != 0) return 0;
  }
  for (Bitboard knights = own & position.pieces(Role::knight); knights != 0;) {
    least = std::min(least, beyond(steps(take_lowest(knights), square), 2));
  }
  return least;
}

unsigned Guide::closing(const Position& position, Square flight) const noexcept {
  const Bitboard own = position.pieces(winner_);
  const Bitboard helpers = position.pieces(loser_);
  const Bitboard colour = colour_of(flight);
  const auto may_hold = [&](Role role) { return (blockable_[index(role)] & bit(flight)) != 0; };
  unsigned least = out_of_reach;
  if ((guardable_ & bit(flight)) != 0) least = std::min(least, 2 * beyond(steps(position.king(winner_), flight), 1));
  if ((attackable_ & bit(flight)) != 0 && (own & position.pieces(Role::bishop) & colour) != 0) least = std::min(least, 1U);
  if (may_hold(Role::bishop) && (helpers & position.pieces(Role::bishop) & colour) != 0) least = std::min(least, 2U);
  for (const Role role : {Role::rook, Role::queen}) {
    if (may_hold(role) && (helpers & position.pieces(role)) != 0) least = std::min(least, 2U);
  }
  if (may_hold(Role::knight)) {
    for (Bitboard knights = helpers & position.pieces(Role::knight); knights != 0;) {
      least = std::min(least, 1 + steps(take_lowest(knights), flight));
    }
  }
  for (Bitboard pawns = helpers & position.pieces(Role::pawn) & chess::file_mask(file_of(flight)); pawns != 0;) {
    const Square pawn = take_lowest(pawns);
    const unsigned pawn_left = ranks_to_go(pawn, loser_);
    const unsigned flight_left = ranks_to_go(flight, loser_);
    if (pawn_left > flight_left) least = std::min(least, pawn_left - flight_left);
  }
  return least;
}

}  // namespace referee::laws::winnability
