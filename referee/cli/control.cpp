// `control`: orders to a match that another process plays.
#include <chrono>
#include <iostream>
#include <optional>
#include <thread>

#include "config/command_path.hpp"
#include "config/match_file.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/control_file.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/owner_lock.hpp"

namespace referee::cli {

namespace {

constexpr std::chrono::seconds longest_wait{5};
constexpr std::chrono::milliseconds between_looks{20};

/// Gives the order and waits for the match's answer. Throws record::JournalError.
int give(const config::Output& output, const std::string& journal, const std::string& line) {
  using State = match::ControlAnswer::State;
  const auto until = std::chrono::steady_clock::now() + longest_wait;
  std::optional<std::string> sign;
  match::ControlAnswer answer{.state = State::waiting, .why = {}};
  while (answer.state == State::waiting) {
    const bool is_played = record::OwnerLock::is_held(journal);
    const bool last_look = !is_played || std::chrono::steady_clock::now() > until;
    if (!sign && is_played) sign = match::give_order(output, line);
    if (sign) answer = match::answer_to(output, *sign, last_look ? match::Patience::take_back : match::Patience::wait);
    if (answer.state != State::waiting) break;
    if (!is_played) {
      match::take_away_empty_box(output);
      std::cerr << journal << ": no match is being played there\n";
      return exit_fault_found;
    }
    if (last_look) {
      std::cerr << journal << ": the match has not taken the order within " << longest_wait.count() << " s\n";
      return exit_fault_found;
    }
    std::this_thread::sleep_for(between_looks);
  }
  if (answer.state == State::obeyed) {
    std::cout << line << ": told the match of " << journal << std::endl;
    return exit_done;
  }
  std::cerr << journal << ": "
            << (answer.state == State::refused ? "the match refuses the order: " + answer.why
                                               : std::string("the order is gone, and the match has not said that it took it"))
            << '\n';
  return exit_fault_found;
}

int control(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.operands();
  if (words.size() < 2) throw UsageError("control gives a running match an order (expected: referee control MATCH.yaml ORDER)");
  std::string line;
  for (std::size_t i = 1; i < words.size(); ++i) line += (i > 1 ? " " : "") + words[i];
  if (arguments.has("now")) line += " now";
  if (!match::parse_order(line)) throw UsageError("'" + line + "' is no order (expected pause, resume, concurrency N, stop or stop --now)");
  const config::Output output = config::read_match_file(words.front()).output;
  const std::string journal = config::absolute_path(output.journal, output.folder);
  try {
    return give(output, journal, line);
  } catch (const record::JournalError& error) { throw UsageError(error.what()); }
}

}  // namespace

CommandDefinition control_command() {
  CommandDefinition command;
  command.name = "control";
  command.summary = "pause, resume, stop a running match, or change its games at once";
  command.positional = "MATCH.yaml ORDER";
  command.description =
      "Gives a match that another process plays (referee run) an order, and waits for its answer:\n\n"
      "pause: running games are finished, no new one starts. resume: it goes on. concurrency N: so many games at once from now on. stop: "
      "running games are finished, then the match stops and can go on later; with --now they are dropped.\n\n"
      "Exit: 0 the match obeys the order, also one that is just being set up; 1 no match is being played there, it refuses the order (it "
      "is "
      "over, or stopping), or it has not taken it within five seconds: then the order is taken back.";
  command.options = {{"now", "", "with stop: drop the running games", false, {}}};
  command.examples = {"referee control matches/demo.yaml pause", "referee control matches/demo.yaml concurrency 2"};
  command.run = control;
  return command;
}

}  // namespace referee::cli
