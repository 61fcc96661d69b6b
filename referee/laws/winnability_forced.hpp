// Lines without a choice that matters: every move soon leads to a position that is plainly no win.
#pragma once

#include <cstdint>

#include "referee/chess/position.hpp"

namespace referee::laws::winnability {

/// Mate on the board, given by `winner`.
[[nodiscard]] bool mated_by(const chess::Position& position, chess::Color winner) noexcept;

/// With at most four men this depth decides every position (tests/tools/winnability_truth.cpp goes through all of them).
inline constexpr int exact_depth = 4;

/// True: proven that every line of `depth` plies ends in stalemate, in mate of the would-be winner or in material that cannot mate.
/// Stops at the first line that survives, so the usual cost is one line; `nodes` is counted down and at 0 the answer is false.
[[nodiscard]] bool forced_lines_exclude_mate(const chess::Position& position, chess::Color winner, int depth,
                                             std::uint64_t& nodes) noexcept;

}  // namespace referee::laws::winnability
