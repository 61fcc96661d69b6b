// One function a subcommand; each is defined in the file of its name and listed once in registry.cpp.
#pragma once

#include "referee/cli/command.hpp"

namespace referee::cli {

[[nodiscard]] CommandDefinition completion_command();
[[nodiscard]] CommandDefinition man_command();

}  // namespace referee::cli
