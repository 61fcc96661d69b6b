// Looks for a helpmate by going straight for a picture: the loser's king in a corner, the winner's king beside it, a strong man of
// the winner's giving the check. Finds nearly every line of ordinary play within a few dozen positions; it never refutes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "referee/chess/position.hpp"

namespace referee::laws::winnability {

/// A line of moves of bounded length, without allocation.
class Line {
 public:
  static constexpr std::size_t longest = 512;
  /// Needs: size() < longest.
  void push(chess::Move move) noexcept { moves_[size_++] = move; }
  void cut(std::size_t size) noexcept { size_ = size; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const chess::Move* begin() const noexcept { return moves_.data(); }
  [[nodiscard]] const chess::Move* end() const noexcept { return moves_.data() + size_; }

 private:
  std::array<chess::Move, longest> moves_;
  std::size_t size_ = 0;
};

/// True: `line` leads from the position to mate by `winner`. Works at most `nodes` positions, counted down, and never more than a few
/// hundred: what is not found soon is not found this way.
[[nodiscard]] bool find_helpmate(const chess::Position& position, chess::Color winner, std::uint64_t& nodes, Line& line) noexcept;

}  // namespace referee::laws::winnability
