#include "referee/match/host.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
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

/// Options by which engines are told how many threads to use.
constexpr std::array<std::string_view, 4> thread_options{"Threads", "cores", "Max CPUs", "CPUs"};

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
  for (const std::string_view name : thread_options) threads = std::max(threads, option_number(engine, name).value_or(1));
  return static_cast<int>(std::min(threads, 4096LL));
}

bool names_threads(const config::EngineEntry& engine) {
  return std::ranges::any_of(thread_options, [&](std::string_view name) { return option_number(engine, name).has_value(); });
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

std::optional<std::chrono::system_clock::time_point> stop_time(const std::string& stop_at, std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm time{};
  localtime_r(&seconds, &time);
  const bool has_date = stop_at.size() > 5;
  const auto number = [&stop_at](std::size_t from, std::size_t digits) {
    int value = -1;
    std::from_chars(stop_at.data() + from, stop_at.data() + std::min(from + digits, stop_at.size()), value);
    return value;
  };
  if (has_date) {
    time.tm_year = number(0, 4) - 1900;
    time.tm_mon = number(5, 2) - 1;
    time.tm_mday = number(8, 2);
  }
  const std::size_t clock = has_date ? 11 : 0;
  time.tm_hour = number(clock, 2);
  time.tm_min = number(clock + 3, 2);
  time.tm_sec = 0;
  time.tm_isdst = -1;
  const std::tm asked = time;
  std::time_t found = std::mktime(&time);
  if (found == -1 || time.tm_mday != asked.tm_mday || time.tm_mon != asked.tm_mon || asked.tm_hour > 23 || asked.tm_min > 59)
    return std::nullopt;
  if (!has_date && found <= seconds) {
    time = asked;
    ++time.tm_mday;
    found = std::mktime(&time);
  }
  return std::chrono::system_clock::from_time_t(found);
}

Pins pins_for(const config::MatchFile& file, std::vector<Core> cores, int games) {
  Pins pins;
  if (file.pin == config::Pinning::off) return pins;
  if (file.pin == config::Pinning::listed) {  // as told, CPU by CPU
    std::vector<Core> listed;
    for (const int cpu : file.cpus) {
      const auto home =
          std::ranges::find_if(cores, [cpu](const Core& core) { return std::ranges::find(core.cpus, cpu) != core.cpus.end(); });
      if (home == cores.end()) {
        pins.notes.push_back("pin: CPU " + std::to_string(cpu) + " is not there, or not for this process");
        continue;
      }
      listed.push_back({home->node, home->package, {cpu}});
    }
    cores = std::move(listed);
  }
  std::size_t threads = 1;
  bool ponder = false;
  for (const config::EngineEntry& engine : file.engines) {
    threads = std::max(threads, static_cast<std::size_t>(threads_of(engine)));
    ponder = ponder || engine.ponder;
  }
  const std::size_t a_game = threads * (ponder ? 2 : 1);
  const std::size_t needed = a_game * static_cast<std::size_t>(games);
  // The first core is left to the referee and the system where there is one to spare.
  if (file.pin == config::Pinning::automatic && cores.size() > needed) cores.erase(cores.begin());
  CpuPlan plan(std::move(cores));
  for (int game = 0; game < games; ++game) {
    const auto cpus = plan.take(a_game);
    if (!cpus) {
      pins.notes.push_back("pin: " + std::to_string(games) + " games at once need " + std::to_string(needed) + " cores, here are " +
                           std::to_string(plan.all_cores()) + ": " + (game == 0 ? "no engine is" : "not all engines are") +
                           " held to cores of its own");
      break;
    }
    Seats seats{.first = *cpus, .second = *cpus};
    if (ponder) {
      const auto half = cpus->begin() + static_cast<std::ptrdiff_t>(threads);
      seats = {.first = {cpus->begin(), half}, .second = {half, cpus->end()}};
    }
    pins.games.push_back(std::move(seats));
  }
  return pins;
}

}  // namespace referee::match
