// The parameters of laws::Edition by name: one line each, used by the reader of the YAML files, by the table of editions and by its JSON.
// A new parameter is a field in laws::Edition, a line in visit_parameters() and a value in each file of config/editions.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml.hpp"
#include "referee/laws/edition.hpp"

namespace referee::config {

/// The subjects an edition names its articles for (the keys of `articles`; explained at the head of config/editions/fide-2023.yaml).
[[nodiscard]] const std::vector<std::string>& article_subjects();

/// The names of a closed set, as the files write them.
template <class Enum>
struct EnumNames;
template <>
struct EnumNames<laws::PromotionMissing> {
  static constexpr std::array<Named<laws::PromotionMissing>, 3> names{{{"reinstate", laws::PromotionMissing::reinstate},
                                                                       {"queen_placed", laws::PromotionMissing::queen_placed},
                                                                       {"illegal", laws::PromotionMissing::illegal}}};
};
template <>
struct EnumNames<laws::PressWithoutMove> {
  static constexpr std::array<Named<laws::PressWithoutMove>, 2> names{
      {{"misconduct", laws::PressWithoutMove::misconduct}, {"illegal", laws::PressWithoutMove::illegal}}};
};
template <>
struct EnumNames<laws::CorrectUntil> {
  static constexpr std::array<Named<laws::CorrectUntil>, 3> names{{{"end_of_game", laws::CorrectUntil::end_of_game},
                                                                   {"opponent_reply", laws::CorrectUntil::opponent_reply},
                                                                   {"never", laws::CorrectUntil::never}}};
};
template <>
struct EnumNames<laws::ClaimantPenalty> {
  static constexpr std::array<Named<laws::ClaimantPenalty>, 2> names{
      {{"none", laws::ClaimantPenalty::none}, {"half_capped", laws::ClaimantPenalty::half_capped}}};
};
template <>
struct EnumNames<laws::DeadPositionTest> {
  static constexpr std::array<Named<laws::DeadPositionTest>, 3> names{
      {{"fide", laws::DeadPositionTest::fide}, {"material", laws::DeadPositionTest::material}, {"off", laws::DeadPositionTest::off}}};
};
template <>
struct EnumNames<laws::FlagCaller> {
  static constexpr std::array<Named<laws::FlagCaller>, 2> names{
      {{"arbiter_or_player", laws::FlagCaller::arbiter_or_player}, {"player_only", laws::FlagCaller::player_only}}};
};
template <>
struct EnumNames<laws::BothFlags> {
  static constexpr std::array<Named<laws::BothFlags>, 2> names{{{"play_on", laws::BothFlags::play_on}, {"draw", laws::BothFlags::draw}}};
};
template <>
struct EnumNames<laws::AutoClaimDraws> {
  static constexpr std::array<Named<laws::AutoClaimDraws>, 3> names{
      {{"never", laws::AutoClaimDraws::never},
       {"on_board", laws::AutoClaimDraws::on_board},
       {"on_board_if_both_scores_level", laws::AutoClaimDraws::on_board_if_both_scores_level}}};
};
template <>
struct EnumNames<laws::ClaimRightLostBy> {
  static constexpr std::array<Named<laws::ClaimRightLostBy>, 3> names{{{"nothing", laws::ClaimRightLostBy::nothing},
                                                                       {"making_the_move", laws::ClaimRightLostBy::making_the_move},
                                                                       {"touching_a_piece", laws::ClaimRightLostBy::touching_a_piece}}};
};
template <>
struct EnumNames<laws::ColoursReversed> {
  static constexpr std::array<Named<laws::ColoursReversed>, 2> names{
      {{"play_on", laws::ColoursReversed::play_on}, {"replay_if_early", laws::ColoursReversed::replay_if_early}}};
};
template <>
struct EnumNames<laws::OfferValidUntil> {
  static constexpr std::array<Named<laws::OfferValidUntil>, 2> names{
      {{"opponent_moves", laws::OfferValidUntil::opponent_moves},
       {"answered_or_piece_touched", laws::OfferValidUntil::accepted_rejected_or_opponent_touches_piece}}};
};
template <>
struct EnumNames<laws::Category> {
  static constexpr std::array<Named<laws::Category>, 3> names{
      {{"standard", laws::Category::standard}, {"rapid", laws::Category::rapid}, {"blitz", laws::Category::blitz}}};
};
template <>
struct EnumNames<clock::FlagRule> {
  static constexpr std::array<Named<clock::FlagRule>, 2> names{
      {{"elapsed_reaches_remaining", clock::FlagRule::elapsed_reaches_remaining},
       {"elapsed_exceeds_remaining_and_margin", clock::FlagRule::elapsed_exceeds_remaining_margin}}};
};

/// Calls, for every parameter in the order of the files, one of
///   visitor.value("name", field)                       a bool, int, text, Duration, enum, list of enums, or an optional of these
///   visitor.group("name", [&] { ... })                 a map that is always there
///   visitor.group("name", optional_struct, [&](auto& present) { ... })   a map or null
/// `E` is Edition or const Edition.
template <class E, class Visitor>
void visit_parameters(E& edition, Visitor& visitor) {
  const auto bounds = [&](auto& category) {
    visitor.value("lower", category.lower);
    visitor.value("lower_inclusive", category.lower_inclusive);
    visitor.value("upper", category.upper);
    visitor.value("upper_inclusive", category.upper_inclusive);
    visitor.value("increment_moves", category.increment_moves);
  };
  visitor.group("categories", [&] {
    visitor.group("rapid", edition.rapid, bounds);
    visitor.group("blitz", edition.blitz, bounds);
  });
  visitor.group("lateness", [&] {
    visitor.value("default_time", edition.default_time);
    visitor.value("arbiter_may_waive", edition.arbiter_may_waive_lateness);
  });
  visitor.group("clock", [&] {
    visitor.value("flag_falls", edition.clock.flag);
    visitor.value("margin", edition.clock.margin);
    visitor.value("initial_increment", edition.clock.initial_increment);
  });
  const auto by_category = [&](auto& array, const auto& each) {
    for (const auto& named : EnumNames<laws::Category>::names) {
      auto& item = array[static_cast<std::size_t>(named.value)];
      visitor.group(named.name, [&] { each(item); });
    }
  };
  visitor.group("illegal_move", [&] {
    visitor.value("promotion_missing", edition.promotion_missing);
    visitor.value("press_without_move", edition.press_without_move);
    visitor.value("two_hands", edition.two_hands_illegal);
    visitor.value("touch_move_on_replacement", edition.touch_move_on_replacement);
    by_category(edition.illegal_move, [&](auto& rule) {
      visitor.value("opponent_bonus", rule.opponent_bonus);
      visitor.value("forfeit_at", rule.forfeit_at);
      visitor.value("unwinnable_is_draw", rule.unwinnable_is_draw);
      visitor.value("claim_needed", rule.claim_needed);
      visitor.value("correct_until", rule.correct_until);
    });
    visitor.group("supervised", edition.supervised_illegal_move, [&](auto& rule) {
      visitor.value("rapid_bonus", rule.rapid_bonus);
      visitor.value("blitz_bonus", rule.blitz_bonus);
      visitor.value("forfeit_at", rule.forfeit_at);
      visitor.value("correct_until", rule.correct_until);
    });
  });
  visitor.group("resignation", [&] { visitor.value("unwinnable_is_draw", edition.resignation_unwinnable_is_draw); });
  visitor.group("agreement", [&] {
    visitor.value("allowed", edition.agreement_allowed);
    visitor.value("min_moves_each", edition.agreement_min_moves_each);
    visitor.value("offer_valid_until", edition.offer_valid_until);
    visitor.value("claim_is_offer", edition.claim_is_offer);
  });
  visitor.group("repetition", [&] {
    visitor.value("claim", edition.repetition_claim);
    visitor.value("automatic", edition.repetition_automatic);
    visitor.value("automatic_consecutive", edition.repetition_automatic_consecutive);
  });
  visitor.group("no_progress", [&] {
    visitor.value("claim_moves", edition.no_progress_claim_moves);
    visitor.value("automatic_moves", edition.no_progress_automatic_moves);
  });
  visitor.group("claims", [&] {
    visitor.value("right_lost_by", edition.claim_right_lost_by);
    visitor.value("intended_move_must_be_played", edition.intended_move_must_be_played);
    visitor.value("wrong_claim_forfeits", edition.wrong_claim_forfeits);
    visitor.value("automatic", edition.auto_claim);
    visitor.value("automatic_draws", edition.auto_claim_draws);
    visitor.group("wrong", [&] {
      by_category(edition.wrong_claim, [&](auto& rule) {
        visitor.value("opponent_bonus", rule.opponent_bonus);
        visitor.value("claimant", rule.claimant);
        if (rule.claimant != laws::ClaimantPenalty::half_capped) return;
        visitor.value("cap", rule.cap);
        visitor.value("halve_above", rule.halve_above);
        visitor.value("leave", rule.leave);
        visitor.value("leave_above", rule.leave_above);
      });
    });
  });
  visitor.group("winnability", [&] {
    visitor.value("dead_position", edition.dead_position);
    visitor.value("timeout_draw", edition.timeout_draw);
  });
  visitor.group("flag", [&] {
    visitor.value("unwinnable_is_draw", edition.flag_unwinnable_is_draw);
    visitor.group("called_by", [&] {
      for (const auto& named : EnumNames<laws::Category>::names) {
        visitor.value(named.name, edition.flag_called_by[static_cast<std::size_t>(named.value)]);
      }
    });
    visitor.group("both", edition.both_flags, [&](auto& rule) {
      visitor.value("not_last_period", rule.not_last_period);
      visitor.value("last_period", rule.last_period);
      visitor.value("rapid", rule.rapid);
      visitor.value("blitz", rule.blitz);
    });
  });
  visitor.group("quickplay", edition.quickplay, [&](auto& rule) {
    visitor.value("article", rule.article);
    visitor.value("only_if_announced", rule.only_if_announced);
    visitor.value("window", rule.window);
    visitor.value("applies_to", rule.applies_to);
    visitor.value("reject_bonus", rule.reject_bonus);
    visitor.value("postpone_bonus", rule.postpone_bonus);
    visitor.value("postpone_bonus_optional", rule.postpone_bonus_optional);
    visitor.group("increment_request", rule.increment_request, [&](auto& request) {
      visitor.value("add_increment", request.add_increment);
      visitor.value("opponent_bonus", request.opponent_bonus);
    });
  });
  visitor.group("setup_claims_until_moves_each", [&] {
    for (const auto& named : EnumNames<laws::Category>::names) {
      visitor.value(named.name, edition.setup_claims_until_moves_each[static_cast<std::size_t>(named.value)]);
    }
  });
  visitor.group("colours_reversed", [&] {
    visitor.value("action", edition.colours_reversed);
    visitor.value("replay_below_moves_each", edition.colours_replay_below_moves_each);
  });
  visitor.group("adjournment", [&] {
    visitor.value("allowed", edition.adjournment_allowed);
    visitor.value("late_limit", edition.adjournment_late_limit);
  });
  visitor.group("penalties", [&] { visitor.value("usual_scores_only", edition.usual_scores_only); });
  visitor.group("recording", [&] {
    visitor.value("exempt_below", edition.recording_exempt_below);
    visitor.value("exempt_if_increment_below", edition.recording_exempt_if_increment_below);
  });
}

}  // namespace referee::config
