// Maximum likelihood of strengths from results of paired comparisons: the numerical core of a rating list.
//
//   davidson   P(win) : P(draw) : P(loss) = e^(d/2) : nu : e^(-d/2)   (Davidson 1970), d = strength of White - of Black + White's advantage
//   half_wins  P(win) = 1 / (1 + e^-d), a draw counts as half a win and half a loss (Bradley and Terry 1952)
//
// Both log likelihoods are concave; Newton's method finds the only maximum. Strengths are in natural units (logits of d).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "referee/stats/meetings.hpp"

namespace referee::stats {

enum class DrawModel { davidson, half_wins };

/// Games of two players with one of them having White. Counts may be fractions (priors).
struct Bout {
  PlayerId white = 0, black = 0;
  double wins = 0, draws = 0, losses = 0;  // White's
  [[nodiscard]] double games() const noexcept { return wins + draws + losses; }
};

struct FitProblem {
  DrawModel model = DrawModel::davidson;
  std::size_t players = 0;
  std::vector<Bout> bouts;                                   // the two bouts of a meeting stand next to each other
  std::optional<double> white_advantage;                     // fixed; nullopt = estimated
  std::optional<double> draw_weight;                         // nu, fixed; nullopt = estimated
  std::vector<std::pair<PlayerId, double>> fixed_strengths;  // anchors; without them the strengths' mean is 0
  double pull = 0;  // precision of a normal prior around the start: keeps samples of a simulation finite
};

struct Fit {
  std::vector<double> strengths;
  double white_advantage = 0;
  double draw_weight = 0;  // nu
  bool converged = false;
  int steps = 0;
};

/// Needs: players of one comparable group, every strength finite. `start`: nullptr = all equal.
[[nodiscard]] Fit fit_strengths(const FitProblem& problem, const Fit* start = nullptr);

/// The draw weight if all players were equal. Needs: games drawn and games decided.
[[nodiscard]] double draw_weight_of_equals(const FitProblem& problem) noexcept;
/// The draw weight was to be estimated and has no maximum: where no weaker player ever wins, the games agree ever better with ever more
/// draws and ever greater differences, and nothing of the fit means anything.
[[nodiscard]] bool draw_weight_runs_away(const FitProblem& problem, const Fit& fit) noexcept;

/// What a game with advantage d brings White.
struct Chances {
  double win = 0, draw = 0, loss = 0;
  [[nodiscard]] double score() const noexcept { return win + draw / 2; }
  [[nodiscard]] double variance() const noexcept { return win + draw / 4 - score() * score(); }
};
[[nodiscard]] Chances davidson_chances(double d, double draw_weight) noexcept;
/// Davidson's law of draws around a logistic score: draw^2 = nu^2 win loss, with win + draw / 2 given. `score` within 0..1.
[[nodiscard]] Chances chances_of_score(double score, double draw_weight) noexcept;

/// The inverse of the Fisher information at the fit, as a product: covariance(i, j) = column i * column j. Without fixed strengths it is
/// that of the differences from the mean of all. Work and memory grow with players^3 and ^2.
class Covariance {
 public:
  Covariance(const FitProblem& problem, const Fit& fit);
  [[nodiscard]] double of(PlayerId a, PlayerId b) const;
  [[nodiscard]] double of_difference(PlayerId a, PlayerId b) const { return of(a, a) + of(b, b) - 2 * of(a, b); }
  [[nodiscard]] double of_white_advantage() const;  // 0 when it was fixed

 private:
  Eigen::MatrixXd root_;  // inverse of the Cholesky factor, lower triangular
  double shared_ = 0;     // of the mean, taken out
  std::size_t white_ = 0;
  std::vector<char> fixed_;
};

/// The variances alone, without the matrix: each player's own information and, to first order, what the opponents' errors add.
[[nodiscard]] std::vector<double> approximate_variances(const FitProblem& problem, const Fit& fit);

}  // namespace referee::stats
