// Whole sets of squares moved at once: one step of a king, a knight, a slider or a pawn from every square of a set.
#pragma once

#include "referee/chess/bitboard.hpp"
#include "referee/chess/types.hpp"

namespace referee::laws::winnability {

using chess::bit;
using chess::Bitboard;
using chess::Color;
using chess::Role;
using chess::Square;

inline constexpr Bitboard light_squares = 0x55AA55AA55AA55AA;
inline constexpr Bitboard dark_squares = ~light_squares;

[[nodiscard]] constexpr std::size_t index_of(Color color) noexcept { return chess::index(color); }
[[nodiscard]] constexpr bool single(Bitboard set) noexcept { return set != 0 && (set & (set - 1)) == 0; }

[[nodiscard]] constexpr Bitboard straight_step(Bitboard set) noexcept {
  return chess::north(set) | chess::south(set) | chess::east(set) | chess::west(set);
}
[[nodiscard]] constexpr Bitboard diagonal_step(Bitboard set) noexcept {
  const Bitboard sides = chess::east(set) | chess::west(set);
  return chess::north(sides) | chess::south(sides);
}
[[nodiscard]] constexpr Bitboard king_step(Bitboard set) noexcept { return straight_step(set) | diagonal_step(set); }
[[nodiscard]] constexpr Bitboard knight_step(Bitboard set) noexcept {
  const Bitboard one = chess::east(set) | chess::west(set);
  const Bitboard two = chess::east(chess::east(set)) | chess::west(chess::west(set));
  return (one << 16U) | (one >> 16U) | (two << 8U) | (two >> 8U);
}
[[nodiscard]] constexpr Bitboard pawn_push(Bitboard set, Color color) noexcept {
  return color == Color::white ? chess::north(set) : chess::south(set);
}
[[nodiscard]] constexpr Bitboard pawn_attack(Bitboard set, Color color) noexcept {
  return pawn_push(chess::east(set) | chess::west(set), color);
}
[[nodiscard]] constexpr Bitboard last_rank(Color color) noexcept { return chess::rank_mask(color == Color::white ? 7 : 0); }

/// One step of the role's way to take from each square; for sliders the next square on each of their lines.
[[nodiscard]] constexpr Bitboard step(Role role, Color color, Bitboard set) noexcept {
  switch (role) {
    case Role::pawn:
      return pawn_attack(set, color);
    case Role::knight:
      return knight_step(set);
    case Role::bishop:
      return diagonal_step(set);
    case Role::rook:
      return straight_step(set);
    case Role::queen:
    case Role::king:
      return king_step(set);
  }
  return 0;
}
/// A promoted pawn may be anything: one step of a queen or a knight.
[[nodiscard]] constexpr Bitboard any_step(Bitboard set) noexcept { return king_step(set) | knight_step(set); }

}  // namespace referee::laws::winnability
