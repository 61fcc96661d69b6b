// UCI: from go to bestmove, and searches that are given up.
#include <catch2/catch.hpp>

#include "uci_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("UCI: an answer carries its move, its ponder move and its instant") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.now += milliseconds(37);
  const auto at = engine.now;
  SECTION("plain") {
    engine.says("bestmove e2e4 ponder e7e5");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
    CHECK(engine.last<Answer>().ponder == std::optional<std::string>("e7e5"));
    CHECK(engine.last<Answer>().at == at);
    CHECK(engine.count<Leniency>() == 0);
  }
  SECTION("odd white space (EN-05)") {
    engine.says("  bestmove   e2e4 \t ponder  e7e5 \r");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
    CHECK(engine.last<Answer>().ponder == std::optional<std::string>("e7e5"));
    CHECK(engine.lenient_about("CR LF"));
    CHECK(engine.lenient_about("blanks in front"));
    CHECK(engine.lenient_about("tabs"));
  }
  SECTION("null and missing ponder moves are dropped") {
    for (const std::string_view ponder : {"", " ponder", " ponder 0000", " ponder (none)", " ponder NULL", " ponder a1a1"}) {
      auto fresh = in_game();
      fresh.think(game_line("startpos", {}));
      fresh.says("bestmove e2e4" + std::string(ponder));
      REQUIRE(fresh.count<Answer>() == 1);
      CHECK_FALSE(fresh.last<Answer>().ponder.has_value());
    }
  }
  SECTION("null forms and upper case go through as received (IL-01, EN-13, PR-01)") {
    for (const std::string_view move : {"(none)", "0000", "NULL", "d4d4", "e7e8Q", "e1h1"}) {
      auto fresh = in_game();
      fresh.think(game_line("startpos", {}));
      fresh.says("bestmove " + std::string(move));
      REQUIRE(fresh.count<Answer>() == 1);
      CHECK(fresh.last<Answer>().move == move);
    }
  }
  SECTION("no word at all is an answer too: an empty move") {
    engine.says("bestmove");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move.empty());
  }
  SECTION("USI's bestmove resign") {
    engine.says("bestmove resign");
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.count<Resignation>() == 1);
    CHECK(engine.lenient_about("resign"));
  }
  SECTION("the word inside other lines is no answer (EN-15)") {
    engine.says("hash=16MB");
    engine.says("info string bestmove a2a3 looks good");
    engine.says("I think bestmove a2a4");
    CHECK(engine.count<Answer>() == 0);
    engine.says("bestmove e2e4");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
  }
}

TEST_CASE("UCI: a surplus bestmove never counts for another search (IL-03)") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.says("bestmove e2e4");
  engine.says("bestmove e2e4");
  CHECK(engine.count<Answer>() == 1);
  CHECK(engine.lenient_about("answers no go"));
  engine.clear();

  const auto line = game_line("startpos", {"e2e4", "c7c5"});
  engine.think(line, clocks(seconds(3), seconds(3)));
  // The engine is not trusted any more: a barrier stands before go, and the clock has not begun.
  // Nor does it know the position before: it could think about it on nobody's clock while it owes readyok.
  CHECK(engine.sent() == "isready\n");
  CHECK_FALSE(engine.go_sent);
  engine.says("bestmove e2e4");
  CHECK(engine.count<Answer>() == 0);
  engine.wait(seconds(3));
  CHECK(engine.sent().empty());
  engine.says("readyok");
  CHECK(engine.sent() == "position startpos moves e2e4 c7c5\ngo wtime 3000 btime 3000\n");
  CHECK(engine.go_sent);
  engine.says("bestmove d2d4");
  REQUIRE(engine.count<Answer>() == 1);
  CHECK(engine.last<Answer>().move == "d2d4");
  CHECK(engine.count<Ready>() == 0);
}

TEST_CASE("UCI: the answer to a stopped search is swallowed, the next search waits for it") {
  auto engine = in_game();
  const auto line = game_line("startpos", {});
  engine.think(line);
  engine.clear();
  engine.stop();
  CHECK(engine.sent() == "stop\n");
  engine.think(line, clocks(seconds(1), seconds(1)));
  CHECK(engine.sent().empty());
  CHECK_FALSE(engine.go_sent);
  engine.says("info depth 3 score cp 5 pv a2a3");
  engine.says("bestmove a2a3");
  CHECK(engine.count<Answer>() == 0);
  CHECK(engine.sent() == "position startpos\ngo wtime 1000 btime 1000\n");
  CHECK(engine.go_sent);
  engine.says("bestmove e2e4");
  REQUIRE(engine.count<Answer>() == 1);
  CHECK(engine.last<Answer>().move == "e2e4");
  CHECK(engine.count<Info>() == 0);
}

TEST_CASE("UCI: no bestmove after stop is a stall") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.stop();
  engine.wait(milliseconds(4999));
  CHECK(engine.count<Failure>() == 0);
  engine.wait(milliseconds(2));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);
  CHECK(engine.killed);
}

TEST_CASE("UCI pondering") {
  auto engine = in_game();
  const auto mine = game_line("startpos", {"e2e4"});
  engine.ponder(mine, "e7e5", clocks(seconds(9), seconds(9)));
  CHECK(engine.sent() == "position startpos moves e2e4 e7e5\ngo ponder wtime 9000 btime 9000\n");
  engine.clear();
  SECTION("hit") {
    engine.says("info depth 9 score cp 20 pv g1f3");
    engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
    CHECK(engine.sent() == "ponderhit\n");
    CHECK(engine.go_sent);
    engine.says("bestmove g1f3");
    CHECK(engine.count<Answer>() == 1);
    CHECK(engine.last<Info>().info.depth == 9);
    engine.think(game_line("startpos", {"e2e4", "e7e5", "g1f3", "b8c6"}));
    CHECK(engine.sent() == "position startpos moves e2e4 e7e5 g1f3 b8c6\ngo infinite\n");
  }
  SECTION("miss: stop, one answer swallowed, then the real position") {
    engine.stop();
    CHECK(engine.sent() == "stop\n");
    engine.think(game_line("startpos", {"e2e4", "c7c5"}), clocks(seconds(9), seconds(8)));
    CHECK(engine.sent().empty());
    engine.says("bestmove g1f3 ponder b8c6");
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.sent() == "position startpos moves e2e4 c7c5\ngo wtime 9000 btime 8000\n");
    engine.says("bestmove g1f3");
    CHECK(engine.count<Answer>() == 1);
  }
  SECTION("an answer before ponderhit is held until the hit") {
    engine.says("bestmove g1f3 ponder b8c6");
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.lenient_about("before ponderhit"));
    engine.now += seconds(2);
    engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
    CHECK(engine.sent().empty());
    CHECK(engine.go_sent);
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "g1f3");
    CHECK(engine.last<Answer>().at == engine.now);
  }
  SECTION("an answer before a miss is discarded and nothing more is waited for") {
    engine.says("bestmove g1f3");
    engine.stop();
    CHECK(engine.sent().empty());
    engine.think(game_line("startpos", {"e2e4", "c7c5"}));
    CHECK(engine.sent() == "position startpos moves e2e4 c7c5\ngo infinite\n");
    CHECK(engine.count<Answer>() == 0);
    engine.says("bestmove d2d4");
    CHECK(engine.count<Answer>() == 1);
  }
  SECTION("the game ends meanwhile") {
    engine.notify_result("1-0", "White wins");
    CHECK(engine.sent() == "stop\n");
    engine.new_game(new_game());
    CHECK(engine.sent().empty());
    engine.says("bestmove g1f3");
    CHECK(engine.sent() == "ucinewgame\nisready\n");
    engine.says("readyok");
    CHECK(engine.count<Ready>() == 1);
    CHECK(engine.count<Answer>() == 0);
  }
}

TEST_CASE("UCI: a ponder search that is still held back becomes an ordinary one on a hit") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.stop();
  engine.clear();
  engine.ponder(game_line("startpos", {"e2e4"}), "e7e5");
  engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
  CHECK(engine.sent().empty());
  engine.says("bestmove e2e4");
  CHECK(engine.sent() == "position startpos moves e2e4 e7e5\ngo infinite\n");
  engine.says("bestmove g1f3");
  CHECK(engine.count<Answer>() == 1);
}

TEST_CASE("UCI: thinking lines cost a glance, the last of each depth is told before the answer") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  SECTION("one message a finished depth") {
    engine.says("info depth 1 seldepth 1 score cp 10 nodes 20 pv e2e4");
    engine.says("info depth 2 score cp 11 nodes 40 pv e2e4 e7e5");
    engine.says("info depth 2 currmove d2d4 currmovenumber 2");
    engine.says("info depth 2 multipv 2 score cp 9 pv d2d4");
    engine.says("info depth 2 score cp 12 nodes 60 pv d2d4 d7d5");
    CHECK(engine.count<Info>() == 1);
    engine.says("bestmove d2d4");
    REQUIRE(engine.count<Info>() == 2);
    CHECK(engine.last<Info>().info.nodes == 60);
    CHECK(engine.last<Info>().info.pv == "d2d4 d7d5");
    CHECK(std::holds_alternative<Answer>(engine.messages.back()));
  }
  SECTION("only the last") {
    engine.protocol->set_info_interest(InfoInterest::last);
    for (int depth = 1; depth < 30; ++depth) engine.says("info depth " + std::to_string(depth) + " score cp 1 pv e2e4");
    CHECK(engine.count<Info>() == 0);
    engine.says("bestmove e2e4");
    CHECK(engine.count<Info>() == 1);
    CHECK(engine.last<Info>().info.depth == 29);
  }
  SECTION("every line") {
    engine.protocol->set_info_interest(InfoInterest::every_line);
    for (int i = 1; i <= 5; ++i) engine.says("info depth 1 score cp " + std::to_string(i) + " pv e2e4");
    CHECK(engine.count<Info>() == 5);
    engine.says("bestmove e2e4");
    CHECK(engine.count<Info>() == 5);
  }
  SECTION("a flood is bounded, however it changes its depth") {
    engine.protocol->set_info_interest(InfoInterest::every_line);
    for (int i = 0; i < 5000; ++i) engine.says("info depth " + std::to_string(i % 7) + " score cp " + std::to_string(i) + " pv e2e4");
    CHECK(engine.count<Info>() <= 1000);
    engine.says("bestmove e2e4");
    CHECK(engine.last<Info>().info.score->centipawns == 4999);
  }
  SECTION("a megabyte of pv") {
    std::string line = "info depth 5 score cp 3 pv";
    while (line.size() < 1'000'000) line += " e2e4";
    engine.says(line);
    engine.says("bestmove e2e4");
    REQUIRE(engine.count<Info>() == 1);
    CHECK(engine.last<Info>().info.score->centipawns == 3);
    CHECK(engine.last<Info>().info.raw.size() < 20'000);
    CHECK(engine.count<Answer>() == 1);
  }
}

TEST_CASE("UCI: isready is never sent while the engine thinks") {
  auto engine = in_game();
  const auto line = game_line("startpos", {});
  engine.think(line);
  engine.sent();
  engine.stop();
  engine.new_game(new_game());
  engine.think(line);
  CHECK(engine.sent() == "stop\n");
}
