// What engines say beside their moves: offers, claims and resignations, and the move that is due all the same.
#include <utility>
#include <variant>

#include "referee/chess/notation.hpp"
#include "referee/laws/claims.hpp"
#include "referee/match/game_faults.hpp"
#include "referee/match/game_session.hpp"

namespace referee::match {

using chess::Color;
using chess::opposite;

namespace {

constexpr std::chrono::milliseconds move_behind_a_claim{200};
/// An engine that claims the same wrong thing each time it is asked for a move would go on for ever where no clock runs.
constexpr int most_claims_instead_of_a_move = 8;

}  // namespace

void GameSession::on(Color side, const engine::DrawOffer& message) {
  if (stage_ != Stage::playing) return;
  const bool stands_already = game_.draw_offer() == side;
  if (game_.draw_offer() == opposite(side))
    claim(side, message.at, game::DrawAccepted{side});
  else
    claim(side, message.at, game::DrawOffered{side});
  // Made while the opponent thinks it is open all the same (9.1.2.1): he hears of it at once, not with his next turn; and once.
  if (stage_ == Stage::playing && thinking_ == opposite(side) && game_.draw_offer() == side && !stands_already)
    seat(opposite(side)).engine->offer_draw();
}

void GameSession::on(Color side, const engine::Resignation& message) {
  if (stage_ == Stage::playing) claim(side, message.at, game::Resigned{side});
}

void GameSession::on(Color side, const engine::ResultClaim& message) {
  if (stage_ != Stage::playing) return;
  claim(side, message.at, game::ResultClaimed{side, message.white_score, message.black_score, message.text});
  // The claim did not end the game: a move is still due. It may stand right behind the claim, or the engine has stopped thinking.
  if (stage_ == Stage::playing && thinking_ == side && !awaiting_go_)
    after_claim_.set(std::chrono::steady_clock::now() + move_behind_a_claim);
}

/// It is asked once more. Its clock goes on, also while it owes the answer to that.
void GameSession::on_silence_after_claim() {
  if (stage_ != Stage::playing || !thinking_ || awaiting_go_) return;
  const Color side = *thinking_;
  if (seat(side).engine->drain_now()) return;
  if (stage_ != Stage::playing || thinking_ != side) return;
  if (std::exchange(claims_at_ply_, line_.plies.size()) != line_.plies.size()) claims_instead_of_move_ = 0;
  if (++claims_instead_of_move_ > most_claims_instead_of_a_move)
    return on(side, engine::Failure{engine::FailureKind::protocol_error, "claims again and again and does not move",
                                    std::chrono::steady_clock::now()});
  thinking_.reset();
  seat(side).engine->stop();
  next_turn();
}

/// XBoard: an offer made before a move that brings about a claimable draw is the claim of it.
void GameSession::claim_with_move(Color side, const engine::Answer& message) {
  const Seat& own = seat(side);
  if (own.notation != game::MoveNotation::xboard || game_.draw_offer() != side) return;
  const auto castling = line_.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  const chess::MoveText read = chess::read_xboard(line_.current, message.move, castling);
  const auto* move = std::get_if<chess::ReadMove>(&read);
  if (move == nullptr) return;
  for (const auto& [rule, law] : {std::pair{game::ClaimRule::threefold, laws::DrawRule::repetition},
                                  std::pair{game::ClaimRule::fifty, laws::DrawRule::no_progress}}) {
    if (!laws::claim_exists(game_.edition(), law) || !game_.claimable(rule, move->move)) continue;
    judge(message.at, game::DrawClaimed{side, rule, message.move, own.notation});
    return;
  }
}

void GameSession::on(Color side, const engine::IllegalMoveClaim& message) {
  if (stage_ == Stage::playing) claim(side, message.at, game::IllegalMoveClaimed{side, message.text});
}

void GameSession::claim(Color side, engine::Instant at, game::EventBody body) {
  const bool clock_ran = game_.running().has_value();
  judge(at, std::move(body));
  if (game_.outcome()) {
    if (is_fault(game_.outcome()->reason) && !seat(side).fault) seat(side).fault = game_.outcome()->reason;
    return finish();
  }
  if (awaiting_go_ && !clock_ran) return;
  if (thinking_ && game_.phase() == game::Phase::playing) return think_on(at);
  if (thinking_) {  // an arbiter is to answer; a move may stand right behind what was asked
    if (!game_.flag_at()) flag_.clear();
    after_claim_.set(std::chrono::steady_clock::now() + move_behind_a_claim);
  }
  hand_on();
}

}  // namespace referee::match
