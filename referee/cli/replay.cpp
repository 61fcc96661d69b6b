// `replay`: judges the games of a journal again, from their events, and compares every ruling.
#include <algorithm>
#include <boost/json.hpp>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/game/explain.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/journal_audit.hpp"
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

/// How often a game got a result: at its end, and by each order that changed it.
class ResultCount {
 public:
  void see(const game::Game& game) {
    if (game.outcome() && game.outcome() != last_) ++results_;
    last_ = game.outcome();
  }
  [[nodiscard]] int after_an_end() const noexcept { return std::max(results_ - 1, 0); }

 private:
  std::optional<game::Outcome> last_;
  int results_ = 0;
};

std::string title(const record::AuditFinding& finding) {
  if (finding.game == 0) return "the journal";
  return "game " + std::to_string(finding.game) + (finding.attempt > 1 ? " (attempt " + std::to_string(finding.attempt) + ")" : "");
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
  json::array differences;
  std::set<std::pair<int, int>> differing;
  const auto tell = [&](const std::string& what, const std::string& why, int game, int attempt, int event, const std::string& recorded,
                        const std::string& ruled) {
    differing.emplace(game, attempt);
    differences.push_back(json::object{
        {"game", game}, {"attempt", attempt}, {"event", event}, {"recorded", json::parse(recorded)}, {"ruled", json::parse(ruled)}});
    if (!as_json) std::cout << what << ": " << why << "\n    recorded: " << recorded << "\n    ruled:    " << ruled << std::endl;
  };

  // Before the events are read: what is recorded meanwhile can only explain more.
  const record::JournalAudit audit = record::audit(journal->path());
  const std::vector<record::GameRow> attempts = journal->attempts();
  std::map<int, int> last_attempts;
  for (const record::GameRow& row : attempts) last_attempts[row.game] = std::max(last_attempts[row.game], row.attempt);
  int changed_results = 0;
  for (const record::GameRow& row : attempts) {
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
    const bool may_lack_end = row.voided || !audit.at_rest || row.attempt != last_attempts[row.game];
    ResultCount results;
    const auto difference = record::replay(
        *recorded, edition,
        [&](int number, const record::EventJudged& judged, const game::Rulings& ruled, const game::Game& game) {
          results.see(game);
          if (!explain) return;
          explain_event(number, judged, ruled);
          last = game.position();
        },
        may_lack_end ? record::EndOfGame::may_be_due : record::EndOfGame::is_recorded);
    changed_results += results.after_an_end();
    if (explain && last) std::cout << game::diagram(*last) << '\n';
    if (!difference) continue;
    tell(title(*recorded) + ", " + (difference->event == 0 ? std::string("outcome") : "event " + std::to_string(difference->event)),
         difference->event == 0 ? "what the table of games holds does not follow from the game"
                                : "the rulings do not follow from the events",
         row.game, row.attempt, difference->event, difference->recorded, difference->ruled);
  }
  const std::string table = "what the table of games holds does not follow from the rest of the journal";
  for (const record::AuditFinding& finding : audit.findings) {
    if (wanted && finding.game != *wanted) continue;
    tell(title(finding), table, finding.game, finding.attempt, 0, finding.recorded, finding.follows);
  }
  if (!wanted && audit.ends_replaced > changed_results) {
    const auto ends = [](std::int64_t count) { return "{\"ends without a game\":" + std::to_string(count) + "}"; };
    tell("the journal", table, 0, 0, 0, ends(audit.ends_replaced), ends(changed_results));
  }
  std::size_t identical = games;
  for (const record::GameRow& row : attempts) {
    const bool asked = !wanted || row.game == *wanted;
    if (asked && (differing.contains({row.game, row.attempt}) || differing.contains({row.game, 0}))) --identical;
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
