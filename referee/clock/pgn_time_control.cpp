// The TimeControl tag of the PGN standard, 9.6.1: seconds only, and every colon separates periods.
#include <utility>

#include "referee/clock/time_control.hpp"
#include "referee/clock/time_scanner.hpp"

namespace referee::clock {

namespace {

constexpr std::size_t longest_tag = 256;
constexpr int most_moves = 10'000;

Duration read_seconds(TimeScanner& scan) { return scan.value(scan.number("a number of seconds"), std::chrono::seconds(1)); }

Period read_period(TimeScanner& scan) {
  Period period;
  TimeScanner::Number first = scan.number("MOVES/SECONDS, SECONDS or SECONDS+INCREMENT");
  const std::size_t start = first.start;
  if (scan.accept('/')) {
    period.moves = scan.count(first, 1, most_moves, "the number of moves");
    first = scan.number("a number of seconds");
  }
  period.base = scan.value(first, std::chrono::seconds(1));
  if (scan.accept('+')) period.increment = read_seconds(scan);
  if (period.base + period.increment == Duration::zero()) scan.fail(start, "the period has no time", "a time or an increment above zero");
  return period;
}

TimeControl read_tag(std::string_view tag) {
  TimeScanner scan(tag);
  if (tag.size() > longest_tag) scan.fail(longest_tag, "the time control is too long", "at most 256 characters");
  if (tag == "-") return {Mode::infinite, {}};
  if (tag == "?") scan.fail(0, "unknown", "a time control that is known");
  TimeControl control;
  if (scan.accept('*')) {
    control.mode = Mode::hourglass;
    Period glass;
    glass.base = read_seconds(scan);
    if (glass.base == Duration::zero()) scan.fail(1, "the hourglass has no time", "a time above zero");
    control.periods.push_back(glass);
  } else {
    std::size_t start = 0;
    control.periods.push_back(read_period(scan));
    while (scan.peek() == ':') {
      if (control.periods.back().moves == 0) scan.fail(start, "a period before the last has no number of moves", "MOVES/SECONDS");
      static_cast<void>(scan.accept(':'));
      start = scan.position();
      control.periods.push_back(read_period(scan));
    }
  }
  if (!scan.at_end()) scan.fail(scan.position(), "unexpected " + scan.here(), "'+INCREMENT', ':' and the next period, or the end");
  return control;
}

}  // namespace

std::string to_pgn_tag(const TimeControl& control) {
  if (control.mode == Mode::infinite || control.periods.empty()) return "-";
  if (control.mode == Mode::delay || control.mode == Mode::bronstein) return "?";
  if (control.mode == Mode::hourglass) return "*" + seconds_text(control.periods.front().base);
  if (control.mode == Mode::move_time) return "1/" + seconds_text(control.periods.front().base);
  std::string tag;
  for (const Period& period : control.periods) {
    if (!tag.empty()) tag += ":";
    if (period.moves > 0) tag += std::to_string(period.moves) + "/";
    tag += seconds_text(period.base);
    if (period.increment != Duration::zero()) tag += "+" + seconds_text(period.increment);
  }
  return tag;
}

std::variant<TimeControl, TimeControlError> parse_pgn_time_control(std::string_view tag) {
  try {
    return read_tag(tag);
  } catch (TimeControlError& error) { return std::move(error); }
}

}  // namespace referee::clock
