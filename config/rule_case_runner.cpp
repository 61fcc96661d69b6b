#include "config/rule_case_runner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "config/editions.hpp"
#include "config/rule_case_facts.hpp"
#include "referee/game/explain.hpp"

namespace referee::config {

namespace {

std::string text_of(CaseOutcome outcome) {
  switch (outcome) {
    case CaseOutcome::play_on:
      return "continue";
    case CaseOutcome::game_over:
      return "game_over";
    case CaseOutcome::annulled:
      return "annulled";
    case CaseOutcome::refused:
      break;
  }
  return "refused";
}
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(int value) { return std::to_string(value); }
std::string text_of(Color side) { return std::string(chess::name(side)); }
std::string text_of(const std::string& text) { return text; }
std::string text_of(game::Reason reason) { return reason == game::Reason::none ? "" : std::string(game::code(reason)); }
std::string text_of(laws::Category category) { return std::string(clock::name(category)); }
std::string text_of(clock::Duration time) {
  if (time == clock::Duration::max()) return "no clock";
  const auto ns = time.count();
  std::string text = std::to_string(ns / 1'000'000);
  if (const auto rest = std::abs(ns % 1'000'000); rest != 0) {
    std::string digits = std::to_string(rest);
    digits.insert(0, 6 - digits.size(), '0');
    while (digits.back() == '0') digits.pop_back();
    text += "." + digits;
  }
  return text + " ms";
}
std::string text_of(const ClockTimes& clocks) { return "white " + text_of(clocks.white) + ", black " + text_of(clocks.black); }
std::string text_of(const ByColor& counts) { return "white " + text_of(counts.white) + ", black " + text_of(counts.black); }
std::string text_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : " ") + text;
  return all;
}
std::string text_of(const std::vector<std::optional<clock::Duration>>& times) {
  std::string all;
  for (const auto& time : times) all += (all.empty() ? "" : ", ") + (time ? text_of(*time) : std::string("flag"));
  return all;
}
template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : std::string();
}
std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<CaseField> compare(const Expectation& expect, const CaseFacts& facts) {
  std::vector<CaseField> fields;
  const auto field = [&](std::string name, const auto& expected, const auto& ruled) {
    if (!expected) return;
    CaseField compared{std::move(name), text_of(expected), text_of(ruled), false};
    compared.holds = compared.expected == compared.ruled;
    fields.push_back(std::move(compared));
  };
  field("outcome", expect.outcome, facts.outcome);
  field("result", expect.result, facts.result);
  field("reason", expect.reason, facts.reason);
  if (expect.decision) {
    const bool holds = std::find(facts.decisions.begin(), facts.decisions.end(), *expect.decision) != facts.decisions.end();
    fields.push_back({"decision", *expect.decision, holds ? *expect.decision : text_of(facts.decisions), holds});
  }
  field("article", expect.article, facts.article);
  field("clocks", expect.clocks, facts.clocks);
  field("legal", expect.legal, facts.legal);
  field("fen_after", expect.fen_after, facts.fen);
  field("counts_as_draw_offer", expect.counts_as_draw_offer, facts.counts_as_draw_offer);
  field("occurrences", expect.occurrences, facts.occurrences);
  field("must_play", expect.must_play, facts.must_play);
  field("to_move", expect.to_move, facts.to_move);
  field("running", expect.running, facts.running);
  if (expect.illegal_count) {
    const bool white = facts.offender.value_or(Color::white) == Color::white;
    field("illegal_count", expect.illegal_count, white ? facts.illegal_counts.white : facts.illegal_counts.black);
  }
  field("illegal_counts", expect.illegal_counts, facts.illegal_counts);
  field("touched", expect.touched, facts.touched);
  if (expect.allowed_replacements) {
    const std::vector<std::string> ruled = facts.replacements.value_or(std::vector<std::string>{});
    field("allowed_replacements", std::optional(sorted(*expect.allowed_replacements)), sorted(ruled));
  }
  field("ends_at_step", expect.ends_at_step, facts.ends_at_step);
  field("remaining_after_each", expect.remaining_after_each, facts.remaining_after_each);
  field("category", expect.category, facts.category);
  field("increment_ms", expect.increment, facts.increment);
  field("uci", expect.uci, facts.uci);
  field("san_en", expect.san_en, facts.san);
  field("error", expect.error, facts.error);
  return fields;
}

CaseResult run(const RuleCase& rule_case, const Expectation& expect, const std::string& edition, const std::string& base_folder) {
  CaseResult result;
  result.id = rule_case.id;
  result.edition = edition;
  try {
    CaseFacts facts = play_rule_case(rule_case, load_edition(edition, base_folder));
    result.fields = compare(expect, facts);
    result.pass = std::all_of(result.fields.begin(), result.fields.end(), [](const CaseField& field) { return field.holds; });
    result.start = std::move(facts.start);
    result.start_fen = std::move(facts.start_fen);
    result.end = std::move(facts.end);
    result.steps = std::move(facts.steps);
  } catch (const std::exception& problem) { result.problem = problem.what(); }
  return result;
}

}  // namespace

std::vector<CaseResult> run_rule_case(const RuleCase& rule_case, const std::string& base_folder, const std::string& only_edition) {
  std::vector<CaseResult> results;
  for (const Expectation& expect : rule_case.expect) {
    for (const std::string& edition : expect.editions) {
      if (only_edition.empty() || only_edition == edition) results.push_back(run(rule_case, expect, edition, base_folder));
    }
  }
  return results;
}

}  // namespace referee::config
