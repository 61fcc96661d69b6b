// referee probe -- ENGINE ARGS: the compliance report of one engine.
#include <unistd.h>

#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "engine_iface/launcher.hpp"
#include "engine_iface/probe.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/plain_output.hpp"
#include "referee/cli/registry.hpp"
#include "referee/game/printable.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

json::object to_json(const engine::ProbeReport& report) {
  json::array checks;
  for (const auto& check : report.checks) {
    checks.push_back(json::object{{"id", check.id},
                                  {"section", check.section},
                                  {"verdict", engine::name(check.verdict)},
                                  {"sent", check.sent},
                                  {"seen", check.seen}});
  }
  return json::object{{"engine", report.engine}, {"protocol", engine::name(report.protocol)}, {"checks", std::move(checks)}};
}

constexpr std::string_view clear_line = "\r\x1b[K";

void print_check(std::ostream& out, const engine::ProbeCheck& check) {
  out << std::left << std::setw(10) << engine::name(check.verdict) << ' ' << std::setw(28) << check.id << ' ' << game::printable(check.seen)
      << '\n';
  if (check.verdict != engine::ProbeVerdict::pass) {
    out << std::string(11, ' ') << "  " << check.section << "; sent: " << (check.sent.empty() ? "nothing" : check.sent) << '\n';
  }
  out << std::flush;
}

int run_probe(const Arguments& arguments) {
  auto words = arguments.rest();
  if (words.empty()) words = arguments.operands();
  if (words.empty()) throw UsageError("probe: an engine is expected (referee probe -- ENGINE ARGS)");

  engine::EngineCommand command;
  command.command = engine::find_executable(words.front(), "");
  if (command.command.empty()) throw UsageError("probe: no executable file " + words.front() + " (looked in PATH and /usr/games)");
  command.arguments.assign(words.begin() + 1, words.end());
  if (words.front().find('/') != std::string::npos) command.folder = command.command.substr(0, command.command.rfind('/'));

  engine::ProbeSettings settings;
  if (const auto protocol = arguments.value("protocol"))
    settings.protocol = *protocol == "uci" ? engine::ProtocolKind::uci : engine::ProtocolKind::xboard;
  const bool as_json = arguments.has("json");
  if (const auto minutes = arguments.integer("minutes", 1, 1440)) settings.whole = std::chrono::minutes(*minutes);
  // A terminal shows the check that is being made, on a line that goes away again; a log has what is waited for before the first.
  const bool transient = ::isatty(STDERR_FILENO) == 1;
  settings.on_begin = [&](const std::string& what) {
    if (transient) {
      steer_terminal(std::cerr, clear_line);
      std::cerr << "... " << what << std::flush;
    } else if (what.find(' ') != std::string::npos) {
      std::cerr << what << std::endl;
    }
  };
  settings.on_check = [&](const engine::ProbeCheck& check) {
    if (transient) steer_terminal(std::cerr, clear_line);
    print_check(as_json ? std::cerr : std::cout, check);
  };

  engine::LauncherSettings launching;
  launching.run_id = "probe-" + std::to_string(::getpid());
  launching.on_notice = [](const std::string& notice) { std::cerr << "referee: " << notice << '\n'; };
  const engine::Launcher launcher(std::move(launching));

  const auto report = engine::probe_engine(launcher, command, settings);
  std::size_t counts[3] = {0, 0, 0};
  for (const auto& check : report.checks) ++counts[static_cast<std::size_t>(check.verdict)];
  if (as_json) {
    std::cout << json_text(to_json(report)) << std::endl;
  } else {
    std::cout << '\n'
              << game::printable(report.engine) << " (" << engine::name(report.protocol) << "): " << counts[0] << " pass, " << counts[1]
              << " tolerated, " << counts[2] << " fail" << std::endl;
  }
  return counts[static_cast<std::size_t>(engine::ProbeVerdict::fail)] == 0 ? exit_done : exit_fault_found;
}

}  // namespace

CommandDefinition probe_command() {
  CommandDefinition command;
  command.name = "probe";
  command.summary = "protocol compliance report of one engine";
  command.positional = "-- ENGINE [ARGUMENT...]";
  command.description =
      "Starts the engine, many times if need be, and checks what a match will ask of it: handshake, options, legal moves, limits, "
      "stopping, "
      "pondering, Chess960, long games, odd input, and its ends. Each check says what was sent, what was seen, and pass, tolerated (not "
      "what the "
      "protocol says, but a match can live with it) or fail. All checks are done whatever fails; the exit code is 1 if one did. A program "
      "that answers neither protocol is given up after "
      "its first greeting.";
  command.options = {
      {"protocol", "PROTOCOL", "uci or xboard (default: uci, and xboard if the engine does not answer that)", false, {"uci", "xboard"}},
      {"minutes", "N", "checks that have not begun by then are not reached (default 5)", false, {}},
      {"json", "", "print the report as one JSON object; the checks go to stderr as they are done", false, {}},
  };
  command.examples = {"referee probe -- stockfish", "referee probe --protocol xboard --json -- /usr/games/gnuchess --xboard"};
  command.takes_rest = true;
  command.run = run_probe;
  return command;
}

}  // namespace referee::cli
