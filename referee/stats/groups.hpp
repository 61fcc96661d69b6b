// Which players can be compared. Ratings of maximum likelihood are finite exactly among players who are joined, both ways, by chains of
// "has taken something off" (Ford 1957): those who only won against the others stand above them by an unknown amount.
#pragma once

#include <vector>

#include "referee/stats/meetings.hpp"

namespace referee::stats {

/// Number of the group of each player, 0 the largest (by players, then by games); `players` of them.
[[nodiscard]] std::vector<std::uint32_t> comparable_groups(std::size_t players, const std::vector<Meeting>& meetings);
/// The same for players joined by any game at all: what priors make comparable.
[[nodiscard]] std::vector<std::uint32_t> connected_groups(std::size_t players, const std::vector<Meeting>& meetings);
/// Who is left when those who won all their games, or lost all of them, are taken out with these games, again and again (as Ordo purges).
/// Players without a game are not.
[[nodiscard]] std::vector<PlayerId> without_sweeps(std::size_t players, const std::vector<Meeting>& meetings);

}  // namespace referee::stats
