// What is on the board cannot mate, wherever it stands. Three rules, each with its reason in the source; checked against
// every position of the classes with at most four men by tests/tools/winnability_truth.cpp.
#pragma once

#include "referee/chess/position.hpp"

namespace referee::laws::winnability {

/// False means "not proven". Needs: the position is not a mate already (a set-up position may show one that cannot arise).
[[nodiscard]] bool material_cannot_mate(const chess::Position& position, chess::Color winner) noexcept;

}  // namespace referee::laws::winnability
