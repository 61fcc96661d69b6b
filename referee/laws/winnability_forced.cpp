#include "referee/laws/winnability_forced.hpp"

#include "referee/laws/winnability_material.hpp"

namespace referee::laws::winnability {

using chess::Color;
using chess::Position;

bool mated_by(const Position& position, Color winner) noexcept { return position.side_to_move() != winner && position.is_checkmate(); }

bool forced_lines_exclude_mate(const Position& position, Color winner, int depth, std::uint64_t& nodes) noexcept {
  if (nodes == 0) return false;
  --nodes;
  // The mate on the board comes before the material rules: a set-up position may show one that could not have arisen.
  if (material_cannot_mate(position, winner)) return !mated_by(position, winner);
  if (depth == 0) return !position.has_legal_move() && !mated_by(position, winner);
  const chess::MoveList moves = position.legal_moves();
  if (moves.empty()) return !mated_by(position, winner);
  for (const chess::Move move : moves) {
    if (!forced_lines_exclude_mate(position.after(move), winner, depth - 1, nodes)) return false;
  }
  return true;
}

}  // namespace referee::laws::winnability
