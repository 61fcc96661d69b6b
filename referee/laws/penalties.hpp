// Illegal moves: what the first, second, third costs (7.4 of 2005, 7.5, A.4, B.4) and which move must replace one (4.3, 4.4c).
#pragma once

#include <string_view>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/laws/edition.hpp"

namespace referee::laws {

/// Rapid or blitz under adequate supervision, in an edition that plays it by the standard procedure then (A.3, B.2 of 2014 and later).
[[nodiscard]] bool follows_standard_procedure(const Edition& edition, Category category, Supervision supervision) noexcept;
/// The rule in force for a category of play. Rapid and blitz under adequate supervision follow the standard procedure with times of their
/// own.
[[nodiscard]] IllegalMoveRule illegal_move_rule(const Edition& edition, Category category, Supervision supervision) noexcept;
/// Subject (key of the edition's articles) the rule stands under.
[[nodiscard]] std::string_view illegal_move_subject(const Edition& edition, Category category, Supervision supervision) noexcept;

/// Does the arbiter step in although only the opponent may claim an illegal move? B6 of 2005: when a promotion is left unfinished. Not
/// where the claim is one of the game (C3): then nothing is restored.
[[nodiscard]] bool arbiter_intervenes(const IllegalMoveRule& rule, bool promotion_unfinished) noexcept;

/// Moves that may replace the rejected one; empty = any legal move. What was touched is read from the text: its first square, or the king
/// for castling. `chess960`: castling is written as king takes own rook.
///   castling (4.4c): the king must move if it can, to the other side too
///   own piece        must move if it can; else the enemy piece on the second square must be captured if it can (4.3c)
///   enemy piece      must be captured if it can (4.3b)
[[nodiscard]] std::vector<chess::Move> replacement_moves(const chess::Position& position, std::string_view rejected);

/// Does the text stand for "no move": a press of the clock without one (7.5.3)?
[[nodiscard]] bool is_null_move(std::string_view text) noexcept;

}  // namespace referee::laws
