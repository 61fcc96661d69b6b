// One engine: its process (bytes), its protocol (pure) and its limits, tied together on one io_context. All calls and all callbacks
// happen on that context's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine_iface/protocol.hpp"

namespace boost::asio {
class io_context;
}

namespace referee::engine {

class DeadlineQueue;  // deadline_queue.hpp: all limits of one io_context on one timer, armed lazily
class Launcher;       // launcher.hpp

enum class ClockStamp { arrival, kernel };
enum class Isolation { none, basic, strict };

struct EngineCommand {
  std::string command;  // absolute path after look-up
  std::vector<std::string> arguments;
  std::string folder;                                            // working folder; empty = a private temporary one
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  ClockStamp clock_stamp = ClockStamp::arrival;
  Isolation isolation = Isolation::basic;
  std::optional<std::uint64_t> memory_limit_bytes;
  std::optional<std::uint64_t> process_limit;    // processes and threads; default: default_process_limit(). Not under `none`
  std::optional<std::uint64_t> processor_limit;  // that it may use at a time, under `strict` where the host has control groups
  std::vector<int> cpus;                         // empty = no pinning
  // Absolute paths, for `strict`. The engine sees the system, its working folder, its binary's folder, files named by its arguments, and:
  std::vector<std::string> readable;
  std::vector<std::string> hidden;  // also where they lie in a folder that it sees; a folder that holds what it needs is not
};

struct EngineSpec {
  std::string name;  // as in the match file
  ProtocolKind protocol = ProtocolKind::uci;
  EngineCommand command;
  ProtocolSettings settings;
};

/// A line of the protocol log, kept in a bounded ring.
struct LoggedLine {
  Instant at;
  enum class Way : std::uint8_t { to_engine, from_engine, from_stderr, note } way;
  std::string text;
};

class Engine {
 public:
  /// Called for every message of the protocol, on the io_context's thread, never from inside an order. What is in the message is the
  /// listener's to take.
  using Listener = std::function<void(Message&)>;

  /// The io_context, the queue and the launcher outlive the engine and its process (which ends some time after ~Engine).
  Engine(boost::asio::io_context& io, DeadlineQueue& deadlines, const Launcher& launcher, const EngineSpec& spec);
  /// With a protocol machine of the caller's instead of the one that spec.protocol names.
  Engine(boost::asio::io_context& io, DeadlineQueue& deadlines, const Launcher& launcher, EngineSpec spec,
         std::unique_ptr<Protocol> protocol);
  ~Engine();  // kills what still runs; never blocks
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_listener(Listener listener);
  void set_info_interest(InfoInterest interest);  // each_depth until told otherwise

  void start();                        // spawns; Ready or Failure follows
  void new_game(const NewGame& game);  // Ready or Failure follows: of an engine that has ended, what it ended by, once more
  /// The instant at which the `go` had left (the clock runs from it); nullopt when it had to be held back (the answer to a stop, or a
  /// barrier against stale answers, is outstanding): then a GoSent message brings the instant later.
  std::optional<Instant> think(const ThinkRequest& request);
  std::optional<Instant> ponder(const ThinkRequest& request, std::string_view guess);
  std::optional<Instant> ponder_hit(const ThinkRequest& request);
  void stop();
  void offer_draw();  // the opponent's, while this engine thinks
  void notify_result(std::string_view result, std::string_view comment);
  void quit();  // Bye or Failure follows within timeouts.quit + the kill
  void kill();  // at once

  /// Before a loss on time is declared: reads what is already in the pipe and delivers it. True if an Answer was delivered.
  bool drain_now();
  /// When its output ended or its process did, whichever was first: no answer can come any more, the Failure that says why follows.
  [[nodiscard]] std::optional<Instant> ended_at() const noexcept;
  /// Answers carry the kernel's time of their writing (`clock_stamp: kernel`, where the host has it): no lateness of ours is in it.
  [[nodiscard]] bool stamped_by_kernel() const noexcept;

  [[nodiscard]] const EngineSpec& spec() const noexcept;
  [[nodiscard]] const EngineIdentity& identity() const noexcept;
  [[nodiscard]] bool alive() const noexcept;
  [[nodiscard]] bool reusable() const noexcept;
  [[nodiscard]] bool supports_chess960() const noexcept;
  [[nodiscard]] bool supports_pondering() const noexcept;
  [[nodiscard]] long process_id() const noexcept;  // 0 when there is none
  /// The last protocol and stderr lines, oldest first (at least 200, bounded in bytes).
  [[nodiscard]] std::vector<LoggedLine> recent_lines() const;
  /// Sees every line, for `--log`; nullptr turns it off.
  void set_line_log(std::function<void(const LoggedLine&)> log);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace referee::engine
