// `run`: plays a match file in the foreground.
#include <fstream>
#include <sstream>

#include "referee/cli/match_output.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

int run_match_file(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("run plays one match file (expected: referee run MATCH.yaml)");
  const std::string& path = arguments.operands().front();
  config::MatchFile file = config::read_match_file(path);
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return play_match(std::move(file), text.str(), command_to_go_on(path, arguments), arguments);
}

}  // namespace

CommandDefinition run_command() {
  CommandDefinition command;
  command.name = "run";
  command.summary = "play a match in the foreground, or go on with one";
  command.positional = "MATCH.yaml";
  command.description =
      "Plays the games of a match file with progress, standings and the time still needed. A match that was interrupted, by a signal or by "
      "a crash of the machine, goes on where it stopped: no finished game is lost and none is repeated. If a binary, net, book, option or "
      "the schedule has changed since, it refuses and names what. A finished match prints its result and plays nothing.\n\n"
      "SIGINT once finishes the running games, twice stops at once; SIGTERM is like one SIGINT. Two SIGTERM within half a second are one: "
      "`timeout` and "
      "service managers send it to the program and to its group. All leave a match that goes on with the same command. At `stop_at` "
      "running "
      "games are finished, as after one SIGTERM.\n\n"
      "Exit: 0 every planned game has an outcome; 1 an engine could not be "
      "started or was withdrawn (with --strict: any engine was at "
      "fault); 2 the match file or the journal was refused; 130 or 143 stopped by a signal or an order, 143 also at the time of `stop_at` "
      "when games are left (with --gate: 4).";
  command.options = playing_options();
  command.examples = {"referee run matches/demo.yaml", "referee run --fresh --json matches/demo.yaml > result.json"};
  command.run = run_match_file;
  return command;
}

}  // namespace referee::cli
