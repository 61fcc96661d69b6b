// Elo and normalised Elo of a match with their errors, and the likelihood of superiority.
//
//   logistic Elo     -400 log10(1/s - 1) of the mean score s
//   normalised Elo   800/ln 10 times (s - 1/2) / sigma, sigma the deviation of one game's score (of a pair's, times sqrt 2)
//   errors           half the 95 % interval that the central limit theorem gives the mean score
//   LOS              probability that the first player is the stronger one (normal approximation)
#pragma once

#include <optional>
#include <string>

#include "referee/stats/results.hpp"

namespace referee::stats {

/// A figure that may have no finite value: then it is bounded on one side only (a score of 100 % says "at least").
enum class Bound { none, lower, upper };
struct Estimate {
  std::optional<double> value;  // nullopt: not finite, or nothing was played
  std::optional<double> error;  // half the 95 % interval; nullopt where an end of it is not finite, or results that are all alike tell none
  /// Ends of the 95 % interval; nullopt where they are not finite or not known. Of a clean sweep of n trials the one end there is comes
  /// from their number: with less than it, all n would have been won in fewer than 5 % of such matches.
  std::optional<double> low, high;
  Bound bound = Bound::none;
};

struct EloReport {
  Estimate elo;
  Estimate normalized_elo;
  std::optional<double> los;
  std::optional<double> score;
  std::int64_t games = 0;
  std::int64_t pairs = 0;            // 0 when counted by games
  std::optional<double> draw_ratio;  // drawn games of all; nullopt when level pairs were not told apart
};

[[nodiscard]] EloReport elo_report(const GameCounts& counts);
[[nodiscard]] EloReport elo_report(const PairCounts& counts);

/// "+12.3 +- 8.1", "+381.7 (95 %: above +120.4)", "no upper bound (all points won; 95 %: above +34.4)", "unknown".
[[nodiscard]] std::string to_text(const Estimate& estimate, int decimals);

/// Expected score of a rating difference, and back. Needs 0 < score < 1.
[[nodiscard]] double expected_score(double elo) noexcept;
[[nodiscard]] double elo_of_score(double score) noexcept;

}  // namespace referee::stats
