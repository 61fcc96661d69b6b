#include "referee/laws/forfeit.hpp"

namespace referee::laws {

CanMate can_mate_under(DeadPositionTest test, const chess::Position& position, chess::Color winner, WinnabilityBudget budget) {
  switch (test) {
    case DeadPositionTest::off:
      return CanMate::yes;
    case DeadPositionTest::material:
      return cannot_mate_by_material(position, winner) ? CanMate::no : CanMate::yes;
    case DeadPositionTest::fide:
      break;
  }
  return can_mate(position, winner, budget).verdict;
}

ForfeitScore forfeit(const Edition& edition, bool unwinnable_is_draw, const chess::Position& position, chess::Color loser,
                     WinnabilityBudget budget) {
  if (!unwinnable_is_draw) return ForfeitScore::lost;
  switch (can_mate_under(edition.timeout_draw, position, opposite(loser), budget)) {
    case CanMate::yes:
      return ForfeitScore::lost;
    case CanMate::no:
      return ForfeitScore::drawn;
    case CanMate::undecided:
      break;
  }
  return ForfeitScore::lost_undecided;
}

bool proven_dead(const Edition& edition, const chess::Position& position, WinnabilityBudget budget) {
  if (edition.dead_position != DeadPositionTest::fide) return false;
  // The side to move first: most often it is the one that still can.
  const chess::Color side = position.side_to_move();
  return can_mate(position, side, budget).verdict == CanMate::no && can_mate(position, opposite(side), budget).verdict == CanMate::no;
}

std::optional<BothFlags> both_flags_down(const Edition& edition, Category category, bool last_period) noexcept {
  if (!edition.both_flags) return std::nullopt;
  switch (category) {
    case Category::rapid:
      return edition.both_flags->rapid;
    case Category::blitz:
      return edition.both_flags->blitz;
    case Category::standard:
      break;
  }
  return last_period ? edition.both_flags->last_period : edition.both_flags->not_last_period;
}

}  // namespace referee::laws
