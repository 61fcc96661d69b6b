#include "referee/match/replace.hpp"

#include <algorithm>
#include <filesystem>

#include "referee/match/fingerprints.hpp"
#include "referee/match/match_run.hpp"
#include "referee/match/plan.hpp"
#include "referee/record/views.hpp"

namespace referee::match {

namespace {

bool has_engine(const record::PlanRecord& plan, const std::string& name) {
  return plan.fingerprints.contains("engine " + name + ": binary");
}

bool plays(const record::GameRow& row, const std::string& name) { return row.white == name || row.black == name; }

/// Was that the last word about this engine?
bool is_done(const record::Journal& journal, const Replacement& replacement) {
  bool done = false;
  for (const record::Fact& fact : journal.matters()) {
    const auto* replaced = std::get_if<record::EngineReplaced>(&fact);
    if (replaced == nullptr) continue;
    if (replaced->engine == replacement.engine) done = replaced->by == replacement.by;
    if (replaced->by == replacement.engine) done = false;
  }
  const auto plan = journal.plan();
  return done && plan && !has_engine(*plan, replacement.engine) && has_engine(*plan, replacement.by);
}

}  // namespace

int replace_engine(config::MatchFile file, const std::string& file_text, const Replacement& replacement) {
  const config::Output output = file.output;
  const std::string path = (std::filesystem::path(output.folder) / output.journal).string();
  const auto names = [&file](const std::string& name) {
    return std::ranges::find(file.engines, name, &config::EngineEntry::name) != file.engines.end();
  };
  if (names(replacement.engine) || !names(replacement.by)) {
    throw MatchRefused(file.path + ": " +
                       (names(replacement.by) ? "still names '" + replacement.engine + "'" : "names no engine '" + replacement.by + "'") +
                       " (expected '" + replacement.by + "' there in the place of '" + replacement.engine + "')");
  }
  const auto journal = record::Journal::open(path, record::Journal::Mode::open_existing);
  const auto recorded = journal->plan();
  if (recorded && is_done(*journal, replacement)) {  // an end in the middle of it may have left the PGN behind
    rewrite_pgn(output, *journal);
    return static_cast<int>(
        std::ranges::count_if(journal->games(), [&](const record::GameRow& row) { return row.voided && plays(row, replacement.engine); }));
  }
  if (!recorded || !has_engine(*recorded, replacement.engine))
    throw MatchRefused(path + ": the match has no engine '" + replacement.engine + "' (expected one that has played or was to play)");
  if (has_engine(*recorded, replacement.by))
    throw MatchRefused(path + ": '" + replacement.by + "' plays in this match already (expected a new engine)");
  const MatchPlan plan = MatchPlan::make(std::move(file), recorded_stages(*recorded));
  if (plan.growth() == MatchPlan::Growth::by_results)
    throw MatchRefused(path + ": later rounds stand on what '" + replacement.engine +
                       "' has played (expected a schedule without rounds by results)");

  const auto today = [&replacement](const std::string& name) { return name == replacement.engine ? replacement.by : name; };
  std::vector<record::Fact> facts;
  for (const record::GameRow& row : journal->games()) {
    const bool planned = row.game >= 1 && static_cast<std::size_t>(row.game) <= plan.games().size();
    if (plan.growth() == MatchPlan::Growth::none && (!planned || plan.white(plan.game(row.game)).name != today(row.white) ||
                                                     plan.black(plan.game(row.game)).name != today(row.black))) {
      throw MatchRefused(path + ": game " + std::to_string(row.game) + " of " + row.white + " - " + row.black +
                         " is another game in the match file (expected '" + replacement.by + "' at the place of '" + replacement.engine +
                         "', and no other change)");
    }
    if (row.voided || !plays(row, replacement.engine)) continue;
    facts.emplace_back(record::GameVoided{.game = row.game, .why = replacement.engine + " was replaced by " + replacement.by});
  }
  const auto voided = static_cast<int>(facts.size());
  facts.emplace_back(record::EngineReplaced{.engine = replacement.engine, .by = replacement.by});
  record::PlanRecord now;
  try {
    now = fingerprint(plan, file_text);
  } catch (const std::runtime_error& failure) { throw MatchRefused(failure.what()); }
  journal->write(facts);
  journal->write_plan(now);
  rewrite_pgn(output, *journal);
  return voided;
}

}  // namespace referee::match
