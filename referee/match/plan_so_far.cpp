#include "referee/match/plan_so_far.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "referee/match/fingerprints.hpp"
#include "referee/match/match_run.hpp"
#include "referee/match/what_is_left.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

namespace {

namespace fs = std::filesystem;

/// What a match's journal holds, if there is one that reads.
struct Past {
  std::unique_ptr<record::Journal> journal;
  std::optional<record::PlanRecord> plan;
};

Past past_of(const config::MatchFile& file) {
  const std::string path = (fs::path(file.output.folder) / file.output.journal).string();
  Past past;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return past;
  try {
    past.journal = record::Journal::open(path, record::Journal::Mode::read_only);
    past.plan = past.journal->plan();
  } catch (const record::JournalError&) { past.journal.reset(); }
  return past;
}

void learn(MatchPlan& plan, const Past& past) {
  if (!past.journal || !past.plan) return;
  try {
    (void)what_is_left(plan, *past.journal, Arbiter::none);
  } catch (const MatchRefused&) {  // another match's games: the plan of the file alone is shown
  } catch (const record::JournalError&) {}
}

}  // namespace

MatchPlan plan_so_far(config::MatchFile file) {
  const Past past = past_of(file);
  MatchPlan plan = MatchPlan::make(std::move(file), past.plan ? recorded_stages(*past.plan) : std::vector<Stage>{});
  learn(plan, past);
  return plan;
}

std::optional<record::ResultChanged> change_of(config::MatchFile file, int game, const std::optional<game::Outcome>& before) {
  const auto kind = file.schedule.kind;
  if (kind != config::ScheduleKind::swiss && kind != config::ScheduleKind::knockout) return std::nullopt;
  if (!before || before->annulled) return std::nullopt;
  return record::ResultChanged{
      .game = game, .was = before->score, .planned_games = static_cast<int>(plan_so_far(std::move(file)).games().size())};
}

bool has_games_left(config::MatchFile file) {
  const Past past = past_of(file);
  if (!past.journal || !past.plan) return false;
  MatchPlan plan = MatchPlan::make(std::move(file), recorded_stages(*past.plan));
  return is_anything_left(plan, what_is_left(plan, *past.journal, Arbiter::at_hand));
}

void bring_to_now(MatchPlan& plan) { learn(plan, past_of(plan.file())); }

}  // namespace referee::match
