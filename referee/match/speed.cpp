#include "referee/match/speed.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <variant>

#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/engine.hpp"
#include "referee/match/engine_spec.hpp"
#include "referee/match/fingerprints.hpp"

namespace referee::match {

namespace {

constexpr std::chrono::seconds beyond_the_search{10};

/// Starts one engine, lets it search once, ends it.
class Measurement {
 public:
  Measurement(const config::EngineEntry& entry, const config::Output& records, const engine::Launcher& launcher,
              std::chrono::milliseconds time)
      : deadlines_(io_),
        time_(time),
        engine_(io_, deadlines_, launcher, engine_spec(entry, records)),
        patience_(deadlines_, [this](engine::Instant) { finish("does not answer"); }) {
    engine_.set_info_interest(engine::InfoInterest::last);
    engine_.set_listener([this](const engine::Message& message) { hear(message); });
  }

  double run() {
    patience_.set(std::chrono::steady_clock::now() + engine_.spec().settings.timeouts.start + engine_.spec().settings.timeouts.ready +
                  beyond_the_search);
    engine_.start();
    io_.run();
    if (!problem_.empty()) throw std::runtime_error(engine_.spec().name + ": its speed cannot be measured: it " + problem_);
    return speed_;
  }

 private:
  void hear(const engine::Message& message) {
    if (const auto* info = std::get_if<engine::Info>(&message)) {
      if (info->info.nodes) nodes_ = *info->info.nodes;
    } else if (const auto* failure = std::get_if<engine::Failure>(&message)) {
      if (!done_) finish(failure->detail);
      io_.stop();
    } else if (std::holds_alternative<engine::Bye>(message)) {
      io_.stop();
    } else if (std::holds_alternative<engine::Ready>(message)) {
      prepared_ ? search() : prepare();
    } else if (const auto* sent = std::get_if<engine::GoSent>(&message)) {
      began_ = sent->at;
    } else if (const auto* answer = std::get_if<engine::Answer>(&message)) {
      const std::chrono::duration<double> used = answer->at - began_;
      if (nodes_ == 0 || used.count() <= 0) return finish("tells no nodes");
      speed_ = static_cast<double>(nodes_) / used.count();
      finish("");
    }
  }
  void prepare() {
    prepared_ = true;
    engine::NewGame game;
    game.line = line_;
    game.time_control.mode = clock::Mode::move_time;
    game.time_control.periods = {clock::Period{.moves = 0, .base = time_, .increment = {}, .delay = {}}};
    game.limits.move_time = time_;
    engine_.new_game(game);
  }
  void search() {
    if (done_) return;
    patience_.set(std::chrono::steady_clock::now() + time_ + beyond_the_search);
    engine::ThinkRequest request;
    request.line = &line_;
    if (const auto sent = engine_.think(request)) began_ = *sent;
  }
  void finish(const std::string& problem) {
    if (done_) return io_.stop();
    done_ = true;
    problem_ = problem;
    patience_.set(std::chrono::steady_clock::now() + engine_.spec().settings.timeouts.quit + beyond_the_search);
    if (engine_.alive())
      engine_.quit();
    else
      io_.stop();
  }

  boost::asio::io_context io_{1};
  engine::DeadlineQueue deadlines_;
  std::chrono::milliseconds time_;
  engine::GameLine line_;
  engine::Engine engine_;
  engine::Deadline patience_;
  engine::Instant began_{};
  std::uint64_t nodes_ = 0;
  double speed_ = 0;
  std::string problem_;
  bool prepared_ = false;
  bool done_ = false;
};

}  // namespace

double measure_speed(const config::EngineEntry& engine, const config::Output& records, const engine::Launcher& launcher,
                     std::chrono::milliseconds time) {
  return Measurement(engine, records, launcher, time).run();
}

std::vector<double> measure_speeds(const std::vector<const config::EngineEntry*>& engines, const config::Output& records,
                                   const engine::Launcher& launcher, std::chrono::milliseconds time, int turns) {
  std::vector<std::vector<double>> measured(engines.size());
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < engines.size(); ++i) measured[i].push_back(measure_speed(*engines[i], records, launcher, time));
  }
  std::vector<double> middle;
  for (auto& speeds : measured) {
    std::ranges::nth_element(speeds, speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2));
    middle.push_back(speeds[speeds.size() / 2]);
  }
  return middle;
}

clock::TimeControl scaled(const clock::TimeControl& control, double factor) {
  const auto stretch = [factor](clock::Duration duration) {
    if (duration <= clock::Duration::zero() || duration == clock::Duration::max()) return duration;
    const double ms = std::chrono::duration<double, std::milli>(duration).count() * factor;
    return clock::Duration(std::chrono::milliseconds(std::max(1LL, std::llround(ms))));
  };
  clock::TimeControl out = control;
  if (out.mode == clock::Mode::infinite) return out;
  for (clock::Period& period : out.periods) {
    period.base = stretch(period.base);
    period.increment = stretch(period.increment);
    period.delay = stretch(period.delay);
  }
  return out;
}

std::vector<std::vector<std::size_t>> copies_of_one_binary(const config::MatchFile& file) {
  // Sizes first: only files of one size are read.
  std::map<std::pair<std::uintmax_t, std::string>, std::vector<std::size_t>> alike_in_size;
  for (std::size_t i = 0; i < file.engines.size(); ++i) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file.engines[i].command, error);
    std::string options;
    for (const engine::EngineOption& option : file.engines[i].options) options += option.name + '\n' + option.value + '\n';
    for (const std::string& argument : file.engines[i].arguments) options += argument + '\n';
    if (!error) alike_in_size[{size, options}].push_back(i);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [key, engines] : alike_in_size) {
    std::map<std::string, std::vector<std::size_t>> by_content;
    if (engines.size() < 2) continue;
    for (const std::size_t i : engines) by_content[sha256_of_file(file.engines[i].command)].push_back(i);
    for (auto& entry : by_content) {
      std::vector<std::size_t>& same = entry.second;
      const auto elsewhere = [&file, &same](std::size_t i) { return file.engines[i].command != file.engines[same.front()].command; };
      if (std::ranges::any_of(same, elsewhere)) groups.push_back(std::move(same));  // one file is one copy
    }
  }
  return groups;
}

}  // namespace referee::match
