#include "referee/game/adjudication.hpp"

namespace referee::game {

namespace {

using chess::index;

bool level(const Evaluation& evaluation, int margin) noexcept {
  return !evaluation.mate && evaluation.centipawns && *evaluation.centipawns <= margin && *evaluation.centipawns >= -margin;
}
bool winning(const Evaluation& evaluation, int score) noexcept {
  return evaluation.mate ? *evaluation.mate > 0 : evaluation.centipawns && *evaluation.centipawns >= score;
}
bool losing(const Evaluation& evaluation, int score) noexcept {
  return evaluation.mate ? *evaluation.mate <= 0 : evaluation.centipawns && *evaluation.centipawns <= -score;
}
bool mates(const Evaluation& evaluation) noexcept { return evaluation.mate && *evaluation.mate > 0; }
bool is_mated(const Evaluation& evaluation) noexcept { return evaluation.mate && *evaluation.mate <= 0; }

void count(int& run, bool holds) noexcept { run = holds ? run + 1 : 0; }

}  // namespace

void Adjudicator::report(Color side, Evaluation evaluation) noexcept { pending_[index(side)] = evaluation; }

bool Adjudicator::both_level(int margin) const noexcept { return level(last_[0], margin) && level(last_[1], margin); }

bool Adjudicator::resigns(const Adjudication::ResignRule& rule, Color side) const noexcept {
  return losing_moves_[index(side)] >= rule.move_count && (!rule.two_sided || winning_moves_[index(opposite(side))] >= rule.move_count);
}

Adjudged Adjudicator::move_made(const Adjudication& rules, Color side, bool zeroing, int next_number) noexcept {
  const Evaluation said = pending_[index(side)];
  pending_[index(side)] = {};
  last_[index(side)] = said;
  if (rules.draw) {
    count(level_plies_, level(said, rules.draw->score) && !(zeroing && rules.draw->reset_on_zeroing));
    if (level_plies_ >= 2 * rules.draw->move_count && next_number > rules.draw->move_number) return Adjudged::drawn;
  }
  if (rules.resign) {
    count(losing_moves_[index(side)], losing(said, rules.resign->score));
    count(winning_moves_[index(side)], winning(said, rules.resign->score));
    for (const Color loser : {side, opposite(side)}) {
      if (resigns(*rules.resign, loser)) return loser == Color::white ? Adjudged::black_won : Adjudged::white_won;
    }
  }
  if (rules.trusted_mates) {
    const Evaluation& other = last_[index(opposite(side))];
    const bool side_mates = mates(said) && is_mated(other);
    const bool other_mates = is_mated(said) && mates(other);
    if (side_mates || other_mates) return (side == Color::white) == side_mates ? Adjudged::white_mates : Adjudged::black_mates;
  }
  if (rules.max_moves && next_number > *rules.max_moves) return Adjudged::max_moves;
  return Adjudged::nothing;
}

}  // namespace referee::game
