#include "referee/stats/sprt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "referee/stats/elo.hpp"

namespace referee::stats {

namespace {

constexpr double unseen = 1e-3;  // count of an outcome that has not come yet
constexpr double normalized_scale = 800.0 / std::numbers::ln10;
constexpr double mean_overshoot = 0.5826;  // of a bound, in deviations of one normal step (Siegmund 1985, corollary 8.33 and section X.2)

using Weights = std::vector<double>;

/// Root of sum p_i c_i / (1 + x c_i) between the poles; it exists and is the only one when some c_i are negative and some positive.
/// Newton's method, kept between the bounds by halving.
[[nodiscard]] double secular_root(const Weights& p, const Weights& c) {
  const double least = *std::min_element(c.begin(), c.end());
  const double most = *std::max_element(c.begin(), c.end());
  if (least >= 0 || most <= 0) return 0;  // the hypothesis lies outside what these scores can bring
  double low = -1 / most;
  double high = -1 / least;
  double x = 0;
  for (int i = 0; i < 200; ++i) {
    double value = 0;  // falls from +inf to -inf
    double slope = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double part = c[k] / (1 + x * c[k]);
      value += p[k] * part;
      slope -= p[k] * part * part;
    }
    (value > 0 ? low : high) = x;
    double next = x - value / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const double moved = std::abs(next - x);
    x = next;
    if (moved <= 1e-16 * (std::abs(low) + std::abs(high)) || moved == 0) break;
  }
  return x;
}

[[nodiscard]] Weights tilted(const Weights& p, const Weights& c) {
  const double x = secular_root(p, c);
  Weights out(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) out[i] = p[i] / (1 + x * c[i]);
  return out;
}

/// The likeliest distribution with mean score `mean`.
[[nodiscard]] Weights likeliest_with_mean(const Weights& scores, const Weights& p, double mean) {
  Weights c(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) c[i] = scores[i] - mean;
  return tilted(p, c);
}

/// The likeliest distribution whose mean stands `t` of its own deviations above one half. The constraint mean - 1/2 = t sigma is
/// not linear; it is replaced by its tangent at the last distribution found until that stands still. The first is the even one: the tangent
/// at one-sided results, whose deviation is next to nothing, can lie beyond every distribution.
[[nodiscard]] Weights likeliest_with_t_value(const Weights& scores, const Weights& p, double t) {
  Weights q(p.size(), 1.0 / static_cast<double>(p.size()));
  for (int round = 0; round < 100; ++round) {
    double mean = 0;
    for (std::size_t i = 0; i < q.size(); ++i) mean += q[i] * scores[i];
    double variance = 0;
    for (std::size_t i = 0; i < q.size(); ++i) variance += q[i] * (scores[i] - mean) * (scores[i] - mean);
    const double sigma = std::sqrt(variance);
    Weights c(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double off = (mean - scores[i]) / sigma;
      c[i] = scores[i] - 0.5 - t * sigma * (1 + off * off) / 2;
    }
    Weights next = tilted(p, c);
    double change = 0;
    for (std::size_t i = 0; i < q.size(); ++i) change = std::max(change, std::abs(next[i] - q[i]));
    q = std::move(next);
    if (change < 1e-13) break;
  }
  return q;
}

struct Increment {  // log likelihood ratio of one trial under the observed frequencies
  double mean = 0;
  double variance = 0;
};

[[nodiscard]] Increment increment(const Weights& p, const Weights& h0, const Weights& h1) {
  Increment out;
  for (std::size_t i = 0; i < p.size(); ++i) out.mean += p[i] * std::log(h1[i] / h0[i]);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double off = std::log(h1[i] / h0[i]) - out.mean;
    out.variance += p[i] * off * off;
  }
  return out;
}

/// BayesElo: win 1/(1+10^((d-e)/400)), loss 1/(1+10^((d+e)/400)), with the draw rate d taken from the games.
[[nodiscard]] std::array<double, 3> bayes_elo_probabilities(double elo, double draw_elo) {
  const double win = 1 / (1 + std::pow(10.0, (draw_elo - elo) / 400));
  const double loss = 1 / (1 + std::pow(10.0, (draw_elo + elo) / 400));
  return {loss, 1 - win - loss, win};
}

[[nodiscard]] SprtReport conclude(double llr, double trials, const Increment& one, const SprtParameters& parameters) {
  SprtReport report;
  report.llr = llr;
  report.lower = std::log(parameters.beta / (1 - parameters.alpha));
  report.upper = std::log((1 - parameters.beta) / parameters.alpha);
  if (llr >= report.upper) report.state = SprtState::accept_h1;
  if (llr <= report.lower) report.state = SprtState::accept_h0;
  if (trials > 0 && one.variance > 0) {
    const double overshoot = mean_overshoot * std::sqrt(one.variance);
    report.lower_corrected = std::min(report.lower + overshoot, 0.0);
    report.upper_corrected = std::max(report.upper - overshoot, 0.0);
  }
  if (report.state != SprtState::undecided) {
    report.expected_trials_left = 0;
  } else if (trials > 0 && one.variance > 0) {
    // A random walk with the drift and variance seen so far, between the two bounds.
    const double below = llr - report.lower;
    const double width = report.upper - report.lower;
    const double pull = 2 * one.mean / one.variance;
    if (std::abs(pull * width) < 1e-6) {
      report.expected_trials_left = below * (width - below) / one.variance;
    } else {
      // The chance of reaching the upper bound first, written so that no power overflows.
      const double up = pull > 0 ? (1 - std::exp(-pull * below)) / (1 - std::exp(-pull * width))
                                 : (std::exp(pull * (width - below)) - std::exp(pull * width)) / (1 - std::exp(pull * width));
      report.expected_trials_left = (up * width - below) / one.mean;
    }
  }
  return report;
}

[[nodiscard]] SprtReport generalized(ScoreDistribution trials, const SprtParameters& parameters) {
  const double played = trials.trials();
  if (played <= 0) return conclude(0, 0, {}, parameters);
  for (double& count : trials.counts) count = std::max(count, unseen);
  const double n = trials.trials();
  Weights p(trials.counts.size());
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = trials.counts[i] / n;

  const auto likeliest = [&](double elo) {
    if (parameters.model == EloModel::logistic) return likeliest_with_mean(trials.scores, p, expected_score(elo));
    const double t = elo / normalized_scale * std::sqrt(static_cast<double>(trials.games_per_trial));
    return likeliest_with_t_value(trials.scores, p, t);
  };
  const Increment one = increment(p, likeliest(parameters.elo0), likeliest(parameters.elo1));
  return conclude(n * one.mean, played, one, parameters);
}

[[nodiscard]] SprtReport bayesian(const GameCounts& counts, const SprtParameters& parameters) {
  if (counts.games() == 0) return conclude(0, 0, {}, parameters);
  const std::array<double, 3> n{std::max(static_cast<double>(counts.losses), unseen), std::max(static_cast<double>(counts.draws), unseen),
                                std::max(static_cast<double>(counts.wins), unseen)};
  const double total = n[0] + n[1] + n[2];
  const double win = n[2] / total;
  const double loss = n[0] / total;
  const double draw_elo = 200 * std::log10((1 - loss) / loss * (1 - win) / win);
  const auto h0 = bayes_elo_probabilities(parameters.elo0, draw_elo);
  const auto h1 = bayes_elo_probabilities(parameters.elo1, draw_elo);
  const Weights p{loss, n[1] / total, win};
  const Increment one = increment(p, {h0.begin(), h0.end()}, {h1.begin(), h1.end()});
  return conclude(total * one.mean, static_cast<double>(counts.games()), one, parameters);
}

}  // namespace

std::optional<EloModel> parse_elo_model(std::string_view text) noexcept {
  for (const EloModel model : {EloModel::logistic, EloModel::normalized, EloModel::bayesian}) {
    if (text == name(model)) return model;
  }
  return std::nullopt;
}

std::string_view name(EloModel model) noexcept {
  switch (model) {
    case EloModel::logistic:
      return "logistic";
    case EloModel::normalized:
      return "normalized";
    case EloModel::bayesian:
      return "bayesian";
  }
  return "";
}

std::string_view name(SprtState state) noexcept {
  switch (state) {
    case SprtState::undecided:
      return "continue";
    case SprtState::accept_h0:
      return "accept_h0";
    case SprtState::accept_h1:
      return "accept_h1";
  }
  return "";
}

std::string_view words(SprtState state) noexcept {
  switch (state) {
    case SprtState::undecided:
      return "undecided";
    case SprtState::accept_h0:
      return "H0 is accepted";
    case SprtState::accept_h1:
      return "H1 is accepted";
  }
  return "";
}

std::string pairs_left_text(const std::optional<double>& pairs) {
  constexpr double countable = 1e7;  // beyond it the drift of the ratio is as good as none
  if (!pairs || !(*pairs >= 0.5)) return {};
  if (*pairs > countable) return "over 10 million more pairs";
  const auto count = std::llround(*pairs);
  return "about " + std::to_string(count) + (count == 1 ? " more pair" : " more pairs");
}

SprtReport sprt(const GameCounts& counts, const SprtParameters& parameters) {
  return parameters.model == EloModel::bayesian ? bayesian(counts, parameters) : generalized(distribution(counts), parameters);
}

SprtReport sprt(const PairCounts& counts, const SprtParameters& parameters) {
  if (parameters.model != EloModel::bayesian) return generalized(distribution(counts), parameters);
  const GameCounts games{2 * counts.win_win + counts.win_draw + counts.win_loss, counts.loss_draw + counts.win_draw + 2 * counts.draw_draw,
                         2 * counts.loss_loss + counts.loss_draw + counts.win_loss};
  return bayesian(games, parameters);
}

}  // namespace referee::stats
