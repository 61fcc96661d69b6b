// Schedules whose later games depend on the results of the earlier ones: Swiss and knockout. A pure function draws up the games that
// follow, round by round, from what has been played; so a match that goes on after any interruption draws up the same games again.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "config/match_file.hpp"
#include "referee/game/outcome.hpp"
#include "referee/match/schedule.hpp"

namespace referee::match {

/// A game of the schedule and what became of it.
struct ScheduledGame {
  Pairing pairing;
  enum class Fate { scored, not_played /* void, before anybody won or lost it: who is still there takes the points */ };
  Fate fate = Fate::scored;
  game::Score score;  // as played
};

/// From which game on, and up to which, an engine is drawn up: late entries and withdrawals.
struct Presence {
  int from = 0;                                 // games that were planned when it entered
  int until = std::numeric_limits<int>::max();  // games that were planned when it was withdrawn
  [[nodiscard]] bool at(int planned) const noexcept { return from <= planned && planned < until; }
  friend bool operator==(const Presence&, const Presence&) = default;
};

/// Points of a Swiss tournament that nobody played for.
struct Gift {
  enum class Why { bye, walkover /* the opponent was withdrawn */ };
  int round = 1;
  std::size_t engine = 0;
  int games = 1;  // that it stands for: each brings a whole point
  Why why = Why::bye;
  friend bool operator==(const Gift&, const Gift&) = default;
};

/// An encounter of a knockout, with all its games.
struct Duel {
  enum class By { points, draw_for_black /* in the deciding game */, lot, seed, withdrawal };
  int round = 1;
  std::size_t first = 0, second = 0;        // engines, the better seed first
  int first_points = 0, second_points = 0;  // in hundredths
  std::optional<std::size_t> winner;        // engine
  By by = By::points;                       // where there is a winner
  friend bool operator==(const Duel&, const Duel&) = default;
};

struct NextRound {
  std::vector<Pairing> games;           // none: the schedule is complete
  std::optional<std::size_t> bye;       // engine that sits out (Swiss)
  std::string note;                     // what a user should know: why it ends early
  std::vector<Gift> gifts;              // of all rounds so far, and this one's bye (Swiss)
  std::vector<Duel> duels;              // of all rounds so far and this one (knockout)
  std::optional<std::size_t> champion;  // engine that has won the knockout
};

/// Ranking that a Swiss or knockout schedule starts from: indices of engines, the strongest first. By the rating list where the file
/// names one (engines it does not know come last, in the order of the file), else as the file lists them. Throws config::ConfigException.
[[nodiscard]] std::vector<std::size_t> seeding(const config::MatchFile& file);

/// What the schedule is asked with. `ranking`: of all engines. `presence`: by engine. `last_round`: of a Swiss tournament.
struct ScheduleSoFar {
  const config::MatchFile& file;
  const std::vector<std::size_t>& ranking;
  const std::vector<ScheduledGame>& games;  // all of them are over
  const std::vector<Presence>& presence;
  int last_round = 1;
};
/// Needs: file.schedule.kind is swiss or knockout.
[[nodiscard]] NextRound next_round(const ScheduleSoFar& so_far);

/// Rounds of a Swiss tournament by the file: what it says, else as many as a knockout of the field would have.
[[nodiscard]] int swiss_rounds(const config::MatchFile& file);

}  // namespace referee::match
