// What PGN says in words: Termination, and the reason of the end for people.
#include <string>

#include "referee/game/printable.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

namespace {

using game::Reason;

std::string_view how(Reason reason) noexcept {
  switch (reason) {
    case Reason::none:
      return "";
    case Reason::checkmate:
      return "checkmate";
    case Reason::stalemate:
      return "stalemate";
    case Reason::dead_position:
      return "dead position";
    case Reason::insufficient_material:
      return "insufficient material";
    case Reason::threefold_claim:
      return "threefold repetition, claimed";
    case Reason::fifty_claim:
      return "the fifty-move rule, claimed";
    case Reason::threefold_auto:
      return "threefold repetition";
    case Reason::fifty_auto:
      return "the fifty-move rule";
    case Reason::fivefold:
      return "fivefold repetition";
    case Reason::seventyfive:
      return "the 75-move rule";
    case Reason::agreement:
      return "agreement";
    case Reason::resignation:
      return "resignation";
    case Reason::resignation_unwinnable:
      return "resignation against a player who cannot mate";
    case Reason::flag_fall:
      return "loss on time";
    case Reason::flag_fall_unwinnable:
      return "loss on time against a player who cannot mate";
    case Reason::both_flags:
      return "both flags down";
    case Reason::illegal_move_forfeit:
      return "illegal move";
    case Reason::illegal_move_unwinnable:
      return "illegal move against a player who cannot mate";
    case Reason::false_claim_forfeit:
      return "false claim";
    case Reason::quickplay_draw:
      return "a quickplay claim upheld";
    case Reason::sealed_move_invalid:
      return "invalid sealed move";
    case Reason::sealed_move_invalid_unwinnable:
      return "invalid sealed move against a player who cannot mate";
    case Reason::default_time:
      return "arrival after the default time";
    case Reason::start_timeout:
      return "failure to start in time";
    case Reason::both_lost:
      return "declaration that both players lose";
    case Reason::declared_lost:
      return "declaration of the arbiter";
    case Reason::expelled:
      return "expulsion";
    case Reason::score_adjusted:
      return "a score adjusted by the arbiter";
    case Reason::result_overridden:
      return "a result set by the arbiter";
    case Reason::replay_correct_colours:
      return "reversed colours, to be played anew";
    case Reason::annulled_replay:
      return "annulment, to be played anew";
    case Reason::crash:
      return "crash of the opponent's engine";
    case Reason::disconnect:
      return "disconnection of the opponent's engine";
    case Reason::stall:
      return "silence of the opponent's engine";
    case Reason::protocol_error:
      return "protocol error of the opponent's engine";
    case Reason::adjudication_draw:
      return "adjudication, scores near zero";
    case Reason::adjudication_win:
      return "adjudication, decided scores";
    case Reason::adjudication_tablebase:
      return "adjudication by tablebase";
    case Reason::max_moves:
      return "the limit of moves";
    case Reason::trusted_mate:
      return "adjudication, announced mate";
    case Reason::aborted:
      return "an order to stop";
  }
  return "";
}

}  // namespace

std::string_view pgn_termination(Reason reason) noexcept {
  switch (reason) {
    case Reason::checkmate:
    case Reason::stalemate:
    case Reason::dead_position:
    case Reason::insufficient_material:
    case Reason::threefold_claim:
    case Reason::fifty_claim:
    case Reason::threefold_auto:
    case Reason::fifty_auto:
    case Reason::fivefold:
    case Reason::seventyfive:
    case Reason::agreement:
    case Reason::resignation:
    case Reason::resignation_unwinnable:
    case Reason::quickplay_draw:
      return "normal";
    case Reason::flag_fall:
    case Reason::flag_fall_unwinnable:
    case Reason::both_flags:
      return "time forfeit";
    case Reason::illegal_move_forfeit:
    case Reason::illegal_move_unwinnable:
    case Reason::false_claim_forfeit:
    case Reason::sealed_move_invalid:
    case Reason::sealed_move_invalid_unwinnable:
    case Reason::both_lost:
    case Reason::declared_lost:
    case Reason::expelled:
      return "rules infraction";
    case Reason::default_time:
    case Reason::start_timeout:
    case Reason::crash:
    case Reason::disconnect:
    case Reason::stall:
    case Reason::protocol_error:
      return "abandoned";
    case Reason::score_adjusted:
    case Reason::result_overridden:
    case Reason::adjudication_draw:
    case Reason::adjudication_win:
    case Reason::adjudication_tablebase:
    case Reason::max_moves:
    case Reason::trusted_mate:
      return "adjudication";
    case Reason::none:
    case Reason::replay_correct_colours:
    case Reason::annulled_replay:
    case Reason::aborted:
      return "unterminated";
  }
  return "unterminated";
}

std::string words(const game::Outcome& outcome) {
  std::string text;
  if (outcome.annulled)
    text = "No result";
  else if (outcome.score == game::white_wins)
    text = "White wins";
  else if (outcome.score == game::black_wins)
    text = "Black wins";
  else if (outcome.score == game::draw)
    text = "Draw";
  else
    text = "Result " + game::result_text(outcome);
  if (const auto reason = how(outcome.reason); !reason.empty()) text += " by " + std::string(reason);
  if (!outcome.article.empty()) text += " (article " + outcome.article + ")";
  if (outcome.undecided) text += ", winnability undecided";
  if (!outcome.detail.empty()) text += ": " + game::printable(outcome.detail);
  return text;
}

}  // namespace referee::record
