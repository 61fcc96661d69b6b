// Any text is a time control or an error with a place; what is read is written back to the same value, and its clock never overflows.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "referee/clock/clock.hpp"
#include "referee/clock/time_control.hpp"

using namespace referee::clock;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_error(const TimeControlError& error, std::string_view text) {
  require(error.column >= 1 && error.column <= text.size() + 1);
  require(!error.message.empty() && !error.expected.empty());
}

void run_clock(const TimeControl& control, std::string_view times) {
  for (const FlagRule rule : {FlagRule::elapsed_reaches_remaining, FlagRule::elapsed_exceeds_remaining_margin}) {
    PlayerClock clock(control, {rule, std::chrono::milliseconds(10), true});
    require(!clock.flag_falls(Duration::zero()));
    for (const char time : times) {
      const Duration used = std::chrono::milliseconds(static_cast<unsigned char>(time));
      if (clock.flag_falls(used)) {
        require(clock.flag_after() && used >= *clock.flag_after());
        break;
      }
      clock.complete_move(used);
      require(clock.is_infinite() == (control.mode == Mode::infinite));
      require(!clock.moves_to_go() || *clock.moves_to_go() >= 1);
      require(clock.period() < control.periods.size() || clock.is_infinite());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = parse_time_control(text);
  if (const auto* control = std::get_if<TimeControl>(&read)) {
    const auto again = parse_time_control(to_text(*control));
    require(std::holds_alternative<TimeControl>(again) && std::get<TimeControl>(again) == *control);
    const std::string tag = to_pgn_tag(*control);
    const auto from_tag = parse_pgn_time_control(tag);
    if (tag != "?" && control->mode != Mode::move_time) {
      require(std::holds_alternative<TimeControl>(from_tag) && std::get<TimeControl>(from_tag) == *control);
    }
    run_clock(*control, text);
  } else {
    check_error(std::get<TimeControlError>(read), text);
  }
  const auto tag = parse_pgn_time_control(text);
  if (const auto* control = std::get_if<TimeControl>(&tag)) {
    run_clock(*control, text);
  } else {
    check_error(std::get<TimeControlError>(tag), text);
  }
  for (const auto& time : {parse_time(text), parse_duration(text)}) {
    if (const auto* duration = std::get_if<Duration>(&time)) {
      require(*duration >= Duration::zero() && *duration <= longest_time);
      const auto again = parse_duration(duration_text(*duration));
      require(std::holds_alternative<Duration>(again) && std::get<Duration>(again) == *duration);
    } else {
      check_error(std::get<TimeControlError>(time), text);
    }
  }
  return 0;
}
