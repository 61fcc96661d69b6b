#include "referee/cli/registry.hpp"

namespace referee::cli {

const std::vector<CommandDefinition>& commands() {
  // In the order of the table in README and `referee --help`.
  // clang-format off
  static const std::vector<CommandDefinition> all = {
      match_command(),
      run_command(),
      schedule_command(),
      control_command(),
      replace_command(),
      serve_command(),
      submit_command(),
      status_command(),
      watch_command(),
      stop_command(),
      pause_command(),
      resume_command(),
      priority_command(),
      arbiter_command(),
      engines_command(),
      judge_command(),
      replay_command(),
      case_command(),
      check_command(),
      probe_command(),
      stub_command(),
      perft_command(),
      clock_command(),
      elo_command(),
      sprt_command(),
      rate_command(),
      crosstable_command(),
      export_command(),
      import_command(),
      openings_command(),
      scoresheet_command(),
      editions_command(),
      completion_command(),
      man_command(),
  };
  // clang-format on
  return all;
}

}  // namespace referee::cli
