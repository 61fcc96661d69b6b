// A scripted engine: goes through its script as lines come in, and is a plain engine wherever the script is silent. It reads and writes
// only through StubWorld, so that it runs in a test as well as in a process.
//
// A line that the next step waits for is the script's. Every other line the stub answers by itself where an engine must (uci, isready,
// protover, ping, quit), and skips where it need not. A line that asks for a move is never left without an answer: if the next step waits
// for the same command with other arguments it counts as met, and a note on stderr says so; otherwise the stub plays a move.
#pragma once

#include <string>
#include <string_view>

#include "engine_iface/stub_player.hpp"
#include "engine_iface/stub_script.hpp"

namespace referee::engine {

class StubWorld {
 public:
  virtual ~StubWorld() = default;
  virtual void write_output(std::string_view bytes) = 0;
  virtual void write_errors(std::string_view bytes) = 0;
  virtual void sleep(long long milliseconds) = 0;
  /// These end the stub; they may return, it then does nothing more.
  virtual void exit(int status) = 0;
  virtual void raise_signal(int number) = 0;
  virtual void ignore_everything() = 0;
  virtual void close_input() = 0;
  virtual void close_output() = 0;
};

class Stub {
 public:
  Stub(StubScript script, StubWorld& world);

  /// Does the steps before the first line; once.
  void start();
  /// Without its line end.
  void line(std::string_view text);
  void end_of_file();

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  /// Steps not yet done.
  [[nodiscard]] std::size_t steps_left() const noexcept { return script_.steps.size() - next_; }

 private:
  [[nodiscard]] const StubStep* awaited() const noexcept;
  void run_to_next_wait();
  void act(const StubStep& step);
  void flood(long long count);

  StubScript script_;
  StubWorld& world_;
  StubPlayer player_;
  std::size_t next_ = 0;
  bool ended_ = false;
};

}  // namespace referee::engine
