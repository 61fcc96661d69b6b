#include "referee/chess/position.hpp"

#include <algorithm>
#include <limits>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/move_generation.hpp"
#include "referee/chess/position_builder.hpp"
#include "referee/chess/zobrist.hpp"

namespace referee::chess {

bool MoveList::contains(Move move) const noexcept { return std::find(begin(), end(), move) != end(); }

const Position& Position::initial() noexcept {
  static const Position position = [] {
    PositionBuilder builder;
    constexpr Role back_rank[8] = {Role::rook, Role::knight, Role::bishop, Role::queen, Role::king, Role::bishop, Role::knight, Role::rook};
    for (int file = 0; file < 8; ++file) {
      for (const Color color : {Color::white, Color::black}) {
        const int home = home_rank(color);
        builder.put(make_square(file, home), {color, back_rank[file]});
        builder.put(make_square(file, color == Color::white ? 1 : 6), {color, Role::pawn});
        if (back_rank[file] == Role::rook) builder.allow_castling(make_square(file, home));
      }
    }
    return builder.build();
  }();
  return position;
}

std::optional<Piece> Position::piece_at(Square square) const noexcept {
  const Bitboard at = bit(square);
  if ((occupied() & at) == 0) return std::nullopt;
  return Piece{(colors_[0] & at) != 0 ? Color::white : Color::black, role_at(square)};
}

Square Position::king(Color color) const noexcept { return lowest(pieces(color, Role::king)); }

std::optional<Square> Position::en_passant() const noexcept {
  if (en_passant_ >= 64) return std::nullopt;
  return static_cast<Square>(en_passant_);
}

Role Position::role_at(Square square) const noexcept {
  // No jumps: which role it is cannot be predicted. Needs: a man on the square.
  const unsigned at = index(square);
  const auto has = [this, at](Role role) { return static_cast<unsigned>(roles_[index(role)] >> at) & 1U; };
  return static_cast<Role>(has(Role::knight) + 2 * has(Role::bishop) + 3 * has(Role::rook) + 4 * has(Role::queen) + 5 * has(Role::king));
}

Bitboard Position::attackers(Square square, Color by, Bitboard occupied) const noexcept {
  const Bitboard diagonal = roles_[index(Role::bishop)] | roles_[index(Role::queen)];
  const Bitboard straight = roles_[index(Role::rook)] | roles_[index(Role::queen)];
  return ((pawn_attacks(opposite(by), square) & roles_[index(Role::pawn)]) | (knight_attacks(square) & roles_[index(Role::knight)]) |
          (king_attacks(square) & roles_[index(Role::king)]) | (bishop_attacks(square, occupied) & diagonal) |
          (rook_attacks(square, occupied) & straight)) &
         colors_[index(by)] & occupied;
}

Bitboard Position::checkers() const noexcept { return attackers(king(side_to_move_), opposite(side_to_move_), occupied()); }

MoveList Position::legal_moves() const noexcept { return legal_moves_of(*this, ~Bitboard{0}); }

std::size_t Position::count_legal_moves() const noexcept {
  CountingSink sink;
  generate_legal(*this, ~Bitboard{0}, sink);
  return sink.total();
}

bool Position::has_legal_move() const noexcept {
  // Nearly always a pawn can move, and all pawns are looked at together.
  const Bitboard pawns = roles_[index(Role::pawn)];
  CountingSink sink;
  generate_legal(*this, pawns, sink);
  if (sink.total() == 0) generate_legal(*this, ~pawns, sink);
  return sink.total() != 0;
}

bool Position::is_legal(Move move) const noexcept {
  const Bitboard from = bit(move.from());
  if ((from & colors_[index(side_to_move_)]) == 0) return false;
  bool found = false;
  MoveSink sink([&found, move](Move legal) noexcept { found = found || legal == move; });
  generate_legal(*this, from, sink);
  return found;
}

bool Position::is_capture(Move move) const noexcept {
  return move.kind() == MoveKind::en_passant || (move.kind() != MoveKind::castling && (occupied() & bit(move.to())) != 0);
}

bool Position::is_zeroing(Move move) const noexcept { return is_capture(move) || (roles_[index(Role::pawn)] & bit(move.from())) != 0; }

void Position::put(Square square, Color color, Role role) noexcept {
  roles_[index(role)] ^= bit(square);
  colors_[index(color)] ^= bit(square);
  key_ ^= zobrist::piece(color, role, square);
}

void Position::drop_castling(Bitboard rooks) noexcept {
  for (rooks &= castling_rooks_; rooks != 0;) {
    const Square rook = take_lowest(rooks);
    castling_rooks_ ^= bit(rook);
    key_ ^= zobrist::castling_rook(rook);
  }
}

void Position::set_en_passant(Square square) noexcept {
  const Color capturer = side_to_move_;
  for (Bitboard from = pawn_attacks(opposite(capturer), square) & pieces(capturer, Role::pawn); from != 0;) {
    const Square pawn = take_lowest(from);
    const bool safe = capturer == Color::white ? en_passant_is_safe<Color::white>(*this, pawn, square)
                                               : en_passant_is_safe<Color::black>(*this, pawn, square);
    if (safe) {
      en_passant_ = index(square);
      key_ ^= zobrist::en_passant(square);
      return;
    }
  }
}

void Position::play(Move move) noexcept {
  const Color us = side_to_move_;
  const Color them = opposite(us);
  const Square from = move.from();
  const Square to = move.to();
  const Role role = role_at(from);

  if (en_passant_ < 64) {
    key_ ^= zobrist::en_passant(static_cast<Square>(en_passant_));
    en_passant_ = 64;
  }
  bool zeroing = role == Role::pawn;
  bool double_step = false;
  if (move.kind() == MoveKind::castling) {
    const bool king_side = index(to) > index(from);
    put(from, us, Role::king);
    put(to, us, Role::rook);
    put(make_square(king_side ? 6 : 2, home_rank(us)), us, Role::king);
    put(make_square(king_side ? 5 : 3, home_rank(us)), us, Role::rook);
  } else {
    put(from, us, role);
    if (move.kind() == MoveKind::en_passant) {
      put(make_square(file_of(to), rank_of(from)), them, Role::pawn);
    } else if ((colors_[index(them)] & bit(to)) != 0) {
      put(to, them, role_at(to));
      zeroing = true;
    }
    put(to, us, move.kind() == MoveKind::promotion ? move.promotion_role() : role);
    double_step = role == Role::pawn && (index(from) ^ index(to)) == 16;
  }
  if (castling_rooks_ != 0) drop_castling(role == Role::king ? rank_mask(home_rank(us)) | bit(to) : bit(from) | bit(to));

  constexpr std::uint16_t most = std::numeric_limits<std::uint16_t>::max();
  halfmove_clock_ = zeroing ? std::uint16_t{0} : static_cast<std::uint16_t>(halfmove_clock_ + (halfmove_clock_ < most ? 1 : 0));
  if (us == Color::black && fullmove_number_ < most) ++fullmove_number_;
  side_to_move_ = them;
  key_ ^= zobrist::keys.black_to_move;
  if (double_step) set_en_passant(static_cast<Square>((index(from) + index(to)) / 2));
}

Position Position::after(Move move) const noexcept {
  Position next = *this;
  next.play(move);
  return next;
}

bool Position::same_position(const Position& other) const noexcept {
  return key_ == other.key_ && std::equal(std::begin(roles_), std::end(roles_), std::begin(other.roles_)) &&
         colors_[0] == other.colors_[0] && colors_[1] == other.colors_[1] && castling_rooks_ == other.castling_rooks_ &&
         en_passant_ == other.en_passant_ && side_to_move_ == other.side_to_move_;
}

}  // namespace referee::chess
