// The plan of a match as far as its journal has brought it, for those who do not play it.
#pragma once

#include <optional>

#include "config/match_file.hpp"
#include "referee/match/plan.hpp"
#include "referee/record/fact.hpp"

namespace referee::match {

/// The plan as far as it is determined: with what a journal of the match holds already (added engines, results of earlier rounds). Throws
/// config::ConfigException and BookException; a journal that cannot be read is left to play() to complain of.
[[nodiscard]] MatchPlan plan_so_far(config::MatchFile file);
/// The same, of a plan that was that once: only what has come since is drawn up, and what stands stays. Needs: the match had begun then.
void bring_to_now(MatchPlan& plan);
/// A match whose journal is there, and which is not played now, has something left to do: `run` would not just show its results. Throws as
/// plan_so_far(), and MatchRefused when file and journal are of different matches.
[[nodiscard]] bool has_games_left(config::MatchFile file);
/// What is to be recorded with the new result of a finished game of a match that is not played now, where later games were drawn up from
/// the one it had. Throws as plan_so_far().
[[nodiscard]] std::optional<record::ResultChanged> change_of(config::MatchFile file, int game, const std::optional<game::Outcome>& before);

}  // namespace referee::match
