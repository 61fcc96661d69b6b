// The parameters of one edition of the Laws (LAWS.md section 15, editions.yaml), as a value. Code asks the edition; it never
// asks which edition it is. config/ reads it from config/editions/*.yaml.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/clock/clock.hpp"
#include "referee/clock/time_control.hpp"

namespace referee::laws {

using clock::Category;
using clock::Duration;

enum class Supervision { adequate, inadequate };

struct CategoryBounds {  // of T = base + increment_moves * increment
  std::optional<Duration> lower;
  bool lower_inclusive = false;
  std::optional<Duration> upper;
  bool upper_inclusive = false;
  int increment_moves = 60;
};

enum class PromotionMissing { reinstate, queen_placed, illegal };
enum class PressWithoutMove { misconduct, illegal };
enum class CorrectUntil { end_of_game, opponent_reply, never };

struct IllegalMoveRule {  // for one category
  std::optional<Duration> opponent_bonus;
  std::optional<int> forfeit_at;  // this illegal move of a player loses
  bool unwinnable_is_draw = false;
  bool claim_needed = false;
  CorrectUntil correct_until = CorrectUntil::end_of_game;
};

struct SupervisedIllegalMove {  // rapid and blitz with adequate supervision
  Duration rapid_bonus{};
  Duration blitz_bonus{};
  int forfeit_at = 2;
  CorrectUntil correct_until = CorrectUntil::end_of_game;
};

enum class ClaimantPenalty { none, half_capped };
struct WrongClaimRule {
  Duration opponent_bonus{};
  ClaimantPenalty claimant = ClaimantPenalty::none;
  Duration cap{};          // half_capped: at most this is taken
  Duration halve_above{};  // above this the deduction is half
  Duration leave{};        // between leave_above and halve_above this much is left
  Duration leave_above{};  // at or below nothing is taken
};

enum class DeadPositionTest { fide, material, off };
enum class FlagCaller { arbiter_or_player, player_only };
enum class BothFlags { play_on, draw };
enum class AutoClaimDraws { never, on_board, on_board_if_both_scores_level };
enum class ClaimRightLostBy { nothing, making_the_move, touching_a_piece };
enum class ColoursReversed { play_on, replay_if_early };
enum class OfferValidUntil { opponent_moves, accepted_rejected_or_opponent_touches_piece };

struct QuickplayRule {
  std::string article;
  bool only_if_announced = false;  // an appendix or guideline that the event must have announced (2014+); false: part of the Laws
  Duration window{};               // claim only with strictly less than this
  std::vector<Category> applies_to;
  Duration reject_bonus{};
  Duration postpone_bonus{};
  bool postpone_bonus_optional = true;
  struct IncrementRequest {
    Duration add_increment{};
    Duration opponent_bonus{};
  };
  std::optional<IncrementRequest> increment_request;
};

/// Article number of each subject in this edition ("6.9", "9.6.2", "III.5"); subjects are the keys of config/editions' `articles`.
using Articles = std::map<std::string, std::string, std::less<>>;

struct Edition {
  std::string id;
  std::string title;

  std::optional<CategoryBounds> rapid;  // nullopt: the edition knows one category only (standard)
  std::optional<CategoryBounds> blitz;

  std::optional<Duration> default_time;  // strictly later than this loses; nullopt: must be set by the event

  clock::ClockRules clock;
  bool arbiter_may_waive_lateness = true;
  PromotionMissing promotion_missing = PromotionMissing::reinstate;
  PressWithoutMove press_without_move = PressWithoutMove::misconduct;
  std::array<IllegalMoveRule, 3> illegal_move;  // by Category; rapid and blitz as without supervision
  std::optional<SupervisedIllegalMove> supervised_illegal_move;
  bool touch_move_on_replacement = true;

  bool resignation_unwinnable_is_draw = false;
  std::optional<int> agreement_min_moves_each;  // nullopt: no agreement at all? see agreement_allowed
  bool agreement_allowed = true;
  OfferValidUntil offer_valid_until = OfferValidUntil::accepted_rejected_or_opponent_touches_piece;
  bool claim_is_offer = true;

  std::optional<int> repetition_claim;  // occurrences
  std::optional<int> repetition_automatic;
  bool repetition_automatic_consecutive = false;
  std::optional<int> no_progress_claim_moves;  // moves by each side
  std::optional<int> no_progress_automatic_moves;
  ClaimRightLostBy claim_right_lost_by = ClaimRightLostBy::nothing;
  std::array<WrongClaimRule, 3> wrong_claim;  // by Category
  bool intended_move_must_be_played = false;
  bool wrong_claim_forfeits = false;

  DeadPositionTest dead_position = DeadPositionTest::fide;
  DeadPositionTest timeout_draw = DeadPositionTest::fide;
  bool auto_claim = true;                                   // LAWS D3
  AutoClaimDraws auto_claim_draws = AutoClaimDraws::never;  // LAWS D4

  bool flag_unwinnable_is_draw = false;
  std::array<FlagCaller, 3> flag_called_by{};
  struct BothFlagsRule {
    BothFlags not_last_period = BothFlags::play_on;
    BothFlags last_period = BothFlags::draw;
    BothFlags rapid = BothFlags::draw;
    BothFlags blitz = BothFlags::draw;
  };
  std::optional<BothFlagsRule> both_flags;
  std::optional<QuickplayRule> quickplay;

  std::array<std::optional<int>, 3> setup_claims_until_moves_each;  // by Category
  ColoursReversed colours_reversed = ColoursReversed::play_on;
  std::optional<int> colours_replay_below_moves_each;
  bool two_hands_illegal = false;

  bool adjournment_allowed = true;
  bool usual_scores_only = false;  // 10.1 (2017+): an arbiter may set no other scores than 0, 1/2, 1, and their sum never exceeds 1
  std::optional<Duration> adjournment_late_limit;  // nullopt: the event's default time

  std::optional<Duration> recording_exempt_below;
  std::optional<Duration> recording_exempt_if_increment_below;

  Articles articles;
};

/// Category of a time control under this edition; the sum of its periods counts. Articles B1, C1 (2005), A.1, B.1 (2018).
[[nodiscard]] Category categorize(const Edition& edition, const clock::TimeControl& control);

/// Article for a subject, or "" where the edition has none.
[[nodiscard]] std::string_view article(const Edition& edition, std::string_view subject);

}  // namespace referee::laws
