#include "referee/match/host.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "engine_iface/launcher.hpp"

namespace referee::match {

namespace {

// The journal and its companions, the views, the event loop, the terminal, a book: well below this.
constexpr std::size_t own_files = 40;
constexpr std::size_t files_a_game = 2 * (engine::descriptors_per_engine + 1);

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

std::optional<long long> option_number(const config::EngineEntry& engine, std::string_view name) {
  for (const engine::EngineOption& option : engine.options) {
    if (!same_word(option.name, name)) continue;
    long long value = 0;
    const auto read = std::from_chars(option.value.data(), option.value.data() + option.value.size(), value);
    if (read.ec == std::errc{}) return value;
  }
  return std::nullopt;
}

}  // namespace

int physical_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  std::set<std::pair<std::string, std::string>> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    const std::string topology = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    const std::string core = first_line(topology + "core_id");
    cores.emplace(first_line(topology + "physical_package_id"), core.empty() ? "cpu" + std::to_string(cpu) : core);
  }
  return std::max(1, static_cast<int>(cores.size()));
}

std::optional<std::uint64_t> memory_bytes() {
  std::optional<std::uint64_t> bytes;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  for (const char* limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const std::string text = first_line(limit);
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc{} && value > 0) bytes = std::min(bytes.value_or(value), value);
  }
  return bytes;
}

bool ask_for_real_time() {
  sched_param priority{};
  priority.sched_priority = 1;
  return pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) == 0;
}

int threads_of(const config::EngineEntry& engine) {
  long long threads = 1;
  for (const std::string_view name : {"Threads", "cores", "Max CPUs", "CPUs"})
    threads = std::max(threads, option_number(engine, name).value_or(1));
  return static_cast<int>(std::min(threads, 4096LL));
}

Capacity capacity_for(const config::MatchFile& file, int cores, std::size_t open_files_limit) {
  int threads = 1;
  bool ponder = false;
  std::uint64_t hash_megabytes = 0;
  std::vector<std::uint64_t> hashes;
  for (const config::EngineEntry& engine : file.engines) {
    threads = std::max(threads, threads_of(engine));
    ponder = ponder || engine.ponder;
    for (const std::string_view name : {"Hash", "memory"}) {
      if (const auto value = option_number(engine, name)) {
        hashes.push_back(static_cast<std::uint64_t>(std::max(0LL, *value)));
        break;
      }
    }
  }
  std::ranges::sort(hashes, std::greater<>{});
  for (std::size_t i = 0; i < std::min<std::size_t>(2, hashes.size()); ++i) hash_megabytes += hashes[i];

  Capacity capacity;
  const int comfortable = std::max(1, (cores - 1) / threads / (ponder ? 2 : 1));
  capacity.games_at_once = file.concurrency.value_or(comfortable);
  const int busy = capacity.games_at_once * threads * (ponder ? 2 : 1);
  if (file.concurrency && busy > cores) {
    capacity.notes.push_back("concurrency " + std::to_string(capacity.games_at_once) + " keeps " + std::to_string(busy) +
                             " threads thinking on " + std::to_string(cores) + (cores == 1 ? " core" : " cores") +
                             ": losses on time then measure the scheduler");
  }
  const std::size_t fitting = open_files_limit <= own_files ? 0 : (open_files_limit - own_files) / files_a_game;
  if (fitting == 0) {
    throw config::ConfigException(config::ConfigError{.file = file.path,
                                                      .line = 0,
                                                      .column = 0,
                                                      .message = "a game needs about " + std::to_string(own_files + files_a_game) +
                                                                 " open files, the limit is " + std::to_string(open_files_limit),
                                                      .expected = "a higher limit (ulimit -n)"});
  }
  if (static_cast<std::size_t>(capacity.games_at_once) > fitting) {
    capacity.notes.push_back(std::to_string(capacity.games_at_once) + " games at once need about " +
                             std::to_string(own_files + static_cast<std::size_t>(capacity.games_at_once) * files_a_game) +
                             " open files, the limit is " + std::to_string(open_files_limit) + ": playing " + std::to_string(fitting) +
                             " at once");
    capacity.games_at_once = static_cast<int>(fitting);
  }
  if (const auto memory = memory_bytes()) {
    const std::uint64_t needed = static_cast<std::uint64_t>(capacity.games_at_once) * hash_megabytes << 20U;
    if (needed > *memory / 10 * 9) {
      capacity.notes.push_back("hash tables of " + std::to_string(needed >> 20U) + " MB do not fit into " + std::to_string(*memory >> 20U) +
                               " MB of memory");
    }
  }
  return capacity;
}

}  // namespace referee::match
