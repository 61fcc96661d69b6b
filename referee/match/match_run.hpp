// A match from its file to its end: plan, journal, what was played before, the runner, the views, and the result as the journal tells it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/match_file.hpp"
#include "referee/match/console.hpp"
#include "referee/match/standings.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

struct RunSettings {
  enum class Start { continue_or_new, fresh };
  enum class Changes { refuse, accept };
  Start start = Start::continue_or_new;
  Changes changes = Changes::refuse;
};

/// The match cannot be played as things stand: the match file and the journal do not fit, the folder cannot be written, a file cannot be
/// read. One or more clear lines.
class MatchRefused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct MatchResult {
  enum class End { complete, interrupted, terminated, record_failed };
  End end = End::complete;
  int planned = 0;
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
  int identical_games = 0;  // with the same moves as an earlier one of the same colours
  std::string pgn_path, journal_path;
};

/// Plays what is left of the match. `file_text`: as it stands on disk, for the journal. Throws config::ConfigException, BookException,
/// record::JournalError, engine::LaunchError, MatchRefused.
[[nodiscard]] MatchResult run_match(config::MatchFile file, const std::string& file_text, const RunSettings& settings, Console& console);

/// For people: standings, faults, warnings, withdrawals, where the games are.
void print_result(const MatchResult& result, Console& console);

}  // namespace referee::match
