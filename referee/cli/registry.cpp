#include "referee/cli/registry.hpp"

namespace referee::cli {

const std::vector<CommandDefinition>& commands() {
  // In the order of the table in README and `referee --help`.
  static const std::vector<CommandDefinition> all = {
#if __has_include("referee/cli/match.cpp")
      match_command(),
#endif
#if __has_include("referee/cli/run.cpp")
      run_command(),
#endif
#if __has_include("referee/cli/schedule.cpp")
      schedule_command(),
#endif
#if __has_include("referee/cli/judge.cpp")
      judge_command(),
#endif
#if __has_include("referee/cli/replay.cpp")
      replay_command(),
#endif
#if __has_include("referee/cli/case.cpp")
      case_command(),
#endif
#if __has_include("referee/cli/check.cpp")
      check_command(),
#endif
#if __has_include("referee/cli/probe.cpp")
      probe_command(),
#endif
#if __has_include("referee/cli/stub.cpp")
      stub_command(),
#endif
#if __has_include("referee/cli/perft.cpp")
      perft_command(),
#endif
#if __has_include("referee/cli/clock.cpp")
      clock_command(),
#endif
#if __has_include("referee/cli/statistics.cpp")
      elo_command(),
#endif
#if __has_include("referee/cli/statistics.cpp")
      sprt_command(),
#endif
#if __has_include("referee/cli/export.cpp")
      export_command(),
#endif
#if __has_include("referee/cli/scoresheet.cpp")
      scoresheet_command(),
#endif
#if __has_include("referee/cli/editions.cpp")
      editions_command(),
#endif
#if __has_include("referee/cli/completion.cpp")
      completion_command(),
#endif
#if __has_include("referee/cli/completion.cpp")
      man_command(),
#endif
  };
  return all;
}

}  // namespace referee::cli
