#include "referee/daemon/rating_desk.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace referee::daemon {

namespace {

constexpr int behind_the_games = 10;  // nice: engines that think come first
constexpr int share = 10;             // a calculation takes so little of the time between two of the same list

std::vector<int> numbers_of(const RatedMatches& matches) {
  std::vector<int> numbers;
  for (const auto& [id, board] : matches) numbers.push_back(id);
  return numbers;
}

std::shared_ptr<const Ratings> ratings_of(const RatedMatches& matches) {
  auto ratings = std::make_shared<Ratings>();
  for (const auto& [id, board] : matches) ratings->add(board->games());
  ratings->calculate();
  return ratings;
}

}  // namespace

RatingDesk::RatingDesk(Limits limits, Calculate calculate)
    : limits_(limits), calculate_(calculate ? std::move(calculate) : ratings_of), thread_([this] { run(); }) {}

RatingDesk::~RatingDesk() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::vector<RatingDesk::Version> RatingDesk::versions_of(const RatedMatches& matches) {
  std::vector<Version> versions;
  for (const auto& [id, board] : matches) versions.push_back({board, board->results_version()});
  return versions;
}

const RatingDesk::Made* RatingDesk::made(const RatedMatches& matches) {
  const std::vector<int> numbers = numbers_of(matches);
  const auto found = std::ranges::find(made_, numbers, &Made::matches);
  if (found == made_.end()) return nullptr;
  if (found->versions != versions_of(matches) && Clock::now() >= found->good_until) return nullptr;
  made_.splice(made_.begin(), made_, found);
  return &made_.front();
}

bool RatingDesk::ask(RatedMatches matches, Done done) {
  Answer ready;
  {
    const std::lock_guard lock(mutex_);
    if (const Made* kept = made(matches)) {
      ready = kept->answer;
    } else {
      const std::vector<int> numbers = numbers_of(matches);
      const auto same = std::ranges::find_if(orders_, [&](const Order& order) { return numbers_of(order.matches) == numbers; });
      if (askers_ >= limits_.askers_waiting || (same == orders_.end() && orders_.size() > limits_.lists_waiting)) return false;
      ++askers_;
      if (same != orders_.end()) {
        same->askers.push_back(std::move(done));
        return true;
      }
      orders_.push_back({.matches = std::move(matches), .askers = {}});
      orders_.back().askers.push_back(std::move(done));
      wake_.notify_all();
      return true;
    }
  }
  done(ready);
  return true;
}

std::uint64_t RatingDesk::calculated() const {
  const std::lock_guard lock(mutex_);
  return calculated_;
}

void RatingDesk::run() {
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), behind_the_games);
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !orders_.empty(); });
    if (stopping_) return;
    const RatedMatches& matches = orders_.front().matches;  // the order stays where it is: others may still join it
    lock.unlock();
    const auto begun = Clock::now();
    Made list{.matches = numbers_of(matches), .versions = versions_of(matches), .answer = {}, .good_until = {}};
    try {
      list.answer.ratings = calculate_(matches);
    } catch (...) { list.answer.problem = std::current_exception(); }
    const auto ended = Clock::now();
    list.good_until = ended + share * (ended - begun);
    lock.lock();
    ++calculated_;
    std::erase_if(made_, [&list](const Made& other) { return other.matches == list.matches; });
    made_.push_front(std::move(list));
    if (made_.size() > limits_.lists_kept) made_.pop_back();
    const Answer answer = made_.front().answer;
    const std::vector<Done> askers = std::move(orders_.front().askers);
    orders_.pop_front();
    askers_ -= askers.size();
    lock.unlock();
    for (const Done& done : askers) done(answer);
    lock.lock();
  }
}

}  // namespace referee::daemon
