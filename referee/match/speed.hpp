// How fast engines search on this machine, measured before a match: for time controls that are scaled to a reference machine, and to warn
// of two copies of one binary that do not run alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/match_file.hpp"
#include "engine_iface/launcher.hpp"
#include "referee/clock/time_control.hpp"

namespace referee::match {

/// Nodes a second of one search of the initial position for `time`, as the engine counts nodes and we count time. Throws
/// std::runtime_error: it does not start, does not answer, tells no nodes. `records`: what is kept from it under `isolation: strict`.
[[nodiscard]] double measure_speed(const config::EngineEntry& engine, const config::Output& records, const engine::Launcher& launcher,
                                   std::chrono::milliseconds time);

/// The middle one of several, measured by turns so that what else the machine does meets all alike. In the order of `engines`.
[[nodiscard]] std::vector<double> measure_speeds(const std::vector<const config::EngineEntry*>& engines, const config::Output& records,
                                                 const engine::Launcher& launcher, std::chrono::milliseconds time, int turns);

/// Every duration of the control times `factor`, rounded to whole milliseconds, none below one where it was above zero. Infinite ones stay.
[[nodiscard]] clock::TimeControl scaled(const clock::TimeControl& control, double factor);

/// Engines of one binary under several paths (by content), with the same options: indices, groups of two or more.
[[nodiscard]] std::vector<std::vector<std::size_t>> copies_of_one_binary(const config::MatchFile& file);
/// Two copies whose speeds differ by more than this are warned of.
inline constexpr double alike = 0.02;

}  // namespace referee::match
