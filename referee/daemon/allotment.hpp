// Who may have how many games at once: the machine's cores shared among matches by priority. Pure arithmetic.
#pragma once

#include <vector>

namespace referee::daemon {

struct CoreClaim {
  int priority = 0;  // higher is served first; equals share in turn, the earlier claim first
  int threads = 1;   // cores that one game of it keeps busy
  int most = 1;      // games it could play at once: its own limit, or what is left of it; 0 = it wants nothing
  int held = 0;      // games it plays now, or has been allowed and is about to start
};

/// Games at once for each claim if everything could be had at once. What is claimed first gets one game even if that alone takes more
/// than `cores`.
[[nodiscard]] std::vector<int> fair_shares(const std::vector<CoreClaim>& claims, int cores);

/// What each may have from this instant on: its fair share, but nothing that others still hold. Who holds more than its share may start
/// no game until it is back at it (the number given is then the share).
[[nodiscard]] std::vector<int> allot(const std::vector<CoreClaim>& claims, int cores);

}  // namespace referee::daemon
