// How a record says in words that its game ended: in its Termination tag, or in its last comment.
#pragma once

#include <optional>
#include <string>

#include "referee/chess/types.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

enum class SaidReason {
  checkmate,
  stalemate,
  repetition,
  no_progress,  // fifty or seventy-five moves
  insufficient_material,
  dead_position,
  agreement,
  time,
  both_flags,
  resignation,
  forfeit,  // an illegal move, a crash, a connection that broke: whatever one side alone does
  adjudication,
};

struct SaidEnd {
  SaidReason reason = SaidReason::adjudication;
  std::optional<chess::Color> winner;
  bool is_draw = false;  // neither this nor a winner: the words leave it open
  std::string words;     // as they stand in the record
};

/// Known are the wordings of cutechess, fastchess, c-chess-cli, lichess, chess.com and FICS, and our own. nullopt for any others, and for
/// the values of the PGN standard ("normal", "time forfeit" ...).
[[nodiscard]] std::optional<SaidEnd> said_in_termination(const PgnGame& game);
[[nodiscard]] std::optional<SaidEnd> said_in_last_comment(const PgnGame& game);

}  // namespace referee::record
