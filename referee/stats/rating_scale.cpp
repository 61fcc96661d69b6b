#include "referee/stats/rating_scale.hpp"

#include <cmath>
#include <numbers>

namespace referee::stats {

namespace {

constexpr double elo_per_logit = 400 / std::numbers::ln10;
constexpr std::int64_t fewest_pairs = 30;  // below that their scatter says nothing

/// Uniform in [0, 1), the same numbers everywhere: SplitMix64 (Steele, Lea, Flood 2014).
class Uniform {
 public:
  /// Scrambled, or the streams of neighbouring seeds would be one stream shifted.
  explicit Uniform(std::uint64_t seed) noexcept : state_(scrambled(scrambled(seed + 1) + seed)) {}
  [[nodiscard]] double next() noexcept {
    state_ += 0x9e3779b97f4a7c15ULL;
    return static_cast<double>(scrambled(state_) >> 11U) * 0x1p-53;
  }

 private:
  [[nodiscard]] static std::uint64_t scrambled(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

[[nodiscard]] double logistic(double d) noexcept { return 1 / (1 + std::exp(-d)); }

constexpr std::array<double, 3> white_score{1.0, 0.5, 0.0};  // by GameResult

}  // namespace

double points_per_unit(RatingModel model, double draw_weight) noexcept {
  if (model == RatingModel::ordo) return 202 / std::log(0.76 / 0.24);
  if (model == RatingModel::bradley_terry) return elo_per_logit;
  // Slope of the expected score at equality: 1 / (2 (2 + nu)), against 1/4 of Elo's curve.
  return elo_per_logit * 2 / (2 + draw_weight);
}

Chances chances(DrawModel model, double d, double draw_weight) noexcept {
  return model == DrawModel::davidson ? davidson_chances(d, draw_weight) : chances_of_score(logistic(d), draw_weight);
}

double draw_weight_of_games(const FitProblem& problem, const Fit& fit) {
  double drawn = 0;
  for (const Bout& bout : problem.bouts) drawn += bout.draws;
  if (drawn <= 0) return 0;
  double low = 0;
  double high = 1e6;
  for (int i = 0; i < 60; ++i) {
    const double middle = i < 8 ? std::pow(10.0, 6 - i) / 2 : (low + high) / 2;  // the weight is mostly near 1
    if (middle <= low || middle >= high) continue;
    double expected = 0;
    for (const Bout& bout : problem.bouts) {
      const double d = fit.strengths[bout.white] - fit.strengths[bout.black] + fit.white_advantage;
      expected += bout.games() * chances_of_score(logistic(d), middle).draw;
    }
    (expected < drawn ? low : high) = middle;
    if (high - low < 1e-7 * high) break;
  }
  return (low + high) / 2;
}

Dispersion dispersion(const std::vector<const Meeting*>& meetings, const std::vector<PlayerId>& place, DrawModel model, const Fit& fit) {
  double single = 0;
  double single_expected = 0;
  double paired = 0;
  double paired_expected = 0;
  std::int64_t pairs = 0;
  for (const Meeting* m : meetings) {
    const double difference = fit.strengths[place[m->first]] - fit.strengths[place[m->second]];
    // With half wins the model knows no draws: its variance is that of wins and losses.
    const double nu = model == DrawModel::davidson ? fit.draw_weight : 0;
    const Chances own = chances(model, difference + fit.white_advantage, nu);     // `first` has White
    const Chances other = chances(model, -difference + fit.white_advantage, nu);  // `second` has White
    for (std::size_t r = 0; r < 3; ++r) {
      const auto add = [&](double count, const Chances& c) {
        const double off = white_score[r] - c.score();
        single += count * off * off;
        single_expected += count * c.variance();
      };
      add(m->first_white[r], own);
      add(m->second_white[r], other);
    }
    for (std::size_t r = 0; r < 9; ++r) {
      if (m->pairs[r] == 0) continue;
      const double off = (white_score[r / 3] - own.score()) - (white_score[r % 3] - other.score());
      paired += m->pairs[r] * off * off;
      paired_expected += m->pairs[r] * (own.variance() + other.variance());
      pairs += m->pairs[r];
    }
  }
  Dispersion out;
  if (model == DrawModel::half_wins && single_expected > 0) out.games = single / single_expected;
  if (pairs >= fewest_pairs && paired_expected > 0) out.pairs = paired / paired_expected;
  return out;
}

void simulate(std::vector<Bout>& bouts, const std::vector<Bout>& played, DrawModel model, const Fit& fit, std::uint64_t seed) {
  Uniform chance(seed);
  bouts = played;
  for (Bout& bout : bouts) {
    const double d = fit.strengths[bout.white] - fit.strengths[bout.black] + fit.white_advantage;
    const Chances c = chances(model, d, fit.draw_weight);
    const auto games = static_cast<std::int64_t>(std::llround(bout.games()));
    bout.wins = bout.draws = bout.losses = 0;
    for (std::int64_t i = 0; i < games; ++i) {
      const double x = chance.next();
      (x < c.win ? bout.wins : x < c.win + c.draw ? bout.draws : bout.losses) += 1;
    }
  }
}

}  // namespace referee::stats
