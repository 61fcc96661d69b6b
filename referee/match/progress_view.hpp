// The match on the user's console, made from the journal's facts: log lines; on a terminal also a line for each running game, a progress
// bar with the time still needed, and the standings.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/match/console.hpp"
#include "referee/match/sprt_tracker.hpp"
#include "referee/match/standings.hpp"
#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// Warnings of this kind tell that an engine's output was read leniently: kept in the record, no news for people who watch.
inline constexpr std::string_view leniency_kind = "leniency";

struct ProgressStart {
  int planned = 0;  // 0: nobody knows, a sequential test ends when it is decided
  std::vector<std::string> engines;
  std::vector<record::GameRow> played;     // by earlier runs
  std::vector<record::PointsGiven> given;  // byes and walkovers so far
  StandingsBy by = StandingsBy::share;
  std::optional<SprtTracker> test;  // with what earlier runs played
  std::function<std::chrono::steady_clock::time_point()> now = [] { return std::chrono::steady_clock::now(); };
};

class ProgressView : public record::View {
 public:
  ProgressView(Console& console, ProgressStart start);

  void see(const record::Fact& fact) override;
  void batch_done() override;
  [[nodiscard]] std::chrono::milliseconds patience() const noexcept override;

 private:
  struct Running {
    std::string white, black;
    int plies = 0;
    std::string last_move;
    int move_number = 1;
    bool black_moved = false;
    std::array<std::string, 2> evaluation;
    std::array<std::string, 2> clock;
  };

  void on(const record::GameStarted& fact);
  void on(const record::EventJudged& fact);
  void on(const record::EngineWarning& fact);
  void on(const record::EngineFault& fact);
  void on(const record::GameEnded& fact);
  void on(const record::GameVoided& fact);
  void on(const record::EngineWithdrawn& fact);
  void on(const record::PlanExtended& fact);
  void on(const record::SprtStanding& fact);
  void on(const record::PointsGiven& fact);
  void say_standings();
  void redraw();
  [[nodiscard]] std::string progress_line() const;
  [[nodiscard]] std::string game_line(int number, const Running& game, std::size_t names) const;
  [[nodiscard]] std::string of_planned(int game) const;

  /// Of a match of two, with the error of the pairs that are complete; empty before there are any.
  [[nodiscard]] std::string elo_line() const;
  [[nodiscard]] int between_standings() const noexcept;
  void count_pair(const record::GameRow& row);
  /// Is it the first time that this game counts?
  [[nodiscard]] bool first_time(int game);

  Console& console_;
  std::function<std::chrono::steady_clock::time_point()> now_;
  int planned_;
  std::vector<std::string> engines_;
  std::vector<bool> counted_;      // by number of the game
  std::map<int, int> half_pairs_;  // of a match of two: what the first engine scored in games whose other half is not played yet
  stats::PairCounts pairs_;
  std::optional<SprtTracker> test_;
  Standings standings_;
  std::map<int, Running> running_;
  std::map<int, record::GameRow> started_;                       // of running games
  std::map<std::pair<std::string, std::string>, int> warnings_;  // by engine and kind
  int finished_before_ = 0, finished_ = 0, voided_ = 0;
  int next_standings_at_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point next_draw_ = std::chrono::steady_clock::time_point::min();
  bool changed_ = false;
};

}  // namespace referee::match
