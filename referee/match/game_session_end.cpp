// How a game halts, is adjourned and ends, and how what happened in it is handed on.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "referee/match/engine_log.hpp"
#include "referee/match/game_faults.hpp"
#include "referee/match/game_session.hpp"
#include "referee/match/wall_clock.hpp"

namespace referee::match {

using chess::Color;
using chess::index;

namespace {

/// Search outputs that are handed to the worker at once.
constexpr std::size_t outputs_a_job = 32;
/// How long the first of the facts may wait for the others.
constexpr std::chrono::milliseconds longest_hold{50};

}  // namespace

void GameSession::halt() {
  flag_.clear();
  wait_.reset();
  for (const Color side : {Color::white, Color::black}) {
    Seat& own = seat(side);
    if (thinking_ == side || own.pondering) own.engine->stop();
    own.pondering = false;
    own.ponder_wish.reset();
  }
  thinking_.reset();
  awaiting_go_.reset();
  lag_due_ = false;
  hand_on();
  if (game_.phase() == game::Phase::adjourned) adjourn();
}

void GameSession::adjourn() {
  stage_ = Stage::waiting;
  SessionResult result;
  result.adjourned = true;
  for (Seat& own : seats_) {
    result.seats[static_cast<std::size_t>(&own - seats_.data())].unusable = own.unusable;
    own.engine = nullptr;
    own.ready = false;
  }
  context_.worker.post([checks = checks_, outputs = std::move(unchecked_), &recorder = context_.recorder] {
    for (const SearchOutput& output : outputs) {
      for (record::EngineWarning& warning : checks->move(output)) recorder.post(std::move(warning));
    }
    for (record::EngineWarning& warning : checks->finish()) recorder.post(std::move(warning));
  });
  unchecked_ = {};
  boost::asio::post(context_.io, [done = done_, result = std::move(result)]() mutable { done(std::move(result)); });
}

void GameSession::finish() {
  if (stage_ == Stage::finished) return;
  const bool played = stage_ == Stage::playing || stage_ == Stage::preparing;
  stage_ = Stage::finished;
  flag_.clear();
  after_claim_.clear();
  thinking_.reset();
  awaiting_go_.reset();

  SessionResult result;
  result.replay = play_again_;
  result.annulled_for_lateness = annulled_for_lateness_;
  result.aborted = left_running_ || (game_.outcome() && game_.outcome()->reason == game::Reason::aborted);
  if (game_.outcome())
    result.outcome = *game_.outcome();
  else {
    result.outcome.reason = game::Reason::aborted;
    result.outcome.annulled = true;
  }
  result.plies = static_cast<int>(game_.plies());
  result.duration = std::max(last_event_, restored_);
  if (played) {
    const std::string text = game::result_text(result.outcome);
    const std::string comment = result.outcome.detail.empty() ? std::string(game::code(result.outcome.reason)) : result.outcome.detail;
    for (Seat& side : seats_) {
      if (side.engine != nullptr && !side.unusable && side.ready)
        side.engine->notify_result(text, comment);
      else
        side.unusable = true;
    }
  }
  hand_on();
  warn_of_busy_host();
  std::vector<record::Fact> told = faults_of(result);
  if (left_running_) {
    if (!told.empty()) context_.recorder.post(std::move(told));
  } else {
    record::GameEnded ended;
    ended.game = planned_.number;
    ended.at = wall_now();
    ended.outcome = result.outcome;
    ended.plies = result.plies;
    ended.duration = result.duration;
    ended.counted = !result.outcome.annulled && !result.replay;
    // Findings on the last moves stand in the journal before the end does; the faults and the end are written as one: who is killed in
    // between would else charge the engine once more.
    told.emplace_back(std::move(ended));
    context_.worker.post(
        [checks = checks_, outputs = std::move(unchecked_), told = std::move(told), &recorder = context_.recorder]() mutable {
          if (checks) {
            for (const SearchOutput& output : outputs) {
              for (record::EngineWarning& warning : checks->move(output)) recorder.post(std::move(warning));
            }
            for (record::EngineWarning& warning : checks->finish()) recorder.post(std::move(warning));
          }
          recorder.post(std::move(told));
        },
        Worker::When::now);
  }
  boost::asio::post(context_.io, [done = std::move(done_), result = std::move(result)]() mutable { done(std::move(result)); });
}

void GameSession::warn_of_busy_host() {
  if (!host_before_) return;
  auto text = busy_host(*host_before_, context_.watch->delays());
  if (!text) return;
  record::EngineWarning warning;
  warning.game = planned_.number;
  warning.kind = "host_busy";
  warning.text = std::move(*text);
  context_.recorder.post(std::move(warning));
}

std::vector<record::Fact> GameSession::faults_of(SessionResult& result) {
  std::vector<record::Fact> told;
  for (const Color color : {Color::white, Color::black}) {
    Seat& side = seat(color);
    SeatReport& report = result.seats[index(color)];
    report.unusable = side.unusable;
    if (!side.fault || result.aborted) continue;
    report.fault = side.fault;
    report.detail = side.failure.empty() ? result.outcome.detail : side.failure;
    // A crash of the winner, in the instant of its opponent's flag, decides nothing.
    const bool decides = result.outcome.annulled || result.outcome.reason == *side.fault ||
                         (is_fault(result.outcome.reason) && at_fault(result.outcome, game_.position().side_to_move()) == color);
    if (decides && attempt_.replay == FaultReplay::available &&
        policy_for(context_.plan.file().faults, *side.fault) == config::OnFault::replay_once)
      result.replay = true;
    record::EngineFault fault;
    fault.game = planned_.number;
    fault.engine = side.entry->name;
    fault.reason = *side.fault;
    fault.detail = report.detail;
    if (seats_[0].engine != nullptr && seats_[1].engine != nullptr) fault.log = merged_lines({seats_[0].engine, seats_[1].engine});
    told.emplace_back(std::move(fault));
  }
  return told;
}

void GameSession::hand_on() {
  // A fast game tells of many moves at once, a slow one of each within the hold.
  if (stage_ == Stage::finished || unposted_.size() >= facts_a_post)
    post_held();
  else if (!hold_.pending())
    hold_.set(std::chrono::steady_clock::now() + longest_hold);
  if (unchecked_.size() < outputs_a_job || stage_ == Stage::finished) return;
  context_.worker.post([checks = checks_, outputs = std::move(unchecked_), &recorder = context_.recorder] {
    for (const SearchOutput& output : outputs) {
      for (record::EngineWarning& warning : checks->move(output)) recorder.post(std::move(warning));
    }
  });
  unchecked_ = {};
  unchecked_.reserve(outputs_a_job);
}

void GameSession::post_held() {
  hold_.clear();
  if (unposted_.empty()) return;
  context_.recorder.post(std::move(unposted_));
  unposted_ = context_.recorder.spare();
  unposted_.reserve(facts_a_post);
}

}  // namespace referee::match
