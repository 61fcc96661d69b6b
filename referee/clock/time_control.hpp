// Time controls: text <-> value (DESIGN section 6). Values hold integer nanoseconds.
//
//   auto read = parse_time_control("40/5400+30:1800+30");
//   if (auto* tc = std::get_if<TimeControl>(&read)) ...  else std::get<TimeControlError>(read).column points at the character
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/clock/time_text.hpp"

namespace referee::clock {

enum class Mode {
  increment,  // sudden death, periods, Fischer (increment may be zero)
  delay,      // simple delay: the extra time runs first (2005 6.2b)
  bronstein,  // time used is given back, at most the delay
  hourglass,  // what one side uses the other gains
  move_time,  // a fixed time for each move
  infinite,   // no clock
};

[[nodiscard]] std::string_view name(Mode mode) noexcept;  // "increment" "delay" "bronstein" "hourglass" "movetime" "infinite"

struct Period {
  int moves = 0;  // moves to make in this period; 0 = all that remain (last period). A last period with moves repeats.
  Duration base{};
  Duration increment{};
  Duration delay{};
  friend bool operator==(const Period&, const Period&) = default;
};

struct TimeControl {
  Mode mode = Mode::increment;
  std::vector<Period> periods;  // empty only for infinite; exactly one for hourglass and move_time (its base)
  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

///   [MOVES/]TIME[+INC] {":" [MOVES/]TIME[+INC]} [" delay " TIME | " bronstein " TIME]
///   "hourglass" TIME | "move" TIME | "inf"
///
/// TIME as in time_text.hpp; minutes:seconds may stand once in the text, and not in INC. Every other colon separates periods. What could
/// be read both ways is an error that names both spellings. Every period but the last needs MOVES; a last period with MOVES repeats.
/// Linear in the text, which may have 256 characters.
[[nodiscard]] std::variant<TimeControl, TimeControlError> parse_time_control(std::string_view text);
/// Canonical text; parse_time_control(to_text(tc)) == tc for every value that parse_time_control gives.
[[nodiscard]] std::string to_text(const TimeControl& control);

/// The PGN standard's form (9.6.1): "-", "40/9000", "300", "10+0.1", "40/240:60", "*180" (hourglass); seconds, never minutes. A fixed time
/// a move is "1/SECONDS"; simple delay and Bronstein, which the standard cannot express, are "?".
[[nodiscard]] std::string to_pgn_tag(const TimeControl& control);
/// Every colon separates periods. "?" is an error with the message `unknown`.
[[nodiscard]] std::variant<TimeControl, TimeControlError> parse_pgn_time_control(std::string_view tag);

enum class Category { standard, rapid, blitz };
[[nodiscard]] std::string_view name(Category category) noexcept;

}  // namespace referee::clock
