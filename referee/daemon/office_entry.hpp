// What the office keeps of a match. For office*.cpp alone.
#pragma once

#include <atomic>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "referee/daemon/office.hpp"

namespace referee::daemon {

struct Office::Playing {
  Playing(const std::string& log_path, config::MatchFile file, std::string text, match::RunSettings settings)
      : log(std::fopen(log_path.c_str(), "ae")),
        console(log != nullptr ? log : stderr, match::Console::Kind::plain),
        run(std::move(file), std::move(text), settings, console) {}
  ~Playing() {
    if (log != nullptr) (void)std::fclose(log);
  }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;

  std::FILE* log;
  match::Console console;
  match::MatchRun run;
  std::thread thread;
  bool held_back = false;                 // paused, by its operator or for want of cores
  std::atomic<bool> course_moved{false};  // what only the plan can tell is other than when it was last asked; set on the recorder's thread
};

struct Office::Entry {
  MatchRecord record;
  std::optional<config::MatchFile> file;
  std::string text;
  std::shared_ptr<LiveLog> log;
  std::shared_ptr<MatchBoard> board;
  std::unique_ptr<Playing> playing;
  std::uint64_t runs = 0;  // that were begun
  int most = 1;            // games at once by its own file
  int threads = 1;         // a game
  int allowed = 0;         // games at once now
  bool accept_changes = false;
  bool lost_its_games = false;           // it is finished, and its journal holds none: looked for again by whoever asks
  bool journal_is_current = false;       // its schema was looked at
  bool replay_due = false;               // a finished game was annulled while others were played
  bool course_stale = true;              // of a schedule by results: the board has yet to follow the journal
  std::optional<match::MatchPlan> plan;  // of such a one that is being played, as the board has followed it
};

}  // namespace referee::daemon
