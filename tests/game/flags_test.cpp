// Flags: who calls them, what a fall means, margins, periods, both flags.
#include <catch2/catch.hpp>

#include "scene.hpp"

namespace referee::game::test {

TEST_CASE("a flag has fallen when the time is used up, by the stamp of the event") {
  Table table;
  table.white_clock = 10s;
  SECTION("at the very instant under the Laws, after it in practice") {
    Scene laws("fide-2023", table);
    laws.move("e2e4", 10s);
    CHECK(laws.reason() == Reason::flag_fall);
    CHECK(laws.clock(white) == 0s);
    Scene practice("engine-practice", table);
    practice.move("e2e4", 10s);
    CHECK(practice.ruled("move_accepted"));
    Scene late("engine-practice", table);
    late.move("e2e4", 10s + 1ns);
    CHECK(late.reason() == Reason::flag_fall);
  }
  SECTION("established by the deadline") {
    Scene scene("fide-2018", table);
    scene.start(white);
    scene.at = 9999ms;
    scene.apply(TimeExpired{white});
    CHECK(scene.ruled("ignored"));
    scene.at = 10s;
    scene.apply(TimeExpired{white});
    CHECK(scene.reason() == Reason::flag_fall);
    CHECK(scene.article() == "6.9");
  }
  SECTION("a stopped clock cannot fall") {
    Scene scene("fide-2018", table);
    scene.at = 100s;
    scene.apply(TimeExpired{white});
    CHECK_FALSE(scene.over());
  }
}

TEST_CASE("the longest times that can be given still end at an instant that can be told") {
  Table table;
  table.white_clock = clock::longest_time;
  GameSetup setup = table.setup();
  setup.margin = {clock::longest_time, clock::longest_time};
  Scene scene(edition("engine-practice"), setup);
  scene.at = clock::longest_time;
  CHECK_FALSE(scene.start(white).size());
  REQUIRE(scene.game.flag_at());
  CHECK(*scene.game.flag_at() > scene.at);
}

TEST_CASE("the margin belongs to editions that know one") {
  Table table;
  table.white_clock = 1s;
  GameSetup setup = table.setup();
  setup.margin = {50ms, 0ms};
  Scene practice(edition("engine-practice"), setup);
  CHECK_FALSE(practice.start(white).size());
  CHECK(practice.game.flag_at() == Duration(1050ms + 1ns));
  practice.at += 1050ms;
  practice.apply(MoveReceived{white, "e2e4"});
  CHECK(practice.ruled("move_accepted"));
  CHECK(practice.clock(white) == -50ms);  // carried on, and seen
  Scene laws(edition("fide-2018"), setup);
  laws.move("e2e4", 1040ms);
  CHECK(laws.reason() == Reason::flag_fall);
}

TEST_CASE("what a fallen flag means") {
  struct Row {
    const char* fen;
    bool drawn;
  };
  // Edge cases FLG-02 to FLG-10 and others of LAWS.md section 18.
  for (const Row& row : {Row{"8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1", true}, Row{"8/8/4k3/4n3/8/3K4/6P1/8 w - - 0 1", false},
                         Row{"8/8/4k3/6n1/8/3K1Q2/8/8 w - - 0 1", true}, Row{"8/8/4k3/6n1/8/3K1R2/8/8 w - - 0 1", false},
                         Row{"8/8/4k3/6b1/8/3K1R2/8/8 w - - 0 1", true}, Row{"8/8/8/8/8/1k6/6q1/R6K w - - 0 1", true}}) {
    for (const char* id : all_editions) {
      Table table;
      table.fen = row.fen;
      Scene scene(id, table);
      scene.start(white);
      scene.at = 700s;
      scene.apply(TimeExpired{white});
      const bool drawn = row.drawn && std::string(id) != "engine-practice";
      INFO(id << " " << row.fen);
      CHECK(scene.result() == (drawn ? "1/2-1/2" : "0-1"));
      CHECK(scene.reason() == (drawn ? Reason::flag_fall_unwinnable : Reason::flag_fall));
      CHECK_FALSE(scene.game.outcome()->undecided);
    }
  }
}

TEST_CASE("settings of the test of winnability") {
  Table table;
  table.fen = "8/8/8/8/8/1k6/6q1/R6K w - - 0 1";  // Kxg2 is forced: only a search sees it
  for (const auto& [test, drawn] : {std::pair{laws::DeadPositionTest::fide, true}, {laws::DeadPositionTest::material, false}}) {
    Scene scene(edition_with("fide-2018", [test = test](laws::Edition& e) { e.timeout_draw = test; }), table);
    scene.start(white);
    scene.at = 700s;
    scene.apply(TimeExpired{white});
    CHECK((scene.result() == "1/2-1/2") == drawn);
  }
  table.fen = "8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1";
  for (const auto& [test, drawn] : {std::pair{laws::DeadPositionTest::material, true}, {laws::DeadPositionTest::off, false}}) {
    Scene scene(edition_with("fide-2018", [test = test](laws::Edition& e) { e.timeout_draw = test; }), table);
    scene.start(white);
    scene.at = 700s;
    scene.apply(TimeExpired{white});
    CHECK((scene.result() == "1/2-1/2") == drawn);
  }
}

TEST_CASE("periods: the moves in time, and what is carried over") {
  GameSetup setup = Table{}.setup();
  setup.initial_clock = {};
  const clock::TimeControl control{clock::Mode::increment, {{2, 10s, {}, {}}, {0, 30s, {}, {}}}};
  setup.time_control = {control, control};
  Scene scene(edition("fide-2018"), setup);
  scene.move("e2e4", 4s);
  scene.move("e7e5", 1s);
  scene.move("g1f3", 5s);
  CHECK(scene.clock(white) == 31s);
  scene.move("b8c6", 9s);
  CHECK(scene.reason() == Reason::flag_fall);
  CHECK(scene.result() == "1-0");
}

TEST_CASE("only the opponent may call the flag (rapid and blitz of 2005)") {
  Table table;
  table.category = laws::Category::rapid;
  table.white_clock = 10s;
  SECTION("the daemon calls it for him") {
    Scene scene("fide-2005", table);
    scene.move("e2e4", 11s);
    CHECK(scene.reason() == Reason::flag_fall);
  }
  const auto rules = edition_with("fide-2005", [](laws::Edition& e) { e.auto_claim = false; });
  SECTION("left to the players, play goes on until somebody does") {
    Scene scene(rules, table);
    scene.start(white);
    scene.at = 11s;
    scene.apply(TimeExpired{white});
    CHECK_FALSE(scene.over());
    scene.apply(MoveReceived{white, "e2e4"});
    CHECK(scene.ruled("move_accepted"));
    CHECK(scene.clock(white) == 0s);
    scene.start(black);
    scene.at = 12s;
    scene.apply(FlagClaimed{black, false, false});
    CHECK(scene.ruled("claim_correct"));
    CHECK(scene.reason() == Reason::flag_fall);
    CHECK(scene.result() == "0-1");
  }
  SECTION("both flags down: a draw (B9)") {
    table.black_clock = 5s;
    Scene scene(rules, table);
    scene.move("e2e4", 11s);
    scene.start(black);
    scene.at += 6s;
    scene.apply(FlagClaimed{white, false, false});
    CHECK(scene.reason() == Reason::both_flags);
    CHECK(scene.result() == "1/2-1/2");
  }
  SECTION("a claim with no flag down") {
    Scene scene(rules, table);
    scene.start(white);
    scene.apply(FlagClaimed{black, false, false});
    CHECK(scene.ruled("claim_inadmissible"));
    CHECK_FALSE(scene.over());
  }
  SECTION("as an observer saw them") {
    Scene scene("fide-2005", table);
    scene.apply(FlagClaimed{black, true, true});
    CHECK(scene.reason() == Reason::both_flags);
    Scene one("fide-2005", table);
    one.apply(FlagClaimed{black, true, false});
    CHECK(one.result() == "0-1");
    Scene paused("fide-2005", table);
    paused.order(OrderKind::pause);
    paused.apply(FlagClaimed{black, true, false});
    CHECK_FALSE(paused.over());
  }
}

TEST_CASE("both flags down, order unknown") {
  const auto setup_with = [](bool last_period, laws::Category category) {
    Table table;
    table.category = category;
    GameSetup setup = table.setup();
    const clock::TimeControl two{clock::Mode::increment, {{40, 600s, {}, {}}, {0, 600s, {}, {}}}};
    if (!last_period) setup.time_control = {two, two};
    return setup;
  };
  for (const char* id : {"fide-2005", "fide-2009", "fide-2018", "fide-2023"}) {
    Scene not_last(edition(id), setup_with(false, laws::Category::standard));
    not_last.apply(BothFlagsDown{});
    CHECK(not_last.ruled("game_continues"));
    Scene last(edition(id), setup_with(true, laws::Category::standard));
    last.apply(BothFlagsDown{});
    CHECK(last.reason() == Reason::both_flags);
    for (const auto category : {laws::Category::rapid, laws::Category::blitz}) {
      Scene quick(edition(id), setup_with(false, category));
      quick.apply(BothFlagsDown{});
      CHECK(quick.reason() == Reason::both_flags);
    }
  }
  SECTION("the order is known, or the edition goes by the first flag") {
    Scene known(edition("fide-2018"), setup_with(true, laws::Category::standard));
    known.start(white);
    known.apply(BothFlagsDown{true});
    CHECK(known.ruled("ignored"));
    known.at = 600s;
    known.apply(BothFlagsDown{true});
    CHECK(known.result() == "0-1");
    Scene practice(edition("engine-practice"), setup_with(true, laws::Category::standard));
    practice.apply(BothFlagsDown{});
    CHECK_FALSE(practice.over());
  }
  SECTION("not while play is stopped") {
    Scene scene(edition("fide-2018"), setup_with(true, laws::Category::standard));
    scene.order(OrderKind::pause);
    scene.apply(BothFlagsDown{});
    CHECK(scene.ruled("ignored"));
  }
}

TEST_CASE("the board has ended the game before the flag") {
  Table table;
  table.white_clock = 1s;
  table.fen = "4k3/7r/8/8/8/8/R7/4K3 b - - 149 120";
  Scene scene("fide-2018", table);
  scene.move("h7g7");
  scene.at += 100s;
  scene.apply(TimeExpired{white});
  CHECK(scene.reason() == Reason::seventyfive);
}

}  // namespace referee::game::test
