#include "referee/laws/mating.hpp"

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

}  // namespace referee::laws
