#include "referee/match/sprt_tracker.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "referee/stats/elo.hpp"

namespace referee::match {

namespace {

/// What a game brought: 0 a loss, 1 a draw, 2 a win. Scores that the Laws leave uneven (1/2-0) go by who has more than a draw brings.
int kind_of(int points) { return points > game::draw.white ? 2 : points == game::draw.white ? 1 : 0; }

}  // namespace

stats::SprtParameters parameters_of(const config::Sprt& sprt) {
  stats::SprtParameters parameters;
  parameters.model = stats::parse_elo_model(sprt.model).value_or(stats::EloModel::normalized);
  parameters.elo0 = sprt.elo0;
  parameters.elo1 = sprt.elo1;
  parameters.alpha = sprt.alpha;
  parameters.beta = sprt.beta;
  return parameters;
}

SprtTracker::SprtTracker(const config::Sprt& sprt) : parameters_(parameters_of(sprt)), report_(stats::sprt(counts_, parameters_)) {}

bool SprtTracker::set(const record::GameRow& row, const std::string& first) {
  if (!row.counts()) return false;
  return set(row.game, row.white == first ? row.outcome->score.white : row.outcome->score.black);
}

bool SprtTracker::set(int number, int points_of_first) {
  if (decided() || (number + 1) / 2 <= pairs_) return false;
  waiting_[number] = points_of_first;
  const int before = pairs_;
  while (!decided()) {
    const auto first = waiting_.find(2 * pairs_ + 1);
    const auto second = waiting_.find(2 * pairs_ + 2);
    if (first == waiting_.end() || second == waiting_.end()) break;
    ++pairs_;
    add_pair(counts_, first->second, second->second);
    report_ = stats::sprt(counts_, parameters_);
    waiting_.erase(waiting_.begin(), std::next(second));
  }
  return pairs_ > before;
}

void add_pair(stats::PairCounts& counts, int one, int other) {
  const int low = std::min(kind_of(one), kind_of(other));
  const int high = std::max(kind_of(one), kind_of(other));
  if (low == 0)
    ++(high == 0 ? counts.loss_loss : high == 1 ? counts.loss_draw : counts.win_loss);
  else if (low == 1)
    ++(high == 1 ? counts.draw_draw : counts.win_draw);
  else
    ++counts.win_win;
}

std::string to_text(const SprtTracker& test) {
  const stats::SprtReport& report = test.report();
  const stats::SprtParameters& parameters = test.parameters();
  std::array<char, 200> text{};
  const std::string_view model = stats::name(parameters.model);
  (void)std::snprintf(text.data(), text.size(), "LLR %.2f (%.2f, %.2f) for %.*s Elo [%g, %g] after %d %s: ", report.llr, report.lower,
                      report.upper, static_cast<int>(model.size()), model.data(), parameters.elo0, parameters.elo1, test.pairs(),
                      test.pairs() == 1 ? "pair" : "pairs");
  std::string out = text.data();
  out += stats::words(report.state);
  if (test.decided() || test.pairs() == 0) return out;
  const std::string left = stats::pairs_left_text(report.expected_trials_left);
  return left.empty() ? out : out + ", " + left;
}

std::string elo_text(const stats::PairCounts& counts) {
  if (counts.pairs() == 0) return {};
  const stats::EloReport report = stats::elo_report(counts);
  std::array<char, 200> text{};
  std::string out = "Elo " + stats::to_text(report.elo, 1);
  if (report.los) {
    (void)std::snprintf(text.data(), text.size(), ", LOS %.1f%%", 100 * *report.los);
    out += text.data();
  }
  out.append(", ").append(std::to_string(counts.pairs())).append(counts.pairs() == 1 ? " pair" : " pairs");
  out.append(" (LL ").append(std::to_string(counts.loss_loss)).append(", LD ").append(std::to_string(counts.loss_draw));
  out.append(", WL+DD ").append(std::to_string(counts.win_loss + counts.draw_draw));
  out.append(", WD ").append(std::to_string(counts.win_draw)).append(", WW ").append(std::to_string(counts.win_win)).append(")");
  return out;
}

}  // namespace referee::match
