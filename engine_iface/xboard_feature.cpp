#include "engine_iface/xboard_feature.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine_iface/text.hpp"

namespace referee::engine {

std::vector<XboardSetting> parse_features(std::string_view text) {
  std::vector<XboardSetting> settings;
  std::size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < text.size() && is_blank(text[at])) ++at;
  };
  while (skip_blanks(), at < text.size()) {
    const auto name_begin = at;
    while (at < text.size() && !is_blank(text[at]) && text[at] != '=') ++at;
    const auto name = text.substr(name_begin, at - name_begin);
    skip_blanks();
    if (at == text.size() || text[at] != '=') continue;  // a word that sets nothing
    ++at;
    skip_blanks();
    std::string_view value;
    if (at < text.size() && text[at] == '"') {
      const auto end = std::min(text.find('"', at + 1), text.size());
      value = text.substr(at + 1, end - at - 1);
      at = std::min(end + 1, text.size());
    } else {
      const auto begin = at;
      while (at < text.size() && !is_blank(text[at])) ++at;
      value = text.substr(begin, at - begin);
    }
    if (!name.empty()) settings.push_back(XboardSetting{std::string(name), std::string(value)});
  }
  return settings;
}

namespace {

constexpr std::array<std::string_view, 10> option_types{"button", "save", "reset", "check",  "string",
                                                        "file",   "path", "spin",  "slider", "combo"};

/// Where the dash of ` -type` stands; npos if nowhere.
std::size_t find_type(std::string_view text, std::string_view& type) noexcept {
  for (auto at = text.find(" -"); at != std::string_view::npos; at = text.find(" -", at + 1)) {
    const auto word = Words(text.substr(at + 2)).next();
    const auto known = std::find(option_types.begin(), option_types.end(), word);
    if (known != option_types.end() && !is_blank(text[at + 2])) {
      type = *known;
      return at;
    }
  }
  return std::string_view::npos;
}

void read_choices(std::string_view text, EngineIdentity::DeclaredOption& option) {
  while (true) {
    const auto end = text.find("///");
    auto choice = trimmed(text.substr(0, end));
    const bool current = choice.starts_with('*');
    if (current) choice.remove_prefix(1);
    if (!choice.empty()) {
      option.choices.emplace_back(choice);
      if (current) option.default_value = choice;
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 3);
  }
}

}  // namespace

std::optional<EngineIdentity::DeclaredOption> parse_xboard_option(std::string_view text) {
  std::string_view type;
  const auto type_at = find_type(text, type);
  if (type_at == std::string_view::npos) return std::nullopt;
  EngineIdentity::DeclaredOption option;
  option.name = trimmed(text.substr(0, type_at));
  option.type = type;
  if (option.name.empty()) return std::nullopt;

  const auto value = trimmed(text.substr(type_at + 2 + type.size()));
  if (type == "combo") {
    read_choices(value, option);
  } else if (type == "spin" || type == "slider") {
    Words words(value);
    const auto now = parse_integer<long long>(words.next());
    option.min = parse_integer<long long>(words.next());
    option.max = parse_integer<long long>(words.next());
    if (!now || !option.min || !option.max || *option.min > *option.max) return std::nullopt;
    option.default_value = std::to_string(std::clamp(*now, *option.min, *option.max));
  } else if (type == "check" || type == "string" || type == "file" || type == "path") {
    option.default_value = value;
  }
  return option;
}

bool XboardFeatures::set(const XboardSetting& setting) {
  const std::pair<std::string_view, bool XboardFeatures::*> flags[] = {
      {"ping", &XboardFeatures::ping},       {"setboard", &XboardFeatures::setboard}, {"playother", &XboardFeatures::playother},
      {"san", &XboardFeatures::san},         {"usermove", &XboardFeatures::usermove}, {"time", &XboardFeatures::time},
      {"draw", &XboardFeatures::draw},       {"sigint", &XboardFeatures::sigint},     {"sigterm", &XboardFeatures::sigterm},
      {"reuse", &XboardFeatures::reuse},     {"analyze", &XboardFeatures::analyze},   {"colors", &XboardFeatures::colors},
      {"ics", &XboardFeatures::ics},         {"name", &XboardFeatures::name},         {"pause", &XboardFeatures::pause},
      {"debug", &XboardFeatures::debug},     {"memory", &XboardFeatures::memory},     {"smp", &XboardFeatures::smp},
      {"exclude", &XboardFeatures::exclude}, {"setscore", &XboardFeatures::setscore}, {"highlight", &XboardFeatures::highlight}};
  if (setting.name == "variants") {
    variants = setting.value;
    return true;
  }
  if (setting.name == "egt") {
    endgame_tables = setting.value;
    return true;
  }
  const auto number = parse_integer<int>(setting.value);
  if (!number) return false;
  if (setting.name == "nps") {
    nps = *number != 0;
    return true;
  }
  for (const auto& [flag, member] : flags) {
    if (setting.name != flag) continue;
    this->*member = *number != 0;
    return true;
  }
  return false;
}

bool XboardFeatures::plays(std::string_view variant) const noexcept {
  if (!variants) return true;
  std::string_view list = *variants;
  while (!list.empty()) {
    const auto comma = list.find(',');
    auto entry = trimmed(list.substr(0, comma));
    // "10x8+0_capablanca": board and holdings stand before the name.
    if (const auto prefix = entry.find('_'); prefix != std::string_view::npos && !entry.empty() && entry[0] >= '0' && entry[0] <= '9')
      entry.remove_prefix(prefix + 1);
    if (entry == variant) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace referee::engine
