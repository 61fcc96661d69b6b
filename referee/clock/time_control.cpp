#include "referee/clock/time_control.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "referee/clock/time_scanner.hpp"

namespace referee::clock {

namespace {

constexpr std::size_t longest_text = 256;
constexpr int most_moves = 10'000;
constexpr std::string_view time_expected = "a time: seconds, minutes:seconds, or units as in 1h30m";
constexpr std::string_view after_period = "'+INC', ':' and the next period, 'delay D', 'bronstein D', or the end";
constexpr std::string_view words_expected =
    "[MOVES/]TIME[+INC], 'TIME delay D', 'TIME bronstein D', 'hourglass TIME', 'move TIME' or 'inf'";

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Reads one text; every colon is decided once, from left to right.
class Reader {
 public:
  /// Are spellings proposed in the place of one that can be read in several ways?
  enum class Proposals { made, none };
  explicit Reader(std::string_view text, Proposals proposals = Proposals::made)
      : scan_(text), has_units_(contains_unit(text)), proposals_(proposals) {}

  TimeControl read() {
    if (scan_.text().size() > longest_text) scan_.fail(longest_text, "the time control is too long", "at most 256 characters");
    scan_.skip_blanks();
    const std::string_view word = scan_.word();
    TimeControl control = word.empty() ? read_periods() : read_word(word);
    const bool blank = scan_.skip_blanks();
    if (!scan_.at_end()) {
      const bool complete = !word.empty() || control.mode != Mode::increment;
      const std::string_view ends = complete ? "the end" : blank ? "'delay D', 'bronstein D', or the end" : after_period;
      scan_.fail(scan_.position(), "unexpected " + scan_.here(), std::string(ends));
    }
    return control;
  }

 private:
  enum class Colon { separates_periods, minutes_and_seconds };

  /// A digit directly followed by a letter.
  static bool contains_unit(std::string_view text) {
    return std::adjacent_find(text.begin(), text.end(),
                              [](char a, char b) { return is_digit(a) && std::isalpha(static_cast<unsigned char>(b)) != 0; }) != text.end();
  }

  TimeControl read_word(std::string_view word) {
    const std::size_t start = scan_.position();
    scan_.move_to(start + word.size());
    if (word == "inf") return {Mode::infinite, {}};
    if (word != "hourglass" && word != "move") scan_.fail(start, "unknown word '" + std::string(word) + "'", std::string(words_expected));
    const Duration base = read_amount(word);
    Period period;
    period.base = base;
    return {word == "move" ? Mode::move_time : Mode::hourglass, {period}};
  }

  /// The time after a word; above zero.
  Duration read_amount(std::string_view word) {
    if (!scan_.skip_blanks()) scan_.fail(scan_.position(), "no time after '" + std::string(word) + "'", "a blank and a time above zero");
    const std::size_t start = scan_.position();
    const TimeScanner::Number first = scan_.number(time_expected);
    Duration time{};
    if (scan_.at_unit()) {
      time = scan_.units(first);
    } else if (first.is_plain() && scan_.accept(':')) {
      time = scan_minutes_and_seconds(scan_, first);
    } else {
      time = scan_.value(first, std::chrono::seconds(1));
    }
    if (time == Duration::zero()) scan_.fail(start, "the time after '" + std::string(word) + "' is zero", "a time above zero");
    return time;
  }

  TimeControl read_periods() {
    TimeControl control;
    while (true) {
      control.periods.push_back(read_period());
      if (scan_.peek() != ':') break;
      if (control.periods.back().moves == 0) {
        scan_.fail(period_start_, "a period before the last has no number of moves", "MOVES/TIME, as in 40/5400+30:1800+30");
      }
      static_cast<void>(scan_.accept(':'));
    }
    const std::size_t end = scan_.position();
    scan_.skip_blanks();
    const std::string_view word = scan_.word();
    if (word != "delay" && word != "bronstein") {
      scan_.move_to(end);
      return control;
    }
    const std::size_t start = scan_.position();
    scan_.move_to(start + word.size());
    const Duration delay = read_amount(word);
    control.mode = word == "delay" ? Mode::delay : Mode::bronstein;
    for (Period& period : control.periods) {
      if (period.increment != Duration::zero()) scan_.fail(start, "an increment and a delay exclude each other", "one of the two");
      if (period.base == Duration::zero()) scan_.fail(start, "a period without main time", "a time above zero in every period");
      period.delay = delay;
    }
    return control;
  }

  Period read_period() {
    period_start_ = scan_.position();
    Period period;
    TimeScanner::Number first = scan_.number("MOVES/TIME or a time");
    if (scan_.accept('/')) {
      period.moves = scan_.count(first, 1, most_moves, "the number of moves");
      first = scan_.number(time_expected);
    }
    period.base = read_time(first, period.moves != 0);
    if (scan_.accept('+')) {
      const TimeScanner::Number increment = scan_.number("an increment in seconds");
      period.increment = scan_.at_unit() ? scan_.units(increment) : scan_.value(increment, std::chrono::seconds(1));
      if (scan_.peek() == ':') check_colon_after_increment(increment);
    }
    if (period.base + period.increment == Duration::zero()) {
      scan_.fail(first.start, "the period has no time", "a time or an increment above zero");
    }
    return period;
  }

  Duration read_time(const TimeScanner::Number& first, bool has_moves) {
    if (scan_.at_unit()) return scan_.units(first);
    if (scan_.peek() == ':' && first.is_plain() && judge_colon(first, has_moves) == Colon::minutes_and_seconds) {
      static_cast<void>(scan_.accept(':'));
      return scan_minutes_and_seconds(scan_, first);
    }
    return scan_.value(first, std::chrono::seconds(1));
  }

  /// The plain number behind the colon at the scanner: its digits, and whether it is the whole first number of a period (no moves, no
  /// unit).
  struct Follower {
    std::string_view digits;
    bool stands_alone = false;
    std::size_t end = 0;
  };
  [[nodiscard]] Follower behind_colon() const {
    const std::string_view text = scan_.text();
    Follower follower;
    const std::size_t start = scan_.position() + 1;
    std::size_t end = start;
    while (end < text.size() && is_digit(text[end])) ++end;
    follower.digits = text.substr(start, end - start);
    if (end < text.size() && text[end] == '.') {
      ++end;
      while (end < text.size() && is_digit(text[end])) ++end;
    }
    const char next = end < text.size() ? text[end] : '\0';
    follower.stands_alone = next != '/' && std::isalpha(static_cast<unsigned char>(next)) == 0;
    follower.end = end;
    return follower;
  }

  /// Called at a colon behind a plain TIME.
  Colon judge_colon(const TimeScanner::Number& first, bool has_moves) {
    const Follower follower = behind_colon();
    // Three digits and more, a number of moves or a unit cannot be seconds after minutes.
    if (!follower.stands_alone || follower.digits.empty() || follower.digits.size() > 2) return Colon::separates_periods;
    const bool is_seconds = follower.digits.size() == 2 && follower.digits[0] <= '5';
    if (is_seconds && minutes_seen_) scan_.fail(scan_.position(), "a second minutes:seconds", "units throughout, as in 40/90m30s:30m");
    if (is_seconds && !has_units_) {
      minutes_seen_ = true;
      if (has_moves && next_colon_reads_as_minutes(follower)) fail_ambiguous(first, follower);
      return Colon::minutes_and_seconds;
    }
    if (has_moves) fail_ambiguous(first, follower);
    if (is_seconds) scan_.fail(scan_.position(), "minutes:seconds beside units", "units throughout, as in 1m30s");
    scan_.fail(scan_.position() + 1, "seconds after minutes are out of range",
               "two digits, 00 to 59, or MOVES/ before a period that another one follows");
  }

  /// In "40/90:30:20" the second colon could be the one of minutes:seconds as well.
  [[nodiscard]] bool next_colon_reads_as_minutes(const Follower& follower) const {
    const std::string_view text = scan_.text();
    const std::size_t at = follower.end;
    return at + 2 < text.size() && text[at] == ':' && is_digit(text[at + 1]) && is_digit(text[at + 2]) && text[at + 1] <= '5' &&
           (at + 3 >= text.size() || (!is_digit(text[at + 3]) && text[at + 3] != '/'));
  }

  [[noreturn]] void fail_ambiguous(const TimeScanner::Number& first, const Follower& follower) {
    const std::size_t colon = scan_.position();
    const std::string_view text = scan_.text();
    const std::string before(text.substr(0, first.start));
    const std::string whole(first.whole);
    const std::string behind(text.substr(colon + 1, follower.end - colon - 1));
    const std::string after(text.substr(follower.end));
    // Sixty seconds and more are carried into the minutes.
    const int seconds = std::stoi(std::string(follower.digits));
    const auto minutes = scan_.value(first, std::chrono::minutes(1)) / std::chrono::minutes(1) + seconds / 60;
    const std::string fraction = behind.substr(follower.digits.size());
    const std::string in_minutes = before + std::to_string(minutes) + "m" + std::to_string(seconds % 60) + fraction + "s";
    const std::string in_seconds = before + whole + "s:" + behind;
    std::vector<Spelling> spellings;
    if (next_colon_reads_as_minutes(follower)) {
      const std::string third = number_at(after, 1);
      const std::string rest = after.substr(1 + third.size());
      const std::string fourth = rest.starts_with(':') ? number_at(rest, 1) : "";
      spellings.push_back({before + whole + "h" + behind + "m" + third + "s", rest, "hours:minutes:seconds"});
      if (!fourth.empty())
        spellings.push_back({in_minutes + ":" + third + "m" + fourth + "s", rest.substr(1 + fourth.size()), "minutes:seconds, twice"});
      spellings.push_back({in_minutes + ":" + third + "s", rest, "minutes:seconds, then a period"});
      spellings.push_back({in_seconds + "m" + third + "s", rest, "a period, then minutes:seconds"});
    } else {
      spellings.push_back({in_minutes, after, "minutes"});
      spellings.push_back({in_seconds + "s", after, "two periods"});
    }
    scan_.fail(colon, "'" + whole + ":" + behind + "' can be read as minutes:seconds and as two periods", proposed(spellings));
  }

  struct Spelling {
    std::string start, rest;  // with its units, and as it stood
    std::string_view meaning;
  };
  /// Those of them that are read, with seconds in the rest where it needs a unit too.
  [[nodiscard]] std::string proposed(const std::vector<Spelling>& spellings) const {
    std::string list;
    for (const Spelling& spelling : spellings) {
      if (proposals_ == Proposals::none) break;
      for (const std::string& text : {spelling.start + spelling.rest, spelling.start + in_seconds(spelling.rest)}) {
        try {
          static_cast<void>(Reader(text, Proposals::none).read());
        } catch (const TimeControlError&) { continue; }
        list += (list.empty() ? "'" : " or '") + text + "' (" + std::string(spelling.meaning) + ")";
        break;
      }
    }
    return list.empty() ? "units throughout, as in 40/1h30m:30m" : list;
  }

  /// The digits there, and a fraction behind them.
  [[nodiscard]] static std::string number_at(const std::string& text, std::size_t at) {
    return text.substr(at, std::min(text.find_first_not_of("0123456789.", at), text.size()) - at);
  }
  /// ":30" as ":30s", wherever a number without a unit stands behind a colon.
  [[nodiscard]] static std::string in_seconds(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const std::string number = text[i] == ':' ? number_at(text, i + 1) : "";
      const std::size_t end = i + 1 + number.size();
      out += text.substr(i, end - i);
      const char next = end < text.size() ? text[end] : '\0';
      if (!number.empty() && next != '/' && std::isalpha(static_cast<unsigned char>(next)) == 0) out += 's';
      i = end;
    }
    return out;
  }

  /// "40/10+0:05": a second number of two digits with a leading zero was meant as seconds after minutes, which an increment does not have.
  void check_colon_after_increment(const TimeScanner::Number& increment) {
    const Follower follower = behind_colon();
    if (!increment.is_plain() || !follower.stands_alone || follower.digits.size() != 2 || follower.digits[0] != '0') return;
    const std::string_view text = scan_.text();
    const std::size_t colon = scan_.position();
    const std::string head(text.substr(0, increment.start));
    const std::string number(text.substr(increment.start, colon - increment.start));
    const std::string behind(text.substr(colon + 1, follower.end - colon - 1));
    scan_.fail(colon, "'" + number + ":" + behind + "' can be read as an increment of minutes:seconds and as a new period",
               proposed({{head + number + "m" + behind + "s", std::string(text.substr(follower.end)), "increment"},
                         {head + number + "s:" + behind + "s", std::string(text.substr(follower.end)), "period, in seconds"}}));
  }

  TimeScanner scan_;
  bool has_units_;
  Proposals proposals_;
  bool minutes_seen_ = false;
  std::size_t period_start_ = 0;
};

std::string moves_text(const Period& period) { return period.moves > 0 ? std::to_string(period.moves) + "/" : std::string(); }

}  // namespace

std::variant<TimeControl, TimeControlError> parse_time_control(std::string_view text) {
  try {
    TimeControl control = Reader(text).read();
    // What is read is written into records, and read from there.
    if (to_text(control).size() > longest_text)
      return TimeControlError{1, "the time control is too long", "at most 256 characters with a unit behind every time"};
    return control;
  } catch (TimeControlError& error) { return std::move(error); }
}

std::string to_text(const TimeControl& control) {
  if (control.mode == Mode::infinite || control.periods.empty()) return "inf";
  const Period& first = control.periods.front();
  if (control.mode == Mode::hourglass) return "hourglass " + seconds_text(first.base);
  if (control.mode == Mode::move_time) return "move " + seconds_text(first.base);
  // A colon behind a plain time could be the one of minutes:seconds: then all main times carry their unit.
  const bool needs_units = std::any_of(control.periods.begin(), control.periods.end() - 1,
                                       [](const Period& period) { return period.increment == Duration::zero(); });
  std::string text;
  for (const Period& period : control.periods) {
    if (!text.empty()) text += ":";
    text += moves_text(period) + seconds_text(period.base) + (needs_units ? "s" : "");
    if (period.increment != Duration::zero()) text += "+" + seconds_text(period.increment);
  }
  if (control.mode == Mode::delay) text += " delay " + seconds_text(first.delay);
  if (control.mode == Mode::bronstein) text += " bronstein " + seconds_text(first.delay);
  return text;
}

std::string_view name(Mode mode) noexcept {
  switch (mode) {
    case Mode::increment:
      return "increment";
    case Mode::delay:
      return "delay";
    case Mode::bronstein:
      return "bronstein";
    case Mode::hourglass:
      return "hourglass";
    case Mode::move_time:
      return "movetime";
    case Mode::infinite:
      return "infinite";
  }
  return "";
}

std::string_view name(Category category) noexcept {
  switch (category) {
    case Category::standard:
      return "standard";
    case Category::rapid:
      return "rapid";
    case Category::blitz:
      return "blitz";
  }
  return "";
}

}  // namespace referee::clock
