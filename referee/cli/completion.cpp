#include <iostream>

#include "referee/cli/registry.hpp"

namespace referee::cli {

CommandDefinition completion_command() {
  return {"completion",
          "print a shell completion script",
          "bash|zsh|fish",
          "",
          {},
          {"referee completion bash > /etc/bash_completion.d/referee"},
          [](const Arguments& arguments) {
            if (arguments.operands().size() != 1) throw UsageError("completion: name one shell (expected bash, zsh or fish)");
            std::cout << completion_script(arguments.operands().front());
            return exit_done;
          },
          false};
}

CommandDefinition man_command() {
  return {
      "man",
      "print the manual page",
      "",
      "",
      {},
      {"referee man > /usr/share/man/man1/referee.1"},
      [](const Arguments& arguments) {
        if (!arguments.operands().empty())
          throw UsageError("man: '" + arguments.operands().front() + "' says nothing here (expected no more: one page has all commands)");
        std::cout << man_page();
        return exit_done;
      },
      false};
}

}  // namespace referee::cli
