// Words and numbers of engine lines: blanks and tabs separate, nothing is copied.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace referee::engine {

[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

/// Without blanks, tabs and carriage returns at either end.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Walks over the words of a line.
class Words {
 public:
  explicit constexpr Words(std::string_view text) noexcept : rest_(text) {}
  /// The next word, empty at the end.
  [[nodiscard]] constexpr std::string_view next() noexcept {
    std::size_t begin = 0;
    while (begin < rest_.size() && is_blank(rest_[begin])) ++begin;
    std::size_t end = begin;
    while (end < rest_.size() && !is_blank(rest_[end])) ++end;
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }
  /// What follows the words taken, without blanks at its ends.
  [[nodiscard]] constexpr std::string_view rest() const noexcept { return trimmed(rest_); }

 private:
  std::string_view rest_;
};

/// The whole word as a decimal integer; nullopt if it is anything else or does not fit.
template <class Integer>
[[nodiscard]] std::optional<Integer> parse_integer(std::string_view word) noexcept {
  if (word.size() > 1 && word.front() == '+') word.remove_prefix(1);
  Integer value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

template <class Integer>
void append_number(std::string& out, Integer value) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  (void)error;  // 24 characters hold every 64-bit integer
  out.append(digits, end);
}

[[nodiscard]] constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

[[nodiscard]] constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace referee::engine
