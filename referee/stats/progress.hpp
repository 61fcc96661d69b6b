// How a match went: Elo and log likelihood ratio after each game or pair, for charts and pages. A sequence starts at 0 games.
#pragma once

#include <vector>

#include "referee/stats/elo.hpp"
#include "referee/stats/sprt.hpp"

namespace referee::stats {

/// What one trial brought the first player: a game, or a pair of games.
enum class Trial { loss, draw, win, loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win };
[[nodiscard]] constexpr bool is_pair(Trial trial) noexcept { return trial >= Trial::loss_loss; }
/// The pair of two games, in either order; needs single games.
[[nodiscard]] Trial pair_of(Trial a, Trial b) noexcept;
void add(GameCounts& counts, Trial game) noexcept;
void add(PairCounts& counts, Trial pair) noexcept;

struct ProgressPoint {
  std::int64_t games = 0;
  std::optional<double> elo, low, high;  // 95 %; nullopt while not finite
  std::optional<double> llr;             // when SPRT parameters were given
};
/// `trials`: all games or all pairs, in order. At most `points` (>= 2) of them are looked at, evenly spread, the last one always.
[[nodiscard]] std::vector<ProgressPoint> progress(const std::vector<Trial>& trials, const std::optional<SprtParameters>& sprt,
                                                  std::size_t points = 400);
/// Index + 1 of the first trial after which the test was decided, and how; nullopt while it is not. Exact, trial by trial.
struct Decision {
  std::size_t trials = 0;
  SprtReport report;
};
[[nodiscard]] std::optional<Decision> first_decision(const std::vector<Trial>& trials, const SprtParameters& parameters);

}  // namespace referee::stats
