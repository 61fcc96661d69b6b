// What PGN comments say: a search's evaluation and the times of a move, and the rulings that are not plain.
#pragma once

#include <string>

#include "referee/record/pgn.hpp"

namespace referee::record {

/// H:MM:SS with up to three decimals, rounded down: "0:00:09.9".
void append_clock_time(std::string& out, game::Duration time);

/// Appends the comment on a move: `[%eval 0.30,13] [%clk 0:00:09.9] [%emt 0:00:00.28]` or `+0.30/13 0.28s`; nothing for PgnComments::none.
void annotate_move(std::string& out, const game::MoveAccepted& move, const std::optional<SearchReport>& search, const PgnStyle& style);

/// A sentence for each ruling on `event` that a reader of the game must know of, with its article; "" for a plain one.
[[nodiscard]] std::string annotate_ruling(const game::Event& event, const game::Ruling& ruling);
/// What an arbiter ordered, who and why; "" for other events.
[[nodiscard]] std::string annotate_order(const game::Event& event);

}  // namespace referee::record
