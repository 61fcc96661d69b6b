// What a journal leaves of a plan: the games that are still to be played, and what the match knows by those that were.
#pragma once

#include <set>

#include "referee/match/games_to_play.hpp"
#include "referee/match/plan.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// Games that are void, of the engines that play now: an engine that took another's place plays its games.
[[nodiscard]] std::set<int> voided_games(const record::Journal& journal, const MatchPlan& plan);

/// It has an outcome that counts.
[[nodiscard]] bool is_finished(const record::GameRow& row);

/// A kill has kept from the record what GamesToPlay::begin() brings to its end: a withdrawal, or games that are void by one or by a
/// verdict. Then there is something to do even if no game is left.
[[nodiscard]] bool is_half_done(const MatchPlan& plan, const WhatIsLeft& left);

/// A sequential test goes on: its games are drawn up one by one, without end.
[[nodiscard]] bool is_endless(const MatchPlan& plan, const WhatIsLeft& left);

/// There is something to do: a game to be played or drawn up, or what is half done.
[[nodiscard]] bool is_anything_left(const MatchPlan& plan, const WhatIsLeft& left);

/// What is left of the plan, given what the journal holds; a plan that grows with its results grows by it. Throws MatchRefused when the two
/// are of different matches.
[[nodiscard]] WhatIsLeft what_is_left(MatchPlan& plan, const record::Journal& journal, Arbiter arbiter);

}  // namespace referee::match
