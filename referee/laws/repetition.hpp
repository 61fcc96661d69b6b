// Which positions have stood on the board, and how often (article 9.2): same placement, side to move, castling rights and legal en passant
// capture. A capture or pawn move can never be undone, so only the positions since the last one are kept.
#pragma once

#include <cstdint>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::laws {

class RepetitionHistory {
 public:
  /// The set-up position counts as the first occurrence.
  explicit RepetitionHistory(const chess::Position& start);

  /// A completed move brought `position` about. A position restored after an illegal move is never recorded, so it is no new occurrence.
  void record(const chess::Position& position, bool zeroing);

  /// Occurrences of the position recorded last.
  [[nodiscard]] int occurrences() const noexcept;
  /// Occurrences that `next` would have if it arose now by a move that is not zeroing (the intended move of 9.2a).
  [[nodiscard]] int occurrences_with(const chess::Position& next) const noexcept;
  /// Occurrences of the last position that follow each other without a break, four half-moves apart (9.6a of 2014: "consecutive
  /// alternate moves by each player").
  [[nodiscard]] int consecutive_occurrences() const noexcept;

  friend bool operator==(const RepetitionHistory&, const RepetitionHistory&) = default;

 private:
  [[nodiscard]] int count(const chess::Position& position, std::size_t end) const noexcept;

  std::vector<std::uint64_t> keys_;
  std::vector<chess::Position> positions_;
};

}  // namespace referee::laws
