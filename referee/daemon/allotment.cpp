#include "referee/daemon/allotment.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace referee::daemon {

namespace {

/// Indices of the claims, the first served first.
std::vector<std::size_t> in_order(const std::vector<CoreClaim>& claims) {
  std::vector<std::size_t> order(claims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return claims[a].priority > claims[b].priority; });
  return order;
}

}  // namespace

std::vector<int> fair_shares(const std::vector<CoreClaim>& claims, int cores) {
  std::vector<int> shares(claims.size(), 0);
  const std::vector<std::size_t> order = in_order(claims);
  int free = cores;
  bool anything = false;
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::size_t i) { return claims[i].priority != claims[*first].priority; });
    for (bool given = true; given;) {  // a game each in turn, while there is room
      given = false;
      for (auto at = first; at != last; ++at) {
        const CoreClaim& claim = claims[*at];
        if (shares[*at] >= claim.most || (claim.threads > free && anything)) continue;
        ++shares[*at];
        free -= claim.threads;
        anything = given = true;
      }
    }
    first = last;
  }
  return shares;
}

std::vector<int> allot(const std::vector<CoreClaim>& claims, int cores) {
  std::vector<int> allowed = fair_shares(claims, cores);
  int free = cores;
  bool anything = false;
  for (const CoreClaim& claim : claims) {
    free -= claim.held * claim.threads;
    anything = anything || claim.held > 0;
  }
  for (const std::size_t i : in_order(claims)) {
    const CoreClaim& claim = claims[i];
    if (allowed[i] <= claim.held) continue;
    int more = std::clamp(free / claim.threads, 0, allowed[i] - claim.held);
    if (more == 0 && !anything) more = 1;
    anything = anything || more > 0;
    allowed[i] = claim.held + more;
    free -= more * claim.threads;
  }
  return allowed;
}

}  // namespace referee::daemon
