// A knockout: the field is halved round by round. The first of the ranking meets the last, and so on, so that the two strongest can
// meet in the final only; or the places are drawn. Where the field is no power of two, the first places have no opponent in round one.
//
// An encounter is decided by its points; while it is level, the two play further pairs of games (schedule.extra_pairs), then the last
// resort decides: one game in which a draw counts for Black, the lot, or the better seed.
#pragma once

#include <cstddef>
#include <vector>

#include "referee/match/rounds.hpp"

namespace referee::match {

/// The games that follow: of the next round, or the tie-breaks of this one. A round's encounters are drawn up together, and so are its
/// tie-breaks, so that the numbers of games do not depend on which encounter ended first.
[[nodiscard]] NextRound next_knockout_round(const ScheduleSoFar& so_far);

/// Places of a bracket by seed, from 0: neighbours meet. For 8: 0 7 3 4 1 6 2 5. Needs: `places` is a power of two.
[[nodiscard]] std::vector<std::size_t> bracket_places(std::size_t places);

}  // namespace referee::match
