// A recorded game judged again: do the rulings of the journal follow from its events.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "referee/laws/edition.hpp"
#include "referee/record/journal.hpp"

namespace referee::record {

/// The first place where the judge rules otherwise than the journal says; what comes after is not comparable any more.
struct ReplayDifference {
  int event = 0;         // number of the event in the game, from 1; 0: the row of the game, or its outcome
  std::string recorded;  // JSON: the rulings, the outcome, or what the row has another way
  std::string ruled;
};

/// May a game that is over be without the end that the record has of it: the match is just writing it, or was cut off there.
enum class EndOfGame { may_be_due, is_recorded };

/// Called for each event with what is ruled now, before it is compared; the game stands after the event.
using ReplayWitness = std::function<void(int number, const EventJudged& recorded, const game::Rulings& ruled, const game::Game& game)>;

/// The row is held against the game's start (players, round, pair, opening, instant) and against what is ruled (outcome, plies, duration);
/// the columns of all rows against each other are audit()'s (journal_audit.hpp). Throws std::invalid_argument if the set-up's opening moves
/// are not legal.
[[nodiscard]] std::optional<ReplayDifference> replay(const RecordedGame& recorded, const std::shared_ptr<const laws::Edition>& edition,
                                                     const ReplayWitness& witness = {}, EndOfGame end = EndOfGame::may_be_due);

}  // namespace referee::record
