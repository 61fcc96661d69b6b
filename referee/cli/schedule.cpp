// `schedule`: the games a match file would play, without playing.
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "referee/chess/fen.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/plan_so_far.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

void print_json(const match::MatchPlan& plan) {
  std::string line;
  std::cout << '[';
  for (const match::PlannedGame& game : plan.games()) {
    const match::Opening opening = plan.opening(game);
    json::array moves;
    for (const std::string& move : opening.moves) moves.push_back(json::string(move));
    const json::object object{{"number", game.number},
                              {"round", game.round},
                              {"white", plan.white(game).name},
                              {"black", plan.black(game).name},
                              {"opening", opening.name},
                              {"pair", game.pair},
                              {"opening_line", opening.line == 0 ? json::value(nullptr) : json::value(opening.line)},
                              {"fen", chess::to_fen(opening.start)},
                              {"moves", std::move(moves)}};
    std::cout << (game.number == 1 ? "" : ",\n ") << json_text(object);
  }
  std::cout << "]\n";
}

void print_text(const match::MatchPlan& plan) {
  std::size_t width = 5;
  for (const config::EngineEntry& engine : plan.file().engines) width = std::max(width, engine.name.size());
  const int column = static_cast<int>(width) + 2;
  std::cout << "  game  round   pair  " << std::left << std::setw(column) << "white" << std::setw(column) << "black"
            << "opening\n";
  for (const match::PlannedGame& game : plan.games()) {
    std::cout << std::right << std::setw(6) << game.number << std::setw(7) << game.round << std::setw(7) << game.pair << "  " << std::left
              << std::setw(column) << plan.white(game).name << std::setw(column) << plan.black(game).name << plan.opening(game).name
              << '\n';
  }
}

int schedule(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("schedule shows one match file (expected: referee schedule MATCH.yaml)");
  try {
    const match::MatchPlan plan = match::plan_so_far(config::read_match_file(arguments.operands().front()));
    for (const std::string& warning : plan.warnings()) std::cerr << "warning: " << warning << '\n';
    if (plan.growth() == match::MatchPlan::Growth::on_demand)
      std::cerr << "a sequential test plays until it is decided: these are its first " << plan.games().size() << " games\n";
    if (plan.growth() == match::MatchPlan::Growth::by_results && !plan.course().complete)
      std::cerr << "later rounds depend on results: " << plan.games().size() << " games are determined, of about " << plan.expected_games()
                << '\n';
    if (arguments.has("json"))
      print_json(plan);
    else
      print_text(plan);
  } catch (const match::BookException& error) {
    std::cout.flush();
    std::cerr << error.what() << '\n';
    return exit_usage;
  }
  return exit_done;
}

}  // namespace

CommandDefinition schedule_command() {
  CommandDefinition command;
  command.name = "schedule";
  command.summary = "the games a match file would play, without playing";
  command.positional = "MATCH.yaml";
  command.description =
      "Prints the numbered games of a match: round, pair, colours and opening. The list is a pure function of the match file and its seed, "
      "so "
      "it is what `run` plays, whatever is interrupted and however many games run at once. Games 2k-1 and 2k are pair k when each pairing "
      "has "
      "an even number of games. Of Swiss and knockout tournaments it shows the rounds that the results so far determine, of a sequential "
      "test without a number of games the first hundred.";
  command.options = {{"json", "", "print one JSON array", false, {}}};
  command.examples = {"referee schedule matches/demo.yaml"};
  command.run = schedule;
  return command;
}

}  // namespace referee::cli
