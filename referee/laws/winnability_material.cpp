#include "referee/laws/winnability_material.hpp"

#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

bool material_cannot_mate(const chess::Position& position, Color winner) noexcept {
  const Bitboard king = position.pieces(winner, Role::king);
  const Bitboard men = position.pieces(winner) & ~king;
  // A bare king.
  if (men == 0) return true;

  const Color loser = chess::opposite(winner);
  // A lone knight checks; with the checked king on x and the knight a jump away, two straight neighbours of x lie on the
  // knight's side, the winner's king can cover neither pair without touching x, so a man must block one of them. A queen
  // there takes the knight (or the man between), so queens never help; pawns may become something else.
  if ((men & position.pieces(Role::knight)) == men && (men & (men - 1)) == 0) {
    const Bitboard others = position.pieces(loser) & ~position.pieces(Role::king);
    return (others & ~position.pieces(Role::queen)) == 0;
  }
  // Bishops of one square colour give single check through a diagonal neighbour d of the king. Two straight neighbours touch
  // both; the winner's king covers at most one of the straight ones, so one that touches d must be blocked, and a queen or
  // rook standing there can step to d: all bishops are on the other colour, so it is not pinned.
  if ((men & position.pieces(Role::bishop)) == men) {
    const Bitboard own_colour = (men & light_squares) != 0 ? light_squares : dark_squares;
    if ((men & ~own_colour) != 0) return false;
    const Bitboard helpers = position.pieces(loser) &
                             (position.pieces(Role::knight) | position.pieces(Role::pawn) | (position.pieces(Role::bishop) & ~own_colour));
    return helpers == 0;
  }
  return false;
}

}  // namespace referee::laws::winnability
