#include "referee/clock/time_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "referee/clock/time_scanner.hpp"

namespace referee::clock {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

struct Unit {
  std::string_view name;
  Duration length;
};
constexpr std::array<Unit, 4> time_units{
    {{"h", std::chrono::hours(1)}, {"m", std::chrono::minutes(1)}, {"s", std::chrono::seconds(1)}, {"ms", std::chrono::milliseconds(1)}}};
constexpr std::string_view unit_names = "one of the units h m s ms";

const Unit* find_unit(std::string_view name) noexcept {
  const auto* found = std::find_if(time_units.begin(), time_units.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == time_units.end() ? nullptr : found;
}

void expect_end(const TimeScanner& scanner, std::string_view expected) {
  if (!scanner.at_end()) scanner.fail(scanner.position(), "unexpected " + scanner.here(), std::string(expected));
}

}  // namespace

bool TimeScanner::accept(char c) noexcept {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool TimeScanner::skip_blanks() noexcept {
  const std::size_t start = at_;
  while (!at_end() && is_blank(text_[at_])) ++at_;
  return at_ != start;
}

std::string_view TimeScanner::word() const noexcept {
  std::size_t end = at_;
  while (end < text_.size() && is_letter(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

TimeScanner::Number TimeScanner::number(std::string_view expected) {
  const auto digits = [this] {
    const std::size_t start = at_;
    while (!at_end() && is_digit(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  };
  Number number;
  number.start = at_;
  number.whole = digits();
  if (peek() == '.') {
    const std::size_t point = at_++;
    number.fraction = digits();
    if (number.fraction.empty()) fail(number.whole.empty() ? point : at_, "no digit after the point", "digits, as in 0.5");
  } else if (number.whole.empty()) {
    fail(at_, at_end() ? "the text ends too early" : "unexpected " + here(), std::string(expected));
  }
  return number;
}

int TimeScanner::count(const Number& number, int least, int most, std::string_view what) const {
  const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (!number.is_plain() || number.whole.empty()) fail(number.start, std::string(what) + " is not a whole number", range);
  long long value = 0;
  for (const char c : number.whole) value = std::min<long long>(value * 10 + (c - '0'), 1LL << 40);
  if (value < least || value > most) fail(number.start, std::string(what) + " is out of range", range);
  return static_cast<int>(value);
}

bool TimeScanner::at_unit() const noexcept { return is_letter(peek()); }

Duration TimeScanner::units(const Number& first) {
  Duration total{};
  Number number = first;
  const Unit* previous = nullptr;
  while (true) {
    const std::string_view name = word();
    const Unit* unit = find_unit(name);
    if (unit == nullptr)
      fail(at_, name.empty() ? "a number without its unit" : "unknown unit '" + std::string(name) + "'", std::string(unit_names));
    if (previous != nullptr && unit->length >= previous->length)
      fail(at_, "units out of order", "the largest unit first, each once, as in 1h30m15s");
    const Duration part = value(number, unit->length);
    if (total > longest_time - part) fail(first.start, "the time is too long", "at most 1000000 hours");
    total += part;
    at_ += name.size();
    if (!is_digit(peek()) && peek() != '.') return total;
    previous = unit;
    number = this->number("a number");
  }
}

Duration TimeScanner::value(const Number& number, Duration unit) const {
  const auto too_long = [&] { fail(number.start, "the time is too long", "at most 1000000 hours"); };
  const auto most = longest_time.count();
  Duration::rep total = 0;
  for (const char c : number.whole) {
    const Duration::rep digit = (c - '0') * unit.count();
    if (total > (most - digit) / 10) too_long();
    total = total * 10 + digit;
  }
  Duration::rep place = unit.count();
  for (std::size_t i = 0; i < number.fraction.size(); ++i) {
    const int digit = number.fraction[i] - '0';
    if (place % 10 != 0) {
      if (number.fraction.find_first_not_of('0', i) == std::string_view::npos) break;
      fail(number.start, "the time is finer than a nanosecond", "fewer decimals");
    }
    place /= 10;
    total += digit * place;
  }
  if (total > most) too_long();
  return Duration(total);
}

void TimeScanner::fail(std::size_t position, std::string message, std::string expected) const {
  throw TimeControlError{position + 1, std::move(message), std::move(expected)};
}

std::string TimeScanner::here() const {
  if (at_end()) return "end of the text";
  const auto c = static_cast<unsigned char>(text_[at_]);
  if (c < 0x20 || c == 0x7f) return "control character";
  std::size_t length = 1;
  while (c >= 0x80 && at_ + length < text_.size() && length < 4 && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0U) == 0x80U)
    ++length;
  return "'" + std::string(text_.substr(at_, length)) + "'";
}

Duration scan_minutes_and_seconds(TimeScanner& scanner, const TimeScanner::Number& minutes) {
  const Duration whole = scanner.value(minutes, std::chrono::minutes(1));
  const TimeScanner::Number seconds = scanner.number("two digits of seconds");
  if (seconds.whole.size() != 2 || seconds.whole[0] > '5') {
    scanner.fail(seconds.start, "seconds after minutes are out of range", "two digits, 00 to 59");
  }
  const Duration rest = scanner.value(seconds, std::chrono::seconds(1));
  if (whole > longest_time - rest) scanner.fail(minutes.start, "the time is too long", "at most 1000000 hours");
  return whole + rest;
}

std::string describe(const TimeControlError& error) {
  std::string text = "column " + std::to_string(error.column) + ": " + error.message;
  if (!error.expected.empty()) text += " (expected " + error.expected + ")";
  return text;
}

std::variant<Duration, TimeControlError> parse_time(std::string_view text) {
  try {
    TimeScanner scanner(text);
    const TimeScanner::Number first = scanner.number("a time: seconds, minutes:seconds, or units as in 1h30m");
    Duration time{};
    if (scanner.at_unit()) {
      time = scanner.units(first);
    } else if (first.is_plain() && scanner.accept(':')) {
      time = scan_minutes_and_seconds(scanner, first);
    } else {
      time = scanner.value(first, std::chrono::seconds(1));
    }
    expect_end(scanner, "the end of the time");
    return time;
  } catch (TimeControlError& error) { return std::move(error); }
}

std::variant<Duration, TimeControlError> parse_duration(std::string_view text) {
  try {
    TimeScanner scanner(text);
    const TimeScanner::Number first = scanner.number("a length of time with its unit, as in 20ms, 5s or 2m");
    if (scanner.at_end() && first.is_plain() && first.whole == "0") return Duration{};
    const Duration time = scanner.units(first);
    expect_end(scanner, "the end of the length of time");
    return time;
  } catch (TimeControlError& error) { return std::move(error); }
}

std::string seconds_text(Duration duration) {
  constexpr std::uint64_t second = 1'000'000'000;
  const bool negative = duration < Duration::zero();
  const auto count =
      negative ? std::uint64_t{0} - static_cast<std::uint64_t>(duration.count()) : static_cast<std::uint64_t>(duration.count());
  std::string text = (negative ? "-" : "") + std::to_string(count / second);
  if (count % second != 0) {
    std::string fraction = std::to_string(second + count % second).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += "." + fraction;
  }
  return text;
}

std::string duration_text(Duration duration) {
  if (duration == Duration::zero()) return "0s";
  for (const Unit& unit : time_units) {
    if (duration % unit.length == Duration::zero()) return std::to_string(duration / unit.length) + std::string(unit.name);
  }
  return seconds_text(duration) + "s";
}

}  // namespace referee::clock
