// Algebraic notation over any set of piece letters; what PGN's SAN and the languages share. Internal to chess/.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "referee/chess/notation.hpp"

namespace referee::chess {

/// By Role; UTF-8, empty for the pawn.
using PieceLetters = std::array<std::string_view, 6>;

struct AlgebraicStyle {
  PieceLetters letters;
  std::string_view king_side;
  std::string_view queen_side;
  std::string_view promotion_sign;
  std::string_view en_passant_suffix;
};

inline constexpr PieceLetters english_letters{"", "N", "B", "R", "Q", "K"};
inline constexpr AlgebraicStyle pgn_style{english_letters, "O-O", "O-O-O", "=", ""};

[[nodiscard]] MoveText read_algebraic(const Position& position, std::string_view text, const PieceLetters& letters);
/// Needs: move is legal in position.
void append_algebraic(std::string& out, const Position& position, Move move, const AlgebraicStyle& style);

/// "+", "#" or nothing. Needs: move is legal in position.
void append_check_sign(std::string& out, const Position& position, Move move);

}  // namespace referee::chess
