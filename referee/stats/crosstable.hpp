// Crosstables: everybody against everybody (round-robins, gauntlets), or round by round (Swiss).
#pragma once

#include <string>
#include <vector>

#include "referee/stats/table.hpp"
#include "referee/stats/tie_breaks.hpp"

namespace referee::stats {

enum class CrosstableForm {
  matrix,     // a column an opponent: each game's result while they are few, else the points of both
  rounds,     // a column a round: opponent's rank, colour, result ("12w1", "bye", "walkover")
  automatic,  // rounds where each plays one encounter a round and most have not met; matrix up to 60 players; else standings
  standings,  // neither
};

struct Crosstable {
  std::vector<Placing> order;                    // best first
  std::vector<TieBreaks> values;                 // by player
  Table table;                                   // rank, player, points, games, won, drawn, lost, score %, columns of the form, tie-breaks
  CrosstableForm form = CrosstableForm::matrix;  // what automatic came to
};

/// `names`: by player. `order`: which tie-breaks decide, and are shown, in this order.
[[nodiscard]] Crosstable crosstable(const Tournament& tournament, const std::vector<std::string>& names, const std::vector<TieBreak>& order,
                                    FirstBy first, CrosstableForm form);

/// Hundredths as people write points: "12.5", "12", "0.25".
[[nodiscard]] std::string points_text(std::int64_t hundredths);
/// A tie-break's value as people write it; empty for the direct encounter, which has none of its own.
[[nodiscard]] std::string value_text(const TieBreaks& values, TieBreak tie_break);

}  // namespace referee::stats
