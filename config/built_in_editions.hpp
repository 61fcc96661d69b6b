// The editions that ship, as the build put them into the binary (scripts/embed.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace referee::config {

struct BuiltInEdition {
  std::string_view id;
  std::string_view yaml;
};
[[nodiscard]] const std::vector<BuiltInEdition>& built_in_editions();

}  // namespace referee::config
