// Can a player still mate, as the edition asks it where a loss becomes a draw (6.9, 7.5.5, 5.1.2 of 2023, I.8)?
#pragma once

#include "referee/chess/position.hpp"
#include "referee/laws/edition.hpp"
#include "referee/laws/winnability.hpp"

namespace referee::laws {

/// off counts everybody as able to mate; material knows the material rules alone; fide asks for any series of legal moves.
[[nodiscard]] CanMate can_mate_under(DeadPositionTest test, const chess::Position& position, chess::Color winner, WinnabilityBudget budget);

}  // namespace referee::laws
