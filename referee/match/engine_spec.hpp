// What the match file says of an engine, in the form in which engines are started.
#pragma once

#include <string>
#include <vector>

#include "config/match_file.hpp"
#include "engine_iface/engine.hpp"

namespace referee::match {

/// Pinned to no processors yet. Under `isolation: strict` it sees the files and folders that its options name, and nothing of `records`.
[[nodiscard]] engine::EngineSpec engine_spec(const config::EngineEntry& entry, const config::Output& records);

/// Engines under `isolation: strict` that see records as they are made, because their program lies in the output's folder: a word on each.
/// Throws config::ConfigException where one could change them: its working folder is the output's.
[[nodiscard]] std::vector<std::string> exposed_records(const config::MatchFile& file);

/// Files and folders that the values of options name, absolute: one path, or several with ':' or ';' between (SyzygyPath). A relative one
/// counts from `folder`.
[[nodiscard]] std::vector<std::string> paths_in_options(const std::vector<engine::EngineOption>& options, const std::string& folder);

}  // namespace referee::match
