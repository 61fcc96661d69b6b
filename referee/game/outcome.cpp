#include "referee/game/outcome.hpp"

#include <array>
#include <utility>

namespace referee::game {

namespace {

constexpr std::array<std::pair<Reason, std::string_view>, 42> reason_codes{{
    {Reason::checkmate, "checkmate"},
    {Reason::stalemate, "stalemate"},
    {Reason::dead_position, "dead_position"},
    {Reason::insufficient_material, "insufficient_material"},
    {Reason::threefold_claim, "threefold_claim"},
    {Reason::fifty_claim, "fifty_claim"},
    {Reason::threefold_auto, "threefold_auto"},
    {Reason::fifty_auto, "fifty_auto"},
    {Reason::fivefold, "fivefold"},
    {Reason::seventyfive, "seventyfive"},
    {Reason::agreement, "agreement"},
    {Reason::resignation, "resignation"},
    {Reason::resignation_unwinnable, "resignation_unwinnable"},
    {Reason::flag_fall, "flag_fall"},
    {Reason::flag_fall_unwinnable, "flag_fall_unwinnable"},
    {Reason::both_flags, "both_flags"},
    {Reason::illegal_move_forfeit, "illegal_move_forfeit"},
    {Reason::illegal_move_unwinnable, "illegal_move_unwinnable"},
    {Reason::false_claim_forfeit, "false_claim_forfeit"},
    {Reason::quickplay_draw, "quickplay_draw"},
    {Reason::sealed_move_invalid, "sealed_move_invalid"},
    {Reason::sealed_move_invalid_unwinnable, "sealed_move_invalid_unwinnable"},
    {Reason::default_time, "default_time"},
    {Reason::start_timeout, "start_timeout"},
    {Reason::both_lost, "both_lost"},
    {Reason::declared_lost, "declared_lost"},
    {Reason::expelled, "expelled"},
    {Reason::score_adjusted, "score_adjusted"},
    {Reason::result_overridden, "result_overridden"},
    {Reason::replay_correct_colours, "replay_correct_colours"},
    {Reason::annulled_replay, "annulled_replay"},
    {Reason::crash, "crash"},
    {Reason::disconnect, "disconnect"},
    {Reason::stall, "stall"},
    {Reason::protocol_error, "protocol_error"},
    {Reason::adjudication_draw, "adjudication_draw"},
    {Reason::adjudication_win, "adjudication_win"},
    {Reason::adjudication_tablebase, "adjudication_tablebase"},
    {Reason::max_moves, "max_moves"},
    {Reason::trusted_mate, "trusted_mate"},
    {Reason::aborted, "aborted"},
    {Reason::none, "none"},
}};

std::string_view points(int hundredths) noexcept {
  switch (hundredths) {
    case 0:
      return "0";
    case 50:
      return "1/2";
    case 100:
      return "1";
    default:
      return {};
  }
}

std::string points_text(int hundredths) {
  if (const auto usual = points(hundredths); !usual.empty()) return std::string(usual);
  std::string digits = std::to_string(hundredths % 100);
  if (digits.size() < 2) digits.insert(0, 1, '0');
  if (digits.back() == '0') digits.pop_back();
  return std::to_string(hundredths / 100) + "." + digits;
}

}  // namespace

std::string_view code(Reason reason) noexcept {
  for (const auto& [entry, text] : reason_codes) {
    if (entry == reason) return text;
  }
  return {};
}

Reason parse_reason(std::string_view code) noexcept {
  for (const auto& [reason, text] : reason_codes) {
    if (text == code) return reason;
  }
  return Reason::none;
}

std::string result_text(const Outcome& outcome) {
  if (outcome.annulled) return "*";
  return points_text(outcome.score.white) + "-" + points_text(outcome.score.black);
}

std::string_view pgn_result(const Outcome& outcome) noexcept {
  if (outcome.annulled) return "*";
  if (outcome.score == white_wins) return "1-0";
  if (outcome.score == black_wins) return "0-1";
  if (outcome.score == draw) return "1/2-1/2";
  return "*";
}

}  // namespace referee::game
