// A rating list: strengths in rating points, with error bars, for everybody whom the games make comparable.
//
// Rating points. Elo's formula says what a difference is worth: 400 points are odds of 10 to 1 in expected score. Under Davidson's model
// the expected score of a difference depends on the draw rate as well; the scale is chosen so that near equality a point is worth what it
// is in Elo's formula. `ordo` is the method of the program Ordo (Ballicora 2015): a draw is half a win, 202 points are 76 %, the average is
// 2300, White has no advantage unless told, and who won all games gets the rating at which that was as likely as not.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "referee/stats/elo.hpp"
#include "referee/stats/meetings.hpp"

namespace referee::stats {

enum class RatingModel { davidson, bradley_terry, ordo };
[[nodiscard]] std::optional<RatingModel> parse_rating_model(std::string_view text) noexcept;  // "davidson" "bradley-terry" "ordo"

struct RatingOptions {
  RatingModel model = RatingModel::davidson;
  double average = 2300;                                      // of the players with a finite rating, group by group, unless anchors fix it
  std::vector<std::pair<PlayerId, double>> anchors;           // players whose rating is given
  std::optional<double> white_advantage;                      // points; nullopt = estimated
  std::optional<double> draw_rate;                            // between equals, 0 <= rate < 1; nullopt = estimated
  double prior_draws = 0;                                     // imagined draws of each player, spread over those he met as his games are
  enum class Errors { games, pairs } errors = Errors::pairs;  // pairs: as far as games are known to be pairs
  int simulations = 0;                                        // above 0: errors from so many lists of simulated results
  std::uint64_t seed = 1;                                     // of the simulations; the threads do not matter
  int threads = 1;
};

struct RatedPlayer {
  std::optional<double> rating;  // nullopt: not finite, or nothing to compare with
  Bound bound = Bound::none;     // lower: won everything that counts here; upper: lost it
  std::optional<double>
      limit;  // with a bound: the rating at which that was as likely as not; opponents without one are taken at the average
  std::optional<double> error;  // half the 95 % interval: against the average, or against the only anchor
  std::uint32_t group = 0;      // 0 is the largest; ratings of different groups cannot be compared
  std::int64_t games = 0, wins = 0, draws = 0, losses = 0;
  std::uint32_t opponents = 0;
  std::optional<double> opponents_average;  // of their ratings or limits, weighted by games
  [[nodiscard]] double points() const noexcept { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
  [[nodiscard]] double score() const noexcept { return games == 0 ? 0 : points() / static_cast<double>(games); }
};

class RatingList {
 public:
  /// Needs: every id in `meetings` and `options` below `players`. `meetings` is looked at during construction only.
  RatingList(std::size_t players, const std::vector<Meeting>& meetings, const RatingOptions& options);
  ~RatingList();
  RatingList(RatingList&&) noexcept;
  RatingList& operator=(RatingList&&) noexcept;

  [[nodiscard]] const std::vector<RatedPlayer>& players() const noexcept;
  /// Strongest first, group by group; a bounded player stands where his limit puts him. Players without any rating come last.
  [[nodiscard]] const std::vector<PlayerId>& order() const noexcept;
  /// Of the largest group, in points. The error is nullopt when it was given.
  [[nodiscard]] Estimate white_advantage() const noexcept;
  [[nodiscard]] double draw_rate() const noexcept;  // between equals
  /// Number of groups with players of finite rating: with at least two of them, or one player whom nothing makes comparable with another.
  /// 0 where everybody won or lost everything against the others.
  [[nodiscard]] std::uint32_t groups() const noexcept;
  /// Variance of a pair's score by that of two independent games; nullopt when no pairs (or too few) were known.
  [[nodiscard]] std::optional<double> pair_dispersion() const noexcept;
  [[nodiscard]] bool converged() const noexcept;
  /// In some group no weaker player ever won, so that the draw rate between equals could not be estimated: it is the share of draws there.
  [[nodiscard]] bool assumed_draws() const noexcept;

  /// Probability that a is the stronger one (normal approximation); nullopt where the two cannot be compared.
  [[nodiscard]] std::optional<double> superiority(PlayerId a, PlayerId b) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Largest group for which the full matrix of covariances is made; above it errors are approximate and superiority() takes players for
/// independent.
inline constexpr std::size_t largest_exact_group = 4000;

}  // namespace referee::stats
