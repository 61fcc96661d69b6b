// `replay`: judges the games of a journal again, from their events, and compares every ruling.
#include <boost/json.hpp>
#include <iostream>
#include <map>
#include <stdexcept>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/game/explain.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/replay.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

class Editions {
 public:
  explicit Editions(std::optional<std::string> forced) : forced_(std::move(forced)) {}
  /// The edition that the journal carries goes before one of that name that ships or stands in a file.
  void add_recorded(const record::Journal& journal) {
    const auto plan = journal.plan();
    if (forced_ || !plan || plan->edition_text.empty()) return;
    try {
      auto edition = config::parse_edition(plan->edition_text, journal.path() + ", edition");
      loaded_[edition->id] = std::move(edition);
    } catch (const config::ConfigException& error) { throw UsageError(error.what()); }
  }
  std::shared_ptr<const laws::Edition> get(const std::string& recorded) {
    const std::string& id = forced_ ? *forced_ : recorded;
    auto& edition = loaded_[id];
    if (edition == nullptr) {
      try {
        edition = config::load_edition(id);
      } catch (const config::ConfigException& error) {
        throw UsageError(std::string(error.what()) + (forced_ ? "" : "; give the match's own edition with --edition FILE"));
      }
    }
    return edition;
  }

 private:
  std::optional<std::string> forced_;
  std::map<std::string, std::shared_ptr<const laws::Edition>> loaded_;
};

void explain_event(int number, const record::EventJudged& judged, const game::Rulings& ruled) {
  std::cout << "  " << number << ". " << game::describe_time(judged.event.at) << "  " << game::printable(game::describe(judged.event.body))
            << '\n';
  for (const game::Ruling& ruling : ruled) std::cout << "       -> " << game::printable(game::describe(ruling)) << '\n';
}

std::string title(const record::RecordedGame& game) {
  std::string text = "game " + std::to_string(game.row.game);
  if (game.row.attempt > 1) text += " (attempt " + std::to_string(game.row.attempt) + ")";
  return text;
}

int run_replay(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("replay: one journal expected (the file `output.journal` of a match)");
  const bool as_json = arguments.has("json");
  const bool explain = arguments.has("explain") && !as_json;
  const auto wanted = arguments.integer("game", 1, 1'000'000'000);
  Editions editions(arguments.value("edition"));
  std::unique_ptr<record::Journal> journal;
  try {
    journal = record::Journal::open(arguments.operands()[0], record::Journal::Mode::read_only);
  } catch (const record::JournalError& error) { throw UsageError(error.what()); }

  editions.add_recorded(*journal);

  std::size_t games = 0;
  std::size_t identical = 0;
  json::array differences;
  for (const record::GameRow& row : journal->attempts()) {
    if (wanted && row.game != *wanted) continue;
    const auto recorded = journal->game(row.game, row.attempt);
    if (!recorded) continue;
    ++games;
    const auto edition = editions.get(recorded->started.edition);
    if (explain) {
      std::cout << title(*recorded) << ": " << row.white << " - " << row.black << ", " << edition->id << ", "
                << chess::to_fen(recorded->started.setup.start) << '\n';
    }
    std::optional<chess::Position> last;
    const auto difference = record::replay(
        *recorded, edition, [&](int number, const record::EventJudged& judged, const game::Rulings& ruled, const game::Game& game) {
          if (!explain) return;
          explain_event(number, judged, ruled);
          last = game.position();
        });
    if (explain && last) std::cout << game::diagram(*last) << '\n';
    if (!difference) {
      ++identical;
      continue;
    }
    differences.push_back(json::object{{"game", row.game},
                                       {"attempt", row.attempt},
                                       {"event", difference->event},
                                       {"recorded", json::parse(difference->recorded)},
                                       {"ruled", json::parse(difference->ruled)}});
    if (!as_json) {
      std::cout << title(*recorded) << ", "
                << (difference->event == 0 ? std::string("outcome") : "event " + std::to_string(difference->event))
                << ": the rulings do not follow from the events\n    recorded: " << difference->recorded
                << "\n    ruled:    " << difference->ruled << std::endl;
    }
  }
  if (wanted && games == 0) throw UsageError(journal->path() + ": there is no game " + std::to_string(*wanted));
  const bool same = differences.empty();
  if (as_json)
    std::cout << json_text(json::object{{"games", games}, {"identical", identical}, {"differences", std::move(differences)}}) << std::endl;
  else
    std::cout << games << (games == 1 ? " game, " : " games, ") << identical << " identical" << std::endl;
  return same ? exit_done : exit_fault_found;
}

}  // namespace

CommandDefinition replay_command() {
  CommandDefinition command;
  command.name = "replay";
  command.summary = "judges a played match again from its events and compares every ruling";
  command.positional = "JOURNAL";
  command.description =
      "Reads the events of every game (each attempt) from the journal, applies them to a new judge and compares what is ruled with what "
      "the "
      "journal holds: moves, clocks, claims, outcomes, to the nanosecond. For a game that differs the first difference is shown. Exit code "
      "1 if any game differs. The journal of a running match may be read.";
  command.options = {{"game", "N", "only this game", false, {}},
                     {"explain", "", "tell each event and its ruling, with articles, and the last position", false, {}},
                     {"edition", "EDITION", "judge by this edition (default: the one the journal carries)", false, {}},
                     {"json", "", "one JSON object on standard output", false, {}}};
  command.examples = {"referee replay results/match.sqlite", "referee replay results/match.sqlite --game 12 --explain"};
  command.run = run_replay;
  return command;
}

}  // namespace referee::cli
