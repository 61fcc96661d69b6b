// Lengths of time as people write them: text <-> integer nanoseconds, exact or refused.
//
//   parse_time("1:30") == 90 s   parse_time("1h30m") == 5400 s   parse_time("0.05") == 50 ms   seconds_text(50ms) == "0.05"
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace referee::clock {

using Duration = std::chrono::nanoseconds;

/// No single time that is read from text is longer.
inline constexpr Duration longest_time = std::chrono::hours(1'000'000);

struct TimeControlError {
  std::size_t column;    // 1-based; one past the end where something is missing
  std::string message;   // what is wrong
  std::string expected;  // what would be right there
};
/// `column N: message (expected ...)`, for one-line reports.
[[nodiscard]] std::string describe(const TimeControlError& error);

/// TIME of a time control: seconds with decimals, minutes:seconds (two digits, 00 to 59), or units, the largest first (`1h30m`, `90m`,
/// `30s`, `500ms`).
[[nodiscard]] std::variant<Duration, TimeControlError> parse_time(std::string_view text);
/// A length of time outside a time control: units only, so that nobody has to guess (`20ms`, `5s`, `2m`, `1h30m`; also `0`).
[[nodiscard]] std::variant<Duration, TimeControlError> parse_duration(std::string_view text);

/// Seconds with decimals, as short as exact: "5400", "0.05", "-0.03".
[[nodiscard]] std::string seconds_text(Duration duration);
/// As parse_duration reads it, in the largest unit that divides it: "20ms", "5s", "2m", "0s". Needs: not negative.
[[nodiscard]] std::string duration_text(Duration duration);

}  // namespace referee::clock
