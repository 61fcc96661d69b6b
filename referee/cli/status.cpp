// `status`: what the daemon plays.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "referee/cli/daemon_client.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/bracket.hpp"
#include "referee/match/standings.hpp"

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

int whole_of(const json::object& object, const char* name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_int64() ? static_cast<int>(value->as_int64()) : 0;
}

int hundredths_of(const json::object& object, const char* name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_number() ? static_cast<int>(std::lround(100 * value->to_number<double>())) : 0;
}

std::vector<match::StandingsRow> standings_of(const json::object& match) {
  std::vector<match::StandingsRow> rows;
  for (const json::value& value : match.at("standings").as_array()) {
    const json::object& given = value.as_object();
    match::StandingsRow& row = rows.emplace_back();
    row.rank = whole_of(given, "rank");
    row.engine = text_of(given, "engine");
    row.games = whole_of(given, "games");
    row.wins = whole_of(given, "wins");
    row.draws = whole_of(given, "draws");
    row.losses = whole_of(given, "losses");
    row.unplayed = whole_of(given, "unplayed");
    row.points = hundredths_of(given, "points");
  }
  return rows;
}

/// Of a knockout; nothing of other matches.
std::vector<std::string> bracket_of(const json::object& match) {
  const json::value* bracket = match.if_contains("bracket");
  const json::value* field = match.if_contains("engines");
  if (bracket == nullptr || !bracket->is_array() || field == nullptr || !field->is_array()) return {};
  std::vector<std::string> engines;
  for (const json::value& engine : field->as_array())
    if (engine.is_string()) engines.emplace_back(engine.as_string().data(), engine.as_string().size());
  const auto engine_of = [&engines](const json::object& object, const char* name) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(engines, text_of(object, name));
    return found == engines.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - engines.begin()));
  };
  match::Course course;
  for (const json::value& value : bracket->as_array()) {
    const json::object& given = value.as_object();
    const auto first = engine_of(given, "first");
    const auto second = engine_of(given, "second");
    if (!first || !second) continue;
    match::Duel duel;
    duel.round = whole_of(given, "round");
    duel.first = *first;
    duel.second = *second;
    duel.first_points = hundredths_of(given, "first_points");
    duel.second_points = hundredths_of(given, "second_points");
    duel.winner = engine_of(given, "winner");
    for (const match::Duel::By by : {match::Duel::By::points, match::Duel::By::draw_for_black, match::Duel::By::lot, match::Duel::By::seed,
                                     match::Duel::By::withdrawal})
      if (text_of(given, "by") == match::name(by)) duel.by = by;
    course.duels.push_back(duel);
  }
  course.champion = engine_of(match, "winner");
  return match::bracket_lines(course, engines);
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
  // The same words as at the end of `run`.
  for (const std::string& line : bracket_of(match)) std::cout << "  " << line << '\n';
  for (const std::string& line : match::to_lines(standings_of(match))) std::cout << "  " << line << '\n';
}

int show(const Arguments& arguments) {
  if (arguments.operands().size() > 1) throw UsageError("status takes one match at most (expected: referee status [MATCH])");
  const bool one = !arguments.operands().empty();
  const std::string target = "/api/v1/matches" + (one ? "/" + std::to_string(match_number(arguments.operands().front())) : std::string());
  const Asked asked = ask_daemon(arguments, "GET", target);
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json_text(*asked.answer) << std::endl;
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
