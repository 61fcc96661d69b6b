#include "referee/laws/winnability_saturation.hpp"

#include <bit>

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_forced.hpp"
#include "referee/laws/winnability_matching.hpp"

namespace referee::laws::winnability {

using chess::opposite;
using chess::Position;
using chess::take_lowest;

World::World(const Position& position, Color winner) noexcept : winner_(winner) {
  for (const Color color : {Color::white, Color::black}) {
    king_[index_of(color)] = count_;
    for (const Role role : {Role::king, Role::queen, Role::rook, Role::bishop, Role::knight, Role::pawn}) {
      for (Bitboard men = position.pieces(color, role); men != 0;) add(color, role, take_lowest(men));
    }
    last_[index_of(color)] = count_;
  }
  guarding_ = count_ == most_men ? ~Set{0} : one(count_) - 1;
  last_man_ = last_[index_of(winner)] - king_[index_of(winner)] == 2;
  find_facing_pawns();
  add_castling_targets(position);
}

void World::add(Color color, Role role, Square square) noexcept {
  start_[count_] = reach_[count_] = bit(square);
  if (role == Role::pawn) as_pawn_[count_] = bit(square);
  role_[count_] = role;
  color_[count_] = color;
  ++count_;
}

void World::find_facing_pawns() noexcept {
  for (std::size_t i = 0; i < last_[index_of(Color::white)]; ++i) {
    if (role_[i] != Role::pawn) continue;
    const Square white = chess::lowest(start_[i]);
    for (std::size_t j = king_[index_of(Color::black)]; j < count_; ++j) {
      if (role_[j] != Role::pawn) continue;
      const Square black = chess::lowest(start_[j]);
      if (chess::file_of(white) != chess::file_of(black) || chess::rank_of(white) > chess::rank_of(black)) continue;
      facing_[i] |= one(j);
      facing_[j] |= one(i);
    }
  }
}

void World::add_castling_targets(const Position& position) noexcept {
  // In standard chess every square castling uses is a step from the last and was empty, so the ordinary steps cover it. A king
  // or rook that jumps over the other is given its target here.
  for (Bitboard rooks = position.castling_rooks(); rooks != 0;) {
    const Bitboard rook = bit(take_lowest(rooks));
    const Color color = (position.pieces(Color::white) & rook) != 0 ? Color::white : Color::black;
    const std::size_t king = king_[index_of(color)];
    const int rank = chess::home_rank(color);
    const bool king_side = rook > start_[king];
    if (start_[king] == bit(chess::make_square(4, rank)) && rook == bit(chess::make_square(king_side ? 7 : 0, rank))) continue;
    const Bitboard king_to = bit(chess::make_square(king_side ? 6 : 2, rank));
    const Bitboard rook_to = bit(chess::make_square(king_side ? 5 : 3, rank));
    for (std::size_t i = king; i < last_[index_of(color)]; ++i) {
      if (i != king && start_[i] != rook) continue;
      reach_[i] |= i == king ? king_to : rook_to;
      entered_[i] |= i == king ? king_to : rook_to;
    }
  }
}

World::Man World::man(std::size_t i) const noexcept {
  return {color_[i], role_[i], start_[i], reach_[i], entered_[i], promoted_[i], (takeable_ & one(i)) != 0, promoted_[i] != 0};
}

void World::find_rocks() noexcept {
  rocks_ = {};
  rock_kings_ = 0;
  anywhere_ = {};
  ever_ = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t color = index_of(color_[i]);
    ever_ |= reach_[i];
    if (single(reach_[i]) && (takeable_ & one(i)) == 0) {
      rocks_[color] |= reach_[i];
      if (role_[i] == Role::king) rock_kings_ |= reach_[i];
    }
    if (role_[i] != Role::king) anywhere_[color] |= reach_[i];
  }
  // Its capture ends the matter, so nobody of the loser's takes it.
  last_man_rock_ = last_man_ ? rocks_[index_of(winner_)] & reach_[king_[index_of(winner_)] + 1] : 0;
}

void World::find_guarded() noexcept {
  // A man that is never taken stands on some square of its reach at all times. What it attacks from each of them, its lines
  // blocked wherever a man may ever stand, is attacked for ever: the enemy king never enters it. A pawn that may promote says
  // nothing.
  guarded_ = {};
  for (Set men = guarding_; men != 0; men &= men - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(men));
    Bitboard always = 0;
    if ((takeable_ & one(i)) == 0 && promoted_[i] == 0) {
      always = ~Bitboard{0};
      for (Bitboard squares = reach_[i]; squares != 0 && always != 0;) {
        const Square square = take_lowest(squares);
        always &=
            role_[i] == Role::pawn ? chess::pawn_attacks(color_[i], square) : chess::piece_attacks(role_[i], square, ever_ & ~bit(square));
      }
    }
    // Reach and obstacles only grow, so what is lost is lost for good.
    if (always == 0) guarding_ &= ~one(i);
    guarded_[index_of(color_[i])] |= always;
  }
}

bool World::widen_piece(std::size_t i) noexcept {
  const Color us = color_[i];
  const Color them = opposite(us);
  Bitboard barred = rocks_[index_of(us)] | rock_kings_;
  if (role_[i] == Role::king) barred |= guarded_[index_of(them)];
  if (us != winner_) barred |= last_man_rock_;

  Bitboard reach = reach_[i];
  Bitboard entered = entered_[i];
  for (;;) {
    entered |= step(role_[i], us, reach) & ~barred;
    if ((entered & ~reach) == 0) break;
    reach |= entered;
  }
  if (entered == entered_[i]) return false;
  reach_[i] = reach;
  taking_[i] = entered_[i] = entered;
  return true;
}

bool World::pawn_in_file(std::size_t i) const noexcept {
  return (as_pawn_[i] & ~chess::file_mask(chess::file_of(chess::lowest(start_[i])))) == 0;
}

bool World::widen_pawn(std::size_t i) noexcept {
  const Color us = color_[i];
  const Color them = opposite(us);
  Bitboard barred = rocks_[0] | rocks_[1];
  for (Set others = facing_[i] & ~takeable_; others != 0; others &= others - 1) {
    // The other stays ahead in the file as long as it stands and neither leaves the file as a pawn; it is never taken, so this
    // one never reaches where the other came from.
    const auto other = static_cast<std::size_t>(std::countr_zero(others));
    if (pawn_in_file(i) && pawn_in_file(other)) barred |= start_[other];
  }
  // En passant is covered: the passed square is in the reach of the pawn that takes a double step.
  const Bitboard prey = last_man_ && us != winner_ ? 0 : anywhere_[index_of(them)];
  Bitboard as_pawn = as_pawn_[i];
  Bitboard taking = 0;
  Bitboard entered = 0;
  for (;;) {
    taking = pawn_attack(as_pawn, us) & prey;
    entered = (pawn_push(as_pawn, us) & ~barred) | taking;
    if ((entered & ~as_pawn & ~last_rank(us)) == 0) break;
    as_pawn |= entered & ~last_rank(us);
  }
  Bitboard promoted = promoted_[i] | (entered & last_rank(us));
  if (promoted != 0) {
    const Bitboard barred_pieces = rocks_[index_of(us)] | rock_kings_ | (us != winner_ ? last_man_rock_ : 0);
    Bitboard stepped = 0;
    for (;;) {
      stepped = any_step(promoted) & ~barred_pieces;
      if ((stepped & ~promoted) == 0) break;
      promoted |= stepped;
    }
    entered |= stepped;
    taking |= stepped;
  }
  const bool changed = ((entered & ~entered_[i]) | (taking & ~taking_[i]) | (promoted & ~promoted_[i]) | (as_pawn & ~as_pawn_[i])) != 0;
  as_pawn_[i] |= as_pawn;
  promoted_[i] |= promoted;
  reach_[i] |= as_pawn | promoted;
  entered_[i] |= entered;
  taking_[i] |= taking;
  return changed;
}

bool World::mark_taken() noexcept {
  const Set before = takeable_;
  for (const Color color : {Color::white, Color::black}) {
    if (last_man_ && color != winner_) continue;
    const std::size_t own = index_of(color);
    const std::size_t enemy = index_of(opposite(color));
    Bitboard taking = 0;
    for (std::size_t i = king_[own]; i < last_[own]; ++i) taking |= taking_[i];
    for (std::size_t e = king_[enemy] + 1; e < last_[enemy]; ++e) {
      if ((taking & reach_[e]) != 0) takeable_ |= one(e);
    }
  }
  return takeable_ != before;
}

bool World::widen() noexcept {
  ++rounds_;
  find_rocks();
  find_guarded();
  bool changed = false;
  for (std::size_t i = 0; i < count_; ++i) changed |= role_[i] == Role::pawn ? widen_pawn(i) : widen_piece(i);
  changed |= mark_taken();
  return changed;
}

bool World::can_block(Bitboard squares) const noexcept {
  const std::size_t loser = index_of(opposite(winner_));
  Matching matching;
  while (squares != 0) {
    const Bitboard square = bit(take_lowest(squares));
    Set candidates = 0;
    for (std::size_t e = king_[loser] + 1; e < last_[loser]; ++e) candidates |= (reach_[e] & square) != 0 ? one(e) : 0;
    if (candidates == 0) return false;
    matching.add(candidates);
  }
  return matching.complete();
}

bool World::mate_possible_on(Square square, Bitboard flights) const noexcept {
  if (flights == 0 || can_block(flights)) return true;
  const Bitboard around = chess::king_attacks(square);
  for (Bitboard kings = reach_[king_[index_of(winner_)]] & king_step(around) & ~around & ~bit(square); kings != 0;) {
    const Bitboard left = flights & ~chess::king_attacks(take_lowest(kings));
    if (left == flights) continue;
    if (left == 0 || can_block(left)) return true;
  }
  return false;
}

Bitboard World::mate_squares(Wanted wanted) const noexcept {
  const std::size_t own = index_of(winner_);
  const Bitboard loser_king = reach_[king_[index_of(opposite(winner_))]];
  // Squares the winner's men may ever attack; lines end only at rocks, so one step from everywhere covers them. A man that never
  // moves gives no new check: a slider whose line opens can also move along it.
  Bitboard attacked = 0;
  Bitboard checked = 0;
  for (std::size_t i = king_[own] + 1; i < last_[own]; ++i) {
    const Bitboard reached =
        role_[i] == Role::pawn ? pawn_attack(as_pawn_[i], winner_) | any_step(promoted_[i]) : step(role_[i], winner_, reach_[i]);
    attacked |= reached;
    if (entered_[i] != 0) checked |= reached;
  }
  Bitboard mates = 0;
  for (Bitboard squares = loser_king & checked; squares != 0;) {
    const Square square = take_lowest(squares);
    // Flights that only the winner's king or a man of the loser's own can take away.
    const Bitboard flights = chess::king_attacks(square) & loser_king & ~attacked;
    if (!mate_possible_on(square, flights)) continue;
    mates |= bit(square);
    if (wanted == Wanted::one) break;
  }
  return mates;
}

bool World::excludes_mate(unsigned most_rounds) noexcept {
  while (widen()) {
    if (rounds_ >= most_rounds) return false;
  }
  return mate_squares(Wanted::one) == 0;
}

namespace {
bool excluded_after_en_passant(const Position& position, Color winner, int double_steps) noexcept {
  if (!position.en_passant()) return World(position, winner).excludes_mate();
  if (double_steps == 0) return false;
  for (const chess::Move move : position.legal_moves()) {
    const Position next = position.after(move);
    if (mated_by(next, winner) || !excluded_after_en_passant(next, winner, double_steps - 1)) return false;
  }
  return true;
}
}  // namespace

bool saturation_excludes_mate(const Position& position, Color winner) noexcept {
  // The pawn that may be taken en passant stands beyond the square it is taken on, where the rules do not look for it: look after
  // each move instead, and once more where that is a double step itself.
  return excluded_after_en_passant(position, winner, 2);
}

}  // namespace referee::laws::winnability
