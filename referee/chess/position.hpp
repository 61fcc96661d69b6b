// A chess position (placement, side to move, castling rights as rook squares, en passant, counters) and its legal moves.
// A Position can only be made by a validating reader (fen.hpp), by initial(), or by playing a legal move, so it is
// always one in which the side not to move is not in check and each side has one king.
//
//   Position p = Position::initial();
//   for (Move m : p.legal_moves()) { Position next = p.after(m); ... }
//
// The en passant square is kept only while a *legal* en passant capture exists, so two positions are the same in the sense
// of article 9.2 exactly when same_position() says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "referee/chess/move.hpp"
#include "referee/chess/types.hpp"

namespace referee::chess {

/// At most 218 legal moves exist in any position reachable by the Laws; set-up positions are bounded by 16 men a side.
class MoveList {
 public:
  static constexpr std::size_t capacity = 256;
  void push(Move move) noexcept { moves_[size_++] = move; }
  [[nodiscard]] const Move* begin() const noexcept { return moves_; }
  [[nodiscard]] const Move* end() const noexcept { return moves_ + size_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] Move operator[](std::size_t i) const noexcept { return moves_[i]; }
  [[nodiscard]] bool contains(Move move) const noexcept;

 private:
  Move moves_[capacity];
  std::size_t size_ = 0;
};

class Position {
 public:
  [[nodiscard]] static const Position& initial() noexcept;

  [[nodiscard]] Color side_to_move() const noexcept { return side_to_move_; }
  [[nodiscard]] Bitboard occupied() const noexcept { return colors_[0] | colors_[1]; }
  [[nodiscard]] Bitboard pieces(Color color) const noexcept { return colors_[index(color)]; }
  [[nodiscard]] Bitboard pieces(Role role) const noexcept { return roles_[index(role)]; }
  [[nodiscard]] Bitboard pieces(Color color, Role role) const noexcept { return colors_[index(color)] & roles_[index(role)]; }
  [[nodiscard]] std::optional<Piece> piece_at(Square square) const noexcept;
  /// Needs: a man on the square.
  [[nodiscard]] Role role_at(Square square) const noexcept;
  [[nodiscard]] Square king(Color color) const noexcept;
  /// Squares of the rooks that both sides may still castle with.
  [[nodiscard]] Bitboard castling_rooks() const noexcept { return castling_rooks_; }
  /// The square passed over by the last double step, only if a legal en passant capture exists.
  [[nodiscard]] std::optional<Square> en_passant() const noexcept;
  [[nodiscard]] int halfmove_clock() const noexcept { return halfmove_clock_; }
  [[nodiscard]] int fullmove_number() const noexcept { return fullmove_number_; }

  /// Enemy men that give check to the side to move.
  [[nodiscard]] Bitboard checkers() const noexcept;
  [[nodiscard]] bool in_check() const noexcept { return checkers() != 0; }
  /// Men of `by` that attack `square` with the given occupancy (article 3.1: pinned men attack too).
  [[nodiscard]] Bitboard attackers(Square square, Color by, Bitboard occupied) const noexcept;

  [[nodiscard]] MoveList legal_moves() const noexcept;
  /// Number of legal moves, without writing them down (perft's last ply).
  [[nodiscard]] std::size_t count_legal_moves() const noexcept;
  [[nodiscard]] bool has_legal_move() const noexcept;
  [[nodiscard]] bool is_legal(Move move) const noexcept;
  [[nodiscard]] bool is_checkmate() const noexcept { return in_check() && !has_legal_move(); }
  [[nodiscard]] bool is_stalemate() const noexcept { return !in_check() && !has_legal_move(); }
  /// Captures en passant too; castling is none.
  [[nodiscard]] bool is_capture(Move move) const noexcept;
  /// A pawn move or a capture: what articles 9.3 and 9.6.2 count from.
  [[nodiscard]] bool is_zeroing(Move move) const noexcept;

  /// Needs: move is legal here.
  void play(Move move) noexcept;
  [[nodiscard]] Position after(Move move) const noexcept;

  /// Article 9.2: same placement, same side to move, same castling rights, same legal en passant capture. Counters do not matter.
  [[nodiscard]] bool same_position(const Position& other) const noexcept;
  /// Zobrist key of what same_position() compares, the same on every machine and in every version.
  [[nodiscard]] std::uint64_t key() const noexcept { return key_; }
  /// All fields, counters included.
  friend bool operator==(const Position& a, const Position& b) noexcept {
    return a.same_position(b) && a.halfmove_clock_ == b.halfmove_clock_ && a.fullmove_number_ == b.fullmove_number_;
  }

 private:
  friend class PositionBuilder;  // fen.cpp: validates before it hands out
  Position() noexcept = default;
  void put(Square square, Color color, Role role) noexcept;  // or takes away what stands there
  void drop_castling(Bitboard rooks) noexcept;
  void set_en_passant(Square square) noexcept;  // only if a legal capture exists

  Bitboard roles_[6]{};
  Bitboard colors_[2]{};
  Bitboard castling_rooks_ = 0;
  std::uint64_t key_ = 0;
  std::uint16_t halfmove_clock_ = 0;
  std::uint16_t fullmove_number_ = 1;
  std::uint8_t en_passant_ = 64;  // 64 = none
  Color side_to_move_ = Color::white;
};

}  // namespace referee::chess
