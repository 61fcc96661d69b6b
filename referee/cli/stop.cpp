// `stop pause resume priority`: orders about a whole match of the daemon.
#include <cstdlib>
#include <iostream>

#include "referee/cli/daemon_client.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

int give(const Arguments& arguments, const std::string& method, const std::string& target, const json::object& body) {
  const Asked asked = ask_daemon(arguments, method, target, json_text(body));
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json_text(*asked.answer) << std::endl;
    return exit_done;
  }
  const json::object& match = asked.answer->as_object();
  std::cout << "match " << text_of(match, "id") << " is " << text_of(match, "state") << ", priority " << text_of(match, "priority");
  if (const std::string running = text_of(match, "running"); running != "0") std::cout << ", " << running << " games running";
  std::cout << std::endl;
  return exit_done;
}

std::string path_of(const Arguments& arguments, std::size_t operands, const char* usage) {
  if (arguments.operands().size() != operands) throw UsageError(std::string("expected: ") + usage);
  return "/api/v1/matches/" + std::to_string(match_number(arguments.operands().front()));
}

CommandDefinition about_a_match(std::string name, std::string summary, std::string positional) {
  CommandDefinition command;
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.positional = std::move(positional);
  command.options = daemon_options();
  command.options.push_back({"json", "", "print the match as one JSON object", false, {}});
  return command;
}

}  // namespace

CommandDefinition stop_command() {
  CommandDefinition command = about_a_match("stop", "stop a match of the daemon; `resume` goes on with it", "MATCH");
  command.description =
      "Running games are finished first, unless --now is given; then they are continued or played anew by `on_interrupt`.";
  command.options.push_back({"now", "", "do not finish the running games", false, {}});
  command.examples = {"referee stop 3", "referee stop --now 3"};
  command.run = [](const Arguments& arguments) {
    return give(arguments, "POST", path_of(arguments, 1, "referee stop MATCH") + "/stop", {{"at_once", arguments.has("now")}});
  };
  return command;
}

CommandDefinition pause_command() {
  CommandDefinition command = about_a_match("pause", "let a match of the daemon start no more games for now", "MATCH");
  command.description = "Running games are played to their end.";
  command.examples = {"referee pause 3"};
  command.run = [](const Arguments& arguments) {
    return give(arguments, "POST", path_of(arguments, 1, "referee pause MATCH") + "/pause", {});
  };
  return command;
}

CommandDefinition resume_command() {
  CommandDefinition command = about_a_match("resume", "go on with a paused, stopped or failed match of the daemon", "MATCH");
  command.description = "A match whose binaries, books or options have changed since goes on only with --accept-change, which is recorded.";
  command.options.push_back({"accept-change", "", "go on although something changed, and record that", false, {}});
  command.examples = {"referee resume 3"};
  command.run = [](const Arguments& arguments) {
    return give(arguments, "POST", path_of(arguments, 1, "referee resume MATCH") + "/resume",
                {{"accept_changes", arguments.has("accept-change")}});
  };
  return command;
}

CommandDefinition priority_command() {
  CommandDefinition command = about_a_match("priority", "say how urgent a match of the daemon is", "MATCH N");
  command.description = "-100 to 100; the higher is served first, equals share the cores.";
  command.examples = {"referee priority 3 10"};
  command.run = [](const Arguments& arguments) {
    const std::string path = path_of(arguments, 2, "referee priority MATCH N");
    const std::string& text = arguments.operands().back();
    char* end = nullptr;
    const long priority = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || priority < -100 || priority > 100)
      throw UsageError("'" + text + "' is no priority (expected -100 to 100)");
    return give(arguments, "PATCH", path, {{"priority", priority}});
  };
  return command;
}

}  // namespace referee::cli
