// `submit`: hands a match file to the daemon.
#include <filesystem>
#include <iostream>

#include "config/yaml.hpp"
#include "referee/cli/daemon_client.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/record/json.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

int run(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("submit takes one match file (expected: referee submit MATCH.yaml)");
  if (arguments.operands().front().empty()) throw UsageError("submit: the name of the match file is empty (expected a file)");
  const std::string path = std::filesystem::absolute(arguments.operands().front()).string();
  const std::string text = config::read_text_file(path);
  // What is no match file at all is said here, with the place in the file as it was named; engines only the daemon knows.
  (void)config::parse_yaml(text, arguments.operands().front());
  if (record::valid_utf8(text) != text) throw UsageError(arguments.operands().front() + ": is not UTF-8 (expected a match file as text)");
  json::object body{{"match", text}};
  if (!arguments.has("connect")) body["path"] = path;
  if (const auto priority = arguments.integer("priority", -100, 100)) body["priority"] = *priority;
  const Asked asked = ask_daemon(arguments, "POST", "/api/v1/matches", json_text(body));
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json_text(*asked.answer) << std::endl;
    return exit_done;
  }
  const json::object& match = asked.answer->as_object();
  std::cout << "match " << text_of(match, "id") << ": " << text_of(match, "event") << ", " << text_of(match, "planned")
            << " games, priority " << text_of(match, "priority") << std::endl;
  return exit_done;
}

}  // namespace

CommandDefinition submit_command() {
  CommandDefinition command;
  command.name = "submit";
  command.summary = "hand a match file to the daemon";
  command.positional = "MATCH.yaml";
  command.description =
      "The daemon plays the match when its priority and the machine's cores allow it. Relative paths in the file start at the file, as "
      "with "
      "`run`; an engine without `command` is the registered one of that name (`referee engines`). Results are kept in the daemon's data "
      "folder, whatever `output.folder` says. Over --connect only registered engines can be named.";
  command.options = daemon_options();
  command.options.push_back({"priority", "N", "-100 to 100; higher is served first (default 0)", false, {}});
  command.options.push_back({"json", "", "print the match as one JSON object", false, {}});
  command.examples = {"referee submit matches/demo.yaml", "referee submit --priority 10 regression.yaml"};
  command.run = run;
  return command;
}

}  // namespace referee::cli
