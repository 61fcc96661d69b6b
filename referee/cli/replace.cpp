// `replace`: another engine takes over the games of one.
#include <fstream>
#include <iostream>
#include <sstream>

#include "referee/cli/registry.hpp"
#include "referee/match/match_run.hpp"
#include "referee/match/replace.hpp"

namespace referee::cli {

namespace {

int replace(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.operands();
  if (words.size() != 3) throw UsageError("replace takes a match file and two names (expected: referee replace MATCH.yaml OLD NEW)");
  config::MatchFile file = config::read_match_file(words[0]);
  std::ostringstream text;
  text << std::ifstream(words[0], std::ios::binary).rdbuf();
  try {
    const int voided = match::replace_engine(std::move(file), text.str(), {.engine = words[1], .by = words[2]});
    std::cout << words[2] << " takes the place of " << words[1] << ": " << voided << (voided == 1 ? " game is" : " games are")
              << " void and will be played by it" << std::endl;
    return exit_done;
  } catch (const match::MatchRefused& error) { std::cerr << error.what() << '\n'; } catch (const record::JournalError& error) {
    std::cerr << error.what() << '\n';
  } catch (const match::BookException& error) { std::cerr << error.what() << '\n'; }
  return exit_usage;
}

}  // namespace

CommandDefinition replace_command() {
  CommandDefinition command;
  command.name = "replace";
  command.summary = "let a new engine take over the games of another one";
  command.positional = "MATCH.yaml OLD NEW";
  command.description =
      "For a version that turned out to be broken in the middle of a tournament. First put NEW in the place of OLD in the match file; then "
      "this command makes the games of OLD void in the journal and takes them out of the PGN, and the next `run` lets NEW play them, with "
      "the same opponents, colours and openings. Everybody else's games stay. The match must not be running, and its schedule must not "
      "draw up rounds from results (Swiss, knockout).";
  command.examples = {"referee replace spring.yaml Dev-1 Dev-2"};
  command.run = replace;
  return command;
}

}  // namespace referee::cli
