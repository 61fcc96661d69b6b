// Whose fault the end of a game is, and what the match file lets happen then.
#pragma once

#include "config/match_file.hpp"
#include "engine_iface/protocol.hpp"
#include "referee/game/event.hpp"
#include "referee/game/outcome.hpp"

namespace referee::match {

/// The failure of an engine, as the judge knows it.
[[nodiscard]] game::FailureKind kind_of(engine::FailureKind kind);
/// How a game ends by it. A program that cannot be executed ends with a status that is not 0.
[[nodiscard]] game::Reason reason_of(engine::FailureKind kind);
/// How a game ends that could not begin because of it.
[[nodiscard]] game::Reason reason_of_start(engine::FailureKind kind);
/// Endings that are somebody's fault, whatever the score became.
[[nodiscard]] bool is_fault(game::Reason reason);
/// Whose: of the side that got less; where the score is even (a flag that fell though the opponent cannot win), of the one to move.
[[nodiscard]] chess::Color at_fault(const game::Outcome& outcome, chess::Color to_move);
/// What the match file lets happen after a fault, by the kind of fault.
[[nodiscard]] config::OnFault policy_for(const config::Faults& faults, game::Reason reason);

}  // namespace referee::match
