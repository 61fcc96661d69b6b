// Everything that can happen to a game, as a closed variant. A game is a pure function of its events: each carries its
// time in integer nanoseconds since the game began, and nothing else decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/chess/types.hpp"
#include "referee/clock/time_control.hpp"

namespace referee::game {

using chess::Color;
using clock::Duration;

/// The notation a player writes its moves in; Game reads the text with the matching reader of chess/notation.hpp.
enum class MoveNotation { uci, xboard, san };

enum class FailureKind { crash, disconnect, stall, protocol_error };
enum class ClaimRule { threefold, fifty };

/// The instant the `go` had left; when pondering, the instant of `ponderhit`. Only between this and the next event that stops it does a
/// clock run.
struct TurnStarted {
  Color side;
};
/// Raw move text, at the instant its bytes were readable.
struct MoveReceived {
  Color side;
  std::string text;
  MoveNotation notation = MoveNotation::uci;
  bool two_hands = false;  // human players: made with both hands (7.5.4 of 2017)
};
/// A deadline passed with no answer readable: `at` is the instant it was established. The flag itself is decided by the time stamps.
struct TimeExpired {
  Color side;
};
struct DrawOffered {
  Color side;
};
struct DrawAccepted {
  Color side;
};
struct DrawDeclined {
  Color side;
};
/// On the board, or with an intended move (9.2, 9.3).
struct DrawClaimed {
  Color side;
  ClaimRule rule;
  std::string intended_move;
  MoveNotation notation = MoveNotation::uci;
};
struct FlagClaimed {
  Color claimant;
  bool white_flag_down;
  bool black_flag_down;
};
struct BothFlagsDown {
  bool first_known = false;
};
struct QuickplayClaimed {
  Color side;
};
struct IncrementRequested {
  Color side;
};  // Guidelines III.4
struct Resigned {
  Color side;
};
/// An engine says that the game is over with these scores (XBoard result line); judged by Game::apply.
struct ResultClaimed {
  Color side;
  int white_score = 0;
  int black_score = 0; /* hundredths */
  std::string text;
};
/// An engine called its opponent's last move illegal (XBoard "Illegal move"); Game knows better.
struct IllegalMoveClaimed {
  Color side;
  std::string text;
};

struct PlayerArrived {
  Color side;
  Duration late{};
};  // late: after the scheduled start
struct PlayerReady {
  Color side;
};
/// Not there when the limit expired; `both`: the opponent was not there either.
struct PlayerLate {
  Color side;
  Duration late{};
  bool both = false;
};
struct EngineFailed {
  Color side;
  FailureKind kind;
  std::string detail;
};

/// The side's own view of the position it moves in, from its own point of view; reported before its move, at any time stamp.
struct EvaluationReported {
  Color side;
  std::optional<int> centipawns;
  std::optional<int> mate;
};
/// A tablebase's or another host's word on the position (adjudication): score of White in hundredths.
struct TablebaseReported {
  int white_score = 0;
  int black_score = 0;
};
enum class Verdict { can_mate, cannot_mate, undecided };
/// A late, deeper verdict: can `side` still mate in the position after `ply` half-moves.
struct WinnabilityVerdict {
  int ply = 0;
  Color side = Color::white;
  Verdict verdict = Verdict::undecided;
  std::uint64_t nodes = 0;
};

// Orders of an arbiter or operator. Each names who and why (journaled). What an order does, and which fields it reads:
//   accept reject postpone   the answer to a quickplay claim (10.2) or, accept and reject, to a request for an increment. postpone gives
//   the
//                            opponent `time`, or with `flag` what the edition gives; with neither nothing, where that is optional
//   grant_increment          the request for an increment is granted (Guidelines III.4)
//   warn                     side (or both), text
//   add_time take_time set_clock   side, time; a display is never set below zero
//   declare_lost expel       side loses; with `flag` the scores are the order's (12.8: the arbiter sets the opponent's score)
//   declare_both_lost        0-0
//   declare_dead             refused if a mate is proven to be possible
//   reduce_score raise_score side's score in the result becomes the order's, the other side's stays; refused while there is no result
//   pause resume             clocks stop; play goes on
//   adjourn                  the next move of the side to move is sealed; with `flag` at its own wish, `time` early, which it is charged
//   (A1b);
//                            without, `time` is when play is to be resumed
//   seal                     text: the sealed move of the side to move, given to the arbiter; may replace one until the clocks are stopped
//   open_envelope            play is resumed (A7 to A11): side is the player who is or was late by `time` (none: both there); `flag`: not
//                            there yet (none: neither). text: the move its author says it sealed, if the envelope was lost (A11a)
//   annul_and_replay         no result (7.1, A11b)
//   override_result          the scores, with a reason in `why`; also for a finished game (8.7)
//   waive_lateness           side (or both) may be late (6.7)
//   report_colours_reversed report_wrong_start   found on the board (7.1, 7.2)
enum class OrderKind {
  accept,
  reject,
  postpone,
  warn,
  add_time,
  take_time,
  set_clock,
  declare_lost,
  declare_both_lost,
  declare_dead,
  reduce_score,
  raise_score,
  expel,
  pause,
  resume,
  adjourn,
  seal,
  open_envelope,
  annul_and_replay,
  override_result,
  waive_lateness,
  grant_increment,
  report_colours_reversed,
  report_wrong_start,
};
[[nodiscard]] std::string_view name(OrderKind kind) noexcept;
[[nodiscard]] std::optional<OrderKind> parse_order_kind(std::string_view text) noexcept;
struct ArbiterOrder {
  OrderKind kind;
  std::optional<Color> side;
  Duration time{};
  int white_score = 0;  // hundredths
  int black_score = 0;
  std::string text;
  bool flag = false;
  std::string who;
  std::string why;
};

/// The match itself ended the game (stop now, operator's abort): result "*".
struct Aborted {
  std::string why;
};

using EventBody =
    std::variant<TurnStarted, MoveReceived, TimeExpired, DrawOffered, DrawAccepted, DrawDeclined, DrawClaimed, FlagClaimed, BothFlagsDown,
                 QuickplayClaimed, IncrementRequested, Resigned, ResultClaimed, IllegalMoveClaimed, PlayerArrived, PlayerReady, PlayerLate,
                 EngineFailed, EvaluationReported, TablebaseReported, WinnabilityVerdict, ArbiterOrder, Aborted>;
struct Event {
  Duration at{};
  EventBody body;
};

}  // namespace referee::game
