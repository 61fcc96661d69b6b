// Faults that were reported in public, as scripted engines against the protocol machines under simulated time. The names in brackets are
// those of the cases; what is expected comes from them. The same scripts run as processes in the tests of the layers above.
#include <catch2/catch.hpp>

#include "stub_world.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

namespace {

NewGame blitz(std::string_view fen = "startpos", const std::vector<std::string>& moves = {}) {
  auto game = new_game(fen, moves);
  game.time_control = std::get<clock::TimeControl>(clock::parse_time_control("3+0.1"));
  return game;
}

/// The engine is asked for a move in this position; what it did within a minute.
Rehearsal& ask(Rehearsal& rehearsal, std::string_view fen = "startpos", Duration patience = minutes(1)) {
  rehearsal.prepare(blitz(fen));
  rehearsal.engine.clear();
  rehearsal.engine.think(game_line(fen, {}), clocks(seconds(3), seconds(3), milliseconds(100)));
  rehearsal.run(patience, [&] { return rehearsal.engine.count<Answer>() + rehearsal.engine.count<Failure>() > 0; });
  return rehearsal;
}

std::string answer_of(const std::string& script, std::string_view fen = "startpos") {
  Rehearsal rehearsal(script);
  ask(rehearsal, fen);
  return rehearsal.engine.count<Answer>() == 1 ? rehearsal.engine.last<Answer>().move : "no answer";
}

FailureKind failure_of(const std::string& script) {
  Rehearsal rehearsal(script);
  ask(rehearsal);
  REQUIRE(rehearsal.engine.count<Failure>() == 1);
  CHECK(rehearsal.engine.count<Answer>() == 0);
  return rehearsal.engine.last<Failure>().kind;
}

}  // namespace

TEST_CASE("cases: answers come through as they are") {
  CHECK(answer_of("bestmove-in-pieces") == "e2e4");  // EN-03
  CHECK(answer_of("blanks-and-tabs") == "e2e4");     // EN-05
  CHECK(answer_of("floods-stderr") == "e2e4");       // EN-07
  CHECK(answer_of("floods-stdout") == "e2e4");
  CHECK(answer_of("bestmove-in-a-comment") == "e2e4");  // EN-15
  CHECK(answer_of("illegal-ponder-move") == "e2e4");    // EN-17
  CHECK(answer_of("answers-and-exits") == "e2e4");
  CHECK(answer_of("illegal-move") == "e2e5");                                               // IL-07
  CHECK(answer_of("no-move") == "(none)");                                                  // EN-13
  CHECK(answer_of("move-to-own-square", "8/5k2/8/8/3n4/8/1P3K2/8 b - - 0 1") == "d4d4");    // IL-01
  CHECK(answer_of("upper-case-promotion", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1") == "e7e8Q");   // PR-01
  CHECK(answer_of("castles-king-takes-rook", "4k3/8/8/8/8/8/8/4K2R w K - 0 1") == "e1h1");  // CA-09
  CHECK(answer_of("mates", "7k/5K2/8/8/8/8/8/6R1 w - - 0 1") == "g1h1");                    // MS-05
  CHECK(answer_of("glued-words") == "a2a3");
  CHECK(answer_of("odd-options") == "a2a3");
  CHECK(answer_of("xboard-illegal-move") == "e2e5");
  CHECK(answer_of("xboard-numbered-move") == "e2e4");
  CHECK(answer_of("xboard-version-1") == "a2a3");
  CHECK(answer_of("xboard-silent-start") == "a2a3");
}

TEST_CASE("cases: ends of processes have their own kinds") {
  CHECK(failure_of("crash-while-thinking") == FailureKind::crash);  // EN-01, EN-19
  CHECK(failure_of("killed-by-signal") == FailureKind::crash);
  CHECK(failure_of("exits-while-thinking") == FailureKind::disconnect);
  CHECK(failure_of("closes-output") == FailureKind::disconnect);
  CHECK(failure_of("xboard-crash") == FailureKind::crash);
}

TEST_CASE("cases: starts that fail say so, and in time") {
  for (const auto& [name, kind] : {std::pair{"dies-at-start", FailureKind::crash},
                                   {"never-says-uciok", FailureKind::stall},
                                   {"never-says-readyok", FailureKind::stall},
                                   {"copy-protected", FailureKind::protocol_error},
                                   {"xboard-never-pongs", FailureKind::stall},
                                   {"xboard-features-without-end", FailureKind::stall}}) {
    const std::string script = name;
    INFO(script);
    Rehearsal rehearsal(script);
    rehearsal.engine.start();
    REQUIRE(rehearsal.run_to<Failure>(minutes(2)));
    CHECK(rehearsal.engine.last<Failure>().kind == kind);
    CHECK(rehearsal.engine.count<Ready>() == 0);
  }
}

TEST_CASE("cases: silence while thinking is the clock's affair, then stop and its limit's") {
  for (const std::string script : {"stalls-while-thinking", "answers-late", "xboard-stalls", "stops-reading"}) {
    INFO(script);
    Rehearsal rehearsal(script);
    ask(rehearsal, "startpos", seconds(10));
    CHECK(rehearsal.engine.count<Failure>() == 0);
    CHECK(rehearsal.engine.count<Answer>() == 0);
    rehearsal.engine.notify_result("0-1", "White forfeits on time");
    REQUIRE(rehearsal.run_to<Failure>(minutes(2)));
    CHECK(rehearsal.engine.last<Failure>().kind == FailureKind::stall);
  }
}

TEST_CASE("case: slow loading belongs to isready (EN-09)") {
  Rehearsal rehearsal("loads-slowly");
  const auto begin = rehearsal.engine.now;
  rehearsal.prepare(blitz());
  CHECK(rehearsal.engine.now - begin >= seconds(12));
  const auto asked = rehearsal.engine.now;
  rehearsal.engine.think(game_line("startpos", {}), clocks(seconds(1), seconds(1)));
  REQUIRE(rehearsal.run_to<Answer>());
  CHECK(rehearsal.engine.last<Answer>().at - asked <= milliseconds(200));
}

TEST_CASE("case: quit gives time, but not for ever (EN-11)") {
  SECTION("1.5 s") {
    Rehearsal rehearsal("quits-slowly");
    rehearsal.prepare(blitz());
    rehearsal.engine.quit();
    REQUIRE(rehearsal.run_to<Bye>());
    CHECK_FALSE(rehearsal.engine.killed);
  }
  SECTION("never") {
    Rehearsal rehearsal("never-quits");
    rehearsal.prepare(blitz());
    const auto asked = rehearsal.engine.now;
    rehearsal.engine.quit();
    REQUIRE(rehearsal.run_to<Failure>());
    CHECK(rehearsal.engine.killed);
    CHECK(rehearsal.engine.now - asked <= seconds(10));
  }
  SECTION("a crash at the end is noted and no fault of a game") {
    Rehearsal rehearsal("crashes-on-quit");
    rehearsal.prepare(blitz());
    rehearsal.engine.quit();
    REQUIRE(rehearsal.run_to<Bye>());
    CHECK(rehearsal.engine.lenient_about("cleanly"));
  }
}

TEST_CASE("case: one go, one answer (IL-03)") {
  for (const std::string script : {"surplus-bestmove", "surplus-bestmove-before-readyok"}) {
    INFO(script);
    Rehearsal rehearsal(script);
    ask(rehearsal);
    REQUIRE(rehearsal.engine.last<Answer>().move == "e2e4");
    rehearsal.run(milliseconds(20), [] { return false; });
    CHECK(rehearsal.engine.count<Answer>() == 1);
    rehearsal.engine.think(game_line("startpos", {"e2e4", "c7c5"}), clocks(seconds(3), seconds(3)));
    REQUIRE(rehearsal.run_to<Answer>());
    CHECK(rehearsal.engine.last<Answer>().move == "d2d4");
    CHECK(rehearsal.engine.count<Answer>() == 2);
    CHECK(rehearsal.stub.steps_left() == 0);
  }
}

TEST_CASE("case: an answer in front of a crash stands") {
  Rehearsal rehearsal("aborts-between-moves");
  ask(rehearsal);
  CHECK(rehearsal.engine.last<Answer>().move == "e2e4");
  REQUIRE((rehearsal.engine.count<Failure>() == 1 || rehearsal.run_to<Failure>()));
  CHECK(rehearsal.engine.last<Failure>().kind == FailureKind::crash);
}

TEST_CASE("case: an answer before ponderhit is held") {
  Rehearsal rehearsal("answers-before-ponderhit");
  ask(rehearsal);
  REQUIRE(rehearsal.engine.last<Answer>().ponder == std::optional<std::string>("e7e5"));
  rehearsal.engine.clear();
  rehearsal.engine.ponder(game_line("startpos", {"e2e4"}), "e7e5", clocks(seconds(3), seconds(3)));
  rehearsal.run(seconds(1), [] { return false; });
  CHECK(rehearsal.engine.count<Answer>() == 0);
  rehearsal.engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
  REQUIRE(rehearsal.engine.count<Answer>() == 1);
  CHECK(rehearsal.engine.last<Answer>().move == "g1f3");
}

TEST_CASE("case: done=0 lifts the limit on features (XB-01)") {
  Rehearsal rehearsal("xboard-slow-features");
  rehearsal.engine.start();
  REQUIRE(rehearsal.run_to<Ready>());
  CHECK(rehearsal.engine.count<Failure>() == 0);
}

TEST_CASE("case: a legal move called illegal is claimed at once (XB-03)") {
  Rehearsal rehearsal("xboard-calls-legal-move-illegal");
  ask(rehearsal);
  REQUIRE(rehearsal.engine.last<Answer>().move == "a2a3");
  const auto asked = rehearsal.engine.now;
  rehearsal.engine.think(game_line("startpos", {"a2a3", "e7e5"}), clocks(seconds(3), seconds(3)));
  REQUIRE(rehearsal.run_to<IllegalMoveClaim>());
  CHECK(rehearsal.engine.last<IllegalMoveClaim>().text == "e7e5");
  CHECK(rehearsal.engine.now - asked < seconds(1));
}

TEST_CASE("case: moves are bare until usermove is agreed (XB-05)") {
  Rehearsal rehearsal("xboard-bare-moves");
  auto game = blitz();
  game.side = chess::Color::black;
  rehearsal.prepare(game);
  rehearsal.engine.think(game_line("startpos", {"e2e4"}), clocks(seconds(3), seconds(3)));
  REQUIRE(rehearsal.run_to<Answer>());
  CHECK(rehearsal.engine.last<Answer>().move == "e7e5");
  CHECK(rehearsal.transcript.starts_with("e2e4\n"));
  CHECK(rehearsal.transcript.find("usermove") == std::string::npos);
}

TEST_CASE("case: an engine without setboard is set up with edit (XB-07)") {
  const std::string_view fen = "8/8/4k3/8/8/3K4/3R4/8 w - - 0 1";
  Rehearsal rehearsal("xboard-no-setboard");
  rehearsal.engine.start();
  REQUIRE(rehearsal.run_to<Ready>());
  rehearsal.engine.new_game(blitz(fen));
  REQUIRE(rehearsal.run_to<Ready>());
  CHECK(rehearsal.transcript.find("\nsetboard ") == std::string::npos);
  rehearsal.engine.think(game_line(fen, {}), clocks(seconds(3), seconds(3)));
  REQUIRE(rehearsal.run_to<Answer>());
  CHECK(rehearsal.engine.last<Answer>().move == "d2a2");  // first in the alphabet: the board is the right one
}

TEST_CASE("case: a result right behind the move (XB-09)") {
  Rehearsal rehearsal("xboard-result-behind-move");
  ask(rehearsal);
  CHECK(rehearsal.engine.last<Answer>().move == "b2b3");
  CHECK((rehearsal.engine.count<ResultClaim>() == 1 || rehearsal.run_to<ResultClaim>()));
}

TEST_CASE("cases: claims, resignations and offers of XBoard engines") {
  const auto statement = [](const std::string& script, auto type) {
    using M = decltype(type);
    Rehearsal rehearsal(script);
    rehearsal.prepare(blitz());
    rehearsal.engine.think(game_line("startpos", {}), clocks(seconds(3), seconds(3)));
    return rehearsal.run_to<M>();
  };
  CHECK(statement("xboard-false-win", ResultClaim{}));
  CHECK(statement("xboard-resigns", Resignation{}));
  CHECK(statement("xboard-resigns-in-prose", Resignation{}));
  CHECK(statement("xboard-offers-draw", DrawOffer{}));
}

TEST_CASE("case: a refused start position is no loss on time") {
  Rehearsal rehearsal("xboard-refuses-position");
  rehearsal.engine.start();
  REQUIRE(rehearsal.run_to<Ready>());
  rehearsal.engine.new_game(blitz("8/8/4k3/8/8/3K4/3R4/8 w - - 0 1"));
  REQUIRE(rehearsal.run_to<Failure>());
  CHECK(rehearsal.engine.last<Failure>().kind == FailureKind::protocol_error);
}

TEST_CASE("case: a move after the result is stale") {
  Rehearsal rehearsal("xboard-ignores-result");
  ask(rehearsal);
  rehearsal.engine.clear();
  rehearsal.engine.notify_result("1-0", "adjudication");
  rehearsal.engine.new_game(blitz());
  REQUIRE(rehearsal.run_to<Ready>());
  CHECK(rehearsal.engine.count<Answer>() == 0);
  rehearsal.engine.think(game_line("startpos", {}), clocks(seconds(3), seconds(3)));
  REQUIRE(rehearsal.run_to<Answer>());
  CHECK(rehearsal.engine.last<Answer>().move == "a2a3");
}

TEST_CASE("cases: what is beside the answer does not touch it") {
  for (const std::string script :
       {"closes-input", "bytes-that-are-no-text", "answers-before-it-is-asked", "says-uciok-twice", "options-redeclared",
        "xboard-feature-after-done", "xboard-contradicts-itself", "xboard-option-declared-again"}) {
    INFO(script);
    CHECK(answer_of(script) == "e2e4");
  }
}

TEST_CASE("case: an answer while the opponent thinks is nobody's") {
  Rehearsal rehearsal("answers-while-the-opponent-thinks");
  ask(rehearsal);
  REQUIRE(rehearsal.engine.last<Answer>().move == "e2e4");
  rehearsal.run(milliseconds(100), [] { return false; });
  CHECK(rehearsal.engine.count<Answer>() == 1);
  rehearsal.engine.think(game_line("startpos", {"e2e4", "c7c5"}), clocks(seconds(3), seconds(3)));
  REQUIRE(rehearsal.run_to<Answer>());
  CHECK(rehearsal.engine.last<Answer>().move == "d2d4");
  CHECK(rehearsal.engine.count<Answer>() == 2);
}

TEST_CASE("case: uciok after a minute is waited for only as long as the limit says") {
  Rehearsal rehearsal("says-uciok-after-a-minute");
  const Duration limit = Timeouts{}.start;
  const auto begin = rehearsal.engine.now;
  rehearsal.engine.start();
  if (limit > minutes(1)) {
    REQUIRE(rehearsal.run_to<Ready>(minutes(3)));
    CHECK(rehearsal.engine.now - begin >= minutes(1));
  } else {
    REQUIRE(rehearsal.run_to<Failure>(minutes(3)));
    CHECK(rehearsal.engine.last<Failure>().kind == FailureKind::stall);
    CHECK(rehearsal.engine.now - begin <= limit + seconds(1));
  }
}
