// Counts of leaf nodes, the yardstick of move generators.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::chess {

/// Leaf nodes after `depth` plies; 1 for depth 0. The last ply is counted in bulk.
[[nodiscard]] std::uint64_t perft(const Position& position, int depth);
/// One entry a legal move of the root. Needs: depth >= 1.
[[nodiscard]] std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth);

}  // namespace referee::chess
