#include "referee/match/swiss.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "referee/match/weighted_matching.hpp"

namespace referee::match {

using chess::Color;
using chess::opposite;

int SwissPlayer::colour_difference() const noexcept {
  int difference = 0;
  for (const Color colour : colours) difference += colour == Color::white ? 1 : -1;
  return difference;
}

ColourWish colour_wish(const SwissPlayer& player) noexcept {
  if (player.colours.empty()) return {};
  const Color last = player.colours.back();
  const std::size_t games = player.colours.size();
  const int difference = player.colour_difference();
  const Color balancing = difference > 0 ? Color::black : difference < 0 ? Color::white : opposite(last);
  if (std::abs(difference) > 1) return {Preference::absolute, balancing};
  if (games >= 2 && player.colours[games - 2] == last) return {Preference::absolute, opposite(last)};
  if (std::abs(difference) == 1) return {Preference::strong, balancing};
  return {Preference::mild, balancing};
}

bool is_topscorer(const SwissPlayer& player, const SwissRules& rules) noexcept {
  return rules.last_round && 2 * player.points > rules.most_points;
}

namespace {

__extension__ using Int128 = __int128;
using Int512 = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<512, 512, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;
using IntAny = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

/// What an edge is worth, criterion by criterion, the most important first. Counts are sums over the edges of a pairing.
using Criteria = std::vector<int>;

/// The criteria of all edges as numbers whose order is the lexicographic one of the sums.
class Edges {
 public:
  explicit Edges(std::size_t vertices) : vertices_(vertices) {}
  void add(std::size_t a, std::size_t b, Criteria criteria) { edges_.push_back({a, b, std::move(criteria)}); }

  [[nodiscard]] std::vector<std::size_t> best() const {
    std::size_t columns = 0;
    for (const Edge& edge : edges_) columns = std::max(columns, edge.criteria.size());
    // Sums of two pairings differ by less than vertices * the largest entry of a column.
    std::vector<std::int64_t> radix(columns, 0);
    for (const Edge& edge : edges_) {
      for (std::size_t c = 0; c < edge.criteria.size(); ++c) radix[c] = std::max<std::int64_t>(radix[c], std::abs(edge.criteria[c]));
    }
    std::size_t bits = 4;
    for (std::int64_t& r : radix) {
      if (r == 0) continue;
      r = 2 * r * static_cast<std::int64_t>(vertices_) + 2;
      for (std::int64_t rest = r; rest > 0; rest /= 2) ++bits;
    }
    if (bits < 120) return solve<Int128>(radix);
    if (bits < 500) return solve<Int512>(radix);
    return solve<IntAny>(radix);
  }

 private:
  struct Edge {
    std::size_t a, b;
    Criteria criteria;
  };

  template <class Weight>
  [[nodiscard]] std::vector<std::size_t> solve(const std::vector<std::int64_t>& radix) const {
    WeightedMatching<Weight> matching(vertices_);
    for (const Edge& edge : edges_) {
      Weight weight(0);
      for (std::size_t c = 0; c < radix.size(); ++c) {
        if (radix[c] == 0) continue;
        weight = weight * Weight(radix[c]) + Weight(c < edge.criteria.size() ? edge.criteria[c] : 0);
      }
      matching.add_edge(edge.a, edge.b, weight);
    }
    return matching.solve();
  }

  std::size_t vertices_;
  std::vector<Edge> edges_;
};

/// Who of two gets White (E).
std::pair<std::size_t, std::size_t> with_colours(const std::vector<SwissPlayer>& players, const SwissRules& rules, std::size_t a,
                                                 std::size_t b) {
  const SwissPlayer& one = players[a];
  const SwissPlayer& two = players[b];
  const ColourWish first = colour_wish(one);
  const ColourWish second = colour_wish(two);
  const auto give = [&](std::size_t player, Color colour) {
    const std::size_t other = player == a ? b : a;
    return colour == Color::white ? std::pair{player, other} : std::pair{other, player};
  };
  const bool a_is_higher = one.points != two.points ? one.points > two.points : a < b;
  const std::size_t higher = a_is_higher ? a : b;
  if (first.strength != Preference::none && second.strength != Preference::none) {
    if (first.colour != second.colour) return give(a, first.colour);  // E.1
    if (first.strength != second.strength) {                          // E.2
      return first.strength > second.strength ? give(a, first.colour) : give(b, second.colour);
    }
    if (first.strength == Preference::absolute) {
      const int wide = std::abs(one.colour_difference());
      const int other = std::abs(two.colour_difference());
      if (wide != other) return wide > other ? give(a, first.colour) : give(b, second.colour);
    }
    // E.3: alternate to the most recent time one had White and the other Black.
    for (std::size_t back = 1; back <= std::min(one.colours.size(), two.colours.size()); ++back) {
      const Color then = one.colours[one.colours.size() - back];
      if (then != two.colours[two.colours.size() - back]) return give(a, opposite(then));
    }
    return give(higher, first.colour);  // E.4
  }
  if (first.strength != Preference::none) return give(a, first.colour);
  if (second.strength != Preference::none) return give(b, second.colour);
  return give(higher, higher % 2 == 0 ? rules.first_colour : opposite(rules.first_colour));  // E.5
}

class RoundPairing {
 public:
  RoundPairing(const std::vector<SwissPlayer>& players, const SwissRules& rules) : players_(players), rules_(rules) {
    for (std::size_t p = 0; p < players.size(); ++p) {
      if (players[p].present) left_.push_back(p);
    }
    std::ranges::stable_sort(left_, std::greater<>{}, [&players](std::size_t p) { return players[p].points; });
    odd_ = left_.size() % 2 == 1;
  }

  SwissRound pair() {
    SwissRound round;
    std::vector<std::size_t> floating;  // moved down from above
    std::size_t paired = 0;
    while (!left_.empty()) {
      if (!pair_bracket(round, floating)) return {.pairs = {}, .bye = std::nullopt, .possible = false};
      if (round.pairs.size() + (round.bye ? 1U : 0U) == paired && floating.size() == left_.size()) break;  // cannot be: all edges were seen
      paired = round.pairs.size() + (round.bye ? 1U : 0U);
    }
    if (!left_.empty()) return {.pairs = {}, .bye = std::nullopt, .possible = false};
    for (auto& [white, black] : round.pairs) std::tie(white, black) = with_colours(players_, rules_, white, black);
    const auto board = [this](const std::pair<std::size_t, std::size_t>& game) {
      const auto key = [this](std::size_t p) { return std::pair{-players_[p].points, p}; };
      const auto one = key(game.first);
      const auto two = key(game.second);
      const auto& low = std::min(one, two);
      const auto& high = std::max(one, two);
      return std::tuple{low.first, low.first + high.first, low.second};
    };
    std::ranges::sort(round.pairs, {}, board);
    return round;
  }

 private:
  [[nodiscard]] bool may_meet(std::size_t a, std::size_t b) const {
    if (std::ranges::find(players_[a].opponents, b) != players_[a].opponents.end()) return false;  // C1
    const ColourWish one = colour_wish(players_[a]);
    const ColourWish two = colour_wish(players_[b]);
    const bool clash = one.strength == Preference::absolute && two.strength == Preference::absolute && one.colour == two.colour;
    return !clash || is_topscorer(players_[a], rules_) || is_topscorer(players_[b], rules_);  // C3
  }

  /// Everything about the bracket on top of `left_`: who moved down, who is at home there, who comes next.
  struct Bracket {
    std::vector<std::size_t> moved, residents;
    std::set<std::size_t> in, next;  // in: moved and residents; next: the scoregroup below
    int lowest = 0;                  // score of the residents
    int next_score = 0;
    std::vector<int> differences;  // of scores that a pair or a downfloat can have, greatest first
  };

  [[nodiscard]] Bracket top_bracket(const std::vector<std::size_t>& floating) const {
    Bracket bracket;
    bracket.moved = floating;
    std::vector<std::size_t> home;
    for (const std::size_t p : left_) {
      if (std::ranges::find(floating, p) == floating.end()) home.push_back(p);
    }
    if (!home.empty())
      bracket.lowest = players_[home.front()].points;
    else
      bracket.lowest = players_[floating.back()].points;
    for (const std::size_t p : home) {
      if (players_[p].points == bracket.lowest)
        bracket.residents.push_back(p);
      else if (bracket.next.empty() || players_[p].points == bracket.next_score) {
        bracket.next_score = players_[p].points;
        bracket.next.insert(p);
      }
    }
    bracket.in.insert(floating.begin(), floating.end());
    bracket.in.insert(bracket.residents.begin(), bracket.residents.end());
    std::set<int, std::greater<>> differences;
    for (const std::size_t p : left_) {
      for (const int below : {bracket.lowest, bracket.lowest - rules_.win, bracket.next_score, bracket.next_score - rules_.win}) {
        if (players_[p].points > below) differences.insert(players_[p].points - below);
      }
    }
    bracket.differences.assign(differences.begin(), differences.end());
    return bracket;
  }

  [[nodiscard]] int difference(std::size_t a, std::size_t b) const { return std::abs(players_[a].points - players_[b].points); }
  [[nodiscard]] std::size_t lower_of(std::size_t a, std::size_t b) const { return players_[a].points < players_[b].points ? a : b; }

  [[nodiscard]] static bool pairs_in(const Bracket& bracket, std::size_t a, std::size_t b) {
    if (!bracket.in.contains(a) || !bracket.in.contains(b)) return false;
    const auto moved = [&bracket](std::size_t p) { return std::ranges::find(bracket.moved, p) != bracket.moved.end(); };
    return bracket.residents.empty() || !moved(a) || !moved(b);
  }

  /// Columns of a list of score differences: the fewer of the greatest, the better.
  void count_difference(Criteria& out, const Bracket& bracket, const std::vector<int>& found) const {
    for (const int value : bracket.differences) out.push_back(-static_cast<int>(std::ranges::count(found, value)));
  }

  /// The quality of pairing a with b, or of a with the bye (b == nobody).
  [[nodiscard]] Criteria quality(const Bracket& bracket, std::size_t a, std::size_t b) const {
    Criteria out{1};  // the round is completed (C4)
    const bool bye = b == nobody;
    const bool inside = !bye && pairs_in(bracket, a, b);
    std::vector<std::size_t> down;  // players of the bracket that leave it
    for (const std::size_t p : {a, b}) {
      if (p != nobody && !inside && bracket.in.contains(p)) down.push_back(p);
    }
    out.push_back(inside ? 1 : 0);  // C5
    std::vector<int> differences;
    if (inside && difference(a, b) > 0) differences.push_back(difference(a, b));
    for (const std::size_t p : down) differences.push_back(players_[p].points - (bracket.lowest - rules_.win));
    count_difference(out, bracket, differences);  // C6
    const auto in_next = [&bracket](std::size_t p) { return p != nobody && bracket.next.contains(p); };
    const bool next_pair =
        !bye && !inside && (in_next(a) || in_next(b)) && (in_next(a) || bracket.in.contains(a)) && (in_next(b) || bracket.in.contains(b));
    out.push_back(next_pair ? 1 : 0);  // C7: pairs in the following bracket, then their differences
    differences.clear();
    if (next_pair && difference(a, b) > 0) differences.push_back(difference(a, b));
    for (const std::size_t p : {a, b}) {
      if (p != nobody && !inside && !next_pair && (bracket.in.contains(p) || in_next(p)) && !bracket.next.empty())
        differences.push_back(players_[p].points - (bracket.next_score - rules_.win));
    }
    count_difference(out, bracket, differences);
    int over_two = 0, third_time = 0, denied = 0, strongly_denied = 0;
    if (inside) count_colours(a, b, over_two, third_time, denied, strongly_denied);
    for (const int cost : {over_two, third_time, denied, strongly_denied}) out.push_back(-cost);  // C8 to C11
    count_floats(out, bracket, a, b, inside, down);                                               // C12 to C19
    return out;
  }

  void count_colours(std::size_t a, std::size_t b, int& over_two, int& third_time, int& denied, int& strongly_denied) const {
    const auto [white, black] = with_colours(players_, rules_, a, b);
    const bool top = is_topscorer(players_[a], rules_) || is_topscorer(players_[b], rules_);
    for (const std::size_t p : {white, black}) {
      const SwissPlayer& player = players_[p];
      const Color colour = p == white ? Color::white : Color::black;
      const std::size_t games = player.colours.size();
      if (top && std::abs(player.colour_difference() + (colour == Color::white ? 1 : -1)) > 2) ++over_two;
      if (top && games >= 2 && player.colours[games - 1] == colour && player.colours[games - 2] == colour) ++third_time;
      const ColourWish wish = colour_wish(player);
      if (wish.strength == Preference::none || wish.colour == colour) continue;
      ++denied;
      if (wish.strength >= Preference::strong) ++strongly_denied;
    }
  }

  void count_floats(Criteria& out, const Bracket& bracket, std::size_t a, std::size_t b, bool inside,
                    const std::vector<std::size_t>& down) const {
    std::array<int, 4> counts{};              // C12 C13 C14 C15
    std::array<std::vector<int>, 4> by_size;  // C16 C17 C18 C19
    for (const std::size_t round : {0U, 1U}) {
      for (const std::size_t p : down) {
        if (players_[p].floats[round] != Float::down) continue;
        ++counts[2 * round];
        by_size[2 * round].push_back(players_[p].points - (bracket.lowest - rules_.win));
      }
      if (!inside || difference(a, b) == 0) continue;
      const std::size_t lower = lower_of(a, b);
      const std::size_t upper = lower == a ? b : a;
      if (players_[upper].floats[round] == Float::down) by_size[2 * round].push_back(difference(a, b));
      if (players_[lower].floats[round] == Float::up) {
        ++counts[2 * round + 1];
        by_size[2 * round + 1].push_back(difference(a, b));
      }
    }
    for (const int count : counts) out.push_back(-count);
    for (const auto& sizes : by_size) count_difference(out, bracket, sizes);
  }

  /// The partner of each of `left_` (and of the bye, behind them) in the best pairing; `order` adds the criteria behind quality, and may
  /// forbid an edge.
  using Order = std::function<bool(Criteria& out, std::size_t a, std::size_t b)>;
  [[nodiscard]] std::map<std::size_t, std::size_t> best(const Bracket& bracket, const Order& order) const {
    const std::size_t count = left_.size();
    Edges edges(count + (odd_ ? 1 : 0));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if (!may_meet(left_[i], left_[j])) continue;
        Criteria criteria = quality(bracket, left_[i], left_[j]);
        if (order(criteria, left_[i], left_[j])) edges.add(i, j, std::move(criteria));
      }
      if (!odd_ || !players_[left_[i]].may_have_bye) continue;  // C2
      Criteria criteria = quality(bracket, left_[i], nobody);
      if (order(criteria, left_[i], nobody)) edges.add(i, count, std::move(criteria));
    }
    const std::vector<std::size_t> partner = edges.best();
    std::map<std::size_t, std::size_t> out;
    for (std::size_t i = 0; i < count; ++i) {
      if (partner[i] == i) return {};  // the round cannot be completed
      out[left_[i]] = partner[i] == count ? nobody : left_[partner[i]];
    }
    return out;
  }

  bool pair_bracket(SwissRound& round, std::vector<std::size_t>& floating) {
    const Bracket bracket = top_bracket(floating);
    const bool last = bracket.next.empty();
    std::map<std::size_t, std::size_t> fixed;  // pairs of those who moved down
    if (!bracket.moved.empty() && !bracket.residents.empty() && !pair_moved(bracket, fixed)) return false;

    // D.2: the remaining residents, their first half against the second, with as few and as small exchanges as possible.
    std::vector<std::size_t> rest;
    for (const std::size_t p : bracket.residents.empty() ? bracket.moved : bracket.residents) {
      if (!fixed.contains(p)) rest.push_back(p);
    }
    const auto holds = [&fixed, &bracket](std::size_t a, std::size_t b) {
      const auto is_fixed = [&](std::size_t p, std::size_t other) { return !fixed.contains(p) || fixed.at(p) == other; };
      const auto may_pair = [&](std::size_t p) { return fixed.contains(p) || std::ranges::find(bracket.moved, p) == bracket.moved.end(); };
      if (!is_fixed(a, b) || (b != nobody && !is_fixed(b, a))) return false;
      return b == nobody || bracket.residents.empty() || !pairs_in(bracket, a, b) || (may_pair(a) && may_pair(b));
    };
    const auto place = [&rest](std::size_t p) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(rest, p);
      if (found == rest.end()) return std::nullopt;
      return static_cast<std::size_t>(found - rest.begin());
    };
    auto partners = best(bracket, [&holds](Criteria&, std::size_t a, std::size_t b) { return holds(a, b); });
    if (partners.empty()) return false;
    const auto pairs_of_rest = [&] {
      std::vector<std::pair<std::size_t, std::size_t>> found;  // places, upper first
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const std::size_t other = partners.at(rest[i]);
        if (other == nobody || !pairs_in(bracket, rest[i], other)) continue;
        if (const auto j = place(other); j && i < *j) found.emplace_back(i, *j);
      }
      return found;
    };
    const std::size_t half = pairs_of_rest().size();
    if (half > 0) {
      partners = best(bracket, [&](Criteria& out, std::size_t a, std::size_t b) {
        count_exchanges(out, bracket, rest.size(), half, b == nobody || !pairs_in(bracket, a, b), place(a),
                        b == nobody ? std::nullopt : place(b));
        return holds(a, b);
      });
      std::vector<std::size_t> upper;
      for (const auto& pair : pairs_of_rest()) upper.push_back(pair.first);
      const auto is_upper = [&upper](std::size_t i) { return std::ranges::binary_search(upper, i); };
      partners = best(bracket, [&](Criteria& out, std::size_t a, std::size_t b) {
        if (!holds(a, b)) return false;
        const auto i = place(a);
        const auto j = b == nobody ? std::nullopt : place(b);
        if (!i || !j || !pairs_in(bracket, a, b)) return true;
        const std::size_t high = std::min(*i, *j);
        const std::size_t low = std::max(*i, *j);
        if (!is_upper(high) || is_upper(low)) return false;
        // D.1: the first of the upper half gets the first opponent that can be had, then the second.
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(upper, high) - upper.begin());
        out.resize(out.size() + at + 1, 0);
        out.back() = -static_cast<int>(low) - 1;
        return true;
      });
    }
    if (partners.empty()) return false;
    take(round, bracket, partners, last, floating);
    return true;
  }

  /// B.3, D.4: which of those who moved down are paired here, and with whom.
  bool pair_moved(const Bracket& bracket, std::map<std::size_t, std::size_t>& fixed) const {
    const std::size_t count = bracket.moved.size();
    const auto partners = best(bracket, [&](Criteria& out, std::size_t a, std::size_t b) {
      if (b == nobody || !pairs_in(bracket, a, b)) return true;
      const auto at = [&bracket](std::size_t p) { return std::ranges::find(bracket.moved, p) - bracket.moved.begin(); };
      const auto place = static_cast<std::size_t>(std::min(at(a), at(b)));
      if (place == count) return true;
      const std::size_t resident = at(a) < at(b) ? b : a;
      const auto home = std::ranges::find(bracket.residents, resident) - bracket.residents.begin();
      const std::size_t from = out.size();
      out.resize(from + 2 * count, 0);
      out[from + place] = 1;  // the higher ones are paired before the lower ones
      out[from + count + place] = -static_cast<int>(home) - 1;
      return true;
    });
    if (partners.empty()) return false;
    for (const std::size_t p : bracket.moved) {
      const std::size_t other = partners.at(p);
      if (other == nobody || !pairs_in(bracket, p, other)) continue;
      fixed[p] = other;
      fixed[other] = p;
    }
    return true;
  }

  /// D.3: few exchanged players, small differences, then the lowest of the upper half and the highest of the lower one. `half`: pairs.
  static void count_exchanges(Criteria& out, const Bracket& /*bracket*/, std::size_t count, std::size_t half, bool leaves,
                              const std::optional<std::size_t>& a, const std::optional<std::size_t>& b) {
    const std::size_t from = out.size();
    out.resize(from + 2 + count, 0);
    const auto moved_down = [&](std::size_t place) {  // of the upper half
      out[from + 1] += static_cast<int>(place);
      out[from + 2 + (half - 1 - place)] += 1;
    };
    if (leaves) {
      for (const auto& place : {a, b}) {
        if (place && *place < half) moved_down(*place);
      }
      return;
    }
    if (!a || !b) return;
    const auto [high, low] = std::minmax(*a, *b);
    if (low < half) moved_down(low);
    if (high < half) return;
    out[from] -= 1;
    out[from + 1] -= static_cast<int>(high);
    out[from + 2 + high] += 1;
  }

  void take(SwissRound& round, const Bracket& bracket, const std::map<std::size_t, std::size_t>& partners, bool last,
            std::vector<std::size_t>& floating) {
    std::set<std::size_t> done;
    for (const auto& [p, other] : partners) {
      if (last && other == nobody) {
        round.bye = p;
        done.insert(p);
      }
      if (other == nobody || p > other) continue;
      if (!last && !pairs_in(bracket, p, other)) continue;
      round.pairs.emplace_back(p, other);
      done.insert({p, other});
    }
    floating.clear();
    std::erase_if(left_, [&done](std::size_t p) { return done.contains(p); });
    for (const std::size_t p : left_) {
      if (bracket.in.contains(p)) floating.push_back(p);
    }
  }

  static constexpr std::size_t nobody = SIZE_MAX;
  const std::vector<SwissPlayer>& players_;
  const SwissRules& rules_;
  std::vector<std::size_t> left_;  // still to be paired, in the order of A.2
  bool odd_ = false;
};

}  // namespace

SwissRound pair_swiss_round(const std::vector<SwissPlayer>& players, const SwissRules& rules) {
  return RoundPairing(players, rules).pair();
}

}  // namespace referee::match
