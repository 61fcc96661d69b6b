// A new engine in the place of another one: what the old one has played is void, the new one plays it.
#pragma once

#include <string>

#include "config/match_file.hpp"

namespace referee::match {

struct Replacement {
  std::string engine, by;
};

/// `file` names `by` where the match so far had `engine`; everything else is as it was. Makes the old engine's games void in the journal,
/// so that the next run plays them, and records the new plan. The PGN is written anew without them. Returns how many games became void.
/// Throws MatchRefused (the names do not fit, or a schedule whose later rounds stand on the old results), record::JournalError (also when
/// the match is being played just now), config::ConfigException, BookException.
int replace_engine(config::MatchFile file, const std::string& file_text, const Replacement& replacement);

}  // namespace referee::match
