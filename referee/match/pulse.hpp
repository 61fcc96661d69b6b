// Has the referee itself stood still? It may be stopped, get no processor, or sleep with its host. Whatever came in meanwhile has wrong
// times, and limits have expired that nobody watched: games that were being played then are not decided by it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "engine_iface/deadline_queue.hpp"

namespace referee::match {

struct Pause {
  enum class Kind { stood_still, host_slept } kind = Kind::stood_still;
  std::chrono::nanoseconds length{};
};
/// "the referee stood still for 3.2 s (stopped, or given no processor)"
[[nodiscard]] std::string text(const Pause& pause);

/// Pure: tells a pause from the readings of two clocks that are taken at least every `beat`.
class PauseDetector {
 public:
  static constexpr std::chrono::milliseconds beat{200};
  static constexpr std::chrono::seconds longest_silence{1};

  /// `monotonic` never goes back; `asleep` is CLOCK_BOOTTIME minus CLOCK_MONOTONIC: how long the host has slept since it was started. The
  /// pause since the last reading, if there was one.
  std::optional<Pause> read(engine::DeadlineQueue::Instant monotonic, std::chrono::nanoseconds asleep);

 private:
  std::optional<engine::DeadlineQueue::Instant> last_;
  std::chrono::nanoseconds asleep_{};
};

/// Reads the clocks of this host on one io_context, from the construction on.
class Pulse {
 public:
  using OnPause = std::function<void(const Pause&)>;

  Pulse(engine::DeadlineQueue& deadlines, OnPause on_pause);

  /// To be called before anything is decided that depends on time. If a pause has just ended, `on_pause` is called first: once a pause.
  void look();

 private:
  PauseDetector detector_;
  OnPause on_pause_;
  engine::Deadline next_;
};

}  // namespace referee::match
