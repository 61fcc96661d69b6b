// Search reports of UCI engines (PROTOCOLS 2.4): a cheap look at every line, a full reading of the few that are wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

/// Everything one `info` line says. Unknown words are skipped; a number that is none is left out.
[[nodiscard]] SearchInfo parse_uci_info(std::string_view line);

/// What the cheap look sees.
struct UciInfoGlance {
  bool wanted = false;  // holds a score or a line of play of the first variation
  std::optional<int> depth;
};
[[nodiscard]] UciInfoGlance glance_at_uci_info(std::string_view line) noexcept;

}  // namespace referee::engine
