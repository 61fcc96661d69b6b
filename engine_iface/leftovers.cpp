// Processes of a run that outlived its referee: found by the REFEREE_RUN in their environment.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "engine_iface/child.hpp"
#include "engine_iface/control_groups.hpp"
#include "engine_iface/launcher.hpp"

namespace referee::engine {

namespace {

namespace fs = std::filesystem;

constexpr auto longest_wait = std::chrono::seconds(1);

bool belongs_to_run(const fs::path& process, std::string_view variable) {
  std::ifstream file(process / "environ", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.find('\0', start);
    if (end == std::string::npos) end = text.size();
    if (std::string_view(text).substr(start, end - start) == variable) return true;
    start = end + 1;
  }
  return false;
}

/// Process number -> pidfd of each that belongs to the run. A dead one that nobody has waited for has no environment any more.
std::map<pid_t, Descriptor> processes_of_run(const std::string& variable) {
  std::map<pid_t, Descriptor> found;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    const pid_t pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
    if (pid == getpid() || !belongs_to_run(entry->path(), variable)) continue;
    Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    // Read again: now that there is a pidfd, the number means that process and no later one.
    if (pidfd.is_open() && belongs_to_run(entry->path(), variable)) found.emplace(pid, std::move(pidfd));
  }
  return found;
}

void remove_private_folders(const std::string& run_id) {
  std::error_code error;
  fs::path temporary = fs::temp_directory_path(error);
  if (error) temporary = "/tmp";
  const std::string prefix = "referee-" + run_id + "-";
  for (fs::directory_iterator entry(temporary, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    struct stat status {};
    if (name.size() == prefix.size() + 6 && name.starts_with(prefix) && lstat(entry->path().c_str(), &status) == 0 &&
        S_ISDIR(status.st_mode) && status.st_uid == geteuid()) {
      std::error_code ignored;
      fs::remove_all(entry->path(), ignored);
    }
  }
}

}  // namespace

std::size_t end_leftovers(const std::string& run_id) {
  const std::string variable = "REFEREE_RUN=" + run_id;
  const auto deadline = std::chrono::steady_clock::now() + longest_wait;
  std::map<pid_t, bool> ended;
  // Again until none is found: one may have forked while the others were ended.
  do {
    auto found = processes_of_run(variable);
    if (found.empty()) break;
    for (const auto& [pid, pidfd] : found) {
      if (syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0) ended[pid] = true;
    }
    for (const auto& [pid, pidfd] : found) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd gone{pidfd.get(), POLLIN, 0};
      if (left.count() <= 0 || poll(&gone, 1, static_cast<int>(left.count())) < 0) break;
    }
  } while (std::chrono::steady_clock::now() < deadline);
  remove_private_folders(run_id);
  remove_empty_groups(control_group_folder_of_this_process(), "referee-" + run_id);
  return ended.size();
}

}  // namespace referee::engine
