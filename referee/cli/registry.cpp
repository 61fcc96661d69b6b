#include "referee/cli/registry.hpp"

namespace referee::cli {

const std::vector<CommandDefinition>& commands() {
  // In the order of the table in README and `referee --help`.
  static const std::vector<CommandDefinition> all = {
      completion_command(),
      man_command(),
  };
  return all;
}

}  // namespace referee::cli
