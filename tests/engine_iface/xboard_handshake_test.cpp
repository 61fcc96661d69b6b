// XBoard: from the first word to an engine that is ready.
#include <algorithm>
#include <catch2/catch.hpp>

#include "xboard_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("XBoard handshake: features are accepted or rejected one by one") {
  auto engine = listening();
  CHECK(engine.sent() == "xboard\nprotover 2\n");
  engine.says("tellics banner of an eager engine");
  engine.says("feature ping=1 setboard=1 myname=\"A B 1.0\" zeal=3");
  CHECK(engine.sent() == "accepted ping\naccepted setboard\naccepted myname\nrejected zeal\n");
  engine.says("feature variants=\"normal,fischerandom\" done=1");
  CHECK(engine.sent() == "accepted variants\naccepted done\nping 1\n");
  CHECK(engine.count<Ready>() == 0);
  engine.says("pong 1");
  CHECK(engine.count<Ready>() == 1);
  CHECK(engine.protocol->identity().name == "A B 1.0");
  CHECK(engine.protocol->identity().features.at("setboard") == "1");
  CHECK(engine.protocol->supports_chess960());
  CHECK(engine.protocol->reusable());
}

TEST_CASE("XBoard: done=0 lifts the limit, up to an hour (XB-01)") {
  auto engine = listening();
  engine.says("feature done=0");
  engine.wait(seconds(20));
  CHECK(engine.count<Failure>() == 0);
  SECTION("done=1 after 20 s") {
    engine.says("feature ping=1 setboard=1 usermove=1 done=1");
    engine.says("pong 1");
    CHECK(engine.count<Ready>() == 1);
  }
  SECTION("59 minutes are granted, 61 are not") {
    engine.wait(minutes(59));
    CHECK(engine.count<Failure>() == 0);
    engine.wait(minutes(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
  }
}

TEST_CASE("XBoard version 1") {
  auto engine = listening();
  SECTION("by silence: all defaults, no ping") {
    engine.wait(milliseconds(4900));
    CHECK(engine.count<Ready>() == 0);
    engine.wait(seconds(1));
    CHECK(engine.count<Ready>() == 1);
  }
  SECTION("said by the engine: no wait") {
    engine.says("Error (unknown command): protover");
    engine.wait(milliseconds(150));
    CHECK(engine.count<Ready>() == 1);
  }
  SECTION("said in the older way") {
    engine.says("Illegal move: protover");
    engine.wait(milliseconds(150));
    CHECK(engine.count<Ready>() == 1);
  }
  CHECK(engine.sent().find("ping") == std::string::npos);
  CHECK_FALSE(engine.protocol->reusable());
  CHECK_FALSE(engine.protocol->supports_chess960());

  engine.clear();
  engine.new_game(timed_game("300", "startpos", {"e2e4"}));
  const auto setup = engine.sent();
  CHECK(setup == "new\nlevel 0 5 0\npost\nhard\neasy\ncomputer\nforce\ne2e4\n");
  engine.wait(milliseconds(150));
  CHECK(engine.count<Ready>() == 1);
  engine.think(game_line("startpos", {"e2e4"}), clocks(seconds(299), seconds(300)));
  CHECK(engine.sent() == "white\ntime 30000\notim 29900\nblack\ngo\n");
  engine.says("1. ... e7e5");
  REQUIRE(engine.count<Answer>() == 1);
  CHECK(engine.last<Answer>().move == "e7e5");
}

TEST_CASE("XBoard: features that come late count, a UCI engine does not get far") {
  SECTION("late features") {
    auto engine = listening();
    engine.wait(seconds(6));
    CHECK(engine.count<Ready>() == 1);
    engine.sent();
    engine.says("feature usermove=1 setboard=1 done=1");
    CHECK(engine.sent() == "accepted usermove\naccepted setboard\naccepted done\n");
    engine.new_game(timed_game("60", "startpos", {"e2e4"}));
    CHECK(engine.sent().find("usermove e2e4\n") != std::string::npos);
  }
  SECTION("a UCI engine") {
    auto engine = listening();
    engine.says("Unknown command: 'xboard'. Type help for more information.");
    engine.says("Unknown command: 'protover 2'. Type help for more information.");
    engine.wait(seconds(6));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::protocol_error);
    CHECK(engine.last<Failure>().detail.find("xboard") != std::string::npos);
  }
  SECTION("a shell that may not") {
    auto engine = listening();
    engine.says("sh: ./engine: Permission denied");
    engine.exits(126);
    engine.ends_output();
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
    CHECK(engine.last<Failure>().detail.find("Permission denied") != std::string::npos);
  }
}

TEST_CASE("XBoard: options of the user") {
  ProtocolSettings settings;
  settings.options = {{"Hash", "256"}, {"Threads", "2"},  {"Contempt", "500"},       {"Style", "risky"},       {"Resign", "true"},
                      {"Wipe", ""},    {"Nonsense", "1"}, {"egtpath nalimov", "/n"}, {"egtpath syzygy", "/s"}, {"Store", ""}};
  auto engine = listening(settings);
  engine.says(
      "feature ping=1 memory=1 smp=1 egt=\"nalimov,scorpio\" option=\"Contempt -spin 0 -100 100\" option=\"Style -combo Solid /// *Normal "
      "/// Risky\"");
  engine.says("feature option=\"Resign -check 0\" option=\"Wipe -button\" option=\"Store -save\" option=\"nonsense\"");
  const auto replies = engine.sent();
  CHECK(replies.find("accepted option\n") != std::string::npos);
  CHECK(replies.find("rejected option nonsense\n") != std::string::npos);
  engine.says("feature done=1");
  // A save button comes after the settings it saves, memory and cores after the options.
  CHECK(engine.sent() ==
        "accepted done\noption Style=Risky\noption Resign=1\noption Wipe\nmemory 256\ncores 2\negtpath nalimov /n\noption Store\nping 1\n");
  CHECK(engine.count<Complaint>() == 2);  // Contempt out of range; what it does not have, in one
  CHECK(engine.last<Complaint>().what == "the engine has none of the options Nonsense, egtpath syzygy; they are not set");
}

TEST_CASE("XBoard: an engine that asks for ping and does not know it") {
  auto engine = listening();
  engine.says("feature ping=1 done=1");
  engine.says("Error (unknown command): ping");
  engine.wait(milliseconds(200));
  CHECK(engine.count<Ready>() == 1);
  engine.sent();
  engine.new_game(timed_game("60"));
  CHECK(engine.sent().find("ping") == std::string::npos);
}

TEST_CASE("XBoard: orders given too early wait for their turn") {
  auto engine = listening();
  engine.new_game(timed_game("60"));
  engine.says(modern);
  CHECK(engine.sent().find("new\n") == std::string::npos);
  engine.says("pong 1");
  CHECK(engine.sent().find("new\n") != std::string::npos);
  engine.think(game_line("startpos", {}), clocks(seconds(60), seconds(60)));
  CHECK(engine.sent().empty());
  engine.says("pong 2");
  CHECK(engine.sent() == "time 6000\notim 6000\ngo\n");
}

TEST_CASE("XBoard: an engine that is silent while it is greeted is nudged harder each time") {
  auto engine = listening();
  CHECK(engine.sent() == "xboard\nprotover 2\n");
  std::vector<std::size_t> lines;
  for (int nudge = 0; nudge < 5; ++nudge) {
    engine.wait(milliseconds(410));
    const auto text = engine.sent();
    CHECK(text.find_first_not_of('\n') == std::string::npos);
    lines.push_back(text.size());
  }
  CHECK(lines.front() == 1);  // an engine that is merely slow is hardly troubled
  CHECK(std::is_sorted(lines.begin(), lines.end()));
  CHECK(lines.back() >= 256);  // GNU Chess 6 gets through between two lines, by chance
  CHECK(lines.back() <= 4096);
  SECTION("what it says of the empty lines is no complaint and no claim") {
    engine.says("feature ping=1 usermove=1 done=1");
    for (std::size_t line = 0; line < lines.back(); ++line) engine.says(line % 2 == 0 ? "Illegal move: " : "Error (unknown command): ");
    engine.says("pong 1");
    CHECK(engine.count<Ready>() == 1);
    CHECK_FALSE(engine.lenient_about("illegal-move report"));
    CHECK_FALSE(engine.lenient_about("commands it does not know"));
  }
  SECTION("after the first ping it is taken at its word again") {
    engine.says("feature ping=1 usermove=1 done=1");
    engine.says("pong 1");
    engine.clear();
    engine.new_game(timed_game("60", "startpos", {}));
    engine.says("pong 2");
    engine.think(game_line("startpos", {"e2e4"}), clocks(seconds(60), seconds(60)));
    engine.says("Illegal move: ");
    CHECK(engine.count<IllegalMoveClaim>() == 1);
  }
}
