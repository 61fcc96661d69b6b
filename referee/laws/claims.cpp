#include "referee/laws/claims.hpp"

#include <algorithm>

namespace referee::laws {

namespace {

std::optional<int> occurrences_needed(const Edition& edition) noexcept {
  return edition.repetition_claim ? edition.repetition_claim : edition.repetition_automatic;
}

std::optional<int> moves_needed(const Edition& edition) noexcept {
  return edition.no_progress_claim_moves ? edition.no_progress_claim_moves : edition.no_progress_automatic_moves;
}

}  // namespace

bool claim_exists(const Edition& edition, DrawRule rule) noexcept {
  return rule == DrawRule::repetition ? edition.repetition_claim.has_value() : edition.no_progress_claim_moves.has_value();
}

bool claim_holds(const Edition& edition, DrawRule rule, const chess::Position& position, const RepetitionHistory& history) noexcept {
  if (rule == DrawRule::repetition) {
    const auto needed = occurrences_needed(edition);
    return needed && history.occurrences() >= *needed;
  }
  const auto needed = moves_needed(edition);
  return needed && position.halfmove_clock() >= 2 * *needed;
}

bool claim_holds_after(const Edition& edition, DrawRule rule, const chess::Position& position, const RepetitionHistory& history,
                       chess::Move intended) noexcept {
  if (position.is_zeroing(intended)) return false;  // neither an old position nor fifty moves can come of it
  if (rule == DrawRule::repetition) {
    const auto needed = occurrences_needed(edition);
    return needed && history.occurrences_with(position.after(intended)) >= *needed;
  }
  const auto needed = moves_needed(edition);
  return needed && position.halfmove_clock() + 1 >= 2 * *needed;
}

WrongClaimPenalty wrong_claim_penalty(const Edition& edition, Category category, Duration remaining) noexcept {
  const WrongClaimRule& rule = edition.wrong_claim[static_cast<std::size_t>(category)];
  WrongClaimPenalty penalty{rule.opponent_bonus, Duration::zero()};
  if (rule.claimant != ClaimantPenalty::half_capped || remaining == Duration::max()) return penalty;
  if (remaining > rule.halve_above) {
    constexpr Duration millisecond = std::chrono::milliseconds(1);
    const Duration half = remaining / 2;
    penalty.claimant_deduction = std::min(half - half % millisecond, rule.cap);
  } else if (remaining > rule.leave_above) {
    penalty.claimant_deduction = remaining - rule.leave;
  }
  return penalty;
}

const char* quickplay_inadmissible(const Edition& edition, Category category, bool announced, const clock::PlayerClock& claimant) {
  if (!edition.quickplay) return "the edition has no quickplay finish";
  const QuickplayRule& rule = *edition.quickplay;
  if (rule.only_if_announced && !announced) return "the event has not announced the guidelines for quickplay finish";
  if (std::find(rule.applies_to.begin(), rule.applies_to.end(), category) == rule.applies_to.end()) return "not in this category of play";
  if (claimant.is_infinite()) return "the game has no clock";
  if (!claimant.in_last_period() || claimant.moves_to_go()) return "not in the last period";
  if (claimant.increment() > Duration::zero() || claimant.delay() > Duration::zero()) return "not with an increment or delay";
  if (claimant.remaining() >= rule.window) return "the claimant does not have less time than the rule asks for";
  return "";
}

}  // namespace referee::laws
