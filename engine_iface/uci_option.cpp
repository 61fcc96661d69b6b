#include "engine_iface/uci_option.hpp"

#include <algorithm>
#include <array>

#include "engine_iface/text.hpp"

namespace referee::engine {

namespace {

constexpr std::array<std::string_view, 8> known_types{"check", "spin", "combo", "button", "string", "file", "filename", "path"};

bool is_known_type(std::string_view word) noexcept {
  return std::any_of(known_types.begin(), known_types.end(), [&](std::string_view type) { return equal_ignoring_case(type, word); });
}

/// Where `word` stands free in `text`, from `from` on; npos if nowhere.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) noexcept {
  for (auto at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || is_blank(text[at - 1])) && (end == text.size() || is_blank(text[end]))) return at;
  }
  return std::string_view::npos;
}

/// The ` type ` that ends the name: one that a known type follows, else the first one. A name may contain the word.
std::size_t find_type(std::string_view text) noexcept {
  for (auto at = find_word(text, "type"); at != std::string_view::npos; at = find_word(text, "type", at + 1)) {
    if (is_known_type(Words(text.substr(at + 4)).next())) return at;
  }
  return find_word(text, "type");
}

std::string value_text(std::string_view text) { return text == "<empty>" ? std::string() : std::string(text); }

/// Does this word begin another attribute of an option of the type ("": not known yet)?
bool is_keyword(std::string_view word, std::string_view type) noexcept {
  if (word == "default") return true;
  if (word == "min" || word == "max") return type != "combo";
  return word == "var" && (type == "combo" || type.empty());
}

/// Where the first attribute begins; the length of the text if there is none.
std::size_t find_attributes(std::string_view text) noexcept {
  Words words(text);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (is_keyword(word, "")) return static_cast<std::size_t>(word.data() - text.data());
  }
  return text.size();
}

void set_attribute(EngineIdentity::DeclaredOption& option, std::string_view keyword, std::string_view value) {
  if (keyword == "default") {
    option.default_value = value_text(value);
  } else if (keyword == "min") {
    option.min = parse_integer<long long>(value);
  } else if (keyword == "max") {
    option.max = parse_integer<long long>(value);
  } else if (keyword == "var" && !value.empty()) {
    option.choices.emplace_back(value);
  }
}

/// Each value ends where the next keyword begins.
void read_attributes(std::string_view text, EngineIdentity::DeclaredOption& option) {
  const std::string_view type = option.type;
  if (type == "string" || type == "file" || type == "filename" || type == "path") {
    // The rest of the line is the default, whatever words it holds.
    const auto at = find_word(text, "default");
    if (at != std::string_view::npos) option.default_value = value_text(trimmed(text.substr(at + 7)));
    return;
  }
  std::string_view keyword;
  std::size_t value_at = 0;
  Words words(text);
  std::string_view before;
  for (auto word = words.next(); !word.empty(); before = word, word = words.next()) {
    if (!is_keyword(word, type)) continue;
    // A choice may be called default: there is one default, and none in the place of a value.
    if (word == "default" && !keyword.empty() && before.data() == keyword.data()) continue;
    const auto here = static_cast<std::size_t>(word.data() - text.data());
    set_attribute(option, keyword, trimmed(text.substr(value_at, here - value_at)));
    keyword = word;
    value_at = here + word.size();
  }
  set_attribute(option, keyword, trimmed(text.substr(value_at)));
}

}  // namespace

std::optional<UciOptionDeclaration> parse_uci_option(std::string_view text) {
  text = trimmed(text);
  const auto name_at = find_word(text, "name");
  if (name_at == std::string_view::npos) return std::nullopt;
  text = text.substr(name_at + 4);

  UciOptionDeclaration read;
  auto& option = read.option;
  const auto type_at = find_type(text);
  if (type_at == std::string_view::npos) {
    read.oddity = "option without a type, taken as a string";
    const auto end = find_attributes(text);
    option.name = trimmed(text.substr(0, end));
    option.type = "string";
    read_attributes(text.substr(end), option);
  } else {
    option.name = trimmed(text.substr(0, type_at));
    Words words(text.substr(type_at + 4));
    const std::string_view type = words.next();
    for (const char c : type) option.type += lower(c);
    if (!is_known_type(type)) {
      read.oddity = "option of an unknown type, taken as a string";
      option.type = "string";
    }
    read_attributes(words.rest(), option);
    if (option.type == "spin" && (!option.min || !option.max)) read.oddity = "spin option without whole-number min and max";
    if (option.type == "combo" && option.choices.empty()) read.oddity = "combo option without choices";
  }
  if (option.name.empty()) return std::nullopt;
  return read;
}

bool is_same_option(std::string_view one, std::string_view other) noexcept {
  Words first(one), second(other);
  for (;;) {
    const auto word = first.next();
    if (!equal_ignoring_case(word, second.next())) return false;
    if (word.empty()) return true;
  }
}

std::string comparable_option_name(std::string_view name) {
  std::string comparable;
  Words words(name);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (!comparable.empty()) comparable += ' ';
    for (const char c : word) comparable += lower(c);
  }
  return comparable;
}

const EngineIdentity::DeclaredOption* find_option(const EngineIdentity& identity, std::string_view name) noexcept {
  for (const auto& option : identity.options) {
    if (is_same_option(option.name, name)) return &option;
  }
  return nullptr;
}

std::variant<std::string, RefusedValue> checked_option_value(const EngineIdentity::DeclaredOption& option, std::string_view value) {
  value = trimmed(value);
  if (option.type == "check") {
    for (const std::string_view yes : {"true", "1", "on", "yes"}) {
      if (equal_ignoring_case(value, yes)) return "true";
    }
    for (const std::string_view no : {"false", "0", "off", "no"}) {
      if (equal_ignoring_case(value, no)) return "false";
    }
    return RefusedValue{"must be true or false"};
  }
  if (option.type == "spin" || option.type == "slider") {
    const auto number = parse_integer<long long>(value);
    if (!number) return RefusedValue{"must be a whole number"};
    if ((option.min && *number < *option.min) || (option.max && *number > *option.max)) {
      const auto bound = [](const std::optional<long long>& limit) { return limit ? std::to_string(*limit) : std::string(); };
      return RefusedValue{"must lie in " + bound(option.min) + ".." + bound(option.max)};
    }
    return std::to_string(*number);
  }
  if (option.type == "combo") {
    if (option.choices.empty()) return std::string(value);
    std::string all;
    for (const auto& choice : option.choices) {
      if (equal_ignoring_case(choice, value)) return choice;
      all.append(all.empty() ? "" : ", ").append(choice);
    }
    return RefusedValue{"must be one of " + all};
  }
  if (value.find_first_of("\r\n") != std::string_view::npos) return RefusedValue{"must not hold a line end"};
  return std::string(value);
}

}  // namespace referee::engine
