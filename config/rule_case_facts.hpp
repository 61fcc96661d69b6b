// What a rule case led to, in the terms an expectation is written in. Between rule_case_play.cpp and rule_case_runner.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/rule_case_runner.hpp"
#include "config/rule_cases.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/laws/edition.hpp"

namespace referee::config {

struct CaseFacts {
  std::optional<CaseOutcome> outcome;
  std::string result = "*";
  game::Reason reason = game::Reason::none;
  std::string article;                 // of the outcome, or of the first ruling that decided something
  std::vector<std::string> decisions;  // of the last event
  std::optional<ClockTimes> clocks;
  std::optional<bool> legal;
  std::string fen;  // after the event
  std::optional<Color> draw_offer;
  bool counts_as_draw_offer = false;
  std::optional<int> occurrences;
  std::string must_play;
  std::optional<Color> to_move;
  std::optional<Color> running;
  ByColor illegal_counts;
  std::optional<Color> offender;  // of the last illegal move
  std::string touched;
  std::optional<std::vector<std::string>> replacements;
  std::optional<int> ends_at_step;
  std::vector<std::optional<clock::Duration>> remaining_after_each;
  std::optional<laws::Category> category;
  std::optional<clock::Duration> increment;
  std::string uci, san, error;

  std::string start, start_fen, end;
  std::vector<CaseStep> steps;
};

/// Where the case starts and how it writes castling; as rule_cases.cpp reads them.
[[nodiscard]] chess::FenResult start_of(const RuleCase& rule_case);
[[nodiscard]] chess::CastlingText castling_of(const RuleCase& rule_case) noexcept;

/// Throws std::runtime_error if the case cannot be played (an illegal move before the event, a position that cannot be read ...).
[[nodiscard]] CaseFacts play_rule_case(const RuleCase& rule_case, std::shared_ptr<const laws::Edition> edition);

}  // namespace referee::config
