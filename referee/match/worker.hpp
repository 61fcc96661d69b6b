// One thread for work that must not stand on an answer's path: checks of search output, files of the protocol log. Jobs run in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace referee::match {

class Worker {
 public:
  using Job = std::function<void()>;
  enum class When { soon /* within 20 ms, so that jobs share a wake-up */, now };

  Worker();
  ~Worker();  // does what is queued
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Any thread. Jobs must not throw.
  void post(Job job, When when = When::soon);
  /// Blocks until everything posted before is done.
  void flush();
  /// Jobs not done yet.
  [[nodiscard]] std::size_t backlog() const noexcept { return backlog_.load(std::memory_order_relaxed); }

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<Job> jobs_;
  bool hurry_ = false;
  bool asleep_ = false;
  bool stopping_ = false;
  std::size_t posted_ = 0;
  std::size_t finished_ = 0;
  std::atomic<std::size_t> backlog_{0};
  std::thread thread_;
};

}  // namespace referee::match
