// From a fit's natural units to rating points, and how results scatter around a fit.
#pragma once

#include "referee/stats/rating_fit.hpp"
#include "referee/stats/rating_list.hpp"

namespace referee::stats {

/// Points of one natural unit of strength.
[[nodiscard]] double points_per_unit(RatingModel model, double draw_weight) noexcept;
[[nodiscard]] inline DrawModel draw_model(RatingModel model) noexcept {
  return model == RatingModel::davidson ? DrawModel::davidson : DrawModel::half_wins;
}
[[nodiscard]] inline double weight_of_draw_rate(double rate) noexcept { return 2 * rate / (1 - rate); }
[[nodiscard]] inline double draw_rate_of_weight(double weight) noexcept { return weight / (2 + weight); }
/// Chances of a game with advantage d, draws included also where the model rates them as half wins.
[[nodiscard]] Chances chances(DrawModel model, double d, double draw_weight) noexcept;

/// The draw weight that expects as many draws as there were, for a fit that took draws for half wins.
[[nodiscard]] double draw_weight_of_games(const FitProblem& problem, const Fit& fit);

/// Variance of what was scored, by that of the model: single games, and pairs by two independent games.
struct Dispersion {
  double games = 1;
  std::optional<double> pairs;
};
[[nodiscard]] Dispersion dispersion(const std::vector<const Meeting*>& meetings, const std::vector<PlayerId>& place, DrawModel model,
                                    const Fit& fit);

/// One list of results as the fit would have them: the same games, played again by chance.
void simulate(std::vector<Bout>& bouts, const std::vector<Bout>& played, DrawModel model, const Fit& fit, std::uint64_t seed);

}  // namespace referee::stats
