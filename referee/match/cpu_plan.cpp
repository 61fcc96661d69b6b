#include "referee/match/cpu_plan.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <tuple>

namespace referee::match {

namespace {

int number_or(const std::string& text, int absent) {
  int value = absent;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc{} ? value : absent;
}

/// "0-3,8,10-11"
bool lists(const std::string& text, int cpu) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    int from = 0;
    const auto first = std::from_chars(at, end, from);
    if (first.ec != std::errc{}) return false;
    int to = from;
    at = first.ptr;
    if (at < end && *at == '-') {
      const auto second = std::from_chars(at + 1, end, to);
      if (second.ec != std::errc{}) return false;
      at = second.ptr;
    }
    if (from <= cpu && cpu <= to) return true;
    if (at < end && *at != ',') return false;
    ++at;
  }
  return false;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::vector<Core> cores_of(const std::vector<int>& cpus, const ReadSystemFile& read) {
  constexpr int most_nodes = 1024;
  std::vector<std::string> nodes;
  for (int node = 0; node < most_nodes; ++node) {
    std::string list = read("node/node" + std::to_string(node) + "/cpulist");
    if (list.empty() && node > 0 && nodes.back().empty()) break;  // two numbers in a row without a node: no more come
    nodes.push_back(std::move(list));
  }
  std::map<std::tuple<int, int, int>, Core> cores;
  for (const int cpu : cpus) {
    const std::string topology = "cpu/cpu" + std::to_string(cpu) + "/topology/";
    const int package = number_or(read(topology + "physical_package_id"), 0);
    const int number = number_or(read(topology + "core_id"), cpu);
    int node = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (lists(nodes[i], cpu)) node = static_cast<int>(i);
    }
    Core& core = cores[{node, package, number}];
    core.node = node;
    core.package = package;
    core.cpus.push_back(cpu);
  }
  std::vector<Core> out;
  for (auto& [key, core] : cores) {
    std::ranges::sort(core.cpus);
    out.push_back(std::move(core));
  }
  return out;
}

std::vector<Core> cores_of_this_machine() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
    }
  }
  return cores_of(cpus, [](const std::string& path) { return first_line("/sys/devices/system/" + path); });
}

CpuPlan::CpuPlan(std::vector<Core> cores) : cores_(std::move(cores)), taken_(cores_.size(), false) {}

std::size_t CpuPlan::free_cores() const noexcept { return static_cast<std::size_t>(std::ranges::count(taken_, false)); }

std::optional<std::vector<int>> CpuPlan::take(std::size_t cores) {
  if (free_cores() < cores) return std::nullopt;
  // The node with the fewest free cores that is enough; if none is, the cores in order.
  std::map<int, std::size_t> free;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    if (!taken_[i]) ++free[cores_[i].node];
  }
  std::optional<int> node;
  for (const auto& [candidate, count] : free) {
    if (count >= cores && (!node || count < free[*node])) node = candidate;
  }
  std::vector<int> cpus;
  for (std::size_t i = 0; i < cores_.size() && cpus.size() < cores; ++i) {
    if (taken_[i] || (node && cores_[i].node != *node)) continue;
    taken_[i] = true;
    cpus.push_back(cores_[i].cpus.front());
  }
  return cpus;
}

void CpuPlan::give_back(const std::vector<int>& cpus) {
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    if (std::ranges::find(cpus, cores_[i].cpus.front()) != cpus.end()) taken_[i] = false;
  }
}

}  // namespace referee::match
