#include "engine_iface/deadline_queue.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace referee::engine {

namespace {

constexpr std::size_t no_place = std::numeric_limits<std::size_t>::max();

using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                                boost::asio::io_context::executor_type>;

}  // namespace

// A binary heap whose entries know their deadline, and whose deadlines know their entry.
struct DeadlineQueue::State : std::enable_shared_from_this<DeadlineQueue::State> {
  struct Entry {
    Instant at;
    Deadline* deadline;
  };

  explicit State(boost::asio::io_context& io) : timer(std::in_place, io) {}

  void put(std::size_t place, Entry entry) {
    heap[place] = entry;
    entry.deadline->place_ = place;
  }

  void sift_up(std::size_t place) {
    const Entry entry = heap[place];
    while (place > 0) {
      const std::size_t parent = (place - 1) / 2;
      if (heap[parent].at <= entry.at) break;
      put(place, heap[parent]);
      place = parent;
    }
    put(place, entry);
  }

  void sift_down(std::size_t place) {
    const Entry entry = heap[place];
    for (;;) {
      std::size_t child = 2 * place + 1;
      if (child >= heap.size()) break;
      if (child + 1 < heap.size() && heap[child + 1].at < heap[child].at) ++child;
      if (entry.at <= heap[child].at) break;
      put(place, heap[child]);
      place = child;
    }
    put(place, entry);
  }

  void set(Deadline& deadline, Instant at) {
    if (deadline.place_ == no_place) {
      heap.push_back({at, &deadline});
      deadline.place_ = heap.size() - 1;
      sift_up(deadline.place_);
    } else {
      const Instant before = heap[deadline.place_].at;
      heap[deadline.place_].at = at;
      if (at < before) {
        sift_up(deadline.place_);
      } else {
        sift_down(deadline.place_);
      }
    }
    arm();
  }

  void remove(Deadline& deadline) noexcept {
    const std::size_t place = std::exchange(deadline.place_, no_place);
    const Entry last = heap.back();
    heap.pop_back();
    if (place == heap.size()) return;
    put(place, last);
    sift_up(place);
    sift_down(last.deadline->place_);
  }

  void arm() {
    if (!timer || heap.empty() || (armed && *armed <= heap.front().at)) return;
    armed = heap.front().at;
    ++times_armed;
    timer->expires_at(*armed);
    timer->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      if (error) return;  // armed anew, or nobody waits any more
      if (const auto state = weak.lock()) state->fire();
    });
  }

  void fire() {
    armed.reset();
    const Instant now = std::chrono::steady_clock::now();
    // Not more than were pending: what a callback sets for an instant already past waits for the next firing, so that other work gets its
    // turn.
    for (std::size_t most = heap.size(); most > 0 && timer && !heap.empty() && heap.front().at <= now; --most) {
      Deadline& due = *heap.front().deadline;
      remove(due);
      const auto on_expiry = due.on_expiry_;  // survives its Deadline
      (*on_expiry)(std::chrono::steady_clock::now());
    }
    arm();
  }

  void owner_gone() {
    if (--owners == 0 && timer && armed) {
      armed.reset();
      timer->cancel();
    }
  }

  std::optional<Timer> timer;  // none once the queue is gone
  std::vector<Entry> heap;
  std::optional<Instant> armed;
  std::size_t times_armed = 0;
  std::size_t owners = 0;
};

DeadlineQueue::DeadlineQueue(boost::asio::io_context& io) : state_(std::make_shared<State>(io)) {}
DeadlineQueue::~DeadlineQueue() { state_->timer.reset(); }

std::size_t DeadlineQueue::size() const noexcept { return state_->heap.size(); }
std::size_t DeadlineQueue::times_armed() const noexcept { return state_->times_armed; }

Deadline::Deadline(DeadlineQueue& queue, Callback on_expiry)
    : state_(queue.state_), on_expiry_(std::make_shared<const Callback>(std::move(on_expiry))), place_(no_place) {
  ++state_->owners;
}

Deadline::~Deadline() {
  clear();
  state_->owner_gone();
}

void Deadline::set(Instant at) { state_->set(*this, at); }

void Deadline::clear() noexcept {
  if (place_ != no_place) state_->remove(*this);
}

std::optional<Deadline::Instant> Deadline::pending() const noexcept {
  if (place_ == no_place) return std::nullopt;
  return state_->heap[place_].at;
}

}  // namespace referee::engine
