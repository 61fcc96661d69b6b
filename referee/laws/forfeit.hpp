// A player has lost by the clock, a penalty or resignation: is it a loss, or a draw because the opponent cannot mate by any series of
// legal moves (6.9, 7.5.5, 5.1.2 of 2023, I.8)?
#pragma once

#include "referee/chess/position.hpp"
#include "referee/laws/edition.hpp"
#include "referee/laws/winnability.hpp"

namespace referee::laws {

/// As the test of the edition sees it: off counts everybody as able to mate, material knows the material rules alone.
[[nodiscard]] CanMate can_mate_under(DeadPositionTest test, const chess::Position& position, chess::Color winner, WinnabilityBudget budget);

enum class ForfeitScore {
  lost,
  drawn,           // proven: the opponent cannot mate
  lost_undecided,  // asked and not decided: the ordinary result stands, and says so
};
/// `unwinnable_is_draw`: what the edition says about this kind of loss. The position is the one that stood when the loss was incurred.
[[nodiscard]] ForfeitScore forfeit(const Edition& edition, bool unwinnable_is_draw, const chess::Position& position, chess::Color loser,
                                   WinnabilityBudget budget);

/// Neither side can mate: the game had ended before (5.2.2). Only where the edition has the rule in full.
[[nodiscard]] bool proven_dead(const Edition& edition, const chess::Position& position, WinnabilityBudget budget);

/// Both flags are down and nobody knows which fell first (6.12 of 2005, Guidelines III.3.1): by period in standard play, by category
/// otherwise. nullopt: the edition has no such rule, the first flag decides.
[[nodiscard]] std::optional<BothFlags> both_flags_down(const Edition& edition, Category category, bool last_period) noexcept;

}  // namespace referee::laws
