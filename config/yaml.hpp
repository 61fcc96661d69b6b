// A YAML text as a small tree of values, each with its place. What a hostile file could do to us is bounded here, once: size, depth, the
// number of values (aliases are expanded, and each expansion counts), keys given twice, keys that are not plain text.
//
//   const YamlValue root = parse_yaml(text, "match.yaml");
//   YamlMap map(root, "match.yaml", "the match file");
//   if (const YamlValue* games = map.find("games")) n = as_integer(*games, "match.yaml", 1, 1000);
//   map.refuse_unknown();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "referee/clock/time_control.hpp"

namespace referee::config {

struct YamlLimits {
  std::size_t bytes = 4U << 20U;
  std::size_t values = 200'000;
  std::size_t depth = 32;
};

struct YamlValue {
  enum class Kind { null, scalar, sequence, map };
  struct Entry;

  Kind kind = Kind::null;
  std::string text;     // scalar: as written, quotes and escapes undone
  bool quoted = false;  // scalar: in quotes or a block
  Place place;
  std::vector<YamlValue> items;  // sequence
  std::vector<Entry> entries;    // map, in the order of the text; keys differ

  [[nodiscard]] bool is_null() const noexcept { return kind == Kind::null; }
  [[nodiscard]] bool is_scalar() const noexcept { return kind == Kind::scalar; }
  [[nodiscard]] bool is_sequence() const noexcept { return kind == Kind::sequence; }
  [[nodiscard]] bool is_map() const noexcept { return kind == Kind::map; }
};
struct YamlValue::Entry {
  std::string key;
  Place place;  // of the key
  YamlValue value;
};

/// One document; throws ConfigException on anything that is not YAML or breaks a limit. An empty text is a null.
[[nodiscard]] YamlValue parse_yaml(const std::string& text, const std::string& file, const YamlLimits& limits = {});
/// The bytes of a file, at most `limits.bytes`; throws ConfigException when it cannot be read.
[[nodiscard]] std::string read_text_file(const std::string& path, const YamlLimits& limits = {});

/// Reads a map key by key. What was asked for is what is known; refuse_unknown() names the nearest known key.
class YamlMap {
 public:
  /// Throws ConfigException if `value` is not a map; `what` names it in the message. `value` must outlive this.
  YamlMap(const YamlValue& value, const std::string& file, std::string_view what);
  YamlMap(YamlValue&& value, const std::string& file, std::string_view what) = delete;

  /// nullptr when the key is absent; a null that was written is a value.
  [[nodiscard]] const YamlValue* find(std::string_view key);
  /// The same under another name that is accepted; both at once are refused.
  [[nodiscard]] const YamlValue* find(std::string_view key, std::string_view other_name);
  /// Throws when the key is absent.
  [[nodiscard]] const YamlValue& need(std::string_view key);
  void refuse_unknown() const;

  [[nodiscard]] const YamlValue& value() const noexcept { return value_; }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

 private:
  const YamlValue& value_;
  std::string file_;
  std::string what_;
  std::vector<std::string> known_;
};

// Typed readings of one value. Each throws ConfigException with the value's place and what was expected.
[[nodiscard]] const std::string& as_text(const YamlValue& value, const std::string& file, std::string_view expected = "a text");
[[nodiscard]] bool as_bool(const YamlValue& value, const std::string& file);  // true or false
[[nodiscard]] std::int64_t as_integer(const YamlValue& value, const std::string& file, std::int64_t least, std::int64_t most);
[[nodiscard]] std::uint64_t as_unsigned(const YamlValue& value, const std::string& file, std::uint64_t least, std::uint64_t most);
[[nodiscard]] double as_number(const YamlValue& value, const std::string& file, double least, double most);
[[nodiscard]] clock::Duration as_duration(const YamlValue& value, const std::string& file);  // with its unit: 20ms, 5s, 2m
/// "128MB", "1GB", "512KB", "65536": bytes; K, M, G are powers of 1024.
[[nodiscard]] std::uint64_t as_bytes(const YamlValue& value, const std::string& file);

/// Throws: `value` is none of `names`.
[[noreturn]] void refuse_choice(const YamlValue& value, const std::string& file, const std::vector<std::string>& names);

/// One of the names of a closed set.
template <class Enum>
struct Named {
  std::string_view name;
  Enum value;
};
template <class Enum, class Names>
[[nodiscard]] Enum as_choice(const YamlValue& value, const std::string& file, const Names& names) {
  std::vector<std::string> known;
  known.reserve(names.size());
  if (value.is_scalar()) {
    for (const Named<Enum>& named : names) {
      if (value.text == named.name) return named.value;
    }
  }
  for (const Named<Enum>& named : names) known.emplace_back(named.name);
  refuse_choice(value, file, known);
}

/// How a value is shown in messages: its text cut to a readable length, or "a list", "a map", "empty".
[[nodiscard]] std::string shown(const YamlValue& value);

/// The name nearest to `word` within a small edit distance, for "did you mean".
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names);

/// Does it hold what no name or title does and a terminal obeys: control characters (C0, DEL, C1), or marks that turn a line around (UAX
/// #9)?
[[nodiscard]] bool has_controls(std::string_view text) noexcept;

}  // namespace referee::config
