// `schedule`: the games a match file would play, without playing.
#include <boost/json.hpp>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "referee/chess/fen.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/fingerprints.hpp"
#include "referee/match/plan.hpp"
#include "referee/record/journal.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

/// A match under way may have grown: its games keep their numbers.
std::vector<match::Stage> stages_so_far(const config::MatchFile& file) {
  const std::string path = (std::filesystem::path(file.output.folder) / file.output.journal).string();
  if (!std::filesystem::exists(path)) return {};
  try {
    const auto journal = record::Journal::open(path, record::Journal::Mode::read_only);
    const auto plan = journal->plan();
    return plan ? match::recorded_stages(*plan) : std::vector<match::Stage>{};
  } catch (const record::JournalError&) {
    return {};  // `run` will say what is wrong with it
  }
}

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
    std::cout << (game.number == 1 ? "" : ",\n ") << json::serialize(object);
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
    config::MatchFile file = config::read_match_file(arguments.operands().front());
    const auto stages = stages_so_far(file);
    const match::MatchPlan plan = match::MatchPlan::make(std::move(file), stages);
    for (const std::string& warning : plan.warnings()) std::cerr << "warning: " << warning << '\n';
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
      "an even number of games.";
  command.options = {{"json", "", "print one JSON array", false, {}}};
  command.examples = {"referee schedule matches/demo.yaml"};
  command.run = schedule;
  return command;
}

}  // namespace referee::cli
