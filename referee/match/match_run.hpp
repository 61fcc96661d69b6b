// A match from its file to its end: plan, journal, what was played before, the runner, the views, and the result as the journal tells it.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/match_file.hpp"
#include "referee/match/console.hpp"
#include "referee/match/plan.hpp"
#include "referee/match/runner.hpp"
#include "referee/match/sprt_tracker.hpp"
#include "referee/match/standings.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::match {

struct RunSettings {
  enum class Start { continue_or_new, fresh };
  enum class Changes { refuse, accept };
  Start start = Start::continue_or_new;
  Changes changes = Changes::refuse;
  /// No journal is there, yet the PGN has games of this match: has somebody begun anew on purpose, or is the journal lost?
  enum class MissingJournal { is_a_beginning, is_lost };
  MissingJournal missing_journal = MissingJournal::is_a_beginning;
  /// Do SIGINT, SIGTERM and SIGHUP stop this match, or are they somebody else's?
  enum class Signals { heed, leave };
  Signals signals = Signals::heed;
  Arbiter arbiter = Arbiter::none;
  /// Are identical games looked for at the end? Every game is read for that.
  enum class Findings { all, results };
  Findings findings = Findings::all;
};

/// The match cannot be played as things stand: the match file and the journal do not fit, the folder cannot be written, a file cannot be
/// read. One or more clear lines.
class MatchRefused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct MatchResult {
  enum class End { complete, interrupted, terminated, closed /* at stop_at */, record_failed };
  End end = End::complete;
  int planned = 0;                     // games of the plan; of a decided sequential test, those that count
  bool played_now = false;             // false: it was finished before
  std::vector<record::GameRow> games;  // with an outcome or void, by number
  std::vector<StandingsRow> standings;
  std::vector<record::EngineFault> faults;
  std::vector<record::EngineWithdrawn> withdrawn;
  struct WarningCount {
    std::string engine, kind;
    int count = 0;
  };
  std::vector<WarningCount> warnings;
  Course course;                     // of a schedule by results: byes, the rounds of a knockout
  std::vector<std::string> engines;  // names, by the indices that the course uses
  config::ScheduleKind kind = config::ScheduleKind::round_robin;
  std::optional<SprtTracker> test;  // of a sequential test, with all that counts
  int identical_games = 0;          // with the same moves as an earlier one of the same colours
  std::string pgn_path, journal_path;
  std::string stop_at;                     // of the match file
  std::vector<std::string> changed_since;  // finished before: what is no longer as it was played with
};

/// One match, played on the thread that calls play(), and the orders that others give meanwhile.
///
///   MatchRun run(file, text, settings, console);
///   std::thread player([&] { result = run.play(); });
///   run.pause(); run.set_concurrency(4); run.resume(); run.stop(MatchRun::Stop::finish_running);
class MatchRun {
 public:
  /// `file_text`: as it stands on disk, for the journal. The console outlives it.
  MatchRun(config::MatchFile file, std::string file_text, RunSettings settings, Console& console);
  ~MatchRun();
  MatchRun(const MatchRun&) = delete;
  MatchRun& operator=(const MatchRun&) = delete;

  /// Before play(): sees every fact of this run once it is durable, on the recorder's thread; lives until play() returns.
  void add_view(std::unique_ptr<record::View> view);
  /// Once: plays what is left. Throws config::ConfigException, BookException, record::JournalError, engine::LaunchError, MatchRefused.
  [[nodiscard]] MatchResult play();

  // On any thread, before, while or after it plays; without effect when it is over.
  /// Running games are played to their end, no new one starts until resume().
  void pause();
  void resume();
  /// Games at once, at least 1; those beyond it are played to their end.
  void set_concurrency(int games);
  /// The match can go on later. at_once: running games are dropped and played anew, or go on where they were (`on_interrupt`).
  enum class Stop { finish_running, at_once };
  void stop(Stop how);
  /// An order of an arbiter, or what a player says through one. `answered` is called once, on any thread; with `not_yet` while nothing is
  /// recorded now.
  void order(int game, game::EventBody body, OrderAnswered answered);
  /// Facts about games that are finished (a result that was changed): recorded like all others, and what is drawn up from now on heeds
  /// them. False when nothing is recorded now.
  [[nodiscard]] bool record(std::vector<record::Fact> facts);
  /// Waits, for two seconds at most, until what was posted stands in the record. False when it does not, or when nothing is recorded now.
  [[nodiscard]] bool settle();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Plays what is left of the match. `file_text`: as it stands on disk, for the journal. Throws config::ConfigException, BookException,
/// record::JournalError, engine::LaunchError, MatchRefused.
[[nodiscard]] MatchResult run_match(config::MatchFile file, const std::string& file_text, const RunSettings& settings, Console& console);

/// How the match's PGN is written.
[[nodiscard]] record::PgnStyle pgn_style(const config::Output& output);
/// Writes the match's PGN anew from the journal: what counts, nothing that is void. Whoever reads it meanwhile has the old one. Throws
/// record::JournalError.
void rewrite_pgn(const config::Output& output, const record::Journal& journal);

/// For people: standings, faults, warnings, withdrawals, where the games are. `to_go_on`: the command that goes on with the match if it was
/// stopped.
void print_result(const MatchResult& result, const std::string& to_go_on, Console& console);

}  // namespace referee::match
