// Which processes carry a mark in their environment: how tests look for survivors without trusting the code under test.
#pragma once

#include <unistd.h>

#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace referee::engine::test {

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<long> processes_with(const std::string& mark) {
  std::vector<long> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    if (read_whole(entry->path() / "environ").find(mark) != std::string::npos) found.push_back(std::stol(name));
  }
  return found;
}

/// Waits until exactly so many processes carry the mark; false if it does not come to that.
inline bool wait_for_processes(const std::string& mark, std::size_t count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (processes_with(mark).size() != count) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

/// Children of this process that have ended and were not waited for.
inline std::size_t zombies() {
  std::size_t count = 0;
  const std::string us = std::to_string(getpid());
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front())) == 0) continue;
    const std::string stat = read_whole(entry.path() / "stat");
    const std::size_t after_name = stat.rfind(')');
    if (after_name == std::string::npos || after_name + 4 >= stat.size()) continue;
    const std::string parent = stat.substr(after_name + 4, stat.find(' ', after_name + 4) - after_name - 4);
    if (stat.at(after_name + 2) == 'Z' && parent == us) ++count;
  }
  return count;
}

}  // namespace referee::engine::test
