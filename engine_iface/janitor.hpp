// Removes folders without making its caller wait: an empty one at once, one with content on a thread that is started when first needed.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace referee::engine {

class Janitor {
 public:
  Janitor() = default;
  ~Janitor();  // waits until all is removed
  Janitor(const Janitor&) = delete;
  Janitor& operator=(const Janitor&) = delete;

  void remove(const std::string& folder);  // what cannot be removed stays

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::string> folders_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace referee::engine
