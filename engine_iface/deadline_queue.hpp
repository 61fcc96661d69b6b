// All limits of one io_context on one timer. The timer is armed lazily: setting a deadline touches it only if that deadline is earlier than
// what is armed, clearing one never does. So the limits of a move, which are almost always set later than the armed one and cleared before
// they expire, cost no system call; the price is a timer that sometimes fires with nothing due.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace boost::asio {
class io_context;
}

namespace referee::engine {

class DeadlineQueue {
 public:
  using Instant = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;

  explicit DeadlineQueue(boost::asio::io_context& io);
  ~DeadlineQueue();  // pending deadlines never expire after this; they may outlive the queue
  DeadlineQueue(const DeadlineQueue&) = delete;
  DeadlineQueue& operator=(const DeadlineQueue&) = delete;

  /// How many deadlines are pending.
  [[nodiscard]] std::size_t size() const noexcept;
  /// How often the timer was armed so far: the measure of "lazily".
  [[nodiscard]] std::size_t times_armed() const noexcept;

 private:
  friend class Deadline;
  struct State;
  std::shared_ptr<State> state_;
};

/// One limit, owned by whoever waits. Its callback is given once; set() and clear() then allocate nothing (O(log n) in pending deadlines).
/// The timer keeps io_context::run() busy only while Deadline objects exist.
///
///     Deadline flag(queue, [this](Instant now) { on_flag(now); });
///     flag.set(go_left + remaining + margin);
///     ...
///     flag.clear();  // the answer came
class Deadline {
 public:
  using Instant = DeadlineQueue::Instant;
  /// Called on the io_context's thread, once for each set() that was not cleared, never before its instant. `now` minus the instant is the
  /// referee's own lateness. It may set, clear or destroy any Deadline, also this one.
  using Callback = std::function<void(Instant now)>;

  Deadline(DeadlineQueue& queue, Callback on_expiry);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void set(Instant at);  // replaces what was set
  void clear() noexcept;
  [[nodiscard]] std::optional<Instant> pending() const noexcept;

 private:
  friend struct DeadlineQueue::State;
  std::shared_ptr<DeadlineQueue::State> state_;
  std::shared_ptr<const Callback> on_expiry_;
  std::size_t place_;  // in the heap, or none
};

}  // namespace referee::engine
