// Everything that can happen to a game, as a closed variant. A game is a pure function of its events: each carries its
// time in integer nanoseconds since the game began, and nothing else decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

/// The instant the `go` had left; when pondering, the instant of `ponderhit`. Only between this and the next event that stops it does a clock run.
struct TurnStarted { Color side; };
/// Raw move text, at the instant its bytes were readable.
struct MoveReceived { Color side; std::string text; MoveNotation notation = MoveNotation::uci; };
/// A deadline passed with no answer readable: `at` is the instant it was established. The flag itself is decided by the time stamps.
struct TimeExpired { Color side; };
struct DrawOffered { Color side; };
struct DrawAccepted { Color side; };
struct DrawDeclined { Color side; };
/// On the board, or with an intended move (9.2, 9.3).
struct DrawClaimed { Color side; ClaimRule rule; std::string intended_move; MoveNotation notation = MoveNotation::uci; };
struct FlagClaimed { Color claimant; bool white_flag_down; bool black_flag_down; };
struct BothFlagsDown { bool first_known = false; };
struct QuickplayClaimed { Color side; };
struct IncrementRequested { Color side; };  // Guidelines III.4
struct Resigned { Color side; };
/// An engine says that the game is over with these scores (XBoard result line); judged by Game (PROTOCOLS 1.7).
struct ResultClaimed { Color side; int white_score = 0; int black_score = 0; /* hundredths */ std::string text; };
/// An engine called its opponent's last move illegal (XBoard "Illegal move"); Game knows better.
struct IllegalMoveClaimed { Color side; std::string text; };

struct PlayerArrived { Color side; Duration late{}; };            // late: after the scheduled start
struct PlayerReady { Color side; };
struct PlayerLate { Color side; Duration late{}; };               // not there when the limit expired
struct EngineFailed { Color side; FailureKind kind; std::string detail; };

/// The side's own view of the position it moved in; reported before its move.
struct EvaluationReported { Color side; std::optional<int> centipawns; std::optional<int> mate; };
/// A tablebase's or another host's word on the position (adjudication): score of White in hundredths.
struct TablebaseReported { int white_score = 0; int black_score = 0; };
enum class Verdict { can_mate, cannot_mate, undecided };
/// A late, deeper verdict: can `side` still mate in the position after `ply` half-moves.
struct WinnabilityVerdict { int ply = 0; Color side = Color::white; Verdict verdict = Verdict::undecided; std::uint64_t nodes = 0; };

// Orders of an arbiter or operator. Each names who and why (journaled).
enum class OrderKind {
  accept, reject, postpone, warn, add_time, take_time, set_clock, declare_lost, declare_both_lost, declare_dead,
  reduce_score, raise_score, expel, pause, resume, adjourn, seal, open_envelope, annul_and_replay, override_result,
  waive_lateness, grant_increment, report_colours_reversed, report_wrong_start,
};
[[nodiscard]] std::string_view name(OrderKind kind) noexcept;
[[nodiscard]] std::optional<OrderKind> parse_order_kind(std::string_view text) noexcept;
struct ArbiterOrder {
  OrderKind kind;
  std::optional<Color> side;
  Duration time{};              // add_time, take_time, set_clock, postpone (bonus), adjourn (resumption), resume (lateness)
  int white_score = 0;          // reduce_score, raise_score, override_result; hundredths
  int black_score = 0;
  std::string text;             // sealed move, lost envelope's stated move, ...
  bool flag = false;            // kind-specific switch, documented at Game::apply
  std::string who;
  std::string why;
};

/// The match itself ended the game (stop now, operator's abort): result "*".
struct Aborted { std::string why; };

using EventBody = std::variant<TurnStarted, MoveReceived, TimeExpired, DrawOffered, DrawAccepted, DrawDeclined, DrawClaimed, FlagClaimed,
                               BothFlagsDown, QuickplayClaimed, IncrementRequested, Resigned, ResultClaimed, IllegalMoveClaimed, PlayerArrived,
                               PlayerReady, PlayerLate, EngineFailed, EvaluationReported, TablebaseReported, WinnabilityVerdict, ArbiterOrder,
                               Aborted>;
struct Event {
  Duration at{};
  EventBody body;
};

}  // namespace referee::game
