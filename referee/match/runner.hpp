// Plays the games of a plan, some at once, on one io_context and the calling thread. An engine's fault never stops the match: the game gets
// its result, the engine is started afresh, and after `withdraw_after` faults it is withdrawn and its remaining games are void.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine_iface/launcher.hpp"
#include "referee/match/engine_log.hpp"
#include "referee/match/game_session.hpp"
#include "referee/match/games_to_play.hpp"
#include "referee/match/host.hpp"
#include "referee/match/host_watch.hpp"
#include "referee/match/plan.hpp"
#include "referee/match/tablebase.hpp"
#include "referee/match/worker.hpp"
#include "referee/record/recorder.hpp"

namespace referee::match {

struct RunnerInput {
  WhatIsLeft left;
  std::shared_ptr<const Tablebase> tables;
  std::vector<Seats> seats;                // CPUs of the games at once; games beyond them are not held to any
  std::optional<engine::Instant> stop_at;  // no game starts after it
  const HostWatch* watch = nullptr;        // outlives the runner
  int games_at_once = 1;
  Arbiter arbiter = Arbiter::none;
  enum class Signals {
    heed /* SIGINT, SIGTERM, SIGHUP stop the match */,
    leave /* they belong to somebody else */
  } signals = Signals::heed;
};

/// What became of an order about a game.
struct OrderAnswer {
  enum class Status {
    judged,
    not_on_the_board,  // not begun, or finished: all facts of it have been posted, and no other attempt follows in this run
    not_yet            // the match, or another attempt of the game, is just being set up, or its end is being recorded: ask again
  };
  Status status = Status::not_on_the_board;
  game::Rulings rulings;  // an order that the Laws forbid has an OrderRefused among them
};
using OrderAnswered = std::function<void(OrderAnswer)>;

enum class RunEnd { complete, stopped_by_interrupt, stopped_by_termination, closing_time /* stop_at */, record_failed };

struct RunReport {
  RunEnd end = RunEnd::complete;
  int faults = 0;                         // of engines, in this run
  std::set<std::size_t> could_not_start;  // engines
};

class Runner {
 public:
  /// `notice`: what the user should hear that is no fact of the match (stopping, why an engine does not start), on the calling thread.
  using Notice = std::function<void(const std::string&)>;

  /// The plan grows as results come in, where its schedule depends on them; it outlives the runner.
  Runner(MatchPlan& plan, record::Recorder& recorder, Worker& worker, const engine::Launcher& launcher, ProtocolLog* log, RunnerInput input,
         Notice notice);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Blocks until every game has an outcome or the match is stopped, and every engine has ended. SIGINT and SIGTERM: once = the running
  /// games are finished, twice = stop now. Needs: a thread that lives as long as the engines.
  RunReport run();
  /// Any thread: the record cannot be written, so the games are stopped.
  void record_failed();

  // Orders, on any thread, at any time before the end.
  /// Running games are played to their end, no new one starts until resume().
  void pause();
  void resume();
  /// At least 1; games beyond it are played to their end.
  void set_concurrency(int games);
  enum class Stop { finish_running, at_once };
  void stop(Stop how);
  /// No game starts any more, for whatever reason.
  [[nodiscard]] bool is_stopping() const noexcept;
  /// An order of an arbiter, or what a player says through one, about a game that is on the board or adjourned. `answered` is called once,
  /// on a thread of the match.
  void order(int game, game::EventBody body, OrderAnswered answered);
  /// A game that is finished has another result now, which stands in the record already. One that was annulled is played once more.
  void change_result(int game, const game::Outcome& outcome);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::match
