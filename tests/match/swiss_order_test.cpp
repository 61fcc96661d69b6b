// The order in which C.04.3, D generates candidates, followed candidate by candidate: of equally good pairings the first must be chosen.
#include <map>

#include "tests/match/swiss_checker.hpp"

using namespace referee;
using namespace referee::test::swiss;

namespace {

// The sequence in which D generates candidates -----------------------------------------------------------------------------

using Places = std::vector<std::size_t>;  // BSN less one

/// D.2: which places the first half gives to the second and gets for them.
struct Exchange {
  Places down, up;  // ascending
};
bool comes_before(const Exchange& a, const Exchange& b) {
  if (a.down.size() != b.down.size()) return a.down.size() < b.down.size();
  const auto sum = [](const Places& places) { return std::accumulate(places.begin(), places.end(), std::size_t{0}); };
  const std::size_t one = sum(a.up) - sum(a.down);
  const std::size_t other = sum(b.up) - sum(b.down);
  if (one != other) return one < other;
  const Places falling(a.down.rbegin(), a.down.rend());
  const Places its(b.down.rbegin(), b.down.rend());
  if (falling != its) return falling > its;
  return a.up < b.up;
}

void every_choice(std::size_t from, std::size_t to, std::size_t count, Places& chosen, const std::function<void()>& tell) {
  if (count == 0) return tell();
  for (std::size_t i = from; i + count <= to; ++i) {
    chosen.push_back(i);
    every_choice(i + 1, to, count - 1, chosen, tell);
    chosen.pop_back();
  }
}

/// B.6: candidates of a homogeneous bracket or remainder in their order, each as its pairs and whoever is left.
void homogeneous_candidates(const std::vector<std::size_t>& bracket, const std::function<void(const Pairs&)>& tell) {
  const std::size_t pairs = bracket.size() / 2;
  std::vector<Exchange> exchanges;
  for (std::size_t size = 0; size <= pairs; ++size) {
    Exchange exchange;
    every_choice(0, pairs, size, exchange.down,
                 [&] { every_choice(pairs, bracket.size(), size, exchange.up, [&] { exchanges.push_back(exchange); }); });
  }
  std::ranges::sort(exchanges, comes_before);
  for (const Exchange& exchange : exchanges) {
    Places first, second;
    for (std::size_t i = 0; i < bracket.size(); ++i) {
      const bool up = i < pairs ? !std::ranges::binary_search(exchange.down, i) : std::ranges::binary_search(exchange.up, i);
      (up ? first : second).push_back(i);
    }
    do {  // D.1; at most one player is left over, so that the first N1 numbers decide the rest
      Pairs candidate;
      for (std::size_t i = 0; i < pairs; ++i) candidate.emplace_back(bracket[first[i]], bracket[second[i]]);
      if (second.size() > pairs) candidate.emplace_back(bracket[second.back()], nobody);
      tell(candidate);
    } while (std::ranges::next_permutation(second).found);
  }
}

/// B.7 where all who moved down are paired: with every choice of residents for them in order, every candidate of the remainder.
void heterogeneous_candidates(const std::vector<std::size_t>& moved, const std::vector<std::size_t>& residents, Pairs& begun,
                              const std::function<void(const Pairs&)>& tell) {
  if (begun.size() == moved.size()) {
    std::vector<std::size_t> rest;
    std::ranges::copy_if(residents, std::back_inserter(rest),
                         [&](std::size_t p) { return std::ranges::none_of(begun, [p](const auto& pair) { return pair.second == p; }); });
    return homogeneous_candidates(rest, [&](const Pairs& remainder) {
      Pairs whole = begun;
      whole.insert(whole.end(), remainder.begin(), remainder.end());
      tell(whole);
    });
  }
  for (const std::size_t resident : residents) {
    if (std::ranges::any_of(begun, [resident](const auto& pair) { return pair.second == resident; })) continue;
    begun.emplace_back(moved[begun.size()], resident);
    heterogeneous_candidates(moved, residents, begun, tell);
    begun.pop_back();
  }
}

/// B.8: of the candidates that C1 to C4 allow, the best by C8 to C19, and among equals the one generated first.
std::optional<Pairs> chosen_by_sequence(const Tournament& tournament, const std::vector<std::size_t>& moved,
                                        const std::vector<std::size_t>& residents) {
  const Weigher weigher(tournament, {});
  const int score = tournament.ledger.players[residents.front()].points;
  std::optional<Weight> least;
  std::optional<Pairs> found;
  Pairs begun;
  heterogeneous_candidates(moved, residents, begun, [&](const Pairs& candidate) {
    if (!std::ranges::all_of(candidate, [&](const auto& pair) { return tournament.allowed(pair.first, pair.second); })) return;
    Part part;
    for (const auto& [a, b] : candidate) {
      if (b == nobody)
        part.down.push_back(a);
      else
        part.pairs.emplace_back(a, b);
    }
    Weight weight = weigher.after_next(part, score);
    if (least && *least <= weight) return;
    least = std::move(weight);
    found = candidate;
  });
  return found;
}

/// One bracket of players with a history: who has met whom, colours, floats and byes as they may come, nobody a topscorer.
Tournament bracket_of(std::size_t moved, std::size_t residents, unsigned seed) {
  Tournament tournament({.players = moved + residents, .rounds = 99, .seed = seed, .draws = 0});
  std::mt19937 random(seed);
  const auto one_in = [&random](unsigned count) { return random() % count == 0; };
  auto& players = tournament.ledger.players;
  tournament.ledger.rounds = 4;
  for (std::size_t p = 0; p < players.size(); ++p) {
    auto& player = players[p];
    player.points = p < moved ? (p == 0 && one_in(2) ? 6 : 5) : 4;
    for (int round = 0; round < 4; ++round) {
      const int d = difference(player);
      const auto size = player.colours.size();
      char colour = one_in(2) ? 'W' : 'B';
      if (d > 1) colour = 'B';
      if (d < -1) colour = 'W';
      if (size >= 2 && player.colours[size - 1] == colour && player.colours[size - 2] == colour) colour = colour == 'W' ? 'B' : 'W';
      player.colours += colour;
      player.floats.push_back(one_in(3) ? 1 : one_in(4) ? -1 : 0);
    }
    player.byes = one_in(3) ? 1 : 0;
  }
  for (std::size_t a = 0; a < players.size(); ++a) {
    for (std::size_t b = a + 1; b < players.size(); ++b) {
      const bool both_moved = b < moved;  // else they would be paired above
      if (!both_moved && !one_in(3)) continue;
      players[a].met.insert(b);
      players[b].met.insert(a);
    }
  }
  return tournament;
}

}  // namespace

TEST_CASE("exchanges are put in the order of the Handbook's own examples", "[swiss]") {
  // C.04.3, D.2 (Baku 2016), numbers from 1 as there.
  const auto exchange = [](std::initializer_list<std::size_t> down, std::initializer_list<std::size_t> up) { return Exchange{down, up}; };
  CHECK(comes_before(exchange({5}, {9}), exchange({4, 5}, {6, 7})));                     // a: one before two
  CHECK(comes_before(exchange({4}, {6}), exchange({5}, {8})));                           // b: 6 with 4 before 8 with 5
  CHECK(comes_before(exchange({3, 4}, {6, 8}), exchange({4, 5}, {8, 9})));               // b: 8+6 with 4+3 before 9+8 with 5+4
  CHECK(comes_before(exchange({5}, {7}), exchange({4}, {6})));                           // c: 5 before 4
  CHECK(comes_before(exchange({2, 5}, {6, 7}), exchange({3, 4}, {6, 7})));               // c: 5-2 before 4-3
  CHECK(comes_before(exchange({1, 4, 5}, {6, 7, 8}), exchange({2, 3, 5}, {6, 7, 8})));   // c: 5-4-1 before 5-3-2
  CHECK(comes_before(exchange({4, 5}, {6, 9}), exchange({4, 5}, {7, 8})));               // d: 6-9 before 7-8
  CHECK(comes_before(exchange({3, 4, 5}, {6, 7, 10}), exchange({3, 4, 5}, {6, 8, 9})));  // d: 6-7-10 before 6-8-9
  // D.1: 720 transpositions of an 11-player bracket, from 6-7-8-9-10 to 11-10-9-8-7, before the first exchange.
  std::vector<std::size_t> eleven(11);
  std::iota(eleven.begin(), eleven.end(), std::size_t{1});
  std::vector<Places> partners;
  homogeneous_candidates(eleven, [&](const Pairs& candidate) {
    if (partners.size() > 721) return;
    Places row;
    for (const auto& [a, b] : candidate) {
      if (b != nobody) row.push_back(b);
    }
    partners.push_back(row);
  });
  CHECK(partners[0] == Places{6, 7, 8, 9, 10});
  CHECK(partners[1] == Places{6, 7, 8, 9, 11});
  CHECK(partners[2] == Places{6, 7, 8, 10, 9});
  CHECK(partners[719] == Places{11, 10, 9, 8, 7});
  CHECK(partners[720] == Places{5, 7, 8, 9, 10});  // 5 and 6 have changed places
}

TEST_CASE("of equally good pairings the first in the sequence of D is chosen", "[swiss]") {
  std::map<bool, int> compared;  // with players moved down, without
  int exchanged = 0;
  int impossible = 0;
  for (unsigned seed = 1; seed <= 700; ++seed) {
    const std::size_t moved = seed % 3;
    const std::size_t residents = seed % 35 == 0 ? 9 - moved % 2 : 5 + seed / 3 % 4;
    const Tournament tournament = bracket_of(moved, residents, seed);
    std::vector<std::size_t> above(moved), home(residents);
    std::iota(above.begin(), above.end(), std::size_t{0});
    std::iota(home.begin(), home.end(), moved);
    const auto expected = chosen_by_sequence(tournament, above, home);
    const SwissRound round = tournament.pair();
    if (!expected) {
      ++impossible;
      if (moved == 0) CHECK_FALSE(round.possible);
      continue;
    }
    INFO("seed " << seed << ": " << moved << " moved down to " << residents);
    REQUIRE(round.possible);
    Pairs sorted;
    for (const auto& [a, b] : *expected) sorted.emplace_back(std::min(a, b), std::max(a, b));
    std::ranges::sort(sorted);
    Pairs actual = as_pairs(round);
    std::ranges::sort(actual);
    CHECK(actual == sorted);
    ++compared[moved > 0];
    if (moved == 0) {
      const std::size_t half = residents / 2;
      if (std::ranges::any_of(actual,
                              [half](const auto& pair) { return pair.second != nobody && (pair.second < half || pair.first >= half); }))
        ++exchanged;
    }
  }
  CHECK(compared[false] > 150);
  CHECK(compared[true] > 200);
  CHECK(exchanged > 30);  // the deeper order was asked for
  CHECK(impossible > 5);
}
