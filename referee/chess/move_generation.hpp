// Direct legal move generation: check mask and pin rays first, then only legal moves, handed to a sink in sets of target squares.
// A sink that writes makes a MoveList, one that counts needs a popcount a piece. Internal to chess/.
//
// Sink: piece(from, targets) · pawns(targets, offset) · promotions(targets, offset) · en_passant(from, to) · castling(king, rook).
// offset: target minus origin.
#pragma once

#include "referee/chess/bitboard.hpp"
#include "referee/chess/position.hpp"

namespace referee::chess {

/// Would `color`'s king stand safe after this en passant capture? Needs: the men stand as the capture needs them.
template <Color color>
[[nodiscard]] inline bool en_passant_is_safe(const Position& position, Square from, Square to) noexcept {
  constexpr Color them = opposite(color);
  const Bitboard captured = color == Color::white ? south(bit(to)) : north(bit(to));
  const Bitboard occupied = (position.occupied() ^ bit(from) ^ captured) | bit(to);
  return position.attackers(position.king(color), them, occupied) == 0;
}

/// Every square that a man of `color` attacks, with only `occupied` in the way of sliders.
template <Color color>
[[nodiscard]] inline Bitboard attacked_squares(const Position& position, Bitboard occupied) noexcept {
  const Bitboard men = position.pieces(color);
  Bitboard seen = king_attacks(position.king(color)) | pawn_attacks<color>(men & position.pieces(Role::pawn));
  for (Bitboard from = men & position.pieces(Role::knight); from != 0;) seen |= knight_attacks(take_lowest(from));
  for (Bitboard from = men & (position.pieces(Role::bishop) | position.pieces(Role::queen)); from != 0;)
    seen |= bishop_attacks(take_lowest(from), occupied);
  for (Bitboard from = men & (position.pieces(Role::rook) | position.pieces(Role::queen)); from != 0;)
    seen |= rook_attacks(take_lowest(from), occupied);
  return seen;
}

/// Legal moves of the men in `movers` of the side to move, which is `us`.
template <Color us, typename Sink>
inline void generate_legal(const Position& position, Bitboard movers, Sink& sink) noexcept {
  constexpr Color them = opposite(us);
  const Bitboard own = position.pieces(us);
  const Bitboard enemy = position.pieces(them);
  const Bitboard occupied = own | enemy;
  const Square king = position.king(us);
  const Bitboard enemy_diagonal = enemy & (position.pieces(Role::bishop) | position.pieces(Role::queen));
  const Bitboard enemy_straight = enemy & (position.pieces(Role::rook) | position.pieces(Role::queen));

  // Sliders that would see the king were there no man of ours: each gives check or pins.
  Bitboard checkers =
      (pawn_attacks(us, king) & enemy & position.pieces(Role::pawn)) | (knight_attacks(king) & enemy & position.pieces(Role::knight));
  Bitboard pinned_diagonal = 0;  // whole rays, the pinning piece included
  Bitboard pinned_straight = 0;
  Bitboard check_ray = 0;
  for (Bitboard snipers = bishop_attacks(king, enemy) & enemy_diagonal; snipers != 0;) {
    const Square sniper = take_lowest(snipers);
    const Bitboard ray = between(king, sniper);
    const Bitboard shield = ray & own;
    if (shield == 0) {
      checkers |= bit(sniper);
      check_ray |= ray;
    } else if (!more_than_one(shield)) {
      pinned_diagonal |= ray | bit(sniper);
    }
  }
  for (Bitboard snipers = rook_attacks(king, enemy) & enemy_straight; snipers != 0;) {
    const Square sniper = take_lowest(snipers);
    const Bitboard ray = between(king, sniper);
    const Bitboard shield = ray & own;
    if (shield == 0) {
      checkers |= bit(sniper);
      check_ray |= ray;
    } else if (!more_than_one(shield)) {
      pinned_straight |= ray | bit(sniper);
    }
  }

  if ((movers & bit(king)) != 0) {
    const Bitboard without_king = occupied ^ bit(king);
    Bitboard safe = king_attacks(king) & ~own;
    if (safe != 0) safe &= ~attacked_squares<them>(position, without_king);
    if (safe != 0) sink.piece(king, safe);
    if (checkers == 0) {
      for (Bitboard rooks = position.castling_rooks() & own; rooks != 0;) {
        const Square rook = take_lowest(rooks);
        const bool king_side = index(rook) > index(king);
        const Square king_to = make_square(king_side ? 6 : 2, home_rank(us));
        const Square rook_to = make_square(king_side ? 5 : 3, home_rank(us));
        const Bitboard others = occupied ^ bit(king) ^ bit(rook);
        const Bitboard king_path = between(king, king_to) | bit(king_to);
        const Bitboard rook_path = between(rook, rook_to) | bit(rook_to);
        // Article 3.8.2.2: nothing between king and rook, nor (Chess960) on the way of either.
        if ((others & (king_path | rook_path | between(king, rook))) != 0) continue;
        // Article 3.8.2.1: no square the king stands on, crosses or reaches is attacked; the rook may have been a shield of the last.
        bool attacked = position.attackers(king_to, them, others | bit(king_to) | bit(rook_to)) != 0;
        for (Bitboard path = king_path; path != 0 && !attacked;) attacked = position.attackers(take_lowest(path), them, without_king) != 0;
        if (!attacked) sink.castling(king, rook);
      }
    }
  }
  if (more_than_one(checkers)) return;

  const Bitboard targets = (checkers == 0 ? ~Bitboard{0} : checkers | check_ray) & ~own;
  const Bitboard pinned = pinned_diagonal | pinned_straight;

  for (Bitboard from = movers & own & position.pieces(Role::knight) & ~pinned; from != 0;) {
    const Square square = take_lowest(from);
    sink.piece(square, knight_attacks(square) & targets);
  }
  const Bitboard diagonal = movers & own & (position.pieces(Role::bishop) | position.pieces(Role::queen)) & ~pinned_straight;
  for (Bitboard from = diagonal & ~pinned_diagonal & ~position.pieces(Role::queen); from != 0;) {
    const Square square = take_lowest(from);
    sink.piece(square, bishop_attacks(square, occupied) & targets);
  }
  for (Bitboard from = diagonal & pinned_diagonal; from != 0;) {
    const Square square = take_lowest(from);
    sink.piece(square, bishop_attacks(square, occupied) & targets & pinned_diagonal);
  }
  const Bitboard straight = movers & own & (position.pieces(Role::rook) | position.pieces(Role::queen)) & ~pinned_diagonal;
  for (Bitboard from = straight & ~pinned_straight & ~position.pieces(Role::queen); from != 0;) {
    const Square square = take_lowest(from);
    sink.piece(square, rook_attacks(square, occupied) & targets);
  }
  for (Bitboard from = straight & pinned_straight; from != 0;) {
    const Square square = take_lowest(from);
    sink.piece(square, rook_attacks(square, occupied) & targets & pinned_straight);
  }
  for (Bitboard from = movers & own & position.pieces(Role::queen) & ~pinned; from != 0;) {
    const Square square = take_lowest(from);
    sink.piece(square, queen_attacks(square, occupied) & targets);
  }

  const Bitboard pawns = movers & own & position.pieces(Role::pawn);
  if (pawns == 0) return;
  constexpr int up = us == Color::white ? 8 : -8;
  constexpr Bitboard last_rank = rank_mask(us == Color::white ? 7 : 0);
  constexpr Bitboard third_rank = rank_mask(us == Color::white ? 2 : 5);

  // A pinned pawn stays on its ray; a ray's squares cannot be entered from another ray by a pawn's step.
  const Bitboard pushers = pawns & ~pinned_diagonal;
  const Bitboard free_steps = forward<us>(pushers & ~pinned_straight) & ~occupied;
  const Bitboard pinned_steps = forward<us>(pushers & pinned_straight) & ~occupied & pinned_straight;
  const Bitboard steps = free_steps | pinned_steps;
  const Bitboard single = steps & targets;
  const Bitboard twice = forward<us>(steps & third_rank) & ~occupied & targets;
  sink.pawns(single & ~last_rank, up);
  sink.pawns(twice, 2 * up);

  const Bitboard capturers = pawns & ~pinned_straight;
  const Bitboard free_capturers = forward<us>(capturers & ~pinned_diagonal);
  const Bitboard pinned_capturers = forward<us>(capturers & pinned_diagonal);
  const Bitboard prey = enemy & targets;
  const Bitboard eastward = (east(free_capturers) | (east(pinned_capturers) & pinned_diagonal)) & prey;
  const Bitboard westward = (west(free_capturers) | (west(pinned_capturers) & pinned_diagonal)) & prey;
  sink.pawns(eastward & ~last_rank, up + 1);
  sink.pawns(westward & ~last_rank, up - 1);
  if (((single | eastward | westward) & last_rank) != 0) {
    sink.promotions(single & last_rank, up);
    sink.promotions(eastward & last_rank, up + 1);
    sink.promotions(westward & last_rank, up - 1);
  }
  if (const auto to = position.en_passant()) {
    for (Bitboard from = pawn_attacks(them, *to) & pawns; from != 0;) {
      const Square square = take_lowest(from);
      if (en_passant_is_safe<us>(position, square, *to)) sink.en_passant(square, *to);
    }
  }
}

template <typename Sink>
inline void generate_legal(const Position& position, Bitboard movers, Sink& sink) noexcept {
  if (position.side_to_move() == Color::white) {
    generate_legal<Color::white>(position, movers, sink);
  } else {
    generate_legal<Color::black>(position, movers, sink);
  }
}

/// Calls visit(Move) for each legal move.
template <typename Visit>
class MoveSink {
 public:
  explicit MoveSink(Visit visit) : visit_(visit) {}
  void piece(Square from, Bitboard targets) noexcept {
    while (targets != 0) visit_(Move::plain(from, take_lowest(targets)));
  }
  void pawns(Bitboard targets, int offset) noexcept {
    while (targets != 0) {
      const Square to = take_lowest(targets);
      visit_(Move::plain(static_cast<Square>(index(to) - offset), to));
    }
  }
  void promotions(Bitboard targets, int offset) noexcept {
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const auto from = static_cast<Square>(index(to) - offset);
      for (const Role role : {Role::queen, Role::rook, Role::bishop, Role::knight}) visit_(Move::promotion(from, to, role));
    }
  }
  void en_passant(Square from, Square to) noexcept { visit_(Move::en_passant(from, to)); }
  void castling(Square king, Square rook) noexcept { visit_(Move::castling(king, rook)); }

 private:
  Visit visit_;
};

/// Legal moves of the men in `movers` only.
[[nodiscard]] inline MoveList legal_moves_of(const Position& position, Bitboard movers) noexcept {
  MoveList list;
  MoveSink sink([&list](Move move) noexcept { list.push(move); });
  generate_legal(position, movers, sink);
  return list;
}

/// Counts legal moves.
class CountingSink {
 public:
  void piece(Square, Bitboard targets) noexcept { total_ += count(targets); }
  void pawns(Bitboard targets, int) noexcept { total_ += count(targets); }
  void promotions(Bitboard targets, int) noexcept { total_ += 4U * count(targets); }
  void en_passant(Square, Square) noexcept { ++total_; }
  void castling(Square, Square) noexcept { ++total_; }
  [[nodiscard]] std::size_t total() const noexcept { return total_; }

 private:
  std::size_t total_ = 0;
};

}  // namespace referee::chess
