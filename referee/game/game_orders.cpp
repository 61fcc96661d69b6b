// Orders of an arbiter or operator (13.4 of 2005, 12.9; the [E] parts of LAWS.md).
#include <algorithm>
#include <utility>

#include "referee/game/game.hpp"
#include "referee/game/words.hpp"
#include "referee/laws/event_rules.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

void Game::refuse(Rulings& out, std::string why, std::string_view subject) const {
  rule(out, OrderRefused{std::move(why)}, subject, "order_refused");
}

void Game::on(Rulings& out, const ArbiterOrder& order) {
  const bool about_the_result = order.kind == OrderKind::override_result || order.kind == OrderKind::annul_and_replay ||
                                order.kind == OrderKind::reduce_score || order.kind == OrderKind::raise_score;
  if (phase_ == Phase::over && !about_the_result) return refuse(out, "the game is over", "result_recorded");
  switch (order.kind) {
    case OrderKind::accept:
    case OrderKind::reject:
    case OrderKind::postpone:
    case OrderKind::grant_increment:
      return answer(out, order);
    case OrderKind::warn:
      return rule(out, Warned{order.side, order.text.empty() ? order.why : order.text}, "penalty", "warned");
    case OrderKind::add_time:
    case OrderKind::take_time:
    case OrderKind::set_clock:
      return change_time(out, order);
    case OrderKind::declare_lost:
    case OrderKind::declare_both_lost:
    case OrderKind::declare_dead:
    case OrderKind::expel:
      return declare(out, order);
    case OrderKind::reduce_score:
    case OrderKind::raise_score:
    case OrderKind::override_result:
      return set_scores(out, order);
    case OrderKind::pause:
    case OrderKind::resume:
      return interrupt(out, order);
    case OrderKind::adjourn:
      return adjourn(out, order);
    case OrderKind::seal:
      if (!edition_->adjournment_allowed) return refuse(out, "the edition has no adjournment", "adjournment");
      if (order.side && !has_move(*order.side)) return refuse(out, "only the player having the move seals one", "sealed_move");
      return seal(out, position_.side_to_move(), order.text, MoveNotation::xboard);
    case OrderKind::open_envelope:
      return open_envelope(out, order);
    case OrderKind::annul_and_replay:
      return end_annulled(out, Reason::annulled_replay, "wrong_start", order.why.empty() ? "the game is to be replayed" : order.why);
    case OrderKind::waive_lateness:
      if (!edition_->arbiter_may_waive_lateness) return refuse(out, "the edition leaves no discretion", "default_time");
      for (const Color side : {Color::white, Color::black}) {
        if (!order.side || *order.side == side) lateness_waived_[index(side)] = true;
      }
      return rule(out, Warned{order.side, "lateness is waived"}, "default_time", "may_play");
    case OrderKind::report_colours_reversed:
    case OrderKind::report_wrong_start:
      return report_irregularity(out, order);
  }
}

// What a player has asked ------------------------------------------------------------------------------------------------

void Game::answer(Rulings& out, const ArbiterOrder& order) {
  const bool draws = order.kind == OrderKind::accept;
  const bool rejects = order.kind == OrderKind::reject;
  if (question_ == Question::increment) {
    const auto& request = *edition_->quickplay->increment_request;
    const Color claimant = *claimant_;
    if (order.kind == OrderKind::postpone) return refuse(out, "a request for an increment is granted or rejected", "increment_request");
    question_ = Question::none;
    phase_ = Phase::playing;
    if (rejects) return rule_clocks(out, "increment_request", "increment_rejected");
    for (clock::PlayerClock& clock : clocks_.sides) clock.set_increment(request.add_increment);
    clocks_[opposite(claimant)].add(request.opponent_bonus);
    return rule_clocks(out, "increment_request", "increment_introduced");
  }
  if (order.kind == OrderKind::grant_increment) return refuse(out, "nobody has asked for an increment", "increment_request");
  if (question_ == Question::fallen_flag) {
    if (order.kind == OrderKind::postpone) return refuse(out, "the flag has fallen: the claim is to be decided now", "quickplay");
    if (draws) return end(out, draw, Reason::quickplay_draw, "quickplay", "the arbiter upheld the postponed claim");
    postponed_claim_.reset();
    return flag_fell(out, *std::exchange(fallen_flag_, std::nullopt));
  }
  if (question_ == Question::none && !postponed_claim_) return refuse(out, "there is no claim to answer", "quickplay");

  const bool postponed = question_ == Question::none;
  const Color claimant = postponed ? *postponed_claim_ : *claimant_;
  const laws::QuickplayRule& law = *edition_->quickplay;
  if (draws) {
    rule(out, ClaimUpheld{claimant}, "quickplay", "claim_correct");
    return end(out, draw, Reason::quickplay_draw, "quickplay", "the arbiter accepted the claim of a draw");
  }
  if (!rejects && postponed) return refuse(out, "the claim is postponed already", "quickplay");
  question_ = Question::none;
  phase_ = Phase::playing;
  Duration bonus = law.reject_bonus;
  if (rejects) {
    // Time given when the claim was postponed is not given twice.
    if (postponed && postponed_bonus_given_) bonus = Duration::zero();
    postponed_claim_.reset();
  } else {
    const bool edition_says = order.flag || !law.postpone_bonus_optional;
    bonus = order.time > Duration::zero() ? order.time : edition_says ? law.postpone_bonus : Duration::zero();
    postponed_claim_ = claimant;
    postponed_bonus_given_ = bonus > Duration::zero();
  }
  clocks_[opposite(claimant)].add(bonus);
  rule_clocks(out, "quickplay", rejects ? "quickplay_rejected" : "quickplay_postponed");
}

// Time -------------------------------------------------------------------------------------------------------------------

void Game::change_time(Rulings& out, const ArbiterOrder& order) {
  if (!order.side) return refuse(out, "whose clock? the order names no side", "clock_setting");
  if (order.time < Duration::zero()) return refuse(out, "a time below zero", "clock_setting");
  clock::PlayerClock& clock = clocks_[*order.side];
  if (clock.is_infinite()) return refuse(out, "the player has no clock", "clock_setting");
  // A running clock is read first, so that "set" means what the display shows from now on.
  const bool was_running = running_ == *order.side;
  if (was_running) stop_clock();
  switch (order.kind) {
    case OrderKind::add_time:
      clock.add(order.time);
      break;
    case OrderKind::take_time:
      clock.set_remaining(std::max(clock.remaining() - order.time, Duration::zero()));
      break;
    default:
      clock.set_remaining(order.time);
      break;
  }
  if (clock.remaining() > Duration::zero()) flag_down_[index(*order.side)] = false;
  if (was_running) start_clock(*order.side);
  rule_clocks(out, order.kind == OrderKind::set_clock ? "clock_setting" : "penalty", "clocks_changed");
  if (was_running) settle_flag(out);
}

// Results ----------------------------------------------------------------------------------------------------------------

void Game::declare(Rulings& out, const ArbiterOrder& order) {
  if (order.kind == OrderKind::declare_both_lost) {
    return end(out, both_lose, Reason::both_lost, "both_lost", order.why.empty() ? "both players are guilty" : order.why);
  }
  if (order.kind == OrderKind::declare_dead) {
    if (edition_->dead_position == laws::DeadPositionTest::off) return refuse(out, "the edition has no dead position", "dead_position");
    for (const Color side : {Color::white, Color::black}) {
      if (can_mate(side) == laws::CanMate::yes) return refuse(out, std::string(title(side)) + " can still mate", "dead_position");
    }
    return end(out, draw, Reason::dead_position, "dead_position", "declared dead by the arbiter");
  }
  if (!order.side) return refuse(out, "which player? the order names no side", "penalty");
  const bool expelled = order.kind == OrderKind::expel;
  Score score = win_for(opposite(*order.side));
  if (order.flag) {
    if (!laws::scores_allowed(*edition_, order.white_score, order.black_score))
      return refuse(out, "not scores of a game", "one_sided_score");
    score = {order.white_score, order.black_score};
  }
  end(out, score, expelled ? Reason::expelled : Reason::declared_lost, order.flag ? "one_sided_score" : "penalty",
      order.why.empty() ? std::string(title(*order.side)) + (expelled ? " was expelled" : " was declared lost") : order.why);
}

void Game::set_scores(Rulings& out, const ArbiterOrder& order) {
  const std::string before = outcome_ ? result_text(*outcome_) + " (" + std::string(code(outcome_->reason)) + ")" : "no result";
  if (order.why.empty()) return refuse(out, "an order about the result needs a reason", "result_recorded");
  // 13.4e and f change the points of a result; during play there are none, and the penalty does not end the game.
  if (order.kind != OrderKind::override_result && (!outcome_ || outcome_->annulled))
    return refuse(out, "the game has no result yet whose points could be changed", "penalty");
  Score score{order.white_score, order.black_score};
  if (order.kind != OrderKind::override_result) {
    if (!order.side) return refuse(out, "whose score? the order names no side", "one_sided_score");
    const bool white = *order.side == Color::white;
    const int old_score = white ? outcome_->score.white : outcome_->score.black;
    const int new_score = white ? score.white : score.black;
    if (order.kind == OrderKind::reduce_score ? new_score > old_score : new_score < old_score) {
      return refuse(out, order.kind == OrderKind::reduce_score ? "that would raise the score" : "that would reduce the score",
                    "one_sided_score");
    }
    (white ? score.black : score.white) = white ? outcome_->score.black : outcome_->score.white;
  }
  if (!laws::scores_allowed(*edition_, score.white, score.black)) return refuse(out, "not scores of a game", "one_sided_score");
  undecided_.reset();
  const bool overridden = order.kind == OrderKind::override_result;
  end(out, score, overridden ? Reason::result_overridden : Reason::score_adjusted, overridden ? "result_recorded" : "one_sided_score",
      order.why + "; before: " + before);
}

// Interruptions ----------------------------------------------------------------------------------------------------------

void Game::interrupt(Rulings& out, const ArbiterOrder& order) {
  if (order.kind == OrderKind::pause) {
    if (phase_ != Phase::playing) return refuse(out, "play is stopped already", "pause");
    stop_clock();
    phase_ = Phase::paused;
    rule(out, Paused{}, "pause", "paused");
    return rule_clocks(out);
  }
  if (phase_ == Phase::adjourned) return refuse(out, "the game is adjourned: the envelope is to be opened", "adjournment");
  if (phase_ != Phase::paused) return refuse(out, "play is not interrupted", "pause");
  phase_ = Phase::playing;
  rule(out, Resumed{}, "pause", "resumed");
  rule_clocks(out);
}

void Game::report_irregularity(Rulings& out, const ArbiterOrder& order) {
  const bool reversed = order.kind == OrderKind::report_colours_reversed;
  const laws::Remedy remedy = reversed ? laws::colours_reversed(*edition_, moves_each())
                                       : laws::wrong_start(*edition_, category_, setup_.supervision, moves_each());
  const std::string_view subject = reversed ? "colours_reversed" : "wrong_start";
  const std::string found = (reversed ? "the colours were reversed" : "the initial position was wrong") + std::string(", found after ") +
                            std::to_string(moves_each()) + " moves each";
  if (remedy == laws::Remedy::play_on) return rule(out, Warned{std::nullopt, found}, subject, "game_continues");
  end_annulled(out, reversed ? Reason::replay_correct_colours : Reason::annulled_replay, subject, found);
}

}  // namespace referee::game
