// What an engine is given to end its turns by: a clock, limits, or both.
#include <catch2/catch.hpp>
#include <string>

#include "tests/config/scene.hpp"

using namespace referee;
using config::MatchFile;
using test::Scene;
using test::two_engines;

TEST_CASE("An engine with a limit and no time control has no clock that would end its search before") {
  const Scene scene("limits-alone");
  const auto control = [](const MatchFile& match, std::size_t engine) {
    return clock::to_text(match.engines[engine].time_control.value_or(match.time_control));
  };
  for (const char* limit : {"depth: 9", "nodes: 3000000", "movetime: 300ms"}) {
    INFO(limit);
    const MatchFile all = scene.read("defaults: {limits: {" + std::string(limit) + "}}\n" + two_engines);
    CHECK(control(all, 0) == "inf");
    CHECK(control(all, 1) == "inf");
    const MatchFile one = scene.read("engines:\n  - {name: A, command: engines/alpha, limits: {" + std::string(limit) +
                                     "}}\n  - {name: B, command: engines/beta}\n");
    CHECK(control(one, 0) == "inf");
    CHECK(control(one, 1) == "10+0.1");
  }
  // XBoard cannot ask whether `sd` is heeded: an engine that does not would think for ever.
  const MatchFile xboard = scene.read(
      "engines:\n  - {name: A, command: engines/alpha, protocol: xboard, limits: {depth: 9}}\n"
      "  - {name: B, command: engines/beta, protocol: xboard, limits: {movetime: 2s}}\n");
  CHECK(control(xboard, 0) == "10+0.1");
  CHECK(control(xboard, 1) == "inf");
  // A mate of that length may not be there: the clock stays.
  CHECK(control(scene.read("defaults: {limits: {mate: 3}}\n" + two_engines), 0) == "10+0.1");
  // What is asked for is given: both, whoever names them.
  const MatchFile both = scene.read("time_control: 10+0.1\ndefaults: {limits: {depth: 9}}\n" + two_engines);
  CHECK(control(both, 0) == "10+0.1");
  const MatchFile own = scene.read(
      "engines:\n  - {name: A, command: engines/alpha, time_control: 5+1, limits: {depth: 9}}\n  - {name: B, command: engines/beta}\n");
  CHECK(control(own, 0) == "5+1");
}

TEST_CASE("an engine without a clock needs a limit of another kind", "[match_file]") {
  const auto text = [](const std::string& keys, const std::string& more) {
    return "time_control: inf\nengines:\n  - {name: A, command: sh, limits: {depth: 5}}\n  - {name: B, command: sh" + keys + "}\n" + more;
  };
  const auto fault = [&](const std::string& keys) {
    try {
      (void)config::parse_match_file(text(keys, ""), "m.yaml");
    } catch (const config::ConfigException& problem) { return problem.error(); }
    return config::ConfigError{};
  };
  const auto refused = fault("");
  CHECK(refused.line == 4);
  CHECK(refused.message.find("'B'") != std::string::npos);
  CHECK(fault(", protocol: xboard, limits: {mate: 3}").line == 4);  // XBoard has no word for it
  // `go mate 3` goes on for ever where there is no mate in three.
  CHECK(fault(", limits: {mate: 3}").line == 4);
  CHECK(fault(", limits: {mate: 3}").expected.find("mate alone") != std::string::npos);
  for (const char* keys : {", limits: {nodes: 1000}", ", limits: {movetime: 1s}", ", limits: {depth: 9, mate: 3}", ", time_control: 5+0"}) {
    CAPTURE(keys);
    CHECK_NOTHROW(config::parse_match_file(text(keys, ""), "m.yaml"));
  }
  CHECK_NOTHROW(config::parse_match_file(text("", "defaults: {limits: {nodes: 1}}\n"), "m.yaml"));
}

TEST_CASE("an engine without a clock is not given up before its time for a move is over", "[match_file]") {
  const auto text = [](const std::string& control, const std::string& keys) {
    return "time_control: " + control +
           "\nengines:\n  - {name: A, command: sh, limits: {depth: 5}}\n  - {name: B, command: sh, limits: {movetime: 4s}" + keys + "}\n";
  };
  try {
    (void)config::parse_match_file(text("inf", ", timeouts: {think: 2s}"), "m.yaml");
    FAIL("accepted");
  } catch (const config::ConfigException& problem) {
    CHECK(problem.error().line == 4);
    CHECK(problem.error().message.find("4 s a move and given up after 2 s") != std::string::npos);
  }
  CHECK_THROWS_AS(config::parse_match_file(text("inf", ", timeouts: {think: 4s}"), "m.yaml"), config::ConfigException);
  CHECK_NOTHROW(config::parse_match_file(text("inf", ", timeouts: {think: 5s}"), "m.yaml"));
  CHECK_NOTHROW(config::parse_match_file(text("60", ", timeouts: {think: 2s}"), "m.yaml"));  // the clock decides
}
