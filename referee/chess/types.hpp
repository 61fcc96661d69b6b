// Squares, colours, roles and pieces: the words every other chess header is written in.
//
//   Square e4 = make_square(File::e, Rank::four);
//   to_string(e4) == "e4";  *parse_square("e4") == e4;
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace referee::chess {

enum class Color : std::uint8_t { white, black };

[[nodiscard]] constexpr Color opposite(Color color) noexcept { return color == Color::white ? Color::black : Color::white; }
[[nodiscard]] constexpr std::size_t index(Color color) noexcept { return static_cast<std::size_t>(color); }
[[nodiscard]] constexpr std::string_view name(Color color) noexcept { return color == Color::white ? "white" : "black"; }

enum class Role : std::uint8_t { pawn, knight, bishop, rook, queen, king };

[[nodiscard]] constexpr std::size_t index(Role role) noexcept { return static_cast<std::size_t>(role); }

struct Piece {
  Color color;
  Role role;
  friend constexpr bool operator==(const Piece&, const Piece&) = default;
};

/// 0 = a1, 1 = b1, ... 63 = h8.
enum class Square : std::uint8_t {};

[[nodiscard]] constexpr std::uint8_t index(Square square) noexcept { return static_cast<std::uint8_t>(square); }
[[nodiscard]] constexpr int file_of(Square square) noexcept { return index(square) & 7; }
[[nodiscard]] constexpr int rank_of(Square square) noexcept { return index(square) >> 3; }
/// file and rank are 0..7.
[[nodiscard]] constexpr Square make_square(int file, int rank) noexcept { return static_cast<Square>(rank * 8 + file); }
[[nodiscard]] inline std::string to_string(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}
[[nodiscard]] constexpr std::optional<Square> parse_square(std::string_view text) noexcept {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
  return make_square(text[0] - 'a', text[1] - '1');
}

using Bitboard = std::uint64_t;

[[nodiscard]] constexpr Bitboard bit(Square square) noexcept { return Bitboard{1} << index(square); }

/// FEN letter of a piece: upper case for White.
[[nodiscard]] constexpr char letter(Piece piece) noexcept {
  constexpr std::string_view white = "PNBRQK";
  constexpr std::string_view black = "pnbrqk";
  return piece.color == Color::white ? white[index(piece.role)] : black[index(piece.role)];
}

}  // namespace referee::chess
