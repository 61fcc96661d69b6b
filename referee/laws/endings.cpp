#include "referee/laws/endings.hpp"

#include <bit>

#include "referee/laws/winnability.hpp"

namespace referee::laws {

using chess::Bitboard;
using chess::Role;

bool insufficient_material(const chess::Position& position) noexcept {
  if ((position.pieces(Role::pawn) | position.pieces(Role::rook) | position.pieces(Role::queen)) != 0) return false;
  const Bitboard knights = position.pieces(Role::knight);
  const Bitboard bishops = position.pieces(Role::bishop);
  if (knights != 0) return std::popcount(knights | bishops) == 1;
  constexpr Bitboard light_squares = 0x55AA55AA55AA55AAULL;
  return (bishops & light_squares) == 0 || (bishops & ~light_squares) == 0;
}

namespace {

bool repeated(const Edition& edition, const RepetitionHistory& history) noexcept {
  if (!edition.repetition_automatic) return false;
  const int found = edition.repetition_automatic_consecutive ? history.consecutive_occurrences() : history.occurrences();
  return found >= *edition.repetition_automatic;
}

}  // namespace

Ending ending_on_board(const Edition& edition, const chess::Position& position, const RepetitionHistory& history) noexcept {
  if (!position.has_legal_move()) return position.in_check() ? Ending::checkmate : Ending::stalemate;
  switch (edition.dead_position) {
    case DeadPositionTest::fide:
      if (quick_dead(position)) return Ending::dead_position;
      break;
    case DeadPositionTest::material:
      if (insufficient_material(position)) return Ending::insufficient_material;
      break;
    case DeadPositionTest::off:
      break;
  }
  if (repeated(edition, history)) return Ending::repetition;
  if (edition.no_progress_automatic_moves && position.halfmove_clock() >= 2 * *edition.no_progress_automatic_moves)
    return Ending::no_progress;
  return Ending::none;
}

}  // namespace referee::laws
