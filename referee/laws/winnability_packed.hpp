// A position in 32 bytes, exactly: what is compared is the whole position (article 9.2), so two different ones are never taken for
// one another, as hash keys of any length might be. Counters are not kept.
#pragma once

#include <array>
#include <cstdint>

#include "referee/chess/position.hpp"

namespace referee::laws::winnability {

class PackedPosition {
 public:
  PackedPosition() noexcept = default;
  explicit PackedPosition(const chess::Position& position) noexcept;
  [[nodiscard]] chess::Position unpack() const noexcept;
  [[nodiscard]] std::uint64_t hash() const noexcept;
  friend bool operator==(const PackedPosition&, const PackedPosition&) = default;

 private:
  // Four bits a square, one a plane: three for the man (0 none, 1 pawn .. 6 king, 7 a rook that may castle or, on the fourth and
  // fifth rank, the pawn that may be taken en passant), one for Black. On empty squares the last says that Black is to move.
  std::array<std::uint64_t, 4> planes_;
};

}  // namespace referee::laws::winnability
