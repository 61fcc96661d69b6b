#include "referee/cli/match_output.hpp"
#include "referee/cli/json_text.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <iostream>

#include "engine_iface/launcher.hpp"
#include "referee/cli/together.hpp"
#include "referee/game/outcome.hpp"
#include "referee/match/game_json.hpp"
#include "referee/match/openings.hpp"
#include "referee/match/sprt_json.hpp"
#include "referee/match/standings_json.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

json::object result_json(const match::MatchResult& result) {
  json::array games;
  for (const record::GameRow& row : result.games) games.push_back(match::game_json(row));
  json::array standings;
  for (const match::StandingsRow& row : result.standings) standings.push_back(match::standing_json(row));
  json::array faults;
  for (const record::EngineFault& fault : result.faults) {
    const std::string_view reason = game::code(fault.reason);
    faults.push_back(json::object{{"game", fault.game == 0 ? json::value(nullptr) : json::value(fault.game)},
                                  {"engine", fault.engine},
                                  {"reason", json::string(reason.data(), reason.size())},
                                  {"detail", fault.detail}});
  }
  json::array warnings;
  for (const auto& warning : result.warnings)
    warnings.push_back(json::object{{"engine", warning.engine}, {"kind", warning.kind}, {"count", warning.count}});
  json::array withdrawn;
  for (const record::EngineWithdrawn& engine : result.withdrawn)
    withdrawn.push_back(json::object{{"engine", engine.engine}, {"why", engine.why}});
  json::object out{{"games", std::move(games)},
                   {"standings", std::move(standings)},
                   {"faults", std::move(faults)},
                   {"warnings", std::move(warnings)},
                   {"withdrawn", std::move(withdrawn)},
                   {"planned", result.planned},
                   {"complete", result.end == match::MatchResult::End::complete},
                   {"identical_games", result.identical_games},
                   {"pgn", result.pgn_path},
                   {"journal", result.journal_path}};
  match::put_course(out, result.course, result.engines, result.kind);
  if (!result.changed_since.empty()) out["changed_since"] = json::value_from(result.changed_since);
  if (result.test) out["sprt"] = match::sprt_json(result.test->parameters(), result.test->counts(), result.test->report());
  return out;
}

int exit_code(const match::MatchResult& result, const Arguments& arguments) {
  switch (result.end) {
    case match::MatchResult::End::interrupted:
      return exit_sigint;
    case match::MatchResult::End::terminated:
      return exit_sigterm;
    case match::MatchResult::End::record_failed:
      return exit_fault_found;
    case match::MatchResult::End::closed:  // stopped, resumable, as after a SIGTERM; whoever asks for a verdict gets "undecided"
      if (!arguments.has("gate")) return exit_sigterm;
      break;
    case match::MatchResult::End::complete:
      break;
  }
  if (arguments.has("gate")) {
    if (!result.test || !result.test->decided()) return exit_gate_undecided;
    return result.test->report().state == stats::SprtState::accept_h1 ? exit_done : exit_gate_h0;
  }
  // One whose games another engine has taken over no longer counts.
  const auto takes_part = [&result](const record::EngineWithdrawn& withdrawn) {
    return std::ranges::any_of(result.standings, [&](const match::StandingsRow& row) { return row.engine == withdrawn.engine; });
  };
  if (std::ranges::any_of(result.withdrawn, takes_part)) return exit_fault_found;
  return arguments.has("strict") && !result.faults.empty() ? exit_fault_found : exit_done;
}

int refuse(const std::exception& error) {
  std::cout.flush();
  std::cerr << error.what() << '\n';
  return exit_usage;
}

}  // namespace

std::vector<OptionDefinition> playing_options() {
  return {
      {"json", "", "print the result as one JSON object on stdout; progress goes to stderr", false, {}},
      {"fresh", "", "start anew; the old journal is kept beside as *.old", false, {}},
      {"accept-change", "", "go on although a binary, book or option changed, and record that", false, {}},
      {"strict", "", "exit 1 if any engine was at fault in any game", false, {}},
      {"gate", "", "exit by the verdict of the sequential test: 0 H1, 3 H0, 4 undecided", false, {}},
      {"concurrency", "N", "games at once; 'auto' is (physical cores - 1) / threads of an engine", false, {}},
  };
}

void check_playing_options(const config::MatchFile& file, const Arguments& arguments) {
  exclude(arguments, "fresh", "accept-change");
  if (arguments.has("gate") && !file.sprt)
    throw UsageError("option --gate answers for a sequential test, and there is none (expected --sprt, or `sprt:` in the match file)");
}

void set_concurrency(config::MatchFile& file, const Arguments& arguments) {
  if (arguments.value("concurrency") == "auto")
    file.concurrency.reset();
  else if (const auto games = arguments.integer("concurrency", 1, 10'000))
    file.concurrency = static_cast<int>(*games);
}

std::string command_to_go_on(const std::string& path, const Arguments& arguments) {
  const bool plain =
      path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%=") == std::string::npos;
  std::string quoted;
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::string command = "referee run " + (plain && !path.empty() ? path : "'" + quoted + "'");
  for (const char* option : {"gate", "strict", "json"}) {
    if (arguments.has(option)) command += std::string(" --") + option;
  }
  if (const auto games = arguments.value("concurrency")) command += " --concurrency " + *games;
  return command;
}

int play_match(config::MatchFile file, const std::string& file_text, const std::string& to_go_on, const Arguments& arguments) {
  check_playing_options(file, arguments);
  set_concurrency(file, arguments);
  match::RunSettings settings;
  if (arguments.has("fresh")) settings.start = match::RunSettings::Start::fresh;
  if (arguments.has("accept-change")) settings.changes = match::RunSettings::Changes::accept;
  std::FILE* const out = arguments.has("json") ? stderr : stdout;
  match::Console console(out, match::kind_of_console(out));
  try {
    const match::MatchResult result = match::run_match(std::move(file), file_text, settings, console);
    match::print_result(result, to_go_on, console);
    if (arguments.has("json")) std::cout << json_text(result_json(result)) << std::endl;
    return exit_code(result, arguments);
  } catch (const match::MatchRefused& error) { return refuse(error); } catch (const match::BookException& error) {
    return refuse(error);
  } catch (const record::JournalError& error) { return refuse(error); } catch (const engine::LaunchError& error) {
    return refuse(error);
  }
}

}  // namespace referee::cli
