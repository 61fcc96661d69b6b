// A match file as it is handed to the daemon: engines that the operator registered are put in by name, and what a file from the network may
// not say is refused.
#pragma once

#include <map>
#include <string>

#include "config/match_file.hpp"

namespace referee::daemon {

/// From where a match file came, and so how far it is trusted.
enum class Trust {
  local,    // the Unix socket: its user may start programs anyway
  network,  // engines by registered name only; no paths but of books in the operator's folder
};

struct SubmissionContext {
  Trust trust = Trust::local;
  std::map<std::string, std::string> engines;  // registered: name -> YAML map of its keys
  std::string folder;                          // of the match: where its results go and relative paths start
  std::string path;                            // of a local file: where its relative paths start instead
  std::string openings_folder;                 // books that a file from the network may name
};

struct Submission {
  std::string text;  // as stored: with the registered engines' keys put in
  config::MatchFile file;
};

/// An engine without `command` whose name is registered gets the registered keys, its own on top. The output folder becomes the match's
/// own. Throws config::ConfigException with file:line:column ("match:3:5: ...").
[[nodiscard]] Submission read_submission(const std::string& text, const SubmissionContext& context);

}  // namespace referee::daemon
