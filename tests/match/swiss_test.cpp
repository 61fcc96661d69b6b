// The Swiss pairings against a checker of their own: absolute criteria of thousands of simulated tournaments, and for small fields every
// possible pairing of the round, weighed bracket by bracket in the words of C.04.3.
#include "referee/match/weighted_matching.hpp"
#include "tests/match/swiss_checker.hpp"

using namespace referee;
using namespace referee::test::swiss;

TEST_CASE("a heaviest matching is what trying all finds", "[swiss]") {
  std::mt19937 random(5);
  for (int graph = 0; graph < 300; ++graph) {
    const std::size_t n = 2 + random() % 7;
    match::WeightedMatching<long long> matching(n);
    std::vector<std::vector<long long>> weight(n, std::vector<long long>(n));
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        if (random() % 3 == 0) continue;
        weight[a][b] = weight[b][a] = 1 + static_cast<long long>(random() % 20);
        matching.add_edge(a, b, weight[a][b]);
      }
    }
    std::function<long long(unsigned)> most = [&](unsigned used) -> long long {
      std::size_t a = 0;
      while (a < n && (used >> a & 1U) != 0) ++a;
      if (a == n) return 0;
      long long found = most(used | 1U << a);
      for (std::size_t b = a + 1; b < n; ++b) {
        if ((used >> b & 1U) == 0 && weight[a][b] > 0) found = std::max(found, weight[a][b] + most(used | 1U << a | 1U << b));
      }
      return found;
    };
    const auto partner = matching.solve();
    long long sum = 0;
    for (std::size_t a = 0; a < n; ++a) {
      REQUIRE(partner[partner[a]] == a);
      if (partner[a] > a) {
        REQUIRE(weight[a][partner[a]] > 0);
        sum += weight[a][partner[a]];
      }
    }
    REQUIRE(sum == most(0));
  }
}

TEST_CASE("the first round pairs the upper half with the lower one, colours by turns", "[swiss]") {
  // C.04.3: with no results the one bracket is cut in the middle; 1 v 5, 6 v 2, 3 v 7, 8 v 4 when the lot gives number one White.
  std::vector<SwissPlayer> players(8);
  const SwissRound round = match::pair_swiss_round(players, SwissRules{});
  CHECK(round.pairs == Pairs{{0, 4}, {5, 1}, {2, 6}, {7, 3}});
  CHECK_FALSE(round.bye);
  players.resize(7);
  const SwissRound odd = match::pair_swiss_round(players, SwissRules{});
  CHECK(odd.pairs == Pairs{{0, 3}, {4, 1}, {2, 5}});
  CHECK(odd.bye == std::optional<std::size_t>(6));
}

TEST_CASE("an unpairable round is said to be so", "[swiss]") {
  std::vector<SwissPlayer> players(2);
  players[0].opponents = {1};
  players[1].opponents = {0};
  CHECK_FALSE(match::pair_swiss_round(players, SwissRules{}).possible);
}

TEST_CASE("thousands of Swiss tournaments keep the absolute criteria", "[swiss]") {
  int tournaments = 0;
  int rounds = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    Settings settings{.players = 4 + seed % 13, .rounds = 3 + static_cast<int>(seed / 13 % 5), .seed = seed, .draws = seed % 3 * 0.3};
    settings.rounds = std::min(settings.rounds, static_cast<int>(settings.players) / 2 + 1);
    Tournament tournament(settings);
    for (; tournament.ledger.rounds < settings.rounds; ++rounds) {
      const SwissRound round = tournament.pair();
      if (!round.possible) break;  // completeness is checked below
      check_absolute(tournament, round);
      check_colours(tournament, round);
      tournament.play(round);
    }
    for (std::size_t p = 0; p < settings.players; ++p) {
      const auto& player = tournament.ledger.players[p];
      REQUIRE(player.byes <= 1);
      // Only in the last round topscorers may have the same colour three times, or a difference beyond two.
      auto early = player;
      if (tournament.ledger.rounds == settings.rounds) early.colours.pop_back();
      REQUIRE(std::abs(difference(early)) <= 2);
      const std::string colours = played(early);
      CHECK(colours.find("WWW") == std::string::npos);
      CHECK(colours.find("BBB") == std::string::npos);
    }
    ++tournaments;
  }
  CHECK(tournaments == 2000);
  CHECK(rounds > 7000);
}

TEST_CASE("a small field gets a pairing whenever there is one, and one that nothing beats", "[swiss]") {
  int unpairable = 0;
  int weighed = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const Settings settings{.players = 4 + seed % 5, .rounds = 3 + static_cast<int>(seed / 5 % 4), .seed = seed, .draws = seed % 4 * 0.2};
    Tournament tournament(settings);
    while (tournament.ledger.rounds < settings.rounds) {
      const SwissRound round = tournament.pair();
      std::vector<Pairs> all;
      std::vector<std::size_t> everybody(settings.players);
      std::iota(everybody.begin(), everybody.end(), std::size_t{0});
      Pairs pairs;
      every_pairing(tournament, everybody, pairs, [&all](const Pairs& found) { all.push_back(found); });
      REQUIRE(round.possible == !all.empty());
      if (all.empty()) {
        ++unpairable;
        break;
      }
      Weigher weigher(tournament, all);
      weigher.chosen = as_pairs(round);
      (void)weigher.best();
      INFO("seed " << seed << " round " << tournament.ledger.rounds + 1 << " of " << settings.rounds << ", players " << settings.players);
      CHECK(weigher.chosen_is_best);
      ++weighed;
      tournament.play(round);
    }
  }
  CHECK(unpairable > 0);  // the question was put
  CHECK(weighed > 1000);
}
