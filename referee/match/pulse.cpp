#include "referee/match/pulse.hpp"

#include <ctime>
#include <utility>

namespace referee::match {

namespace {

std::chrono::nanoseconds reading(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::string text(const Pause& pause) {
  const auto tenths = std::chrono::duration_cast<std::chrono::milliseconds>(pause.length).count() / 100;
  const std::string length = std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  if (pause.kind == Pause::Kind::host_slept) return "the host slept for " + length;
  return "the referee stood still for " + length + " (stopped, or given no processor)";
}

std::optional<Pause> PauseDetector::read(engine::DeadlineQueue::Instant monotonic, std::chrono::nanoseconds asleep) {
  const auto last = std::exchange(last_, monotonic);
  const auto slept_before = std::exchange(asleep_, asleep);
  if (!last) return std::nullopt;
  if (asleep - slept_before > longest_silence) return Pause{Pause::Kind::host_slept, asleep - slept_before};
  if (monotonic - *last > longest_silence + beat) return Pause{Pause::Kind::stood_still, monotonic - *last};
  return std::nullopt;
}

Pulse::Pulse(engine::DeadlineQueue& deadlines, OnPause on_pause)
    : on_pause_(std::move(on_pause)), next_(deadlines, [this](engine::Deadline::Instant now) {
        next_.set(now + PauseDetector::beat);
        look();
      }) {
  look();
  next_.set(std::chrono::steady_clock::now() + PauseDetector::beat);
}

void Pulse::look() {
  const auto monotonic = reading(CLOCK_MONOTONIC);  // what steady_clock reads
  const auto pause = detector_.read(engine::DeadlineQueue::Instant(monotonic), reading(CLOCK_BOOTTIME) - monotonic);
  if (pause) on_pause_(*pause);
}

}  // namespace referee::match
