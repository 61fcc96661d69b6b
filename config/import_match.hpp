// Other tools' configurations as match files: cutechess' engines.json, fastchess' config.json.
#pragma once

#include <string>
#include <vector>

#include "config/match_file.hpp"

namespace referee::config {

struct ImportedMatch {
  MatchFile match;  // what the other file does not say is our default
  /// What could not be carried over, or was assumed, one sentence each with its place.
  std::vector<std::string> notes;
};

/// Tells the two apart by their shape: a list of engines is cutechess', a map with `engines` fastchess'. `path` names the file in messages;
/// relative paths start at its folder. Engines and books need not be there. Throws ConfigException with file:line:column.
[[nodiscard]] ImportedMatch import_match(const std::string& text, const std::string& path);

}  // namespace referee::config
