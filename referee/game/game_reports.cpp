// Arrival and lateness, failures of engines, scores, tablebases, late verdicts.
#include <algorithm>
#include <utility>

#include "referee/game/game.hpp"
#include "referee/game/words.hpp"
#include "referee/laws/event_rules.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

// Arrival (6.6, 6.7) -----------------------------------------------------------------------------------------------------

bool Game::too_late(Color side, Duration late) const noexcept {
  if (lateness_waived_[index(side)]) return false;
  const auto limit = laws::default_time(*edition_, setup_.event_default_time);
  return limit && late > *limit;
}

void Game::on(Rulings& out, const PlayerArrived& event) {
  if (too_late(event.side, event.late)) return default_loss(out, event.side, event.late);
  // White's clock has run since the appointed time (6.5, 6.6). An edition without an article on lateness starts clocks when all are ready.
  const bool clock_has_run = has_move(event.side) && moves_.size() == opening_plies_ && phase_ == Phase::playing && !running_ &&
                             !laws::article(*edition_, "default_time").empty();
  if (clock_has_run && event.late > Duration::zero()) {
    const bool fallen = clocks_[event.side].flag_falls(event.late);
    clocks_[event.side].charge(event.late);
    if (fallen) return flag_fell(out, event.side);
  }
  rule_clocks(out, "default_time", "may_play");
}

void Game::on(Rulings&, const PlayerReady&) {}

void Game::on(Rulings& out, const PlayerLate& event) {
  if (event.both) {
    if (lateness_waived_[0] && lateness_waived_[1]) return ignore(out, "the arbiter has decided otherwise");
    return end(out, both_lose, Reason::default_time, "default_time", "neither player was there when the default time was over");
  }
  if (lateness_waived_[index(event.side)]) return ignore(out, "the arbiter has decided otherwise");
  default_loss(out, event.side, event.late);
}

void Game::default_loss(Rulings& out, Color side, Duration) {
  // A limit that no article knows is the host's own for starting an engine.
  const bool in_the_laws = !laws::article(*edition_, "default_time").empty();
  end(out, win_for(opposite(side)), in_the_laws ? Reason::default_time : Reason::start_timeout, "default_time",
      std::string(title(side)) + " was not there within the default time");
}

// Failures and the host --------------------------------------------------------------------------------------------------

void Game::on(Rulings& out, const EngineFailed& event) {
  Reason reason = Reason::crash;
  switch (event.kind) {
    case FailureKind::crash:
      break;
    case FailureKind::disconnect:
      reason = Reason::disconnect;
      break;
    case FailureKind::stall:
      reason = Reason::stall;
      break;
    case FailureKind::protocol_error:
      reason = Reason::protocol_error;
      break;
  }
  std::string detail = std::string(title(event.side)) + "'s engine failed";
  if (!event.detail.empty()) detail += ": " + event.detail;
  lose(out, {event.side, reason, reason, {}, false}, std::move(detail));
}

void Game::on(Rulings&, const EvaluationReported& event) { adjudicator_.report(event.side, {event.centipawns, event.mate}); }

void Game::on(Rulings& out, const TablebaseReported& event) {
  if (phase_ != Phase::playing) return ignore(out, "play is stopped");
  end(out, {event.white_score, event.black_score}, Reason::adjudication_tablebase, {}, "the tablebase knows the result");
}

void Game::on(Rulings& out, const Aborted& event) { end_annulled(out, Reason::aborted, {}, event.why); }

// Verdicts that come late (DESIGN section 2) -----------------------------------------------------------------------------

namespace {

// What stands whatever is found out later: the board had decided, or somebody with the right to do so has set the result by hand.
bool is_final(const Outcome& outcome) noexcept {
  switch (outcome.reason) {
    case Reason::checkmate:
    case Reason::stalemate:
    case Reason::result_overridden:
    case Reason::score_adjusted:
      return true;
    default:
      return outcome.annulled;
  }
}

}  // namespace

void Game::on(Rulings& out, const WinnabilityVerdict& event) {
  if (event.ply < 0 || static_cast<std::size_t>(event.ply) > moves_.size()) return ignore(out, "there is no such half-move");
  if (outcome_ && is_final(*outcome_)) return ignore(out, "the result stands");
  const bool about_the_loss = undecided_ && event.side == opposite(undecided_->loser);
  if (event.verdict == Verdict::undecided) return ignore(out, "nothing was found out");
  if (event.verdict == Verdict::can_mate) {
    if (!about_the_loss || static_cast<std::size_t>(event.ply) != plies_) return ignore(out, "play goes on");
    Outcome confirmed = *outcome_;
    confirmed.undecided = false;
    undecided_.reset();
    return publish(out, std::move(confirmed));
  }
  auto& since = cannot_mate_since_[index(event.side)];
  since = std::min(since.value_or(event.ply), event.ply);
  const auto& other = cannot_mate_since_[index(opposite(event.side))];
  if (other && edition_->dead_position == laws::DeadPositionTest::fide) {
    const auto dead_since = static_cast<std::size_t>(std::max(*since, *other));
    const bool known = outcome_ && outcome_->reason == Reason::dead_position && plies_ <= dead_since;
    return known ? ignore(out, "the game had ended before") : end_at(out, dead_since);
  }
  if (about_the_loss && static_cast<std::size_t>(event.ply) <= plies_) {
    const Forfeit forfeit = *undecided_;
    undecided_.reset();
    return end(out, draw, forfeit.drawn, forfeit.subject,
               std::string(title(event.side)) + " could not mate by any series of legal moves, as was proven later");
  }
  ignore(out, "play goes on");
}

Game::Board Game::board_after(std::size_t ply) const {
  Board board{setup_.start, laws::RepetitionHistory(setup_.start)};
  for (std::size_t i = 0; i < ply; ++i) {
    const bool zeroing = board.position.is_zeroing(moves_[i].move);
    board.position.play(moves_[i].move);
    board.history.record(board.position, zeroing);
  }
  return board;
}

void Game::end_at(Rulings& out, std::size_t ply) {
  Board board = board_after(ply);
  position_ = board.position;
  history_ = std::move(board.history);
  plies_ = ply;
  undecided_.reset();
  end(out, draw, Reason::dead_position, "dead_position",
      "neither side could mate any more after half-move " + std::to_string(ply) + ", as was proven later");
}

}  // namespace referee::game
