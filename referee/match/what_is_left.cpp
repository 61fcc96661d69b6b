#include "referee/match/what_is_left.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "referee/match/match_run.hpp"

namespace referee::match {

namespace {

/// By the name it once had, the name that stands in its place now.
std::map<std::string, std::string> replacements(const record::Journal& journal) {
  std::map<std::string, std::string> now;
  for (const record::Fact& fact : journal.matters()) {
    const auto* replaced = std::get_if<record::EngineReplaced>(&fact);
    if (replaced == nullptr) continue;
    for (auto& [old, name] : now) {
      if (name == replaced->engine) name = replaced->by;
    }
    now[replaced->engine] = replaced->by;
  }
  return now;
}

/// What an engine played that another one has replaced is to be played again.
bool is_replaced(const record::GameRow& row, const std::map<std::string, std::string>& replaced) {
  return row.voided && (replaced.contains(row.white) || replaced.contains(row.black));
}

/// It was void once, and is to be played after all: the verdict that made it so was undone, or another engine plays it now.
bool is_due_again(const record::GameRow& row, const std::map<std::string, std::string>& replaced, const std::set<int>& voided) {
  return row.voided && (!voided.contains(row.game) || is_replaced(row, replaced));
}

/// An attempt that an engine's fault has cost, with one more still due.
bool was_lost_to_a_fault(const record::GameRow& row) { return row.outcome && !row.counted && !row.outcome->annulled; }

/// Games of which an attempt was lost to a fault: they are played once more, not twice.
std::set<int> lost_to_a_fault(const record::Journal& journal) {
  std::set<int> games;
  for (const record::GameRow& row : journal.attempts()) {
    if (was_lost_to_a_fault(row)) games.insert(row.game);
  }
  return games;
}

/// Adjourned, interrupted, or waiting for an answer: as the journal left it.
game::Phase phase_of(const MatchPlan& plan, const record::RecordedGame& recorded) {
  game::Game game(recorded.started.setup, plan.shared_edition());
  for (const record::EventJudged& judged : recorded.events) (void)game.apply(judged.event);
  return game.phase();
}

/// By game, in the order in which its result was changed.
using ChangedResults = std::map<int, std::vector<record::ResultChanged>>;

ChangedResults changed_results(const record::Journal& journal) {
  ChangedResults changes;
  for (const record::Fact& fact : journal.matters()) {
    if (const auto* changed = std::get_if<record::ResultChanged>(&fact)) changes[changed->game].push_back(*changed);
  }
  return changes;
}

/// The result that what follows the games of the plan was drawn up with, where it is another now.
const record::ResultChanged* superseded(const ChangedResults& changes, const MatchPlan& plan, int number) {
  const auto found = changes.find(number);
  if (found == changes.end()) return nullptr;
  const bool knockout = plan.file().schedule.kind == config::ScheduleKind::knockout;
  const int from = knockout ? plan.drawn_with(number) : static_cast<int>(plan.games().size());
  const auto change = std::ranges::find_if(found->second, [from](const auto& later) { return later.planned_games > from; });
  return change == found->second.end() ? nullptr : &*change;
}

/// How far the games of the journal have brought the plan, which grows by them. A game that counted keeps its score here even when it
/// was made void later or its result was changed: what was drawn up from it stands.
void follow(MatchPlan& plan, const std::map<int, record::GameRow>& rows, const std::map<std::string, std::string>& replaced,
            const ChangedResults& changes, WhatIsLeft& left) {
  if (plan.growth() == MatchPlan::Growth::on_demand && !rows.empty()) {
    left.next_number = rows.rbegin()->first + 1;
    plan.grow_to(rows.rbegin()->first);
  }
  const auto learn = [&] {
    left.scores.fates.clear();
    for (std::size_t i = 0; i < plan.games().size(); ++i) {
      const int number = static_cast<int>(i) + 1;
      const auto row = rows.find(number);
      GameFate fate;
      if (const record::ResultChanged* old = superseded(changes, plan, number))
        fate = {.kind = GameFate::Kind::scored, .score = old->was};
      else if (row != rows.end() && is_finished(row->second) && !is_due_again(row->second, replaced, left.scores.voided))
        fate = {.kind = GameFate::Kind::scored, .score = row->second.outcome->score};
      else if (left.scores.voided.contains(number))
        fate.kind = GameFate::Kind::cancelled;
      left.scores.fates.push_back(fate);
    }
  };
  learn();
  if (plan.growth() != MatchPlan::Growth::by_results) return;
  std::map<std::size_t, int> gone = left.withdrawn;
  gone.insert(left.to_withdraw.begin(), left.to_withdraw.end());
  while (plan.grow(left.scores.fates, gone) > 0) learn();
  plan.admit_new_engines();
  while (plan.grow(left.scores.fates, gone) > 0) learn();
}

/// How many games were planned, for certain, when the record ended. A plan that does not grow has all of them from the start.
int planned_by_then(const MatchPlan& plan, const std::map<int, record::GameRow>& rows, const std::vector<record::Fact>& matters) {
  if (plan.growth() != MatchPlan::Growth::by_results) return static_cast<int>(plan.games().size());
  int planned = rows.empty() ? 0 : rows.rbegin()->first;
  for (const record::Fact& fact : matters) {
    if (const auto* extended = std::get_if<record::PlanExtended>(&fact)) planned = std::max(planned, extended->planned_games);
  }
  return planned;
}

}  // namespace

std::set<int> voided_games(const record::Journal& journal, const MatchPlan& plan) {
  std::set<int> voided;
  std::set<int> behind_the_verdict;
  for (const record::Fact& fact : journal.matters()) {
    if (const auto* game = std::get_if<record::GameVoided>(&fact))
      (game->why == ended_after_the_test ? behind_the_verdict : voided).insert(game->game);
    if (const auto* replaced = std::get_if<record::EngineReplaced>(&fact)) {
      std::erase_if(voided, [&](int number) {
        if (static_cast<std::size_t>(number) > plan.games().size()) return false;
        const PlannedGame& game = plan.game(number);
        return plan.white(game).name == replaced->by || plan.black(game).name == replaced->by;
      });
    }
  }
  if (behind_the_verdict.empty() || !plan.file().sprt) return voided;
  // A result that was changed since may have undone the verdict: then the test goes on, and they are played once more.
  SprtTracker test(*plan.file().sprt);
  journal.each_game([&](const record::GameRow& row) {
    if (!row.voided && !voided.contains(row.game)) test.set(row, plan.file().engines.front().name);
  });
  if (test.decided()) voided.merge(behind_the_verdict);
  return voided;
}

bool is_half_done(const MatchPlan& plan, const WhatIsLeft& left) {
  if (!left.to_withdraw.empty()) return true;
  const bool is_decided = left.scores.test && left.scores.test->decided();
  const bool all_void = plan.file().faults.void_scope == config::VoidScope::all;
  return std::ranges::any_of(plan.games(), [&](const PlannedGame& game) {
    const auto at = static_cast<std::size_t>(game.number) - 1;
    if (left.scores.fates[at].kind != GameFate::Kind::scored || left.scores.voided.contains(game.number)) return false;
    if (is_decided && game.number > 2 * left.scores.test->pairs()) return true;
    return all_void && (left.withdrawn.contains(game.white) || left.withdrawn.contains(game.black));
  });
}

bool is_endless(const MatchPlan& plan, const WhatIsLeft& left) {
  return plan.growth() == MatchPlan::Growth::on_demand && !left.scores.test->decided() && left.withdrawn.empty();
}

bool is_anything_left(const MatchPlan& plan, const WhatIsLeft& left) {
  return !left.games.empty() || is_endless(plan, left) || is_half_done(plan, left);
}

bool is_finished(const record::GameRow& row) { return row.outcome && row.counted && !row.outcome->annulled; }

WhatIsLeft what_is_left(MatchPlan& plan, const record::Journal& journal, Arbiter arbiter) {
  WhatIsLeft left;
  left.scores.voided = voided_games(journal, plan);
  left.faults.assign(plan.file().engines.size(), 0);
  for (const record::Fact& fact : journal.matters()) {
    if (const auto* gift = std::get_if<record::PointsGiven>(&fact)) left.scores.given.emplace(gift->round, gift->engine, gift->why);
  }
  const auto index_of = [&plan](const std::string& name) -> std::optional<std::size_t> {
    const auto& engines = plan.file().engines;
    const auto found = std::ranges::find(engines, name, &config::EngineEntry::name);
    if (found == engines.end()) return std::nullopt;
    return static_cast<std::size_t>(found - engines.begin());
  };
  for (const record::EngineWithdrawn& withdrawn : journal.withdrawals()) {
    if (const auto engine = index_of(withdrawn.engine)) left.withdrawn.emplace(*engine, withdrawn.planned_games);
  }
  for (const record::EngineFault& fault : journal.faults()) {
    const auto engine = index_of(fault.engine);
    if (engine && counts_for_withdrawal(fault.reason)) ++left.faults[*engine];
  }
  std::map<int, record::GameRow> rows;
  journal.each_game([&rows](record::GameRow row) { rows.emplace(row.game, std::move(row)); });
  for (std::size_t engine = 0; engine < left.faults.size(); ++engine) {
    if (is_enough_for_withdrawal(plan.file(), left.faults[engine]) && !left.withdrawn.contains(engine))
      left.to_withdraw.emplace(engine, planned_by_then(plan, rows, journal.matters()));
  }
  const auto replaced = replacements(journal);
  follow(plan, rows, replaced, changed_results(journal), left);
  const auto plays_now = [&replaced](const std::string& name) {
    const auto found = replaced.find(name);
    return found == replaced.end() ? name : found->second;
  };
  for (const auto& [number, row] : rows) {
    const bool planned = number >= 1 && static_cast<std::size_t>(number) <= plan.games().size();
    if (planned && plan.white(plan.game(number)).name == plays_now(row.white) && plan.black(plan.game(number)).name == plays_now(row.black))
      continue;
    throw MatchRefused(journal.path() + ": holds game " + std::to_string(number) + " of " + row.white + " - " + row.black +
                       ", which the plan has " + (planned ? "between others" : "not") +
                       " (expected the schedule it was started with, or --fresh)");
  }
  left.attempts.resize(plan.games().size());
  for (const auto& [number, row] : rows) left.attempts[static_cast<std::size_t>(number) - 1] = row.attempt;
  if (plan.file().sprt) {
    left.scores.test.emplace(*plan.file().sprt);
    for (const auto& [number, row] : rows) {
      if (!row.voided && !left.scores.voided.contains(number)) left.scores.test->set(row, plan.file().engines.front().name);
    }
    if (left.scores.test->decided()) return left;
  }
  const bool replayed =
      std::ranges::any_of(rows, [](const auto& entry) { return entry.second.attempt > 1 || was_lost_to_a_fault(entry.second); });
  const std::set<int> spent = replayed ? lost_to_a_fault(journal) : std::set<int>();
  for (const PlannedGame& game : plan.games()) {
    if (left.scores.voided.contains(game.number)) continue;
    if (plan.growth() == MatchPlan::Growth::on_demand && game.number >= left.next_number) break;
    PendingGame pending{.number = game.number,
                        .attempt = 1,
                        .replayed_for_fault = false,
                        .annulled_for_lateness = 0,
                        .unfinished = nullptr,
                        .adjourned = false};
    if (const auto row = rows.find(game.number); row != rows.end()) {
      if (is_finished(row->second) && !row->second.voided && !is_replaced(row->second, replaced)) continue;
      pending.attempt = row->second.attempt + 1;
      pending.replayed_for_fault = spent.contains(game.number);
      if (!row->second.outcome && !row->second.voided &&
          (plan.file().on_interrupt == config::OnInterrupt::resume || arbiter == Arbiter::at_hand)) {
        auto recorded = journal.game(game.number);
        const game::Phase phase = recorded ? phase_of(plan, *recorded) : game::Phase::over;
        // What an arbiter has in hand is never played anew.
        const bool in_hand = arbiter == Arbiter::at_hand && phase != game::Phase::playing && phase != game::Phase::over;
        const bool goes_on = recorded && (plan.file().on_interrupt == config::OnInterrupt::resume || in_hand);
        pending.adjourned = in_hand && phase == game::Phase::adjourned;
        if (goes_on) {
          pending.attempt = row->second.attempt;  // the same one
          pending.unfinished = std::make_shared<record::RecordedGame>(std::move(*recorded));
        }
      }
    }
    left.games.push_back(std::move(pending));
  }
  return left;
}

}  // namespace referee::match
