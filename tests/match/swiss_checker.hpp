// The checker of Swiss pairings: a ledger of its own, every possible pairing of a round, and the weighing of complete pairings in the words
// of C.04.3. Shared by the tests of the Swiss system.
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/match/swiss.hpp"

namespace referee::test::swiss {

using chess::Color;
using match::Float;
using match::SwissPlayer;
using match::SwissRound;
using match::SwissRules;

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;  // with the bye as (player, nobody)
inline constexpr std::size_t nobody = SIZE_MAX;

/// What the checker keeps of a tournament, in its own terms.
struct Ledger {
  struct Entry {
    int points = 0;  // half points
    std::set<std::size_t> met;
    std::string colours;      // "WB.W": a dot for a round without a game
    std::vector<int> floats;  // a round: -1 down, +1 up, 0 none
    int byes = 0;
  };
  std::vector<Entry> players;
  int rounds = 0;
};

inline int difference(const Ledger::Entry& player) {
  return static_cast<int>(std::ranges::count(player.colours, 'W') - std::ranges::count(player.colours, 'B'));
}
inline std::string played(const Ledger::Entry& player) {
  std::string colours;
  std::ranges::copy_if(player.colours, std::back_inserter(colours), [](char c) { return c != '.'; });
  return colours;
}
/// 'W' or 'B' and a strength 0 none, 1 mild, 2 strong, 3 absolute.
inline std::pair<char, int> wish(const Ledger::Entry& player) {
  const std::string colours = played(player);
  if (colours.empty()) return {'-', 0};
  const int d = difference(player);
  if (d > 1) return {'B', 3};
  if (d < -1) return {'W', 3};
  if (colours.size() >= 2 && colours[colours.size() - 1] == colours[colours.size() - 2]) return {colours.back() == 'W' ? 'B' : 'W', 3};
  if (d == 1) return {'B', 2};
  if (d == -1) return {'W', 2};
  return {colours.back() == 'W' ? 'B' : 'W', 1};
}

struct Settings {
  std::size_t players;
  int rounds;
  unsigned seed;
  double draws;
};

struct Tournament {
  explicit Tournament(const Settings& chosen) : settings(chosen), random(chosen.seed) { ledger.players.resize(settings.players); }

  [[nodiscard]] bool is_last() const { return ledger.rounds + 1 == settings.rounds; }
  [[nodiscard]] bool topscorer(std::size_t p) const { return is_last() && ledger.players[p].points > ledger.rounds; }

  [[nodiscard]] bool allowed(std::size_t a, std::size_t b) const {
    if (b == nobody) return ledger.players[a].byes == 0;
    if (ledger.players[a].met.contains(b)) return false;
    const auto one = wish(ledger.players[a]);
    const auto two = wish(ledger.players[b]);
    return one.second < 3 || two.second < 3 || one.first != two.first || topscorer(a) || topscorer(b);
  }

  [[nodiscard]] SwissRound pair() const {
    std::vector<SwissPlayer> players;
    for (const auto& entry : ledger.players) {
      SwissPlayer player;
      player.points = entry.points * 50;
      player.opponents.assign(entry.met.begin(), entry.met.end());
      for (const char c : played(entry)) player.colours.push_back(c == 'W' ? Color::white : Color::black);
      for (std::size_t back = 0; back < 2 && back < entry.floats.size(); ++back) {
        const int f = entry.floats[entry.floats.size() - 1 - back];
        player.floats[back] = f < 0 ? Float::down : f > 0 ? Float::up : Float::none;
      }
      player.may_have_bye = entry.byes == 0;
      players.push_back(player);
    }
    SwissRules rules;
    rules.last_round = is_last();
    rules.most_points = 100 * ledger.rounds;
    return match::pair_swiss_round(players, rules);
  }

  void play(const SwissRound& round) {
    const auto before = ledger.players;
    const auto note = [&](std::size_t p, std::size_t other, char colour, int points) {
      auto& entry = ledger.players[p];
      entry.points += points;
      entry.colours += colour;
      entry.met.insert(other);
      entry.floats.push_back(before[p].points > before[other].points ? -1 : before[p].points < before[other].points ? 1 : 0);
    };
    for (const auto& [white, black] : round.pairs) {
      const double luck = std::uniform_real_distribution<>(0, 1)(random);
      const int points = luck < settings.draws ? 1 : luck < settings.draws + (1 - settings.draws) * 0.55 ? 2 : 0;
      note(white, black, 'W', points);
      note(black, white, 'B', 2 - points);
    }
    if (round.bye) {
      auto& entry = ledger.players[*round.bye];
      entry.points += 2;
      entry.colours += '.';
      entry.floats.push_back(-1);
      ++entry.byes;
    }
    ++ledger.rounds;
  }

  Settings settings;
  std::mt19937 random;
  Ledger ledger;
};

/// Everybody exactly once, nothing that C1 to C3 forbid.
inline void check_absolute(const Tournament& tournament, const SwissRound& round) {
  std::vector<int> seen(tournament.ledger.players.size());
  for (const auto& [white, black] : round.pairs) {
    ++seen[white];
    ++seen[black];
    if (!tournament.allowed(white, black)) FAIL("round " << tournament.ledger.rounds + 1 << ": " << white << " and " << black);
  }
  if (round.bye) {
    ++seen[*round.bye];
    if (!tournament.allowed(*round.bye, nobody)) FAIL("a second bye for " << *round.bye);
  }
  if (std::ranges::count(seen, 1) != static_cast<long>(seen.size())) FAIL("not everybody is paired once");
  if (round.bye.has_value() != (seen.size() % 2 == 1)) FAIL("a bye in an even field, or none in an odd one");
}

/// E: no wish is denied where both could be granted, and of two equal colours the stronger wish is granted.
inline void check_colours(const Tournament& tournament, const SwissRound& round) {
  for (const auto& [white, black] : round.pairs) {
    const auto one = wish(tournament.ledger.players[white]);
    const auto two = wish(tournament.ledger.players[black]);
    if (one.second == 0 || two.second == 0) {
      if (one.second > 0 && one.first != 'W') FAIL("a lone wish is denied");
      if (two.second > 0 && two.first != 'B') FAIL("a lone wish is denied");
      continue;
    }
    if (one.first != two.first) {
      if (one.first != 'W') FAIL("two wishes that fit are denied");
      continue;
    }
    if (one.second != two.second && (one.first == 'W') != (one.second > two.second)) FAIL("the weaker wish was granted");
  }
}

inline void every_pairing(const Tournament& tournament, std::vector<std::size_t>& left, Pairs& pairs,
                          const std::function<void(const Pairs&)>& tell) {
  if (left.empty()) return tell(pairs);
  const std::size_t a = left.front();
  std::vector<std::size_t> rest(left.begin() + 1, left.end());
  if (left.size() % 2 == 1 && tournament.allowed(a, nobody)) {
    pairs.emplace_back(a, nobody);
    every_pairing(tournament, rest, pairs, tell);
    pairs.pop_back();
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (!tournament.allowed(a, rest[i])) continue;
    std::vector<std::size_t> others = rest;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    pairs.emplace_back(a, rest[i]);
    every_pairing(tournament, others, pairs, tell);
    pairs.pop_back();
  }
}

// The weighing of complete pairings, bracket by bracket -------------------------------------------------------------------

/// Numbers to be compared in order; fewer is better.
using Weight = std::vector<int>;

struct Part {   // of a pairing: what the top bracket makes of it
  Pairs pairs;  // inside the bracket
  std::vector<std::size_t> down;
};

class Weigher {
 public:
  Weigher(const Tournament& tournament, std::vector<Pairs> pairings) : tournament_(tournament), pairings_(std::move(pairings)) {}

  /// The pairings that nothing beats, by C5 to C19 of each bracket from the top.
  std::vector<Pairs> best() {
    std::set<int, std::greater<>> scores;
    for (const auto& player : tournament_.ledger.players) scores.insert(player.points);
    std::vector<int> order(scores.begin(), scores.end());
    std::set<std::size_t> settled, moved;
    for (std::size_t level = 0; level < order.size(); ++level) {
      std::set<std::size_t> residents, next;
      for (std::size_t p = 0; p < tournament_.ledger.players.size(); ++p) {
        if (points(p) == order[level]) residents.insert(p);
        if (level + 1 < order.size() && points(p) == order[level + 1]) next.insert(p);
      }
      const auto part = [&](const Pairs& pairing) { return part_of(pairing, residents, moved, level + 1 == order.size()); };
      keep([&](const Pairs& pairing) { return before_next(part(pairing), order[level]); });
      if (level + 1 < order.size()) {
        keep([&](const Pairs& pairing) {
          const Part mine = part(pairing);
          const Part below = part_of(pairing, next, {mine.down.begin(), mine.down.end()}, level + 2 == order.size());
          return before_next(below, order[level + 1]);
        });
      }
      keep([&](const Pairs& pairing) { return after_next(part(pairing), order[level]); });
      // Every pairing that is left is equally good here; the search must have picked one of them, so it is followed further down.
      if (chosen) {
        const Part mine = part(*chosen);
        std::erase_if(pairings_, [&](const Pairs& pairing) { return !same(part(pairing), mine); });
      }
      const Part mine = chosen ? part(*chosen) : part(pairings_.front());
      moved = {mine.down.begin(), mine.down.end()};
    }
    return pairings_;
  }

  /// C8 to C19.
  [[nodiscard]] Weight after_next(const Part& part, int score) const;

  std::optional<Pairs> chosen;  // is followed from bracket to bracket, as long as it is among the best
  bool chosen_is_best = true;

 private:
  [[nodiscard]] int points(std::size_t p) const { return tournament_.ledger.players[p].points; }

  static bool same(const Part& a, const Part& b) {
    return std::set(a.pairs.begin(), a.pairs.end()) == std::set(b.pairs.begin(), b.pairs.end()) &&
           std::set(a.down.begin(), a.down.end()) == std::set(b.down.begin(), b.down.end());
  }

  static Part part_of(const Pairs& pairing, const std::set<std::size_t>& residents, const std::set<std::size_t>& moved, bool last) {
    Part part;
    for (const auto& [a, b] : pairing) {
      const auto in = [&](std::size_t p) { return p != nobody && (residents.contains(p) || moved.contains(p)); };
      const bool both_moved = moved.contains(a) && moved.contains(b);
      if (in(a) && in(b) && (!both_moved || last))
        part.pairs.emplace_back(std::min(a, b), std::max(a, b));
      else
        for (const std::size_t p : {a, b})
          if (in(p)) part.down.push_back(p);
    }
    return part;
  }

  template <class Weigh>
  void keep(const Weigh& weigh) {
    std::optional<Weight> least;
    std::vector<Weight> weights;
    for (const Pairs& pairing : pairings_) {
      weights.push_back(weigh(pairing));
      if (!least || weights.back() < *least) least = weights.back();
    }
    if (chosen && weigh(*chosen) != *least) {
      chosen_is_best = false;
      chosen.reset();
    }
    std::vector<Pairs> kept;
    for (std::size_t i = 0; i < pairings_.size(); ++i)
      if (weights[i] == *least) kept.push_back(pairings_[i]);
    pairings_ = std::move(kept);
  }

  static void append_sorted(Weight& out, std::vector<int> values, std::size_t width) {
    std::ranges::sort(values, std::greater<>{});
    values.resize(width, 0);
    out.insert(out.end(), values.begin(), values.end());
  }

  /// C5, C6 (and, asked for the next bracket, C7).
  [[nodiscard]] Weight before_next(const Part& part, int score) const {
    Weight weight{-static_cast<int>(part.pairs.size())};
    std::vector<int> differences;
    for (const auto& [a, b] : part.pairs) differences.push_back(std::abs(points(a) - points(b)));
    for (const std::size_t p : part.down) differences.push_back(points(p) - (score - 2));
    append_sorted(weight, differences, 20);
    return weight;
  }

  const Tournament& tournament_;
  std::vector<Pairs> pairings_;
};

inline Weight Weigher::after_next(const Part& part, int score) const {
  int over = 0, third = 0, denied = 0, strong = 0;
  std::array<std::vector<int>, 4> repeats;  // down last, up last, down before, up before: with their score differences
  std::array<int, 4> count{};
  const auto floated = [&](std::size_t p, std::size_t back) {
    const auto& floats = tournament_.ledger.players[p].floats;
    return floats.size() > back ? floats[floats.size() - 1 - back] : 0;
  };
  for (const auto& [a, b] : part.pairs) {
    const auto one = wish(tournament_.ledger.players[a]);
    const auto two = wish(tournament_.ledger.players[b]);
    if (one.second > 0 && two.second > 0 && one.first == two.first) {
      ++denied;
      if (std::min(one.second, two.second) >= 2) ++strong;
      if (tournament_.topscorer(a) || tournament_.topscorer(b)) {
        // Who is denied gets the colour again: the weaker wish, else the smaller colour difference, else by history (either).
        const auto& first = tournament_.ledger.players[a];
        const auto& second = tournament_.ledger.players[b];
        const bool a_loses = one.second != two.second ? one.second < two.second
                             : std::abs(difference(first)) != std::abs(difference(second))
                                 ? std::abs(difference(first)) < std::abs(difference(second))
                                 : true;
        const auto& loser = a_loses ? first : second;
        const char given = one.first == 'W' ? 'B' : 'W';
        if (std::abs(difference(loser) + (given == 'W' ? 1 : -1)) > 2) ++over;
        const std::string colours = played(loser);
        if (colours.size() >= 2 && colours.substr(colours.size() - 2) == std::string(2, given)) ++third;
      }
    }
    for (const std::size_t back : {0U, 1U}) {
      if (points(a) == points(b)) continue;
      const std::size_t upper = points(a) > points(b) ? a : b;
      const std::size_t lower = upper == a ? b : a;
      if (floated(upper, back) < 0) repeats[2 * back].push_back(points(upper) - points(lower));
      if (floated(lower, back) > 0) {
        ++count[2 * back + 1];
        repeats[2 * back + 1].push_back(points(upper) - points(lower));
      }
    }
  }
  for (const std::size_t p : part.down) {
    for (const std::size_t back : {0U, 1U}) {
      if (floated(p, back) >= 0) continue;
      ++count[2 * back];
      repeats[2 * back].push_back(points(p) - (score - 2));
    }
  }
  Weight weight{over, third, denied, strong, count[0], count[1], count[2], count[3]};
  for (const auto& values : repeats) append_sorted(weight, values, 20);
  return weight;
}

inline Pairs as_pairs(const SwissRound& round) {
  Pairs pairs;
  for (const auto& [white, black] : round.pairs) pairs.emplace_back(std::min(white, black), std::max(white, black));
  if (round.bye) pairs.emplace_back(*round.bye, nobody);
  return pairs;
}

}  // namespace referee::test::swiss
