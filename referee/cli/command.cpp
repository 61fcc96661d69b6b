#include "referee/cli/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "config/match_file.hpp"
#include "referee/cli/plain_output.hpp"

namespace referee::cli {

namespace {

constexpr std::string_view version = REFEREE_VERSION;

[[nodiscard]] const CommandDefinition* find_command(std::string_view name) {
  const auto& all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& command) { return command.name == name; });
  return found == all.end() ? nullptr : &*found;
}

[[nodiscard]] int complain(const std::string& message) {
  std::cout.flush();
  std::cerr << "referee: " << message << '\n';
  return exit_usage;
}

}  // namespace

int run_command_line(const std::vector<std::string>& words) {
  PlainOutput out(std::cout, STDOUT_FILENO);
  PlainOutput errors(std::cerr, STDERR_FILENO);
  try {
    if (words.empty()) {
      std::cerr << overview_text();
      return exit_usage;
    }
    const std::string& first = words.front();
    if (first == "--help" || first == "-h" || first == "help") {
      if (first == "help" && words.size() > 1) {
        if (const auto* command = find_command(words[1])) {
          std::cout << help_text(*command);
          return exit_done;
        }
        return complain("no command '" + words[1] + "'; see `referee --help`");
      }
      std::cout << overview_text();
      return exit_done;
    }
    if (first == "--version" || first == "-V") {
      std::cout << "referee " << version << '\n';
      return exit_done;
    }
    const auto* command = find_command(first);
    if (command == nullptr) {
      std::vector<std::string> names;
      for (const auto& known : commands()) names.push_back(known.name);
      std::string message = "no command '" + first + "'";
      if (const auto guess = nearest(first, names)) message += " (did you mean '" + *guess + "'?)";
      return complain(message + "; see `referee --help`");
    }
    const Arguments arguments = parse_arguments(*command, {words.begin() + 1, words.end()});
    if (arguments.has("help")) {
      std::cout << help_text(*command);
      return exit_done;
    }
    const int code = command->run(arguments);
    std::cout.flush();
    if (!std::cout) {
      std::cerr << "referee: standard output could not be written\n";
      return exit_fault_found;
    }
    return code;
  } catch (const UsageError& error) { return complain(error.what()); } catch (const config::ConfigException& error) {
    // `file:line:column: ...` stands first, as editors and scripts expect it.
    std::cout.flush();
    std::cerr << error.what() << '\n';
    return exit_usage;
  } catch (const std::exception& error) {
    std::cout.flush();
    std::cerr << "referee: " << error.what() << '\n';
    return exit_fault_found;
  }
}

}  // namespace referee::cli
