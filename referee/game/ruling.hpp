// What the judge says to an event, as a closed variant. Each ruling names its article in the edition in force and a reason code.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// What one event gave rise to, in order. Nearly always one ruling: that one stands in the object itself, so that a move's answer needs no
/// memory of its own. Moved from it holds what a moved-from std::optional and vector hold: to be assigned anew or left.
class Rulings {
 public:
  using value_type = Ruling;
  using iterator = Ruling*;
  using const_iterator = const Ruling*;

  Rulings() = default;
  Rulings(std::initializer_list<Ruling> rulings) {
    for (const Ruling& ruling : rulings) push_back(ruling);
  }

  void push_back(Ruling ruling) {
    if (empty()) {
      first_.emplace(std::move(ruling));
    } else {
      make_room();
      all_.push_back(std::move(ruling));
    }
  }
  /// An empty one, to be filled.
  Ruling& emplace_back() {
    if (empty()) return first_.emplace();
    make_room();
    return all_.emplace_back();
  }

  [[nodiscard]] bool empty() const noexcept { return !first_ && all_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return first_ ? 1 : all_.size(); }
  [[nodiscard]] iterator begin() noexcept { return first_ ? &*first_ : all_.data(); }
  [[nodiscard]] iterator end() noexcept { return begin() + size(); }
  [[nodiscard]] const_iterator begin() const noexcept { return first_ ? &*first_ : all_.data(); }
  [[nodiscard]] const_iterator end() const noexcept { return begin() + size(); }
  [[nodiscard]] Ruling& operator[](std::size_t place) noexcept { return begin()[place]; }
  [[nodiscard]] const Ruling& operator[](std::size_t place) const noexcept { return begin()[place]; }
  /// Needs: not empty.
  [[nodiscard]] Ruling& front() noexcept { return *begin(); }
  [[nodiscard]] const Ruling& front() const noexcept { return *begin(); }
  [[nodiscard]] Ruling& back() noexcept { return end()[-1]; }
  [[nodiscard]] const Ruling& back() const noexcept { return end()[-1]; }

 private:
  void make_room() {
    if (!first_) return;
    all_.push_back(std::move(*first_));
    first_.reset();
  }

  std::optional<Ruling> first_;  // as long as it is the only one
  std::vector<Ruling> all_;      // else: all of them
};

}  // namespace referee::game
