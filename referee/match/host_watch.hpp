// Is the machine too busy for a fair game? A thread of ordinary priority, as engines are, sleeps for short times and measures how late it
// is woken: what it waits for a core, engines wait too. A scheduler that serves sleepers first hides from it what those wait that compute;
// that the kernel tells (/proc/pressure/cpu). It also looks, now and then, at what its owner asks it to.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace referee::match {

/// Delays since the watch began; two of them tell of the time between.
struct HostDelays {
  std::int64_t samples = 0;
  std::int64_t late = 0;  // by more than `too_late`
  std::chrono::nanoseconds total{};
  static constexpr std::chrono::milliseconds too_late{10};
  std::chrono::nanoseconds watched{};    // how long the kernel's count below was followed
  std::chrono::nanoseconds contended{};  // of it: something that wanted to run waited for a core
};
/// The total of "some" in the text of /proc/pressure/cpu; nullopt if it is not there.
[[nodiscard]] std::optional<std::chrono::microseconds> time_contended(std::string_view pressure);

/// What to say of a game that was played between two readings: nullopt when the host was quiet enough, or too few samples tell. Busy is
/// what makes one wake-up in ten late, or the average delay more than 3 ms, or lets something wait for a quarter of the time.
[[nodiscard]] std::optional<std::string> busy_host(const HostDelays& before, const HostDelays& after);

class HostWatch {
 public:
  /// `on_tick`: called about four times a second on the watch's thread.
  explicit HostWatch(std::function<void()> on_tick = {});
  ~HostWatch();
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  /// Any thread.
  [[nodiscard]] HostDelays delays() const;

 private:
  void run();

  std::function<void()> on_tick_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  HostDelays delays_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace referee::match
