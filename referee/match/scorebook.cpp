#include "referee/match/scorebook.hpp"

#include <utility>

#include "referee/match/standings.hpp"

namespace referee::match {

Scorebook::Scorebook(MatchPlan& plan, record::Recorder& recorder, Worker& worker, ScoresSoFar so_far)
    : plan_(plan),
      recorder_(recorder),
      worker_(worker),
      fates_(std::move(so_far.fates)),
      voided_(std::move(so_far.voided)),
      given_(std::move(so_far.given)),
      test_(std::move(so_far.test)) {
  fates_.resize(plan.games().size());
}

Scorebook::Effect Scorebook::take(const PlannedGame& game, const game::Outcome& outcome) {
  if (!plan_.is_settled(game.number)) fate(game.number) = {.kind = GameFate::Kind::scored, .score = outcome.score};
  if (!test_ || !test_->set(game.number, game.white == 0 ? outcome.score.white : outcome.score.black)) return Effect::none;
  return tell_test();
}

Scorebook::Effect Scorebook::change(int game, const game::Outcome& outcome) {
  if (game < 1 || static_cast<std::size_t>(game) > fates_.size()) return Effect::none;
  GameFate& known = fate(game);
  if (plan_.growth() == MatchPlan::Growth::by_results && known.kind == GameFate::Kind::scored)
    recorder_.post(record::ResultChanged{.game = game, .was = known.score, .planned_games = static_cast<int>(plan_.games().size())});
  if (plan_.is_settled(game)) return Effect::none;
  known = outcome.annulled ? GameFate{} : GameFate{.kind = GameFate::Kind::scored, .score = outcome.score};
  return recount_test();
}

/// The pairs up to now once more: one of them is another.
Scorebook::Effect Scorebook::recount_test() {
  if (!test_ || test_is_decided()) return Effect::none;
  test_.emplace(*plan_.file().sprt);
  for (const PlannedGame& planned : plan_.games()) {
    const GameFate& known = fate(planned.number);
    if (known.kind != GameFate::Kind::scored || voided_.contains(planned.number)) continue;
    (void)test_->set(planned.number, planned.white == 0 ? known.score.white : known.score.black);
  }
  return tell_test();
}

Scorebook::Effect Scorebook::tell_test() {
  const stats::SprtReport& report = test_->report();
  record::SprtStanding standing{.pairs = test_->pairs(),
                                .llr = report.llr,
                                .lower = report.lower,
                                .upper = report.upper,
                                .state = std::string(stats::name(report.state))};
  // Behind the end of the game that brings it about, which goes the same way.
  worker_.post([standing = std::move(standing), &recorder = recorder_]() mutable { recorder.post(std::move(standing)); },
               Worker::When::now);
  return test_is_decided() ? Effect::test_decided : Effect::none;
}

void Scorebook::make_void(int game, const std::string& why) {
  GameFate& known = fate(game);
  if (known.kind == GameFate::Kind::open) known.kind = GameFate::Kind::cancelled;
  if (voided_.insert(game).second) recorder_.post(record::GameVoided{.game = game, .why = why});
}

void Scorebook::make_void_behind_the_verdict() {
  for (int game = 2 * test_->pairs() + 1; game <= static_cast<int>(fates_.size()); ++game) {
    if (fate(game).kind == GameFate::Kind::scored) make_void_behind_the_verdict(game);
  }
}

void Scorebook::make_void_behind_the_verdict(int game) { make_void(game, std::string(ended_after_the_test)); }

bool Scorebook::grow_to(int game) {
  const bool grown = plan_.grow_to(game);
  fates_.resize(plan_.games().size());
  return grown;
}

std::size_t Scorebook::grow(const std::map<std::size_t, int>& withdrawn) {
  const std::size_t added = plan_.grow(fates_, withdrawn);
  fates_.resize(plan_.games().size());
  if (added > 0)
    recorder_.post(record::PlanExtended{.planned_games = static_cast<int>(plan_.games().size()), .expected_games = plan_.expected_games()});
  return added;
}

void Scorebook::tell_gifts() {
  for (const Gift& gift : plan_.course().gifts) {
    record::PointsGiven given = given_by(gift, plan_.file());
    if (given_.emplace(given.round, given.engine, given.why).second) recorder_.post(std::move(given));
  }
}

}  // namespace referee::match
