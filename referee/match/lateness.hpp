// Could the referee's own lateness have decided a game? A pure rule over instants.
//
// The referee looks at a flag a moment after it fell, and ends the game then. An answer that it reads later than that was overlooked by a
// timer that fired late: the engine may have written it in time. Such a game is annulled and played again. Where the kernel has stamped
// the answer there is no doubt, and the stamp decides.
#pragma once

#include <chrono>
#include <optional>

#include "engine_iface/protocol.hpp"

namespace referee::match {

/// A flag is looked at this long after it fell: what was written in time is then readable.
inline constexpr std::chrono::microseconds after_the_flag{100};
/// How long the referee usually takes to wake up for a timer.
inline constexpr std::chrono::microseconds usual_lateness{150};
/// After so many annulled attempts a game ends as it ends: a host that is always too slow is no reason to play for ever.
inline constexpr int most_annulled_for_lateness = 3;

enum class AnswerStamp { by_referee, by_kernel };

enum class Doubt {
  none,
  told,      // the answer is judged by its stamp, with a warning in the record
  annulled,  // the game is played again
};

/// `read`: the stamp of the answer; `flag`: when the flag of its side falls, nullopt while none runs; `annulled_before`: the
/// attempts at this game that ended in such doubt (not those that a pause, a fault or an interrupted run cut short).
[[nodiscard]] constexpr Doubt doubt_of(engine::Instant read, AnswerStamp stamp, std::optional<engine::Instant> flag, int annulled_before) {
  if (stamp == AnswerStamp::by_kernel || !flag || read <= *flag + after_the_flag + usual_lateness) return Doubt::none;
  return annulled_before < most_annulled_for_lateness ? Doubt::annulled : Doubt::told;
}

}  // namespace referee::match
