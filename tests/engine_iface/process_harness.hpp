// Runs real processes through EngineProcess and records what was observed, in order.
#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/engine_process.hpp"
#include "engine_iface/launcher.hpp"

namespace referee::engine::test {

/// Far above what anything here takes: reached only when something hangs.
inline constexpr auto patience = std::chrono::seconds(20);

inline std::string unique_run_id(const std::string& name) {
  return "test-" + name + "-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
}

/// A folder of the test's own, gone at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "referee-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text, std::filesystem::perms mode) const {
    std::ofstream(path_ / name) << text;
    std::filesystem::permissions(path_ / name, mode);
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

struct Host {
  explicit Host(const std::string& name)
      : launcher({unique_run_id(name), "", [this](const std::string& text) { notices.push_back(text); }}) {}

  std::vector<std::string> notices;
  boost::asio::io_context io{1};
  DeadlineQueue deadlines{io};
  Launcher launcher;

  /// True if `done` came true in time.
  bool run_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      io.restart();
      io.run_one_for(std::chrono::milliseconds(50));
    }
    return true;
  }
};

inline EngineCommand shell(const std::string& script, Isolation isolation = Isolation::basic) {
  EngineCommand command;
  command.command = "/bin/sh";
  command.arguments = {"-c", script};
  command.folder = "/";
  command.isolation = isolation;
  return command;
}

class Recorder final : public EngineProcess::Observer {
 public:
  Recorder(Host& host, const EngineCommand& command)
      : host_(host), process_(EngineProcess::start(host.io, host.deadlines, host.launcher, command, *this)) {}
  ~Recorder() {
    process_->abandon();
    host_.run_until([this] { return !process_->alive(); });
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void started() override { events.emplace_back("started"); }
  void start_failed(const std::string& why) override {
    events.emplace_back("start failed");
    failure = why;
  }
  void line(std::string_view text, Instant at) override {
    lines.emplace_back(text);
    instants.push_back(at);
    events.emplace_back("line");
    if (on_line) on_line();
  }
  void error_line(std::string_view text, Instant) override { error_lines.emplace_back(text); }
  void note(const std::string& text, Instant) override { notes.push_back(text); }
  void written(Instant) override { events.emplace_back("written"); }
  void end_of_file(Instant) override { events.emplace_back("end of file"); }
  void exited(const ExitStatus& how, Instant) override {
    events.emplace_back("exited");
    status = how;
  }

  EngineProcess& process() { return *process_; }
  bool run_until_exit() {
    return host_.run_until([this] { return status.has_value(); });
  }
  [[nodiscard]] std::size_t place_of(const std::string& event) const {
    return static_cast<std::size_t>(std::find(events.begin(), events.end(), event) - events.begin());
  }
  [[nodiscard]] bool saw(const std::string& event) const { return place_of(event) < events.size(); }

  std::vector<std::string> events, lines, error_lines, notes;
  std::vector<Instant> instants;
  std::optional<ExitStatus> status;
  std::string failure;
  std::function<void()> on_line;

 private:
  Host& host_;
  std::shared_ptr<EngineProcess> process_;
};

/// Was it said at the start of the host?
inline bool said(const Host& host, const std::string& what) {
  return std::ranges::any_of(host.notices, [&](const std::string& notice) { return notice.find(what) != std::string::npos; });
}

/// What the process wrote until its end.
inline std::vector<std::string> lines_of(Host& host, const EngineCommand& command) {
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  host.run_until([&] { return seen.saw("end of file"); });
  return seen.lines;
}

}  // namespace referee::engine::test
