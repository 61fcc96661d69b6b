#include "engine_iface/probe_talk.hpp"

#include <algorithm>
#include <chrono>

#include "engine_iface/launcher.hpp"
#include "engine_iface/nudge.hpp"
#include "engine_iface/protocol_base.hpp"
#include "engine_iface/text.hpp"

namespace referee::engine {

namespace {

constexpr std::size_t lines_kept = 2000;

}  // namespace

ProbeTalk::ProbeTalk(const Launcher& launcher, const EngineCommand& command) {
  try {
    process_ = EngineProcess::start(io_, deadlines_, launcher, command, *this);
  } catch (const LaunchError& error) { start_error_ = error.what(); }
}

ProbeTalk::~ProbeTalk() {
  if (!process_) return;
  process_->kill();
  (void)await_exit(std::chrono::seconds(5));
  process_->abandon();
}

Instant ProbeTalk::now() { return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now()); }

void ProbeTalk::line(std::string_view text, Instant at) {
  last_heard_ = at;
  while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  for (auto* lines : {&unread_, &said_}) {
    lines->push_back({std::string(text), at});
    if (lines->size() > lines_kept) lines->pop_front();
  }
}

void ProbeTalk::error_line(std::string_view text, Instant) { last_error_line_ = excerpt(text); }

bool ProbeTalk::run_until(const std::function<bool()>& done, Duration limit) {
  const auto end = now() + limit;
  while (!done()) {
    const auto left = end - now();
    if (left <= Duration::zero()) return false;
    io_.restart();
    if (io_.run_one_for(left) == 0 && io_.stopped() && !done()) return false;  // nothing is left that could happen
  }
  return true;
}

void ProbeTalk::send(std::string_view text) {
  std::string lines(text);
  lines += '\n';
  send_raw(lines);
}

void ProbeTalk::send_raw(std::string_view text) {
  if (process_ && !status_) process_->send(text);
}

std::optional<ProbeTalk::Line> ProbeTalk::await(const Wanted& wanted, Duration limit) {
  std::optional<Line> found;
  const auto look = [&] {
    while (!unread_.empty() && !found) {
      if (wanted(unread_.front().text)) found = std::move(unread_.front());
      unread_.pop_front();
    }
    return found.has_value();
  };
  const auto over = [&] { return look() || output_ended_ || !process_; };
  const Instant end = now() + limit;
  for (int nudges = 0; nudge_after_ > Duration::zero() && nudges < most_nudges && now() + nudge_after_ < end; ++nudges) {
    const Instant since = now();
    if (run_until(over, nudge_after_)) {
      needed_a_nudge_ = needed_a_nudge_ || (nudges > 0 && found);
      return found;
    }
    if (last_heard_ < since) send_raw(nudge(nudges + 1));
  }
  run_until(over, end - now());
  // How an engine ended is known a moment after its last word.
  if (!found && output_ended_) (void)await_exit(std::chrono::milliseconds(500));
  return found;
}

std::optional<ProbeTalk::Line> ProbeTalk::await_word(std::string_view word, Duration limit) {
  return await([&](std::string_view line) { return Words(line).next() == word; }, limit);
}

void ProbeTalk::close_input() {
  if (process_) process_->close_input();
}
void ProbeTalk::interrupt() {
  if (process_) process_->interrupt();
}
void ProbeTalk::terminate() {
  if (process_) process_->terminate();
}
void ProbeTalk::kill() {
  if (process_) process_->kill();
}

std::optional<ExitStatus> ProbeTalk::await_exit(Duration limit) {
  if (!process_) return std::nullopt;
  run_until([&] { return status_.has_value(); }, limit);
  return status_;
}

std::string ProbeTalk::fate() const {
  if (!start_error_.empty()) return "could not be started: " + start_error_;
  std::string text = status_ ? "the engine " + describe(*status_) : output_ended_ ? "the engine closed its output" : "no answer";
  if (!last_error_line_.empty() && (status_ || output_ended_)) text += "; its stderr: " + last_error_line_;
  return text;
}

}  // namespace referee::engine
