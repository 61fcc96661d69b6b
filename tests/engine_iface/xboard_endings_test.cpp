// XBoard: results, offers and claims, and how an engine ends.
#include <catch2/catch.hpp>
#include <csignal>

#include "xboard_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("XBoard: a result right behind the move (XB-09)") {
  auto engine = thinking();
  engine.says("move b2b3");
  engine.says("1/2-1/2 {Drawn game}");
  REQUIRE(engine.messages.size() == 2);
  CHECK(engine.last<Answer>().move == "b2b3");
  CHECK(engine.last<ResultClaim>().white_score == 50);
  CHECK(engine.last<ResultClaim>().text == "1/2-1/2 {Drawn game}");
}

TEST_CASE("XBoard results and resignations; the engine has White") {
  struct Row {
    std::string_view line;
    int white;
    bool resigns;
  };
  const Row rows[] = {{"1-0 {White mates}", 100, false},
                      {"0-1 {Black mates}", 0, false},
                      {"1/2-1/2 {Draw by repetition}", 50, false},
                      {"0-1 {White resigns}", 0, true},
                      {"resign", 0, true},
                      {"White resigns", 0, true},
                      {"1-0 {Black resigns}", 100, false},
                      {"Black resigns", 100, false},
                      {"checkmate!", 0, false},
                      {"White wins.", 100, false},
                      {"Draw by fifty moves", 50, false},
                      {"stalemate {no move}", 50, false},
                      {"computer mates", 100, false},
                      {"opponent mates", 0, false},
                      {"computer resigns", 0, true},
                      {"game is a draw by the 50 move rule", 50, false},
                      {"checkmate", 0, false},
                      {"White mates", 100, false},
                      {"Draw", 50, false}};
  for (const auto& row : rows) {
    INFO(row.line);
    auto engine = thinking();
    engine.says(row.line);
    CHECK(engine.count<Resignation>() == (row.resigns ? 1 : 0));
    CHECK(engine.count<ResultClaim>() == (row.resigns ? 0 : 1));
    if (!row.resigns) CHECK(engine.last<ResultClaim>().white_score == row.white);
  }
  SECTION("checkmate after its own move means the opponent") {
    auto engine = thinking();
    engine.says("move d1h5");
    engine.says("checkmate");
    CHECK(engine.last<ResultClaim>().white_score == 100);
  }
  SECTION("talk is no claim") {
    auto engine = thinking();
    for (const std::string_view talk : {"White to move", "Black is better", "White mates in 3", "Black wins a pawn", "Checkmate in 3",
                                        "checkmate threat", "Draw score -20", "Draw offered by opponent", "Stalemate trick",
                                        "computer mates soon", "Drawish", "telluser 1-0 {White mates}", "tellics resign", "*"})
      engine.says(talk);
    CHECK(engine.count<ResultClaim>() == 0);
    CHECK(engine.count<Resignation>() == 0);
  }
  SECTION("nothing counts after the result was told") {
    auto engine = thinking();
    engine.notify_result("1-0", "Black resigns");
    engine.says("1-0 {Black resigns}");
    engine.says("0-1 {no, I win}");
    engine.says("offer draw");
    CHECK(engine.messages.empty());
  }
}

TEST_CASE("XBoard draw offers") {
  auto engine = thinking();
  SECTION("from the engine, with the move") {
    engine.says("offer draw");
    engine.says("move e2e4");
    REQUIRE(engine.messages.size() == 2);
    CHECK(std::holds_alternative<DrawOffer>(engine.messages[0]));
    CHECK(std::holds_alternative<Answer>(engine.messages[1]));
  }
  SECTION("an offer that is no more is none") {
    for (const std::string_view talk : {"draw offer declined", "I refuse the draw offer", "offered draw was rejected"}) engine.says(talk);
    CHECK(engine.count<DrawOffer>() == 0);
  }
  SECTION("in prose") {
    engine.says("I offer you a draw");
    CHECK(engine.count<DrawOffer>() == 1);
    CHECK(engine.lenient_about("prose"));
  }
  SECTION("to the engine, just before the move") {
    engine.says("move e2e4");
    const auto line = game_line("startpos", {"e2e4", "e7e5"});
    ThinkRequest request;
    request.line = &line;
    request.clocks = clocks(seconds(60), seconds(60));
    request.draw_offered = true;
    engine.think(request);
    CHECK(engine.sent() == "time 6000\notim 6000\ndraw\nusermove e7e5\n");
  }
  SECTION("not to an engine with draw=0") {
    auto deaf = xboard_in_game(timed_game("60"), "feature ping=1 draw=0 colors=0 time=0 done=1");
    const auto line = game_line("startpos", {});
    ThinkRequest request;
    request.line = &line;
    request.draw_offered = true;
    deaf.think(request);
    CHECK(deaf.sent() == "go\n");
  }
  SECTION("repeated for ever they are heard a few times") {
    for (int i = 0; i < 10000; ++i) engine.says("offer draw");
    CHECK(engine.count<DrawOffer>() < 20);
  }
}

TEST_CASE("XBoard: blanks and a byte order mark in front of an answer do not hide it (EN-05)") {
  for (const std::string_view answer : {"    move e2e4", "\t     move e2e4", "\xEF\xBB\xBFmove e2e4"}) {
    INFO(answer);
    auto engine = thinking();
    engine.says(answer);
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
  }
  auto engine = thinking();
  engine.says("        e2e4 e7e5 g1f3");  // a line of play that goes on
  CHECK(engine.count<Answer>() == 0);
}

TEST_CASE("XBoard: a move called illegal is a claim at once, not a silence (XB-03)") {
  for (const std::string_view claim :
       {"Illegal move: e7e5", "Illegal move (no such piece): e7e5", "illegal move e7e5", "Illegal move",
        "Illegal move (no matching move)e7e5", "Error (unknown command): e7e5", "Error (illegal move): usermove e7e5"}) {
    INFO(claim);
    auto engine = thinking();
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    engine.says(claim);
    CHECK(engine.count<IllegalMoveClaim>() == 1);
  }
  SECTION("whichever move it names, it does not go on") {
    auto engine = thinking();
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    engine.says("Illegal move: Nf6+");
    CHECK(engine.count<IllegalMoveClaim>() == 1);
  }
  SECTION("what names no move is not a claim") {
    auto engine = thinking();
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    for (const std::string_view talk : {"Illegal move in book: g1f3", "Illegal moves: 3", "illegal move a7a6 pruned"}) engine.says(talk);
    CHECK(engine.count<IllegalMoveClaim>() == 0);
    CHECK(engine.count<Failure>() == 0);
  }
  SECTION("a command called so is not a claim") {
    auto engine = thinking();
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    for (const std::string_view error : {"Illegal move: otim", "Error (unknown command): computer", "Error (unknown command): easy"})
      engine.says(error);
    CHECK(engine.count<IllegalMoveClaim>() == 0);
    CHECK(engine.count<Failure>() == 0);
  }
  SECTION("a refused opening move is a failure to set the game up") {
    auto engine = xboard_greeted();
    engine.new_game(timed_game("60", "startpos", {"e2e4"}));
    engine.says("Illegal move: e2e4");
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::protocol_error);
  }
  SECTION("before any move was sent there is none to refuse") {
    auto engine = xboard_greeted();
    engine.new_game(timed_game("60", "startpos", {}));
    engine.says("Illegal move: e2e4");
    CHECK(engine.count<Failure>() == 0);
    CHECK(engine.count<IllegalMoveClaim>() == 0);
  }
}

TEST_CASE("XBoard: the result is told, then force, then ping") {
  auto engine = thinking();
  engine.notify_result("1-0", "Black {forfeits}\non time");
  CHECK(engine.sent() == "result 1-0 {Black forfeitson time}\nforce\nping 3\n");
  engine.new_game(timed_game("60"));
  CHECK(engine.sent().empty());
  engine.says("move e2e4");  // crossed with the result
  engine.says("pong 3");
  CHECK(engine.count<Answer>() == 0);
  CHECK(engine.sent().starts_with("new\n"));
}

TEST_CASE("XBoard signals") {
  SECTION("SIGINT before a command while it thinks, if it wants that") {
    auto engine = thinking("feature ping=1 colors=0 done=1");
    engine.stop();
    CHECK(engine.interrupted);
    auto modern_engine = thinking();
    modern_engine.stop();
    CHECK_FALSE(modern_engine.interrupted);
  }
  SECTION("SIGTERM shortly after quit, if it wants that") {
    auto engine = xboard_in_game(timed_game("60"), "feature ping=1 done=1");
    engine.quit();
    CHECK(engine.sent() == "quit\n");
    CHECK_FALSE(engine.terminated);
    engine.wait(milliseconds(600));
    CHECK(engine.terminated);
    CHECK_FALSE(engine.killed);
    engine.dies_of(SIGTERM);
    engine.ends_output();
    CHECK(engine.count<Bye>() == 1);
    CHECK(engine.count<Leniency>() == 0);
  }
  SECTION("and the kill in the end") {
    auto engine = xboard_in_game(timed_game("60"), "feature ping=1 done=1");
    engine.quit();
    engine.wait(seconds(6));
    CHECK(engine.killed);
    CHECK(engine.count<Failure>() == 1);
  }
  SECTION("no SIGTERM for sigterm=0") {
    auto engine = xboard_in_game();
    engine.quit();
    engine.wait(seconds(2));
    CHECK_FALSE(engine.terminated);
    engine.exits(0);
    engine.ends_output();
    CHECK(engine.count<Bye>() == 1);
  }
}
