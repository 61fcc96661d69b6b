#include "referee/match/games_to_play.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace referee::match {

namespace {

std::string faults_text(int faults) { return std::to_string(faults) + (faults == 1 ? " fault" : " faults"); }

}  // namespace

bool counts_for_withdrawal(game::Reason reason) noexcept {
  return reason != game::Reason::flag_fall && reason != game::Reason::flag_fall_unwinnable;
}

bool is_enough_for_withdrawal(const config::MatchFile& file, int faults) noexcept {
  return file.faults.withdraw_after && faults >= *file.faults.withdraw_after;
}

PendingGame PendingGame::first_attempt(int number) {
  PendingGame pending;
  pending.number = number;
  return pending;
}

GamesToPlay::GamesToPlay(MatchPlan& plan, record::Recorder& recorder, Worker& worker, WhatIsLeft left, Hooks hooks)
    : plan_(plan),
      recorder_(recorder),
      worker_(worker),
      hooks_(std::move(hooks)),
      queue_(std::make_move_iterator(left.games.begin()), std::make_move_iterator(left.games.end())),
      faults_(std::move(left.faults)),
      withdrawn_(std::move(left.withdrawn)),
      to_withdraw_(std::move(left.to_withdraw)),
      next_number_(left.next_number),
      attempts_(std::move(left.attempts)),
      scores_(plan, recorder, worker, std::move(left.scores)) {
  faults_.resize(plan.file().engines.size());
}

void GamesToPlay::begin() {
  for (const auto& [engine, planned] : withdrawn_) void_games_of(engine);
  for (const auto& [engine, planned] : std::exchange(to_withdraw_, {})) withdraw(engine, faults_text(faults_[engine]), planned);
  scores_.tell_gifts();
  if (scores_.test_is_decided()) end_test();
}

// Which begins next --------------------------------------------------------------------------------------------------------

bool GamesToPlay::has_more(bool is_anything_played) {
  if (!queue_.empty()) return true;
  switch (plan_.growth()) {
    case MatchPlan::Growth::none:
      return false;
    case MatchPlan::Growth::on_demand: {
      if (scores_.test_is_decided() || !withdrawn_.empty() || !scores_.grow_to(next_number_)) return false;
      queue_.push_back(PendingGame::first_attempt(next_number_++));
      return true;
    }
    case MatchPlan::Growth::by_results:
      break;
  }
  if (is_anything_played) return false;
  const bool grown = grow_by_results();
  scores_.tell_gifts();
  return grown;
}

/// Draws up the next round once every game of the plan is over.
bool GamesToPlay::grow_by_results() {
  const std::size_t before = plan_.games().size();
  const std::size_t notes = plan_.warnings().size();
  const std::size_t added = scores_.grow(withdrawn_);
  for (std::size_t note = notes; note < plan_.warnings().size(); ++note) hooks_.notice("warning: " + plan_.warnings()[note]);
  for (std::size_t i = before; i < before + added; ++i) queue_.push_back(PendingGame::first_attempt(static_cast<int>(i) + 1));
  return added > 0;
}

PendingGame GamesToPlay::take() {
  PendingGame game = std::move(queue_.front());
  queue_.pop_front();
  attempts_.resize(std::max(attempts_.size(), plan_.games().size()));
  attempts_[static_cast<std::size_t>(game.number) - 1] = game.attempt;
  return game;
}

std::vector<PendingGame> GamesToPlay::take_adjourned() {
  std::vector<PendingGame> adjourned;
  std::deque<PendingGame> others;
  for (PendingGame& game : queue_) {
    if (game.adjourned)
      adjourned.push_back(std::move(game));
    else
      others.push_back(std::move(game));
  }
  queue_ = std::move(others);
  return adjourned;
}

std::vector<std::size_t> GamesToPlay::next_players() const {
  if (queue_.empty()) return {};
  const PlannedGame& next = plan_.game(queue_.front().number);
  return {next.white, next.black};
}

bool GamesToPlay::comes_again(int game) const {
  return std::ranges::any_of(
      queue_, [game](const PendingGame& pending) { return pending.number == game && (pending.attempt > 1 || pending.is_begun()); });
}

std::set<std::size_t> GamesToPlay::engines_that_have_played() const {
  std::set<std::size_t> engines;
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    if (attempts_[i] > 0) engines.insert({plan_.games()[i].white, plan_.games()[i].black});
  }
  return engines;
}

// Results ------------------------------------------------------------------------------------------------------------------

void GamesToPlay::count_fault(std::size_t engine, game::Reason reason) {
  if (counts_for_withdrawal(reason)) ++faults_[engine];
}

void GamesToPlay::ended(const PendingGame& game, const SessionResult& result) {
  const PlannedGame planned = plan_.game(game.number);
  const bool annulled = result.outcome.annulled && !result.aborted && !result.adjourned;
  const bool counts = !result.aborted && !result.replay && !result.adjourned && !result.outcome.annulled;
  // First its score, as what_is_left() reads it again: the schedule goes by what was played, the standings leave out what is void.
  if (counts) take_result(planned, result.outcome);
  withdraw_the_faulty();
  const auto falls_out = why_it_falls_out(game.number);
  const bool again = (result.replay || annulled) && !scores_.test_is_decided();
  if (falls_out && (again || (counts && plan_.file().faults.void_scope == config::VoidScope::all))) {
    worker_.flush();  // the end of this attempt stands in the record before it is made void
    return make_void(game.number, *falls_out);
  }
  if (!again) return;
  worker_.flush();  // the end of this attempt stands in the record before the next one begins
  queue_.push_front({.number = game.number,
                     .attempt = game.attempt + 1,
                     .replayed_for_fault = (result.replay && !result.aborted) || game.replayed_for_fault,
                     .annulled_for_lateness = game.annulled_for_lateness + (result.annulled_for_lateness ? 1 : 0),
                     .unfinished = nullptr,
                     .adjourned = false});
}

void GamesToPlay::take_result(const PlannedGame& planned, const game::Outcome& outcome) {
  if (scores_.test_is_decided()) {  // in the same instant
    worker_.flush();
    return scores_.make_void_behind_the_verdict(planned.number);
  }
  if (scores_.take(planned, outcome) == Scorebook::Effect::test_decided) end_test();
}

void GamesToPlay::change_result(int game, const game::Outcome& outcome) {
  if (scores_.change(game, outcome) == Scorebook::Effect::test_decided) return end_test();
  if (!outcome.annulled || game < 1 || static_cast<std::size_t>(game) > attempts_.size()) return;
  if (scores_.is_void(game) || why_it_falls_out(game) || scores_.test_is_decided()) return;
  if (comes_again(game) || hooks_.on_the_board().contains(game)) return;  // that was said already
  PendingGame again = PendingGame::first_attempt(game);
  again.attempt = attempts_[static_cast<std::size_t>(game) - 1] + 1;
  queue_.push_front(std::move(again));
}

/// The verdict stands on the pairs up to the one it fell on: later games that run are dropped, later games that have ended are void.
void GamesToPlay::end_test() {
  queue_.clear();
  hooks_.on_test_decided();
  worker_.flush();  // ends of games that are on their way to the record stand there before they are made void
  scores_.make_void_behind_the_verdict();
}

// Engines that leave -------------------------------------------------------------------------------------------------------

void GamesToPlay::withdraw_the_faulty() {
  for (std::size_t engine = 0; engine < faults_.size(); ++engine) {
    if (is_enough_for_withdrawal(plan_.file(), faults_[engine])) withdraw(engine, faults_text(faults_[engine]));
  }
}

void GamesToPlay::withdraw(std::size_t engine, const std::string& why, std::optional<int> planned) {
  const auto added = withdrawn_.emplace(engine, planned.value_or(static_cast<int>(plan_.games().size())));
  if (!added.second) return;
  worker_.flush();  // the game and the fault that bring it about stand in the record before it
  recorder_.post(record::EngineWithdrawn{.engine = plan_.file().engines[engine].name, .why = why, .planned_games = added.first->second});
  void_games_of(engine);
}

std::string GamesToPlay::was_withdrawn(std::size_t engine) const { return plan_.file().engines[engine].name + " was withdrawn"; }

std::optional<std::string> GamesToPlay::why_it_falls_out(int game) const {
  const PlannedGame& planned = plan_.game(game);
  for (const std::size_t player : {planned.white, planned.black}) {
    if (withdrawn_.contains(player)) return was_withdrawn(player);
  }
  return std::nullopt;
}

void GamesToPlay::void_games_of(std::size_t engine) {
  const std::string why = was_withdrawn(engine);
  const auto concerned = [&](int number) { return plan_.game(number).white == engine || plan_.game(number).black == engine; };
  const auto falls_out = [&](const PendingGame& pending) { return concerned(pending.number) && !pending.is_begun(); };
  for (const PendingGame& pending : queue_) {
    if (falls_out(pending)) scores_.make_void(pending.number, why);
  }
  std::erase_if(queue_, falls_out);
  if (plan_.file().faults.void_scope != config::VoidScope::all) return;
  worker_.flush();  // ends of games that are on their way to the record stand there before they are made void
  std::set<int> open = hooks_.on_the_board();
  for (const PendingGame& pending : queue_) open.insert(pending.number);
  for (const PlannedGame& game : plan_.games()) {
    if (concerned(game.number) && !open.contains(game.number)) scores_.make_void(game.number, why);
  }
}

}  // namespace referee::match
