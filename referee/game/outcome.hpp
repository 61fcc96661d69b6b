// How a game ended: a pair of scores, a stable reason code and the article. Never a bare "1-0" (LAWS D10).
#pragma once

#include <string>
#include <string_view>

#include "referee/chess/types.hpp"

namespace referee::game {

/// Reason codes; their text (code()) is the one at the head of edge-cases.yaml and in DESIGN section 6.
enum class Reason {
  none,
  checkmate,
  stalemate,
  dead_position,
  insufficient_material,
  threefold_claim,
  fifty_claim,
  threefold_auto,
  fifty_auto,
  fivefold,
  seventyfive,
  agreement,
  resignation,
  resignation_unwinnable,
  flag_fall,
  flag_fall_unwinnable,
  both_flags,
  illegal_move_forfeit,
  illegal_move_unwinnable,
  false_claim_forfeit,
  quickplay_draw,
  sealed_move_invalid,
  sealed_move_invalid_unwinnable,
  default_time,
  start_timeout,
  both_lost,
  declared_lost,
  expelled,
  score_adjusted,
  result_overridden,
  replay_correct_colours,
  annulled_replay,
  crash,
  disconnect,
  stall,
  protocol_error,
  adjudication_draw,
  adjudication_win,
  adjudication_tablebase,
  max_moves,
  trusted_mate,
  aborted,
};
[[nodiscard]] std::string_view code(Reason reason) noexcept;
[[nodiscard]] Reason parse_reason(std::string_view code) noexcept;  // Reason::none if unknown

/// Points in hundredths: 100 a win, 50 a draw.
struct Score {
  int white = 0;
  int black = 0;
  friend constexpr bool operator==(const Score&, const Score&) = default;
};
inline constexpr Score white_wins{100, 0};
inline constexpr Score black_wins{0, 100};
inline constexpr Score draw{50, 50};
inline constexpr Score both_lose{0, 0};
[[nodiscard]] constexpr Score win_for(chess::Color winner) noexcept { return winner == chess::Color::white ? white_wins : black_wins; }

struct Outcome {
  Score score;
  Reason reason = Reason::none;
  std::string article;     // in the edition in force; empty for host rules
  std::string detail;      // one sentence for people; not compared by scripts
  bool undecided = false;  // winnability was asked and not decided: the ordinary result stands (WINNABILITY section 1)
  bool annulled = false;   // no result: to be replayed (result "*")
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
/// "1-0" "0-1" "1/2-1/2" "0-0" "1/2-0" "0-1/2", "*" when annulled.
[[nodiscard]] std::string result_text(const Outcome& outcome);
/// PGN's game termination marker: one of "1-0" "0-1" "1/2-1/2" "*".
[[nodiscard]] std::string_view pgn_result(const Outcome& outcome) noexcept;

}  // namespace referee::game
