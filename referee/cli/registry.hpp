// One function a subcommand; each is defined in the file of its name and listed once in registry.cpp.
#pragma once

#include "referee/cli/command.hpp"

namespace referee::cli {

[[nodiscard]] CommandDefinition match_command();
[[nodiscard]] CommandDefinition run_command();
[[nodiscard]] CommandDefinition schedule_command();
[[nodiscard]] CommandDefinition control_command();
[[nodiscard]] CommandDefinition replace_command();
[[nodiscard]] CommandDefinition serve_command();
[[nodiscard]] CommandDefinition submit_command();
[[nodiscard]] CommandDefinition status_command();
[[nodiscard]] CommandDefinition watch_command();
[[nodiscard]] CommandDefinition stop_command();
[[nodiscard]] CommandDefinition pause_command();
[[nodiscard]] CommandDefinition resume_command();
[[nodiscard]] CommandDefinition priority_command();
[[nodiscard]] CommandDefinition arbiter_command();
[[nodiscard]] CommandDefinition engines_command();
[[nodiscard]] CommandDefinition judge_command();
[[nodiscard]] CommandDefinition replay_command();
[[nodiscard]] CommandDefinition case_command();
[[nodiscard]] CommandDefinition check_command();
[[nodiscard]] CommandDefinition probe_command();
[[nodiscard]] CommandDefinition stub_command();
[[nodiscard]] CommandDefinition perft_command();
[[nodiscard]] CommandDefinition clock_command();
[[nodiscard]] CommandDefinition elo_command();
[[nodiscard]] CommandDefinition sprt_command();
[[nodiscard]] CommandDefinition rate_command();
[[nodiscard]] CommandDefinition crosstable_command();
[[nodiscard]] CommandDefinition export_command();
[[nodiscard]] CommandDefinition import_command();
[[nodiscard]] CommandDefinition openings_command();
[[nodiscard]] CommandDefinition scoresheet_command();
[[nodiscard]] CommandDefinition editions_command();
[[nodiscard]] CommandDefinition completion_command();
[[nodiscard]] CommandDefinition man_command();

}  // namespace referee::cli
