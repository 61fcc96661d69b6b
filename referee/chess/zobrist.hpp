// Keys of a position's parts. The numbers are the output of splitmix64 from a fixed start, so they are the same on every machine, and
// they must never change: journals and opening lists keep them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "referee/chess/types.hpp"

namespace referee::chess::zobrist {

struct Keys {
  std::array<std::array<std::array<std::uint64_t, 64>, 6>, 2> piece{};
  std::array<std::uint64_t, 64> castling_rook{};
  std::array<std::uint64_t, 8> en_passant_file{};
  std::uint64_t black_to_move = 0;
};

inline constexpr Keys keys = [] {
  Keys made;
  std::uint64_t state = 0x5245464552454521;
  const auto next = [&state] {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EB;
    return z ^ (z >> 31U);
  };
  for (auto& color : made.piece) {
    for (auto& role : color) {
      for (auto& square : role) square = next();
    }
  }
  for (auto& square : made.castling_rook) square = next();
  for (auto& file : made.en_passant_file) file = next();
  made.black_to_move = next();
  return made;
}();

[[nodiscard]] constexpr std::uint64_t piece(Color color, Role role, Square square) noexcept {
  return keys.piece[index(color)][index(role)][index(square)];
}
[[nodiscard]] constexpr std::uint64_t castling_rook(Square square) noexcept { return keys.castling_rook[index(square)]; }
[[nodiscard]] constexpr std::uint64_t en_passant(Square square) noexcept {
  return keys.en_passant_file[static_cast<std::size_t>(file_of(square))];
}

}  // namespace referee::chess::zobrist
