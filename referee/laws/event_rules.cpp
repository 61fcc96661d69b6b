#include "referee/laws/event_rules.hpp"

#include "referee/laws/penalties.hpp"

namespace referee::laws {

std::optional<Duration> default_time(const Edition& edition, std::optional<Duration> event_default_time) noexcept {
  return event_default_time ? event_default_time : edition.default_time;
}

std::optional<Duration> resumption_limit(const Edition& edition, std::optional<Duration> event_default_time) noexcept {
  return edition.adjournment_late_limit ? edition.adjournment_late_limit : default_time(edition, event_default_time);
}

bool sealed_ending_binds_both(const Edition& edition) noexcept { return !edition.adjournment_late_limit; }

Remedy colours_reversed(const Edition& edition, int moves_each) noexcept {
  if (edition.colours_reversed == ColoursReversed::play_on) return Remedy::play_on;
  return edition.colours_replay_below_moves_each && moves_each >= *edition.colours_replay_below_moves_each ? Remedy::play_on
                                                                                                           : Remedy::new_game;
}

Remedy wrong_start(const Edition& edition, Category category, Supervision supervision, int moves_each) noexcept {
  const Category row = follows_standard_procedure(edition, category, supervision) ? Category::standard : category;
  const auto& until = edition.setup_claims_until_moves_each[static_cast<std::size_t>(row)];
  return until && moves_each >= *until ? Remedy::play_on : Remedy::new_game;
}

std::optional<BothFlags> both_flags_down(const Edition& edition, Category category, bool last_period) noexcept {
  if (!edition.both_flags) return std::nullopt;
  switch (category) {
    case Category::rapid:
      return edition.both_flags->rapid;
    case Category::blitz:
      return edition.both_flags->blitz;
    case Category::standard:
      break;
  }
  return last_period ? edition.both_flags->last_period : edition.both_flags->not_last_period;
}

std::string_view both_flags_subject(Category category) noexcept {
  return category == Category::standard ? "both_flags" : "both_flags_rapid";
}

bool agreement_allowed(const Edition& edition, bool event_forbids, int moves_each) noexcept {
  return edition.agreement_allowed && !event_forbids && moves_each >= edition.agreement_min_moves_each.value_or(0);
}

bool scores_allowed(const Edition& edition, int white, int black) noexcept {
  const auto in_range = [](int score) { return score >= 0 && score <= 100; };
  if (!in_range(white) || !in_range(black)) return false;
  const auto usual = [](int score) { return score == 0 || score == 50 || score == 100; };
  return !edition.usual_scores_only || (usual(white) && usual(black) && white + black <= 100);
}

bool recording_exempt(const Edition& edition, const clock::PlayerClock& clock) noexcept {
  if (!edition.recording_exempt_below || clock.is_infinite() || clock.remaining() >= *edition.recording_exempt_below) return false;
  return !edition.recording_exempt_if_increment_below || clock.increment() < *edition.recording_exempt_if_increment_below;
}

}  // namespace referee::laws
