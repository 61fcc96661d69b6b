// Sequential probability ratio test of two Elo hypotheses, generalised to any distribution of scores: the likelihoods are
// maximised over all distributions on the possible scores that have the hypothesis' mean (logistic) or its mean in
// deviations (normalised). BayesElo keeps that program's own model of wins, draws and losses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "referee/stats/results.hpp"

namespace referee::stats {

enum class EloModel { logistic, normalized, bayesian };
[[nodiscard]] std::optional<EloModel> parse_elo_model(std::string_view text) noexcept;
[[nodiscard]] std::string_view name(EloModel model) noexcept;

struct SprtParameters {
  EloModel model = EloModel::normalized;
  double elo0 = 0;
  double elo1 = 2;
  double alpha = 0.05;  // probability of accepting H1 when H0 holds
  double beta = 0.05;   // probability of accepting H0 when H1 holds
};

enum class SprtState { undecided, accept_h0, accept_h1 };
[[nodiscard]] std::string_view name(SprtState state) noexcept;  // "continue" "accept_h0" "accept_h1"

[[nodiscard]] std::string_view words(SprtState state) noexcept;  // for people: "undecided" "H0 is accepted" "H1 is accepted"

struct SprtReport {
  double llr = 0;
  double lower = 0;  // log(beta / (1 - alpha)): at or below, H0
  double upper = 0;  // log((1 - beta) / alpha): at or above, H1
  SprtState state = SprtState::undecided;
  /// The ratio moves in steps and ends beyond a bound on average; with these bounds the risks would be what was asked for, with the
  /// plain ones they are smaller. nullopt before any trial.
  std::optional<double> lower_corrected, upper_corrected;
  std::optional<double> expected_trials_left;  // pairs (or games) if play goes on as it went; nullopt before any
};

/// "about 1200 more pairs", "over 10 million more pairs"; empty when nothing is left or nothing can be told.
[[nodiscard]] std::string pairs_left_text(const std::optional<double>& pairs);

/// Needs elo0 < elo1, 0 < alpha, beta < 0.5. An outcome that has not been seen counts as a thousandth of one, so the ratio stays finite.
[[nodiscard]] SprtReport sprt(const GameCounts& counts, const SprtParameters& parameters);
/// The BayesElo model knows games only: the pairs are taken apart (needs level_pairs_told_apart).
[[nodiscard]] SprtReport sprt(const PairCounts& counts, const SprtParameters& parameters);

}  // namespace referee::stats
