// Rating lists on a thread of their own, one at a time, so that nobody who asks for many keeps the office from its work. What a list is
// made of is the games of some matches; how it is shown (title, least number of games, form) costs nothing and is no part of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "referee/daemon/match_board.hpp"
#include "referee/daemon/ratings.hpp"

namespace referee::daemon {

/// The matches of a list, by number.
using RatedMatches = std::map<int, std::shared_ptr<const MatchBoard>>;

class RatingDesk {
 public:
  struct Limits {
    std::size_t lists_kept = 4;       // of a thousand players each has some 10 MB
    std::size_t lists_waiting = 8;    // different ones, besides the one that is made
    std::size_t askers_waiting = 64;  // on all of them
  };
  using Calculate = std::function<std::shared_ptr<const Ratings>(const RatedMatches&)>;
  /// `calculate`: may throw; without it, the ratings of the matches' games.
  explicit RatingDesk(Limits limits, Calculate calculate = {});
  ~RatingDesk();  // whoever still waits is not answered
  RatingDesk(const RatingDesk&) = delete;
  RatingDesk& operator=(const RatingDesk&) = delete;

  struct Answer {
    std::shared_ptr<const Ratings> ratings;
    std::exception_ptr problem;  // what the calculation threw
  };
  using Done = std::function<void(const Answer&)>;
  /// Any thread. `done` is called once: at once if the list is there and its games have not changed since (or so little time has passed
  /// that the calculation would take more than a tenth of it), else on the desk's thread. False when too many wait: then it is never
  /// called.
  [[nodiscard]] bool ask(RatedMatches matches, Done done);
  [[nodiscard]] std::uint64_t calculated() const;  // lists so far; any thread

 private:
  using Clock = std::chrono::steady_clock;
  /// A board counts its versions from 0, and a match that is read anew has a new board.
  struct Version {
    std::weak_ptr<const MatchBoard> board;
    std::uint64_t number = 0;
    friend bool operator==(const Version& a, const Version& b) {
      return a.number == b.number && !a.board.owner_before(b.board) && !b.board.owner_before(a.board);
    }
  };
  struct Made {
    std::vector<int> matches;
    std::vector<Version> versions;  // of their results, when it was begun
    Answer answer;
    Clock::time_point good_until;
  };
  struct Order {
    RatedMatches matches;
    std::vector<Done> askers;
  };
  void run();
  [[nodiscard]] static std::vector<Version> versions_of(const RatedMatches& matches);
  [[nodiscard]] const Made* made(const RatedMatches& matches);

  const Limits limits_;
  const Calculate calculate_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Made> made_;     // asked for last first
  std::list<Order> orders_;  // the first is being made
  std::size_t askers_ = 0;
  std::uint64_t calculated_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace referee::daemon
