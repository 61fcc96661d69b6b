#include "referee/daemon/parameters.hpp"

#include <algorithm>

#include "config/yaml.hpp"

namespace referee::daemon {

namespace {

constexpr std::size_t longest_shown = 60;

std::string shown_name(const std::string& name) {
  return "'" + (name.size() > longest_shown ? name.substr(0, longest_shown) + "..." : name) + "'";
}

}  // namespace

std::vector<KnownParameter> known_parameters(const Request& request) {
  const auto& words = request.segments;
  if (words.size() < 3 || words[0] != "api" || request.method != "GET") return {};
  const auto often = KnownParameter::Times::often;
  const std::string& what = words[2];
  if (words.size() == 3) {
    if (what == "ratings") return {{"match", often}, {"min_games"}};
    if (what == "ratings.html") return {{"match", often}, {"min_games"}, {"title"}};
    if (what == "audit") return {{"from"}, {"limit"}};
    if (what == "live") return {{"match", often}, {"from", often}};
  }
  if (what != "matches") return {};
  if (words.size() == 5 && (words[4] == "games" || words[4] == "faults")) return {{"last"}, {"from"}, {"limit"}};
  if (words.size() == 5 && words[4] == "events") return {{"from"}, {"limit"}};
  if (words.size() == 7 && words[4] == "games" && words[6] == "scoresheet") return {{"language"}, {"text"}};
  return {};
}

std::optional<std::string> fault_of_parameters(const Request& request) {
  if (request.query.empty()) return std::nullopt;
  const std::vector<KnownParameter> known = known_parameters(request);
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const KnownParameter& parameter : known) names.push_back(parameter.name);
  for (std::size_t i = 0; i < request.query.size(); ++i) {
    const std::string& name = request.query[i].first;
    const auto found = std::ranges::find(known, name, &KnownParameter::name);
    if (found == known.end()) {
      std::string fault = "unknown parameter " + shown_name(name);
      if (names.empty()) return fault + " (expected none here)";
      if (const auto guess = config::nearest_name(name, names)) return fault + " (did you mean '" + *guess + "'?)";
      fault += " (expected one of ";
      for (std::size_t k = 0; k < names.size(); ++k) fault += (k > 0 ? ", " : "") + names[k];
      return fault + ")";
    }
    const auto before = request.query.begin() + static_cast<std::ptrdiff_t>(i);
    const bool again = std::any_of(request.query.begin(), before, [&name](const auto& entry) { return entry.first == name; });
    if (again && found->times == KnownParameter::Times::once) return "parameter '" + name + "' is given twice (expected once)";
  }
  return std::nullopt;
}

}  // namespace referee::daemon
