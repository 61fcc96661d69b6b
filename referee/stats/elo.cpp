#include "referee/stats/elo.hpp"

#include <cmath>
#include <numbers>

#include "referee/stats/table.hpp"

namespace referee::stats {

namespace {

constexpr double z95 = 1.959963984540054;
constexpr double normalized_scale = 800.0 / std::numbers::ln10;

[[nodiscard]] double normal_cdf(double x) noexcept { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

[[nodiscard]] EloReport report(const ScoreDistribution& trials) {
  EloReport out;
  const double n = trials.trials();
  if (n <= 0) return out;
  const double mean = trials.mean();
  const double deviation = std::sqrt(trials.variance());
  const double standard_error = deviation / std::sqrt(n);
  out.score = mean;

  const bool certain_win = mean >= 1;
  const bool certain_loss = mean <= 0;
  if (certain_win || certain_loss) {
    out.elo.bound = out.normalized_elo.bound = certain_win ? Bound::lower : Bound::upper;
    const double at_least = std::pow(0.05, 1 / n);  // share of clean trials
    (certain_win ? out.elo.low : out.elo.high) = elo_of_score(certain_win ? at_least : 1 - at_least);
    out.los = normal_cdf((certain_win ? 1 : -1) * std::sqrt(n * trials.games_per_trial));
    return out;
  }

  out.elo.value = elo_of_score(mean);
  const double low = mean - z95 * standard_error;
  const double high = mean + z95 * standard_error;
  if (deviation > 0 && low > 0) out.elo.low = elo_of_score(low);
  if (deviation > 0 && high < 1) out.elo.high = elo_of_score(high);
  if (out.elo.low && out.elo.high) out.elo.error = (*out.elo.high - *out.elo.low) / 2;

  if (deviation > 0) {
    const double game_deviation = deviation * std::sqrt(static_cast<double>(trials.games_per_trial));
    out.normalized_elo.value = normalized_scale * (mean - 0.5) / game_deviation;
    out.normalized_elo.error = normalized_scale * z95 / std::sqrt(n * trials.games_per_trial);
    out.los = normal_cdf((mean - 0.5) / standard_error);
  } else {
    out.normalized_elo.value = 0;
    out.los = 0.5;
  }
  return out;
}

}  // namespace

std::string to_text(const Estimate& estimate, int decimals) {
  const auto signed_text = [decimals](double value) {
    const std::string text = fixed(value, decimals);
    return text.starts_with('-') ? text : "+" + text;
  };
  std::string ends;
  if (estimate.low) ends = "95 %: above " + signed_text(*estimate.low);
  if (estimate.high) ends = "95 %: below " + signed_text(*estimate.high);
  if (!estimate.value) {
    if (estimate.bound == Bound::none) return "unknown";
    const std::string what = estimate.bound == Bound::lower ? "no upper bound (all points won" : "no lower bound (no point won";
    return what + (ends.empty() ? ")" : "; " + ends + ")");
  }
  const std::string value = signed_text(*estimate.value);
  if (estimate.error) return value + " +- " + fixed(*estimate.error, decimals);
  return value + (ends.empty() ? " (too few or too equal results for an error)" : " (" + ends + ")");
}

double expected_score(double elo) noexcept { return 1 / (1 + std::pow(10.0, -elo / 400)); }

double elo_of_score(double score) noexcept { return -400 * std::log10(1 / score - 1); }

EloReport elo_report(const GameCounts& counts) {
  EloReport out = report(distribution(counts));
  out.games = counts.games();
  if (out.games > 0) out.draw_ratio = static_cast<double>(counts.draws) / static_cast<double>(out.games);
  // Draws say nothing about who is stronger: wins and losses alone decide.
  if (const auto decided = counts.wins + counts.losses; decided > 0) {
    out.los = normal_cdf(static_cast<double>(counts.wins - counts.losses) / std::sqrt(static_cast<double>(decided)));
  }
  return out;
}

EloReport elo_report(const PairCounts& counts) {
  EloReport out = report(distribution(counts));
  out.pairs = counts.pairs();
  out.games = 2 * out.pairs;
  if (out.games > 0 && counts.level_pairs_told_apart) {
    out.draw_ratio = static_cast<double>(counts.loss_draw + counts.win_draw + 2 * counts.draw_draw) / static_cast<double>(out.games);
  }
  return out;
}

}  // namespace referee::stats
