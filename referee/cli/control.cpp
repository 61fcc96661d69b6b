// `control`: orders to a match that another process plays.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "config/command_path.hpp"
#include "config/match_file.hpp"
#include "config/used_files.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/control_file.hpp"
#include "referee/record/owner_lock.hpp"

namespace referee::cli {

namespace {

constexpr std::chrono::seconds longest_wait{5};

int control(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.operands();
  if (words.size() < 2) throw UsageError("control gives a running match an order (expected: referee control MATCH.yaml ORDER)");
  std::string line;
  for (std::size_t i = 1; i < words.size(); ++i) line += (i > 1 ? " " : "") + words[i];
  if (arguments.has("now")) line += " now";
  if (!match::parse_order(line)) throw UsageError("'" + line + "' is no order (expected pause, resume, concurrency N, stop or stop --now)");
  const config::Output output = config::read_match_file(words.front()).output;
  const std::string path = config::control_path(output);
  const std::string journal = config::absolute_path(output.journal, output.folder);
  std::error_code ignored;
  const auto nobody_there = [&journal] {
    std::cerr << journal << ": no match is being played there\n";
    return exit_fault_found;
  };
  if (!record::OwnerLock::is_held(journal)) return nobody_there();
  try {
    match::give_order(output, line);
  } catch (const std::runtime_error& error) { throw UsageError(error.what()); }
  const auto until = std::chrono::steady_clock::now() + longest_wait;
  while (std::filesystem::exists(path, ignored)) {
    const bool is_played = record::OwnerLock::is_held(journal);
    if (!is_played || std::chrono::steady_clock::now() > until) {
      std::filesystem::remove(path, ignored);
      if (!is_played) return nobody_there();
      std::cerr << journal << ": the match has not taken the order within " << longest_wait.count() << " s\n";
      return exit_fault_found;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::cout << line << ": told the match of " << journal << std::endl;
  return exit_done;
}

}  // namespace

CommandDefinition control_command() {
  CommandDefinition command;
  command.name = "control";
  command.summary = "pause, resume, stop a running match, or change its games at once";
  command.positional = "MATCH.yaml ORDER";
  command.description =
      "Gives a match that another process plays (referee run) an order, and waits until it has been taken:\n\n"
      "pause: running games are finished, no new one starts. resume: it goes on. concurrency N: so many games at once from now on. stop: "
      "running games are finished, then the match stops and can go on later; with --now they are dropped.\n\n"
      "Exit: 0 the match has taken the order; 1 no match is being played there, or it has not taken the order.";
  command.options = {{"now", "", "with stop: drop the running games", false, {}}};
  command.examples = {"referee control matches/demo.yaml pause", "referee control matches/demo.yaml concurrency 2"};
  command.run = control;
  return command;
}

}  // namespace referee::cli
