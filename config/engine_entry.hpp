// The keys of one engine, as under `engines:` and under `defaults:`.
#pragma once

#include <string>
#include <string_view>

#include "config/match_file.hpp"
#include "config/yaml.hpp"

namespace referee::config {

/// What the keys of a map change in `engine`; keys that are absent change nothing, options and environment are merged name by name.
/// Paths start at `base_folder`. Throws ConfigException.
void read_engine_keys(YamlMap& map, const std::string& base_folder, EngineEntry& engine);

/// One item of `engines:` (a map, or a command alone) over `defaults`. Throws ConfigException.
[[nodiscard]] EngineEntry read_engine(const YamlValue& value, const std::string& file, const std::string& base_folder,
                                      const EngineEntry& defaults);

/// The name nearest to this one that an engine of a match file may have: one line of text, none too long, without blanks around it. May be
/// empty.
[[nodiscard]] std::string fitting_name(std::string_view written);

/// A time control, or a list of periods (each a text, or a map of moves, time, increment).
[[nodiscard]] clock::TimeControl read_time_control(const YamlValue& value, const std::string& file);

}  // namespace referee::config
