// A knockout for people: its rounds, who went on and why, its winner, and the order of those who did not win.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/match/plan.hpp"
#include "referee/match/standings.hpp"

namespace referee::match {

[[nodiscard]] std::string_view name(Duel::By by) noexcept;  // "points" "draw_for_black" "lot" "seed" "withdrawal"

/// Ranks the rows by how far their engines came: the winner, who lost the final, who lost in the round before. Those of one round share
/// their rank; who is still in it stands before all others. `engines`: names, by index.
void rank_by_rounds(std::vector<StandingsRow>& rows, const Course& course, const std::vector<std::string>& engines);

/// "round 1", "  A - H  2 - 0  A goes on", ..., "winner: A". Nothing without duels.
[[nodiscard]] std::vector<std::string> bracket_lines(const Course& course, const std::vector<std::string>& engines);

}  // namespace referee::match
