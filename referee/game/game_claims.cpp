// Offers, claims, resignation, and flags that players call.
#include <utility>

#include "referee/game/game.hpp"
#include "referee/game/words.hpp"
#include "referee/laws/event_rules.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

namespace {

// What 9.4 says of the claims of 9.2 and 9.3, another article says of this one.
void name_article(Rulings& rulings, std::size_t first, std::string_view article) {
  for (std::size_t i = first; i < rulings.size(); ++i) {
    const bool counts_as_offer = std::holds_alternative<OfferPending>(rulings[i].body);
    if (!counts_as_offer) rulings[i].article = article;
  }
}

}  // namespace

// Offers (9.1) -----------------------------------------------------------------------------------------------------------

void Game::on(Rulings& out, const DrawOffered& event) {
  // Answering an offer with an offer accepts it: both want the draw.
  if (offers_[index(opposite(event.side))]) return accept_offer(out, event.side);
  if (!edition_->agreement_allowed || setup_.agreement_forbidden) {
    return rule(out, OfferRefused{event.side}, "agreement", "agreement_not_allowed");
  }
  if (offers_[index(event.side)]) return rule(out, Warned{event.side, "the draw is offered already"}, "offer", "offer_pending");
  offer(out, event.side, "offer");
}

void Game::on(Rulings& out, const DrawAccepted& event) { accept_offer(out, event.side); }

void Game::on(Rulings& out, const DrawDeclined& event) {
  if (!offers_[index(opposite(event.side))]) return rule(out, OfferRefused{event.side}, "offer", "no_offer_pending");
  withdraw_offer(out, opposite(event.side));
}

void Game::offer(Rulings& out, Color side, std::string_view subject) {
  if (!edition_->agreement_allowed || setup_.agreement_forbidden || offers_[index(side)]) return;
  offers_[index(side)] = true;
  rule(out, OfferPending{side}, subject, "offer_pending");
}

void Game::accept_offer(Rulings& out, Color side) {
  if (!offers_[index(opposite(side))]) return rule(out, OfferRefused{side}, "offer", "no_offer_pending");
  if (!may_agree()) { return rule(out, OfferRefused{side}, "agreement", "agreement_not_allowed"); }
  end(out, draw, Reason::agreement, "agreement", "the players agreed on a draw");
}

// It lapses: refused in words or by the opponent's move.
void Game::withdraw_offer(Rulings& out, Color side) {
  if (!std::exchange(offers_[index(side)], false)) return;
  rule(out, OfferLapsed{side}, "offer", "offer_lapsed");
}

// Claims (9.2 to 9.5) ----------------------------------------------------------------------------------------------------

void Game::on(Rulings& out, const DrawClaimed& event) {
  const auto draw_rule = event.rule == ClaimRule::threefold ? laws::DrawRule::repetition : laws::DrawRule::no_progress;
  // Where a wrong claim loses the game, every claim is judged on its truth; otherwise one outside its conditions is none (LAWS D2).
  const bool strict = edition_->wrong_claim_forfeits;
  if (phase_ != Phase::playing) return claim_inadmissible(out, event.side, "play is stopped");
  if (!strict && !laws::claim_exists(*edition_, draw_rule)) return claim_inadmissible(out, event.side, "the edition has no such claim");
  if (!strict && !has_move(event.side)) return claim_inadmissible(out, event.side, "only the player having the move can claim");

  const chess::Move* intended = nullptr;
  chess::MoveText text = chess::MoveTextError{};
  bool right = false;
  if (event.intended_move.empty()) {
    right = claimable(event.rule);
  } else if (has_move(event.side)) {
    text = read(event.intended_move, event.notation);
    if (const auto* found = std::get_if<chess::ReadMove>(&text)) {
      intended = &found->move;
      right = claimable(event.rule, found->move);
    }
  }
  if (right && touched_ && edition_->claim_right_lost_by == laws::ClaimRightLostBy::touching_a_piece) {
    return claim_inadmissible(out, event.side, "the player has touched a piece on this move");
  }
  stop_clock();
  if (right) return uphold(out, event.side, event.rule);
  reject_claim(out, event.side, intended, event.intended_move);
}

void Game::uphold(Rulings& out, Color side, ClaimRule claim) {
  const std::string_view subject = claim == ClaimRule::threefold ? "threefold" : "fifty";
  rule(out, ClaimUpheld{side}, subject, "claim_correct");
  if (claim == ClaimRule::threefold) {
    return end(out, draw, Reason::threefold_claim, subject, std::string(title(side)) + " claimed the repetition of the position");
  }
  end(out, draw, Reason::fifty_claim, subject, std::string(title(side)) + " claimed the moves without a pawn move or capture");
}

void Game::reject_claim(Rulings& out, Color side, const chess::Move* must_play, std::string_view touched) {
  if (edition_->wrong_claim_forfeits) {
    return lose(out, {side, Reason::false_claim_forfeit, Reason::false_claim_forfeit, "wrong_claim", false},
                std::string(title(side)) + " claimed a draw that does not exist");
  }
  const auto penalty = laws::wrong_claim_penalty(*edition_, category_, clocks_[side].remaining());
  clocks_[side].add(-penalty.claimant_deduction);
  clocks_[opposite(side)].add(penalty.opponent_bonus);
  ClaimRejected rejected{side, penalty.opponent_bonus, penalty.claimant_deduction, {}};
  if (must_play != nullptr && edition_->intended_move_must_be_played) {
    required_moves_ = {*must_play};
    rejected.must_play = chess::to_uci(position_, *must_play, castling());
  } else if (must_play == nullptr && !touched.empty()) {
    touch(touched);  // an illegal move was announced: nothing was completed, but 4.3 binds
  }
  rule(out, std::move(rejected), "wrong_claim", "claim_incorrect");
  rule_clocks(out, "wrong_claim");
  if (edition_->claim_is_offer) offer(out, side, "claim_offer");
}

void Game::claim_inadmissible(Rulings& out, Color side, std::string why) {
  const bool counts = edition_->claim_is_offer && edition_->agreement_allowed && !setup_.agreement_forbidden;
  rule(out, ClaimInadmissible{side, counts}, "claim", "claim_inadmissible");
  rule(out, Warned{side, std::move(why)}, "claim");
  if (counts) offer(out, side, "claim_offer");
}

void Game::on(Rulings& out, const ResultClaimed& event) {
  const int own = event.side == Color::white ? event.white_score : event.black_score;
  const int other = event.side == Color::white ? event.black_score : event.white_score;
  if (own < other) return on(out, Resigned{event.side});
  if (own > other) {
    // Had it won, the game would be over.
    if (!edition_->wrong_claim_forfeits)
      return rule(out, Warned{event.side, "the game is not won: " + event.text}, "penalty", "claim_incorrect");
    return lose(out, {event.side, Reason::false_claim_forfeit, Reason::false_claim_forfeit, "wrong_claim", false},
                std::string(title(event.side)) + " claimed a win that does not exist");
  }
  if (own == 0) return rule(out, Warned{event.side, "a player cannot end the game without a result: " + event.text}, "penalty");
  judge_result_claim(out, event.side);
}

// "1/2-1/2" from an engine: right if a draw is due on the board now or was in the position its own last move made, if the opponent has
// offered one, or if neither side can mate.
void Game::judge_result_claim(Rulings& out, Color side) {
  if (offers_[index(opposite(side))] && may_agree()) { return accept_offer(out, side); }
  if (phase_ == Phase::playing) {
    if (const auto due = draw_due(side)) {
      stop_clock();
      return uphold(out, side, *due);
    }
    if (nobody_can_mate()) { return end(out, draw, Reason::dead_position, "dead_position", "neither side can checkmate"); }
    if (has_move(side) || edition_->wrong_claim_forfeits) {
      stop_clock();
      return reject_claim(out, side, nullptr, {});
    }
  }
  claim_inadmissible(out, side, "no draw is due");
}

std::optional<ClaimRule> Game::draw_due(Color claimant) const {
  for (const ClaimRule claim : {ClaimRule::threefold, ClaimRule::fifty}) {
    if (claimable(claim)) return claim;
  }
  if (!has_move(claimant) || moves_.empty()) return std::nullopt;
  const Board before = board_after(moves_.size() - 1);
  if (laws::claim_holds(*edition_, laws::DrawRule::repetition, before.position, before.history)) return ClaimRule::threefold;
  if (laws::claim_holds(*edition_, laws::DrawRule::no_progress, before.position, before.history)) return ClaimRule::fifty;
  return std::nullopt;
}

// Resignation and flags --------------------------------------------------------------------------------------------------

void Game::on(Rulings& out, const Resigned& event) {
  lose(out, {event.side, Reason::resignation, Reason::resignation_unwinnable, "resignation", edition_->resignation_unwinnable_is_draw},
       std::string(title(event.side)) + " resigned");
}

void Game::on(Rulings& out, const FlagClaimed& event) {
  if (phase_ != Phase::playing) return ignore(out, "play is stopped");
  const auto is_down = [&](Color side) {
    const bool seen = side == Color::white ? event.white_flag_down : event.black_flag_down;
    return seen || flag_down_[index(side)] || (running_ == side && clocks_[side].flag_falls(for_clock(side, elapsed())));
  };
  const Color opponent = opposite(event.claimant);
  if (!is_down(opponent)) return rule(out, ClaimInadmissible{event.claimant, false}, "flag", "claim_inadmissible");
  if (is_down(event.claimant) && edition_->both_flags) return both_flags_down(out);
  rule(out, ClaimUpheld{event.claimant}, "flag", "claim_correct");
  flag_fell(out, opponent);
}

void Game::on(Rulings& out, const BothFlagsDown& event) {
  if (phase_ != Phase::playing) return ignore(out, "play is stopped");
  if (event.first_known || !edition_->both_flags) {
    // The first flag to fall decides: that of the clock that runs.
    if (running_ && clocks_[*running_].flag_falls(for_clock(*running_, elapsed()))) return flag_fell(out, *running_);
    return ignore(out, "the clocks show no fallen flag");
  }
  both_flags_down(out);
}

// Nobody knows which flag fell first (6.12, B9, Guidelines III.3.1).
void Game::both_flags_down(Rulings& out) {
  stop_clock();
  // A period for a number of moves is followed by another, if only by itself.
  const auto in_last = [&](Color side) { return clocks_[side].in_last_period() && !clocks_[side].moves_to_go(); };
  const bool last_period = in_last(Color::white) && in_last(Color::black);
  const std::string_view subject = laws::both_flags_subject(category_);
  const auto consequence = laws::both_flags_down(*edition_, category_, last_period);
  if (consequence == laws::BothFlags::draw) {
    return end(out, draw, Reason::both_flags, subject, "both flags are down and it is not known which fell first");
  }
  flag_down_ = {};
  rule(out, Warned{std::nullopt, "both flags are down and it is not known which fell first; play goes on"}, subject, "game_continues");
}

// Quickplay finish -------------------------------------------------------------------------------------------------------

void Game::on(Rulings& out, const QuickplayClaimed& event) {
  const bool is_heard =
      heard_by_arbiter(out, event.side, Question::quickplay,
                       std::string(title(event.side)) + " claims that the opponent cannot win by normal means or makes no effort to");
  if (is_heard && edition_->claim_is_offer) offer(out, event.side, "claim_offer");
}

void Game::on(Rulings& out, const IncrementRequested& event) {
  const bool is_heard =
      heard_by_arbiter(out, event.side, Question::increment, std::string(title(event.side)) + " asks for an increment for both players");
  if (is_heard) offer(out, event.side, "increment_request");
}

bool Game::heard_by_arbiter(Rulings& out, Color claimant, Question question, std::string text) {
  if (const std::string_view why = why_unheard(claimant, question); !why.empty()) {
    const std::size_t first = out.size();
    claim_inadmissible(out, claimant, std::string(why));
    name_article(out, first, laws::article(*edition_, question == Question::increment ? "increment_request" : "quickplay"));
    return false;
  }
  stop_clock();
  ask_arbiter(out, claimant, question, std::move(text));
  return true;
}

std::string_view Game::why_unheard(Color claimant, Question question) const {
  const bool is_request = question == Question::increment;
  if (phase_ != Phase::playing) return "play is stopped";
  if (!has_move(claimant)) return is_request ? "only the player having the move can ask" : "only the player having the move can claim";
  if (!is_request && postponed_claim_) return "a claim is being considered already";
  if (is_request && !(edition_->quickplay && edition_->quickplay->increment_request)) return "the edition has no such request";
  clock::PlayerClock stopped = clocks_[claimant];
  stopped.charge(for_clock(claimant, elapsed()));
  return laws::quickplay_inadmissible(*edition_, category_, setup_.guidelines_iii, stopped);
}

void Game::ask_arbiter(Rulings& out, Color claimant, Question question, std::string text) {
  phase_ = Phase::awaiting_arbiter;
  question_ = question;
  claimant_ = claimant;
  rule(out, AwaitingArbiter{claimant, std::move(text)}, question == Question::increment ? "increment_request" : "quickplay",
       "awaiting_arbiter");
}

}  // namespace referee::game
