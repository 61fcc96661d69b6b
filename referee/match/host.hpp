// What this machine offers a match, and how many games at once that allows.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/match_file.hpp"
#include "referee/match/cpu_plan.hpp"

namespace referee::match {

/// Cores this process may run on, hardware threads of one core counted once. At least 1.
[[nodiscard]] int physical_cores();
/// Bytes of memory of the machine, or of the limit this process stands under; nullopt if unknown.
[[nodiscard]] std::optional<std::uint64_t> memory_bytes();

/// Asks for SCHED_FIFO with reset on fork for the calling thread: its children and threads are ordinary ones. False if not permitted.
bool ask_for_real_time();

/// Threads an engine uses, by its options (Threads, cores); at least 1.
[[nodiscard]] int threads_of(const config::EngineEntry& engine);
/// Do they say so at all?
[[nodiscard]] bool names_threads(const config::EngineEntry& engine);

struct Capacity {
  int games_at_once = 1;
  std::vector<std::string> notes;  // what was cut down and why; what overloads the machine
};
/// `concurrency: auto` is (physical cores - 1) / threads of the hungriest engine, halved under ponder, at least 1. What the open files do
/// not allow is cut down. Throws config::ConfigException if not even one game fits.
[[nodiscard]] Capacity capacity_for(const config::MatchFile& file, int cores, std::size_t open_files_limit);

/// When the file's `stop_at` is: local time, the next such time of day if it names no date. nullopt: no such time (31 February).
[[nodiscard]] std::optional<std::chrono::system_clock::time_point> stop_time(const std::string& stop_at,
                                                                             std::chrono::system_clock::time_point now);

/// CPUs that one of the games at once has to itself: for the engine that the file names first, and for the other one. Without pondering
/// they think by turns and share them.
struct Seats {
  std::vector<int> first, second;
};
/// By the file's `pin`: seats of `games` games, none where engines are not held to CPUs. `notes`: why not, or not all, or what overlaps.
struct Pins {
  std::vector<Seats> games;
  std::vector<std::string> notes;
};
[[nodiscard]] Pins pins_for(const config::MatchFile& file, std::vector<Core> cores, int games);

}  // namespace referee::match
