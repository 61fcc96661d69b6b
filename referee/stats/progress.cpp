#include "referee/stats/progress.hpp"

#include <algorithm>

namespace referee::stats {

Trial pair_of(Trial a, Trial b) noexcept {
  const Trial low = std::min(a, b);
  const Trial high = std::max(a, b);
  if (low == Trial::loss) return high == Trial::loss ? Trial::loss_loss : high == Trial::draw ? Trial::loss_draw : Trial::win_loss;
  if (low == Trial::draw) return high == Trial::draw ? Trial::draw_draw : Trial::win_draw;
  return Trial::win_win;
}

void add(GameCounts& counts, Trial game) noexcept {
  if (game == Trial::win) ++counts.wins;
  if (game == Trial::draw) ++counts.draws;
  if (game == Trial::loss) ++counts.losses;
}

void add(PairCounts& counts, Trial pair) noexcept {
  switch (pair) {
    case Trial::loss_loss:
      ++counts.loss_loss;
      break;
    case Trial::loss_draw:
      ++counts.loss_draw;
      break;
    case Trial::win_loss:
      ++counts.win_loss;
      break;
    case Trial::draw_draw:
      ++counts.draw_draw;
      break;
    case Trial::win_draw:
      ++counts.win_draw;
      break;
    case Trial::win_win:
      ++counts.win_win;
      break;
    case Trial::loss:
    case Trial::draw:
    case Trial::win:
      break;
  }
}

std::vector<ProgressPoint> progress(const std::vector<Trial>& trials, const std::optional<SprtParameters>& parameters, std::size_t points) {
  std::vector<ProgressPoint> out(1);
  if (parameters) out[0].llr = 0;
  GameCounts games;
  PairCounts pairs;
  const bool by_pairs = !trials.empty() && is_pair(trials.front());
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    add(games, trials[i]);
    add(pairs, trials[i]);
    // Evenly spread: the k-th look comes at the first trial that reaches its share.
    if ((i + 1) * points < (looked_at + 1) * trials.size()) continue;
    looked_at = (i + 1) * points / trials.size();
    const EloReport report = by_pairs ? elo_report(pairs) : elo_report(games);
    ProgressPoint point;
    point.games = report.games;
    if (report.elo.value && report.elo.error) {
      point.elo = report.elo.value;
      point.low = *report.elo.value - *report.elo.error;
      point.high = *report.elo.value + *report.elo.error;
    }
    if (parameters) point.llr = (by_pairs ? sprt(pairs, *parameters) : sprt(games, *parameters)).llr;
    out.push_back(point);
  }
  return out;
}

std::optional<Decision> first_decision(const std::vector<Trial>& trials, const SprtParameters& parameters) {
  GameCounts games;
  PairCounts pairs;
  const bool by_pairs = !trials.empty() && is_pair(trials.front());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    add(games, trials[i]);
    add(pairs, trials[i]);
    const SprtReport report = by_pairs ? sprt(pairs, parameters) : sprt(games, parameters);
    if (report.state != SprtState::undecided) return Decision{i + 1, report};
  }
  return std::nullopt;
}

}  // namespace referee::stats
