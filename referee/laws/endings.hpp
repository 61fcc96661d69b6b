// What ends a game by itself once a move stands on the board, in the order of LAWS.md 0.2: checkmate, stalemate, dead position,
// repetition, moves without progress.
#pragma once

#include "referee/chess/position.hpp"
#include "referee/laws/edition.hpp"
#include "referee/laws/repetition.hpp"

namespace referee::laws {

enum class Ending { none, checkmate, stalemate, dead_position, insufficient_material, repetition, no_progress };

/// Needs: `history` has recorded `position`. Bounded work (the quick dead-position test), so it can stand on the path of an answer.
[[nodiscard]] Ending ending_on_board(const Edition& edition, const chess::Position& position, const RepetitionHistory& history) noexcept;

/// The table of engine practice: bare kings, one minor piece against a bare king, or bishops of one square colour and nothing else.
[[nodiscard]] bool insufficient_material(const chess::Position& position) noexcept;

}  // namespace referee::laws
