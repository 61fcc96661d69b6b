// What the machine offers, said of machines that are described here.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "config/used_files.hpp"
#include "referee/match/control_file.hpp"
#include "referee/match/host.hpp"
#include "referee/match/host_watch.hpp"
#include "referee/match/speed.hpp"
#include "referee/record/owner_lock.hpp"
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

namespace {

using ControlState = match::ControlAnswer::State;

ControlState order_answer(const config::Output& output, const std::string& sign, match::Patience patience = match::Patience::wait) {
  return match::answer_to(output, sign, patience).state;
}

}  // namespace

TEST_CASE("orders are taken whole, in order, once, and answered", "[control]") {
  const test::ScratchFolder folder;
  config::Output path;
  path.folder = folder.path().string();
  config::Output beside = path;
  beside.journal = "other.sqlite";
  CHECK_FALSE(match::give_order(path, "pause"));  // nobody is there to take it
  {
    const record::OwnerLock lock(folder.file("match.sqlite"));
    const record::OwnerLock lock_beside(folder.file("other.sqlite"));
    match::OrderBox box(path);
    match::OrderBox box_beside(beside);  // of another match in the same folder
    std::vector<match::ControlOrder> orders;
    const auto obey = [&orders](const match::ControlOrder& order) {
      orders.push_back(order);
      return std::optional<std::string>();
    };
    const std::string other = match::give_order(beside, "resume").value();
    box.take(obey);
    CHECK(orders.empty());
    const std::string first = match::give_order(path, "pause").value();
    const std::string second = match::give_order(path, "concurrency 3").value();
    const std::string third = match::give_order(path, "stop now").value();
    CHECK(order_answer(path, second) == ControlState::waiting);
    box.take(obey);
    box.take(obey);
    REQUIRE(orders.size() == 3);
    CHECK(std::holds_alternative<match::PauseOrder>(orders[0]));
    CHECK(std::get<match::ConcurrencyOrder>(orders[1]).games == 3);
    CHECK(std::get<match::StopOrder>(orders[2]).now);
    for (const std::string& sign : {third, first, second}) {
      CHECK(order_answer(path, sign) == ControlState::obeyed);
      CHECK(order_answer(path, sign) == ControlState::gone);  // it was read
    }
    box_beside.take([](const match::ControlOrder&) { return "not today"; });
    const auto refusal = match::answer_to(beside, other, match::Patience::wait);
    CHECK(refusal.state == ControlState::refused);
    CHECK(refusal.why == "not today");
    const std::string late = match::give_order(path, "pause").value();
    CHECK(order_answer(path, late, match::Patience::take_back) == ControlState::waiting);
    box.take(obey);
    CHECK(orders.size() == 3);                                                    // it was taken back
    std::ofstream(config::control_path(path), std::ios::app) << "resume\nfly\n";  // by hand
    box.take(obey);
    REQUIRE(orders.size() == 4);
    CHECK(std::holds_alternative<match::ResumeOrder>(orders[3]));
  }
  CHECK_FALSE(std::filesystem::exists(config::control_path(path)));
  std::string left;
  {
    const match::OrderBox box(path);
    left = match::give_order(path, "pause").value();
  }
  const auto refusal = match::answer_to(path, left, match::Patience::wait);
  CHECK(refusal.state == ControlState::refused);
  CHECK(refusal.why == "the match is over");
  CHECK_FALSE(std::filesystem::exists(config::control_path(path)));
}

TEST_CASE("of orders that many give at once none is lost", "[control]") {
  constexpr int givers = 8;
  constexpr int orders = 25;
  const test::ScratchFolder folder;
  config::Output path;
  path.folder = folder.path().string();
  std::vector<int> taken;
  std::atomic<int> obeyed{0};
  std::atomic<bool> done{false};
  const record::OwnerLock lock(folder.file("match.sqlite"));
  match::OrderBox box(path);
  std::thread match([&] {
    while (!done) {
      box.take([&](const match::ControlOrder& order) {
        taken.push_back(std::get<match::ConcurrencyOrder>(order).games);
        return std::optional<std::string>();
      });
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> threads;
  for (int giver = 0; giver < givers; ++giver) {
    threads.emplace_back([&, giver] {
      for (int i = 1; i <= orders; ++i) {
        const auto sign = match::give_order(path, "concurrency " + std::to_string(giver * orders + i));
        if (!sign) return;
        ControlState state = ControlState::waiting;
        while (state == ControlState::waiting) state = order_answer(path, *sign);
        if (state == ControlState::obeyed) ++obeyed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  done = true;
  match.join();
  CHECK(obeyed == givers * orders);
  std::ranges::sort(taken);
  std::vector<int> all(givers * orders);
  std::iota(all.begin(), all.end(), 1);
  CHECK(taken == all);
}

TEST_CASE("what is no order is told apart", "[control]") {
  CHECK_FALSE(match::parse_order("concurrency 0"));
  CHECK_FALSE(match::parse_order("concurrency 3 4"));
  CHECK_FALSE(match::parse_order("pausing"));
}
