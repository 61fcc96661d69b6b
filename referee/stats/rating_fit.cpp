#include "referee/stats/rating_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace referee::stats {

namespace {

using Vector = Eigen::VectorXd;

constexpr std::size_t dense_up_to = 200;  // players; above it the steps are found by conjugate gradients
constexpr double hold_white = 1e-4;       // precision: decides only where the games say nothing about White's advantage
constexpr double no_draws = 1e-12;        // draw weight where no game was drawn
constexpr double settled = 1e-9;          // of the last step, in logits: far below a thousandth of a rating point
constexpr int most_steps = 100;

/// First and second derivatives of the log likelihood; negative second ones, as information.
struct Curvature {
  Vector gradient;               // players, White's advantage, log draw weight
  std::vector<double> links;     // information of each bout on its difference
  Vector with_white, with_draw;  // borders of the information matrix
  double white = 0, draw = 0, white_draw = 0;
  Vector diagonal;
};

struct Terms {
  double gradient = 0, draw_gradient = 0, information = 0, mixed = 0, draw_information = 0;
};

[[nodiscard]] Terms terms_of(DrawModel model, const Bout& bout, double d, double draw_weight) noexcept {
  const double n = bout.games();
  Terms out;
  if (model == DrawModel::half_wins) {
    const double p = 1 / (1 + std::exp(-d));
    out.gradient = bout.wins + bout.draws / 2 - n * p;
    out.information = n * p * (1 - p);
    return out;
  }
  const Chances chances = davidson_chances(d, draw_weight);
  const double edge = (chances.win - chances.loss) / 2;
  out.gradient = (bout.wins - bout.losses) / 2 - n * edge;
  out.draw_gradient = bout.draws - n * chances.draw;
  out.information = n * ((chances.win + chances.loss) / 4 - edge * edge);
  out.mixed = -n * edge * chances.draw;
  out.draw_information = n * chances.draw * (1 - chances.draw);
  return out;
}

[[nodiscard]] double log_likelihood(const FitProblem& problem, const Vector& x, const Vector& start) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  const double white = x[n];
  const double log_nu = x[n + 1];
  const double nu = std::exp(log_nu);
  double sum = -hold_white * white * white / 2;
  for (const Bout& bout : problem.bouts) {
    const double d = x[bout.white] - x[bout.black] + white;
    const double far = std::abs(d);
    if (problem.model == DrawModel::half_wins) {
      // log P(win) = -log(1 + e^-d); the larger exponent is taken out.
      const double score = bout.wins + bout.draws / 2;
      sum += score * d - bout.games() * (std::max(d, 0.0) + std::log1p(std::exp(-far)));
    } else {
      const double shrink = std::exp(-far / 2);
      const double total = far / 2 + std::log(1 + shrink * shrink + nu * shrink);
      sum += (bout.wins - bout.losses) * d / 2 + (bout.draws > 0 ? bout.draws * log_nu : 0) - bout.games() * total;
    }
  }
  if (problem.pull > 0) sum -= problem.pull / 2 * (x.head(n) - start.head(n)).squaredNorm();
  return sum;
}

[[nodiscard]] Curvature curvature(const FitProblem& problem, const Vector& x, const Vector& start) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  Curvature out;
  out.gradient = Vector::Zero(n + 2);
  out.with_white = Vector::Zero(n);
  out.with_draw = Vector::Zero(n);
  out.diagonal = Vector::Zero(n + 2);
  out.links.resize(problem.bouts.size());
  const double nu = std::exp(x[n + 1]);
  for (std::size_t i = 0; i < problem.bouts.size(); ++i) {
    const Bout& bout = problem.bouts[i];
    const Terms terms = terms_of(problem.model, bout, x[bout.white] - x[bout.black] + x[n], nu);
    out.gradient[bout.white] += terms.gradient;
    out.gradient[bout.black] -= terms.gradient;
    out.gradient[n] += terms.gradient;
    out.gradient[n + 1] += terms.draw_gradient;
    out.links[i] = terms.information;
    out.diagonal[bout.white] += terms.information;
    out.diagonal[bout.black] += terms.information;
    out.with_white[bout.white] += terms.information;
    out.with_white[bout.black] -= terms.information;
    out.with_draw[bout.white] += terms.mixed;
    out.with_draw[bout.black] -= terms.mixed;
    out.white += terms.information;
    out.white_draw += terms.mixed;
    out.draw += terms.draw_information;
  }
  out.white += hold_white;
  out.gradient[n] -= hold_white * x[n];
  out.diagonal[n] = out.white;
  out.diagonal[n + 1] = out.draw;
  if (problem.pull > 0) {
    out.gradient.head(n) -= problem.pull * (x.head(n) - start.head(n));
    out.diagonal.head(n).array() += problem.pull;
  }
  return out;
}

/// Which of the n + 2 parameters are held.
[[nodiscard]] std::vector<char> held(const FitProblem& problem, bool draws_held) {
  std::vector<char> out(problem.players + 2, 0);
  for (const auto& [player, strength] : problem.fixed_strengths) out[player] = 1;
  out[problem.players] = problem.white_advantage.has_value() ? 1 : 0;
  out[problem.players + 1] = draws_held ? 1 : 0;
  return out;
}

[[nodiscard]] Eigen::MatrixXd information_matrix(const FitProblem& problem, const Curvature& c, const std::vector<char>& hold) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + 2, n + 2);
  for (std::size_t i = 0; i < problem.bouts.size(); ++i) {
    const auto w = static_cast<Eigen::Index>(problem.bouts[i].white);
    const auto b = static_cast<Eigen::Index>(problem.bouts[i].black);
    matrix(std::max(w, b), std::min(w, b)) -= c.links[i];
  }
  matrix.diagonal() = c.diagonal;
  matrix.row(n).head(n) = c.with_white.transpose();
  matrix.row(n + 1).head(n) = c.with_draw.transpose();
  matrix(n + 1, n) = c.white_draw;
  for (Eigen::Index i = 0; i < n + 2; ++i) {
    if (hold[static_cast<std::size_t>(i)] == 0) continue;
    matrix.row(i).setZero();
    matrix.col(i).setZero();
    matrix(i, i) = 1;
  }
  return matrix;  // lower triangle
}

/// What the sum of all strengths is weighed with where nothing fixes it: the size of the other entries, for the condition's sake.
[[nodiscard]] double weight_of_sum(const FitProblem& problem, const Curvature& c) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  return c.diagonal.head(n).sum() / static_cast<double>(n) / static_cast<double>(n);
}

[[nodiscard]] Vector dense_step(const FitProblem& problem, const Curvature& c, const std::vector<char>& hold) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  Eigen::MatrixXd matrix = information_matrix(problem, c, hold);
  if (problem.fixed_strengths.empty()) matrix.topLeftCorner(n, n).array() += weight_of_sum(problem, c);
  Vector right = c.gradient;
  for (Eigen::Index i = 0; i < n + 2; ++i)
    if (hold[static_cast<std::size_t>(i)] != 0) right[i] = 0;
  return matrix.selfadjointView<Eigen::Lower>().ldlt().solve(right);
}

[[nodiscard]] Vector times_information(const FitProblem& problem, const Curvature& c, const Vector& x) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  Vector out = Vector::Zero(n + 2);
  const std::vector<Bout>& bouts = problem.bouts;
  for (std::size_t i = 0; i < bouts.size(); ++i) {
    const double flow = c.links[i] * (x[bouts[i].white] - x[bouts[i].black]);
    out[bouts[i].white] += flow;
    out[bouts[i].black] -= flow;
  }
  out.head(n) += c.with_white * x[n] + c.with_draw * x[n + 1];
  if (problem.pull > 0) out.head(n) += problem.pull * x.head(n);
  out[n] = c.with_white.dot(x.head(n)) + c.white * x[n] + c.white_draw * x[n + 1];
  out[n + 1] = c.with_draw.dot(x.head(n)) + c.white_draw * x[n] + c.draw * x[n + 1];
  return out;
}

/// Conjugate gradients, preconditioned by the diagonal. The matrix may be singular in the sum of all strengths; the gradient has no part
/// there.
[[nodiscard]] Vector conjugate_step(const FitProblem& problem, const Curvature& c, const std::vector<char>& hold) {
  const Eigen::Index size = c.gradient.size();
  Vector inverse(size);
  for (Eigen::Index i = 0; i < size; ++i) inverse[i] = hold[static_cast<std::size_t>(i)] != 0 || c.diagonal[i] <= 0 ? 0 : 1 / c.diagonal[i];
  const auto free_part = [&](const Vector& v) { return (inverse.array() > 0).select(v, 0.0).eval(); };
  Vector step = Vector::Zero(size);
  Vector rest = free_part(c.gradient);
  Vector z = inverse.cwiseProduct(rest);
  Vector direction = z;
  double norm = rest.dot(z);
  const double enough = norm * 1e-10;
  for (Eigen::Index round = 0; round < 4 * size && norm > enough; ++round) {
    const Vector image = free_part(times_information(problem, c, direction));
    const double curve = direction.dot(image);
    if (curve <= 0) break;
    const double length = norm / curve;
    step += length * direction;
    rest -= length * image;
    z = inverse.cwiseProduct(rest);
    const double next = rest.dot(z);
    direction = z + (next / norm) * direction;
    norm = next;
  }
  return step;
}

struct Totals {
  double decided = 0, drawn = 0;
};
[[nodiscard]] Totals totals(const FitProblem& problem) {
  Totals out;
  for (const Bout& bout : problem.bouts) {
    out.decided += bout.wins + bout.losses;
    out.drawn += bout.draws;
  }
  return out;
}

}  // namespace

Chances davidson_chances(double d, double draw_weight) noexcept {
  const double shrink = std::exp(-std::abs(d) / 2);
  const double total = 1 + shrink * shrink + draw_weight * shrink;
  const double better = 1 / total;
  const double worse = shrink * shrink / total;
  return {d >= 0 ? better : worse, draw_weight * shrink / total, d >= 0 ? worse : better};
}

Chances chances_of_score(double score, double draw_weight) noexcept {
  // x = draws, s(1 - s) = p q: x^2 = nu^2 (s - x/2)(1 - s - x/2), so (1 - nu^2/4) x^2 + (nu^2/2) x - nu^2 pq = 0.
  const double level = score * (1 - score);
  const double square = draw_weight * draw_weight;
  const double root = std::sqrt(square * square / 4 + 4 * (1 - square / 4) * square * level);
  const double draw = square <= 0 ? 0 : 2 * square * level / (square / 2 + root);
  return {std::max(score - draw / 2, 0.0), draw, std::max(1 - score - draw / 2, 0.0)};
}

double draw_weight_of_equals(const FitProblem& problem) noexcept {
  const Totals seen = totals(problem);
  return 2 * seen.drawn / seen.decided;
}

bool draw_weight_runs_away(const FitProblem& problem, const Fit& fit) noexcept {
  const Totals seen = totals(problem);
  if (problem.model != DrawModel::davidson || problem.draw_weight || seen.drawn <= 0 || seen.decided <= 0) return false;
  // Differences of 1600 points make it some 50 times as great; where it ends beyond that, it was on its way to infinity.
  constexpr double beyond_all_lists = 1000, beyond_most = 10;
  return fit.draw_weight > draw_weight_of_equals(problem) * (fit.converged ? beyond_all_lists : beyond_most);
}

Fit fit_strengths(const FitProblem& problem, const Fit* start) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  Vector x = Vector::Zero(n + 2);
  if (start != nullptr) {
    for (Eigen::Index i = 0; i < n; ++i) x[i] = start->strengths[static_cast<std::size_t>(i)];
    x[n] = start->white_advantage;
  }
  if (problem.white_advantage) x[n] = *problem.white_advantage;
  for (const auto& [player, strength] : problem.fixed_strengths) x[player] = strength;

  // Without drawn games, or with nothing else, the draw weight has no maximum.
  const Totals seen = totals(problem);
  const bool draws_held = problem.model == DrawModel::half_wins || problem.draw_weight || seen.drawn <= 0 || seen.decided <= 0;
  double nu = 1;
  if (problem.draw_weight)
    nu = std::max(*problem.draw_weight, no_draws);
  else if (seen.drawn <= 0)
    nu = no_draws;
  else if (seen.decided <= 0)
    nu = 4 * (seen.drawn + 0.5);
  else
    nu = start != nullptr && start->draw_weight > no_draws ? start->draw_weight : 2 * seen.drawn / seen.decided;
  x[n + 1] = std::log(nu);

  Fit fit;
  const std::vector<char> hold = held(problem, draws_held);
  const Vector begin = x;
  double likelihood = log_likelihood(problem, x, begin);
  for (fit.steps = 0; fit.steps < most_steps && !fit.converged; ++fit.steps) {
    const Curvature c = curvature(problem, x, begin);
    Vector step = problem.players <= dense_up_to ? dense_step(problem, c, hold) : conjugate_step(problem, c, hold);
    if (problem.fixed_strengths.empty() && n > 0) step.head(n).array() -= step.head(n).mean();
    const double longest = step.cwiseAbs().maxCoeff();
    if (!std::isfinite(longest)) break;
    double share = std::min(1.0, 8 / std::max(longest, 1e-300));  // a step beyond 8 logits is beyond what the tangent knows
    for (int halvings = 0; halvings < 40; ++halvings) {
      const Vector next = x + share * step;
      const double value = log_likelihood(problem, next, begin);
      if (value >= likelihood - 1e-12 * std::abs(likelihood)) {
        x = next;
        likelihood = value;
        break;
      }
      share /= 2;
    }
    fit.converged = longest < settled;
  }
  if (problem.fixed_strengths.empty() && n > 0) x.head(n).array() -= x.head(n).mean();
  fit.strengths.assign(x.data(), x.data() + n);
  fit.white_advantage = x[n];
  fit.draw_weight = problem.model == DrawModel::davidson && seen.drawn <= 0 && !problem.draw_weight ? 0 : std::exp(x[n + 1]);
  return fit;
}

Covariance::Covariance(const FitProblem& problem, const Fit& fit) : white_(problem.players) {
  const auto n = static_cast<Eigen::Index>(problem.players);
  Vector x(n + 2);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = fit.strengths[static_cast<std::size_t>(i)];
  x[n] = fit.white_advantage;
  x[n + 1] = std::log(std::max(fit.draw_weight, no_draws));
  const Totals seen = totals(problem);
  const bool draws_held = problem.model == DrawModel::half_wins || problem.draw_weight || seen.drawn <= 0 || seen.decided <= 0;
  fixed_ = held(problem, draws_held);
  const Curvature c = curvature(problem, x, x);
  root_ = information_matrix(problem, c, fixed_);
  if (problem.fixed_strengths.empty()) {
    const double weight = weight_of_sum(problem, c);
    root_.topLeftCorner(n, n).array() += weight;
    shared_ = 1 / (weight * static_cast<double>(n) * static_cast<double>(n));
  }
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(root_);
  // The inverse of the factor, a band of columns at a time: above the diagonal it stays zero.
  constexpr Eigen::Index band = 64;
  const Eigen::Index size = n + 2;
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index at = 0; at < size; at += band) {
    const Eigen::Index wide = std::min(band, size - at);
    const Eigen::Index tall = size - at;
    auto block = inverse.block(at, at, tall, wide);
    block.topRows(wide).setIdentity();
    root_.bottomRightCorner(tall, tall).triangularView<Eigen::Lower>().solveInPlace(block);
  }
  root_ = std::move(inverse);
}

double Covariance::of(PlayerId a, PlayerId b) const {
  if (fixed_[a] != 0 || fixed_[b] != 0) return 0;
  const auto from = static_cast<Eigen::Index>(std::max(a, b));
  const Eigen::Index rows = root_.rows() - from;
  return root_.col(static_cast<Eigen::Index>(a)).tail(rows).dot(root_.col(static_cast<Eigen::Index>(b)).tail(rows)) - shared_;
}

double Covariance::of_white_advantage() const {
  return fixed_[white_] != 0 ? 0 : root_.col(static_cast<Eigen::Index>(white_)).squaredNorm();
}

std::vector<double> approximate_variances(const FitProblem& problem, const Fit& fit) {
  std::vector<double> own(problem.players, 0);
  std::vector<double> links(problem.bouts.size());
  for (std::size_t i = 0; i < problem.bouts.size(); ++i) {
    const Bout& bout = problem.bouts[i];
    const double d = fit.strengths[bout.white] - fit.strengths[bout.black] + fit.white_advantage;
    links[i] = terms_of(problem.model, bout, d, std::max(fit.draw_weight, no_draws)).information;
    own[bout.white] += links[i];
    own[bout.black] += links[i];
  }
  std::vector<double> out(problem.players, 0);
  for (std::size_t i = 0; i < problem.players; ++i) out[i] = own[i] > 0 ? 1 / own[i] : 0;
  for (std::size_t i = 0; i < problem.bouts.size(); ++i) {
    const Bout& bout = problem.bouts[i];
    const auto add = [&](PlayerId player, PlayerId other) {
      const double share = own[player] > 0 ? links[i] / own[player] : 0;
      if (own[other] > 0) out[player] += share * share / own[other];
    };
    add(bout.white, bout.black);
    add(bout.black, bout.white);
  }
  for (const auto& [player, strength] : problem.fixed_strengths) out[player] = 0;
  return out;
}

}  // namespace referee::stats
