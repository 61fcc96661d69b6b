// Claims of a draw by repetition or by moves without progress (9.2, 9.3), what a wrong one costs (9.5), and quickplay finish
// (article 10 of 2005, Guidelines III).
#pragma once

#include <optional>

#include "referee/chess/position.hpp"
#include "referee/clock/clock.hpp"
#include "referee/laws/edition.hpp"
#include "referee/laws/repetition.hpp"

namespace referee::laws {

enum class DrawRule { repetition, no_progress };

/// Can a player claim under this rule at all in this edition?
[[nodiscard]] bool claim_exists(const Edition& edition, DrawRule rule) noexcept;
/// 9.2b, 9.3b: the position on the board. Where the edition has no claim but ends the game by itself, the automatic number is asked.
[[nodiscard]] bool claim_holds(const Edition& edition, DrawRule rule, const chess::Position& position,
                               const RepetitionHistory& history) noexcept;
/// 9.2a, 9.3a: with `intended` played. Needs: it is legal.
[[nodiscard]] bool claim_holds_after(const Edition& edition, DrawRule rule, const chess::Position& position,
                                     const RepetitionHistory& history, chess::Move intended) noexcept;

struct WrongClaimPenalty {
  Duration opponent_bonus{};
  Duration claimant_deduction{};
};
/// `remaining`: on the claimant's display when the clocks were stopped; Duration::max() without a clock, which nothing is taken from.
/// A halving rounds the deduction down to the millisecond (LAWS D9).
[[nodiscard]] WrongClaimPenalty wrong_claim_penalty(const Edition& edition, Category category, Duration remaining) noexcept;

/// Why a quickplay claim or a request for an increment is not admissible; "" when it is. Asked of the clock as it was stopped.
/// Article 10.1, 10.2; Guidelines III.1 to III.5.
[[nodiscard]] const char* quickplay_inadmissible(const Edition& edition, Category category, bool announced,
                                                 const clock::PlayerClock& claimant);

}  // namespace referee::laws
