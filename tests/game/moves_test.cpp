// Ordinary moves: the order of evaluation, endings on the board, openings, clocks between turn and answer.
#include <catch2/catch.hpp>

#include "scene.hpp"

namespace referee::game::test {

namespace {
const std::vector<std::string> knights_out_and_back{"g1f3", "g8f6", "f3g1", "f6g8"};

std::vector<std::string> repeated(const std::vector<std::string>& cycle, int times) {
  std::vector<std::string> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), cycle.begin(), cycle.end());
  return all;
}
}  // namespace

TEST_CASE("a game of engine practice from the first go to mate") {
  Table table;
  table.increment = 2s;
  Scene scene("engine-practice", table);
  scene.move("f2f3", 1500ms);
  const auto* accepted = scene.said<MoveAccepted>();
  REQUIRE(accepted != nullptr);
  CHECK(accepted->uci == "f2f3");
  CHECK(accepted->san == "f3");
  CHECK(accepted->used == 1500ms);
  CHECK(accepted->remaining == 600s - 1500ms + 2s);
  CHECK(scene.ruled("move_accepted"));
  CHECK_FALSE(scene.game.running());
  scene.moves({"e7e5", "g2g4"});
  CHECK(scene.game.moves().size() == 3);
  scene.move("d8h4");
  CHECK(scene.result() == "0-1");
  CHECK(scene.reason() == Reason::checkmate);
  CHECK(scene.game.phase() == Phase::over);
  CHECK(scene.game.moves().back().san == "Qh4#");
  CHECK(scene.said<GameOver>() != nullptr);
}

TEST_CASE("a clock runs only between the turn and the answer") {
  Scene scene("fide-2023", {});
  scene.start(white);
  CHECK(scene.game.running() == white);
  CHECK(scene.game.running_since() == 0s);
  CHECK(scene.game.flag_at() == Duration(600s));
  scene.at = 10s;
  scene.apply(MoveReceived{white, "e2e4"});
  CHECK(scene.clock(white) == 590s);
  CHECK_FALSE(scene.game.flag_at());
  scene.at = 400s;  // the referee's own delay is nobody's time
  scene.start(black);
  CHECK(scene.game.flag_at() == Duration(1000s));
  scene.at = 401s;
  scene.apply(MoveReceived{black, "e7e5"});
  CHECK(scene.clock(black) == 599s);

  SECTION("a turn is started once, by the side that has it") {
    scene.start(black);
    CHECK(scene.ruled("ignored"));
    CHECK_FALSE(scene.game.running());
    scene.start(white);
    scene.at = 402s;
    scene.start(white);
    CHECK(scene.ruled("ignored"));
    CHECK(scene.game.running_since() == 401s);
  }
  SECTION("time does not run backwards") {
    scene.start(white);
    scene.at = 300s;
    scene.apply(MoveReceived{white, "g1f3"});
    CHECK(scene.clock(white) == 590s);
  }
}

TEST_CASE("a move out of turn is not taken notice of") {
  Scene scene("fide-2023", {});
  scene.start(white);
  scene.apply(MoveReceived{black, "e7e5"});
  CHECK(scene.ruled("out_of_turn"));
  CHECK(scene.said<Warned>() != nullptr);
  CHECK(scene.game.illegal_moves(black) == 0);
  CHECK(scene.game.moves().empty());
  CHECK(scene.game.running() == white);
}

TEST_CASE("each notation is read by its own reader") {
  Scene scene("engine-practice", {});
  scene.move("Nf3", 1s, MoveNotation::san);
  scene.move("Nf6", 1s, MoveNotation::xboard);
  scene.move("g2g3", 1s, MoveNotation::xboard);
  CHECK(scene.game.moves().size() == 3);
  CHECK(scene.game.moves()[1].uci == "g8f6");
}

TEST_CASE("Chess960 castling is written as king takes rook") {
  Table table;
  table.fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  GameSetup setup = table.setup();
  setup.chess960 = true;
  Scene scene(edition("engine-practice"), setup);
  scene.move("e1h1");
  CHECK(scene.game.moves().back().uci == "e1h1");
  CHECK(scene.game.moves().back().san == "O-O");
}

TEST_CASE("stalemate and dead positions end the game at once") {
  SECTION("stalemate") {
    Table table;
    table.fen = "7k/8/8/6Q1/8/8/8/K7 w - - 0 1";
    for (const char* id : all_editions) {
      Scene scene(id, table);
      scene.move("g5g6");
      CHECK(scene.reason() == Reason::stalemate);
      CHECK(scene.result() == "1/2-1/2");
    }
  }
  SECTION("a wall of pawns is dead under the Laws, and only there") {
    Table table;
    table.fen = "8/8/4k3/p1p1p1p1/2P1P1P1/P3K3/8/8 w - - 0 1";
    for (const char* id : all_editions) {
      Scene scene(id, table);
      scene.move("a3a4");
      CHECK(scene.over() == (scene.game.edition().dead_position == laws::DeadPositionTest::fide));
    }
  }
  SECTION("bare material ends it in practice too") {
    Table table;
    table.fen = "8/8/4k3/4p3/8/3K1N2/8/8 w - - 0 1";
    Scene practice("engine-practice", table);
    practice.move("f3e5");
    CHECK(practice.reason() == Reason::insufficient_material);
    Scene laws("fide-2018", table);
    laws.move("f3e5");
    CHECK(laws.reason() == Reason::dead_position);
    CHECK(laws.article() == "5.2.2");
  }
  SECTION("where the edition has no such rule, play goes on") {
    Table table;
    table.fen = "8/8/4k3/4p3/8/3K1N2/8/8 w - - 0 1";
    Scene scene(edition_with("engine-practice", [](laws::Edition& e) { e.dead_position = laws::DeadPositionTest::off; }), table);
    scene.move("f3e5");
    CHECK_FALSE(scene.over());
  }
}

TEST_CASE("automatic repetition") {
  SECTION("three times in practice") {
    Table table;
    table.moves = repeated(knights_out_and_back, 1);
    Scene scene("engine-practice", table);
    scene.moves({"g1f3", "g8f6", "f3g1"});
    CHECK_FALSE(scene.over());
    scene.move("f6g8");
    CHECK(scene.reason() == Reason::threefold_auto);
  }
  SECTION("five times from 2014 on, never before") {
    for (const char* id : fide_editions) {
      Table table;
      table.moves = repeated(knights_out_and_back, 3);
      Scene scene(id, table);
      scene.moves({"g1f3", "g8f6", "f3g1"});
      CHECK_FALSE(scene.over());
      CHECK(scene.game.occurrences() == 4);
      scene.move("f6g8");
      CHECK(scene.game.occurrences() == 5);
      CHECK(scene.over() == scene.game.edition().repetition_automatic.has_value());
      if (scene.over()) CHECK(scene.reason() == Reason::fivefold);
    }
  }
  SECTION("in a row in 2014, at any time from 2017 on") {
    // Between the second and the third occurrence the players walk another way round.
    Table table;
    table.moves = repeated(knights_out_and_back, 1);
    for (const char* move : {"b1c3", "b8c6", "c3b1", "c6b8"}) table.moves.emplace_back(move);
    table.moves.insert(table.moves.end(), {"g1f3", "g8f6", "f3d4", "f6d5", "d4f3", "d5f6", "f3g1", "f6g8"});
    table.moves.insert(table.moves.end(), knights_out_and_back.begin(), knights_out_and_back.end());
    Scene consecutive("fide-2014", table);
    CHECK(consecutive.game.occurrences() == 5);
    CHECK_FALSE(consecutive.over());
    Scene any("fide-2017", table);
    CHECK(any.reason() == Reason::fivefold);
  }
}

TEST_CASE("the automatic move counts") {
  Table table;
  table.fen = "4k3/7r/8/8/8/8/R7/4K3 b - - 98 120";
  SECTION("fifty in practice") {
    Scene scene("engine-practice", table);
    scene.move("h7g7");
    CHECK_FALSE(scene.over());
    scene.move("a2b2");
    CHECK(scene.reason() == Reason::fifty_auto);
  }
  SECTION("seventy-five from 2014 on") {
    table.fen = "4k3/7r/8/8/8/8/R7/4K3 b - - 149 120";
    for (const char* id : fide_editions) {
      Scene scene(id, table);
      scene.move("h7g7");
      CHECK(scene.over() == scene.game.edition().no_progress_automatic_moves.has_value());
      if (scene.over()) CHECK(scene.reason() == Reason::seventyfive);
    }
  }
  SECTION("mate goes before the count") {
    table.fen = "6k1/8/6K1/8/8/8/8/R7 w - - 149 120";
    Scene scene("fide-2023", table);
    scene.move("a1a8");
    CHECK(scene.reason() == Reason::checkmate);
  }
}

TEST_CASE("the opening is judged before anybody is asked") {
  SECTION("it may be over") {
    Table table;
    table.moves = {"f2f3", "e7e5", "g2g4", "d8h4", "a2a3"};
    Scene scene("engine-practice", table);
    CHECK(scene.reason() == Reason::checkmate);
    CHECK(scene.game.moves().size() == 4);
    CHECK(scene.game.opening_plies() == 4);
    scene.start(white);
    CHECK(scene.ruled("ignored"));
  }
  SECTION("it may repeat") {
    Table table;
    table.moves = repeated(knights_out_and_back, 2);
    Scene scene("engine-practice", table);
    CHECK(scene.reason() == Reason::threefold_auto);
  }
  SECTION("the set-up position itself may be dead") {
    Table table;
    table.fen = "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
    CHECK(Scene("fide-2005", table).reason() == Reason::dead_position);
    CHECK(Scene("engine-practice", table).reason() == Reason::insufficient_material);
  }
  SECTION("an opening move that is not legal is the caller's mistake") {
    Table table;
    table.moves = {"e2e5"};
    CHECK_THROWS_WITH(Scene("engine-practice", table), Catch::Contains("e2e5"));
  }
}

TEST_CASE("after the end nothing changes") {
  Table table;
  table.moves = {"f2f3", "e7e5", "g2g4", "d8h4"};
  Scene scene("fide-2023", table);
  const Game before = scene.game;
  const Outcome outcome = *scene.game.outcome();
  for (const EventBody& body :
       {EventBody{MoveReceived{white, "a2a3"}}, EventBody{TimeExpired{white}}, EventBody{Resigned{black}}, EventBody{DrawOffered{white}},
        EventBody{DrawClaimed{white, ClaimRule::threefold, {}}}, EventBody{EngineFailed{black, FailureKind::crash, {}}},
        EventBody{Aborted{"stop"}}, EventBody{EvaluationReported{white, 10, std::nullopt}}, EventBody{TablebaseReported{100, 0}}}) {
    scene.apply(body);
    REQUIRE(scene.last.size() == 1);
    CHECK(scene.said<Ignored>() != nullptr);
    CHECK(*scene.game.outcome() == outcome);
  }
  scene.order(OrderKind::add_time, white, 60s);
  CHECK(scene.said<OrderRefused>() != nullptr);
  CHECK(scene.game == before);
}

TEST_CASE("time that has run in a turn is not granted again") {
  SECTION("simple delay") {
    Table table;
    GameSetup setup = table.setup();
    setup.initial_clock = {};
    setup.time_control = {clock::TimeControl{clock::Mode::delay, {{0, 60s, {}, 5s}}},
                          clock::TimeControl{clock::Mode::delay, {{0, 60s, {}, 5s}}}};
    Scene scene(edition("fide-2005"), setup);
    scene.move("e2e5", 3s);  // illegal: inside the delay
    CHECK(scene.clock(white) == 60s);
    scene.start(white);
    CHECK(scene.game.flag_at() == Duration(3s + 62s));  // two seconds of delay are left
    scene.at += 4s;
    scene.apply(MoveReceived{white, "e2e4"});
    CHECK(scene.clock(white) == 58s);
  }
  SECTION("Bronstein") {
    Table table;
    GameSetup setup = table.setup();
    setup.initial_clock = {};
    const clock::TimeControl control{clock::Mode::bronstein, {{0, 60s, {}, 5s}}};
    setup.time_control = {control, control};
    Scene scene(edition("fide-2005"), setup);
    scene.start(white);
    scene.at += 4s;
    scene.order(OrderKind::pause);
    CHECK(scene.clock(white) == 56s);
    scene.order(OrderKind::resume);
    scene.move("e2e4", 4s);
    CHECK(scene.clock(white) == 57s);  // 8 s used, 5 s given back
  }
  SECTION("hourglass") {
    Table table;
    GameSetup setup = table.setup();
    setup.initial_clock = {};
    const clock::TimeControl control{clock::Mode::hourglass, {{0, 60s, {}, {}}}};
    setup.time_control = {control, control};
    Scene scene(edition("engine-practice"), setup);
    scene.move("e2e4", 7s);
    CHECK(scene.clock(white) == 53s);
    CHECK(scene.clock(black) == 67s);
    scene.start(black);
    scene.at += 2s;
    scene.order(OrderKind::pause);
    CHECK(scene.clock(white) == 55s);
    CHECK(scene.clock(black) == 65s);
  }
}

TEST_CASE("who need not record (8.4)") {
  Table table;
  table.white_clock = 301s;
  Scene scene("fide-2009", table);
  CHECK_FALSE(scene.game.recording_exempt(white));
  scene.move("e2e4", 2s);
  CHECK(scene.game.recording_exempt(white));
  scene.order(OrderKind::add_time, white, 60s);
  CHECK(scene.game.recording_exempt(white));  // for the rest of the period
  CHECK_FALSE(scene.game.recording_exempt(black));
  table.increment = 30s;
  CHECK_FALSE(Scene("fide-2009", Table{"startpos", {}, 100s, 100s, 30s}).game.recording_exempt(white));
}

}  // namespace referee::game::test
