// Between probe.cpp and the two lists of checks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "engine_iface/probe.hpp"
#include "engine_iface/probe_talk.hpp"

namespace referee::engine {

/// "312 ms".
[[nodiscard]] std::string milliseconds_text(Duration duration);
/// How far over a time limit an engine may be before it is no more the system's doing.
inline constexpr Duration probe_slack = std::chrono::milliseconds(150);

/// Runs the checks of one protocol and keeps the conversation they share: a process that has answered in order goes on to the next check,
/// any other is replaced.
class ProbeRun {
 public:
  ProbeRun(const Launcher& with, const EngineCommand& engine, const ProbeSettings& how, ProbeReport& into)
      : launcher(with), command(engine), settings(how), report(into) {}
  virtual ~ProbeRun() = default;

  /// All of them, in order. The first is the handshake.
  virtual void run() = 0;
  /// Greets a fresh process. What it said of itself is kept. Null when it did not answer; `why` then says so.
  virtual std::unique_ptr<ProbeTalk> greet(std::string& why) = 0;

 protected:
  /// Does the check with the shared process; its verdict is fail until the body says otherwise. A body may throw ProbeStop to end early.
  template <class Body>
  void check(std::string id, std::string section, Body body);
  /// The same with a process of its own, which the body may ruin.
  template <class Body>
  void check_alone(std::string id, std::string section, Body body);

  /// Whatever else a check looks at: an answer that is no legal move where it was asked fails it. `what`: the move and the position.
  void answered_illegally(std::string what) {
    if (illegal_.empty()) illegal_ = std::move(what);
  }

  /// A move that took so long under a limit: what is said of it, and pass or tolerated if it may.
  static void judge_time(ProbeCheck& check, const std::string& answer, Duration took, Duration allowed);
  /// An engine that was told to end, or whose input has ended: with code 0 and soon it passes.
  static void judge_end(ProbeTalk& talk, ProbeCheck& check);
  /// `quit`, said to an engine that does nothing.
  void check_quit(std::string section);
  /// The end of its input, while it does nothing and while it thinks. `think` makes it, with what is told in `sent`; false if it does not
  /// come to that.
  void check_end_of_input(const std::string& sent, const std::function<bool(ProbeTalk&)>& think);

  const Launcher& launcher;
  const EngineCommand& command;
  const ProbeSettings& settings;
  ProbeReport& report;

 private:
  void judge_answers(ProbeCheck& check) {
    const std::string illegal = std::exchange(illegal_, {});
    if (illegal.empty() || check.verdict == ProbeVerdict::fail) return;
    check.seen = "illegal: " + illegal;
    check.verdict = ProbeVerdict::fail;
  }
  void done(ProbeCheck check) {
    if (settings.on_check) settings.on_check(check);
    report.checks.push_back(std::move(check));
  }

  void begin(const ProbeCheck& check) const {
    if (settings.on_begin) settings.on_begin(check.id);
  }
  /// The time for the whole is used up: says so in the check.
  [[nodiscard]] bool too_late(ProbeCheck& check) const {
    if (ProbeTalk::now() < began_ + settings.whole) return false;
    check.seen = "not reached: the checks before it took more than " + milliseconds_text(settings.whole);
    return true;
  }

  /// An engine that could not be greeted at first, or twice running later, is not waited for again.
  std::unique_ptr<ProbeTalk> greet_if_hopeful(ProbeCheck& check) {
    if (failed_greetings_ >= (greeted_ ? 2 : 1)) {
      check.seen = "not reached: " + last_reason_;
      return nullptr;
    }
    auto talk = greet(check.seen);
    greeted_ = greeted_ || talk != nullptr;
    failed_greetings_ = talk ? 0 : failed_greetings_ + 1;
    if (!talk) last_reason_ = check.seen;
    return talk;
  }

  std::unique_ptr<ProbeTalk> shared_;
  Instant began_ = ProbeTalk::now();
  bool greeted_ = false;
  int failed_greetings_ = 0;
  std::string last_reason_;
  std::string illegal_;  // of the check that runs
};

template <class Body>
void ProbeRun::check(std::string id, std::string section, Body body) {
  ProbeCheck check{std::move(id), std::move(section), ProbeVerdict::fail, {}, {}};
  begin(check);
  if (too_late(check)) return done(std::move(check));
  if (!shared_ || !shared_->alive()) shared_ = greet_if_hopeful(check);
  if (shared_) {
    body(*shared_, check);
    judge_answers(check);
    if (check.seen.empty()) check.seen = shared_->fate();
    // What follows must not suffer for it.
    if (check.verdict == ProbeVerdict::fail) shared_.reset();
  }
  done(std::move(check));
}

template <class Body>
void ProbeRun::check_alone(std::string id, std::string section, Body body) {
  ProbeCheck check{std::move(id), std::move(section), ProbeVerdict::fail, {}, {}};
  begin(check);
  if (too_late(check)) return done(std::move(check));
  if (const auto talk = greet_if_hopeful(check)) {
    body(*talk, check);
    judge_answers(check);
    if (check.seen.empty()) check.seen = talk->fate();
  }
  done(std::move(check));
}

[[nodiscard]] std::unique_ptr<ProbeRun> make_uci_probe(const Launcher& launcher, const EngineCommand& command,
                                                       const ProbeSettings& settings, ProbeReport& report);
[[nodiscard]] std::unique_ptr<ProbeRun> make_xboard_probe(const Launcher& launcher, const EngineCommand& command,
                                                          const ProbeSettings& settings, ProbeReport& report);

}  // namespace referee::engine
