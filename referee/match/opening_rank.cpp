#include "referee/match/opening_rank.hpp"

#include <algorithm>

namespace referee::match {

const std::size_t* OpeningRanking::find(const chess::Position& position) const noexcept {
  const auto found = by_end_.find(position.key());
  return found == by_end_.end() ? nullptr : &found->second;
}

void OpeningRanking::add_game(std::size_t opening, const std::string& white, const std::string& black, double score) {
  Totals& totals = totals_[opening];
  ++totals.games;
  totals.white += score;
  totals.draws += score == 0.5 ? 1 : 0;
  const auto credit = [this](const std::string& engine, double points) {
    auto& [sum, games] = strength_[engine];
    sum += points;
    ++games;
  };
  credit(white, score);
  credit(black, 1 - score);

  const bool ordered = white < black;
  const std::string key = std::to_string(opening) + '\n' + (ordered ? white : black) + '\n' + (ordered ? black : white);
  std::vector<Half>& halves = waiting_[key];
  const auto other = std::find_if(halves.begin(), halves.end(), [&](const Half& half) { return half.white == black; });
  if (other == halves.end() || white == black) {
    halves.push_back({white, score});
    return;
  }
  pairs_.push_back({opening, black, white, other->score + 1 - score});
  halves.erase(other);
}

std::vector<OpeningWorth> OpeningRanking::ranked() const {
  constexpr double prior_pairs = 2;
  const auto mean_of = [this](const std::string& engine) {
    const auto& [sum, games] = strength_.at(engine);
    return sum / games;
  };
  std::unordered_map<std::size_t, OpeningWorth> worths;
  double all = 0;
  for (const Pair& pair : pairs_) {
    OpeningWorth& worth = worths[pair.opening];
    worth.opening = pair.opening;
    ++worth.pairs;
    const double above = pair.score - 1;
    if (above != 0) ++worth.decided;
    const double difference = mean_of(pair.first) - mean_of(pair.second);
    const double gain = difference > 0 ? above : difference < 0 ? -above : 0;
    worth.gain += gain;
    all += gain;
  }
  const double mean = pairs_.empty() ? 0 : all / static_cast<double>(pairs_.size());
  std::vector<OpeningWorth> ranked;
  for (auto& [opening, worth] : worths) {
    const Totals& totals = totals_.at(opening);
    worth.games = totals.games;
    worth.white = totals.white / totals.games;
    worth.draws = static_cast<double>(totals.draws) / totals.games;
    worth.worth = (worth.gain + prior_pairs * mean) / (worth.pairs + prior_pairs);
    worth.gain /= worth.pairs;
    ranked.push_back(worth);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const OpeningWorth& a, const OpeningWorth& b) { return a.worth != b.worth ? a.worth > b.worth : a.opening < b.opening; });
  return ranked;
}

}  // namespace referee::match
