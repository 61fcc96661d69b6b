// The texts that set a game up for an XBoard engine (PROTOCOLS 1.4, 1.5).
#pragma once

#include <string>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

/// `level MPS BASE INC`: BASE in minutes, or m:ss, whole seconds rounded down and never below one; INC in seconds, with decimals where
/// needed.
void append_level(std::string& out, int moves, Duration base, Duration increment);

/// `st N`: whole_seconds() of told_clock.hpp.
void append_seconds_per_move(std::string& out, Duration per_move);

/// The same for an engine without `st`: `level 1 M`, or m:ss, as GNU Chess 4 wants it.
[[nodiscard]] std::string level_of_seconds(Duration per_move);

/// The `edit` dialogue that puts the position on the board of an engine without `setboard`. `move_prefix` is "usermove " or empty: a dummy
/// move gives Black the move before the pieces are placed.
void append_edit(std::string& out, const chess::Position& position, std::string_view move_prefix);

/// What `edit` cannot say of this position ("castling rights", "en passant", "the half-move clock"); empty if it says all.
[[nodiscard]] std::string lost_in_edit(const chess::Position& position);

/// Coordinate or SAN text of a ply as the engine wants it; castling in Chess960 is O-O, never king takes rook.
void append_xboard_move(std::string& out, const GameLine::Ply& ply, bool chess960, bool san);

}  // namespace referee::engine
