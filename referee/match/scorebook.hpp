// What has become of each game of the plan so far, as its schedule and its sequential test count it. Every change of it that is a fact of
// the match goes to the record from here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "referee/match/plan.hpp"
#include "referee/match/sprt_tracker.hpp"
#include "referee/match/worker.hpp"
#include "referee/record/recorder.hpp"

namespace referee::match {

/// Why the games behind a verdict are void. They are so as long as the verdict stands: see voided_games().
inline constexpr std::string_view ended_after_the_test = "ended after the sequential test was decided";

/// As the record has it when a run begins.
struct ScoresSoFar {
  std::vector<GameFate> fates;                                // of all games of the plan, by number - 1
  std::set<int> voided;                                       // games
  std::set<std::tuple<int, std::string, std::string>> given;  // points without play, by round, engine and reason
  std::optional<SprtTracker> test;                            // with what has been played
};

class Scorebook {
 public:
  /// Plan, recorder and worker outlive it.
  Scorebook(MatchPlan& plan, record::Recorder& recorder, Worker& worker, ScoresSoFar so_far);

  [[nodiscard]] bool test_is_decided() const { return test_ && test_->decided(); }
  [[nodiscard]] bool is_void(int game) const { return voided_.contains(game); }

  /// What a change has brought about.
  enum class Effect { none, test_decided };
  /// A game has ended with an outcome that counts. Needs: the test is not decided.
  [[nodiscard]] Effect take(const PlannedGame& game, const game::Outcome& outcome);
  /// A finished game has another result now, which stands in the record already.
  [[nodiscard]] Effect change(int game, const game::Outcome& outcome);
  /// The game does not count, whether or not it has been played. Needs: its end, if it has one, has been posted.
  void make_void(int game, const std::string& why);
  /// The test stands on the pairs up to the one its verdict fell on: games behind it that have ended, or the one that just did.
  /// Needs: the test is decided.
  void make_void_behind_the_verdict();
  void make_void_behind_the_verdict(int game);

  /// The next game of a plan that grows on demand, or the next round by the results: how many games have come. Their fates are open.
  bool grow_to(int game);
  std::size_t grow(const std::map<std::size_t, int>& withdrawn);
  /// Points without play that the record does not have yet.
  void tell_gifts();

 private:
  [[nodiscard]] GameFate& fate(int game) { return fates_[static_cast<std::size_t>(game) - 1]; }
  [[nodiscard]] Effect recount_test();
  [[nodiscard]] Effect tell_test();

  MatchPlan& plan_;
  record::Recorder& recorder_;
  Worker& worker_;
  std::vector<GameFate> fates_;
  std::set<int> voided_;
  std::set<std::tuple<int, std::string, std::string>> given_;
  std::optional<SprtTracker> test_;
};

}  // namespace referee::match
