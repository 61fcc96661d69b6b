// Events, rulings and positions in words, for people: `case --explain`, `replay`, the arbiter's desk. Nothing parses this text.
#pragma once

#include <string>

#include "referee/chess/position.hpp"
#include "referee/game/event.hpp"
#include "referee/game/ruling.hpp"

namespace referee::game {

/// "White's move: e2e4", "Black claims a draw: threefold with Nf6", "order: add_time for White 120 s"; without the time stamp.
[[nodiscard]] std::string describe(const EventBody& event);
/// "illegal move 1 of White (e1g1): restored, Black is given 120 s (7.5.5)".
[[nodiscard]] std::string describe(const Ruling& ruling);
/// "9:58.5", "1:00:00", "-0:01"; "no clock".
[[nodiscard]] std::string describe_time(Duration time);
/// Eight ranks with coordinates, White at the bottom, and whose move it is; nine lines, no final newline.
[[nodiscard]] std::string diagram(const chess::Position& position);

}  // namespace referee::game
