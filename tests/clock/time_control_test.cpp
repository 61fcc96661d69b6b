#include "referee/clock/time_control.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace referee::clock;
using namespace std::chrono_literals;

namespace {

TimeControl read(const std::string& text) {
  auto result = parse_time_control(text);
  INFO(text);
  if (const auto* error = std::get_if<TimeControlError>(&result)) FAIL(describe(*error));
  return std::get<TimeControl>(result);
}

TimeControlError refusal(const std::string& text) {
  auto result = parse_time_control(text);
  INFO("accepted: " << text);
  REQUIRE(std::holds_alternative<TimeControlError>(result));
  return std::get<TimeControlError>(result);
}

Period period(int moves, Duration base, Duration increment = {}, Duration delay = {}) {
  Period made;
  made.moves = moves;
  made.base = base;
  made.increment = increment;
  made.delay = delay;
  return made;
}

}  // namespace

TEST_CASE("Time controls as people and other runners write them") {
  struct Row {
    const char* text;
    TimeControl value;
  };
  const Row rows[] = {
      {"60", {Mode::increment, {period(0, 60s)}}},
      {"40/60", {Mode::increment, {period(40, 60s)}}},
      {"40/1:30+1", {Mode::increment, {period(40, 90s, 1s)}}},
      {"0.5+0.05", {Mode::increment, {period(0, 500ms, 50ms)}}},
      {"8+.08", {Mode::increment, {period(0, 8s, 80ms)}}},
      {"0+5", {Mode::increment, {period(0, 0s, 5s)}}},
      {"5:00", {Mode::increment, {period(0, 5min)}}},
      {"1:30.5", {Mode::increment, {period(0, 90500ms)}}},
      {"40/240:59", {Mode::increment, {period(40, 240min + 59s)}}},
      {"inf", {Mode::infinite, {}}},
      {"90m+30s", {Mode::increment, {period(0, 90min, 30s)}}},
      {"1h30m", {Mode::increment, {period(0, 90min)}}},
      {"1.5h", {Mode::increment, {period(0, 90min)}}},
      {"1h30m15s250ms", {Mode::increment, {period(0, 90min + 15s + 250ms)}}},
      {"90m+30", {Mode::increment, {period(0, 90min, 30s)}}},
      {"40/5400+30:1800+30", {Mode::increment, {period(40, 5400s, 30s), period(0, 1800s, 30s)}}},
      {"40/90m+30s:30m+30s", {Mode::increment, {period(40, 90min, 30s), period(0, 30min, 30s)}}},
      {"40/240s:60s", {Mode::increment, {period(40, 240s), period(0, 60s)}}},
      {"40/240s:60", {Mode::increment, {period(40, 240s), period(0, 60s)}}},
      {"40/240:60s", {Mode::increment, {period(40, 240s), period(0, 60s)}}},
      {"40/7200:20/3600:900+30", {Mode::increment, {period(40, 7200s), period(20, 3600s), period(0, 900s, 30s)}}},
      {"40/5400:20/30:00", {Mode::increment, {period(40, 5400s), period(20, 30min)}}},
      {"40/5400+30:30:00", {Mode::increment, {period(40, 5400s, 30s), period(0, 30min)}}},
      {"300 delay 5", {Mode::delay, {period(0, 300s, 0s, 5s)}}},
      {"40/5400s:30m delay 5s", {Mode::delay, {period(40, 5400s, 0s, 5s), period(0, 30min, 0s, 5s)}}},
      {"300 bronstein 2.5", {Mode::bronstein, {period(0, 300s, 0s, 2500ms)}}},
      {"hourglass 60", {Mode::hourglass, {period(0, 60s)}}},
      {"move 0.5", {Mode::move_time, {period(0, 500ms)}}},
      {"move 100ms", {Mode::move_time, {period(0, 100ms)}}},
      {" 60 ", {Mode::increment, {period(0, 60s)}}},
      {"0.000000001", {Mode::increment, {period(0, 1ns)}}},
      {"1000000h", {Mode::increment, {period(0, 1'000'000h)}}},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(read(row.text) == row.value);
  }
}

TEST_CASE("What can be read in several ways is refused, and every way it proposes is read") {
  const auto proposals = [](const std::string& text) {
    const std::string message = describe(refusal(text));
    std::vector<TimeControl> ways;
    const std::size_t from = message.find("expected ");
    REQUIRE(from != std::string::npos);
    for (std::size_t open = message.find('\'', from); open != std::string::npos;) {
      const std::size_t close = message.find('\'', open + 1);
      ways.push_back(read(message.substr(open + 1, close - open - 1)));
      open = message.find('\'', close + 1);
    }
    return ways;
  };
  CHECK(proposals("40/2:00:00") == std::vector<TimeControl>{{Mode::increment, {period(40, 2h)}}});
  CHECK(proposals("40/1:30:00+30") == std::vector<TimeControl>{{Mode::increment, {period(40, 90min, 30s)}},
                                                               {Mode::increment, {period(40, 90s), period(0, 0s, 30s)}},
                                                               {Mode::increment, {period(40, 1s), period(0, 30min, 30s)}}});
  CHECK(proposals("40/90:30:20.5") == std::vector<TimeControl>{{Mode::increment, {period(40, 90h + 30min + 20s + 500ms)}},
                                                               {Mode::increment, {period(40, 90min + 30s), period(0, 20s + 500ms)}},
                                                               {Mode::increment, {period(40, 90s), period(0, 30min + 20s + 500ms)}}});
  CHECK(proposals("40/90:00:30:00") == std::vector<TimeControl>{{Mode::increment, {period(40, 90min), period(0, 30min)}}});
  CHECK(proposals("40/2:00:30:15") == std::vector<TimeControl>{{Mode::increment, {period(40, 2h + 30s), period(0, 15s)}},
                                                               {Mode::increment, {period(40, 2min), period(0, 30min + 15s)}}});
  CHECK(proposals("15+10:05") == std::vector<TimeControl>{{Mode::increment, {period(0, 15s, 10min + 5s)}}});
  CHECK(proposals("40/2:00:00+1:00:00").empty());  // units throughout
  CHECK(proposals("40/90:30+30s") == std::vector<TimeControl>{{Mode::increment, {period(40, 90min + 30s, 30s)}},
                                                              {Mode::increment, {period(40, 90s), period(0, 30s, 30s)}}});
}

TEST_CASE("Every value that is read is written back to the same value") {
  for (const char* text : {"60", "40/60", "0.5+0.05", "0+5", "inf", "40/5400+30:1800+30", "40/240s:60s", "40/240s:60s+1",
                           "40/5400+30:20/30m:900", "1/1", "300 delay 5", "40/5400s:1800s delay 5", "300 bronstein 0.000000001",
                           "hourglass 60", "move 0.5", "1000000h+1000000h", "40/240:30", "40/10+0.1:30s"}) {
    INFO(text);
    const TimeControl value = read(text);
    INFO(to_text(value));
    CHECK(read(to_text(value)) == value);
  }
  CHECK(to_text(read("40/1:30+1")) == "40/90+1");
  CHECK(to_text(read("90m+30s")) == "5400+30");
  CHECK(to_text(read("40/5400+30:1800+30")) == "40/5400+30:1800+30");
}

TEST_CASE("What could be read two ways is refused, and the message names both spellings") {
  struct Row {
    const char* text;
    std::size_t column;
    const char* minutes;
    const char* periods;
  };
  const Row rows[] = {
      {"40/240:60", 7, "40/241m0s", "40/240s:60s"},
      {"40/240:60+5", 7, "40/241m0s+5", "40/240s:60s+5"},
      {"40/240:5", 7, "40/240m5s", "40/240s:5s"},
      {"40/90:30:20", 6, "40/90m30s:20s", "40/90s:30m20s"},
      {"40/90:30+30s", 6, "40/90m30s+30s", "40/90s:30s+30s"},
      {"40/10+0:05", 8, "40/10+0m05s", "40/10+0s:05s"},
  };
  for (const Row& row : rows) {
    const TimeControlError error = refusal(row.text);
    INFO(describe(error));
    CHECK(error.column == row.column);
    CHECK(error.expected.find(std::string("'") + row.minutes + "'") != std::string::npos);
    CHECK(error.expected.find(std::string("'") + row.periods + "'") != std::string::npos);
    // Both spellings are read, and differently.
    CHECK_FALSE(read(row.minutes) == read(row.periods));
  }
}

TEST_CASE("Errors of time controls point at the character") {
  struct Row {
    const char* text;
    std::size_t column;
    const char* says;
  };
  const Row rows[] = {
      {"", 1, "ends too early"},
      {"   ", 4, "ends too early"},
      {"abc", 1, "unknown word 'abc'"},
      {"infinite", 1, "unknown word"},
      {"inf x", 5, "unexpected 'x'"},
      {"-5", 1, "unexpected '-'"},
      {"5-", 2, "unexpected '-'"},
      {"5,5", 2, "unexpected ','"},
      {"40/", 4, "ends too early"},
      {"40//60", 4, "unexpected '/'"},
      {"/60", 1, "unexpected '/'"},
      {"0/60", 1, "out of range"},
      {"10001/60", 1, "out of range"},
      {"99999999999999999999999/60", 1, "out of range"},
      {"1.5/60", 1, "not a whole number"},
      {"60+", 4, "ends too early"},
      {"60++1", 4, "unexpected '+'"},
      {"60+1+1", 5, "unexpected '+'"},
      {"60+-1", 4, "unexpected '-'"},
      {"60 + 1", 4, "unexpected '+'"},
      {"0", 1, "no time"},
      {"0+0", 1, "no time"},
      {"40/0", 4, "no time"},
      {"5.", 3, "no digit after the point"},
      {".", 1, "no digit"},
      {"1e3", 2, "unknown unit 'e'"},
      {"5min", 2, "unknown unit 'min'"},
      {"1h30", 5, "without its unit"},
      {"30m1h", 5, "out of order"},
      {"1m1m", 4, "out of order"},
      {"5:60", 3, "out of range"},
      {"5:3", 3, "out of range"},
      {"5:", 1, "no number of moves"},
      {"300:120", 1, "no number of moves"},
      {"40/300:120:60", 12, "out of range"},
      {"40/300s:", 9, "ends too early"},
      {"1:30:20/60", 1, "no number of moves"},
      {"40/90:00:20/30:00", 15, "a second minutes:seconds"},
      {"300 delay", 10, "no time after 'delay'"},
      {"300 delay 0", 11, "zero"},
      {"300 delay 5 5", 13, "unexpected '5'"},
      {"300+5 delay 3", 7, "exclude each other"},
      {"0+5 delay 3", 5, "exclude each other"},
      {"300 dealy 5", 5, "unexpected 'd'"},
      {"hourglass", 10, "no time after"},
      {"hourglass 0", 11, "zero"},
      {"move -1", 6, "unexpected '-'"},
      {"move 1:60", 8, "out of range"},
      {"0.0000000001", 1, "finer than a nanosecond"},
      {"1000000h1s", 1, "too long"},
      {"99999999999999999999999999999999999999", 1, "too long"},
      {"3600000000.1", 1, "too long"},
      {"60000000:01", 1, "too long"},
  };
  for (const Row& row : rows) {
    const TimeControlError error = refusal(row.text);
    INFO(row.text << " -> " << describe(error));
    CHECK(error.column == row.column);
    CHECK(error.message.find(row.says) != std::string::npos);
    CHECK_FALSE(error.expected.empty());
  }
  CHECK(refusal(std::string(257, '1')).column == 257);
  CHECK(refusal(std::string("60\0", 3)).column == 3);
  CHECK(refusal("60\xc3\xa4").message == "unexpected '\xc3\xa4'");
}

TEST_CASE("A long text costs linear time") {
  std::string text;
  while (text.size() < 250) text += "1/1s:";
  CHECK(read(text + "1").periods.size() == 51);
}

TEST_CASE("The PGN tag has the standard's forms") {
  // PGN standard 9.6.1; PW-07: no clock, 40 in 240 s, 300 s, 10 s + 0.1 s, 40 in 240 s then 60 s.
  CHECK(to_pgn_tag(read("inf")) == "-");
  CHECK(to_pgn_tag(read("40/240")) == "40/240");
  CHECK(to_pgn_tag(read("300")) == "300");
  CHECK(to_pgn_tag(read("5:00")) == "300");
  CHECK(to_pgn_tag(read("10+0.1")) == "10+0.1");
  CHECK(to_pgn_tag(read("40/240s:60s")) == "40/240:60");
  CHECK(to_pgn_tag(read("hourglass 180")) == "*180");
  CHECK(to_pgn_tag(read("90m+30s")) == "5400+30");
  CHECK(to_pgn_tag(read("300 delay 5")) == "?");
}

TEST_CASE("What would be too long to be read back once it is written with units is refused") {
  std::string text = "1/1";  // 64 periods: 255 characters, and 319 with their units
  for (int i = 1; i < 64; ++i) text += ":1/1";
  REQUIRE(text.size() == 255);
  const auto result = parse_time_control(text);
  REQUIRE(std::holds_alternative<TimeControlError>(result));
  CHECK(std::get<TimeControlError>(result).message.find("too long") != std::string::npos);
}

TEST_CASE("The PGN tag is read back; every colon separates periods") {
  const auto tag = [](const char* text) {
    auto result = parse_pgn_time_control(text);
    INFO(text);
    if (const auto* error = std::get_if<TimeControlError>(&result)) FAIL(describe(*error));
    return std::get<TimeControl>(result);
  };
  CHECK(tag("-") == TimeControl{Mode::infinite, {}});
  CHECK(tag("40/9000") == TimeControl{Mode::increment, {period(40, 9000s)}});
  CHECK(tag("40/240:60") == TimeControl{Mode::increment, {period(40, 240s), period(0, 60s)}});
  CHECK(tag("40/240:30") == TimeControl{Mode::increment, {period(40, 240s), period(0, 30s)}});
  CHECK(tag("4500+60") == TimeControl{Mode::increment, {period(0, 4500s, 60s)}});
  CHECK(tag("*180") == TimeControl{Mode::hourglass, {period(0, 180s)}});
  for (const char* text : {"40/5400+30:1800+30", "0.5+0.05", "40/240:60", "*180", "-", "1/0.5"}) CHECK(to_pgn_tag(tag(text)) == text);

  for (const auto& [text, column] : {std::pair{"?", 1U},
                                     {"", 1U},
                                     {"5:30", 1U},
                                     {"40/", 4U},
                                     {"1h", 2U},
                                     {"300 ", 4U},
                                     {"inf", 1U},
                                     {"*", 2U},
                                     {"*0", 2U},
                                     {"40/60:", 7U},
                                     {"--", 1U}}) {
    const auto result = parse_pgn_time_control(text);
    INFO(text);
    REQUIRE(std::holds_alternative<TimeControlError>(result));
    CHECK(std::get<TimeControlError>(result).column == column);
  }
}

TEST_CASE("Lengths of time outside a time control need their unit") {
  CHECK(std::get<Duration>(parse_duration("20ms")) == 20ms);
  CHECK(std::get<Duration>(parse_duration("2m")) == 2min);
  CHECK(std::get<Duration>(parse_duration("1.5s")) == 1500ms);
  CHECK(std::get<Duration>(parse_duration("0")) == 0s);
  CHECK(std::get<Duration>(parse_duration("0ms")) == 0s);
  for (const char* text : {"20", "", "ms", "20 ms", "-5ms", "5sec", "1:30", "00"}) {
    INFO(text);
    CHECK(std::holds_alternative<TimeControlError>(parse_duration(text)));
  }
  CHECK(duration_text(20ms) == "20ms");
  CHECK(duration_text(90s) == "90s");
  CHECK(duration_text(120s) == "2m");
  CHECK(duration_text(0s) == "0s");
  CHECK(duration_text(1500us) == "0.0015s");
  for (const Duration value : {Duration(1ns), Duration(1ms), Duration(59s), Duration(60min), Duration(1'000'000h)}) {
    CHECK(std::get<Duration>(parse_duration(duration_text(value))) == value);
  }
  CHECK(std::get<Duration>(parse_time("1:30")) == 90s);
  CHECK(std::get<Duration>(parse_time("1h30m")) == 90min);
  CHECK(seconds_text(-30ms) == "-0.03");
  CHECK(seconds_text(Duration::min()) == "-9223372036.854775808");
}
