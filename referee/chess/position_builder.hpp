// The one way to make a Position other than by playing moves. Readers validate first; build() only completes what follows from the
// parts (key, and whether the en passant square counts). Internal to chess/.
#pragma once

#include <cstdint>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/position.hpp"
#include "referee/chess/zobrist.hpp"

namespace referee::chess {

class PositionBuilder {
 public:
  /// Needs: the square is empty.
  void put(Square square, Piece piece) noexcept { position_.put(square, piece.color, piece.role); }
  void set_side_to_move(Color color) noexcept { position_.side_to_move_ = color; }
  /// Needs: a rook of the side whose home rank this is, and its king on the same rank.
  void allow_castling(Square rook) noexcept { position_.castling_rooks_ |= bit(rook); }
  /// The square passed over; dropped by build() when no legal capture exists.
  void set_passed_square(Square square) noexcept { passed_ = index(square); }
  void set_counters(std::uint16_t halfmove_clock, std::uint16_t fullmove_number) noexcept {
    position_.halfmove_clock_ = halfmove_clock;
    position_.fullmove_number_ = fullmove_number;
  }

  /// What stands so far, for the validation: usable for placement and attacks alone.
  [[nodiscard]] const Position& draft() const noexcept { return position_; }
  /// Needs: one king a side, side not to move not in check, castling rights and passed square possible.
  [[nodiscard]] Position build() const noexcept {
    Position made = position_;
    for (Bitboard rooks = made.castling_rooks_; rooks != 0;) made.key_ ^= zobrist::castling_rook(take_lowest(rooks));
    if (made.side_to_move_ == Color::black) made.key_ ^= zobrist::keys.black_to_move;
    if (passed_ < 64) made.set_en_passant(static_cast<Square>(passed_));
    return made;
  }

 private:
  Position position_;
  std::uint8_t passed_ = 64;
};

}  // namespace referee::chess
