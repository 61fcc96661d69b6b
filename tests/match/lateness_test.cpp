// The rule: nobody loses on time because the referee was late; what it may have read late is played again, and not for ever.
#include "referee/match/lateness.hpp"

#include <catch2/catch.hpp>

using namespace referee;
using namespace referee::match;
using namespace std::chrono_literals;

namespace {

constexpr engine::Instant flag{1000s};

Doubt by_referee(engine::Duration behind, int annulled_before = 0) {
  return doubt_of(flag + behind, AnswerStamp::by_referee, flag, annulled_before);
}

}  // namespace

TEST_CASE("an answer read before its flag fell, or at that instant, is in no doubt") {
  CHECK(by_referee(-1s) == Doubt::none);
  CHECK(by_referee(-1ns) == Doubt::none);
  CHECK(by_referee(0ns) == Doubt::none);
}

TEST_CASE("an answer read before a punctual referee has looked at the flag is late by itself") {
  CHECK(by_referee(1ns) == Doubt::none);
  CHECK(by_referee(after_the_flag) == Doubt::none);
  CHECK(by_referee(after_the_flag + usual_lateness) == Doubt::none);
}

TEST_CASE("an answer read when the flag should long have been looked at annuls the game, however late it is") {
  CHECK(by_referee(after_the_flag + usual_lateness + 1ns) == Doubt::annulled);
  CHECK(by_referee(1ms) == Doubt::annulled);
  CHECK(by_referee(1h) == Doubt::annulled);  // a host that was suspended
}

TEST_CASE("the kernel's stamp leaves no doubt, on either side of the flag") {
  for (const engine::Duration behind : {engine::Duration(-1s), engine::Duration(0s), engine::Duration(1ms), engine::Duration(1h)})
    CHECK(doubt_of(flag + behind, AnswerStamp::by_kernel, flag, 0) == Doubt::none);
}

TEST_CASE("no doubt arises while no flag can fall") { CHECK(doubt_of(flag + 1h, AnswerStamp::by_referee, std::nullopt, 0) == Doubt::none); }

TEST_CASE("a game in doubt is played again three times; then it stands, and the doubt is told") {
  for (const int before : {0, 1, 2}) CHECK(by_referee(1ms, before) == Doubt::annulled);
  for (const int before : {3, 4, 99}) CHECK(by_referee(1ms, before) == Doubt::told);
  CHECK(by_referee(-1ms, 3) == Doubt::none);
}
