// The two events that a journal is full of, written short: a turn begins; a move is received and simply accepted. A JSON array each:
//
//   ["w",AT]                                    White's turn has begun
//   ["b",AT,"e7e5","e5",USED,LEFT,LAG]          Black's move in UCI and in SAN
//   ["b",AT,"e7e5","e5",USED,LEFT,LAG,DEPTH,SELECTIVE_DEPTH,CENTIPAWNS,MATE,NODES,NODES_PER_SECOND,TABLEBASE_HITS,TIME,"PV"]
//
// Times are whole nanoseconds: AT since the game began, USED as charged, LEFT on the mover's clock (null: none), LAG of the referee. What
// is not known is null, and left out at the end of the search's report. "wx", "bx": the move came as XBoard text. A castling or en passant
// move has after a blank what tells it from other moves of the king or pawn: "e1g1 e1h1c", "e5d6 e5d6e". Any other event is an object,
// fact.hpp.
#pragma once

#include <string>
#include <string_view>

#include "referee/record/fact.hpp"

namespace referee::record {

/// False, with nothing appended, if the event is more than one of the two.
[[nodiscard]] bool append_turn(std::string& out, const EventJudged& judged);
/// The exact inverse; the number of the game is not in the text. False, with `out` in any state, for any other text.
[[nodiscard]] bool read_turn(std::string_view text, EventJudged& out);

}  // namespace referee::record
