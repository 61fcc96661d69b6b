// Move text in and out: UCI, SAN and long algebraic (PGN standard 8.2.3; UCI text; LAWS appendix E for other languages).
//
//   auto read = read_uci(position, "e2e4", Castling::king_two_squares);
//   if (const Move* move = std::get_if<Move>(&read)) ...
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "referee/chess/position.hpp"

namespace referee::chess {

/// How castling is written in coordinate notation.
enum class CastlingText { king_two_squares /* e1g1, standard chess */, king_takes_rook /* e1h1, Chess960 */ };

enum class MoveTextFault {
  malformed,          // not move text at all (also 0000, (none), NULL)
  illegal,            // well formed, but no legal move
  ambiguous,          // SAN that fits two legal moves
  promotion_missing,  // a legal promotion but for the missing piece (article 7.5.2)
};
struct MoveTextError {
  MoveTextFault fault;
  std::string message;
};
/// `note` names what was tolerated ("upper-case promotion letter", "castling written as king takes rook"); empty otherwise.
struct ReadMove {
  Move move;
  std::string note;
};
using MoveText = std::variant<ReadMove, MoveTextError>;

/// Exact UCI form, with the tolerances of PROTOCOLS 2.3 and 2.5 (upper-case promotion, other castling form when it can only mean castling).
[[nodiscard]] MoveText read_uci(const Position& position, std::string_view text, CastlingText castling);
/// SAN, lenient on reading (0-0, missing x, =, +, (Q), e.p., long algebraic, over-disambiguation): advisory signs are never trusted.
[[nodiscard]] MoveText read_san(const Position& position, std::string_view text);
/// What XBoard engines send: coordinate text or SAN, O-O in both (PROTOCOLS 1.6).
[[nodiscard]] MoveText read_xboard(const Position& position, std::string_view text, CastlingText castling);

/// Needs: move is legal in position (all writers).
[[nodiscard]] std::string to_uci(const Position& position, Move move, CastlingText castling);
[[nodiscard]] std::string to_san(const Position& position, Move move);
[[nodiscard]] std::string to_long_algebraic(const Position& position, Move move);  // "Ng1-f3", "e5xd6", "e7-e8=Q+"
/// Appends, without a temporary; for the answer path.
void append_uci(std::string& out, const Position& position, Move move, CastlingText castling);
void append_san(std::string& out, const Position& position, Move move);

}  // namespace referee::chess
