// Could this position stand on a board? What a reader asks before it makes a Position. Internal to chess/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::chess {

/// One king each, no pawn on an end rank, at most 16 men and 8 pawns a side. Says what is wrong.
[[nodiscard]] std::optional<std::string> placement_fault(const Position& draft);

/// The square passed over by a double step just made: empty, as is the square behind it, with the pawn in front. Says what is wrong.
[[nodiscard]] std::optional<std::string> en_passant_fault(const Position& draft, Square passed_square);

/// Adjacent kings, side not to move in check, check by more than two men. Needs: no placement_fault.
[[nodiscard]] std::optional<std::string> position_fault(const Position& draft);

/// Two checks on one line, or after a double step: no move gives them. Needs: no position_fault.
[[nodiscard]] std::optional<std::string> double_check_fault(const Position& draft, std::optional<Square> passed_square);

/// What a composed position may show but no game leads to: more promoted men than missing pawns, two checks that no single move gives.
/// Such positions are played on all the same. Needs: no position_fault.
[[nodiscard]] std::vector<std::string> history_doubts(const Position& draft);

}  // namespace referee::chess
