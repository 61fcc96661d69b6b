// The table of a match, from the games that count.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "referee/match/rounds.hpp"
#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

struct StandingsRow {
  int rank = 0;  // from 1; equal points share it
  std::string engine;
  int games = 0, wins = 0, draws = 0, losses = 0;  // played
  int unplayed = 0;                                // games whose points were given without play: byes, walkovers
  int points = 0;                                  // in hundredths, with those
  [[nodiscard]] int rated_games() const noexcept { return games + unplayed; }
  /// Share of the points that were to be had, 0..1; 0 without games.
  [[nodiscard]] double score() const noexcept { return rated_games() == 0 ? 0.0 : points / (100.0 * rated_games()); }
};

/// What decides the order in the middle of a match, where numbers of games differ.
enum class StandingsBy { share, points };
/// Where rounds depend on results nobody has played more of them than the schedule lets him: points. Else the share.
[[nodiscard]] StandingsBy standings_by(config::ScheduleKind kind) noexcept;

class Standings {
 public:
  /// `engines`: in the order of the match file, which decides among equals.
  explicit Standings(std::vector<std::string> engines, StandingsBy by = StandingsBy::share);

  /// The last word on a game counts: a game told again replaces itself. Voided and uncounted games take it out.
  void set(const record::GameRow& game);
  void remove(int game);
  /// Told again, the same gift counts once; one to nobody of the match counts nothing.
  void give(const record::PointsGiven& gift);
  [[nodiscard]] std::vector<StandingsRow> rows() const;
  /// Games that count.
  [[nodiscard]] int games() const noexcept { return counted_; }

 private:
  struct Result {
    std::size_t white = 0, black = 0;
    game::Score score;
    bool counted = false;
  };
  void apply(const Result& result, int sign);
  [[nodiscard]] std::size_t index_of(const std::string& engine);

  StandingsBy by_;
  std::set<std::tuple<int, std::string, std::string>> given_;  // by round, engine and reason
  std::vector<StandingsRow> engines_;
  std::vector<Result> results_;  // by game number
  int counted_ = 0;
};

/// A gift as a fact: byes and walkovers bring a whole point a game.
[[nodiscard]] record::PointsGiven given_by(const Gift& gift, const config::MatchFile& file);

/// A table of text for people, a line each.
[[nodiscard]] std::vector<std::string> to_lines(const std::vector<StandingsRow>& rows);

}  // namespace referee::match
