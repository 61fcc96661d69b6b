// What the judge says to an event, as a closed variant. Each ruling names its article in the edition in force and a reason code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/chess/move.hpp"
#include "referee/chess/types.hpp"
#include "referee/clock/time_control.hpp"
#include "referee/game/outcome.hpp"

namespace referee::game {

using chess::Color;
using clock::Duration;

struct MoveAccepted {
  Color side;
  chess::Move move;
  std::string uci;  // canonical, as it is sent on
  std::string san;
  Duration used{};       // charged
  Duration remaining{};  // on the mover's display afterwards
  std::string note;      // what was tolerated
};
enum class IllegalKind { malformed, illegal, promotion_missing, null_move, out_of_turn, not_the_touched_piece, two_hands };
struct MoveRejected {
  Color side;
  std::string text;
  IllegalKind kind;
  int count = 0;  // illegal moves of this player so far
  Duration opponent_bonus{};
  bool queen_placed = false;              // 7.5.2 (2014+): the promotion stands with a queen
  std::vector<chess::Move> replacements;  // moves of the touched piece that may be played; empty = any
};
struct ClocksChanged {
  Duration white{};
  Duration black{};
  std::optional<Color> running;
};
struct ClaimUpheld {
  Color side;
};
struct ClaimRejected {
  Color side;
  Duration opponent_bonus{};
  Duration claimant_deduction{};
  std::string must_play;
};
struct ClaimInadmissible {
  Color side;
  bool counts_as_offer = false;
};
struct OfferPending {
  Color side;
};
struct OfferLapsed {
  Color side;
};
struct OfferRefused {
  Color side;
};  // the Laws or the event do not allow it, or there is none
struct Warned {
  std::optional<Color> side;
  std::string text;
};
struct AwaitingArbiter {
  Color claimant;
  std::string question;
};
struct Adjourned {
  Color sealer;
};
struct Resumed {};
struct Paused {};
/// The event changes nothing (late flag after the end, surplus claim); kept for the record.
struct Ignored {
  std::string why;
};
struct OrderRefused {
  std::string why;
};
struct GameOver {
  Outcome outcome;
};

using RulingBody =
    std::variant<MoveAccepted, MoveRejected, ClocksChanged, ClaimUpheld, ClaimRejected, ClaimInadmissible, OfferPending, OfferLapsed,
                 OfferRefused, Warned, AwaitingArbiter, Adjourned, Resumed, Paused, Ignored, OrderRefused, GameOver>;
struct Ruling {
  RulingBody body;
  std::string article;   // "" where the edition has no article (host rule)
  std::string decision;  // stable word of edge-cases.yaml: move_accepted illegal_reinstated claim_incorrect ... ; "" when none fits
};
using Rulings = std::vector<Ruling>;

}  // namespace referee::game
