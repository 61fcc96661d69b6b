// The engine processes of a match: started when a game needs them, kept between games where that is allowed, ended when nobody will ask
// for them again. All on the referee's thread.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/engine.hpp"
#include "engine_iface/launcher.hpp"
#include "referee/game/outcome.hpp"
#include "referee/match/engine_log.hpp"
#include "referee/match/plan.hpp"

namespace referee::match {

/// A process of one engine of the match.
struct Instance {
  std::size_t engine_index = 0;
  std::vector<int> cpus;  // it is held to; empty: none
  int serial = 0;         // among all processes of the match, from 1
  std::unique_ptr<engine::Engine> engine;
  std::unique_ptr<engine::Deadline> patience;  // while it leaves
};

class EnginePool {
 public:
  struct Hooks {
    /// What a user should know of an engine's start (start: an attempt failed) or its handshake (complaint, leniency), once each for an
    /// engine and text.
    std::function<void(std::size_t engine_index, const std::string& kind, const std::string& text, const std::string& line)> on_remark;
    /// A start takes so long that a user asks why: what is awaited, and until when.
    std::function<void(const std::string& text)> on_wait;
  };

  EnginePool(boost::asio::io_context& io, engine::DeadlineQueue& deadlines, const engine::Launcher& launcher, const MatchPlan& plan,
             ProtocolLog* log, Hooks hooks);
  ~EnginePool();
  EnginePool(const EnginePool&) = delete;
  EnginePool& operator=(const EnginePool&) = delete;

  /// It did so in an earlier run of the match: when it does not now, it is tried more often.
  void has_started(std::size_t engine_index);

  /// Why a start failed: the reason in words, the last lines behind it.
  struct StartFailure {
    std::string why;
    std::string last_lines;
    /// crash, disconnect: it ended; protocol_error: it cannot play this match; start_timeout: it was not ready in time.
    game::Reason reason = game::Reason::start_timeout;
  };
  /// Exactly one of the two is given. Called later, never from inside acquire().
  using Acquired = std::function<void(Instance* instance, const StartFailure* failure)>;
  /// `cpus`: what the process is held to (empty: nothing); one that runs elsewhere is not taken.
  void acquire(std::size_t engine_index, std::vector<int> cpus, Acquired acquired);

  enum class Fate {
    keep,     // for the next game, where the restart policy allows it
    restart,  // it is told to quit; the next game gets a new process
    lost,     // the process is gone, or beyond reach
  };
  /// After a game.
  void release(Instance* instance, Fate fate);
  /// Ends idle processes beyond what may stand by, those of other engines than `wanted` first.
  void trim(std::size_t most_idle, const std::vector<std::size_t>& wanted);
  /// Ends everything that is idle or starting; `finished` is called when no process is left.
  void close(std::function<void()> finished);
  /// At once, without a word of goodbye.
  void kill_all();

  [[nodiscard]] std::size_t idle() const noexcept { return idle_.size(); }
  [[nodiscard]] std::size_t processes() const noexcept { return idle_.size() + busy_.size() + starting_.size() + leaving_.size(); }

 private:
  struct Start;
  using Instances = std::list<std::unique_ptr<Instance>>;

  void launch(const std::shared_ptr<Start>& start);
  void started(const std::shared_ptr<Start>& start);
  void failed(const std::shared_ptr<Start>& start, const std::string& why, game::Reason reason);
  void hear_idle(Instance* instance, const engine::Message& message);
  enum class Goodbye { quit, none /* it has failed: nothing more will be heard of it */ };
  void leave(std::unique_ptr<Instance> instance, Goodbye goodbye);
  void left(Instance* instance);
  void remark(std::size_t engine_index, const engine::Message& message);
  void remark(std::size_t engine_index, const std::string& kind, const std::string& text, const std::string& line);
  [[nodiscard]] bool may_reuse(const Instance& instance) const;
  [[nodiscard]] std::unique_ptr<Instance> take(Instances& from, const Instance* instance);

  boost::asio::io_context& io_;
  engine::DeadlineQueue& deadlines_;
  const engine::Launcher& launcher_;
  const MatchPlan& plan_;
  std::vector<engine::EngineSpec> specs_;  // made before any engine runs: what links lead to is not for an engine to change
  ProtocolLog* log_;
  Hooks hooks_;
  int last_serial_ = 0;
  Instances idle_, busy_, leaving_;
  std::list<std::shared_ptr<Start>> starting_;
  std::vector<std::vector<std::string>> remarks_;  // by engine, said already
  std::vector<bool> told_of_;                      // by engine: the user knows what is awaited
  std::vector<bool> is_known_to_start_;            // by engine
  std::function<void()> on_closed_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace referee::match
