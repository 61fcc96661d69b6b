// Writing JSON by hand on the hot side: no tree, no temporary, one growing string.
#pragma once

#include <concepts>
#include <cstddef>
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
/// JSON of another writer: bytes that are no UTF-8 as above (characters that stand for such bytes already stay), and \u escapes for what a
/// terminal would obey and JSON allows in a string (DEL, C1, marks that turn a line around).
[[nodiscard]] std::string for_output(std::string json);

void append_integer(std::string& out, std::int64_t value);
void append_integer(std::string& out, std::uint64_t value);

/// The shortest digits that read back as the same number; null when it is not finite.
void append_real(std::string& out, double value);

/// Milliseconds, exact; Duration::max() (no clock) is null.
void append_ms(std::string& out, clock::Duration duration);
/// Up to this magnitude an ordinary JSON number reads back exactly; beyond it the digits are written as a string.
inline constexpr std::int64_t exact_number_ns = std::int64_t{1} << 48;

/// A member's name with what surrounds it, put together by the compiler.
template <std::size_t size>
struct JsonKey {
  char text[size + 3]{};
  consteval JsonKey(const char (&name)[size]) {  // NOLINT(google-explicit-constructor): a literal is the key
    text[0] = ',';
    text[1] = '"';
    for (std::size_t i = 0; i + 1 < size; ++i) text[i + 2] = name[i];
    text[size + 1] = '"';
    text[size + 2] = ':';
  }
};

/// One object: add<"name">(value) for each member, then close().
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out), start_(out.size()) {}

  /// For a value that is an object or array of its own.
  template <JsonKey name>
  std::string& key() {
    return out_.append(name.text, sizeof name.text);
  }
  template <JsonKey name>
  void add(std::string_view value) {
    append_json_string(key<name>(), value);
  }
  template <JsonKey name>
  void add(clock::Duration value) {
    append_ms(key<name>(), value);
  }
  template <JsonKey name>
  void add(std::same_as<bool> auto value) {
    key<name>() += value ? "true" : "false";
  }
  template <JsonKey name, std::integral Integer>
  requires(!std::same_as<Integer, bool>) void add(Integer value) {
    if constexpr (std::signed_integral<Integer>)
      append_integer(key<name>(), static_cast<std::int64_t>(value));
    else
      append_integer(key<name>(), static_cast<std::uint64_t>(value));
  }
  template <JsonKey name>
  void add_real(double value) {
    append_real(key<name>(), value);
  }
  template <JsonKey name, class Value>
  void add(const std::optional<Value>& value) {
    if (value) add<name>(*value);
  }
  /// Left out when empty.
  template <JsonKey name>
  void add_text(std::string_view value) {
    if (!value.empty()) add<name>(value);
  }
  /// A word of ours, which needs no escapes.
  template <JsonKey name>
  void add_word(std::string_view word) {
    std::string& out = key<name>();
    out += '"';
    out += word;
    out += '"';
  }
  /// Hundredths of a point as 0, 0.5, 1.
  template <JsonKey name>
  void add_score(int hundredths) {
    append_decimal(key<name>(), hundredths, 2);
  }
  /// The first member stands with the comma that every member begins with: it becomes the brace.
  void close() {
    if (out_.size() == start_)
      out_ += '{';
    else
      out_[start_] = '{';
    out_ += '}';
  }

 private:
  std::string& out_;
  std::size_t start_;
};

}  // namespace referee::record
