#include "referee/laws/repetition.hpp"

namespace referee::laws {

namespace {

constexpr std::size_t usual_length = 64;  // half-moves between captures and pawn moves: room from the start

}  // namespace

RepetitionHistory::RepetitionHistory(const chess::Position& start) {
  keys_.reserve(usual_length);
  positions_.reserve(usual_length);
  keys_.push_back(start.key());
  positions_.push_back(start);
}

void RepetitionHistory::record(const chess::Position& position, bool zeroing) {
  if (zeroing) {
    keys_.clear();
    positions_.clear();
  }
  keys_.push_back(position.key());
  positions_.push_back(position);
}

int RepetitionHistory::count(const chess::Position& position, std::size_t end) const noexcept {
  // Equal positions have the same side to move and are at least four half-moves apart; equal keys are then compared square by square.
  const std::uint64_t key = position.key();
  int found = 0;
  for (std::size_t back = 4; back <= end; back += 2) {
    if (keys_[end - back] == key && positions_[end - back].same_position(position)) ++found;
  }
  return found;
}

int RepetitionHistory::occurrences() const noexcept { return 1 + count(positions_.back(), keys_.size() - 1); }

int RepetitionHistory::occurrences_with(const chess::Position& next) const noexcept { return 1 + count(next, keys_.size()); }

int RepetitionHistory::consecutive_occurrences() const noexcept {
  const std::size_t last = keys_.size() - 1;
  int found = 1;
  for (std::size_t back = 4; back <= last; back += 4) {
    if (keys_[last - back] != keys_[last] || !positions_[last - back].same_position(positions_[last])) break;
    ++found;
  }
  return found;
}

}  // namespace referee::laws
