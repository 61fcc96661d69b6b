// A match as its viewers see it, made from the journal's facts alone: what was played, what is being played, the standings. Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/daemon/ended_games.hpp"
#include "referee/match/plan.hpp"
#include "referee/match/standings.hpp"
#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::daemon {

/// A game that has not ended.
struct BoardGame {
  record::GameStarted started;
  chess::Position position = chess::Position::initial();
  int plies = 0;
  std::string last_move, last_san;
  std::array<game::Duration, 2> clock{};       // by colour, as the displays stood when a clock was last stopped; max = no clock
  std::optional<chess::Color> running;         // whose clock runs
  std::chrono::steady_clock::time_point told;  // when we heard of it
  game::Phase phase = game::Phase::playing;
  std::optional<chess::Color> claimant;  // who has asked the arbiter
  std::string question;                  // of the arbiter, or what stopped play
  std::string article;                   // of the last ruling that stopped play
  std::array<std::optional<record::SearchReport>, 2> search;
  game::Duration at{};  // of the last event
};

class MatchBoard {
 public:
  MatchBoard(const config::MatchFile& file, int planned);

  /// What earlier runs played, and how their unfinished games stand.
  void load(const record::Journal& journal);
  void see(const record::Fact& fact);
  /// The match is not played at the moment: no clock runs.
  void stand_still();
  /// The plan as the journal has brought it so far: byes, the rounds of a knockout, whose games are void that nobody began.
  void follow(const match::MatchPlan& plan);
  /// Is there anything that only the plan can tell?
  [[nodiscard]] bool needs_plan() const;

  struct Counts {
    int planned = 0 /* 0: until the test is decided */, finished = 0, voided = 0, running = 0 /* on the board, engines seated */,
        halted = 0 /* awaiting, adjourned */;
    int faults = 0;
  };
  [[nodiscard]] Counts counts() const;
  [[nodiscard]] EndedGames games() const;                            // as they stand now
  [[nodiscard]] std::vector<match::StandingsRow> standings() const;  // of a knockout by rounds, as `run` ranks them
  [[nodiscard]] match::Course course() const;
  [[nodiscard]] const std::vector<std::string>& engines() const noexcept { return engines_; }  // names, by the indices of the course
  [[nodiscard]] config::ScheduleKind kind() const noexcept { return kind_; }
  /// Another number whenever the games that count are others than before.
  [[nodiscard]] std::uint64_t results_version() const;
  [[nodiscard]] std::vector<BoardGame> running() const;  // by number
  [[nodiscard]] std::optional<BoardGame> running(int game) const;
  /// The games being played, as PGN with what has been played of them; a game that has just ended stays for a while.
  [[nodiscard]] std::string live_pgn() const;
  void set_planned(int planned);

 private:
  void on(const record::GameStarted& fact);
  void on(const record::EventJudged& fact);
  void on(const record::GameEnded& fact);
  void on(const record::GameVoided& fact);
  void on(const record::PointsGiven& fact) { standings_.give(fact); }
  void on(const record::EngineFault& fact);
  void on(const record::PlanExtended& fact);

  void put(const record::GameRow& row);
  void take_out(int game);
  enum class Tally : std::int8_t { in = 1, out = -1 };
  void tally(const EndedGame& game, Tally way);

  struct Live {
    BoardGame game;
    record::PgnComposer pgn;
  };
  const std::vector<std::string> engines_;
  const config::ScheduleKind kind_;
  mutable std::mutex mutex_;  // of what follows
  int planned_;
  int faults_ = 0;
  std::uint64_t results_version_ = 0;
  match::Standings standings_;
  match::Course course_;
  EndedGames games_;
  int finished_ = 0, voided_ = 0;  // of games_
  std::map<int, Live> live_;
  std::deque<std::pair<int, std::string>> just_ended_;  // number and PGN of the last few, in the order in which they ended
};

}  // namespace referee::daemon
