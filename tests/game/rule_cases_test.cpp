// The rule cases, in every edition they name: expectations come from the Laws and from other programs, never from the judge itself.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/rule_case_runner.hpp"
#include "config/rule_cases.hpp"

namespace referee::config {

namespace {

const std::string folder = REFEREE_SOURCE_FOLDER;

struct Count {
  int passed = 0, failed = 0;
};

Count run_file(const std::string& path) {
  Count count;
  for (const RuleCase& rule_case : read_rule_cases(path).cases) {
    for (const CaseResult& result : run_rule_case(rule_case, std::filesystem::path(path).parent_path().string())) {
      std::string wrong = result.problem;
      for (const CaseField& field : result.fields) {
        if (!field.holds) wrong += field.name + ": expected " + field.expected + ", ruled " + field.ruled + "; ";
      }
      INFO(result.id << " " << result.edition << ": " << wrong);
      CHECK(result.pass);
      ++(result.pass ? count.passed : count.failed);
    }
  }
  return count;
}

std::vector<CaseResult> run_text(const std::string& yaml) {
  const RuleCaseFile file = parse_rule_cases("schema: 1\ncases:\n" + yaml, "test.yaml");
  return run_rule_case(file.cases.front(), ".");
}

}  // namespace

TEST_CASE("the 144 edge cases hold in every edition they name") {
  const Count count = run_file(folder + "/tests/data/rules/edge-cases.yaml");
  CHECK(count.passed == 801);
  CHECK(count.failed == 0);
}

TEST_CASE("cases written from the articles they name hold in every edition") {
  const Count count = run_file(folder + "/tests/data/rules/by-article.yaml");
  CHECK(count.passed == 2819);
  CHECK(count.failed == 0);
}

TEST_CASE("the examples of matches/cases hold") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/matches/cases")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    CHECK(run_file(entry.path().string()).failed == 0);
  }
  CHECK(files >= 4);
}

TEST_CASE("a case that expects the wrong thing fails and says what was ruled") {
  const auto results = run_text(R"(
  - id: WRONG
    event: {type: resign, side: white}
    expect:
    - {editions: [fide-2018, fide-2023], result: 1-0, reason: checkmate, to_move: white}
)");
  REQUIRE(results.size() == 2);
  for (const CaseResult& result : results) {
    CHECK_FALSE(result.pass);
    REQUIRE(result.fields.size() == 3);
    CHECK(result.fields[0].ruled == "0-1");
    CHECK(result.fields[1].expected == "checkmate");
    CHECK(result.fields[1].ruled == "resignation");
    CHECK(result.fields[2].holds);
    CHECK(result.steps.size() == 2);
    CHECK_FALSE(result.start.empty());
  }
  CHECK(run_rule_case(
            parse_rule_cases("cases: [{id: A, event: {type: status}, expect: [{editions: [fide-2005, fide-2018], result: '*'}]}]", "t")
                .cases[0],
            ".", "fide-2018")
            .size() == 1);
}

TEST_CASE("a case that cannot be played is refused where its position or its moves stand") {
  const auto problem = [](const std::string& body) {
    const RuleCaseFile file = parse_rule_cases("cases:\n  - id: X\n" + body + "    expect: [{editions: [fide-2018], outcome: continue}]\n",
                                               "t.yaml", BadCase::collected);
    CHECK(file.cases.empty());
    REQUIRE(file.unreadable.size() == 1);
    return file.unreadable[0].error.text();
  };
  CHECK_THAT(problem("    moves: e2e4 e7e4\n    event: {type: status}\n"),
             Catch::StartsWith("t.yaml:3:12: half-move 2") && Catch::Contains("e7e4"));
  CHECK_THAT(problem("    start_fen: 8/8/8 w - - 0 1\n    event: {type: status}\n"), Catch::StartsWith("t.yaml:3:16: placement"));
  CHECK_THAT(problem("    moves: e2e4\n    fen_after_moves: 8/8/8/8/8/8/8/8 w - - 0 1\n    event: {type: status}\n"),
             Catch::StartsWith("t.yaml:4:22: the moves lead elsewhere") && Catch::Contains("4P3"));
  CHECK_THAT(problem("    event: {type: notation, lang: xx, text: Nf3}\n"), Catch::StartsWith("t.yaml:3:35: ") && Catch::Contains("'xx'"));
  CHECK_THAT(problem("    event: {type: resume, sealed_by: black, sealed: e7e5, present: [white]}\n"),
             Catch::StartsWith("t.yaml:3:12: sealed_by") && Catch::Contains("white"));
}

TEST_CASE("kinds of events that the edge cases do not show") {
  const auto holds = [](const std::string& event, const std::string& expect, const std::string& more = "") {
    const auto results = run_text("  - id: X\n" + more + "    event: " + event + "\n    expect: [" + expect + "]\n");
    REQUIRE_FALSE(results.empty());
    for (const CaseResult& result : results) {
      std::string wrong = result.problem;
      for (const CaseField& field : result.fields) {
        if (!field.holds) wrong += field.name + ": " + field.ruled + "; ";
      }
      INFO(event << " " << result.edition << ": " << wrong);
      CHECK(result.pass);
    }
  };
  // 6.6: White's time runs from the appointed hour; both too late, both lose.
  holds("{type: arrivals, white_late_ms: 60000, black_late_ms: 90000}",
        "{editions: [fide-2005], decision: may_play, clocks: {white_ms: 540000, black_ms: 600000}}",
        "    clocks: {white_ms: 600000, black_ms: 600000}\n");
  holds("{type: arrivals, white_late_ms: 1000, black_late_ms: null}", "{editions: [fide-2018], result: 0-0, reason: default_time}");
  holds("{type: arrivals, white_late_ms: 0, black_late_ms: null}", "{editions: [fide-2018, fide-2005], result: 1-0, reason: default_time}");
  holds("{type: engine_start, side: white, ready_ms: 35001}", "{editions: [engine-practice], result: 0-1, reason: start_timeout}");
  holds("{type: engine_start, side: black, ready_ms: null}", "{editions: [engine-practice], result: 1-0, reason: start_timeout}");
  holds("{type: engine_start, side: black, ready_ms: 35000}", "{editions: [engine-practice], outcome: continue}");
  // A10: a stalemate or dead position in the envelope; A9b: the replier is not there.
  holds("{type: resume, sealed_by: white, sealed: g1f3, present: [white], late_ms: 600000}",
        "{editions: [fide-2005], outcome: continue, decision: wait, running: black, article: A9}", "    moves: e2e4 e7e5\n");
  holds("{type: resume, sealed_by: white, present: [white, black]}", "{editions: [fide-2005], outcome: annulled, reason: annulled_replay}");
  holds("{type: resume, sealed_by: white, sealed: e2e4, present: [], late_ms: 3700000}", "{editions: [fide-2005], result: 0-0}");
  holds("{type: flag_claim, claimant: black, white_flag_down: true, black_flag_down: false}",
        "{editions: [fide-2005, fide-2023], result: 0-1, reason: flag_fall}", "    category: rapid\n");
  holds("{type: both_flags, first_known: true, period: last}", "{editions: [fide-2005, engine-practice], result: 0-1, reason: flag_fall}");
  holds("{type: quickplay_increment_request, side: white, opponent_accepts_draw: true, ruling: refuse}",
        "{editions: [fide-2018], reason: agreement}", "    clocks: {white_ms: 60000, black_ms: 60000}\n    moves: e2e4 e7e5\n");
  holds("{type: quickplay_increment_request, side: white, ruling: refuse}",
        "{editions: [fide-2018], outcome: continue, increment_ms: 0, clocks: {white_ms: 60000, black_ms: 60000}}",
        "    clocks: {white_ms: 60000, black_ms: 60000}\n");
  holds("{type: quickplay_claim, side: white, ruling: postpone, award: false, later: {flag: black, final: loss}}",
        "{editions: [fide-2005], result: 1-0, reason: flag_fall}",
        "    start_fen: 8/8/4k3/4r3/8/3K1R2/8/8 w - - 10 60\n    clocks: {white_ms: 60000, black_ms: 30000}\n");
  holds("{type: illegal_move, side: white, text: e1g1, claimed_before_reply: false}",
        "{editions: [fide-2005], outcome: continue, illegal_count: 0, clocks: {white_ms: 600000, black_ms: 600000}}",
        "    category: rapid\n    clocks: {white_ms: 600000, black_ms: 600000}\n");
  holds("{type: illegal_move, side: white, text: e2e4, kind: two_hands}",
        "{editions: [fide-2017, fide-2023], decision: illegal_move_stands, to_move: black, illegal_count: 1}, "
        "{editions: [fide-2005], decision: misconduct, illegal_counts: {white: 0, black: 0}}");
  holds("{type: arbiter, command: declare_lost, side: white, white_score: 0, black_score: 0.5, reason: refusal}",
        "{editions: [fide-2005], result: 0-1/2, reason: declared_lost}");
  holds("{type: arbiter, command: add_time, side: black, time_ms: 5000}",
        "{editions: [fide-2005], clocks: {white_ms: 1000, black_ms: 6000}}", "    clocks: {white_ms: 1000, black_ms: 1000}\n");
  holds("{type: sequence, steps: [{do: offer_draw, side: white}, {do: decline_draw, side: black}, {do: resign, side: black}]}",
        "{editions: [fide-2018], result: 1-0, ends_at_step: 3}");
  holds("{type: irregularity, kind: wrong_start, moves_each: 4}",
        "{editions: [fide-2005], outcome: continue}, {editions: [fide-2018], outcome: annulled}", "    category: rapid\n");
  holds("{type: clock_run, think_ms: [[white, 2000], [black, 1000]]}",
        "{editions: [engine-practice], remaining_after_each: [58000, 61000]}", "    time_control: hourglass 60\n");
  holds("{type: notation, lang: en, text: e8}", "{editions: [fide-2018], error: promotion_missing}",
        "    start_fen: 8/4P3/8/8/8/k7/8/4K3 w - - 0 1\n");
  holds("{type: notation, lang: en, text: Ng5}", "{editions: [fide-2018], error: illegal}");
  holds("{type: notation, lang: en, text: 'x!'}", "{editions: [fide-2018], error: malformed}");
}

TEST_CASE("one bad case does not hide the others") {
  const std::string text =
      "cases:\n- {id: GOOD, event: {type: status}, expect: [{editions: [fide-2018], outcome: continue}]}\n- {id: BAD, event: {type: "
      "dance}}\n";
  CHECK_THROWS_AS(parse_rule_cases(text, "t.yaml"), ConfigException);
  const RuleCaseFile file = parse_rule_cases(text, "t.yaml", BadCase::collected);
  CHECK(file.cases.size() == 1);
  REQUIRE(file.unreadable.size() == 1);
  CHECK(file.unreadable[0].id == "BAD");
  CHECK_THAT(file.unreadable[0].error.text(), Catch::Contains("t.yaml:3"));
}

}  // namespace referee::config
