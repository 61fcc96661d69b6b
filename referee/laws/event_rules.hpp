// Rules about the event around a game: lateness (6.7), both flags (6.12), irregular starts (7.1 to 7.3), recording (8.4), agreement (5.2c,
// 9.1.1), scores (article 11), adjournment (appendix A).
#pragma once

#include <optional>
#include <string_view>

#include "referee/laws/edition.hpp"

namespace referee::laws {

/// Later than this, strictly, loses. The event's own time goes before the edition's; nullopt: neither gives one (2014 leaves it to the
/// event).
[[nodiscard]] std::optional<Duration> default_time(const Edition& edition, std::optional<Duration> event_default_time) noexcept;
/// The same at the resumption of an adjourned game (A10 of 2005, I.10).
[[nodiscard]] std::optional<Duration> resumption_limit(const Edition& edition, std::optional<Duration> event_default_time) noexcept;
/// Does a sealed move that ends the game count even if the player who had to reply is beyond that limit? A10 of 2005, which has a limit of
/// its own, says so only of its author; I.10, which goes by the default time of the event, of either player.
[[nodiscard]] bool sealed_ending_binds_both(const Edition& edition) noexcept;

enum class Remedy { play_on, new_game };
/// Colours found reversed after `moves_each` moves by both.
[[nodiscard]] Remedy colours_reversed(const Edition& edition, int moves_each) noexcept;
/// A wrong initial position found after `moves_each` moves by both; in rapid and blitz such claims lapse early (B4 of 2005, A.4 of 2014),
/// unless they are played by the standard procedure.
[[nodiscard]] Remedy wrong_start(const Edition& edition, Category category, Supervision supervision, int moves_each) noexcept;

/// Both flags are down and nobody knows which fell first (6.12 of 2005, Guidelines III.3.1): by period in standard play, by category
/// otherwise. nullopt: the edition has no such rule, the first flag decides.
[[nodiscard]] std::optional<BothFlags> both_flags_down(const Edition& edition, Category category, bool last_period) noexcept;
/// The subject of its article: rapid and blitz have one of their own (B9 of 2005).
[[nodiscard]] std::string_view both_flags_subject(Category category) noexcept;

/// May a draw be agreed once each side has made so many moves?
[[nodiscard]] bool agreement_allowed(const Edition& edition, bool event_forbids, int moves_each) noexcept;

/// Scores in hundredths that an arbiter may set (11.1 of 2005, 10.1 and 10.2 of 2017).
[[nodiscard]] bool scores_allowed(const Edition& edition, int white, int black) noexcept;

/// 8.4: so little time is left in the period, and so small the increment, that the player need not record the moves.
[[nodiscard]] bool recording_exempt(const Edition& edition, const clock::PlayerClock& clock) noexcept;

}  // namespace referee::laws
