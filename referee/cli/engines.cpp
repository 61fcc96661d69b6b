// `engines`: those that the daemon's match files may name.
#include <chrono>
#include <iostream>
#include <thread>

#include "config/command_path.hpp"
#include "engine_iface/launcher.hpp"
#include "referee/cli/daemon_client.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/daemon/registry.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

void print_engine(const json::object& engine) {
  std::cout << text_of(engine, "name") << "  " << text_of(engine, "command") << "\n  sha256 " << text_of(engine, "sha256") << '\n';
  const json::value* report = engine.if_contains("report");
  if (text_of(engine, "probing") == "true") std::cout << "  is being probed\n";
  if (report == nullptr || !report->is_object()) return;
  int counts[3] = {0, 0, 0};
  for (const json::value& check : report->as_object().at("checks").as_array()) {
    const std::string verdict = text_of(check.as_object(), "verdict");
    ++counts[verdict == "pass" ? 0 : verdict == "tolerated" ? 1 : 2];
  }
  std::cout << "  compliance: " << counts[0] << " pass, " << counts[1] << " tolerated, " << counts[2] << " fail\n";
}

int show(const Arguments& arguments, const Asked& asked) {
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json_text(*asked.answer) << std::endl;
    return exit_done;
  }
  if (asked.answer->is_array()) {
    if (asked.answer->as_array().empty()) std::cout << "no engine is registered (referee engines add NAME -- COMMAND)\n";
    for (const json::value& engine : asked.answer->as_array()) print_engine(engine.as_object());
  } else if (asked.answer->is_object() && asked.answer->as_object().contains("command")) {
    print_engine(asked.answer->as_object());
  } else if (asked.answer->is_object() && asked.answer->as_object().contains("removed")) {
    std::cout << text_of(asked.answer->as_object(), "removed") << " is no longer registered\n";
  }
  std::cout.flush();
  return exit_done;
}

/// Waits for the daemon's report and sums it up.
int probe(const Arguments& arguments, const std::string& target) {
  constexpr std::chrono::minutes longest{15};  // every check of the probe has a limit of its own
  constexpr std::chrono::milliseconds between{500};
  const Asked begun = ask_daemon(arguments, "POST", target + "/probe");
  if (!begun.answer) return begun.exit_code;
  std::cerr << "probing " << arguments.operands()[1] << " (some seconds to a few minutes)" << std::endl;
  const auto until = std::chrono::steady_clock::now() + longest;
  for (;;) {
    const Asked asked = ask_daemon(arguments, "GET", target);
    if (!asked.answer) return asked.exit_code;
    const json::object& engine = asked.answer->as_object();
    const bool busy = text_of(engine, "probing") == "true";
    if (busy && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(between);
      continue;
    }
    if (arguments.has("json"))
      std::cout << json_text(engine) << std::endl;
    else
      print_engine(engine);
    std::cout.flush();
    if (busy) std::cerr << "it is still being probed; `referee engines` shows the report when there is one\n";
    return busy ? exit_fault_found : exit_done;
  }
}

int run(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.empty()) return show(arguments, ask_daemon(arguments, "GET", "/api/v1/engines"));
  if (operands.size() != 2) throw UsageError("expected: referee engines [add NAME -- COMMAND ARGUMENT... | remove NAME | probe NAME]");
  const std::string& name = operands[1];
  const std::string target = "/api/v1/engines/" + daemon::percent_encoded(name);
  if (operands[0] == "remove") return show(arguments, ask_daemon(arguments, "DELETE", target));
  if (operands[0] == "probe") return probe(arguments, target);
  if (operands[0] != "add") throw UsageError("'" + operands[0] + "' is unknown (expected add, remove or probe)");
  if (const auto fault = daemon::fault_of_name(name)) throw UsageError("an engine: " + *fault);
  const auto& words = arguments.rest();
  if (words.empty()) throw UsageError("no command is given (expected: referee engines add NAME -- COMMAND ARGUMENT...)");
  const std::string path = engine::find_executable(words.front(), "");
  if (path.empty()) throw UsageError("no executable file " + words.front() + " (looked in PATH and /usr/games)");
  json::object body{{"name", name}, {"command", path}};
  if (words.size() > 1) {
    json::array rest;
    for (std::size_t i = 1; i < words.size(); ++i) rest.push_back(json::string(words[i]));
    body["arguments"] = std::move(rest);
  }
  if (const auto protocol = arguments.value("protocol")) body["protocol"] = *protocol;
  json::object options;
  for (const std::string& option : arguments.values("option")) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError("--option " + option + " (expected NAME=VALUE)");
    options[option.substr(0, equals)] = option.substr(equals + 1);
  }
  if (!options.empty()) body["options"] = std::move(options);
  return show(arguments, ask_daemon(arguments, "POST", "/api/v1/engines", json_text(body)));
}

}  // namespace

CommandDefinition engines_command() {
  CommandDefinition command;
  command.name = "engines";
  command.summary = "the engines that the daemon's match files may name";
  command.positional = "[add NAME -- COMMAND ARGUMENT... | remove NAME | probe NAME]";
  command.description =
      "A registered engine is named in a match file by `name` alone, and is the only kind that a match file from the network may name. Its "
      "binary's SHA-256 is kept. `probe` has the daemon make its compliance report, waits for it and sums it up; without operands the "
      "engines are listed.";
  command.options = daemon_options();
  command.options.push_back({"protocol", "PROTOCOL", "uci or xboard", false, {"uci", "xboard"}});
  command.options.push_back({"option", "NAME=VALUE", "an option it is always given", true, {}});
  command.options.push_back({"json", "", "print what the API answers", false, {}});
  command.examples = {"referee engines add Stockfish -- stockfish", "referee engines probe Stockfish"};
  command.run = run;
  command.takes_rest = true;
  return command;
}

}  // namespace referee::cli
