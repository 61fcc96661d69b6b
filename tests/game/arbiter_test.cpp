// What the arbiter decides: quickplay finish, increments, times, penalties, results, interruptions, irregularities.
#include <catch2/catch.hpp>

#include "scene.hpp"

namespace referee::game::test {

namespace {

Table rook_ending(Duration white_clock = 60s, Duration black_clock = 30s) {
  Table table;
  table.fen = "8/8/4k3/4r3/8/3K1R2/8/8 w - - 10 60";
  table.white_clock = white_clock;
  table.black_clock = black_clock;
  return table;
}

Scene quickplay(const std::string& id, const Table& table = rook_ending()) {
  GameSetup setup = table.setup();
  setup.guidelines_iii = true;
  Scene scene(edition(id), setup);
  scene.start(white);
  scene.apply(QuickplayClaimed{white});
  return scene;
}

constexpr const char* with_quickplay[] = {"fide-2005", "fide-2009", "fide-2014", "fide-2017", "fide-2018", "fide-2023"};

}  // namespace

TEST_CASE("a quickplay claim goes to the arbiter") {
  for (const char* id : with_quickplay) {
    Scene scene = quickplay(id);
    CHECK(scene.game.phase() == Phase::awaiting_arbiter);
    CHECK(scene.said<AwaitingArbiter>() != nullptr);
    CHECK_FALSE(scene.game.running());

    SECTION("accepted") {
      scene.order(OrderKind::accept);
      CHECK(scene.reason() == Reason::quickplay_draw);
    }
    SECTION("rejected: the opponent gets two minutes") {
      scene.order(OrderKind::reject);
      CHECK(scene.ruled("quickplay_rejected"));
      CHECK(scene.clock(white) == 60s);
      CHECK(scene.clock(black) == 150s);
      CHECK(scene.game.phase() == Phase::playing);
      scene.move("f3f8");
      CHECK(scene.ruled("move_accepted"));
    }
    SECTION("the opponent may accept the draw it offers") {
      scene.apply(DrawAccepted{black});
      CHECK(scene.reason() == Reason::agreement);
    }
    SECTION("nothing moves meanwhile") {
      scene.apply(MoveReceived{white, "f3f8"});
      CHECK(scene.ruled("ignored"));
      scene.start(white);
      CHECK(scene.ruled("ignored"));
    }
  }
}

TEST_CASE("a postponed claim") {
  ArbiterOrder postpone{OrderKind::postpone, std::nullopt, {}, 0, 0, {}, true, "arbiter", "let us see"};
  SECTION("with time, a flag, and the draw") {
    Scene scene = quickplay("fide-2005");
    scene.order(postpone);
    CHECK(scene.clock(black) == 150s);
    scene.start(white);
    scene.at += 60s;
    scene.apply(TimeExpired{white});
    CHECK(scene.game.phase() == Phase::awaiting_arbiter);
    CHECK_FALSE(scene.over());
    scene.order(OrderKind::postpone);
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order(OrderKind::accept);
    CHECK(scene.reason() == Reason::quickplay_draw);
  }
  SECTION("a flag, and no draw") {
    Scene scene = quickplay("fide-2005");
    scene.order(postpone);
    scene.move("f3f8", 60s);  // too late: does not count
    CHECK(scene.game.moves().empty());
    CHECK(scene.game.phase() == Phase::awaiting_arbiter);
    scene.order(OrderKind::reject);
    CHECK(scene.reason() == Reason::flag_fall);
    CHECK(scene.result() == "0-1");
  }
  SECTION("decided while play goes on; time is not given twice") {
    Scene scene = quickplay("fide-2005");
    scene.order(postpone);
    scene.move("f3f8");
    scene.order(OrderKind::reject);
    CHECK(scene.ruled("quickplay_rejected"));
    CHECK(scene.clock(black) == 150s);
    scene.start(black);
    scene.at += 200s;
    scene.apply(TimeExpired{black});
    CHECK(scene.reason() == Reason::flag_fall);
  }
  SECTION("without time, rejected later: the opponent gets it then") {
    Scene scene = quickplay("fide-2005");
    scene.order(OrderKind::postpone);
    CHECK(scene.ruled("quickplay_postponed"));
    CHECK(scene.clock(black) == 30s);
    scene.move("f3f8");
    scene.order(OrderKind::postpone);
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.start(black);
    scene.apply(QuickplayClaimed{black});
    CHECK(scene.ruled("claim_inadmissible"));  // one is being considered
    scene.order(OrderKind::reject);
    CHECK(scene.clock(black) == 150s);
  }
  SECTION("a time of the arbiter's own, and the draw during play") {
    Scene scene = quickplay("fide-2005");
    scene.order(OrderKind::postpone, std::nullopt, 45s);
    CHECK(scene.clock(black) == 75s);
    scene.order(OrderKind::accept);
    CHECK(scene.reason() == Reason::quickplay_draw);
  }
}

TEST_CASE("quickplay claims that are not admissible") {
  SECTION("two minutes are not less than two minutes") {
    Scene scene = quickplay("fide-2018", rook_ending(120s, 300s));
    CHECK(scene.ruled("claim_inadmissible"));
    CHECK(scene.clock(white) == 120s);
    CHECK(scene.clock(black) == 300s);
    CHECK(quickplay("fide-2018", rook_ending(120s - 1ns)).game.phase() == Phase::awaiting_arbiter);
  }
  SECTION("not having the move") {
    Scene scene("fide-2005", rook_ending());
    scene.start(white);
    scene.apply(QuickplayClaimed{black});
    CHECK(scene.ruled("claim_inadmissible"));
    CHECK(scene.game.running() == white);
  }
  SECTION("in blitz") {
    Table table = rook_ending();
    table.category = laws::Category::blitz;
    CHECK(quickplay("fide-2005", table).ruled("claim_inadmissible"));
    table.category = laws::Category::rapid;
    CHECK_FALSE(quickplay("fide-2005", table).ruled("claim_inadmissible"));
  }
  SECTION("with an increment") {
    Table table = rook_ending();
    table.increment = 1s;
    CHECK(quickplay("fide-2005", table).ruled("claim_inadmissible"));
  }
  SECTION("before the last period") {
    GameSetup setup = rook_ending().setup();
    setup.time_control[0] = {clock::Mode::increment, {{40, 60s, {}, {}}, {0, 60s, {}, {}}}};
    Scene scene(edition("fide-2005"), setup);
    scene.start(white);
    scene.apply(QuickplayClaimed{white});
    CHECK(scene.ruled("claim_inadmissible"));
  }
  SECTION("guidelines that were not announced; the Laws of 2005 need no announcement") {
    for (const auto& [id, admissible] : {std::pair{"fide-2018", false}, {"fide-2005", true}}) {
      Scene scene(id, rook_ending());
      scene.start(white);
      scene.apply(QuickplayClaimed{white});
      CHECK(scene.ruled("claim_inadmissible") != admissible);
    }
  }
  SECTION("in practice, or without a clock, or while play is stopped") {
    CHECK(quickplay("engine-practice").ruled("claim_inadmissible"));
    GameSetup setup = rook_ending().setup();
    setup.time_control = {};
    setup.initial_clock = {};
    Scene untimed(edition("fide-2005"), setup);
    untimed.start(white);
    untimed.apply(QuickplayClaimed{white});
    CHECK(untimed.ruled("claim_inadmissible"));
    Scene paused("fide-2005", rook_ending());
    paused.order(OrderKind::pause);
    paused.apply(QuickplayClaimed{white});
    CHECK(paused.ruled("claim_inadmissible"));
    paused.apply(IncrementRequested{white});
    CHECK(paused.ruled("claim_inadmissible"));
  }
}

TEST_CASE("a request for an increment (Guidelines III.4)") {
  const auto request = [](const std::string& id, Color side = white) {
    GameSetup setup = rook_ending().setup();
    setup.guidelines_iii = true;
    Scene scene(edition(id), setup);
    scene.start(white);
    scene.apply(IncrementRequested{side});
    return scene;
  };
  for (const char* id : {"fide-2014", "fide-2018", "fide-2023"}) {
    Scene granted = request(id);
    CHECK(granted.game.phase() == Phase::awaiting_arbiter);
    CHECK(granted.game.draw_offer() == white);
    granted.order(OrderKind::grant_increment);
    CHECK(granted.ruled("increment_introduced"));
    CHECK(granted.game.clocks()[white].increment() == 5s);
    CHECK(granted.game.clocks()[black].increment() == 5s);
    CHECK(granted.clock(white) == 60s);
    CHECK(granted.clock(black) == 150s);
    granted.move("f3f8", 2s);
    CHECK(granted.clock(white) == 63s);
  }
  Scene rejected = request("fide-2018");
  rejected.order(OrderKind::postpone);
  CHECK(rejected.said<OrderRefused>() != nullptr);
  rejected.order(OrderKind::reject);
  CHECK(rejected.clock(black) == 30s);
  CHECK(rejected.game.phase() == Phase::playing);
  Scene drawn = request("fide-2018");
  drawn.apply(DrawAccepted{black});
  CHECK(drawn.reason() == Reason::agreement);
  CHECK(request("fide-2005").ruled("claim_inadmissible"));
  CHECK(request("fide-2018", black).ruled("claim_inadmissible"));
  Scene announced("fide-2018", rook_ending());
  announced.start(white);
  announced.apply(IncrementRequested{white});
  CHECK(announced.ruled("claim_inadmissible"));
}

TEST_CASE("answers to nobody are refused") {
  Scene scene("fide-2018", {});
  for (const auto kind : {OrderKind::accept, OrderKind::reject, OrderKind::postpone, OrderKind::grant_increment}) {
    scene.order(kind);
    CHECK(scene.said<OrderRefused>() != nullptr);
  }
}

TEST_CASE("times set by the arbiter") {
  Scene scene("fide-2018", {});
  scene.start(white);
  scene.at = 100s;
  SECTION("on a running clock, which runs on") {
    scene.order(OrderKind::add_time, white, 30s);
    CHECK(scene.clock(white) == 530s);
    CHECK(scene.game.running() == white);
    scene.at = 110s;
    scene.apply(MoveReceived{white, "e2e4"});
    CHECK(scene.clock(white) == 520s);
    CHECK(scene.said<MoveAccepted>()->used == 110s);
  }
  SECTION("set is what the display shows from now on") {
    scene.order(OrderKind::set_clock, white, 50s);
    CHECK(scene.game.flag_at() == Duration(150s));
    scene.order(OrderKind::set_clock, black, 70s);
    CHECK(scene.clock(black) == 70s);
  }
  SECTION("taking all of it is a fallen flag, not a clock below zero") {
    scene.order(OrderKind::take_time, black, 700s);
    CHECK(scene.clock(black) == 0s);
    scene.order(OrderKind::take_time, white, 700s);
    CHECK(scene.clock(white) == 0s);
    CHECK(scene.reason() == Reason::flag_fall);
  }
  SECTION("orders that say too little") {
    scene.order(OrderKind::add_time, std::nullopt, 30s);
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order(OrderKind::add_time, white, -30s);
    CHECK(scene.said<OrderRefused>() != nullptr);
    GameSetup untimed;
    Scene none(edition("fide-2018"), untimed);
    none.order(OrderKind::set_clock, white, 30s);
    CHECK(none.said<OrderRefused>() != nullptr);
  }
}

TEST_CASE("penalties and results by order") {
  for (const char* id : all_editions) {
    Scene lost(id, {});
    lost.order(OrderKind::declare_lost, white);
    CHECK(lost.result() == "0-1");
    CHECK(lost.reason() == Reason::declared_lost);
    Scene expelled(id, {});
    expelled.order(OrderKind::expel, black);
    CHECK(expelled.result() == "1-0");
    CHECK(expelled.reason() == Reason::expelled);
    Scene both(id, {});
    both.order(OrderKind::declare_both_lost);
    CHECK(both.result() == "0-0");
    CHECK(both.reason() == Reason::both_lost);
  }
  SECTION("lost, with the opponent's score set (12.8)") {
    Scene scene("fide-2005", {});
    scene.order({OrderKind::declare_lost, white, {}, 0, 50, {}, true, "arbiter", "refused to comply"});
    CHECK(scene.result() == "0-1/2");
    CHECK(scene.article() == "12.8");
  }
  SECTION("scores no game has") {
    Scene scene("fide-2023", {});
    scene.order({OrderKind::declare_lost, white, {}, 0, 150, {}, true, "arbiter", "why"});
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order({OrderKind::override_result, std::nullopt, {}, 100, 50, {}, false, "arbiter", "why"});
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order({OrderKind::override_result, std::nullopt, {}, 30, 30, {}, false, "arbiter", "why"});
    CHECK(scene.said<OrderRefused>() != nullptr);
    Scene before("fide-2005", {});
    before.order({OrderKind::override_result, std::nullopt, {}, 75, 50, {}, false, "arbiter", "why"});
    CHECK(before.result() == "0.75-1/2");
  }
  SECTION("which player?") {
    Scene scene("fide-2005", {});
    scene.order(OrderKind::declare_lost);
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order({OrderKind::reduce_score, std::nullopt, {}, 50, 0, {}, false, "arbiter", "why"});
    CHECK(scene.said<OrderRefused>() != nullptr);
  }
  SECTION("a warning") {
    Scene scene("fide-2005", {});
    scene.order(OrderKind::warn, white, {}, "noise");
    REQUIRE(scene.said<Warned>() != nullptr);
    CHECK(scene.said<Warned>()->text == "noise");
    CHECK(scene.last.front().article == "13.4");
    scene.order(OrderKind::warn);
    CHECK(scene.said<Warned>()->text == "seen");
  }
}

TEST_CASE("scores reduced, raised and overridden") {
  SECTION("after the game") {
    Scene scene("fide-2018", {});
    scene.apply(Resigned{black});
    scene.order({OrderKind::reduce_score, white, {}, 50, 0, {}, false, "arbiter", "telephone"});
    CHECK(scene.result() == "1/2-0");
    CHECK(scene.reason() == Reason::score_adjusted);
    CHECK_THAT(scene.game.outcome()->detail, Catch::Contains("1-0 (resignation)"));
    scene.order({OrderKind::reduce_score, white, {}, 100, 0, {}, false, "arbiter", "no"});
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order({OrderKind::raise_score, black, {}, 0, 50, {}, false, "arbiter", "yes"});
    CHECK(scene.result() == "1/2-1/2");
    scene.order({OrderKind::raise_score, black, {}, 0, 0, {}, false, "arbiter", "no"});
    CHECK(scene.said<OrderRefused>() != nullptr);
  }
  SECTION("while it is played there are none, and it does not end with such a penalty (13.4)") {
    for (const OrderKind kind : {OrderKind::raise_score, OrderKind::reduce_score}) {
      Scene scene("fide-2018", {});
      scene.order({kind, black, {}, 0, 100, {}, false, "arbiter", "why"});
      CHECK(scene.said<OrderRefused>() != nullptr);
      CHECK(scene.last.front().article == "12.9");
      CHECK_FALSE(scene.over());
    }
  }
  SECTION("an override needs a reason and keeps the old value") {
    Scene scene("fide-2018", {});
    scene.apply(Resigned{black});
    scene.order({OrderKind::override_result, std::nullopt, {}, 50, 50, {}, false, "arbiter", ""});
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order({OrderKind::override_result, std::nullopt, {}, 50, 50, {}, false, "arbiter", "signed wrongly"});
    CHECK(scene.reason() == Reason::result_overridden);
    CHECK(scene.article() == "8.7");
    CHECK_THAT(scene.game.outcome()->detail, Catch::Contains("signed wrongly") && Catch::Contains("1-0 (resignation)"));
  }
  SECTION("annulled, also after the end") {
    Scene scene("fide-2018", {});
    scene.apply(Resigned{black});
    scene.order(OrderKind::annul_and_replay);
    CHECK(scene.result() == "*");
    CHECK(scene.reason() == Reason::annulled_replay);
    CHECK(scene.game.outcome()->annulled);
  }
}

TEST_CASE("a position declared dead") {
  Scene alive("fide-2018", {});
  alive.order(OrderKind::declare_dead);
  CHECK(alive.said<OrderRefused>() != nullptr);
  Scene none(edition_with("fide-2018", [](laws::Edition& e) { e.dead_position = laws::DeadPositionTest::off; }), Table{});
  none.order(OrderKind::declare_dead);
  CHECK(none.said<OrderRefused>() != nullptr);
  // Practice does not see the wall by itself; the operator does.
  Table table;
  table.fen = "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1";
  Scene wall(edition_with("engine-practice", [](laws::Edition& e) { e.timeout_draw = laws::DeadPositionTest::fide; }), table);
  REQUIRE_FALSE(wall.over());
  wall.order(OrderKind::declare_dead);
  CHECK(wall.reason() == Reason::dead_position);
}

TEST_CASE("interruptions") {
  Scene scene("fide-2018", {});
  scene.start(white);
  scene.at = 10s;
  scene.order(OrderKind::pause);
  CHECK(scene.game.phase() == Phase::paused);
  CHECK(scene.said<Paused>() != nullptr);
  CHECK(scene.clock(white) == 590s);
  scene.at = 1000s;
  scene.start(white);
  CHECK(scene.ruled("ignored"));
  scene.order(OrderKind::pause);
  CHECK(scene.said<OrderRefused>() != nullptr);
  SECTION("resumed") {
    scene.order(OrderKind::resume);
    CHECK(scene.said<Resumed>() != nullptr);
    scene.order(OrderKind::resume);
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.move("e2e4", 5s);
    CHECK(scene.clock(white) == 585s);
    CHECK(scene.said<MoveAccepted>()->used == 15s);
  }
  SECTION("a move that was on its way costs no more time") {
    scene.apply(MoveReceived{white, "e2e4"});
    CHECK(scene.ruled("move_accepted"));
    CHECK(scene.clock(white) == 590s);
    CHECK(scene.game.phase() == Phase::paused);
  }
  SECTION("a player may resign, the tablebase is not asked") {
    scene.apply(TablebaseReported{100, 0});
    CHECK(scene.ruled("ignored"));
    scene.apply(Resigned{white});
    CHECK(scene.result() == "0-1");
  }
}

TEST_CASE("irregular starts") {
  const auto after_moves = [](const std::string& id, int moves, laws::Category category, OrderKind kind,
                              laws::Supervision supervision = laws::Supervision::adequate) {
    Table table;
    const std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 " + std::to_string(moves + 1);
    table.fen = fen;
    table.category = category;
    table.supervision = supervision;
    Scene scene(id, table);
    scene.order(kind);
    return scene;
  };
  using laws::Category;
  const auto reversed = OrderKind::report_colours_reversed;
  // LAWS.md section 15: play on until 2014; since 2017 a new game below ten moves.
  for (const char* id : {"fide-2005", "fide-2009", "fide-2014"})
    CHECK(after_moves(id, 5, Category::standard, reversed).ruled("game_continues"));
  for (const char* id : {"fide-2017", "fide-2018", "fide-2023"}) {
    const Scene early = after_moves(id, 9, Category::standard, reversed);
    CHECK(early.reason() == Reason::replay_correct_colours);
    CHECK(early.game.outcome()->annulled);
    CHECK(after_moves(id, 10, Category::standard, reversed).ruled("game_continues"));
  }
  const auto wrong = OrderKind::report_wrong_start;
  CHECK(after_moves("fide-2005", 50, Category::standard, wrong).reason() == Reason::annulled_replay);
  CHECK(after_moves("fide-2005", 2, Category::rapid, wrong).reason() == Reason::annulled_replay);
  CHECK(after_moves("fide-2005", 3, Category::rapid, wrong).ruled("game_continues"));
  const auto inadequate = laws::Supervision::inadequate;
  CHECK(after_moves("fide-2018", 9, Category::blitz, wrong, inadequate).reason() == Reason::annulled_replay);
  CHECK(after_moves("fide-2018", 10, Category::blitz, wrong, inadequate).ruled("game_continues"));
  // Under adequate supervision the competition rules are in force (A.3, B.2): 7.2.1 knows no such limit.
  CHECK(after_moves("fide-2018", 10, Category::blitz, wrong).reason() == Reason::annulled_replay);
}

TEST_CASE("names of orders") {
  for (int i = 0; i <= static_cast<int>(OrderKind::report_wrong_start); ++i) {
    const auto kind = static_cast<OrderKind>(i);
    CHECK_FALSE(name(kind).empty());
    CHECK(parse_order_kind(name(kind)) == kind);
  }
  CHECK_FALSE(parse_order_kind("applaud"));
}

}  // namespace referee::game::test
