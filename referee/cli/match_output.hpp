// What `run` and `match` have in common: playing with a console, the result as JSON (DESIGN section 6), the exit code.
#pragma once

#include <string>

#include "config/match_file.hpp"
#include "referee/cli/command.hpp"
#include "referee/match/match_run.hpp"

namespace referee::cli {

/// --json --fresh --accept-change --strict --concurrency: options of both commands.
[[nodiscard]] std::vector<OptionDefinition> playing_options();

/// Plays, prints the result, returns the exit code. Refusals of the match are said on stderr (exit 2).
[[nodiscard]] int play_match(config::MatchFile file, const std::string& file_text, const Arguments& arguments);

}  // namespace referee::cli
