// From a match's recorder to its viewers: facts become numbered lines of the live log, the board follows, and what is new is handed on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "referee/daemon/live_log.hpp"
#include "referee/daemon/match_board.hpp"
#include "referee/record/fact.hpp"

namespace referee::daemon {

/// Some events of one match in order, as one WebSocket message: {"match":3,"first":17,"events":[{...},...]}.
struct LiveBatch {
  int match = 0;
  std::uint64_t first = 0;
  std::size_t count = 0;
  std::shared_ptr<const std::string> message;
};
[[nodiscard]] LiveBatch make_batch(int match, std::uint64_t first, const std::vector<std::string>& lines);

class LiveFeed : public record::View {
 public:
  struct Hooks {
    std::function<void(LiveBatch)> on_batch;                    // on the recorder's thread
    std::function<void()> on_desk;                              // what waits for an arbiter may have changed
    std::function<void(const record::Fact&)> on_turning_point;  // a game began or ended, or something outside games happened
  };
  LiveFeed(int match, std::shared_ptr<LiveLog> log, std::shared_ptr<MatchBoard> board, Hooks hooks);

  void see(const record::Fact& whole) override;
  void batch_done() override;
  [[nodiscard]] std::chrono::milliseconds patience() const noexcept override { return std::chrono::milliseconds{100}; }

 private:
  void tell(const record::Fact& fact);

  int match_;
  std::shared_ptr<LiveLog> log_;
  std::shared_ptr<MatchBoard> board_;
  Hooks hooks_;
  std::vector<std::string> lines_;
  std::vector<record::Fact> turning_points_;
  bool desk_changed_ = false;
};

/// After a crash: what stands in the journal and not in the log is appended to it, so that a client that asks for what it missed gets it.
/// Returns how many events were missing.
std::size_t catch_up(LiveLog& log, const record::Journal& journal);

}  // namespace referee::daemon
