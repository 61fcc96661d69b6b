// Games of other programs' PGN in our form: tags in the standard's order, moves as the standard writes them, ECO and names from our table,
// the engines' comments ("+0.30/13 0.28s") as commands ([%eval 0.30,13] [%emt 0:00:00.28]).
#pragma once

#include <optional>
#include <string>

#include "referee/record/pgn.hpp"

namespace referee::record {

struct NormalisedGame {
  std::string text;    // empty when the game cannot be written
  PgnProblem problem;  // why: place and what is wrong; text "" when all is well
};
/// Variations are not kept. A game that does not end with a result gets "*". Refused: a start that does not read, a move that is not legal.
[[nodiscard]] NormalisedGame normalise(const PgnGame& game, const PgnStyle& style);

/// What an engine's comment says, in centipawns and from the mover's side.
struct EngineComment {
  std::optional<int> centipawns, mate, depth;  // mate in moves, negative when mated
  std::optional<game::Duration> used;
  bool book = false;
  std::string rest;  // what is left to say ("White mates")
};
/// The forms of engine matches: "+0.30/13 0.28s", "-M6/20 1.2s, White mates", "book"; nullopt for any other text.
[[nodiscard]] std::optional<EngineComment> read_engine_comment(std::string_view comment);

}  // namespace referee::record
