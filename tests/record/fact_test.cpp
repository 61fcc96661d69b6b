#include <catch2/catch.hpp>
#include <limits>

#include "referee/chess/fen.hpp"
#include "referee/record/fact.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;
using chess::Color;

namespace {

std::string json(const Fact& fact) {
  std::string text;
  append_json(text, fact);
  return text;
}

EventJudged event(game::EventBody body, game::Duration at = 1500000ns) {
  EventJudged judged;
  judged.game = 7;
  judged.event = {at, std::move(body)};
  return judged;
}

EventJudged ruled(game::RulingBody body) {
  EventJudged judged = event(game::DrawDeclined{Color::black});
  judged.rulings.push_back({std::move(body), "9.1", "game_continues"});
  return judged;
}

template <class Event>
Event event_back(const Event& body) {
  const Fact read = parse_fact(json(event(body)));
  return std::get<Event>(std::get<EventJudged>(read).event.body);
}

template <class Ruling>
Ruling ruling_back(const Ruling& body) {
  const Fact read = parse_fact(json(ruled(body)));
  const auto& rulings = std::get<EventJudged>(read).rulings;
  REQUIRE(rulings.size() == 1);
  CHECK(rulings[0].article == "9.1");
  CHECK(rulings[0].decision == "game_continues");
  return std::get<Ruling>(rulings[0].body);
}

}  // namespace

TEST_CASE("a move and its ruling have the documented form") {
  EventJudged judged = event(game::MoveReceived{Color::white, "e2e4"}, 2000000000ns);
  game::MoveAccepted accepted{
      Color::white, chess::Move::plain(*chess::parse_square("e2"), *chess::parse_square("e4")), "e2e4", "e4", 2ms, 58000000001ns, {}};
  judged.rulings.push_back({accepted, {}, "move_accepted"});
  CHECK(
      json(judged) ==
      R"({"fact":"event","game":7,"at_ms":2000,"event":"move_received","side":"white","text":"e2e4","rulings":[{"ruling":"move_accepted",)"
      R"("side":"white","uci":"e2e4","san":"e4","used_ms":2,"remaining_ms":58000.000001,"decision":"move_accepted"}]})");
}

TEST_CASE("durations come back to the nanosecond") {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> values{0,
                                   1,
                                   -1,
                                   999999,
                                   1000000,
                                   1000001,
                                   -1500000,
                                   (std::int64_t{1} << 48) - 1,
                                   std::int64_t{1} << 48,
                                   (std::int64_t{1} << 53) + 1,
                                   largest - 1,
                                   largest,
                                   std::numeric_limits<std::int64_t>::min()};
  Chance chance(1);
  for (int i = 0; i < 2000; ++i) values.push_back(static_cast<std::int64_t>(chance.next() >> (1 + chance.below(62))));
  for (const std::int64_t ns : values) {
    const Fact read = parse_fact(json(event(game::TurnStarted{Color::black}, game::Duration(ns))));
    CHECK(std::get<EventJudged>(read).event.at.count() == ns);
  }
}

TEST_CASE("text of an engine comes back byte for byte, and the JSON is valid UTF-8 whatever it is") {
  const std::string all_bytes = [] {
    std::string text;
    for (int c = 0; c < 256; ++c) text += static_cast<char>(c);
    return text;
  }();
  const std::vector<std::string> texts{"",
                                       "plain",
                                       "quote \" backslash \\ tab \t",
                                       "\xE2\x99\x98g1f3",
                                       "\xC3",
                                       "\xC3(",
                                       "\xED\xA0\x80",
                                       "\xF0\x9F\x98\x80",
                                       "\xEF\x9E\x80 private use",
                                       "\xEF\x9F\xBF",
                                       "\xEF\x9C\x80",
                                       all_bytes,
                                       all_bytes + all_bytes};
  for (const std::string& text : texts) {
    const std::string written = json(event(game::MoveReceived{Color::white, text}));
    CHECK(std::get<game::MoveReceived>(std::get<EventJudged>(parse_fact(written)).event.body).text == text);
    CHECK(written.find('\n') == std::string::npos);
  }
  Chance chance(2);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (std::size_t length = chance.below(20); length > 0; --length)
      text += static_cast<char>(chance.below(4) == 0 ? chance.below(128) : 0x80 + chance.below(128));
    CHECK(event_back(game::IllegalMoveClaimed{Color::black, text}).text == text);
  }
}

TEST_CASE("every event comes back") {
  CHECK(event_back(game::TurnStarted{Color::black}).side == Color::black);
  const auto move = event_back(game::MoveReceived{Color::black, "Nf3", game::MoveNotation::san});
  CHECK((move.side == Color::black && move.text == "Nf3" && move.notation == game::MoveNotation::san));
  CHECK(event_back(game::MoveReceived{Color::white, "e7e8q", game::MoveNotation::xboard}).notation == game::MoveNotation::xboard);
  CHECK(event_back(game::TimeExpired{Color::white}).side == Color::white);
  CHECK(event_back(game::DrawOffered{Color::black}).side == Color::black);
  CHECK(event_back(game::DrawAccepted{Color::black}).side == Color::black);
  CHECK(event_back(game::DrawDeclined{Color::black}).side == Color::black);
  const auto claim = event_back(game::DrawClaimed{Color::black, game::ClaimRule::fifty, "Kb1", game::MoveNotation::san});
  CHECK((claim.rule == game::ClaimRule::fifty && claim.intended_move == "Kb1" && claim.notation == game::MoveNotation::san));
  const auto flag = event_back(game::FlagClaimed{Color::white, true, false});
  CHECK((flag.claimant == Color::white && flag.white_flag_down && !flag.black_flag_down));
  CHECK(event_back(game::BothFlagsDown{true}).first_known);
  CHECK(event_back(game::QuickplayClaimed{Color::black}).side == Color::black);
  CHECK(event_back(game::IncrementRequested{Color::black}).side == Color::black);
  CHECK(event_back(game::Resigned{Color::black}).side == Color::black);
  const auto result = event_back(game::ResultClaimed{Color::black, 50, 50, "1/2-1/2 {draw}"});
  CHECK((result.white_score == 50 && result.black_score == 50 && result.text == "1/2-1/2 {draw}"));
  CHECK(event_back(game::PlayerArrived{Color::black, 90s}).late == 90s);
  CHECK(event_back(game::PlayerReady{Color::black}).side == Color::black);
  const auto late = event_back(game::PlayerLate{Color::black, 10s, true});
  CHECK((late.late == 10s && late.both));
  const auto failed = event_back(game::EngineFailed{Color::white, game::FailureKind::disconnect, "exit 0"});
  CHECK((failed.kind == game::FailureKind::disconnect && failed.detail == "exit 0"));
  const auto evaluation = event_back(game::EvaluationReported{Color::white, -120, std::nullopt});
  CHECK((evaluation.centipawns == -120 && !evaluation.mate));
  CHECK(event_back(game::EvaluationReported{Color::white, std::nullopt, -3}).mate == -3);
  CHECK(event_back(game::TablebaseReported{100, 0}).white_score == 100);
  const auto verdict = event_back(game::WinnabilityVerdict{31, Color::black, game::Verdict::cannot_mate, 18446744073709551615U});
  CHECK((verdict.ply == 31 && verdict.side == Color::black && verdict.verdict == game::Verdict::cannot_mate &&
         verdict.nodes == 18446744073709551615U));
  game::ArbiterOrder order{game::OrderKind::reduce_score, Color::white, 5s, 50, 25, "text", true, "Ann", "noise"};
  const auto ordered = event_back(order);
  CHECK((ordered.kind == order.kind && ordered.side == order.side && ordered.time == order.time && ordered.white_score == 50 &&
         ordered.black_score == 25 && ordered.text == "text" && ordered.flag && ordered.who == "Ann" && ordered.why == "noise"));
  CHECK(event_back(game::Aborted{"stop"}).why == "stop");
}

TEST_CASE("every ruling comes back") {
  const auto e1 = *chess::parse_square("e1"), h1 = *chess::parse_square("h1"), e5 = *chess::parse_square("e5"),
             d6 = *chess::parse_square("d6"), e7 = *chess::parse_square("e7"), e8 = *chess::parse_square("e8");
  const std::vector<std::pair<chess::Move, std::string>> moves{{chess::Move::plain(e7, e8), "e7e8"},
                                                               {chess::Move::castling(e1, h1), "e1g1"},
                                                               {chess::Move::castling(e1, h1), "e1h1"},
                                                               {chess::Move::en_passant(e5, d6), "e5d6"},
                                                               {chess::Move::promotion(e7, e8, chess::Role::knight), "e7e8n"},
                                                               {chess::Move::promotion(e7, e8, chess::Role::queen), "e7e8q"}};
  for (const auto& [move, uci] : moves) {
    const auto back = ruling_back(game::MoveAccepted{Color::white, move, uci, "san", 5ns, game::Duration::max(), "upper case"});
    CHECK(back.move == move);
    CHECK(back.uci == uci);
    CHECK((back.san == "san" && back.used == 5ns && back.remaining == game::Duration::max() && back.note == "upper case"));
  }
  game::MoveRejected rejected{Color::black, "e9e4", game::IllegalKind::not_the_touched_piece, 2, 2min, true, {}};
  for (const auto& entry : moves) rejected.replacements.push_back(entry.first);
  const auto rejection = ruling_back(rejected);
  CHECK((rejection.text == "e9e4" && rejection.kind == rejected.kind && rejection.count == 2 && rejection.opponent_bonus == 2min &&
         rejection.queen_placed));
  CHECK(rejection.replacements == rejected.replacements);
  const auto clocks = ruling_back(game::ClocksChanged{1ns, -2ns, Color::black});
  CHECK((clocks.white == 1ns && clocks.black == -2ns && clocks.running == Color::black));
  CHECK(ruling_back(game::ClaimUpheld{Color::black}).side == Color::black);
  const auto claim = ruling_back(game::ClaimRejected{Color::black, 3min, 90s, "Kb1"});
  CHECK((claim.opponent_bonus == 3min && claim.claimant_deduction == 90s && claim.must_play == "Kb1"));
  CHECK(ruling_back(game::ClaimInadmissible{Color::black, true}).counts_as_offer);
  CHECK(ruling_back(game::OfferPending{Color::black}).side == Color::black);
  CHECK(ruling_back(game::OfferLapsed{Color::black}).side == Color::black);
  CHECK(ruling_back(game::OfferRefused{Color::black}).side == Color::black);
  const auto warned = ruling_back(game::Warned{std::nullopt, "both"});
  CHECK((!warned.side && warned.text == "both"));
  const auto waiting = ruling_back(game::AwaitingArbiter{Color::black, "draw?"});
  CHECK((waiting.claimant == Color::black && waiting.question == "draw?"));
  CHECK(ruling_back(game::Adjourned{Color::black}).sealer == Color::black);
  static_cast<void>(ruling_back(game::Resumed{}));
  static_cast<void>(ruling_back(game::Paused{}));
  CHECK(ruling_back(game::Ignored{"over"}).why == "over");
  CHECK(ruling_back(game::OrderRefused{"no"}).why == "no");
  game::Outcome outcome{{50, 0}, game::Reason::score_adjusted, "12.9", "one side only", true, true};
  CHECK(ruling_back(game::GameOver{outcome}).outcome == outcome);
}

TEST_CASE("a set-up comes back whole") {
  GameStarted start = started(12, 3);
  start.opening = "Najdorf \"6.Bg5\"";
  start.setup.start = chess::parse_fen("nrk1bqrb/pppppppp/8/8/8/8/PPPPPPPP/NRK1BQRB w GBgb - 3 17").position();
  start.setup.chess960 = true;
  start.setup.opening_moves = {"e2e4", "c7c5"};
  clock::TimeControl odds;
  odds.mode = clock::Mode::bronstein;
  odds.periods = {{40, 2h, 0s, 5s}, {0, 30min, 0s, 1ns}};
  start.setup.time_control[1] = odds;
  start.setup.margin = {1ms, 2ms};
  start.setup.initial_clock = {5s, std::nullopt};
  start.setup.illegal_moves = {1, 0};
  start.setup.category = laws::Category::blitz;
  start.setup.supervision = laws::Supervision::inadequate;
  start.setup.event_default_time = 0s;
  start.setup.guidelines_iii = true;
  start.setup.agreement_forbidden = true;
  start.setup.agreement_min_moves = 30;
  start.setup.adjudication.draw = game::Adjudication::DrawRule{40, 8, 10, true};
  start.setup.adjudication.resign = game::Adjudication::ResignRule{4, 600, true};
  start.setup.adjudication.max_moves = 200;
  start.setup.adjudication.trusted_mates = true;
  start.setup.verdict_nodes = 4'000'001;
  start.date = "2026.12.??";
  const auto back = std::get<GameStarted>(parse_fact(json(start)));
  CHECK(back.setup == start.setup);
  CHECK((back.game == 12 && back.attempt == 3 && back.at == start.at && back.white == "Anand" && back.black == "Bronstein" &&
         back.round == 6 && back.pair == 6 && back.opening == start.opening && back.event == "Test" && back.site == "Here" &&
         back.date == "2026.12.??" && back.edition == "test"));
}

TEST_CASE("a game of before the date of an event was recorded has none, and is written as it was") {
  const std::string of_before = json(started(1));
  CHECK(of_before.find("date") == std::string::npos);
  CHECK(std::get<GameStarted>(parse_fact(of_before)).date.empty());
}

TEST_CASE("what decides rulings is written though it is the default: defaults change from version to version") {
  CHECK(json(started(1)).find("\"verdict_nodes\":" + std::to_string(game::GameSetup{}.verdict_nodes)) != std::string::npos);
}

TEST_CASE("facts outside games come back") {
  const auto match = std::get<MatchStarted>(parse_fact(json(MatchStarted{wall(5), "abc", true})));
  CHECK((match.at == wall(5) && match.plan_digest == "abc" && match.resumed));
  const auto warning = std::get<EngineWarning>(parse_fact(json(EngineWarning{3, 9, "E", "pv", "illegal move", "info pv \xFF"})));
  CHECK((warning.game == 3 && warning.ply == 9 && warning.engine == "E" && warning.kind == "pv" && warning.text == "illegal move" &&
         warning.line == "info pv \xFF"));
  const auto fault = std::get<EngineFault>(parse_fact(json(EngineFault{3, "E", game::Reason::stall, "silent", "line\nline"})));
  CHECK((fault.game == 3 && fault.reason == game::Reason::stall && fault.detail == "silent" && fault.log == "line\nline"));
  GameEnded ended{4, wall(9), {game::black_wins, game::Reason::flag_fall, "6.9", "late", false, false}, 77, 123456789ns, false};
  const auto end = std::get<GameEnded>(parse_fact(json(ended)));
  CHECK((end.game == 4 && end.at == wall(9) && end.outcome == ended.outcome && end.plies == 77 && end.duration == 123456789ns &&
         !end.counted));
  CHECK(std::get<GameVoided>(parse_fact(json(GameVoided{4, "withdrawn"}))).why == "withdrawn");
  CHECK(std::get<EngineWithdrawn>(parse_fact(json(EngineWithdrawn{"E", "5 faults"}))).engine == "E");
  const auto gift = std::get<PointsGiven>(parse_fact(json(PointsGiven{3, "E", 200, 2, "bye"})));
  CHECK((gift.round == 3 && gift.engine == "E" && gift.points == 200 && gift.games == 2 && gift.why == "bye"));
  CHECK(std::get<ChangeAccepted>(parse_fact(json(ChangeAccepted{"net"}))).what == "net");
  CHECK(std::get<MatchPaused>(parse_fact(json(MatchPaused{wall(1), "SIGINT"}))).why == "SIGINT");
  CHECK_FALSE(std::get<MatchFinished>(parse_fact(json(MatchFinished{wall(1), false}))).complete);
}

TEST_CASE("a search report and the referee's lag come back") {
  EventJudged judged = event(game::MoveReceived{Color::white, "e2e4"});
  SearchReport search;
  search.depth = 20;
  search.selective_depth = 31;
  search.mate = -4;
  search.nodes = 12345678901U;
  search.nodes_per_second = 1000000U;
  search.tablebase_hits = 0U;
  search.time = 1234567ns;
  search.pv = "e2e4 e7e5";
  judged.search = search;
  judged.referee_lag = 15000ns;
  const auto back = std::get<EventJudged>(parse_fact(json(judged)));
  REQUIRE(back.search);
  CHECK((back.search->depth == 20 && back.search->selective_depth == 31 && !back.search->centipawns && back.search->mate == -4));
  CHECK((back.search->nodes == 12345678901U && back.search->nodes_per_second == 1000000U && back.search->tablebase_hits == 0U));
  CHECK((back.search->time == 1234567ns && back.search->pv == "e2e4 e7e5" && back.referee_lag == 15000ns));
}

TEST_CASE("whole judged games survive the way out and back, as text and as events applied again") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<Fact> facts = played(started(1), random_moves(seed, 120), true);
    game::Game again(std::get<GameStarted>(facts[0]).setup, plain_edition());
    for (const Fact& fact : facts) {
      const std::string text = json(fact);
      const Fact read = parse_fact(text);
      REQUIRE(json(read) == text);
      if (const auto* judged = std::get_if<EventJudged>(&read)) {
        EventJudged replayed = *judged;
        replayed.rulings = again.apply(judged->event);
        REQUIRE(json(replayed) == text);
      }
    }
  }
}

TEST_CASE("times of day are UTC with milliseconds") {
  std::string text;
  append_time(text, WallTime(1582934399999ms));  // date -u -d @1582934399
  CHECK(text == "2020-02-28T23:59:59.999Z");
  CHECK(parse_time("2020-02-29T00:00:00.000Z") == WallTime(1582934400000ms));
  CHECK_THROWS_AS(parse_time("2021-02-29T00:00:00.000Z"), FactError);
  CHECK_THROWS_AS(parse_time("2020-02-29 00:00:00.000Z"), FactError);
}

TEST_CASE("what is no fact is refused with the key at fault") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(parse_fact("{"), Contains("not JSON"));
  CHECK_THROWS_WITH(parse_fact("[]"), Contains("object"));
  CHECK_THROWS_WITH(parse_fact(R"({"fact":"weather"})"), Contains("\"fact\""));
  CHECK_THROWS_WITH(parse_fact(R"({"fact":"event","game":"one"})"), Contains("\"game\""));
  CHECK_THROWS_WITH(parse_fact(R"({"fact":"event","game":1,"at_ms":1,"event":"move_received","side":"green"})"), Contains("\"side\""));
  CHECK_THROWS_WITH(parse_fact(R"({"fact":"event","game":1,"at_ms":1e300,"event":"turn_started","side":"white"})"), Contains("\"at_ms\""));
  CHECK_THROWS_WITH(
      parse_fact(R"({"fact":"game_ended","game":1,"at":"2020-02-29T00:00:00.000Z","outcome":{"white_score":1,"reason":"bored"}})"),
      Contains("\"reason\""));
}
