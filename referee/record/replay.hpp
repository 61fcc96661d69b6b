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
  int event = 0;         // number of the event in the game, from 1; 0: the outcome of the game
  std::string recorded;  // JSON: the rulings, or the outcome
  std::string ruled;
};

/// Called for each event with what is ruled now, before it is compared; the game stands after the event.
using ReplayWitness = std::function<void(int number, const EventJudged& recorded, const game::Rulings& ruled, const game::Game& game)>;

/// Throws std::invalid_argument if the set-up's opening moves are not legal.
[[nodiscard]] std::optional<ReplayDifference> replay(const RecordedGame& recorded, const std::shared_ptr<const laws::Edition>& edition,
                                                     const ReplayWitness& witness = {});

}  // namespace referee::record
