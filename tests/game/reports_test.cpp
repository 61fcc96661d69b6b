// Arrival, failures, adjudication by the host, late verdicts.
#include <catch2/catch.hpp>
#include <functional>

#include "scene.hpp"

namespace referee::game::test {

TEST_CASE("late arrival (6.7)") {
  const auto arrive = [](const char* id, Color side, Duration late, std::optional<Duration> event = std::nullopt) {
    GameSetup setup = Table{}.setup();
    setup.event_default_time = event;
    Scene scene(edition(id), setup);
    scene.apply(PlayerArrived{side, late});
    return scene;
  };
  CHECK(arrive("fide-2005", black, 3600s).ruled("may_play"));
  CHECK(arrive("fide-2005", black, 3600s + 1ms).reason() == Reason::default_time);
  CHECK(arrive("fide-2005", black, 3600s + 1ms).result() == "1-0");
  for (const char* id : {"fide-2009", "fide-2017", "fide-2018", "fide-2023"}) {
    CHECK(arrive(id, black, 1s).reason() == Reason::default_time);
    CHECK(arrive(id, black, 0s).ruled("may_play"));
    CHECK(arrive(id, black, 900s, 1800s).ruled("may_play"));
    CHECK(arrive(id, black, 1801s, 1800s).result() == "1-0");
  }
  CHECK(arrive("fide-2014", black, 86400s).ruled("may_play"));  // the event must say, and has not
  CHECK(arrive("engine-practice", white, 35s).ruled("may_play"));
  CHECK(arrive("engine-practice", white, 36s).reason() == Reason::start_timeout);

  SECTION("White's clock has run since the appointed time, Black's has not (6.5, 6.6)") {
    CHECK(arrive("fide-2005", white, 300s).clock(white) == 300s);
    CHECK(arrive("fide-2005", black, 300s).clock(black) == 600s);
    CHECK(arrive("fide-2005", white, 600s).reason() == Reason::flag_fall);
    CHECK(arrive("engine-practice", white, 30s).clock(white) == 600s);
  }
  SECTION("waived by the arbiter, where the edition lets him") {
    for (const auto& [id, may] : {std::pair{"fide-2018", true}, {"fide-2009", false}}) {
      Scene scene(id, {});
      scene.order(OrderKind::waive_lateness);
      CHECK((scene.said<OrderRefused>() == nullptr) == may);
      scene.apply(PlayerArrived{black, 60s});
      CHECK(scene.over() != may);
    }
    Scene one("fide-2018", {});
    one.order(OrderKind::waive_lateness, black);
    one.apply(PlayerLate{black});
    CHECK(one.ruled("ignored"));
    one.apply(PlayerLate{white});
    CHECK(one.result() == "0-1");
  }
  SECTION("not there at all") {
    Scene scene("fide-2018", {});
    scene.apply(PlayerReady{white});
    CHECK(scene.last.empty());
    scene.apply(PlayerLate{black, 1s});
    CHECK(scene.result() == "1-0");
    Scene both("fide-2018", {});
    both.apply(PlayerLate{white, 1s, true});
    CHECK(both.result() == "0-0");
    CHECK(both.reason() == Reason::default_time);
    Scene waived("fide-2018", {});
    waived.order(OrderKind::waive_lateness);
    waived.apply(PlayerLate{white, 1s, true});
    CHECK_FALSE(waived.over());
  }
}

TEST_CASE("an engine that fails loses") {
  for (const auto& [kind, reason] : {std::pair{FailureKind::crash, Reason::crash},
                                     {FailureKind::disconnect, Reason::disconnect},
                                     {FailureKind::stall, Reason::stall},
                                     {FailureKind::protocol_error, Reason::protocol_error}}) {
    Scene scene("engine-practice", {});
    scene.start(white);
    scene.apply(EngineFailed{white, kind, "signal 11"});
    CHECK(scene.reason() == reason);
    CHECK(scene.result() == "0-1");
    CHECK_THAT(scene.game.outcome()->detail, Catch::Contains("signal 11"));
  }
}

TEST_CASE("a game stopped by the match has no result") {
  Scene scene("engine-practice", {});
  scene.apply(Aborted{"stopped"});
  CHECK(scene.result() == "*");
  CHECK(scene.reason() == Reason::aborted);
  CHECK(pgn_result(*scene.game.outcome()) == "*");
}

TEST_CASE("the tablebase") {
  Scene scene("engine-practice", {});
  scene.apply(TablebaseReported{0, 100});
  CHECK(scene.reason() == Reason::adjudication_tablebase);
  CHECK(scene.result() == "0-1");
}

namespace {

/// Kings walk about without repeating; both sides report the same score. Returns after which move the game ended ("34w", "37b"), or "".
std::string adjudicated(Adjudication rules, int from, int to, const std::function<std::optional<int>(int, Color)>& score,
                        const std::function<std::string(int, Color)>& special = {}) {
  Table table;
  // Kings, rooks and pawns that may move: plenty of quiet moves.
  const std::string fen = "r3k3/p7/8/8/8/8/P7/R3K3 w - - 0 " + std::to_string(from);
  table.fen = fen;
  GameSetup setup = table.setup();
  setup.adjudication = rules;
  Scene scene(edition_with("engine-practice",
                           [](laws::Edition& e) {
                             e.repetition_automatic.reset();
                             e.no_progress_automatic_moves.reset();
                           }),
              setup);
  for (int number = from; number <= to; ++number) {
    for (const Color side : {white, black}) {
      std::string text = special ? special(number, side) : "";
      if (text.empty()) {
        const bool home = scene.game.position().king(side) == *chess::parse_square(side == white ? "e1" : "e8");
        text = side == white ? (home ? "e1e2" : "e2e1") : (home ? "e8e7" : "e7e8");
      }
      if (const auto centipawns = score(number, side)) scene.apply(EvaluationReported{side, *centipawns, std::nullopt});
      scene.move(text);
      if (scene.over())
        return std::to_string(number) + (side == white ? "w" : "b") + " " + std::string(code(scene.reason())) + " " + scene.result();
    }
  }
  return "";
}

}  // namespace

TEST_CASE("draws by score: cases AD-03 and AD-05") {
  Adjudication rules;
  rules.draw = Adjudication::DrawRule{34, 8, 20, false};
  const auto level = [](int, Color) { return std::optional(20); };
  CHECK(adjudicated(rules, 30, 60, level) == "37b adjudication_draw 1/2-1/2");
  rules.draw->reset_on_zeroing = true;
  CHECK(adjudicated(rules, 30, 60, level, [](int number, Color side) { return number == 36 && side == black ? "a7a6" : ""; }) ==
        "44b adjudication_draw 1/2-1/2");
  // The set-up's fifty-move counter is irrelevant; the window of AD-05 is ten half-moves from move 35 on.
  rules.draw = Adjudication::DrawRule{35, 5, 15, true};
  const auto small = [](int, Color) { return std::optional(-15); };
  CHECK(adjudicated(rules, 33, 60, small) == "37b adjudication_draw 1/2-1/2");
  CHECK(adjudicated(rules, 33, 60, small, [](int number, Color side) { return number == 36 && side == white ? "a2a3" : ""; }) ==
        "41w adjudication_draw 1/2-1/2");
  SECTION("the move number has been made by both sides") {
    rules.draw = Adjudication::DrawRule{34, 3, 20, false};
    CHECK(adjudicated(rules, 28, 60, level) == "34b adjudication_draw 1/2-1/2");
  }
  SECTION("a score outside, or none at all, ends the run") {
    rules.draw = Adjudication::DrawRule{1, 3, 10, false};
    CHECK(adjudicated(rules, 1, 8, [](int number, Color side) { return std::optional(number == 3 && side == black ? 11 : 10); }) ==
          "6b adjudication_draw 1/2-1/2");
    CHECK(adjudicated(rules, 1, 8, [](int number, Color side) -> std::optional<int> {
            if (number == 3 && side == black) return std::nullopt;
            return -10;
          }) == "6b adjudication_draw 1/2-1/2");
  }
}

TEST_CASE("wins by score") {
  Adjudication rules;
  rules.resign = Adjudication::ResignRule{3, 600, false};
  SECTION("one side's own word is enough") {
    CHECK(adjudicated(rules, 1, 10, [](int, Color side) { return std::optional(side == white ? -600 : 0); }) == "3w adjudication_win 0-1");
    CHECK(adjudicated(rules, 1, 10, [](int, Color side) { return std::optional(side == black ? -700 : 0); }) == "3b adjudication_win 1-0");
    CHECK(adjudicated(rules, 1, 6, [](int, Color) { return std::optional(-599); }).empty());
    CHECK(adjudicated(rules, 1, 10, [](int number, Color side) { return std::optional(side == white && number != 2 ? -600 : 0); }) ==
          "5w adjudication_win 0-1");
  }
  rules.resign->two_sided = true;
  SECTION("two-sided is about signs, not sizes") {
    CHECK(adjudicated(rules, 1, 10, [](int, Color side) { return std::optional(side == white ? -600 : 600); }) ==
          "3b adjudication_win 0-1");
    CHECK(adjudicated(rules, 1, 10, [](int, Color) { return std::optional(900); }).empty());
    CHECK(adjudicated(rules, 1, 10, [](int, Color) { return std::optional(-900); }).empty());
    CHECK(adjudicated(rules, 1, 10, [](int, Color side) { return std::optional(side == white ? 600 : -599); }).empty());
  }
  SECTION("a mate score is the largest") {
    GameSetup setup = Table{}.setup();
    setup.adjudication.resign = Adjudication::ResignRule{1, 10'000, true};
    Scene scene(edition("engine-practice"), setup);
    scene.apply(EvaluationReported{white, std::nullopt, 5});
    scene.move("e2e4");
    scene.apply(EvaluationReported{black, std::nullopt, -5});
    scene.move("e7e5");
    CHECK(scene.reason() == Reason::adjudication_win);
    CHECK(scene.result() == "1-0");
  }
}

TEST_CASE("the longest game") {
  Adjudication rules;
  rules.max_moves = 12;
  CHECK(adjudicated(rules, 10, 20, [](int, Color) { return std::optional<int>(); }) == "12b max_moves 1/2-1/2");
}

TEST_CASE("trusted mates") {
  GameSetup setup = Table{}.setup();
  setup.adjudication.trusted_mates = true;
  Scene scene(edition("engine-practice"), setup);
  scene.apply(EvaluationReported{white, std::nullopt, 3});
  scene.move("e2e4");
  scene.apply(EvaluationReported{black, std::nullopt, 4});
  scene.move("e7e5");
  CHECK_FALSE(scene.over());
  scene.apply(EvaluationReported{white, std::nullopt, -2});
  scene.move("g1f3");
  CHECK(scene.reason() == Reason::trusted_mate);
  CHECK(scene.result() == "0-1");
  Scene other(edition("engine-practice"), setup);
  other.apply(EvaluationReported{white, std::nullopt, 3});
  other.move("e2e4");
  other.apply(EvaluationReported{black, std::nullopt, -3});
  other.move("e7e5");
  CHECK(other.result() == "1-0");
}

TEST_CASE("the board goes before the host's rules (case AD-01)") {
  GameSetup setup = Table{}.setup();
  setup.opening_moves = {"f2f3", "e7e5", "g2g4"};
  setup.adjudication.resign = Adjudication::ResignRule{1, 100, false};
  setup.adjudication.draw = Adjudication::DrawRule{1, 0, 10'000, false};
  setup.adjudication.max_moves = 1;
  Scene scene(edition("engine-practice"), setup);
  scene.apply(EvaluationReported{black, -500, std::nullopt});
  scene.move("d8h4");
  CHECK(scene.reason() == Reason::checkmate);
}

TEST_CASE("a late verdict that a position was dead ends the game there") {
  // A wall that only the deeper proof sees is no matter here: the verdict is what counts.
  Table table;
  Scene scene("fide-2018", table);
  scene.moves({"e2e4", "e7e5", "g1f3", "b8c6"});
  scene.apply(WinnabilityVerdict{2, white, Verdict::cannot_mate, 1000});
  CHECK(scene.ruled("ignored"));
  CHECK_FALSE(scene.over());

  SECTION("later moves are comment") {
    scene.apply(WinnabilityVerdict{3, black, Verdict::cannot_mate, 1000});
    CHECK(scene.reason() == Reason::dead_position);
    CHECK(scene.game.plies() == 3);
    CHECK(scene.game.moves().size() == 4);
    CHECK(scene.game.position().side_to_move() == black);
    CHECK(scene.game.occurrences() == 1);
    SECTION("an earlier proof moves the end back, a later one does not") {
      scene.apply(WinnabilityVerdict{4, black, Verdict::cannot_mate, 1000});
      CHECK(scene.game.plies() == 3);
      scene.apply(WinnabilityVerdict{1, black, Verdict::cannot_mate, 1000});
      CHECK(scene.game.plies() == 2);
    }
  }
  SECTION("a flag, a forfeit, a crash, a resignation give way") {
    for (int way = 0; way < 4; ++way) {
      Scene ended = scene;
      ended.start(white);
      ended.at += 1000s;
      if (way == 0) ended.apply(TimeExpired{white});
      ended.at -= 1000s;
      if (way == 1) ended.apply(EngineFailed{white, FailureKind::crash, {}});
      if (way == 2) ended.apply(Resigned{white});
      if (way == 3) {
        ended.apply(MoveReceived{white, "e1e5"});
        ended.move("e1e5");
      }
      REQUIRE(ended.result() == "0-1");
      ended.apply(WinnabilityVerdict{4, black, Verdict::cannot_mate, 1000});
      CHECK(ended.reason() == Reason::dead_position);
      CHECK(ended.result() == "1/2-1/2");
    }
  }
  SECTION("what somebody has set by hand, or the board, stands") {
    scene.order({OrderKind::override_result, std::nullopt, {}, 100, 0, {}, false, "arbiter", "why"});
    scene.apply(WinnabilityVerdict{3, black, Verdict::cannot_mate, 1000});
    CHECK(scene.result() == "1-0");
  }
  SECTION("not in an edition that does not end games so") {
    Scene practice("engine-practice", table);
    practice.moves({"e2e4", "e7e5"});
    practice.apply(WinnabilityVerdict{1, white, Verdict::cannot_mate, 1});
    practice.apply(WinnabilityVerdict{1, black, Verdict::cannot_mate, 1});
    CHECK_FALSE(practice.over());
  }
  SECTION("verdicts about nothing") {
    for (const int ply : {-1, 5}) {
      scene.apply(WinnabilityVerdict{ply, black, Verdict::cannot_mate, 1});
      CHECK(scene.ruled("ignored"));
    }
    scene.apply(WinnabilityVerdict{3, black, Verdict::undecided, 1});
    CHECK(scene.ruled("ignored"));
    scene.apply(WinnabilityVerdict{3, black, Verdict::can_mate, 1});
    CHECK(scene.ruled("ignored"));
    CHECK_FALSE(scene.over());
  }
}

TEST_CASE("what was proven before is not asked again at the flag") {
  Scene scene("fide-2018", {});
  scene.moves({"e2e4", "e7e5"});
  scene.apply(WinnabilityVerdict{1, black, Verdict::cannot_mate, 1000});
  scene.start(white);
  scene.at += 1000s;
  scene.apply(TimeExpired{white});
  CHECK(scene.reason() == Reason::flag_fall_unwinnable);
}

TEST_CASE("a question of winnability that stays open leaves the ordinary result, until it is answered") {
  // Black has everything it needs; with no work allowed nobody finds that out.
  GameSetup setup = Table{}.setup();
  setup.verdict_nodes = 0;
  Scene scene(edition("fide-2018"), setup);
  scene.moves({"e2e4", "e7e5"});
  scene.start(white);
  scene.at += 1000s;
  scene.apply(TimeExpired{white});
  REQUIRE(scene.reason() == Reason::flag_fall);
  CHECK(scene.result() == "0-1");
  CHECK(scene.game.outcome()->undecided);
  CHECK(scene.said<GameOver>()->outcome.undecided);

  SECTION("it could mate: confirmed") {
    scene.apply(WinnabilityVerdict{2, black, Verdict::can_mate, 9});
    CHECK(scene.result() == "0-1");
    CHECK_FALSE(scene.game.outcome()->undecided);
    scene.apply(WinnabilityVerdict{2, black, Verdict::cannot_mate, 9});  // settled
    CHECK(scene.result() == "0-1");
  }
  SECTION("it could before: that says nothing about now") {
    scene.apply(WinnabilityVerdict{1, black, Verdict::can_mate, 9});
    CHECK(scene.game.outcome()->undecided);
  }
  SECTION("the side that lost is not asked about") {
    scene.apply(WinnabilityVerdict{2, white, Verdict::can_mate, 9});
    CHECK(scene.game.outcome()->undecided);
  }
  SECTION("it could not: a draw") {
    scene.apply(WinnabilityVerdict{1, black, Verdict::cannot_mate, 9});
    CHECK(scene.reason() == Reason::flag_fall_unwinnable);
    CHECK(scene.result() == "1/2-1/2");
    CHECK_FALSE(scene.game.outcome()->undecided);
  }
}

TEST_CASE("codes of reasons") {
  for (int i = 0; i <= static_cast<int>(Reason::aborted); ++i) {
    const auto reason = static_cast<Reason>(i);
    CHECK_FALSE(code(reason).empty());
    CHECK(parse_reason(code(reason)) == reason);
  }
  CHECK(parse_reason("boredom") == Reason::none);
  CHECK(result_text({{50, 0}, Reason::score_adjusted, {}, {}, false, false}) == "1/2-0");
  CHECK(result_text({{5, 0}, Reason::score_adjusted, {}, {}, false, false}) == "0.05-0");
  CHECK(pgn_result({{50, 0}, Reason::score_adjusted, {}, {}, false, false}) == "*");
  CHECK(pgn_result({{50, 50}, Reason::score_adjusted, {}, {}, false, false}) == "1/2-1/2");
}

}  // namespace referee::game::test
