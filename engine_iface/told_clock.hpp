// What an engine is told of a time control.
#pragma once

#include "referee/clock/time_control.hpp"

namespace referee::engine {

/// Has its player a clock that runs down over the game? `inf` has none, and `move 0.4` is a time for each move anew: told as a clock too,
/// it would be taken for all that is left of the game.
[[nodiscard]] inline bool has_running_clock(const clock::TimeControl& control) noexcept {
  return control.mode != clock::Mode::infinite && control.mode != clock::Mode::move_time && !control.periods.empty();
}

}  // namespace referee::engine
