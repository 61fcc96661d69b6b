// A control group (cgroup v2) for each engine under `isolation: strict`, where this user may make them: bounds on memory that count what is
// used rather than what is addressed, on processes, on the processors used at a time, and an equal share of them however many threads an
// engine has.
//
// May be made: in the group this process is in, if its folder is writable and the controllers can be given to groups in it (a systemd unit
// with Delegate=yes, a container with a group of its own). Groups of the system that were not delegated are left alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace referee::engine {

class ControlGroups {
 public:
  struct Limits {
    std::optional<std::uint64_t> memory_bytes;
    std::optional<std::uint64_t> processes;
    std::optional<std::uint64_t> processors;  // that they use at a time, all together
  };

  /// In this folder of a cgroup v2 file system; `name` begins the names of the groups. Moves this process into a group of its own there if
  /// that is what it takes: a group that gives controllers to others may not hold processes itself.
  ControlGroups(std::string folder, std::string name);
  ~ControlGroups();  // ends what was made
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;

  [[nodiscard]] bool available() const noexcept { return why_not_.empty(); }
  [[nodiscard]] bool limits_processors() const noexcept { return has_processors_; }
  [[nodiscard]] const std::string& why_not() const noexcept { return why_not_; }

  /// The folder of a new group with these limits (those whose controller the host gives); empty if it could not be made.
  [[nodiscard]] std::string make(const Limits& limits);
  /// Ends every process in it, and the group.
  void end(const std::string& group);

 private:
  bool give_controllers(const std::vector<std::string>& controllers);

  std::string folder_, name_, why_not_;
  std::string own_;  // the group this process was moved to
  bool has_memory_ = false, has_processes_ = false, has_processors_ = false;
  std::size_t next_ = 1;
  std::vector<std::string> made_;
};

/// The folder of the group that a process is in, from its /proc/PID/cgroup and /proc/PID/mountinfo; empty if it is in none of version 2.
[[nodiscard]] std::string control_group_folder(std::string_view cgroup, std::string_view mountinfo);
[[nodiscard]] std::string control_group_folder_of_this_process();

/// Removes the groups of this name that nothing is in any more: those of a referee that was killed.
void remove_empty_groups(const std::string& folder, const std::string& name);

}  // namespace referee::engine
