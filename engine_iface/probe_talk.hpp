// One engine process talked to line by line, blocking: what a compliance check is written in.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/engine_process.hpp"

namespace referee::engine {

class ProbeTalk final : private EngineProcess::Observer {
 public:
  /// Starts the process; that it failed shows in alive() and start_error().
  ProbeTalk(const Launcher& launcher, const EngineCommand& command);
  ~ProbeTalk();
  ProbeTalk(const ProbeTalk&) = delete;
  ProbeTalk& operator=(const ProbeTalk&) = delete;

  struct Line {
    std::string text;  // without its line end
    Instant at;
  };
  using Wanted = std::function<bool(std::string_view line)>;

  /// `text` may hold several lines; the last line end is added.
  void send(std::string_view text);
  /// As it is.
  void send_raw(std::string_view text);
  /// The next line that is wanted; those before it are gone, but for said(). Also nullopt when the engine's output ends.
  [[nodiscard]] std::optional<Line> await(const Wanted& wanted, Duration limit);
  /// The next line whose first word is this.
  [[nodiscard]] std::optional<Line> await_word(std::string_view word, Duration limit);
  /// Lets time go by; a wanted line in it is returned at once.
  [[nodiscard]] std::optional<Line> comes_within(const Wanted& wanted, Duration duration) { return await(wanted, duration); }
  void drop_unread() { unread_.clear(); }
  /// From now on an engine that is silent this long while a line is awaited is nudged, up to `most_nudges` times for each wait. Zero:
  /// never.
  void nudge_after(Duration silence) { nudge_after_ = silence; }
  static constexpr int most_nudges = 5;
  /// It has answered to an empty line at least once.
  [[nodiscard]] bool needed_a_nudge() const noexcept { return needed_a_nudge_; }
  void close_input();
  void interrupt();
  void terminate();
  void kill();
  [[nodiscard]] std::optional<ExitStatus> await_exit(Duration limit);

  [[nodiscard]] bool alive() const noexcept { return process_ != nullptr && !status_ && !output_ended_; }
  [[nodiscard]] const std::string& start_error() const noexcept { return start_error_; }
  /// Everything said so far, the latest 2000 lines.
  [[nodiscard]] const std::deque<Line>& said() const noexcept { return said_; }
  [[nodiscard]] const std::string& last_error_line() const noexcept { return last_error_line_; }
  /// How it ended, or that it lives, in words.
  [[nodiscard]] std::string fate() const;
  [[nodiscard]] static Instant now();

 private:
  void started() override {}
  void start_failed(const std::string& why) override { start_error_ = why; }
  void line(std::string_view text, Instant at) override;
  void error_line(std::string_view text, Instant at) override;
  void note(const std::string&, Instant) override {}
  void written(Instant) override {}
  void end_of_file(Instant) override { output_ended_ = true; }
  void exited(const ExitStatus& status, Instant) override { status_ = status; }

  bool run_until(const std::function<bool()>& done, Duration limit);

  boost::asio::io_context io_{1};
  DeadlineQueue deadlines_{io_};
  std::shared_ptr<EngineProcess> process_;
  std::deque<Line> unread_, said_;
  std::string last_error_line_, start_error_;
  bool output_ended_ = false;
  Duration nudge_after_{};
  Instant last_heard_{};
  bool needed_a_nudge_ = false;
  std::optional<ExitStatus> status_;
};

}  // namespace referee::engine
