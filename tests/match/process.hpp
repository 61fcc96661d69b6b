// The built program as a process, and match files of scripted engines (`referee stub`) for it.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"
#include "tests/match/support.hpp"

extern char** environ;  // NOLINT: POSIX's own

namespace referee::test {

inline const std::string program = std::string(REFEREE_BINARY_FOLDER) + "/referee";

/// The program, running; its output goes into files of the folder.
class Process {
 public:
  Process(const ScratchFolder& folder, std::vector<std::string> arguments) : folder_(folder) {
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, folder.file("stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, 2, folder.file("stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    REQUIRE(posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Process() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const { ::kill(pid_, number); }
  /// Exit code; 128 + signal if one ended it.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  /// Until `text` stands in its output; false if it ends or half a minute passes before.
  bool says(const std::string& name, const std::string& text) {
    for (int i = 0; i < 3000; ++i) {
      if (folder_.read(name).find(text) != std::string::npos) return true;
      siginfo_t ended{};
      if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
        return folder_.read(name).find(text) != std::string::npos;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  const ScratchFolder& folder_;
  pid_t pid_ = 0;
};

inline int run(const ScratchFolder& folder, std::vector<std::string> arguments) { return Process(folder, std::move(arguments)).wait(); }

inline std::string engine_line(const std::string& name, const std::string& script, const std::string& more = "") {
  return "  - {name: " + name + ", command: " + program + ", arguments: [stub, " + script + "]" + more + "}\n";
}

/// Two scripted engines; `more` are lines of YAML.
inline std::string match_yaml(const ScratchFolder& folder, int games, const std::string& engines, const std::string& more = "") {
  return "time_control: 20+0.2\nschedule: {kind: match, games: " + std::to_string(games) + "}\nadjudication: {max_moves: 5}\n" + more +
         "engines:\n" + engines + "output: {folder: " + folder.file("out") + "}\n";
}

inline std::unique_ptr<record::Journal> journal_of(const ScratchFolder& folder) {
  return record::Journal::open(folder.file("out/match.sqlite"), record::Journal::Mode::read_only);
}

inline std::vector<std::string> results_of(const record::Journal& journal) {
  std::vector<std::string> lines;
  for (const record::GameRow& row : journal.games()) {
    lines.push_back(
        std::to_string(row.game) + " " + row.white + "-" + row.black + " " +
        (row.outcome ? game::result_text(*row.outcome) + " " + std::string(game::code(row.outcome->reason)) : std::string("running")) +
        " " + std::to_string(row.plies));
  }
  return lines;
}

inline int games_in_pgn(const std::string& text) {
  std::istringstream in(text);
  record::PgnReader reader(in);
  int games = 0;
  while (const auto game = reader.next()) {
    CHECK_FALSE(game->cut_off);
    ++games;
  }
  return games;
}

}  // namespace referee::test
