#include "config/rule_cases.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

using namespace referee;
using namespace std::chrono_literals;
using chess::Color;
using clock::Duration;
using config::RuleCase;

namespace {

config::RuleCaseFile read(const std::string& text) { return config::parse_rule_cases(text, "c.yaml"); }

/// One case with this event, and the line of the expectation.
std::string with_event(const std::string& event, const std::string& expect = "legal: true", const std::string& keys = "") {
  return "cases:\n- id: X-1\n  title: a case\n" + keys + "  event: " + event + "\n  expect:\n  - editions: [fide-2023]\n    " + expect +
         "\n";
}

template <class Event>
Event event_of(const std::string& text, const std::string& keys = "") {
  INFO(text);
  const auto file = read(with_event(text, "legal: true", keys));
  REQUIRE(file.cases.size() == 1);
  REQUIRE(std::holds_alternative<Event>(file.cases[0].event));
  return std::get<Event>(file.cases[0].event);
}

std::string cases_refusal(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const config::ConfigException& problem) { return problem.what(); }
  return "accepted";
}

}  // namespace

TEST_CASE("A rule case with all its keys") {
  const auto file = read(R"(schema: 1
cases:
- id: CLM-7
  title: 'a claim: wrong'
  article: {fide-2005: 9.5b, fide-2023: '9.5.3'}
  category: rapid
  supervision: inadequate
  chess960: true
  start_fen: 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1
  moves: a1a2  e8e7
    a2a1
  fen_after_moves: 8/4k3/8/8/8/8/8/R3K3 b - - 3 2
  clocks: {white_ms: 600000, black_ms: 500.5}
  time_control: {mode: increment, periods: [{moves: 40, base_ms: 60000, increment_ms: 500}, {base_ms: 1000}], initial_increment: true}
  event: {type: claim, side: black, rule: fifty, mode: intended, uci: e7e8}
  expect:
  - editions: [fide-2005, ./club.yaml]
    outcome: continue
    result: '*'
    decision: claim_incorrect
    article: 9.5b
    clocks: {white_ms: 780000, black_ms: -30}
    counts_as_draw_offer: true
    occurrences: 2
    must_play: e7e8
    to_move: black
    running: white
    illegal_count: 1
    illegal_counts: {white: 1, black: 2}
    touched: e7
    allowed_replacements: [e7e8, e7e6]
    ends_at_step: 4
    fen_after: 8/4k3/8/8/8/8/8/R3K3 b - - 3 2
    legal: false
    category: blitz
    increment_ms: 5000
    remaining_after_each: [1000, 0.5, flag]
    uci: e7e8
    san_en: Ke8
    error: ambiguous
    why: so it is
  - editions: [fide-2023]
    outcome: game_over
    result: 0-1
    reason: flag_fall_unwinnable
  verified: [by hand]
  uncertain: [fide-2014]
  note: noted
  design_decision: decided
)");
  CHECK(file.path == "c.yaml");
  REQUIRE(file.cases.size() == 1);
  const RuleCase& rule_case = file.cases[0];
  CHECK(rule_case.id == "CLM-7");
  CHECK(rule_case.title == "a claim: wrong");
  CHECK(rule_case.place.line == 3);
  CHECK(rule_case.articles.at("fide-2005") == "9.5b");
  CHECK(rule_case.category == laws::Category::rapid);
  CHECK(rule_case.supervision == laws::Supervision::inadequate);
  CHECK(rule_case.chess960);
  CHECK(rule_case.start_fen == "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
  CHECK(rule_case.moves == std::vector<std::string>{"a1a2", "e8e7", "a2a1"});
  CHECK(rule_case.clocks.value().white == 600s);
  CHECK(rule_case.clocks.value().black == 500500us);
  REQUIRE(rule_case.time_control.has_value());
  CHECK(clock::to_text(*rule_case.time_control) == "40/60+0.5:1");
  CHECK(rule_case.initial_increment == true);
  const auto& claim = std::get<config::ClaimEvent>(rule_case.event);
  CHECK(claim.side == Color::black);
  CHECK(claim.rule == game::ClaimRule::fifty);
  CHECK(claim.mode == config::ClaimMode::intended);
  CHECK(claim.uci == "e7e8");
  REQUIRE(rule_case.expect.size() == 2);
  const auto& expect = rule_case.expect[0];
  CHECK(expect.editions == std::vector<std::string>{"fide-2005", "./club.yaml"});
  CHECK(expect.outcome == config::CaseOutcome::play_on);
  CHECK(expect.result == "*");
  CHECK_FALSE(expect.reason.has_value());
  CHECK(expect.decision == "claim_incorrect");
  CHECK(expect.article == "9.5b");
  CHECK(expect.clocks.value().black == -30ms);
  CHECK(expect.counts_as_draw_offer == true);
  CHECK(expect.occurrences == 2);
  CHECK(expect.must_play == "e7e8");
  CHECK(expect.to_move == Color::black);
  CHECK(expect.running == Color::white);
  CHECK(expect.illegal_count == 1);
  CHECK(expect.illegal_counts.value().black == 2);
  CHECK(expect.touched == "e7");
  CHECK(expect.allowed_replacements == std::vector<std::string>{"e7e8", "e7e6"});
  CHECK(expect.ends_at_step == 4);
  CHECK(expect.legal == false);
  CHECK(expect.category == laws::Category::blitz);
  CHECK(expect.increment == Duration(5s));
  CHECK(expect.remaining_after_each == std::vector<std::optional<Duration>>{Duration(1s), Duration(500us), std::nullopt});
  CHECK(expect.san_en == "Ke8");
  CHECK(expect.error == "ambiguous");
  CHECK(rule_case.expect[1].reason == game::Reason::flag_fall_unwinnable);
  CHECK(rule_case.expect[1].outcome == config::CaseOutcome::game_over);
  CHECK(rule_case.note == "noted");
  CHECK(rule_case.design_decision == "decided");
}

TEST_CASE("Every kind of event") {
  event_of<config::StatusEvent>("{type: status}");
  event_of<config::SetupEvent>("{type: setup}");
  CHECK(event_of<config::LegalityEvent>("{type: legality, uci: e1g1}").uci == "e1g1");
  const auto move = event_of<config::MoveEvent>("{type: move, side: white, uci: e2e4, used_ms: 1040, margin_ms: 50, increment_ms: 0}");
  CHECK(move.used == 1040ms);
  CHECK(move.margin == 50ms);
  CHECK(move.increment == Duration(0s));
  const auto illegal = event_of<config::IllegalMoveEvent>(
      "{type: illegal_move, side: black, text: e1g1, kind: castling, used_ms: 20000, increment_ms: 10000, prior: {white: 1, black: 2}}");
  CHECK(illegal.side == Color::black);
  CHECK(illegal.text == "e1g1");
  CHECK(illegal.used == 20s);
  CHECK(illegal.increment == 10s);
  CHECK(illegal.prior.black == 2);
  CHECK(event_of<config::ClaimEvent>("{type: claim, side: white, rule: threefold, mode: on_board}").rule == game::ClaimRule::threefold);
  CHECK(event_of<config::FlagFallEvent>("{type: flag_fall, side: white}").side == Color::white);
  const auto flags = event_of<config::FlagClaimEvent>("{type: flag_claim, claimant: black, white_flag_down: true, black_flag_down: false}");
  CHECK(flags.claimant == Color::black);
  CHECK(flags.white_flag_down);
  CHECK_FALSE(flags.black_flag_down);
  CHECK_FALSE(event_of<config::BothFlagsEvent>("{type: both_flags, first_known: false, period: not_last}").last_period);
  CHECK(event_of<config::ResignEvent>("{type: resign, side: black}").side == Color::black);
  const auto run = event_of<config::ClockRunEvent>("{type: clock_run, think_ms: [[white, 5000], [black, 0.5]]}", "  time_control: 180+2\n");
  REQUIRE(run.think.size() == 2);
  CHECK(run.think[1] == std::pair<Color, Duration>{Color::black, 500us});
  CHECK(event_of<config::ClassifyEvent>("{type: classify, base_ms: 900000, increment_ms: 5000}").increment == 5s);
  const auto quickplay = event_of<config::QuickplayClaimEvent>(
      "{type: quickplay_claim, side: white, ruling: postpone, award: true, later: {flag: white, final: draw}}");
  CHECK(quickplay.ruling == config::QuickplayClaimEvent::Answer::postpone);
  CHECK(quickplay.award);
  CHECK(quickplay.later.value().flag == Color::white);
  CHECK(event_of<config::IncrementRequestEvent>(
            "{type: quickplay_increment_request, side: white, opponent_accepts_draw: false, ruling: grant}")
            .granted == true);
  const auto resume = event_of<config::ResumeEvent>("{type: resume, sealed_by: white, sealed: g1f3, present: [black], late_ms: 3700000}");
  CHECK(resume.sealed == "g1f3");
  CHECK_FALSE(resume.white_present);
  CHECK(resume.black_present);
  CHECK(resume.late == 3700s);
  CHECK(event_of<config::ResumeEvent>("{type: resume, sealed_by: white, sealed_text: Nd2, present: [white, black]}").sealed_text == "Nd2");
  const auto arrival = event_of<config::ArrivalEvent>("{type: arrival, side: black, late_ms: 900000, event_default_minutes: 30}");
  CHECK(arrival.late == 15min);
  CHECK(arrival.event_default == Duration(30min));
  const auto arrivals = event_of<config::ArrivalsEvent>("{type: arrivals, white_late_ms: null, black_late_ms: 5}");
  CHECK_FALSE(arrivals.white_late.has_value());
  CHECK(arrivals.black_late == Duration(5ms));
  CHECK_FALSE(event_of<config::EngineStartEvent>("{type: engine_start, side: white, ready_ms: null}").ready_after.has_value());
  CHECK(event_of<config::NotationEvent>("{type: notation, lang: et, text: exd6 e.p.}").text == "exd6 e.p.");
  const auto order = event_of<config::ArbiterEvent>("{type: arbiter, command: add_time, side: white, time_ms: 60000, reason: noise}");
  CHECK(order.command == game::OrderKind::add_time);
  CHECK(order.time == 1min);
  CHECK(event_of<config::ArbiterEvent>("{type: arbiter, command: override_result, white_score: 0.5, black_score: 0}").white_score == 50);
  CHECK(event_of<config::IrregularityEvent>("{type: irregularity, kind: colours_reversed, moves_each: 5}").moves_each == 5);
  const auto sequence = event_of<config::SequenceEvent>(
      "{type: sequence, increment_ms: 0, steps: [{do: move, side: white, uci: e2e4, used_ms: 1000, offer_draw: true}, "
      "{do: illegal, side: black, text: e7e4, used_ms: 1}, {do: claim, side: white, rule: threefold, mode: on_board}, {do: offer_draw, "
      "side: white}, "
      "{do: accept_draw, side: black}, {do: decline_draw, side: black}, {do: flag_fall, side: black}, {do: resign, side: white}, "
      "{do: arbiter, command: pause}]}");
  REQUIRE(sequence.steps.size() == 9);
  CHECK(std::get<config::MoveEvent>(sequence.steps[0].body).offer_draw);
  CHECK(std::get<config::IllegalMoveEvent>(sequence.steps[1].body).text == "e7e4");
  CHECK(std::get<config::ArbiterEvent>(sequence.steps[8].body).command == game::OrderKind::pause);
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) CHECK(sequence.steps[i].body.index() == i);
}

TEST_CASE("Rule cases are refused with place and expectation") {
  struct Row {
    std::string text;
    std::string begins;
    std::string says;
  };
  const Row rows[] = {
      {"", "c.yaml: the file of cases is empty", "map"},
      {"schema: 2\ncases: []\n", "c.yaml:1:9: '2' is out of range", "from 1 to 1"},
      {"case: []\n", "c.yaml:1:1: the file of cases has no 'cases'", "cases"},
      {"cases: {}\n", "c.yaml:1:8: 'cases' is a map", "a list"},
      {"cases:\n- id: A\n  expct: []\n  event: {type: status}\n", "c.yaml:2:3: the case has no 'expect'", "expect"},
      {with_event("{type: stauts}"), "c.yaml:4:17: 'stauts'", "'status'"},
      {with_event("{side: white}"), "c.yaml:4:10: 'event' has no 'type'", "type"},
      {with_event("{type: resign, side: whte}"), "c.yaml:4:31: 'whte'", "'white'"},
      {with_event("{type: resign, sied: white}"), "c.yaml:4:10: 'event' has no 'side'", "side"},
      {with_event("{type: status, side: white}"), "c.yaml:4:25: unknown key 'side' in 'event'", "type"},
      {with_event("{type: move, side: white, uci: e2e4, used_ms: -1}"), "c.yaml:4:56: a negative time", "0 or more"},
      {with_event("{type: move, side: white, uci: e2e4, used_ms: 1s}"), "c.yaml:4:56: '1s'", "milliseconds"},
      {with_event("{type: claim, side: white, rule: threefold, mode: intended}"), "c.yaml:4:10: 'event' has no 'uci'", "uci"},
      {with_event("{type: arbiter, command: declare_both_lots}"), "c.yaml:4:35: 'declare_both_lots'", "'declare_both_lost'"},
      {with_event("{type: arbiter, command: override_result, white_score: 2}"), "c.yaml:4:65: '2'", "0.5"},
      {with_event("{type: sequence, steps: []}"), "c.yaml:4:34: 'steps' is empty", "at least one step"},
      {with_event("{type: clock_run, think_ms: [[white, 5], [black, -1]]}", "legal: true", "  time_control: 60\n"),
       "c.yaml:5:59: a negative time", "0 or more"},
      {with_event("{type: resume, sealed_by: white, sealed: e2e4, present: [white, white]}"), "c.yaml:4:74: 'white' is given twice",
       "each side once"},
      {with_event("{<<: {side: white}, type: resign}"), "c.yaml:4:11: a merge key ('<<')", "the keys themselves"},
      {with_event("{type: status}", "why: it is so"), "c.yaml:6:5: the expectation expects nothing", "a value"},
      {with_event("{type: status}", "legal: true\n  - {editions: [fide-2018, fide-2023], legal: true}"),
       "c.yaml:8:5: the edition 'fide-2023' is named twice", "once in a case"},
      {with_event("{type: status}", "legal: true", "  start_fen: 4k3/8/8/8/8/8/8/8 w - - 0 1\n"), "c.yaml:4:14: ", "a FEN"},
      {with_event("{type: sequence, steps: [{do: mvoe}]}"), "c.yaml:4:40: 'mvoe'", "'move'"},
      {with_event("{type: clock_run, think_ms: [[white, 1]]}"), "c.yaml:4:10: a clock_run without a time control", "time_control"},
      {with_event("{type: clock_run, think_ms: [[white]]}", "legal: true", "  time_control: 60\n"), "c.yaml:5:39: a list",
       "[side, milliseconds]"},
      {with_event("{type: quickplay_claim, side: white, ruling: reject, later: {flag: white, final: draw}}"),
       "c.yaml:4:70: a later decision", "postpone"},
      {with_event("{type: status}", "outcome: over"), "c.yaml:7:14: 'over'", "game_over"},
      {with_event("{type: status}", "result: 1:0"), "c.yaml:7:13: '1:0'", "'1-0'"},
      {with_event("{type: status}", "reason: checkmat"), "c.yaml:7:13: 'checkmat'", "'checkmate'"},
      {with_event("{type: status}", "leagl: true"), "c.yaml:7:5: unknown key 'leagl' in the expectation", "'legal'"},
      {with_event("{type: status}", "legal: true\n  - editions: [fide-2032]"), "c.yaml:8:16: there is no edition 'fide-2032'", "'fide-20"},
      {with_event("{type: status}", "legal: true\n  - editions: []"), "c.yaml:8:15: no edition is named", "a list"},
      {with_event("{type: status}", "legal: true", "  time_control: {periods: [{base_ms: 0}]}\n"), "c.yaml:4:28: the period has no time",
       "above zero"},
      {with_event("{type: status}", "legal: true", "  time_control: 40/240:60\n"), "c.yaml:4:23: time control", "40/240s:60s"},
      {with_event("{type: status}", "legal: true", "  clocks: {white_ms: 5}\n"), "c.yaml:4:11: 'clocks' has no 'black_ms'", "black_ms"},
      {with_event("{type: status}") + with_event("{type: status}").substr(7), "c.yaml:8:3: the id 'X-1' is used twice, first at line 2",
       "of its own"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const std::string message = cases_refusal(row.text);
    CHECK_THAT(message, Catch::StartsWith(row.begins));
    CHECK_THAT(message, Catch::Contains(row.says));
  }
}

TEST_CASE("The published rule cases are read completely") {
  const char* const data = std::getenv("REFEREE_DATA");
  const auto path = std::filesystem::path(data != nullptr ? data : "") / "../laws/edge-cases.yaml";
  if (data == nullptr || !std::filesystem::exists(path)) {
    std::cout << "REFEREE_DATA is not set: the published rule cases are not read\n";
    return;
  }
  const auto file = config::read_rule_cases(path.string());
  CHECK(file.cases.size() == 144);
  for (const auto& rule_case : file.cases) {
    INFO(rule_case.id);
    CHECK_FALSE(rule_case.title.empty());
    CHECK_FALSE(rule_case.expect.empty());
  }
}
