// A match file that was read as a tree already, perhaps changed since: its places still are those of the text it came from.
#pragma once

#include <string>

#include "config/match_file.hpp"
#include "config/yaml.hpp"

namespace referee::config {

/// As parse_match_file(), of its tree.
[[nodiscard]] MatchFile match_file_of(const YamlValue& root, const std::string& path);

}  // namespace referee::config
