// Is a recorded game legal, complete, and does its result agree with the board, the clocks and the Laws.
//
//   PgnChecker checker(edition);
//   for (const CheckProblem& problem : checker.check(game).problems) ...
//
// What is reported is so: where the record leaves a way in which it may be right (a claim with an intended move, time given by an
// arbiter for which there is a remark), nothing is said.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/laws/edition.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

enum class CheckKind {
  unreadable,  // text that is not PGN, or a token that is no move
  illegal_move,
  cut_off,          // no result at the end of the moves
  result_mismatch,  // result tag, end mark, board and Laws do not agree
  termination,      // the way it ended cannot be, or play went on after the end
  clock,            // time that comes from nowhere, negative time, a TimeControl that does not read
  setup,            // SetUp, FEN and Variant do not fit
};
[[nodiscard]] std::string_view name(CheckKind kind) noexcept;

struct CheckProblem {
  std::size_t game = 0;  // PgnGame::number
  std::size_t line = 0;
  int ply = 0;  // half-move of the record, from 1; 0 = none in particular
  CheckKind kind = CheckKind::unreadable;
  std::string text;
  std::string result_in_file;  // "" where the result is not at issue
  std::string result_by_law;   // "" where the Laws do not decide it
  std::string article;         // in the edition asked
  std::string proof = {};      // who cannot mate and what proves it: "White: material"; "" where that is not at issue
};

struct CheckedGame {
  std::vector<CheckProblem> problems;
  /// Why the moves could not be checked without a fault of the record (a variant we do not play); "" when they were.
  std::string not_checked;
};

class PgnChecker {
 public:
  explicit PgnChecker(const std::shared_ptr<const laws::Edition>& edition);
  [[nodiscard]] CheckedGame check(const PgnGame& game) const;

 private:
  std::shared_ptr<const laws::Edition> edition_, on_moves_;
};

/// The time in a command of a comment ("clk", "emt"): `[%clk 0:01:02.5]`; nullopt if there is none, or it does not read. `unit`: the
/// smallest step its digits show. A negative time reads as such.
struct CommentTime {
  game::Duration time{};
  game::Duration unit{};
};
[[nodiscard]] std::optional<CommentTime> comment_time(const PgnMove& move, std::string_view command);
/// Clock comments of a game against its time control (appends problems).
void check_clocks(const PgnGame& game, bool white_begins, std::vector<CheckProblem>& problems);

}  // namespace referee::record
