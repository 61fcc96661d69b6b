#include "referee/record/event_scan.hpp"

#include <catch2/catch.hpp>

#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;

namespace {

std::string text_of(const std::vector<EventJudged>& events, const std::string& between) {
  std::string text = "[";
  for (const EventJudged& judged : events) {
    if (text.size() > 1) text += between;
    append_event(text, judged);
  }
  return text + "]";
}

std::vector<EventJudged> events_of(const std::vector<Fact>& facts) {
  std::vector<EventJudged> events;
  for (const Fact& fact : facts)
    if (const auto* judged = std::get_if<EventJudged>(&fact)) events.push_back(*judged);
  return events;
}

}  // namespace

TEST_CASE("events read line by line are what the general reader reads", "[fact]") {
  std::size_t scanned = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<EventJudged> events = events_of(played(started(3), random_moves(seed, 120), seed % 2 == 0));
    // What strays from the usual.
    Chance chance(seed);
    EventJudged& odd = events[chance.below(events.size())];
    switch (seed % 8) {
      case 0:
        odd.referee_lag = std::chrono::nanoseconds(123456);
        break;
      case 1:
        odd.book = true;
        break;
      case 2:
        odd.search = SearchReport{};
        odd.search->pv = "e2e4 \"quoted\" \\ \xC3\xA9 \n";
        break;
      case 3:
        odd.search = SearchReport{};
        odd.search->mate = -3;
        odd.search->time = std::chrono::hours(200);
        odd.search->tablebase_hits = UINT64_MAX;
        break;
      case 4:
        if (!odd.rulings.empty()) odd.rulings[0].article = "9.2";
        break;
      case 5:
        odd.event.at = std::chrono::hours(24 * 30);
        break;
      case 6:
        for (EventJudged& judged : events)
          for (game::Ruling& ruling : judged.rulings)
            if (auto* move = std::get_if<game::MoveAccepted>(&ruling.body)) move->remaining = game::Duration::max();
        break;
      default:
        break;
    }
    const std::string lines = text_of(events, ",\n");
    // On one line the events cannot be told apart without the general reader.
    const std::string whole = text_of(events, ", ");
    CHECK(text_of(parse_events(lines, 3), ",\n") == lines);
    CHECK(text_of(parse_events(whole, 3), ",\n") == lines);
    for (const EventJudged& judged : events) {
      std::string text;
      append_event(text, judged);
      EventJudged read;
      ++all;
      if (scan_event(text, read)) ++scanned;
    }
  }
  CHECK(scanned > all * 9 / 10);
}

TEST_CASE("a text that is not quite ours is left to the general reader", "[fact]") {
  EventJudged judged;
  for (const std::string text :
       {"", "{}", R"({"at_ms":1,"event":"turn_started","side":"white"} )", R"({"at_ms":1e3,"event":"turn_started","side":"white"})",
        R"({"at_ms":1.1234567,"event":"turn_started","side":"white"})", R"({"at_ms":"1","event":"turn_started","side":"white"})",
        R"({"at_ms":1,"event":"turn_started","side":"red"})", R"({"at_ms":1,"event":"turn_started","side":"white","new":1})",
        R"({"at_ms":1,"event":"move_received","side":"white","text":"e2e4"})"}) {
    INFO(text);
    EventJudged out;
    CHECK_FALSE(scan_event(text, out));
  }
  CHECK(scan_event(R"({"at_ms":1.5,"event":"turn_started","side":"black"})", judged));
  CHECK(judged.event.at == std::chrono::microseconds(1500));
  // The general reader knows the others that are well formed.
  CHECK(parse_events(R"([{"at_ms":1e3,"event":"turn_started","side":"white"}])", 1)[0].event.at == std::chrono::seconds(1));
  CHECK(parse_events("[]", 1).empty());
  CHECK_THROWS_AS(parse_events("[{]", 1), FactError);
}
