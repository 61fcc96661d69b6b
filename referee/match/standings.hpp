// The table of a match, from the games that count.
#pragma once

#include <string>
#include <vector>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

struct StandingsRow {
  int rank = 0;  // from 1; equal points share it
  std::string engine;
  int games = 0, wins = 0, draws = 0, losses = 0;
  int points = 0;  // in hundredths
  /// Share of the points that were to be had, 0..1; 0 without games.
  [[nodiscard]] double score() const noexcept { return games == 0 ? 0.0 : points / (100.0 * games); }
};

class Standings {
 public:
  /// `engines`: in the order of the match file, which decides among equals.
  explicit Standings(std::vector<std::string> engines);

  /// The last word on a game counts: a game told again replaces itself. Voided and uncounted games take it out.
  void set(const record::GameRow& game);
  void remove(int game);
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

  std::vector<StandingsRow> engines_;
  std::vector<Result> results_;  // by game number
  int counted_ = 0;
};

/// A table of text for people, a line each.
[[nodiscard]] std::vector<std::string> to_lines(const std::vector<StandingsRow>& rows);

}  // namespace referee::match
