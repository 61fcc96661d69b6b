// The characters of a time or a time control, read from left to right. Shared by the readers of this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "referee/clock/time_text.hpp"

namespace referee::clock {

/// Errors are thrown as TimeControlError inside this folder and returned as values by its public functions.
class TimeScanner {
 public:
  explicit TimeScanner(std::string_view text) noexcept : text_(text) {}

  struct Number {
    std::size_t start = 0;
    std::string_view whole;     // digits before the point
    std::string_view fraction;  // digits after it
    [[nodiscard]] bool is_plain() const noexcept { return fraction.empty(); }
  };

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::size_t position() const noexcept { return at_; }
  void move_to(std::size_t position) noexcept { at_ = position; }
  [[nodiscard]] bool at_end() const noexcept { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }
  [[nodiscard]] bool accept(char c) noexcept;
  bool skip_blanks() noexcept;  // true if there was one
  /// Letters from here on, without moving.
  [[nodiscard]] std::string_view word() const noexcept;

  /// Digits with an optional fraction (".5" and "0.5"). Throws, with `expected` in the error, when there is no digit.
  [[nodiscard]] Number number(std::string_view expected);
  /// A whole number in [least, most].
  [[nodiscard]] int count(const Number& number, int least, int most, std::string_view what) const;
  /// Is there a unit (h m s ms) here?
  [[nodiscard]] bool at_unit() const noexcept;
  /// Number and unit, largest first, `first` being read already: 1h30m.
  [[nodiscard]] Duration units(const Number& first);
  /// The exact value of `number` in units of `unit`; throws when it is finer than a nanosecond or above longest_time.
  [[nodiscard]] Duration value(const Number& number, Duration unit) const;

  [[noreturn]] void fail(std::size_t position, std::string message, std::string expected) const;
  /// "'x'" or "the end", for messages.
  [[nodiscard]] std::string here() const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Reads one TIME in which a colon, if any, stands between minutes and seconds.
[[nodiscard]] Duration scan_minutes_and_seconds(TimeScanner& scanner, const TimeScanner::Number& minutes);

}  // namespace referee::clock
