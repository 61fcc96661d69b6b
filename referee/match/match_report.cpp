// A match's result for people.
#include <algorithm>
#include <map>

#include "referee/match/bracket.hpp"
#include "referee/match/match_run.hpp"
#include "referee/match/progress_view.hpp"

namespace referee::match {

void print_result(const MatchResult& result, const std::string& to_go_on, Console& console) {
  console.block({});
  const auto counted = static_cast<int>(std::ranges::count_if(result.games, &record::GameRow::counts));
  const auto voided = std::ranges::count_if(result.games, &record::GameRow::voided);
  std::string headline = std::to_string(counted) + " of " + std::to_string(result.planned) + " games played";
  if (result.test && result.planned == counted) headline = std::to_string(counted) + " games count";
  if (voided > 0) headline += ", " + std::to_string(voided) + " void";
  switch (result.end) {
    case MatchResult::End::complete:
      headline += result.played_now ? "" : " (finished before; --fresh starts anew)";
      break;
    case MatchResult::End::interrupted:
    case MatchResult::End::terminated:
      headline += "; stopped, to go on: " + to_go_on;
      break;
    case MatchResult::End::closed: {
      const bool has_date = result.stop_at.find('-') != std::string::npos;
      headline +=
          "; stopped at " + result.stop_at + ", as `stop_at` says; to go on" + (has_date ? ", with a later `stop_at`: " : ": ") + to_go_on;
      break;
    }
    case MatchResult::End::record_failed:
      headline += "; stopped, because the record could not be written";
      break;
  }
  console.line(headline);
  for (const std::string& change : result.changed_since) console.line("warning: these games were played before " + change);
  for (const std::string& line : bracket_lines(result.course, result.engines)) console.line(line);
  for (const std::string& line : to_lines(result.standings)) console.line(line);
  if (result.test) {
    console.line(to_text(*result.test));
    if (result.test->pairs() > 0) console.line(elo_text(result.test->counts()));
  }
  if (result.identical_games > 0) {
    console.line("warning: " + std::to_string(result.identical_games) + (result.identical_games == 1 ? " game has" : " games have") +
                 " the same moves as an earlier one: they are copies, not evidence");
  }
  std::map<std::string, std::map<std::string, int>> faults;
  for (const record::EngineFault& fault : result.faults) ++faults[fault.engine][std::string(game::code(fault.reason))];
  for (const auto& [engine, kinds] : faults) {
    std::string text = "faults of " + engine + ":";
    for (const auto& [kind, count] : kinds) text += " " + kind + " " + std::to_string(count);
    console.line(text);
  }
  for (const record::EngineWithdrawn& withdrawn : result.withdrawn) console.line("withdrawn: " + withdrawn.engine + ": " + withdrawn.why);
  std::map<std::string, std::string> warnings;
  for (const MatchResult::WarningCount& warning : result.warnings)
    if (warning.kind != leniency_kind) warnings[warning.engine] += " " + warning.kind + " " + std::to_string(warning.count);
  for (const auto& [engine, text] : warnings) console.line("warnings of " + (engine.empty() ? "the match" : engine) + ":" + text);
  if (!result.pgn_path.empty()) console.line("games: " + result.pgn_path);
  console.line("journal: " + result.journal_path);
}

}  // namespace referee::match
