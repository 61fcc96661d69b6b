// UCI: how an engine ends, asked or not.
#include <catch2/catch.hpp>
#include <csignal>

#include "uci_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("UCI: how a process ends") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.clear();
  SECTION("status 139, no clock needed to notice (EN-01, EN-19)") {
    engine.exits(139);
    CHECK(engine.count<Failure>() == 0);  // the last lines may still be in the pipe
    engine.ends_output();
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
    CHECK(engine.last<Failure>().detail.find("139") != std::string::npos);
    CHECK(engine.last<Failure>().detail.find("SIGSEGV") != std::string::npos);
  }
  SECTION("a signal, the end of file first") {
    engine.ends_output();
    CHECK(engine.count<Failure>() == 0);
    engine.now += milliseconds(3);
    engine.dies_of(SIGABRT);
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
    CHECK(engine.last<Failure>().at == engine.now - milliseconds(3));
  }
  SECTION("status 0 is a disconnect") {
    engine.ends_output();
    engine.exits(0);
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::disconnect);
  }
  SECTION("output closed while alive is a disconnect, said after a bounded wait") {
    engine.ends_output();
    engine.wait(milliseconds(999));
    CHECK(engine.count<Failure>() == 0);
    engine.wait(milliseconds(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::disconnect);
    CHECK(engine.killed);
  }
  SECTION("a descendant that keeps the pipe open delays it no longer") {
    engine.dies_of(SIGSEGV);
    engine.wait(seconds(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
  }
  SECTION("an answer in front of the end stands, also when the exit is known before the line is read") {
    engine.exits(1);
    engine.says("bestmove e2e4");
    engine.ends_output();
    CHECK(engine.count<Answer>() == 1);
    CHECK(engine.count<Failure>() == 1);
    CHECK(std::holds_alternative<Answer>(engine.messages.front()));
  }
  SECTION("input that is not read is a stall") {
    engine.does_not_read();
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
  }
  SECTION("one failure, and nothing after it") {
    engine.exits(3);
    engine.ends_output();
    engine.says("bestmove e2e4");
    engine.exits(3);
    engine.wait(minutes(5));
    engine.quit();
    CHECK(engine.count<Failure>() == 1);
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.sent().empty());
  }
}

TEST_CASE("UCI quit: time to save, then the end (EN-11)") {
  auto engine = in_game();
  engine.quit();
  CHECK(engine.sent() == "quit\n");
  SECTION("1.5 s are granted") {
    engine.wait(milliseconds(1500));
    CHECK_FALSE(engine.killed);
    engine.ends_output();
    engine.exits(0);
    CHECK(engine.count<Bye>() == 1);
    CHECK(engine.count<Failure>() == 0);
    CHECK_FALSE(engine.killed);
    CHECK_FALSE(engine.terminated);
  }
  SECTION("for ever is not") {
    engine.wait(seconds(6));
    CHECK(engine.killed);
    CHECK(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
    CHECK(engine.count<Bye>() == 0);
  }
  SECTION("closing the output is no end yet, a crash after quit is one with a note") {
    engine.ends_output();
    engine.wait(seconds(2));
    CHECK(engine.count<Bye>() == 0);
    engine.dies_of(SIGSEGV);
    CHECK(engine.count<Bye>() == 1);
    CHECK(engine.lenient_about("cleanly"));
  }
}

TEST_CASE("UCI: who has closed his output has ended, and is not merely slow") {
  // Whichever of the two limits falls due first: the one for readyok, or the one for the exit.
  for (const auto patience : {milliseconds(500), milliseconds(5000)}) {
    ProtocolSettings settings;
    settings.timeouts.ready = patience;
    auto engine = greeted(settings);
    engine.new_game(new_game());
    engine.clear();
    engine.ends_output();
    engine.wait(seconds(6));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::disconnect);
    CHECK(engine.killed);
  }
}
