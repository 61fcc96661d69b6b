// The host's own rules about scores and length, asked after every rule of the board (DESIGN section 2). All off by default.
//
// A run of scores is counted in half-moves. A move made without a score of its own, or with a mate score where the draw rule looks,
// ends the run. When it is counted from does not depend on the move number: that only says from when on the game may be ended.
#pragma once

#include <array>
#include <optional>

#include "referee/chess/types.hpp"

namespace referee::game {

using chess::Color;

struct Adjudication {
  /// Drawn after `move_count` full moves (twice as many half-moves in a row) in which both sides' scores were within `score` centipawns
  /// of zero, once move `move_number` has been made by both. With `reset_on_zeroing` a pawn move or capture starts the run anew,
  /// itself not counted: draw 34/8/20 with all scores small from move 30 on ends after move 37, or after 44 if Black moves a pawn at 36.
  struct DrawRule {
    int move_number = 0;
    int move_count = 0;
    int score = 0;
    bool reset_on_zeroing = false;
    friend bool operator==(const DrawRule&, const DrawRule&) = default;
  };
  /// Lost by a side whose own score was at most -`score` on its last `move_count` moves; `two_sided`: and the opponent's at least +`score`
  /// on its last `move_count`, by sign, so two engines that both see themselves winning adjudicate nothing. A mate score counts as the
  /// largest.
  struct ResignRule {
    int move_count = 0;
    int score = 0;
    bool two_sided = false;
    friend bool operator==(const ResignRule&, const ResignRule&) = default;
  };
  std::optional<DrawRule> draw;
  std::optional<ResignRule> resign;
  std::optional<int> max_moves;  // drawn once Black has made the move with this number (full moves, from the FEN's own number)
  bool trusted_mates = false;    // won when the winner's last score is a mate for it and the loser's last a mate against it
  friend bool operator==(const Adjudication&, const Adjudication&) = default;
};

/// What an engine said about the position it moves in, from its own side.
struct Evaluation {
  std::optional<int> centipawns;
  std::optional<int> mate;
  friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

enum class Adjudged { nothing, drawn, white_won, black_won, max_moves, white_mates, black_mates };

/// Counts the runs of one game.
class Adjudicator {
 public:
  void report(Color side, Evaluation evaluation) noexcept;
  /// A move of `side` was accepted, a pawn move or capture if `zeroing`; the game goes on with move number `next_number`.
  [[nodiscard]] Adjudged move_made(const Adjudication& rules, Color side, bool zeroing, int next_number) noexcept;
  /// Did both sides' last moves come with a score of at most `margin` centipawns either way (LAWS D4)?
  [[nodiscard]] bool both_level(int margin) const noexcept;

  friend bool operator==(const Adjudicator&, const Adjudicator&) = default;

 private:
  [[nodiscard]] bool resigns(const Adjudication::ResignRule& rule, Color side) const noexcept;

  std::array<Evaluation, 2> pending_;  // for the move to come
  std::array<Evaluation, 2> last_;     // of the last move made
  int level_plies_ = 0;
  std::array<int, 2> losing_moves_{};  // in a row, by side
  std::array<int, 2> winning_moves_{};
};

}  // namespace referee::game
