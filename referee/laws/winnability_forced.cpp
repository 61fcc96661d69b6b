#include "referee/laws/winnability_forced.hpp"

#include "referee/chess/move_generation.hpp"
#include "referee/laws/winnability_material.hpp"

namespace referee::laws::winnability {

using chess::Bitboard;
using chess::Color;
using chess::Move;
using chess::Position;
using chess::Role;
using chess::Square;

namespace {

/// Keeps the first move of a piece that takes nothing.
class FirstQuietMove {
 public:
  explicit FirstQuietMove(Bitboard occupied) noexcept : occupied_(occupied) {}
  void piece(Square from, Bitboard targets) noexcept {
    targets &= ~occupied_;
    if (found_ || targets == 0) return;
    move_ = Move::plain(from, chess::lowest(targets));
    found_ = true;
  }
  void pawns(Bitboard, int) noexcept {}
  void promotions(Bitboard, int) noexcept {}
  void en_passant(Square, Square) noexcept {}
  void castling(Square, Square) noexcept {}
  [[nodiscard]] bool found() const noexcept { return found_; }
  [[nodiscard]] Move move() const noexcept { return move_; }

 private:
  Bitboard occupied_;
  Move move_;
  bool found_ = false;
};

/// One line of `depth` quiet moves by pieces, with a move left at its end. It keeps the material, so if that can mate the line
/// survives; nearly every position of a game is settled by it.
[[nodiscard]] bool quiet_line_exists(Position position, int depth) noexcept {
  for (;; --depth) {
    FirstQuietMove sink(position.occupied());
    const Bitboard pieces = ~(position.pieces(Role::pawn) | position.pieces(Role::king));
    chess::generate_legal(position, pieces & position.pieces(position.side_to_move()), sink);
    if (!sink.found()) return false;
    if (depth == 0) return true;
    position.play(sink.move());
  }
}

[[nodiscard]] bool excluded(const Position& position, Color winner, int depth, std::uint64_t& nodes) noexcept {
  if (nodes == 0) return false;
  --nodes;
  // The mate on the board comes before the material rules: a set-up position may show one that could not have arisen.
  if (material_cannot_mate(position, winner)) return !mated_by(position, winner);
  if (depth == 0) return !position.has_legal_move() && !mated_by(position, winner);
  const chess::MoveList moves = position.legal_moves();
  if (moves.empty()) return !mated_by(position, winner);
  for (const Move move : moves) {
    if (!excluded(position.after(move), winner, depth - 1, nodes)) return false;
  }
  return true;
}

}  // namespace

bool mated_by(const Position& position, Color winner) noexcept { return position.side_to_move() != winner && position.is_checkmate(); }

bool forced_lines_exclude_mate(const Position& position, Color winner, int depth, std::uint64_t& nodes) noexcept {
  if (!material_cannot_mate(position, winner) && quiet_line_exists(position, depth)) return false;
  return excluded(position, winner, depth, nodes);
}

}  // namespace referee::laws::winnability
