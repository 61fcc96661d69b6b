// Adjourned games (appendix A of 2005, Guidelines I).
#include <algorithm>
#include <utility>

#include "referee/game/game.hpp"
#include "referee/game/words.hpp"
#include "referee/laws/event_rules.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

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
  rule(out, Warned{sealer, "the next move is to be sealed"}, "sealed_move", "seal_move");
}

void Game::seal(Rulings& out, Color side, std::string text, MoveNotation notation) {
  if (phase_ != Phase::playing) return refuse(out, "the clocks have been stopped", "sealed_move");
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
  const bool beyond_limit = order.side && limit && order.time > *limit && !lateness_waived_[index(*order.side)];
  if (order.side == replier) {
    if (beyond_limit) {
      return end(out, win_for(sealer), Reason::default_time, "late_at_resumption",
                 std::string(title(replier)) + " was late at the resumption");
    }
    // A7, A9b: it stays closed until the player who must reply is there; that player's clock runs meanwhile.
    if (order.flag) {
      if (!running_) start_clock(replier);
      return rule_clocks(out, "sealed_move", "wait");
    }
    if (!running_) {  // nobody has started it: what it would show by now
      const bool fallen = clocks_[replier].flag_falls(order.time);
      clocks_[replier].charge(order.time);
      if (fallen) return flag_fell(out, replier);
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
  rule(out, Resumed{}, "adjournment", "sealed_move_played");
  // An offer made since the move was sealed is open until it is answered (A4, I.4): this move was made before it.
  const bool offered = std::exchange(offers_[index(replier)], false);
  accept(out, found->move, found->note, Credit::increment);
  if (phase_ != Phase::over) offers_[index(replier)] = offered;
  if (phase_ == Phase::over || order.side != sealer || !beyond_limit) return;
  // A10: the author is late, and the move does not end the game.
  end(out, win_for(replier), Reason::default_time, "late_at_resumption", std::string(title(sealer)) + " was late at the resumption");
}

}  // namespace referee::game
