// What the machine offers, said of machines that are described here.
#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>

#include "referee/match/control_file.hpp"
#include "referee/match/host.hpp"
#include "referee/match/host_watch.hpp"
#include "referee/match/speed.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using namespace std::chrono_literals;

TEST_CASE("games at once have cores of their own", "[pin]") {
  const std::vector<match::Core> cores{{0, 0, {0, 4}}, {0, 0, {1, 5}}, {0, 0, {2, 6}}, {0, 0, {3, 7}}};
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  CHECK(match::pins_for(file, cores, 2).games.empty());
  file.pin = config::Pinning::automatic;
  const auto two = match::pins_for(file, cores, 2);
  REQUIRE(two.games.size() == 2);
  CHECK(two.notes.empty());
  CHECK(two.games[0].first == std::vector<int>{1});  // core 0 is the referee's
  CHECK(two.games[0].second == std::vector<int>{1});
  CHECK(two.games[1].first == std::vector<int>{2});
  const auto five = match::pins_for(file, cores, 5);
  CHECK(five.games.size() == 4);
  REQUIRE(five.notes.size() == 1);
  CHECK(five.notes[0].find("5 games at once need 5 cores, here are 4") != std::string::npos);
  for (auto& engine : file.engines) engine.ponder = true;
  const auto pondering = match::pins_for(file, cores, 1);
  REQUIRE(pondering.games.size() == 1);
  CHECK(pondering.games[0].first != pondering.games[0].second);
  file.pin = config::Pinning::listed;
  file.cpus = {4, 0, 9};
  const auto listed = match::pins_for(file, cores, 1);  // as told, though both are one core; there is no CPU 9
  REQUIRE(listed.games.size() == 1);
  CHECK(listed.games[0].first == std::vector<int>{4});
  CHECK(listed.games[0].second == std::vector<int>{0});
  CHECK(listed.notes.size() == 1);
}

TEST_CASE("what the kernel counts of waiting for a core", "[host]") {
  CHECK(match::time_contended(
            "some avg10=99.40 avg60=86.50 avg300=52.63 total=25090910336\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n") ==
        25090910336us);
  CHECK_FALSE(match::time_contended("full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"));
  CHECK_FALSE(match::time_contended("some avg10=0.00\nfull total=7"));
  CHECK_FALSE(match::time_contended(""));

  const match::HostDelays before{.samples = 100, .late = 0, .total = 10ms, .watched = 5s, .contended = 2s};
  const auto after = [&](std::chrono::nanoseconds watched, std::chrono::nanoseconds contended) {
    return match::HostDelays{
        .samples = 200, .late = 0, .total = 20ms, .watched = before.watched + watched, .contended = before.contended + contended};
  };
  CHECK_FALSE(match::busy_host(before, after(4s, 900ms)));
  CHECK_FALSE(match::busy_host(before, after(900ms, 900ms)));  // too short to tell
  CHECK_FALSE(match::busy_host(before, before));
  const auto said = match::busy_host(before, after(4s, 2s));
  REQUIRE(said);
  CHECK(said->find("50% of the time something waited") != std::string::npos);
}

TEST_CASE("a busy host is told of, a quiet one is not", "[host]") {
  const match::HostDelays before{.samples = 100, .late = 3, .total = 50ms};
  CHECK_FALSE(match::busy_host(before, {.samples = 110, .late = 13, .total = 500ms}));  // too few to tell
  CHECK_FALSE(match::busy_host(before, {.samples = 200, .late = 5, .total = 100ms}));
  const auto late = match::busy_host(before, {.samples = 200, .late = 23, .total = 120ms});
  REQUIRE(late);
  CHECK(late->find("20% of cases") != std::string::npos);
  CHECK(match::busy_host(before, {.samples = 200, .late = 3, .total = 450ms}));
}

TEST_CASE("the time to stop is today's or tomorrow's, or the one with that date", "[host]") {
  std::tm noon{};
  noon.tm_year = 126;
  noon.tm_mon = 11;
  noon.tm_mday = 24;
  noon.tm_hour = 12;
  noon.tm_isdst = -1;
  const auto now = std::chrono::system_clock::from_time_t(std::mktime(&noon));
  CHECK(match::stop_time("18:30", now) == now + 6h + 30min);
  CHECK(match::stop_time("11:00", now) == now + 23h);
  CHECK(match::stop_time("2026-12-25 12:00", now) == now + 24h);
  CHECK(match::stop_time("2026-12-24T11:00", now) == now - 1h);
  CHECK_FALSE(match::stop_time("2026-02-31 12:00", now));
  CHECK_FALSE(match::stop_time("25:00", now));
}

TEST_CASE("time controls are scaled, period by period", "[scale]") {
  const auto control = std::get<clock::TimeControl>(clock::parse_time_control("40/10+0.1:5+0.05"));
  CHECK(clock::to_text(match::scaled(control, 1.5)) == "40/15+0.15:7.5+0.075");
  CHECK(clock::to_text(match::scaled(control, 0.5)) == "40/5+0.05:2.5+0.025");
  const auto none = std::get<clock::TimeControl>(clock::parse_time_control("inf"));
  CHECK(match::scaled(none, 2) == none);
}

TEST_CASE("copies of one binary are told by content and options", "[scale]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B", "C", "D", "E"});
  file.engines[0].command = folder.write("one", "same bytes");
  file.engines[1].command = folder.write("two", "same bytes");
  file.engines[2].command = folder.write("three", "else bytes");
  file.engines[3].command = file.engines[0].command;
  file.engines[4].command = file.engines[1].command;
  file.engines[4].options = {{"Hash", "64"}};
  CHECK(match::copies_of_one_binary(file) == std::vector<std::vector<std::size_t>>{{0, 1, 3}});
  file.engines[1].command = file.engines[0].command;
  CHECK(match::copies_of_one_binary(file).empty());  // one file is one copy
}

TEST_CASE("orders are read whole, in order, once", "[control]") {
  const test::ScratchFolder folder;
  config::Output path;
  path.folder = folder.path().string();
  config::Output beside = path;
  beside.journal = "other.sqlite";
  match::give_order(beside, "resume");
  CHECK(match::take_orders(path).empty());
  match::give_order(path, "pause");
  match::give_order(path, "concurrency 3");
  match::give_order(path, "stop now");
  const auto orders = match::take_orders(path);
  REQUIRE(orders.size() == 3);
  CHECK(std::holds_alternative<match::PauseOrder>(orders[0]));
  CHECK(std::get<match::ConcurrencyOrder>(orders[1]).games == 3);
  CHECK(std::get<match::StopOrder>(orders[2]).now);
  CHECK(match::take_orders(path).empty());
  const auto of_the_other = match::take_orders(beside);  // another match in the same folder
  REQUIRE(of_the_other.size() == 1);
  CHECK(std::holds_alternative<match::ResumeOrder>(of_the_other[0]));
  CHECK_FALSE(match::parse_order("concurrency 0"));
  CHECK_FALSE(match::parse_order("concurrency 3 4"));
  CHECK_FALSE(match::parse_order("pausing"));
}
