// What `run` and `match` have in common: playing with a console, the result as JSON (DESIGN section 6), the exit code.
#pragma once

#include <string>

#include "config/match_file.hpp"
#include "referee/cli/command.hpp"
#include "referee/match/match_run.hpp"

namespace referee::cli {

/// --json --fresh --accept-change --strict --concurrency: options of both commands.
[[nodiscard]] std::vector<OptionDefinition> playing_options();

/// Those of them that do not fit each other or the file. Throws UsageError.
void check_playing_options(const config::MatchFile& file, const Arguments& arguments);
/// --concurrency, where it is given.
void set_concurrency(config::MatchFile& file, const Arguments& arguments);
/// "referee run PATH" with the options that matter for going on.
[[nodiscard]] std::string command_to_go_on(const std::string& path, const Arguments& arguments);

/// Plays, prints the result, returns the exit code. `to_go_on`: what a user types if the match is stopped. Refusals of the match are said
/// on stderr (exit 2).
[[nodiscard]] int play_match(config::MatchFile file, const std::string& file_text, const std::string& to_go_on, const Arguments& arguments);

}  // namespace referee::cli
