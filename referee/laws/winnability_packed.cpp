#include "referee/laws/winnability_packed.hpp"

#include "referee/chess/bitboard.hpp"
#include "referee/chess/position_builder.hpp"

namespace referee::laws::winnability {

using chess::bit;
using chess::Bitboard;
using chess::Color;
using chess::Position;
using chess::Role;
using chess::Square;

namespace {
constexpr std::size_t black_plane = 3;
/// The pawn that passed over the square.
[[nodiscard]] Square passed_pawn(Square passed) noexcept {
  return chess::make_square(chess::file_of(passed), chess::rank_of(passed) == 2 ? 3 : 4);
}
}  // namespace

PackedPosition::PackedPosition(const Position& position) noexcept {
  for (std::size_t plane = 0; plane < black_plane; ++plane) {
    planes_[plane] = 0;
    for (const Role role : {Role::pawn, Role::knight, Role::bishop, Role::rook, Role::queen, Role::king}) {
      if (((chess::index(role) + 1) >> plane & 1U) != 0) planes_[plane] |= position.pieces(role);
    }
  }
  planes_[black_plane] = position.pieces(Color::black);
  if (position.side_to_move() == Color::black) planes_[black_plane] |= ~position.occupied();
  Bitboard special = position.castling_rooks();
  if (const auto passed = position.en_passant()) special |= bit(passed_pawn(*passed));
  for (std::size_t plane = 0; plane < black_plane; ++plane) planes_[plane] |= special;
}

Position PackedPosition::unpack() const noexcept {
  chess::PositionBuilder builder;
  const Bitboard occupied = planes_[0] | planes_[1] | planes_[2];
  // The two kings stand on one square each, so there are empty squares to read the side to move from.
  builder.set_side_to_move((planes_[black_plane] & ~occupied) != 0 ? Color::black : Color::white);
  for (Bitboard squares = occupied; squares != 0;) {
    const Square square = chess::take_lowest(squares);
    const unsigned at = chess::index(square);
    const auto man = static_cast<unsigned>((planes_[0] >> at & 1U) | (planes_[1] >> at & 1U) << 1U | (planes_[2] >> at & 1U) << 2U);
    const Color color = (planes_[black_plane] >> at & 1U) != 0 ? Color::black : Color::white;
    if (man != 7) {
      builder.put(square, {color, static_cast<Role>(man - 1)});
    } else if (const int rank = chess::rank_of(square); rank == 3 || rank == 4) {
      builder.put(square, {color, Role::pawn});
      builder.set_passed_square(chess::make_square(chess::file_of(square), rank == 3 ? 2 : 5));
    } else {
      builder.put(square, {color, Role::rook});
      builder.allow_castling(square);
    }
  }
  return builder.build();
}

std::uint64_t PackedPosition::hash() const noexcept {
  std::uint64_t h = planes_[0];
  for (std::size_t plane = 1; plane < planes_.size(); ++plane) h = ((h ^ (h >> 29U)) * 0x9E3779B97F4A7C15) ^ planes_[plane];
  h = (h ^ (h >> 32U)) * 0xD6E8FEB86659FD93;
  return h ^ (h >> 32U);
}

}  // namespace referee::laws::winnability
