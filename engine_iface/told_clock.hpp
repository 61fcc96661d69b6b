// What an engine is told of a time control.
#pragma once

#include <algorithm>
#include <chrono>

#include "referee/clock/time_control.hpp"

namespace referee::engine {

/// Has its player a clock that runs down over the game? `inf` has none, and `move 0.4` is a time for each move anew: told as a clock too,
/// it would be taken for all that is left of the game.
[[nodiscard]] inline bool has_running_clock(const clock::TimeControl& control) noexcept {
  return control.mode != clock::Mode::infinite && control.mode != clock::Mode::move_time && !control.periods.empty();
}

/// What XBoard can say of a time for each move (PROTOCOLS 1.4, `st`): whole seconds, rounded down, never below one.
[[nodiscard]] inline std::chrono::seconds whole_seconds(clock::Duration time) noexcept {
  return std::max(std::chrono::duration_cast<std::chrono::seconds>(time), std::chrono::seconds(1));
}

}  // namespace referee::engine
