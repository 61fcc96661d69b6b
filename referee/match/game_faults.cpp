#include "referee/match/game_faults.hpp"

namespace referee::match {

game::FailureKind kind_of(engine::FailureKind kind) {
  switch (kind) {
    case engine::FailureKind::not_executed:
    case engine::FailureKind::crash:
      return game::FailureKind::crash;
    case engine::FailureKind::stall:
      return game::FailureKind::stall;
    case engine::FailureKind::protocol_error:
      return game::FailureKind::protocol_error;
    case engine::FailureKind::disconnect:
      break;
  }
  return game::FailureKind::disconnect;
}

bool is_fault(game::Reason reason) {
  switch (reason) {
    case game::Reason::crash:
    case game::Reason::disconnect:
    case game::Reason::stall:
    case game::Reason::protocol_error:
    case game::Reason::illegal_move_forfeit:
    case game::Reason::illegal_move_unwinnable:
    case game::Reason::false_claim_forfeit:
    case game::Reason::flag_fall:
    case game::Reason::flag_fall_unwinnable:
    case game::Reason::start_timeout:
    case game::Reason::default_time:
      return true;
    default:
      return false;
  }
}

chess::Color at_fault(const game::Outcome& outcome, chess::Color to_move) {
  if (outcome.score.white == outcome.score.black) return to_move;
  return outcome.score.white < outcome.score.black ? chess::Color::white : chess::Color::black;
}

config::OnFault policy_for(const config::Faults& faults, game::Reason reason) {
  switch (reason) {
    case game::Reason::crash:
    case game::Reason::disconnect:
    case game::Reason::protocol_error:
      return faults.crash;
    case game::Reason::stall:
    case game::Reason::start_timeout:
      return faults.hang;
    case game::Reason::flag_fall:
    case game::Reason::flag_fall_unwinnable:
      return faults.time;
    case game::Reason::illegal_move_forfeit:
    case game::Reason::illegal_move_unwinnable:
    case game::Reason::false_claim_forfeit:
      return faults.illegal;
    default:
      return config::OnFault::lose;
  }
}

game::Reason reason_of(engine::FailureKind kind) {
  switch (kind_of(kind)) {
    case game::FailureKind::crash:
      return game::Reason::crash;
    case game::FailureKind::stall:
      return game::Reason::stall;
    case game::FailureKind::protocol_error:
      return game::Reason::protocol_error;
    case game::FailureKind::disconnect:
      break;
  }
  return game::Reason::disconnect;
}

game::Reason reason_of_start(engine::FailureKind kind) {
  return kind == engine::FailureKind::stall ? game::Reason::start_timeout : reason_of(kind);
}

}  // namespace referee::match
