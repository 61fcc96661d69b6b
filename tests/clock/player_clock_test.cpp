#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "referee/clock/clock.hpp"

using namespace referee::clock;
using namespace std::chrono_literals;
using referee::chess::Color;

namespace {

TimeControl control(const std::string& text) { return std::get<TimeControl>(parse_time_control(text)); }

constexpr ClockRules fide{FlagRule::elapsed_reaches_remaining, 0ms, false};
constexpr ClockRules fide_with_first_increment{FlagRule::elapsed_reaches_remaining, 0ms, true};

ClockRules practice(Duration margin = 0ms) { return {FlagRule::elapsed_exceeds_remaining_margin, margin, true}; }

constexpr Duration flag = Duration::min();
struct Think {
  Color side;
  Duration used;
  Duration remaining;  // afterwards; `flag` = it falls
};

void run(const std::string& text, const ClockRules& rules, const std::vector<Think>& thinks) {
  INFO(text);
  Clocks clocks{{PlayerClock(control(text), rules), PlayerClock(control(text), rules)}};
  for (const Think& think : thinks) {
    PlayerClock& mine = clocks[think.side];
    INFO("used " << think.used.count() << " ns of " << mine.remaining().count());
    REQUIRE(mine.flag_falls(think.used) == (think.remaining == flag));
    if (think.remaining == flag) return;
    mine.complete_move(think.used);
    if (mine.control().mode == Mode::hourglass) clocks[opposite(think.side)].gain(think.used);
    CHECK(mine.remaining() == think.remaining);
  }
}

constexpr Color white = Color::white;
constexpr Color black = Color::black;

}  // namespace

// The names are those of the published rule cases.
TEST_CASE("TIM-01 to TIM-08: what the display shows after each move, in FIDE's editions and in engine practice") {
  for (const FlagRule rule : {FlagRule::elapsed_reaches_remaining, FlagRule::elapsed_exceeds_remaining_margin}) {
    const ClockRules late{rule, 0ms, false};
    const ClockRules early{rule, 0ms, true};
    run("180+2", late, {{white, 5s, 177s}, {black, 1s, 181s}, {white, 0s, 179s}, {black, 2500ms, 180500ms}});
    run("180+2", early, {{white, 5s, 179s}, {black, 1s, 183s}});
    run("60 delay 5", late, {{white, 4s, 60s}, {black, 5s, 60s}, {white, 7s, 58s}, {black, 12500ms, 52500ms}});
    run("60 bronstein 5", late, {{white, 4s, 60s}, {black, 5s, 60s}, {white, 7s, 58s}, {black, 12500ms, 52500ms}});
    run("2 delay 5", late, {{white, 3s, 2s}});
    run("2 bronstein 5", late, {{white, 3s, flag}});
    run("3/10s:30s", late, {{white, 1s, 9s}, {white, 1s, 8s}, {white, 1s, 37s}, {white, 9s, 28s}});
    run("3/10s:30s", late, {{white, 4s, 6s}, {white, 4s, 2s}, {white, 2500ms, flag}});
  }
}

TEST_CASE("TIM-10: the instant the flag falls is the edition's") {
  const PlayerClock laws(control("1"), fide);
  CHECK_FALSE(laws.flag_falls(1s - 1ns));
  CHECK(laws.flag_falls(1s));
  CHECK(laws.flag_after() == Duration(1s));

  const PlayerClock engines(control("1"), practice());
  CHECK_FALSE(engines.flag_falls(1s));
  CHECK(engines.flag_falls(1s + 1ns));
  CHECK(engines.flag_after() == Duration(1s + 1ns));
}

TEST_CASE("TIM-09: a margin spares engines, and no FIDE edition knows one") {
  CHECK_FALSE(PlayerClock(control("1"), practice(50ms)).flag_falls(1040ms));
  CHECK_FALSE(PlayerClock(control("1"), practice(50ms)).flag_falls(1050ms));
  CHECK(PlayerClock(control("1"), practice(50ms)).flag_falls(1050ms + 1ns));
  ClockRules with_margin = fide;
  with_margin.margin = 50ms;
  CHECK(PlayerClock(control("1"), with_margin).flag_falls(1040ms));
}

TEST_CASE("TC-01: moves to go count down to one and start again when the last period repeats") {
  PlayerClock clock(control("40/10+0.1"), practice());
  for (int move = 1; move <= 120; ++move) {
    INFO(move);
    CHECK(clock.moves_to_go() == 40 - (move - 1) % 40);
    clock.complete_move(0ms);
  }
  CHECK(clock.moves_made() == 120);
  // 10.1 at the start, an increment for each move, and 10 more for each of three periods.
  CHECK(clock.remaining() == 10s + 100ms + 120 * 100ms + 3 * 10s);
}

TEST_CASE("Several periods: the base is added with the last move of a period, the next increment from the move after it") {
  PlayerClock clock(control("2/100+1:1/50+3:20+5"), fide);
  CHECK(clock.remaining() == 100s);
  clock.complete_move(10s);
  CHECK(clock.remaining() == 91s);
  CHECK(clock.period() == 0);
  clock.complete_move(10s);
  CHECK(clock.remaining() == 82s + 50s);
  CHECK(clock.period() == 1);
  CHECK(clock.moves_to_go() == 1);
  CHECK(clock.increment() == 3s);
  CHECK_FALSE(clock.in_last_period());
  clock.complete_move(32s);
  CHECK(clock.remaining() == 103s + 20s);
  CHECK(clock.in_last_period());
  CHECK_FALSE(clock.moves_to_go().has_value());
  clock.complete_move(1s);
  CHECK(clock.remaining() == 127s);
}

TEST_CASE("TC-03: time used inside the margin is carried on") {
  PlayerClock clock(control("10+0.1"), practice(200ms));
  clock.set_remaining(120ms);
  REQUIRE_FALSE(clock.flag_falls(250ms));
  clock.complete_move(250ms);
  CHECK(clock.remaining() == -30ms);
  // What is left of the margin is all there is now.
  CHECK_FALSE(clock.flag_falls(170ms));
  CHECK(clock.flag_falls(171ms));
}

TEST_CASE("TC-05: with a base of zero the first move has the increment, whatever the edition credits first") {
  for (const ClockRules& rules : {fide, fide_with_first_increment, practice()}) {
    PlayerClock clock(control("0+5"), rules);
    CHECK(clock.remaining() == 5s);
    REQUIRE_FALSE(clock.flag_falls(4999ms));
    clock.complete_move(4s);
    CHECK(clock.remaining() == 6s);
  }
}

TEST_CASE("TC-07: a fixed time a move is fresh for every move") {
  PlayerClock clock(control("move 0.1"), practice(20ms));
  const std::pair<Duration, bool> moves[] = {{95ms, false}, {110ms, false}, {100ms, false}, {118ms, false}, {121ms, true}};
  for (const auto& [used, falls] : moves) {
    CHECK(clock.remaining() == 100ms);
    CHECK(clock.flag_falls(used) == falls);
    if (!falls) clock.complete_move(used);
  }
}

TEST_CASE("Hourglass: what one side uses the other gains") {
  run("hourglass 60", fide,
      {{white, 10s, 50s}, {black, 20s, 50s}, {white, 69s, 1s}, {black, 118s, 1s}, {white, 118s, 1s}, {black, 119s, flag}});
}

TEST_CASE("An illegal move is charged without increment, refund or count (D1)") {
  PlayerClock fischer(control("40/600+10"), fide);
  fischer.charge(20s);
  CHECK(fischer.remaining() == 580s);
  CHECK(fischer.moves_to_go() == 40);
  CHECK(fischer.moves_made() == 0);
  PlayerClock bronstein(control("60 bronstein 5"), fide);
  bronstein.charge(4s);
  CHECK(bronstein.remaining() == 56s);
  PlayerClock delay(control("60 delay 5"), fide);
  delay.charge(4s);
  CHECK(delay.remaining() == 60s);
  delay.charge(7s);
  CHECK(delay.remaining() == 58s);
}

TEST_CASE("An arbiter sets the display and introduces an increment (Guidelines III.4)") {
  PlayerClock clock(control("300"), fide);
  clock.set_remaining(60s);
  clock.set_increment(5s);
  CHECK(clock.remaining() == 60s);
  clock.complete_move(10s);
  CHECK(clock.remaining() == 55s);
  clock.add(-5s);
  CHECK(clock.remaining() == 50s);
  PlayerClock glass(control("hourglass 60"), fide);
  glass.set_increment(5s);
  CHECK(glass.increment() == 0s);
}

TEST_CASE("Without a clock nothing ever falls") {
  for (PlayerClock clock : {PlayerClock(), PlayerClock(control("inf"), practice())}) {
    CHECK(clock.is_infinite());
    CHECK(clock.remaining() == Duration::max());
    CHECK_FALSE(clock.flag_after().has_value());
    CHECK_FALSE(clock.flag_falls(Duration::max()));
    clock.complete_move(10s);
    clock.charge(10s);
    clock.add(10s);
    clock.set_remaining(10s);
    CHECK(clock.remaining() == Duration::max());
    CHECK(clock.moves_made() == 1);
  }
}

TEST_CASE("No amount of time overflows, and a finite clock stays finite") {
  PlayerClock clock(control("1000000h+1000000h"), practice(Duration::max()));
  for (int i = 0; i < 10; ++i) clock.complete_move(0s);
  clock.add(Duration::max());
  CHECK(clock.remaining() > 1'000'000h);
  CHECK_FALSE(clock.is_infinite());
  CHECK(clock.flag_after().has_value());
  clock.set_remaining(Duration::max());
  CHECK(clock.remaining() < Duration::max());
  for (int i = 0; i < 4; ++i) clock.charge(Duration::max());
  clock.add(Duration::min());
  clock.charge(Duration::min());  // a negative time is none
  CHECK(clock.remaining() == Duration::min());
  PlayerClock delay(control("1000000h delay 1000000h"), fide);
  delay.add(Duration::max());
  CHECK(delay.flag_after().has_value());
}
