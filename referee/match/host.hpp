// What this machine offers a match, and how many games at once that allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/match_file.hpp"

namespace referee::match {

/// Cores this process may run on, hardware threads of one core counted once. At least 1.
[[nodiscard]] int physical_cores();
/// Bytes of memory of the machine, or of the limit this process stands under; nullopt if unknown.
[[nodiscard]] std::optional<std::uint64_t> memory_bytes();

/// Asks for SCHED_FIFO with reset on fork for the calling thread: its children and threads are ordinary ones. False if not permitted.
bool ask_for_real_time();

/// Threads an engine uses, by its options (Threads, cores); at least 1.
[[nodiscard]] int threads_of(const config::EngineEntry& engine);

struct Capacity {
  int games_at_once = 1;
  std::vector<std::string> notes;  // what was cut down and why; what overloads the machine
};
/// `concurrency: auto` is (physical cores - 1) / threads of the hungriest engine, halved under ponder, at least 1. What the open files do
/// not allow is cut down. Throws config::ConfigException if not even one game fits.
[[nodiscard]] Capacity capacity_for(const config::MatchFile& file, int cores, std::size_t open_files_limit);

}  // namespace referee::match
