// What the commands that read results have in common: options, messages, output in several forms.
#pragma once

#include <string>
#include <vector>

#include "referee/cli/command.hpp"
#include "referee/match/game_results.hpp"

namespace referee::cli {

/// --aliases, --duplicates, --threads.
[[nodiscard]] std::vector<OptionDefinition> result_file_options();

/// Reads the operands as those options say, and tells on stderr what was dropped. Throws UsageError.
match::ResultsSummary read_result_files(const Arguments& arguments, match::NameTable& names, match::ResultsOptions options,
                                        const std::function<void(match::ListedGame&)>& see);
/// --threads, or the number of cores.
[[nodiscard]] int thread_count(const Arguments& arguments);

/// Writes the whole text to the file, at once or not at all; `-` is standard output. Throws UsageError.
void write_output(const std::string& path, const std::string& text);

}  // namespace referee::cli
