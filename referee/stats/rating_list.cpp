#include "referee/stats/rating_list.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <thread>

#include "referee/stats/groups.hpp"
#include "referee/stats/rating_fit.hpp"
#include "referee/stats/rating_scale.hpp"

namespace referee::stats {

namespace {

constexpr double z95 = 1.959963984540054;
// Where one colour won nearly all of few games, White's advantage has no finite maximum: it is taken for unknown, that is none.
constexpr double absurd_advantage = 6;    // logits, a thousand points
constexpr double simulation_pull = 0.01;  // precision that keeps a clean sweep of a simulated list finite (sd some 1500 points)

[[nodiscard]] double normal_cdf(double x) noexcept { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// One comparable group of players and what was fitted to it.
struct Group {
  std::vector<PlayerId> members;         // of finite rating
  std::vector<const Meeting*> meetings;  // among them
  std::vector<std::pair<PlayerId, double>> anchors;
  FitProblem problem;
  std::vector<Bout> played;  // the problem's bouts without the prior's draws
  Fit fit;
  double scale = 1;  // points a unit
  double shift = 0;  // points
  std::unique_ptr<Covariance> covariance;
  std::vector<double> variances;  // in points^2, with dispersion, of each member's rating
  std::vector<double> factors;    // what dispersion makes of each member's variance
  Dispersion scatter;
};

[[nodiscard]] double white_of(const RatingOptions& options, double scale) { return options.white_advantage.value_or(0) / scale; }

}  // namespace

struct RatingList::Impl {
  Impl(std::size_t count, const std::vector<Meeting>& all, const RatingOptions& chosen)
      : options(chosen), model(draw_model(chosen.model)), meetings(all), players(count), place(count, 0) {
    count_results();
    form_groups();
    for (Group& group : groups) rate(group);
    if (groups.empty())
      bound_by_average();
    else
      restore_bounded();
    average_opponents();
    put_in_order();
  }

  void count_results() {
    for (const Meeting& m : meetings) {
      RatedPlayer& a = players[m.first];
      RatedPlayer& b = players[m.second];
      ++a.opponents;
      ++b.opponents;
      a.games += m.games();
      b.games += m.games();
      a.wins += m.first_wins();
      a.losses += m.second_wins();
      b.wins += m.second_wins();
      b.losses += m.first_wins();
      a.draws += m.draws();
      b.draws += m.draws();
    }
  }

  void form_groups() {
    auto number = options.prior_draws > 0 ? connected_groups(players.size(), meetings) : comparable_groups(players.size(), meetings);
    std::vector<std::uint32_t> size;
    for (const std::uint32_t group : number) {
      if (group >= size.size()) size.resize(group + 1, 0);
      ++size[group];
    }
    // A list of one is a list only where that one's rating is given, or when there is nothing larger, and then never of a player who won
    // all he played, or lost it.
    std::vector<char> listed(size.size(), 0);
    for (std::size_t group = 0; group < size.size(); ++group) listed[group] = size[group] > 1 ? 1 : 0;
    for (const auto& [player, rating] : options.anchors) listed[number[player]] = 1;
    if (std::find(listed.begin(), listed.end(), 1) == listed.end())
      if (const auto lone = lone_player()) listed[number[*lone]] = 1;
    const auto lists = static_cast<std::size_t>(std::count(listed.begin(), listed.end(), 1));
    std::vector<std::uint32_t> renumbered(size.size());
    std::uint32_t next_list = 0;
    auto next_other = static_cast<std::uint32_t>(lists);
    for (std::size_t group = 0; group < size.size(); ++group) renumbered[group] = listed[group] != 0 ? next_list++ : next_other++;
    for (std::uint32_t& group : number) group = renumbered[group];
    for (std::size_t p = 0; p < players.size(); ++p) players[p].group = number[p];
    groups.resize(lists);
    for (std::size_t p = 0; p < players.size(); ++p) {
      if (number[p] >= lists) continue;
      place[p] = static_cast<PlayerId>(groups[number[p]].members.size());
      groups[number[p]].members.push_back(static_cast<PlayerId>(p));
    }
    for (const Meeting& m : meetings)
      if (number[m.first] == number[m.second] && number[m.first] < lists) groups[number[m.first]].meetings.push_back(&m);
    for (const auto& [player, rating] : options.anchors) groups[number[player]].anchors.emplace_back(player, rating);
  }

  /// Where no two players are comparable: the one who is left when those who won or lost everything are taken out again and again, if he
  /// alone is.
  [[nodiscard]] std::optional<PlayerId> lone_player() const {
    if (players.size() == 1) return PlayerId{0};
    const std::vector<PlayerId> left = without_sweeps(players.size(), meetings);
    return left.size() == 1 ? std::optional(left.front()) : std::nullopt;
  }

  void make_bouts(Group& group) const {
    group.problem.players = group.members.size();
    group.problem.model = model;
    for (const Meeting* m : group.meetings) {
      const PlayerId a = place[m->first];
      const PlayerId b = place[m->second];
      const auto& x = m->first_white;
      const auto& y = m->second_white;
      if (x[0] + x[1] + x[2] > 0) group.played.push_back({a, b, double(x[0]), double(x[1]), double(x[2])});
      if (y[0] + y[1] + y[2] > 0) group.played.push_back({b, a, double(y[0]), double(y[1]), double(y[2])});
    }
    group.problem.bouts = group.played;
    add_prior(group, group.problem.bouts);
  }

  /// Each player's imagined draws, spread over his meetings.
  void add_prior(const Group& group, std::vector<Bout>& bouts) const {
    if (options.prior_draws <= 0) return;
    for (std::size_t i = 0; i < bouts.size(); ++i) {
      const double games = group.played[i].games();
      const auto& a = players[group.members[bouts[i].white]];
      const auto& b = players[group.members[bouts[i].black]];
      bouts[i].draws += options.prior_draws * games * (1 / static_cast<double>(a.games) + 1 / static_cast<double>(b.games));
    }
  }

  void rate(Group& group) {
    make_bouts(group);
    FitProblem& problem = group.problem;
    const bool several = group.anchors.size() > 1;
    if (model == DrawModel::davidson && options.draw_rate) problem.draw_weight = weight_of_draw_rate(*options.draw_rate);
    group.scale = points_per_unit(options.model, problem.draw_weight.value_or(1));
    // Anchors and White's advantage are given in points; what a point is depends on the draw rate found. This settles at once.
    const double middle = several ? group.anchors.front().second : 0;
    for (int round = 0; round < 50; ++round) {
      if (options.white_advantage) problem.white_advantage = white_of(options, group.scale);
      if (several) {
        problem.fixed_strengths.clear();
        for (const auto& [player, rating] : group.anchors)
          problem.fixed_strengths.emplace_back(place[player], (rating - middle) / group.scale);
      }
      group.fit = fit_strengths(problem, round == 0 ? nullptr : &group.fit);
      if (!problem.white_advantage && std::abs(group.fit.white_advantage) > absurd_advantage) {
        problem.white_advantage = 0;
        group.fit = fit_strengths(problem);
      }
      if (draw_weight_runs_away(problem, group.fit)) {
        problem.draw_weight = draw_weight_of_equals(problem);
        assumed_draws = true;
        group.fit = fit_strengths(problem);
      }
      const double scale = points_per_unit(options.model, group.fit.draw_weight);
      const bool same = std::abs(scale - group.scale) < 1e-10 * scale;
      group.scale = scale;
      if (same || (!several && !options.white_advantage)) break;
    }
    if (model == DrawModel::half_wins) {
      if (options.draw_rate)
        group.fit.draw_weight = weight_of_draw_rate(*options.draw_rate);
      else
        group.fit.draw_weight = draw_weight_of_games(problem, group.fit);
    }
    converged = converged && (group.fit.converged || group.members.size() < 2);
    group.shift = options.average;  // strengths have the mean 0
    if (several) group.shift = middle;
    if (group.anchors.size() == 1) group.shift = group.anchors[0].second - group.scale * group.fit.strengths[place[group.anchors[0].first]];
    for (const PlayerId p : group.members) players[p].rating = group.shift + group.scale * group.fit.strengths[place[p]];
    find_errors(group);
  }

  void find_errors(Group& group) {
    const std::size_t n = group.members.size();
    if (n < 2) return;
    group.scatter = dispersion(group.meetings, place, model, group.fit);
    if (options.errors == RatingOptions::Errors::games) group.scatter.pairs.reset();
    std::vector<double> games(n, 0);
    std::vector<double> paired(n, 0);
    for (const Meeting* m : group.meetings) {
      for (const PlayerId p : {m->first, m->second}) {
        games[place[p]] += static_cast<double>(m->games());
        paired[place[p]] += static_cast<double>(m->paired_games());
      }
    }
    group.factors.assign(n, group.scatter.games);
    if (group.scatter.pairs) {
      for (std::size_t i = 0; i < n; ++i) {
        const double share = std::min(1.0, paired[i] / games[i]);
        group.factors[i] = (1 - share) * group.scatter.games + share * *group.scatter.pairs;
      }
    }
    const bool one_anchor = group.anchors.size() == 1;
    const PlayerId anchor = one_anchor ? place[group.anchors[0].first] : 0;
    if (n <= largest_exact_group) {
      group.covariance = std::make_unique<Covariance>(group.problem, group.fit);
      group.variances.resize(n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto p = static_cast<PlayerId>(i);
        const double v = one_anchor ? group.covariance->of_difference(p, anchor) : group.covariance->of(p, p);
        group.variances[i] = std::max(v, 0.0);
      }
    } else {
      group.variances = approximate_variances(group.problem, group.fit);
      if (one_anchor) {
        for (std::size_t i = 0; i < n; ++i)
          if (i != anchor) group.variances[i] += group.variances[anchor];
        group.variances[anchor] = 0;
      }
    }
    if (options.simulations > 0) simulate_errors(group);
    for (std::size_t i = 0; i < n; ++i) {
      group.variances[i] *= group.scale * group.scale;
      // The simulation plays draws itself; only what pairs change is still to be added.
      group.variances[i] *= options.simulations > 0 ? group.factors[i] / group.scatter.games : group.factors[i];
      players[group.members[i]].error = z95 * std::sqrt(group.variances[i]);
    }
  }

  void simulate_errors(Group& group) const {
    const std::size_t n = group.members.size();
    const auto rounds = static_cast<std::size_t>(options.simulations);
    std::vector<double> strengths(n * rounds);
    std::atomic<std::size_t> next{0};
    const bool one_anchor = group.anchors.size() == 1;
    const auto work = [&] {
      FitProblem problem = group.problem;
      problem.pull = simulation_pull;
      for (std::size_t round = next++; round < rounds; round = next++) {
        simulate(problem.bouts, group.played, model, group.fit, options.seed + round);
        add_prior(group, problem.bouts);
        const Fit fit = fit_strengths(problem, &group.fit);
        const double scale = points_per_unit(options.model, fit.draw_weight) / group.scale;
        const double zero = one_anchor ? fit.strengths[place[group.anchors[0].first]] : 0;
        for (std::size_t i = 0; i < n; ++i) strengths[round * n + i] = scale * (fit.strengths[i] - zero);
      }
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < options.threads; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t round = 0; round < rounds; ++round) sum += strengths[round * n + i];
      const double mean = sum / static_cast<double>(rounds);
      double squares = 0;
      for (std::size_t round = 0; round < rounds; ++round) squares += (strengths[round * n + i] - mean) * (strengths[round * n + i] - mean);
      group.variances[i] = rounds > 1 ? squares / static_cast<double>(rounds - 1) : 0;
    }
  }

  // Players outside the lists: each is set against those already placed whom he met, as long as he took everything off them or nothing.
  struct Sweep {
    std::uint32_t group = std::numeric_limits<std::uint32_t>::max();
    bool won = false, lost = false;
    std::vector<std::pair<double, double>> games;  // opponent's strength less what colour gives, how many
  };

  void restore_bounded() {
    std::vector<double> strength(players.size(), 0);
    std::vector<char> placed(players.size(), 0);
    std::vector<std::uint32_t> list(players.size(), 0);
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const PlayerId p : groups[g].members) {
        strength[p] = groups[g].fit.strengths[place[p]];
        placed[p] = 1;
        list[p] = g;
      }
    }
    bool found = true;
    while (found) {
      found = false;
      std::map<PlayerId, Sweep> sweeps;
      for (const Meeting& m : meetings) {
        if (placed[m.first] == 1 && placed[m.second] == 0) extend(sweeps[m.second], m, m.second, list[m.first], strength[m.first]);
        if (placed[m.second] == 1 && placed[m.first] == 0) extend(sweeps[m.first], m, m.first, list[m.second], strength[m.second]);
      }
      // Of two who won all but the game against each other its winner is the one further out: he is set against the other's bound, which
      // comes first. The same of two who lost all.
      std::set<PlayerId> waiting;
      for (const Meeting& m : meetings) {
        const auto first = sweeps.find(m.first), second = sweeps.find(m.second);
        if (first == sweeps.end() || second == sweeps.end()) continue;
        const Sweep& a = first->second;
        const Sweep& b = second->second;
        if (a.won == a.lost || b.won == b.lost || a.won != b.won) continue;
        if (m.first_wins() > 0) waiting.insert(a.won ? m.first : m.second);
        if (m.second_wins() > 0) waiting.insert(a.won ? m.second : m.first);
      }
      for (const auto& [player, sweep] : sweeps) {
        if (sweep.won == sweep.lost) {
          placed[player] = 2;  // stands between groups
          continue;
        }
        if (waiting.contains(player)) continue;
        Group& group = groups[sweep.group];
        RatedPlayer& rated = players[player];
        strength[player] = even_chance(group, sweep);
        rated.bound = sweep.won ? Bound::lower : Bound::upper;
        rated.limit = group.shift + group.scale * strength[player];
        rated.group = sweep.group;
        list[player] = sweep.group;
        placed[player] = 1;
        found = true;
      }
    }
  }

  /// Nobody has a finite rating: who won or lost everything is set against opponents at the average.
  void bound_by_average() {
    Group level;
    if (model == DrawModel::davidson) level.fit.draw_weight = options.draw_rate ? weight_of_draw_rate(*options.draw_rate) : 0;
    level.scale = points_per_unit(options.model, level.fit.draw_weight);
    level.fit.white_advantage = white_of(options, level.scale);
    level.shift = options.average;
    const auto connected = connected_groups(players.size(), meetings);
    std::map<PlayerId, Sweep> sweeps;
    for (const Meeting& m : meetings) {
      for (const PlayerId p : {m.first, m.second}) add_games(sweeps[p], m, p, 0, level.fit.white_advantage);
    }
    for (std::size_t p = 0; p < players.size(); ++p) players[p].group = connected[p];
    for (const auto& [player, sweep] : sweeps) {
      if (sweep.won == sweep.lost) continue;
      players[player].bound = sweep.won ? Bound::lower : Bound::upper;
      players[player].limit = level.shift + level.scale * even_chance(level, sweep);
    }
  }

  void extend(Sweep& sweep, const Meeting& m, PlayerId player, std::uint32_t group, double opponent) const {
    if (group > sweep.group) return;  // the largest group counts
    if (group < sweep.group) sweep = Sweep{group, false, false, {}};
    add_games(sweep, m, player, opponent, groups[group].fit.white_advantage);
  }

  static void add_games(Sweep& sweep, const Meeting& m, PlayerId player, double opponent, double advantage) {
    const bool first = m.first == player;
    const auto& white = first ? m.first_white : m.second_white;
    const auto& black = first ? m.second_white : m.first_white;
    const auto sum = [](const std::array<std::uint32_t, 3>& counts) { return double(counts[0]) + counts[1] + counts[2]; };
    if (sum(white) > 0) sweep.games.emplace_back(opponent - advantage, sum(white));
    if (sum(black) > 0) sweep.games.emplace_back(opponent + advantage, sum(black));
    sweep.won = sweep.won || (first ? m.first_wins() : m.second_wins()) > 0 || m.draws() > 0;
    sweep.lost = sweep.lost || (first ? m.second_wins() : m.first_wins()) > 0 || m.draws() > 0;
  }

  /// The strength at which the sweep had one chance in two.
  [[nodiscard]] double even_chance(const Group& group, const Sweep& sweep) const {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    for (const auto& [opponent, games] : sweep.games) {
      low = std::min(low, opponent);
      high = std::max(high, opponent);
    }
    low -= 60;
    high += 60;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      double log_chance = 0;
      for (const auto& [opponent, games] : sweep.games) {
        const Chances c = chances(model, middle - opponent, group.fit.draw_weight);
        log_chance += games * std::log(std::max(sweep.won ? c.win : c.loss, 1e-300));
      }
      const bool likely = log_chance > -std::numbers::ln2;
      (likely == sweep.won ? high : low) = middle;
    }
    return (low + high) / 2;
  }

  void average_opponents() {
    std::vector<double> sum(players.size(), 0);
    std::vector<double> games(players.size(), 0);
    const auto value = [&](PlayerId p) { return players[p].rating ? players[p].rating : players[p].limit; };
    for (const Meeting& m : meetings) {
      const auto add = [&](PlayerId p, PlayerId other) {
        const auto rating = value(other);
        if (!rating || players[p].group != players[other].group) return;
        sum[p] += *rating * static_cast<double>(m.games());
        games[p] += static_cast<double>(m.games());
      };
      add(m.first, m.second);
      add(m.second, m.first);
    }
    for (std::size_t p = 0; p < players.size(); ++p)
      if (games[p] > 0) players[p].opponents_average = sum[p] / games[p];
  }

  void put_in_order() {
    order.resize(players.size());
    std::iota(order.begin(), order.end(), PlayerId{0});
    const auto known = [&](PlayerId p) { return players[p].rating || players[p].limit; };
    const auto value = [&](PlayerId p) { return players[p].rating ? *players[p].rating : *players[p].limit; };
    const auto side = [&](PlayerId p) { return players[p].bound == Bound::lower ? 1 : players[p].bound == Bound::upper ? -1 : 0; };
    std::stable_sort(order.begin(), order.end(), [&](PlayerId a, PlayerId b) {
      if (known(a) != known(b)) return known(a);
      if (!known(a)) return players[a].group < players[b].group;
      if (players[a].group != players[b].group) return players[a].group < players[b].group;
      if (value(a) != value(b)) return value(a) > value(b);
      return side(a) > side(b);
    });
  }

  [[nodiscard]] std::optional<double> superiority(PlayerId a, PlayerId b) const {
    if (a == b || !players[a].rating || !players[b].rating || players[a].group != players[b].group) return std::nullopt;
    const Group& group = groups[players[a].group];
    const PlayerId i = place[a];
    const PlayerId j = place[b];
    const double difference = *players[a].rating - *players[b].rating;
    double variance = group.variances[i] + group.variances[j];
    if (group.covariance)
      variance = group.covariance->of_difference(i, j) * group.scale * group.scale * (group.factors[i] + group.factors[j]) / 2;
    if (variance <= 0) return std::nullopt;
    return normal_cdf(difference / std::sqrt(variance));
  }

  RatingOptions options;
  DrawModel model;
  const std::vector<Meeting>& meetings;
  std::vector<RatedPlayer> players;
  std::vector<PlayerId> place;  // in the group
  std::vector<Group> groups;
  std::vector<PlayerId> order;
  bool converged = true;
  bool assumed_draws = false;
};

RatingList::RatingList(std::size_t players, const std::vector<Meeting>& meetings, const RatingOptions& options)
    : impl_(std::make_unique<Impl>(players, meetings, options)) {}
RatingList::~RatingList() = default;
RatingList::RatingList(RatingList&&) noexcept = default;
RatingList& RatingList::operator=(RatingList&&) noexcept = default;

const std::vector<RatedPlayer>& RatingList::players() const noexcept { return impl_->players; }
const std::vector<PlayerId>& RatingList::order() const noexcept { return impl_->order; }
std::uint32_t RatingList::groups() const noexcept { return static_cast<std::uint32_t>(impl_->groups.size()); }
bool RatingList::converged() const noexcept { return impl_->converged; }
bool RatingList::assumed_draws() const noexcept { return impl_->assumed_draws; }

Estimate RatingList::white_advantage() const noexcept {
  Estimate out;
  if (impl_->groups.empty() || impl_->groups[0].members.size() < 2) return out;
  const Group& group = impl_->groups[0];
  out.value = group.scale * group.fit.white_advantage;
  if (group.covariance && !group.problem.white_advantage)
    out.error = z95 * group.scale * std::sqrt(group.covariance->of_white_advantage() * group.scatter.games);
  return out;
}

double RatingList::draw_rate() const noexcept { return impl_->groups.empty() ? 0 : draw_rate_of_weight(impl_->groups[0].fit.draw_weight); }

std::optional<double> RatingList::pair_dispersion() const noexcept {
  if (impl_->groups.empty() || !impl_->groups[0].scatter.pairs) return std::nullopt;
  return *impl_->groups[0].scatter.pairs / impl_->groups[0].scatter.games;
}

std::optional<double> RatingList::superiority(PlayerId a, PlayerId b) const { return impl_->superiority(a, b); }

std::optional<RatingModel> parse_rating_model(std::string_view text) noexcept {
  if (text == "davidson") return RatingModel::davidson;
  if (text == "bradley-terry") return RatingModel::bradley_terry;
  if (text == "ordo") return RatingModel::ordo;
  return std::nullopt;
}

}  // namespace referee::stats
