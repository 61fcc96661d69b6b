// Moves, legal and illegal, and the flag.
#include <algorithm>
#include <utility>

#include "referee/game/game.hpp"
#include "referee/game/words.hpp"
#include "referee/laws/penalties.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

namespace {

// A player who again and again answers with what the Laws do not let it play refuses to comply with them (12.8 of 2005, 11.7).
constexpr int refusals_that_lose = 10;

template <class Consequence>
constexpr std::string_view note_of(Consequence consequence) noexcept {
  if (consequence == Consequence::queen_placed) return "a queen was put in place of the pawn";
  return consequence == Consequence::move_stands ? "made with two hands" : "";
}

}  // namespace

void Game::on(Rulings& out, const TurnStarted& event) {
  if (phase_ != Phase::playing) return ignore(out, "play is stopped");
  if (!has_move(event.side)) return ignore(out, "it is the other side's turn");
  if (running_) return ignore(out, "the clock is running already");
  start_clock(event.side);
}

void Game::on(Rulings& out, const MoveReceived& event) {
  if (!has_move(event.side)) {
    return rule(out, Warned{event.side, "a move out of turn (" + shown(event.text) + ") is not taken notice of"}, "touch_move",
                "out_of_turn");
  }
  if (phase_ == Phase::awaiting_arbiter || phase_ == Phase::adjourned) return ignore(out, "play is stopped");
  if (sealing_) return seal(out, event.side, event.text, event.notation);
  if (laws::is_null_move(event.text)) {
    if (edition_->press_without_move == laws::PressWithoutMove::illegal) return reject(out, event.side, event.text, IllegalKind::null_move);
    return refuse_uncounted(out, event.side, event.text, IllegalKind::null_move, "press", "misconduct");
  }
  const chess::MoveText text = read(event.text, event.notation);
  if (const auto* error = std::get_if<chess::MoveTextError>(&text)) {
    switch (error->fault) {
      case chess::MoveTextFault::promotion_missing:
        return reject(out, event.side, event.text, IllegalKind::promotion_missing);
      case chess::MoveTextFault::illegal:
        return reject(out, event.side, event.text, IllegalKind::illegal);
      case chess::MoveTextFault::malformed:
      case chess::MoveTextFault::ambiguous:
        return reject(out, event.side, event.text, IllegalKind::malformed);
    }
  }
  const auto& found = std::get<chess::ReadMove>(text);
  if (!required_moves_.empty() && std::find(required_moves_.begin(), required_moves_.end(), found.move) == required_moves_.end()) {
    return refuse_uncounted(out, event.side, event.text, IllegalKind::not_the_touched_piece, "touch_move", "not_the_touched_piece");
  }
  if (event.two_hands) return accept_two_hands(out, event, found.move);
  accept(out, found.move, found.note, Credit::increment);
}

void Game::on(Rulings& out, const TimeExpired& event) {
  // A flag that has fallen was settled before.
  if (flag_down_[index(event.side)]) return ignore(out, "the flag is the opponent's to call");
  ignore(out, "the flag has not fallen");
}

void Game::on(Rulings& out, const IllegalMoveClaimed& event) {
  if (unclaimed_illegal_move_ == opposite(event.side)) {
    unclaimed_illegal_move_.reset();
    stop_clock();
    return penalise_illegal_move(out, opposite(event.side), event.text, IllegalKind::illegal, {Consequence::reinstated, {}});
  }
  if (!edition_->wrong_claim_forfeits) {
    return rule(out, Warned{event.side, "the opponent's move was legal"}, "penalty", "claim_incorrect");
  }
  lose(out, {event.side, Reason::false_claim_forfeit, Reason::false_claim_forfeit, "wrong_claim", false},
       std::string(title(event.side)) + " called a legal move illegal");
}

// A legal move -----------------------------------------------------------------------------------------------------------

void Game::accept(Rulings& out, chess::Move move, std::string note, Credit credit) {
  const Color mover = position_.side_to_move();
  const bool zeroing = position_.is_zeroing(move);
  carry_out(out, move, std::move(note), credit);
  if (judge_board(out)) return;
  if (judge_scores(out, mover, zeroing)) return;
  claim_by_policy(out);
}

void Game::carry_out(Rulings& out, chess::Move move, std::string note, Credit credit) {
  const Color mover = position_.side_to_move();
  const Duration used = charged_ + elapsed();
  PlayedMove played{move, {}, {}};
  chess::append_uci(played.uci, position_, move, castling());
  chess::append_san(played.san, position_, move);

  complete_clock(mover, credit);
  rule(out, MoveAccepted{mover, move, played.uci, played.san, used, clocks_[mover].remaining(), std::move(note)}, {}, "move_accepted");
  play(move, std::move(played));
  charged_ = Duration::zero();
  refusals_ = 0;
  touched_ = false;
  required_moves_.clear();
  end_right_to_claim(mover);
  withdraw_offer(out, opposite(mover));
}

void Game::complete_clock(Color mover, Credit credit) noexcept {
  clock::PlayerClock& clock = clocks_[mover];
  const Duration used = elapsed();
  const clock::Mode mode = clock.control().mode;
  const Duration increment = clock.increment();
  // Time given back by a Bronstein clock counts for the whole turn, however often the clock was stopped in it.
  const Duration refunded = std::min(used, clock.delay());
  const Duration refund = std::min(charged_ + used, clock.delay());
  clock.complete_move(for_clock(mover, used));
  if (mode == clock::Mode::bronstein) clock.add(credit == Credit::increment ? refund - refunded : -refunded);
  if (mode == clock::Mode::increment && credit == Credit::none) clock.add(-increment);
  if (mode == clock::Mode::hourglass) clocks_[opposite(mover)].gain(used);
  note_recording(mover);
  show_fallen_flag(mover);
  running_.reset();
}

void Game::play(chess::Move move, PlayedMove played) {
  const bool zeroing = position_.is_zeroing(move);
  position_.play(move);
  history_.record(position_, zeroing);
  moves_.push_back(std::move(played));
  plies_ = moves_.size();
}

bool Game::judge_board(Rulings& out) {
  const laws::Ending ending = laws::ending_on_board(*edition_, position_, history_);
  switch (ending) {
    case laws::Ending::none:
      return false;
    case laws::Ending::checkmate:
      end(out, win_for(opposite(position_.side_to_move())), Reason::checkmate, "checkmate",
          std::string(title(position_.side_to_move())) + " is checkmated");
      break;
    case laws::Ending::stalemate:
      end(out, draw, Reason::stalemate, "stalemate", std::string(title(position_.side_to_move())) + " is stalemated");
      break;
    case laws::Ending::dead_position:
      end(out, draw, Reason::dead_position, "dead_position", "neither side can checkmate by any series of legal moves");
      break;
    case laws::Ending::insufficient_material:
      end(out, draw, Reason::insufficient_material, "dead_position", "neither side has the material to checkmate");
      break;
    case laws::Ending::repetition: {
      const int times = *edition_->repetition_automatic;
      end(out, draw, times < 5 ? Reason::threefold_auto : Reason::fivefold, "automatic_repetition",
          "the position has occurred " + std::to_string(times) + " times");
      break;
    }
    case laws::Ending::no_progress: {
      const int moves = *edition_->no_progress_automatic_moves;
      end(out, draw, moves < 75 ? Reason::fifty_auto : Reason::seventyfive, "automatic_moves",
          std::to_string(moves) + " moves by each side without a pawn move or capture");
      break;
    }
  }
  return true;
}

bool Game::judge_scores(Rulings& out, Color mover, bool zeroing) {
  const Adjudged adjudged = adjudicator_.move_made(setup_.adjudication, mover, zeroing, position_.fullmove_number());
  switch (adjudged) {
    case Adjudged::nothing:
      return false;
    case Adjudged::drawn:
      end(out, draw, Reason::adjudication_draw, {}, "both sides' scores stayed near zero");
      break;
    case Adjudged::white_won:
      end(out, white_wins, Reason::adjudication_win, {}, "Black's scores stayed lost");
      break;
    case Adjudged::black_won:
      end(out, black_wins, Reason::adjudication_win, {}, "White's scores stayed lost");
      break;
    case Adjudged::white_mates:
      end(out, white_wins, Reason::trusted_mate, {}, "both sides announce mate by White");
      break;
    case Adjudged::black_mates:
      end(out, black_wins, Reason::trusted_mate, {}, "both sides announce mate by Black");
      break;
    case Adjudged::max_moves:
      end(out, draw, Reason::max_moves, {}, "the longest game the host allows");
      break;
  }
  return true;
}

// LAWS D4: the profile claims for players that cannot.
void Game::claim_by_policy(Rulings& out) {
  switch (edition_->auto_claim_draws) {
    case laws::AutoClaimDraws::never:
      return;
    case laws::AutoClaimDraws::on_board:
      break;
    case laws::AutoClaimDraws::on_board_if_both_scores_level:
      if (!adjudicator_.both_level(setup_.adjudication.draw ? setup_.adjudication.draw->score : 0)) return;
      break;
  }
  for (const ClaimRule claim : {ClaimRule::threefold, ClaimRule::fifty}) {
    const auto draw_rule = claim == ClaimRule::threefold ? laws::DrawRule::repetition : laws::DrawRule::no_progress;
    if (laws::claim_exists(*edition_, draw_rule) && claimable(claim)) return uphold(out, position_.side_to_move(), claim);
  }
}

// Where the reply ends the right to claim the opponent's illegal move (B6, C3 of 2005).
void Game::end_right_to_claim(Color replier) noexcept {
  const laws::IllegalMoveRule law = laws::illegal_move_rule(*edition_, category_, setup_.supervision);
  if (unclaimed_illegal_move_ == opposite(replier) && law.correct_until != laws::CorrectUntil::end_of_game) unclaimed_illegal_move_.reset();
}

// An illegal one ---------------------------------------------------------------------------------------------------------

void Game::reject(Rulings& out, Color side, std::string_view text, IllegalKind kind) {
  stop_clock();
  if (kind == IllegalKind::promotion_missing && edition_->promotion_missing == laws::PromotionMissing::queen_placed) {
    chess::MoveText with_queen = read(std::string(text) + "q", MoveNotation::uci);
    if (std::holds_alternative<chess::MoveTextError>(with_queen)) with_queen = read(std::string(text) + "=Q", MoveNotation::san);
    const auto* queen = std::get_if<chess::ReadMove>(&with_queen);
    const bool free = required_moves_.empty() ||
                      (queen != nullptr && std::find(required_moves_.begin(), required_moves_.end(), queen->move) != required_moves_.end());
    if (queen != nullptr && free) return place_queen(out, side, text, queen->move);
  }
  if (kind != IllegalKind::null_move) {
    touch(text);
    if (edition_->offer_valid_until == laws::OfferValidUntil::accepted_rejected_or_opponent_touches_piece)
      withdraw_offer(out, opposite(side));
  }
  const laws::IllegalMoveRule law = laws::illegal_move_rule(*edition_, category_, setup_.supervision);
  const bool intervenes = laws::arbiter_intervenes(law, kind == IllegalKind::promotion_missing);
  if (law.claim_needed && !edition_->auto_claim && !intervenes) {
    unclaimed_illegal_move_ = side;
    rule(out, MoveRejected{side, shown(text), kind, illegal_moves(side), {}, false, required_moves_},
         laws::illegal_move_subject(*edition_, category_, setup_.supervision), "illegal_unclaimed");
    return rule_clocks(out);
  }
  penalise_illegal_move(out, side, text, kind, {Consequence::reinstated, {}});
}

// 4.3 binds the replacement to the first piece touched in the turn.
void Game::touch(std::string_view text) {
  touched_ = true;
  if (edition_->touch_move_on_replacement && required_moves_.empty()) required_moves_ = laws::replacement_moves(position_, text);
}

void Game::refuse_uncounted(Rulings& out, Color side, std::string_view text, IllegalKind kind, std::string_view subject,
                            std::string_view decision) {
  stop_clock();
  rule(out, MoveRejected{side, shown(text), kind, illegal_moves(side), {}, false, required_moves_}, subject, decision);
  if (++refusals_ >= refusals_that_lose) {
    return lose(out, {side, Reason::declared_lost, Reason::declared_lost, "penalty", false},
                std::string(title(side)) + " refused to comply " + std::to_string(refusals_) + " times in one turn");
  }
  rule_clocks(out);
}

// 7.5.5 (2014+) asks whether the opponent can mate after the action taken: a move that stands is on the board by then.
void Game::penalise_illegal_move(Rulings& out, Color side, std::string_view text, IllegalKind kind, const Action& action) {
  const laws::IllegalMoveRule law = laws::illegal_move_rule(*edition_, category_, setup_.supervision);
  const std::string_view of_illegal_moves = laws::illegal_move_subject(*edition_, category_, setup_.supervision);
  const int count = ++illegal_moves_[index(side)];
  const bool forfeits = law.forfeit_at && count >= *law.forfeit_at;
  MoveRejected rejected{side, shown(text), kind, count, {}, false, {}};
  std::string detail =
      forfeits ? std::string(title(side)) + " made illegal move number " + std::to_string(count) + ": " + rejected.text : "";
  if (!forfeits) {
    rejected.opponent_bonus = law.opponent_bonus.value_or(Duration::zero());
    clocks_[opposite(side)].add(rejected.opponent_bonus);
    if (action.consequence == Consequence::reinstated) rejected.replacements = required_moves_;
  }
  switch (action.consequence) {
    case Consequence::reinstated:
      rule(out, std::move(rejected), of_illegal_moves, "illegal_reinstated");
      break;
    case Consequence::queen_placed:
      rejected.queen_placed = true;
      rule(out, std::move(rejected), "promotion", "illegal_queen_placed");
      break;
    case Consequence::move_stands:
      rule(out, std::move(rejected), of_illegal_moves, "illegal_move_stands");
      break;
  }
  if (!forfeits) {
    if (action.consequence == Consequence::reinstated) rule_clocks(out, of_illegal_moves);
    return;
  }
  if (action.move) carry_out(out, *action.move, std::string(note_of(action.consequence)), Credit::none);
  // A move that keeps to article 3 and ends the game has ended it (5.1.1, 5.2.1): nothing was pressed any more.
  if (action.consequence == Consequence::move_stands && judge_board(out)) return;
  lose(out, {side, Reason::illegal_move_forfeit, Reason::illegal_move_unwinnable, of_illegal_moves, law.unwinnable_is_draw},
       std::move(detail));
}

// 7.5.2 (2014+): the move is illegal, but the pawn becomes a queen and the turn passes; no increment for it (LAWS D1).
void Game::place_queen(Rulings& out, Color side, std::string_view text, chess::Move move) {
  penalise_illegal_move(out, side, text, IllegalKind::promotion_missing, {Consequence::queen_placed, move});
  if (phase_ != Phase::over) accept(out, move, std::string(note_of(Consequence::queen_placed)), Credit::none);
}

// 7.5.4 (2017+): penalised like an illegal move, though nothing has to be restored; before, and elsewhere, misconduct.
void Game::accept_two_hands(Rulings& out, const MoveReceived& event, chess::Move move) {
  if (!edition_->two_hands_illegal) {
    rule(out, Warned{event.side, "a move is made with one hand"}, "penalty", "misconduct");
    return accept(out, move, {}, Credit::increment);
  }
  stop_clock();
  penalise_illegal_move(out, event.side, event.text, IllegalKind::two_hands, {Consequence::move_stands, move});
  if (phase_ != Phase::over) accept(out, move, std::string(note_of(Consequence::move_stands)), Credit::none);
}

void Game::flag_fell(Rulings& out, Color side) {
  flag_down_[index(side)] = true;
  stop_clock();
  show_fallen_flag(side);
  if (postponed_claim_) {
    fallen_flag_ = side;
    return ask_arbiter(out, *postponed_claim_, Question::fallen_flag,
                       std::string(title(side)) + "'s flag has fallen while a quickplay claim was postponed: is the game drawn?");
  }
  lose(out, {side, Reason::flag_fall, Reason::flag_fall_unwinnable, "flag", edition_->flag_unwinnable_is_draw},
       std::string(title(side)) + "'s flag fell");
}

}  // namespace referee::game
