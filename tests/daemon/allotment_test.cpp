#include "referee/daemon/allotment.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

using referee::daemon::allot;
using referee::daemon::CoreClaim;
using referee::daemon::fair_shares;

namespace {

int cores_of(const std::vector<CoreClaim>& claims, const std::vector<int>& games) {
  int cores = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) cores += claims[i].threads * games[i];
  return cores;
}

}  // namespace

TEST_CASE("cores go to the most urgent match first, what is left to the next", "[allotment]") {
  CHECK(fair_shares({{.priority = 0, .threads = 1, .most = 8}, {.priority = 5, .threads = 1, .most = 3}}, 4) == std::vector<int>{1, 3});
  CHECK(fair_shares({{.priority = 5, .threads = 1, .most = 8}, {.priority = 0, .threads = 1, .most = 8}}, 4) == std::vector<int>{4, 0});
}

TEST_CASE("equals share in turn", "[allotment]") {
  CHECK(fair_shares({{.most = 8}, {.most = 8}}, 4) == std::vector<int>{2, 2});
  CHECK(fair_shares({{.most = 8}, {.most = 1}, {.most = 8}}, 6) == std::vector<int>{3, 1, 2});
}

TEST_CASE("a game of more threads than there are cores is played alone", "[allotment]") {
  CHECK(fair_shares({{.priority = 1, .threads = 8, .most = 4}, {.most = 4}}, 2) == std::vector<int>{1, 0});
  CHECK(allot({{.priority = 1, .threads = 8, .most = 4, .held = 0}, {.most = 4, .held = 1}}, 2)[0] == 0);
}

TEST_CASE("who comes later waits for what others still hold", "[allotment]") {
  // The first plays 4 games of 4 cores when a more urgent match comes: nothing is free, and the first starts no more.
  const std::vector<CoreClaim> claims = {{.priority = 0, .most = 4, .held = 4}, {.priority = 9, .most = 4, .held = 0}};
  CHECK(allot(claims, 4) == std::vector<int>{0, 0});
  const std::vector<CoreClaim> later = {{.priority = 0, .most = 4, .held = 3}, {.priority = 9, .most = 4, .held = 0}};
  CHECK(allot(later, 4) == std::vector<int>{0, 1});
}

TEST_CASE("no allotment ever takes more cores than there are, beyond one game that takes more alone", "[allotment]") {
  std::minstd_rand random(7);
  const auto upto = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
  for (int round = 0; round < 5000; ++round) {
    const int cores = 1 + upto(15);
    std::vector<CoreClaim> claims(static_cast<std::size_t>(1 + upto(5)));
    int held = 0;
    for (CoreClaim& claim : claims) {
      claim = {.priority = upto(3), .threads = 1 + upto(4), .most = upto(6), .held = 0};
      while (upto(2) > 0 && held + claim.threads <= cores && claim.held < claim.most) {
        ++claim.held;
        held += claim.threads;
      }
    }
    const std::vector<int> allowed = allot(claims, cores);
    std::vector<int> worst(claims.size());
    for (std::size_t i = 0; i < claims.size(); ++i) {
      CHECK(allowed[i] <= claims[i].most);
      worst[i] = std::max(allowed[i], claims[i].held);
    }
    const int games = std::accumulate(worst.begin(), worst.end(), 0);
    CHECK((cores_of(claims, worst) <= cores || games == 1));
    // Nothing stands idle while somebody could use it.
    int free = cores - cores_of(claims, worst);
    const std::vector<int> shares = fair_shares(claims, cores);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (worst[i] < shares[i]) CHECK((free < claims[i].threads || held > 0));
    }
  }
}
