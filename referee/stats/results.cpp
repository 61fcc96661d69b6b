#include "referee/stats/results.hpp"

namespace referee::stats {

double ScoreDistribution::trials() const noexcept {
  double sum = 0;
  for (const double count : counts) sum += count;
  return sum;
}

double ScoreDistribution::mean() const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) sum += scores[i] * counts[i];
  return sum / trials();
}

double ScoreDistribution::variance() const noexcept {
  const double middle = mean();
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) sum += counts[i] * (scores[i] - middle) * (scores[i] - middle);
  return sum / trials();
}

ScoreDistribution distribution(const GameCounts& counts) {
  return {{0.0, 0.5, 1.0}, {static_cast<double>(counts.losses), static_cast<double>(counts.draws), static_cast<double>(counts.wins)}, 1};
}

ScoreDistribution distribution(const PairCounts& counts) {
  return {
      {0.0, 0.25, 0.5, 0.75, 1.0},
      {static_cast<double>(counts.loss_loss), static_cast<double>(counts.loss_draw),
       static_cast<double>(counts.win_loss + counts.draw_draw), static_cast<double>(counts.win_draw), static_cast<double>(counts.win_win)},
      2};
}

}  // namespace referee::stats
