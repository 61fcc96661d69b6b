// `status`: what the daemon plays.
#include <cstdio>
#include <iostream>

#include "referee/cli/daemon_client.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

void print_match_line(const json::object& match) {
  std::string line(200, '\0');
  const int size = std::snprintf(line.data(), line.size(), "%4s  %-9s %4s  %6s of %-6s %3s running  ", text_of(match, "id").c_str(),
                                 text_of(match, "state").c_str(), text_of(match, "priority").c_str(), text_of(match, "finished").c_str(),
                                 text_of(match, "planned").c_str(), text_of(match, "running").c_str());
  line.resize(static_cast<std::size_t>(std::max(size, 0)));
  std::cout << line << text_of(match, "event");
  if (const std::string adjourned = text_of(match, "adjourned"); adjourned != "0" && !adjourned.empty())
    std::cout << "  (" << adjourned << " adjourned)";
  std::cout << '\n';
  if (const std::string problem = text_of(match, "problem"); !problem.empty()) std::cout << "      " << problem << '\n';
}

void print_match(const json::object& match) {
  print_match_line(match);
  for (const json::value& value : match.at("games").as_array()) {
    const json::object& game = value.as_object();
    const json::object& clocks = game.at("clocks").as_object();
    std::cout << "  game " << text_of(game, "number") << "  " << text_of(game, "white") << " (" << shown_ms(clocks.at("white_ms")) << ") - "
              << text_of(game, "black") << " (" << shown_ms(clocks.at("black_ms")) << ")  ply " << text_of(game, "plies") << ' '
              << text_of(game, "last_san");
    if (const std::string phase = text_of(game, "phase"); phase != "playing")
      std::cout << "  " << phase << ": " << text_of(game, "question");
    std::cout << '\n';
  }
  std::string line(300, '\0');
  for (const json::value& value : match.at("standings").as_array()) {
    const json::object& row = value.as_object();
    const int size = std::snprintf(line.data(), line.size(), "%4s  %-28s %6s games  +%s =%s -%s  %s\n", text_of(row, "rank").c_str(),
                                   text_of(row, "engine").c_str(), text_of(row, "games").c_str(), text_of(row, "wins").c_str(),
                                   text_of(row, "draws").c_str(), text_of(row, "losses").c_str(), text_of(row, "points").c_str());
    std::cout << line.substr(0, static_cast<std::size_t>(std::max(size, 0)));
  }
}

int show(const Arguments& arguments) {
  if (arguments.operands().size() > 1) throw UsageError("status takes one match at most (expected: referee status [MATCH])");
  const bool one = !arguments.operands().empty();
  const std::string target = "/api/v1/matches" + (one ? "/" + std::to_string(match_number(arguments.operands().front())) : std::string());
  const Asked asked = ask_daemon(arguments, "GET", target);
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json::serialize(*asked.answer) << std::endl;
    return exit_done;
  }
  if (one) {
    print_match(asked.answer->as_object());
    return exit_done;
  }
  if (asked.answer->as_array().empty()) std::cout << "no match yet (referee submit MATCH.yaml)\n";
  for (const json::value& match : asked.answer->as_array()) print_match_line(match.as_object());
  return exit_done;
}

}  // namespace

CommandDefinition status_command() {
  CommandDefinition command;
  command.name = "status";
  command.summary = "what the daemon plays: all matches, or one with its boards and standings";
  command.positional = "[MATCH]";
  command.description = "Columns: number, state, priority, games finished of planned, games running, event.";
  command.options = daemon_options();
  command.options.push_back({"json", "", "print what the API answers", false, {}});
  command.examples = {"referee status", "referee status 3 --json"};
  command.run = show;
  return command;
}

}  // namespace referee::cli
