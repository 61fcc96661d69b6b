#include "referee/record/turn_text.hpp"

#include <catch2/catch.hpp>

#include "referee/chess/fen.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;

namespace {

std::string text_of(const std::vector<EventJudged>& events, const std::string& between) {
  std::string text = "[";
  for (const EventJudged& judged : events) {
    if (text.size() > 1) text += between;
    if (!append_turn(text, judged)) append_event(text, judged);
  }
  return text + "]";
}

std::vector<EventJudged> events_of(const std::vector<Fact>& facts) {
  std::vector<EventJudged> events;
  for (const Fact& fact : facts)
    if (const auto* judged = std::get_if<EventJudged>(&fact)) events.push_back(*judged);
  return events;
}

std::string full_text_of(const std::vector<EventJudged>& events) {
  std::string text;
  for (const EventJudged& judged : events) {
    append_event(text, judged);
    text += '\n';
  }
  return text;
}

/// Facts of a game under the rules of `setup`, straight from the judge.
std::vector<EventJudged> judged_moves(const std::string& fen, bool chess960, const std::vector<std::string>& moves) {
  GameStarted start = started(3);
  start.setup.start = chess::parse_fen(fen).position();
  start.setup.chess960 = chess960;
  return events_of(played(start, moves));
}

std::string turn_of(const EventJudged& judged) {
  std::string text;
  return append_turn(text, judged) ? text : "no turn";
}

}  // namespace

TEST_CASE("what is written short is read back whole", "[fact]") {
  std::size_t turns = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<EventJudged> events = events_of(played(started(3), random_moves(seed, 120), seed % 2 == 0));
    // What strays from the usual.
    Chance chance(seed);
    EventJudged& odd = events[chance.below(events.size())];
    switch (seed % 11) {
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
      case 7:
        for (EventJudged& judged : events)
          if (auto* move = std::get_if<game::MoveReceived>(&judged.event.body)) move->notation = game::MoveNotation::xboard;
        break;
      case 8:
        odd.search = SearchReport{};
        break;
      case 9:
        for (EventJudged& judged : events)
          for (game::Ruling& ruling : judged.rulings)
            if (auto* move = std::get_if<game::MoveAccepted>(&ruling.body)) move->note = "tolerated";
        break;
      default:
        if (auto* move = std::get_if<game::MoveReceived>(&odd.event.body)) move->two_hands = true;
        break;
    }
    // On one line the events cannot be told apart without the general reader.
    for (const std::string between : {",\n", ", "}) {
      const std::vector<EventJudged> read = parse_events(text_of(events, between), 3);
      CHECK(full_text_of(read) == full_text_of(events));
      CHECK((!read.empty() && read.front().game == 3 && read.back().game == 3));
    }
    for (const EventJudged& judged : events) {
      ++all;
      if (turn_of(judged) != "no turn") ++turns;
    }
  }
  CHECK(turns > all * 8 / 10);
}

TEST_CASE("the form is the one that is documented", "[fact]") {
  const auto castling = judged_moves("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", false, {"e5d6", "e8c8", "e1g1"});
  CHECK(turn_of(castling[0]) == R"(["w",0])");
  CHECK(turn_of(castling[1]) == R"(["w",123456789,"e5d6 e5d6e","exd6",123456789,59976543211,null])");
  CHECK(turn_of(castling[3]) == R"(["b",246950578,"e8c8 e8a8c","O-O-O",123493789,59976506211,null])");
  CHECK(turn_of(castling[5]).find(R"("e1g1 e1h1c","O-O")") != std::string::npos);
  const auto chess960 = judged_moves("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", true, {"f1g1"});
  CHECK(turn_of(chess960[1]).find(R"("f1g1 f1g1c","O-O+")") != std::string::npos);
  auto promotion = judged_moves("8/P6k/8/8/8/8/7p/K7 w - - 0 1", false, {"a7a8n"});
  promotion[1].search.emplace().centipawns = -12;
  promotion[1].referee_lag = std::chrono::nanoseconds(5);
  CHECK(turn_of(promotion[1]) == R"(["w",123456789,"a7a8n","a8=N",123456789,59976543211,5,null,null,-12])");
  promotion[1].search->pv = "a7a8n h7g7";
  CHECK(turn_of(promotion[1]) ==
        R"(["w",123456789,"a7a8n","a8=N",123456789,59976543211,5,null,null,-12,null,null,null,null,null,"a7a8n h7g7"])");
  for (const auto& games : {castling, chess960, promotion}) {
    for (const EventJudged& judged : games) {
      if (turn_of(judged) == "no turn") continue;
      EventJudged read;
      REQUIRE(read_turn(turn_of(judged), read));
      read.game = judged.game;
      CHECK(full_text_of({read}) == full_text_of({judged}));
      const auto move = [](const EventJudged& event) {
        return event.rulings.empty() ? chess::Move{} : std::get<game::MoveAccepted>(event.rulings[0].body).move;
      };
      CHECK(move(read) == move(judged));
    }
  }
}

TEST_CASE("an event that is more than a turn or a plain move has no short form", "[fact]") {
  const auto events = events_of(played(started(3), {"e2e4", "e7e5"}, true));
  REQUIRE(turn_of(events[1]) != "no turn");
  const auto changed = [&](std::size_t place, const auto& change) {
    EventJudged judged = events[place];
    change(judged);
    return turn_of(judged);
  };
  const auto ruling = [](EventJudged& judged) -> game::MoveAccepted& { return std::get<game::MoveAccepted>(judged.rulings[0].body); };
  CHECK(changed(1, [](EventJudged& e) { e.book = true; }) == "no turn");
  CHECK(changed(1, [](EventJudged& e) { e.rulings[0].article = "3.8"; }) == "no turn");
  CHECK(changed(1, [](EventJudged& e) { e.rulings[0].decision = "other"; }) == "no turn");
  CHECK(changed(1, [](EventJudged& e) { e.rulings.push_back({game::OfferLapsed{chess::Color::black}, "", ""}); }) == "no turn");
  CHECK(changed(1, [](EventJudged& e) { std::get<game::MoveReceived>(e.event.body).text = "E2E4"; }) == "no turn");
  CHECK(changed(1, [](EventJudged& e) { std::get<game::MoveReceived>(e.event.body).notation = game::MoveNotation::san; }) == "no turn");
  CHECK(changed(1, [](EventJudged& e) { e.search->pv = "\t"; }) == "no turn");
  CHECK(changed(1, [&](EventJudged& e) { ruling(e).note = "upper case"; }) == "no turn");
  CHECK(changed(0, [](EventJudged& e) { e.referee_lag = std::chrono::nanoseconds(1); }) == "no turn");
  CHECK(turn_of(events.back()) == "no turn");  // resigns
}

TEST_CASE("a text that is not quite ours is no turn", "[fact]") {
  for (const std::string text : {R"()",
                                 R"([])",
                                 R"(["w"])",
                                 R"(["w",])",
                                 R"(["w",1.5])",
                                 R"(["w",1e3])",
                                 R"(["w","1"])",
                                 R"(["r",1])",
                                 R"(["w",1] )",
                                 R"(["w",1)",
                                 R"(["wx",1])",
                                 R"(["w",99999999999999999999])",
                                 R"(["w",1,"e2e4"])",
                                 R"(["w",1,"e2e9","e4",1,1,null])",
                                 R"(["w",1,"e2","e4",1,1,null])",
                                 R"(["w",1,"e7e8k","e8",1,1,null])",
                                 R"(["w",1,"e1g1 e1h1","O-O",1,1,null])",
                                 R"(["w",1,"e2e4","e4",null,1,null])",
                                 R"(["w",1,"e2e4","e4",1,1])",
                                 R"(["w",1,"e2e4","e4",1,1,null,])",
                                 R"(["w",1,"e2e4","e4",1,1,null,1,1,1,1,-1])",
                                 R"(["w",1,"e2e4","e4",1,1,null,1,1,1,1,1,1,1,1,"\u0041"])",
                                 R"(["w",1,"e2e4","e4",1,1,null,1,1,1,1,1,1,1,1,"","more"])"}) {
    INFO(text);
    EventJudged out;
    CHECK_FALSE(read_turn(text, out));
    CHECK_THROWS_AS(parse_events("[" + text + ",{}]", 1), FactError);
  }
  EventJudged judged;
  CHECK(read_turn(R"(["b",1500])", judged));
  CHECK(judged.event.at == std::chrono::nanoseconds(1500));
  CHECK(parse_events(R"([{"at_ms":1e3,"event":"turn_started","side":"white"}])", 1)[0].event.at == std::chrono::seconds(1));
  CHECK(parse_events("[]", 1).empty());
  CHECK_THROWS_AS(parse_events("[{]", 1), FactError);
}
