// Adjourned games (appendix A of 2005, Guidelines I).
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "referee/game/game.hpp"
#include "referee/game/words.hpp"
#include "referee/laws/event_rules.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

namespace {

// The envelope opened as if both were there: does the move in it end the game? Then that stands, and nothing else is changed.
bool ended_by_sealed_move(Game& game, Rulings& out, Duration now, const std::string& stated) {
  Game opened = game;
  Rulings rulings = opened.apply({now, ArbiterOrder{OrderKind::open_envelope, std::nullopt, {}, 0, 0, stated, false, {}, {}}});
  if (!opened.outcome() || opened.moves().size() == game.moves().size()) return false;
  game = std::move(opened);
  std::move(rulings.begin(), rulings.end(), std::back_inserter(out));
  return true;
}

}  // namespace

void Game::adjourn(Rulings& out, const ArbiterOrder& order) {
  if (!edition_->adjournment_allowed) return refuse(out, "the edition has no adjournment", "adjournment");
  if (phase_ != Phase::playing) return refuse(out, "play is stopped already", "adjournment");
  if (sealing_) return refuse(out, "a move is being sealed already", "adjournment");
  const Color sealer = position_.side_to_move();
  envelope_ = Envelope{sealer, {}, MoveNotation::xboard, order.flag ? Duration::zero() : order.time};
  sealing_ = true;
  if (order.flag && order.time > Duration::zero()) {
    // A1b: at the player's own wish, counted as sealed at the end of the session.
    const bool fallen = clocks_[sealer].flag_falls(for_clock(sealer, elapsed()) + order.time);
    stop_clock();
    clocks_[sealer].charge(order.time);
    charged_ += order.time;
    rule_clocks(out, "adjournment", "clocks_changed");
    if (fallen) return flag_fell(out, sealer);
  }
  rule(out, Warned{sealer, "the next move is to be sealed"}, "adjournment", "seal_move");
}

void Game::seal(Rulings& out, Color side, std::string text, MoveNotation notation) {
  if (phase_ != Phase::playing) return refuse(out, "the clocks have been stopped", "adjournment");
  stop_clock();
  const Duration resumption = envelope_ ? envelope_->resumption : Duration::zero();
  envelope_ = Envelope{side, std::move(text), notation, resumption};
  sealing_ = false;
  phase_ = Phase::adjourned;
  rule(out, Adjourned{side}, "adjournment", "adjourned");
  rule_clocks(out);
}

void Game::open_envelope(Rulings& out, const ArbiterOrder& order) {
  if (phase_ != Phase::adjourned || !envelope_) return refuse(out, "there is no envelope", "adjournment");
  const Color sealer = envelope_->sealer;
  const Color replier = opposite(sealer);
  const auto limit = laws::resumption_limit(*edition_, setup_.event_default_time);
  const auto beyond_limit = [&](Color side) { return limit && order.time > *limit && !lateness_waived_[index(side)]; };
  const bool nobody = !order.side && order.flag;
  if (nobody && beyond_limit(sealer) && beyond_limit(replier)) {
    // A10, I.10: the author is late, but not for a move that ends the game.
    if (ended_by_sealed_move(*this, out, now_, order.text)) return;
    return end(out, both_lose, Reason::default_time, "late_at_resumption", "neither player was there in time at the resumption");
  }
  const std::optional<Color> late = !nobody ? order.side : beyond_limit(sealer) ? sealer : replier;
  if (late == replier) {
    if (beyond_limit(replier)) {
      // I.10: a sealed move that ends the game counts however late either player is; A10 says it of its author alone.
      if (laws::sealed_ending_binds_both(*edition_) && ended_by_sealed_move(*this, out, now_, order.text)) return;
      return end(out, win_for(sealer), Reason::default_time, "late_at_resumption",
                 std::string(title(replier)) + " was late at the resumption");
    }
    // A7, A9b: it stays closed until the player who must reply is there; that player's clock has run since the resumption.
    if (!running_) {
      const bool fallen = clocks_[replier].flag_falls(order.time);
      clocks_[replier].charge(order.time);
      if (fallen) return flag_fell(out, replier);
    }
    if (order.flag) {
      if (!running_) start_clock(replier);
      return rule_clocks(out, "resumption", "wait");
    }
  }
  stop_clock();
  phase_ = Phase::playing;
  const Envelope envelope = *std::exchange(envelope_, std::nullopt);
  const chess::MoveText text = order.text.empty() ? read(envelope.text, envelope.notation) : read(order.text, MoveNotation::xboard);
  const auto* found = std::get_if<chess::ReadMove>(&text);
  const bool allowed = found != nullptr && (required_moves_.empty() || std::find(required_moves_.begin(), required_moves_.end(),
                                                                                 found->move) != required_moves_.end());
  if (!allowed) {
    return lose(out, {sealer, Reason::sealed_move_invalid, Reason::sealed_move_invalid_unwinnable, "sealed_move", true},
                std::string(title(sealer)) + "'s sealed move is no legal move: " + (order.text.empty() ? envelope.text : order.text));
  }
  rule(out, Resumed{}, "resumption", "sealed_move_played");
  // An offer made since the move was sealed is open until it is answered (A4, I.4): this move was made before it.
  const bool offered = std::exchange(offers_[index(replier)], false);
  accept(out, found->move, found->note, Credit::increment);
  if (phase_ != Phase::over) offers_[index(replier)] = offered;
  if (phase_ == Phase::over || late != sealer || !beyond_limit(sealer)) return;
  // A10: the author is late, and the move does not end the game.
  end(out, win_for(replier), Reason::default_time, "late_at_resumption", std::string(title(sealer)) + " was late at the resumption");
}

}  // namespace referee::game
