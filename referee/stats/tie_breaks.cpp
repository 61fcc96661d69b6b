#include "referee/stats/tie_breaks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace referee::stats {

namespace {

constexpr int whole = 100;

constexpr std::array<std::pair<TieBreak, std::string_view>, 7> tie_break_names{{{TieBreak::direct_encounter, "direct-encounter"},
                                                                                {TieBreak::wins, "wins"},
                                                                                {TieBreak::black_wins, "black-wins"},
                                                                                {TieBreak::sonneborn_berger, "sonneborn-berger"},
                                                                                {TieBreak::buchholz, "buchholz"},
                                                                                {TieBreak::buchholz_cut_1, "buchholz-cut-1"},
                                                                                {TieBreak::koya, "koya"}}};

void count_games(const Tournament& tournament, std::vector<TieBreaks>& out) {
  const auto side = [&](PlayerId player, int own, int other) {
    TieBreaks& row = out[player];
    ++row.games;
    row.points += own;
    if (own == other)
      ++(own == 0 ? row.losses : row.draws);  // both may have lost
    else
      ++(own > other ? row.wins : row.losses);
  };
  for (const TournamentGame& game : tournament.games) {
    side(game.white, game.white_points, game.black_points);
    side(game.black, game.black_points, game.white_points);
    ++out[game.black].black_games;
    if (game.black_points > game.white_points) ++out[game.black].black_wins;
  }
  for (const Bye& bye : tournament.byes) {
    out[bye.player].points += bye.points;
    out[bye.player].unplayed += bye.games;
  }
}

void add_buchholz(const Tournament& tournament, std::vector<TieBreaks>& out) {
  std::vector<std::vector<int>> opponents(out.size());  // their points, each once a round
  std::set<std::pair<int, std::pair<PlayerId, PlayerId>>> met;
  for (const TournamentGame& game : tournament.games) {
    if (!met.insert({game.round, std::minmax(game.white, game.black)}).second) continue;
    opponents[game.white].push_back(out[game.black].points);
    opponents[game.black].push_back(out[game.white].points);
  }
  std::set<std::pair<int, PlayerId>> played;
  for (const TournamentGame& game : tournament.games) played.insert({{game.round, game.white}, {game.round, game.black}});
  for (const Bye& bye : tournament.byes) {  // a walkover in the middle of an encounter has its opponent already
    if (!played.contains({bye.round, bye.player})) opponents[bye.player].push_back(out[bye.player].points);
  }
  for (std::size_t player = 0; player < out.size(); ++player) {
    const std::vector<int>& points = opponents[player];
    out[player].buchholz = std::accumulate(points.begin(), points.end(), 0);
    out[player].buchholz_cut_1 = points.empty() ? 0 : out[player].buchholz - *std::min_element(points.begin(), points.end());
  }
}

using Group = std::vector<PlayerId>;

/// The group in order of a value, in parts of equals, best first.
template <class Value>
[[nodiscard]] std::vector<Group> parts_by(Group group, Value value) {
  std::stable_sort(group.begin(), group.end(), [&](PlayerId a, PlayerId b) { return value(a) > value(b); });
  std::vector<Group> parts;
  for (const PlayerId player : group) {
    if (parts.empty() || value(parts.back().front()) != value(player)) parts.emplace_back();
    parts.back().push_back(player);
  }
  return parts;
}

class Ranking {
 public:
  Ranking(const Tournament& tournament, const std::vector<TieBreak>& order)
      : tournament_(tournament), values_(tie_breaks(tournament)), order_(order) {
    for (const TournamentGame& game : tournament.games) {
      Encounter& encounter = encounters_[std::minmax(game.white, game.black)];
      ++encounter.games;
      encounter.low_points += game.white < game.black ? game.white_points : game.black_points;
      encounter.high_points += game.white < game.black ? game.black_points : game.white_points;
    }
  }

  [[nodiscard]] std::vector<Placing> rank(FirstBy first) const {
    if (first == FirstBy::rounds) return rank_by_rounds();
    Group all(values_.size());
    std::iota(all.begin(), all.end(), PlayerId{0});
    std::vector<Group> parts;
    if (first == FirstBy::share) {
      for (const Group& part : parts_by(all, [&](PlayerId p) { return values_[p].share(); })) {
        const std::vector<Group> finer = parts_by(part, [&](PlayerId p) { return values_[p].points; });
        parts.insert(parts.end(), finer.begin(), finer.end());
      }
    } else {
      parts = parts_by(all, [&](PlayerId p) { return values_[p].points; });
    }
    std::vector<Placing> out;
    for (const Group& part : parts) settle(part, 0, out);
    return out;
  }

 private:
  struct Encounter {
    int games = 0, low_points = 0, high_points = 0;
  };

  [[nodiscard]] std::vector<Placing> rank_by_rounds() const {
    std::vector<std::pair<int, int>> reached(values_.size(), {0, 0});  // last round, points in it
    const auto played = [&](PlayerId player, int round, int points) {
      auto& [last, there] = reached[player];
      if (round > last) there = 0;
      last = std::max(last, round);
      if (round == last) there += points;
    };
    for (const TournamentGame& game : tournament_.games) {
      played(game.white, game.round, game.white_points);
      played(game.black, game.round, game.black_points);
    }
    for (const Bye& bye : tournament_.byes) played(bye.player, bye.round, bye.points);
    Group all(values_.size());
    std::iota(all.begin(), all.end(), PlayerId{0});
    std::vector<Group> parts = parts_by(all, [&](PlayerId p) { return reached[p].first; });
    // Two are left in the final: one of them has won it.
    if (!parts.empty() && parts.front().size() == 2) {
      const std::vector<Group> finalists = parts_by(parts.front(), [&](PlayerId p) { return reached[p].second; });
      parts.erase(parts.begin());
      parts.insert(parts.begin(), finalists.begin(), finalists.end());
    }
    std::vector<Placing> out;
    for (const Group& part : parts) {
      const int rank = static_cast<int>(out.size()) + 1;
      for (const PlayerId player : part) out.push_back({player, rank});
    }
    return out;
  }

  void settle(const Group& group, std::size_t next, std::vector<Placing>& out) const {
    if (group.size() == 1 || next == order_.size()) {
      const int rank = static_cast<int>(out.size()) + 1;
      for (const PlayerId player : group) out.push_back({player, rank});
      return;
    }
    for (const Group& part : split(group, order_[next])) {
      // Those whom the direct encounter of more players left level may be told apart by their own.
      const bool again = order_[next] == TieBreak::direct_encounter && part.size() < group.size();
      settle(part, again ? next : next + 1, out);
    }
  }

  [[nodiscard]] std::vector<Group> split(const Group& group, TieBreak by) const {
    const auto parts = [&](auto value) { return parts_by(group, value); };
    switch (by) {
      case TieBreak::direct_encounter:
        return by_encounter(group);
      case TieBreak::wins:
        return parts([&](PlayerId p) { return values_[p].wins; });
      case TieBreak::black_wins:
        return parts([&](PlayerId p) { return values_[p].black_wins; });
      case TieBreak::sonneborn_berger:
        return parts([&](PlayerId p) { return values_[p].sonneborn_berger; });
      case TieBreak::buchholz:
        return parts([&](PlayerId p) { return values_[p].buchholz; });
      case TieBreak::buchholz_cut_1:
        return parts([&](PlayerId p) { return values_[p].buchholz_cut_1; });
      case TieBreak::koya:
        return parts([&](PlayerId p) { return values_[p].koya; });
    }
    return {group};
  }

  /// Points among the tied players. Where some of them have not met, only who stays ahead however those games had gone is placed.
  [[nodiscard]] std::vector<Group> by_encounter(Group group) const {
    std::vector<Group> out;
    for (;;) {
      std::map<PlayerId, int> points;
      std::map<PlayerId, int> missing;
      int most_games = 0;
      bool all_met = true;
      for (const PlayerId a : group)
        for (const PlayerId b : group)
          if (a < b) most_games = std::max(most_games, games_of(a, b).games);
      for (const PlayerId a : group) {
        for (const PlayerId b : group) {
          if (a >= b) continue;
          const Encounter encounter = games_of(a, b);
          points[a] += encounter.low_points;
          points[b] += encounter.high_points;
          missing[a] += most_games - encounter.games;
          missing[b] += most_games - encounter.games;
          all_met = all_met && encounter.games == most_games;
        }
      }
      if (most_games == 0) break;
      if (all_met) {
        const std::vector<Group> parts = parts_by(group, [&](PlayerId p) { return points[p]; });
        out.insert(out.end(), parts.begin(), parts.end());
        return out;
      }
      const auto ahead = std::find_if(group.begin(), group.end(), [&](PlayerId p) {
        return std::all_of(group.begin(), group.end(), [&](PlayerId q) { return p == q || points[p] > points[q] + whole * missing[q]; });
      });
      if (ahead == group.end()) break;
      out.push_back({*ahead});
      group.erase(ahead);
      if (group.size() == 1) break;
    }
    out.push_back(group);
    return out;
  }

  [[nodiscard]] Encounter games_of(PlayerId a, PlayerId b) const {
    const auto found = encounters_.find(std::minmax(a, b));
    return found == encounters_.end() ? Encounter{} : found->second;
  }

  const Tournament& tournament_;
  std::vector<TieBreaks> values_;
  const std::vector<TieBreak>& order_;
  std::map<std::pair<PlayerId, PlayerId>, Encounter> encounters_;
};

}  // namespace

double TieBreaks::share() const noexcept { return games + unplayed == 0 ? points / 100.0 : points / (100.0 * (games + unplayed)); }

std::vector<TieBreaks> tie_breaks(const Tournament& tournament) {
  std::vector<TieBreaks> out(tournament.players);
  count_games(tournament, out);
  std::vector<int> rounds(tournament.players, 0);  // what could be scored, in whole points
  for (std::size_t player = 0; player < out.size(); ++player) rounds[player] = out[player].games + out[player].unplayed;
  const auto strong = [&](PlayerId player) { return 2 * out[player].points >= whole * rounds[player]; };
  for (const TournamentGame& game : tournament.games) {
    out[game.white].sonneborn_berger += std::int64_t{out[game.black].points} * game.white_points;
    out[game.black].sonneborn_berger += std::int64_t{out[game.white].points} * game.black_points;
    if (strong(game.black)) out[game.white].koya += game.white_points;
    if (strong(game.white)) out[game.black].koya += game.black_points;
  }
  for (const Bye& bye : tournament.byes) out[bye.player].sonneborn_berger += std::int64_t{out[bye.player].points} * bye.points;
  add_buchholz(tournament, out);
  return out;
}

std::optional<TieBreak> parse_tie_break(std::string_view text) noexcept {
  for (const auto& [value, word] : tie_break_names)
    if (word == text) return value;
  return std::nullopt;
}

std::string_view name(TieBreak tie_break) noexcept {
  for (const auto& [value, word] : tie_break_names)
    if (value == tie_break) return word;
  return "";
}

std::vector<Placing> final_order(const Tournament& tournament, const std::vector<TieBreak>& order, FirstBy first) {
  return Ranking(tournament, order).rank(first);
}

}  // namespace referee::stats
