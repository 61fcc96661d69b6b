#include "engine_iface/control_groups.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "engine_iface/mounts.hpp"
#include "engine_iface/path_text.hpp"

namespace referee::engine {

namespace {

namespace fs = std::filesystem;

/// Of the group that this process moves to, beside those of its engines.
constexpr std::string_view own_group = "/referee";

/// 0, or the errno. A control file exists already; where it does not, the kernel refuses to make it.
int write_control(const std::string& path, const std::string& text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return errno;
  const int error = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : errno;
  close(descriptor);
  return error;
}

std::vector<std::string> words_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istream_iterator<std::string>(file), std::istream_iterator<std::string>()};
}

std::string system_text(int error) { return std::generic_category().message(error); }

}  // namespace

ControlGroups::ControlGroups(std::string folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {
  if (folder_.empty()) {
    why_not_ = "this process is in no group of cgroup version 2";
    return;
  }
  if (access(folder_.c_str(), W_OK) != 0 || access((folder_ + "/cgroup.procs").c_str(), W_OK) != 0) {
    why_not_ = folder_ + ": " + system_text(errno);
    return;
  }
  const std::vector<std::string> offered = words_of(folder_ + "/cgroup.controllers");
  std::vector<std::string> wanted;
  for (const char* controller : {"memory", "pids", "cpu"}) {
    if (std::ranges::count(offered, controller) != 0) wanted.emplace_back(controller);
  }
  has_memory_ = std::ranges::count(wanted, "memory") != 0;
  has_processes_ = std::ranges::count(wanted, "pids") != 0;
  has_processors_ = std::ranges::count(wanted, "cpu") != 0;
  if (!has_memory_ && !has_processes_) {
    why_not_ = folder_ + " is not given the controllers of memory and processes";
  } else {
    give_controllers(wanted);
  }
}

bool ControlGroups::give_controllers(const std::vector<std::string>& controllers) {
  std::string text;
  for (const std::string& controller : controllers) text += (text.empty() ? "+" : " +") + controller;
  int error = write_control(folder_ + "/cgroup.subtree_control", text);
  if (error == EBUSY) {
    own_ = folder_ + std::string(own_group);
    if (mkdir(own_.c_str(), 0755) != 0 && errno != EEXIST) own_.clear();
    if (!own_.empty() && write_control(own_ + "/cgroup.procs", "0") == 0) error = write_control(folder_ + "/cgroup.subtree_control", text);
  }
  if (error == 0) return true;
  why_not_ = folder_ + ": " + system_text(error);
  if (!own_.empty()) {
    // Others are in that group too: it is not ours alone.
    (void)write_control(folder_ + "/cgroup.procs", "0");
    rmdir(own_.c_str());
    own_.clear();
  }
  return false;
}

ControlGroups::~ControlGroups() {
  for (const std::string& group : std::vector<std::string>(made_)) end(group);
}

std::string ControlGroups::make(const Limits& limits) {
  if (!available()) return {};
  std::string group = folder_ + "/" + name_ + "-" + std::to_string(next_++);
  if (mkdir(group.c_str(), 0755) != 0) return {};
  made_.push_back(group);
  int error = 0;
  if (has_memory_ && limits.memory_bytes) {
    error = write_control(group + "/memory.max", std::to_string(*limits.memory_bytes));
    if (error == 0) error = write_control(group + "/memory.oom.group", "1");
  }
  // One more: the init of its namespace.
  if (error == 0 && has_processes_ && limits.processes) error = write_control(group + "/pids.max", std::to_string(*limits.processes + 1));
  if (error == 0 && has_processors_ && limits.processors) {
    constexpr std::uint64_t period_us = 100000;  // the kernel's own
    // Without it the other limits still hold; limits_processors() tells.
    has_processors_ =
        write_control(group + "/cpu.max", std::to_string(*limits.processors * period_us) + " " + std::to_string(period_us)) == 0;
  }
  if (error == 0) return group;
  end(group);
  return {};
}

void ControlGroups::end(const std::string& group) {
  (void)write_control(group + "/cgroup.kill", "1");
  if (rmdir(group.c_str()) == 0 || errno == ENOENT) std::erase(made_, group);
}

std::string control_group_folder(std::string_view cgroup, std::string_view mountinfo) {
  std::string path;
  std::istringstream groups{std::string(cgroup)};
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with("0::")) path = line.substr(3);
  }
  if (path.empty()) return {};
  for (const Mount& mount : read_mounts(mountinfo)) {
    // What is mounted may be a group further down: a path above or beside it is out of reach.
    if (mount.type == "cgroup2" && covers(mount.root, path)) return moved(path, mount.root, mount.mounted_on);
  }
  return {};
}

std::string control_group_folder_of_this_process() {
  const auto text_of = [](const char* path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  };
  std::string folder = control_group_folder(text_of("/proc/self/cgroup"), text_of("/proc/self/mountinfo"));
  if (folder.ends_with(own_group)) folder.resize(folder.size() - own_group.size());  // moved there for an earlier run
  return folder;
}

void remove_empty_groups(const std::string& folder, const std::string& name) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string own = entry->path().filename().string();
    if (own == name || own.starts_with(name + "-")) rmdir(entry->path().c_str());
  }
}

}  // namespace referee::engine
