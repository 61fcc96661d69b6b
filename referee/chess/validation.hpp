// Could this position stand on a board? What a reader asks before it makes a Position. Internal to chess/.
#pragma once

#include <optional>
#include <string>

#include "referee/chess/position.hpp"

namespace referee::chess {

/// One king each, no pawn on an end rank, at most 16 men and 8 pawns a side. Says what is wrong.
[[nodiscard]] std::optional<std::string> placement_fault(const Position& draft);

/// Side not to move in check, adjacent kings, check by more than two men. Needs: no placement_fault.
[[nodiscard]] std::optional<std::string> position_fault(const Position& draft);

/// More promoted men than missing pawns, two checks that no single move gives: it can be set up and judged, but no game leads to it.
/// Needs: no fault of the two above.
[[nodiscard]] std::optional<std::string> history_doubt(const Position& draft, std::optional<Square> passed_square);

/// The square passed over by a double step just made: empty, as is the square behind it, with the pawn in front. Says what is wrong.
[[nodiscard]] std::optional<std::string> en_passant_fault(const Position& draft, Square passed_square);

}  // namespace referee::chess
