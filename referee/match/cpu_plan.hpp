// Which CPUs the engines of a game run on: whole cores, so that two engines of running games never share one, not even its hardware
// threads; the cores of one game on one NUMA node where they fit. Read from /sys; pure from there on.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace referee::match {

/// A core that this process may use: its hardware threads.
struct Core {
  int node = 0;
  int package = 0;
  std::vector<int> cpus;  // the first one is used first
  friend bool operator==(const Core&, const Core&) = default;
};

/// The cores of `cpus`, by node, package and number. `read`: the text of a file below /sys/devices/system, empty if there is none.
using ReadSystemFile = std::function<std::string(const std::string& path)>;
[[nodiscard]] std::vector<Core> cores_of(const std::vector<int>& cpus, const ReadSystemFile& read);
/// The cores this process may run on.
[[nodiscard]] std::vector<Core> cores_of_this_machine();

/// Hands out cores and takes them back.
class CpuPlan {
 public:
  explicit CpuPlan(std::vector<Core> cores);

  /// The first hardware threads of `cores` free cores of one node, else of several; nullopt when not so many are free.
  [[nodiscard]] std::optional<std::vector<int>> take(std::size_t cores);
  void give_back(const std::vector<int>& cpus);
  [[nodiscard]] std::size_t free_cores() const noexcept;
  [[nodiscard]] std::size_t all_cores() const noexcept { return cores_.size(); }

 private:
  std::vector<Core> cores_;
  std::vector<bool> taken_;
};

}  // namespace referee::match
