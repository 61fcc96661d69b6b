// What was scored, from the first player's side: single games, or pairs of games with colours swapped.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace referee::stats {

/// Games won, drawn and lost by the first player.
struct GameCounts {
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;
  [[nodiscard]] std::int64_t games() const noexcept { return wins + draws + losses; }
};

/// Pairs by what their two games brought the first player. A pair of a win and a loss scores as two draws do, but only the latter are drawn
/// games.
struct PairCounts {
  std::int64_t loss_loss = 0;
  std::int64_t loss_draw = 0;
  std::int64_t win_loss = 0;
  std::int64_t draw_draw = 0;
  std::int64_t win_draw = 0;
  std::int64_t win_win = 0;
  bool level_pairs_told_apart = true;  // false: win_loss holds both kinds (five numbers were given)
  [[nodiscard]] std::int64_t pairs() const noexcept { return loss_loss + loss_draw + win_loss + draw_draw + win_draw + win_win; }
};

/// The distribution of one trial: its possible scores (0..1) and how often each came.
struct ScoreDistribution {
  std::vector<double> scores;
  std::vector<double> counts;
  int games_per_trial = 1;

  [[nodiscard]] double trials() const noexcept;
  [[nodiscard]] double mean() const noexcept;
  [[nodiscard]] double variance() const noexcept;  // of one trial, population
};

[[nodiscard]] ScoreDistribution distribution(const GameCounts& counts);
[[nodiscard]] ScoreDistribution distribution(const PairCounts& counts);

}  // namespace referee::stats
