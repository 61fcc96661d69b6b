// The query parameters that the API knows, operation by operation: a misspelt one is refused, not passed over; how their numbers are read.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/daemon/http.hpp"

namespace referee::daemon {

struct KnownParameter {
  std::string name;
  enum class Times { once, often } times = Times::once;
};
/// What may stand behind the `?` of this request; nothing for most.
[[nodiscard]] std::vector<KnownParameter> known_parameters(const Request& request);

/// Why the request's parameters are refused, with the known name that is nearest; nullopt if they are not.
[[nodiscard]] std::optional<std::string> fault_of_parameters(const Request& request);

/// nullopt if it is anything else, or too large.
template <class Integer>
[[nodiscard]] std::optional<Integer> whole_number(std::string_view text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Throws Refusal (400) that names the parameter, what it is and what was expected.
template <class Integer>
[[nodiscard]] Integer whole_number_from(std::string_view name, std::string_view text, Integer least, Integer most) {
  const auto value = whole_number<Integer>(text);
  if (value && *value >= least && *value <= most) return *value;
  throw Refusal(400, "'" + std::string(name) + "' is " + std::string(text) + " (expected a number from " + std::to_string(least) + " to " +
                         std::to_string(most) + ")");
}

}  // namespace referee::daemon
