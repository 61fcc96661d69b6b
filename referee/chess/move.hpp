// A move that knows its kind, in two bytes. Castling is written as "king takes own rook": to() is the rook's square, in
// standard chess and in Chess960 alike (a castling right is a rook square, never a flag).
#pragma once

#include <cstdint>

#include "referee/chess/types.hpp"

namespace referee::chess {

enum class MoveKind : std::uint8_t { plain, castling, en_passant, promotion };

class Move {
 public:
  constexpr Move() noexcept = default;
  [[nodiscard]] static constexpr Move plain(Square from, Square to) noexcept { return Move(from, to, MoveKind::plain, Role::knight); }
  [[nodiscard]] static constexpr Move castling(Square king, Square rook) noexcept {
    return Move(king, rook, MoveKind::castling, Role::knight);
  }
  [[nodiscard]] static constexpr Move en_passant(Square from, Square to) noexcept {
    return Move(from, to, MoveKind::en_passant, Role::knight);
  }
  [[nodiscard]] static constexpr Move promotion(Square from, Square to, Role role) noexcept {
    return Move(from, to, MoveKind::promotion, role);
  }

  [[nodiscard]] constexpr Square from() const noexcept { return static_cast<Square>(bits_ & 63U); }
  [[nodiscard]] constexpr Square to() const noexcept { return static_cast<Square>((bits_ >> 6U) & 63U); }
  [[nodiscard]] constexpr MoveKind kind() const noexcept { return static_cast<MoveKind>((bits_ >> 12U) & 3U); }
  /// Meaningful only when kind() == MoveKind::promotion.
  [[nodiscard]] constexpr Role promotion_role() const noexcept { return static_cast<Role>(((bits_ >> 14U) & 3U) + 1U); }

  [[nodiscard]] constexpr std::uint16_t raw() const noexcept { return bits_; }
  /// Needs: the raw() of a move.
  [[nodiscard]] static constexpr Move from_raw(std::uint16_t raw) noexcept {
    Move move;
    move.bits_ = raw;
    return move;
  }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  constexpr Move(Square from, Square to, MoveKind kind, Role role) noexcept
      : bits_(static_cast<std::uint16_t>(static_cast<unsigned>(index(from)) | (static_cast<unsigned>(index(to)) << 6U) |
                                         (static_cast<unsigned>(kind) << 12U) | ((static_cast<unsigned>(role) - 1U) << 14U))) {}
  std::uint16_t bits_ = 0;
};

}  // namespace referee::chess
