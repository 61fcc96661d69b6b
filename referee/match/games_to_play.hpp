// The games of a plan that are still to be played: which begins next, which comes once more, and which never will, because an engine has
// left the match or the sequential test is decided. All on the referee's thread.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/game/outcome.hpp"
#include "referee/match/game_session.hpp"
#include "referee/match/plan.hpp"
#include "referee/match/scorebook.hpp"
#include "referee/match/worker.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/recorder.hpp"

namespace referee::match {

/// A game that is still to be played.
struct PendingGame {
  int number = 0;
  int attempt = 1;
  bool replayed_for_fault = false;                         // its one replay is spent
  int annulled_for_lateness = 0;                           // attempts in this run
  std::shared_ptr<const record::RecordedGame> unfinished;  // goes on from here, instead of a new start
  bool adjourned = false;                                  // and waits for an arbiter first

  /// It goes on: a withdrawal since does not make it void before its end.
  [[nodiscard]] bool is_begun() const noexcept { return unfinished != nullptr; }
  [[nodiscard]] static PendingGame first_attempt(int number);
};

/// What a record leaves of a plan when a run begins.
struct WhatIsLeft {
  std::vector<PendingGame> games;          // in plan order
  std::vector<int> faults;                 // so far, by engine: those that count for its withdrawal
  std::map<std::size_t, int> withdrawn;    // engines, and how many games were planned when they left
  std::map<std::size_t, int> to_withdraw;  // the same of engines whose faults are enough, with no withdrawal on record
  ScoresSoFar scores;
  int next_number = 1;        // plans that grow on demand: the first game that was never started
  std::vector<int> attempts;  // how often each game of the plan was begun, by number - 1
};

/// A loss on time is a loss, not a sign that the program is broken.
[[nodiscard]] bool counts_for_withdrawal(game::Reason reason) noexcept;
/// An engine with so many of them leaves the match.
[[nodiscard]] bool is_enough_for_withdrawal(const config::MatchFile& file, int faults) noexcept;

class GamesToPlay {
 public:
  struct Hooks {
    /// What the user should hear that is no fact of the match.
    std::function<void(const std::string&)> notice;
    /// The sequential test is decided: nothing that is on the board matters any more.
    std::function<void()> on_test_decided;
    /// Games that have a table, are adjourned, or wait for a table to be resumed at.
    std::function<std::set<int>()> on_the_board;
  };

  /// Plan, recorder and worker outlive it.
  GamesToPlay(MatchPlan& plan, record::Recorder& recorder, Worker& worker, WhatIsLeft left, Hooks hooks);

  /// Brings to its end what a kill left half done: withdrawals, a verdict, points without play.
  void begin();

  /// Is there a game to start, drawn up now if need be? A round by results is drawn up only when nothing is being played.
  [[nodiscard]] bool has_more(bool is_anything_played);
  /// The next one. Needs: has_more().
  [[nodiscard]] PendingGame take();
  [[nodiscard]] std::vector<PendingGame> take_adjourned();
  /// Players of the next one, if it is known already.
  [[nodiscard]] std::vector<std::size_t> next_players() const;
  /// It was begun before, and waits to be played on or once more.
  [[nodiscard]] bool comes_again(int game) const;
  /// Engines that have been ready to play in an earlier run.
  [[nodiscard]] std::set<std::size_t> engines_that_have_played() const;

  /// An engine failed in a game that is about to end, see ended().
  void count_fault(std::size_t engine, game::Reason reason);
  /// A game is off the board: it counts, comes once more, or is void.
  void ended(const PendingGame& game, const SessionResult& result);
  /// A finished game has another result now, which stands in the record already. One that was annulled is played once more.
  void change_result(int game, const game::Outcome& outcome);
  /// The game does not count and is not played.
  void make_void(int game, const std::string& why) { scores_.make_void(game, why); }
  /// The engine leaves the match, and with it its games. `planned`: see WhatIsLeft::withdrawn; now, if it is not given.
  void withdraw(std::size_t engine, const std::string& why, std::optional<int> planned = std::nullopt);
  /// The game neither begins nor comes once more, because one of its engines has left.
  [[nodiscard]] std::optional<std::string> why_it_falls_out(int game) const;
  [[nodiscard]] bool test_is_decided() const { return scores_.test_is_decided(); }

 private:
  [[nodiscard]] bool grow_by_results();
  void take_result(const PlannedGame& planned, const game::Outcome& outcome);
  void end_test();
  void withdraw_the_faulty();
  void void_games_of(std::size_t engine);
  [[nodiscard]] std::string was_withdrawn(std::size_t engine) const;

  MatchPlan& plan_;
  record::Recorder& recorder_;
  Worker& worker_;
  Hooks hooks_;
  std::deque<PendingGame> queue_;
  std::vector<int> faults_;
  std::map<std::size_t, int> withdrawn_;
  std::map<std::size_t, int> to_withdraw_;  // until begin()
  int next_number_;
  std::vector<int> attempts_;
  Scorebook scores_;
};

}  // namespace referee::match
