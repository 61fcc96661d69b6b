#include "referee/match/host_watch.hpp"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace referee::match {

namespace {

constexpr std::chrono::milliseconds nap{25};
constexpr int naps_a_tick = 10;
constexpr std::int64_t fewest_samples = 20;
constexpr std::chrono::milliseconds busy_average{3};
constexpr std::chrono::seconds shortest_watch{1};
constexpr int busy_percent = 25;

std::optional<std::chrono::microseconds> time_contended_now() {
  std::ifstream file("/proc/pressure/cpu");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return time_contended(line);
}

}  // namespace

std::optional<std::chrono::microseconds> time_contended(std::string_view pressure) {
  if (!pressure.starts_with("some ")) return std::nullopt;
  pressure = pressure.substr(0, pressure.find('\n'));
  constexpr std::string_view name = " total=";
  const std::size_t at = pressure.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t us = 0;
  const char* const begin = pressure.data() + at + name.size();
  if (std::from_chars(begin, pressure.data() + pressure.size(), us).ec != std::errc{}) return std::nullopt;
  return std::chrono::microseconds(us);
}

std::optional<std::string> busy_host(const HostDelays& before, const HostDelays& after) {
  const std::int64_t samples = after.samples - before.samples;
  if (samples < fewest_samples) return std::nullopt;
  const std::int64_t late = after.late - before.late;
  const auto average = (after.total - before.total) / samples;
  std::array<char, 160> text{};
  if (late * 10 < samples && average < busy_average) {
    const auto watched = after.watched - before.watched, contended = after.contended - before.contended;
    if (watched < shortest_watch || contended * 100 < watched * busy_percent) return std::nullopt;
    (void)std::snprintf(text.data(), text.size(), "the host was busy: for %.0f%% of the time something waited for a core",
                        100.0 * std::chrono::duration<double>(contended).count() / std::chrono::duration<double>(watched).count());
    return text.data();
  }
  (void)std::snprintf(text.data(), text.size(),
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
  const auto began = std::chrono::steady_clock::now();
  const auto contended_before = time_contended_now();
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
    if (naps % naps_a_tick != 0) continue;
    if (const auto contended = contended_before ? time_contended_now() : std::nullopt) {
      const std::lock_guard lock(mutex_);
      delays_.watched = std::chrono::steady_clock::now() - began;
      delays_.contended = *contended - *contended_before;
    }
    if (on_tick_) on_tick_();
  }
}

}  // namespace referee::match
