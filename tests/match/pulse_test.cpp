// When the referee has stood still, by two clocks that the test makes up.
#include "referee/match/pulse.hpp"

#include <catch2/catch.hpp>

using namespace referee::match;
using namespace std::chrono_literals;
using Instant = referee::engine::DeadlineQueue::Instant;

TEST_CASE("readings in time tell of no pause, a gap in them does, once", "[pulse]") {
  PauseDetector detector;
  CHECK_FALSE(detector.read(Instant(500s), 0s));  // how long the host was up before is nobody's pause
  CHECK_FALSE(detector.read(Instant(500s + 200ms), 0s));
  CHECK_FALSE(detector.read(Instant(501s + 400ms), 0s));  // a beat late by the longest silence
  const auto pause = detector.read(Instant(504s + 600ms), 0s);
  REQUIRE(pause);
  CHECK(pause->kind == Pause::Kind::stood_still);
  CHECK(pause->length == 3200ms);
  CHECK(text(*pause) == "the referee stood still for 3.2 s (stopped, or given no processor)");
  CHECK_FALSE(detector.read(Instant(504s + 600ms), 0s));
}

TEST_CASE("a host that slept is noticed though the monotonic clock stood", "[pulse]") {
  PauseDetector detector;
  CHECK_FALSE(detector.read(Instant(10s), 100s));  // it had slept before the match
  CHECK_FALSE(detector.read(Instant(10s + 200ms), 100s));
  const auto pause = detector.read(Instant(10s + 210ms), 7300s);
  REQUIRE(pause);
  CHECK(pause->kind == Pause::Kind::host_slept);
  CHECK(pause->length == 7200s);
  CHECK(text(*pause) == "the host slept for 7200.0 s");
  CHECK_FALSE(detector.read(Instant(10s + 400ms), 7300s));
}
