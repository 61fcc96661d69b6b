// Writing JSON by hand on the hot side: no tree, no temporary, one growing string.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "referee/clock/time_control.hpp"

namespace referee::record {

/// Quoted and escaped. Always valid UTF-8: a byte b that is none (an engine may write anything) becomes U+F700 + b, and so do the
/// bytes of a genuine U+F780 to U+F7FF, so that restore_bytes() gives back exactly what went in.
void append_json_string(std::string& out, std::string_view text);
/// The same mapping without quotes and escapes, for text that is stored as it stands.
[[nodiscard]] std::string valid_utf8(std::string_view text);
/// Undoes the mapping of bytes; `text` is the string as a JSON reader hands it over.
[[nodiscard]] std::string restore_bytes(std::string_view text);

/// value / 10^digits as a decimal number without trailing zeros: (1500000, 6) -> 1.5. Needs: digits <= 9.
void append_decimal(std::string& out, std::int64_t value, int digits);
void append_integer(std::string& out, std::int64_t value);
void append_integer(std::string& out, std::uint64_t value);

/// Milliseconds, exact; Duration::max() (no clock) is null.
void append_ms(std::string& out, clock::Duration duration);
/// Up to this magnitude an ordinary JSON number reads back exactly; beyond it the digits are written as a string.
inline constexpr std::int64_t exact_number_ns = std::int64_t{1} << 48;

/// One object: add(...) members, then close().
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) {}

  std::string& key(std::string_view name) {
    out_ += lead_;
    lead_ = ',';
    out_ += '"';
    out_ += name;
    out_ += "\":";
    return out_;
  }
  void add(std::string_view name, std::string_view value) { append_json_string(key(name), value); }
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }
  void add(std::string_view name, clock::Duration value) { append_ms(key(name), value); }
  template <std::same_as<bool> Bool>
  void add(std::string_view name, Bool value) {
    key(name) += value ? "true" : "false";
  }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) void add(std::string_view name, Integer value) {
    if constexpr (std::signed_integral<Integer>)
      append_integer(key(name), static_cast<std::int64_t>(value));
    else
      append_integer(key(name), static_cast<std::uint64_t>(value));
  }
  template <class Value>
  void add(std::string_view name, const std::optional<Value>& value) {
    if (value) add(name, *value);
  }
  /// Left out when empty.
  void add_text(std::string_view name, std::string_view value) {
    if (!value.empty()) add(name, value);
  }
  /// Hundredths of a point as 0, 0.5, 1.
  void add_score(std::string_view name, int hundredths) { append_decimal(key(name), hundredths, 2); }
  void close() { out_ += lead_ == '{' ? "{}" : "}"; }

 private:
  std::string& out_;
  char lead_ = '{';
};

}  // namespace referee::record
