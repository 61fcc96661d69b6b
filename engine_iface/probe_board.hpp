// Positions and games that compliance checks ask about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

/// FENs that catch move generators: en passant that uncovers a check, under-promotion, castling past attacks, double check, few legal
/// moves.
[[nodiscard]] const std::vector<std::string_view>& probe_positions();
[[nodiscard]] const std::vector<std::string_view>& probe_chess960_positions();

/// A legal game of that many plies from the start position, always the same; every position in it has a legal move.
[[nodiscard]] GameLine probe_game(std::size_t plies);

/// UCI move texts, blank-separated.
[[nodiscard]] std::string moves_text(const GameLine& line);

}  // namespace referee::engine
