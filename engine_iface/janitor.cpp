#include "engine_iface/janitor.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

namespace referee::engine {

Janitor::~Janitor() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  more_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Janitor::remove(const std::string& folder) {
  if (rmdir(folder.c_str()) == 0) return;
  {
    const std::lock_guard lock(mutex_);
    folders_.push_back(folder);
  }
  if (!thread_.joinable()) {
    // Signals are for the thread that waits for them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  more_.notify_one();
}

void Janitor::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    more_.wait(lock, [this] { return closing_ || !folders_.empty(); });
    if (folders_.empty()) return;
    const std::string folder = std::move(folders_.front());
    folders_.pop_front();
    lock.unlock();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    lock.lock();
  }
}

}  // namespace referee::engine
