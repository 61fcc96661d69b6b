// The query parameters that the API knows, operation by operation: a misspelt one is refused, not passed over.
#pragma once

#include <optional>
#include <string>
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

}  // namespace referee::daemon
