#include "referee/match/worker.hpp"

#include <chrono>
#include <utility>

namespace referee::match {

namespace {
constexpr std::chrono::milliseconds tick{20};
}

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::post(Job job, When when) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    ++posted_;
    backlog_.fetch_add(1, std::memory_order_relaxed);
    if (when == When::now) hurry_ = true;
    wake = std::exchange(asleep_, false) || when == When::now;
  }
  if (wake) wake_.notify_one();
}

void Worker::flush() {
  std::unique_lock lock(mutex_);
  const std::size_t ticket = posted_;
  if (finished_ >= ticket) return;
  hurry_ = true;
  wake_.notify_one();
  done_.wait(lock, [&] { return finished_ >= ticket; });
}

void Worker::run() {
  std::vector<Job> taken;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (jobs_.empty() && !stopping_) {
      done_.notify_all();
      hurry_ = false;
      asleep_ = true;
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      asleep_ = false;
    }
    if (!hurry_ && !stopping_) wake_.wait_for(lock, tick, [this] { return hurry_ || stopping_; });
    hurry_ = false;
    taken.swap(jobs_);
    const bool stop = stopping_ && taken.empty();
    lock.unlock();
    for (Job& job : taken) {
      job();
      backlog_.fetch_sub(1, std::memory_order_relaxed);
    }
    const std::size_t count = taken.size();
    taken.clear();
    lock.lock();
    finished_ += count;
    done_.notify_all();
    if (stop && jobs_.empty()) return;
  }
}

}  // namespace referee::match
