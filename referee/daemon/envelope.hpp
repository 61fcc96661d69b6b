// A sealed move is the arbiter's and its author's alone until the envelope is opened: viewers are told that it was sealed, and what it is
// when it is played. The journal has it all along.
#pragma once

#include "referee/record/fact.hpp"

namespace referee::daemon {

/// Whether this event put a move into the envelope.
[[nodiscard]] bool seals_a_move(const record::EventJudged& judged) noexcept;
/// That event without the move; any other as it is.
[[nodiscard]] record::EventJudged with_closed_envelope(record::EventJudged judged);

}  // namespace referee::daemon
