#include "referee/match/host_watch.hpp"

#include <cstdio>

namespace referee::match {

namespace {

constexpr std::chrono::milliseconds nap{25};
constexpr int naps_a_tick = 10;
constexpr std::int64_t fewest_samples = 20;
constexpr std::chrono::milliseconds busy_average{3};

}  // namespace

std::optional<std::string> busy_host(const HostDelays& before, const HostDelays& after) {
  const std::int64_t samples = after.samples - before.samples;
  if (samples < fewest_samples) return std::nullopt;
  const std::int64_t late = after.late - before.late;
  const auto average = (after.total - before.total) / samples;
  if (late * 10 < samples && average < busy_average) return std::nullopt;
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "the host was busy: a thread waited %.1f ms on average for a core, more than %d ms in %.0f%% of cases",
                std::chrono::duration<double, std::milli>(average).count(), static_cast<int>(HostDelays::too_late.count()),
                100.0 * static_cast<double>(late) / static_cast<double>(samples));
  return text.data();
}

HostWatch::HostWatch(std::function<void()> on_tick) : on_tick_(std::move(on_tick)), thread_([this] { run(); }) {}

HostWatch::~HostWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

HostDelays HostWatch::delays() const {
  const std::lock_guard lock(mutex_);
  return delays_;
}

void HostWatch::run() {
  for (int naps = 1;; ++naps) {
    {
      std::unique_lock lock(mutex_);
      const auto due = std::chrono::steady_clock::now() + nap;
      if (wake_.wait_until(lock, due, [this] { return stopping_; })) return;
      const auto delay = std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(std::chrono::steady_clock::now() - due));
      ++delays_.samples;
      delays_.total += delay;
      if (delay > HostDelays::too_late) ++delays_.late;
    }
    if (on_tick_ && naps % naps_a_tick == 0) on_tick_();
  }
}

}  // namespace referee::match
