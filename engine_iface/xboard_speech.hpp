// What a line of an XBoard engine is: the current commands and the legacy forms that are still recognised (PROTOCOLS 1.6, 1.7, 1.8). Pure
// reading: what a thing means depends on the game and is XboardProtocol's business.
#pragma once

#include <string_view>
#include <variant>

#include "engine_iface/protocol.hpp"

namespace referee::engine::speech {

enum class MoveForm : std::uint8_t { command /* move M */, numbered /* 12. ... M */ };
struct Move {
  std::string_view text;
  MoveForm form;
};
struct Feature {
  std::string_view settings;
};
struct Pong {
  std::string_view number;
};
struct DrawOffer {
  bool in_prose;
};                 // "offer draw", or both words in some line
struct Resign {};  // the engine itself
/// A result, as PGN code or legacy prose. `loser_resigns`: the comment says so.
struct Result {
  int white_score = 0, black_score = 0;
  bool loser_resigns = false;
  bool legacy = false;
};
struct NoResult {};  // "*": refuses to go on, claims nothing
enum class Mates : std::uint8_t { engine, opponent, side_to_move_is_mated };
struct MateClaim {
  Mates who;
};  // legacy: depends on who plays what
struct IllegalMove {
  std::string_view move;
};  // move or command, may be empty
struct Error {
  std::string_view reason, command;
};
struct UserError {
  std::string_view text;
};
struct Thinking {};
struct Continuation {};  // four or more leading blanks, and no answer behind them
struct Ignored {};       // comments, tell*, hints: part of the protocol, nothing to do
struct Noise {};         // anything else
using Speech = std::variant<Noise, Ignored, Move, Feature, Pong, DrawOffer, Resign, Result, NoResult, MateClaim, IllegalMove, Error,
                            UserError, Thinking, Continuation>;

/// `line` has no line end and no trailing blanks; the views point into it.
[[nodiscard]] Speech classify(std::string_view line) noexcept;

/// A thinking line, with extra fields, glued ply marks and fail marks.
[[nodiscard]] SearchInfo parse_thinking(std::string_view line);
/// Its depth alone.
[[nodiscard]] std::optional<int> thinking_depth(std::string_view line) noexcept;

}  // namespace referee::engine::speech
