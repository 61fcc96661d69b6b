// XBoard: from go to the move, and searches that are given up.
#include <catch2/catch.hpp>

#include "xboard_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("XBoard: a move before the pong is stale") {
  auto engine = xboard_greeted();
  engine.new_game(timed_game("60"));
  engine.says("move e7e5");
  engine.says("pong 2");
  CHECK(engine.count<Ready>() == 1);
  CHECK(engine.count<Answer>() == 0);
  CHECK(engine.lenient_about("not asked for"));
}

TEST_CASE("XBoard: an aborted search is fenced off, a move that crossed is taken back") {
  auto engine = thinking();
  const auto line = game_line("startpos", {});
  engine.stop();
  CHECK(engine.sent() == "force\nping 3\n");
  engine.think(line, clocks(seconds(60), seconds(60)));
  CHECK(engine.sent().empty());
  CHECK_FALSE(engine.go_sent);
  SECTION("the move crossed") {
    engine.says("move e2e4");
    engine.says("pong 3");
    CHECK(engine.sent() == "undo\ntime 6000\notim 6000\ngo\n");
  }
  SECTION("it did not") {
    engine.says("pong 3");
    CHECK(engine.sent() == "time 6000\notim 6000\ngo\n");
  }
  CHECK(engine.go_sent);
  CHECK(engine.count<Answer>() == 0);
  engine.says("move d2d4");
  CHECK(engine.count<Answer>() == 1);
}

TEST_CASE("XBoard: no pong is a stall; a fence without ping is a silence") {
  auto engine = thinking();
  engine.stop();
  engine.wait(seconds(36));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);

  auto old = thinking("feature done=1 sigint=0");
  old.stop();
  CHECK(old.sent() == "force\n");
  old.says("move e2e4");
  old.wait(milliseconds(150));
  old.think(game_line("startpos", {}), clocks(seconds(60), seconds(60)));
  CHECK(old.sent() == "undo\nblack\ntime 6000\notim 6000\nwhite\ngo\n");
  CHECK(old.count<Failure>() == 0);
}

TEST_CASE("XBoard: an illegal move of the engine's own is taken back before it thinks again") {
  auto engine = thinking();
  engine.says("move e2e5");
  CHECK(engine.last<Answer>().move == "e2e5");
  engine.think(game_line("startpos", {}), clocks(seconds(59), seconds(62)));
  CHECK(engine.sent() == "force\nundo\ntime 5900\notim 6200\ngo\n");
}

TEST_CASE("XBoard moves: all forms") {
  const std::pair<std::string_view, std::string_view> forms[] = {
      {"move e2e4", "e2e4"}, {"move Nf3", "Nf3"},       {"  move e7e8q  ", "e7e8q"}, {"1. ... e2e4", "e2e4"}, {"1 ... e2e4", "e2e4"},
      {"move O-O", "O-O"},   {"\x07move e2e4", "e2e4"}, {"move e2e4\r", "e2e4"},     {"move @@@@", "@@@@"}};
  for (const auto& [line, move] : forms) {
    auto engine = thinking();
    engine.says(line);
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == move);
  }
  auto engine = thinking();
  for (const std::string_view noise : {"1. e2e4", "# move e2e4", "tellall move e2e4", "Hint: e2e4", " 1 20 3 400 e2e4", "12 34", ""})
    engine.says(noise);
  CHECK(engine.count<Answer>() == 0);
}

TEST_CASE("XBoard: pondering is the engine's own affair once it is told hard") {
  auto game = timed_game("60");
  game.ponder = true;
  auto engine = xboard_greeted();
  engine.new_game(game);
  CHECK(engine.sent().find("\nhard\n") != std::string::npos);
  engine.says("pong 2");
  engine.think(game.line, clocks(seconds(60), seconds(60)));
  engine.says("move e2e4");
  engine.clear();
  engine.ponder(game_line("startpos", {"e2e4"}), "e7e5");
  CHECK(engine.sent().empty());
  engine.says(" 5 20 30 4000 e7e5 g1f3");  // thoughts on the opponent's time are not the engine's answer
  engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
  CHECK(engine.sent() == "usermove e7e5\n");
  engine.says("move g1f3");
  CHECK(engine.count<Answer>() == 1);
  CHECK(engine.count<Info>() == 0);
}

TEST_CASE("XBoard thinking lines reach the user before the answer") {
  auto engine = thinking();
  engine.says(" 3  12  4  500 e2e4 e7e5");
  engine.says(" 4  25  9 1500 d2d4 d7d5");
  engine.says("      c2c4 e7e6");
  engine.says("move d2d4");
  REQUIRE(engine.count<Info>() == 2);
  CHECK(engine.last<Info>().info.depth == 4);
  CHECK(engine.last<Info>().info.score->centipawns == 25);
  CHECK(engine.last<Info>().info.pv == "d2d4 d7d5 c2c4 e7e6");
}

TEST_CASE("XBoard: an offer that is made while the engine thinks reaches it at once") {
  auto engine = thinking();
  engine.offer_draw();
  CHECK(engine.sent() == "draw\n");
  SECTION("unless it has said that it wants to hear of none") {
    auto deaf = thinking("feature ping=1 setboard=1 usermove=1 draw=0 done=1");
    deaf.offer_draw();
    CHECK(deaf.sent().empty());
  }
  SECTION("nor when it does not think") {
    engine.says("move e2e4");
    engine.offer_draw();
    CHECK(engine.sent().empty());
  }
}
