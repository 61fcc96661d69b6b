#include "config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_set>

namespace referee::config {

namespace {

Place place_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

/// A long text counts as so many values, so that aliases cannot multiply it either.
constexpr std::size_t bytes_as_a_value = 256;

/// Builds the tree from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, const YamlLimits& limits) : file_(file), limits_(limits) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(YamlValue::Kind::null, mark), anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    YamlValue value = make(YamlValue::Kind::scalar, mark);
    spend(text.size() / bytes_as_a_value, value.place);
    value.text = text;
    value.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    add(std::move(value), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(file_, place_of(mark), "an alias inside the value it stands for");
    spend(found->second.size, place_of(mark));
    if (open_.size() + found->second.depth > limits_.depth) refuse_depth(place_of(mark));
    YamlValue copy = found->second.value;
    put(std::move(copy), found->second.depth, found->second.size);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(make(YamlValue::Kind::sequence, mark), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(make(YamlValue::Kind::map, mark), anchor);
  }
  void OnMapEnd() override { close(); }

  [[nodiscard]] YamlValue take() { return std::move(root_); }

 private:
  struct Open {
    YamlValue value;
    YAML::anchor_t anchor = 0;
    std::size_t size = 1;   // values in it, itself included
    std::size_t depth = 1;  // levels in it, itself included
    std::optional<std::pair<std::string, Place>> key;
    std::unordered_set<std::string> keys;
  };
  struct Anchored {
    YamlValue value;
    std::size_t size = 1, depth = 1;
  };

  YamlValue make(YamlValue::Kind kind, const YAML::Mark& mark) {
    spend(1, place_of(mark));
    YamlValue value;
    value.kind = kind;
    value.place = place_of(mark);
    return value;
  }

  void spend(std::size_t values, Place place) {
    if (values > limits_.values - spent_)
      fail(file_, place, "too many values", "at most " + std::to_string(limits_.values) + ", aliases counted each time");
    spent_ += values;
  }
  [[noreturn]] void refuse_depth(Place place) const {
    fail(file_, place, "nested too deeply", "at most " + std::to_string(limits_.depth) + " levels");
  }

  void add(YamlValue value, YAML::anchor_t anchor) {
    const std::size_t size = 1 + value.text.size() / bytes_as_a_value;
    if (anchor != 0) anchors_[anchor] = {value, size, 1};
    put(std::move(value), 1, size);
  }

  void open(YamlValue value, YAML::anchor_t anchor) {
    if (open_.size() >= limits_.depth) refuse_depth(value.place);
    if (!open_.empty() && open_.back().value.is_map() && !open_.back().key) fail(file_, value.place, "a list or map as a key", "a name");
    Open level;
    level.value = std::move(value);
    level.anchor = anchor;
    open_.push_back(std::move(level));
  }

  void close() {
    Open level = std::move(open_.back());
    open_.pop_back();
    if (level.anchor != 0) {
      // A copy of every anchored value is kept; they count like any other, so nested anchors cannot multiply.
      spend(level.size, level.value.place);
      anchors_[level.anchor] = {level.value, level.size, level.depth};
    }
    put(std::move(level.value), level.depth, level.size);
  }

  void put(YamlValue value, std::size_t depth, std::size_t size) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& level = open_.back();
    if (level.value.is_map() && !level.key) {
      if (!value.is_scalar()) fail(file_, value.place, "a key that is not a name", "a name");
      if (value.text == "<<" && !value.quoted) fail(file_, value.place, "a merge key ('<<'), which is not read", "the keys themselves");
      if (!level.keys.insert(value.text).second) fail(file_, value.place, "'" + value.text + "' is given twice", "each key once");
      level.key = {std::move(value.text), value.place};
      return;
    }
    level.size += size;
    level.depth = std::max(level.depth, depth + 1);
    if (level.value.is_sequence()) {
      level.value.items.push_back(std::move(value));
    } else {
      level.value.entries.push_back({std::move(level.key->first), level.key->second, std::move(value)});
      level.key.reset();
    }
  }

  const std::string& file_;
  const YamlLimits& limits_;
  std::size_t spent_ = 0;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  YamlValue root_;
};

constexpr std::size_t longest_shown = 60;

std::string shortened(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, longest_shown)) out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  if (text.size() > longest_shown) out += "...";
  return out;
}

}  // namespace

YamlValue parse_yaml(const std::string& text, const std::string& file, const YamlLimits& limits) {
  if (text.size() > limits.bytes) fail(file, {}, "the file is too large", "at most " + std::to_string(limits.bytes) + " bytes");
  std::istringstream in(text);
  TreeBuilder builder(file, limits);
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) return {};
    YamlValue root = builder.take();
    TreeBuilder second(file, limits);
    if (parser.HandleNextDocument(second)) fail(file, second.take().place, "a second document in the file", "one document");
    return root;
  } catch (const YAML::Exception& error) {
    std::string message = error.msg;
    std::replace_if(
        message.begin(), message.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
    fail(file, place_of(error.mark), message, "YAML");
  }
}

std::string read_text_file(const std::string& path, const YamlLimits& limits) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, {}, "cannot be opened", "a readable file");
  std::string text(limits.bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (in.fail() && !in.eof())) fail(path, {}, "cannot be read", "a readable file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > limits.bytes) fail(path, {}, "the file is too large", "at most " + std::to_string(limits.bytes) + " bytes");
  return text;
}

YamlMap::YamlMap(const YamlValue& value, const std::string& file, std::string_view what) : value_(value), file_(file), what_(what) {
  if (!value.is_map()) fail(file, value.place, what_ + " is " + shown(value), "a map of names and values");
}

const YamlValue* YamlMap::find(std::string_view key) {
  known_.emplace_back(key);
  const auto found = std::find_if(value_.entries.begin(), value_.entries.end(), [&](const auto& entry) { return entry.key == key; });
  return found == value_.entries.end() ? nullptr : &found->value;
}

const YamlValue* YamlMap::find(std::string_view key, std::string_view other_name) {
  const YamlValue* first = find(key);
  const YamlValue* second = find(other_name);
  if (first != nullptr && second != nullptr) {
    fail(file_, second->place, "'" + std::string(key) + "' and '" + std::string(other_name) + "' mean the same", "one of them");
  }
  known_.pop_back();  // suggestions name the first spelling; the second is known where it stands
  if (second != nullptr) known_.emplace_back(other_name);
  return first != nullptr ? first : second;
}

const YamlValue& YamlMap::need(std::string_view key) {
  const YamlValue* found = find(key);
  if (found == nullptr) fail(file_, value_.place, what_ + " has no '" + std::string(key) + "'", "the key '" + std::string(key) + "'");
  return *found;
}

void YamlMap::refuse_unknown() const {
  for (const auto& entry : value_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    std::string expected;
    if (const auto guess = nearest_name(entry.key, known_)) {
      expected = "'" + *guess + "'";
    } else {
      for (const auto& name : known_) expected += (expected.empty() ? "one of " : ", ") + name;
    }
    fail(file_, entry.place, "unknown key '" + shortened(entry.key) + "' in " + what_, expected);
  }
}

const std::string& as_text(const YamlValue& value, const std::string& file, std::string_view expected) {
  if (!value.is_scalar()) fail(file, value.place, shown(value), std::string(expected));
  if (value.text.find('\0') != std::string::npos) fail(file, value.place, "a text with a NUL byte", std::string(expected));
  return value.text;
}

bool as_bool(const YamlValue& value, const std::string& file) {
  if (value.is_scalar() && !value.quoted) {
    if (value.text == "true") return true;
    if (value.text == "false") return false;
  }
  fail(file, value.place, shown(value), "true or false");
}

namespace {

std::optional<std::uint64_t> digits_value(std::string_view digits) {
  if (digits.empty() || digits.size() > 20) return std::nullopt;
  std::uint64_t total = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (total > (UINT64_MAX - digit) / 10) return std::nullopt;
    total = total * 10 + digit;
  }
  return total;
}

std::string range_text(const std::string& least, const std::string& most) { return " from " + least + " to " + most; }

}  // namespace

std::int64_t as_integer(const YamlValue& value, const std::string& file, std::int64_t least, std::int64_t most) {
  const std::string expected = "a whole number" + range_text(std::to_string(least), std::to_string(most));
  if (!value.is_scalar() || value.quoted) fail(file, value.place, shown(value), expected);
  std::string_view text = value.text;
  const bool negative = text.substr(0, 1) == "-";
  if (negative) text.remove_prefix(1);
  const auto size = digits_value(text);
  if (!size || *size > static_cast<std::uint64_t>(INT64_MAX)) fail(file, value.place, shown(value), expected);
  const auto number = negative ? -static_cast<std::int64_t>(*size) : static_cast<std::int64_t>(*size);
  if (number < least || number > most) fail(file, value.place, shown(value) + " is out of range", expected);
  return number;
}

std::uint64_t as_unsigned(const YamlValue& value, const std::string& file, std::uint64_t least, std::uint64_t most) {
  const std::string expected = "a whole number" + range_text(std::to_string(least), std::to_string(most));
  const auto number = value.is_scalar() && !value.quoted ? digits_value(value.text) : std::nullopt;
  if (!number) fail(file, value.place, shown(value), expected);
  if (*number < least || *number > most) fail(file, value.place, shown(value) + " is out of range", expected);
  return *number;
}

double as_number(const YamlValue& value, const std::string& file, double least, double most) {
  std::ostringstream range;
  range << "a number from " << least << " to " << most;
  const auto refuse = [&] { fail(file, value.place, shown(value), range.str()); };
  if (!value.is_scalar() || value.quoted || value.text.size() > 40) refuse();
  if (value.text.find_first_not_of("0123456789+-.eE") != std::string::npos) refuse();
  std::istringstream in(value.text);
  in.imbue(std::locale::classic());
  double number = 0;
  in >> number;
  if (!in || in.peek() != std::istringstream::traits_type::eof() || !std::isfinite(number) || number < least || number > most) refuse();
  return number;
}

clock::Duration as_duration(const YamlValue& value, const std::string& file) {
  if (!value.is_scalar()) fail(file, value.place, shown(value), "a length of time with its unit, as in 20ms, 5s or 2m");
  const auto read = clock::parse_duration(value.text);
  if (const auto* duration = std::get_if<clock::Duration>(&read)) return *duration;
  const auto& error = std::get<clock::TimeControlError>(read);
  Place place = value.place;
  if (!value.quoted) place.column += error.column - 1;
  fail(file, place, "'" + shortened(value.text) + "': " + error.message, "a length of time with its unit, as in 20ms, 5s or 2m");
}

std::uint64_t as_bytes(const YamlValue& value, const std::string& file) {
  const std::string expected = "a size as in 65536, 512KB, 128MB or 1GB";
  if (!value.is_scalar()) fail(file, value.place, shown(value), expected);
  std::string_view text = value.text;
  std::size_t end = text.find_first_not_of("0123456789");
  if (end == std::string_view::npos) end = text.size();
  const auto number = digits_value(text.substr(0, end));
  std::string_view unit = text.substr(end);
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  unsigned shift = 64;
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "K" || unit == "KB" || unit == "KiB") shift = 10;
  if (unit == "M" || unit == "MB" || unit == "MiB") shift = 20;
  if (unit == "G" || unit == "GB" || unit == "GiB") shift = 30;
  if (!number || shift == 64 || *number > (UINT64_MAX >> shift)) fail(file, value.place, shown(value), expected);
  return *number << shift;
}

void refuse_choice(const YamlValue& value, const std::string& file, const std::vector<std::string>& names) {
  std::string expected;
  if (const auto guess = value.is_scalar() ? nearest_name(value.text, names) : std::nullopt) {
    expected = "'" + *guess + "'";
  } else {
    for (const auto& name : names) expected += (expected.empty() ? "one of " : ", ") + name;
  }
  fail(file, value.place, shown(value), expected);
}

std::string shown(const YamlValue& value) {
  switch (value.kind) {
    case YamlValue::Kind::null:
      return "empty";
    case YamlValue::Kind::scalar:
      return "'" + shortened(value.text) + "'";
    case YamlValue::Kind::sequence:
      return "a list";
    case YamlValue::Kind::map:
      return "a map";
  }
  return "";
}

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 40;
  word = word.substr(0, longest);
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '-' ? '_' : c; };
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> found;
  for (const auto& full : names) {
    const std::string_view name = std::string_view(full).substr(0, longest);
    // Edits, and swaps of two neighbours (optimal string alignment), with the last two rows kept.
    std::vector<std::size_t> row(name.size() + 1), above(row), twice_above(row);
    for (std::size_t j = 0; j <= name.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      twice_above.swap(above);
      above.swap(row);
      row[0] = i;
      for (std::size_t j = 1; j <= name.size(); ++j) {
        const bool same = lower(word[i - 1]) == lower(name[j - 1]);
        row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
        const bool swapped = i > 1 && j > 1 && lower(word[i - 1]) == lower(name[j - 2]) && lower(word[i - 2]) == lower(name[j - 1]);
        if (swapped) row[j] = std::min(row[j], twice_above[j - 2] + 1);
      }
    }
    if (row[name.size()] < std::min(best, word.size())) {  // "C" is not near "A"
      best = row[name.size()];
      found = full;
    }
  }
  return found;
}

bool has_controls(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t ahead) { return i + ahead < text.size() ? static_cast<unsigned char>(text[i + ahead]) : 0U; };
    if (byte(0) < 0x20 || byte(0) == 0x7F) return true;
    if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return true;
    if (byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) return true;  // U+202A to U+202E
    if (byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9) return true;  // U+2066 to U+2069
  }
  return false;
}

}  // namespace referee::config
