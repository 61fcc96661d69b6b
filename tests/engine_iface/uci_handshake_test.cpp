// UCI: from the first word to an engine that is ready, or is not.
#include <catch2/catch.hpp>

#include "uci_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("UCI handshake: uci, options, isready, then ready") {
  Conversation engine(make_uci_protocol(with_options({{"Threads", "2"}, {"hash", "64"}})));
  engine.start();
  CHECK(engine.sent() == "uci\n");
  engine.says("Some banner 1.0 by somebody");
  engine.says("id name Some 1.0");
  engine.says("id author Somebody Else");
  engine.says("option name Hash type spin default 16 min 1 max 1024");
  engine.says("option name Threads type spin default 1 min 1 max 8");
  CHECK(engine.count<Ready>() == 0);
  engine.says("uciok");
  // Hash first, in the engine's own spelling.
  CHECK(engine.sent() == "setoption name Hash value 64\nsetoption name Threads value 2\nisready\n");
  CHECK(engine.count<Ready>() == 0);
  engine.says("readyok");
  CHECK(engine.count<Ready>() == 1);
  CHECK(engine.protocol->identity().name == "Some 1.0");
  CHECK(engine.protocol->identity().author == "Somebody Else");
  CHECK(engine.deadlines.empty());
}

TEST_CASE("UCI: only announced options in their range are set, the rest is complained of") {
  Conversation engine(make_uci_protocol(
      with_options({{"Hash", "4096"}, {"Speed", "9"}, {"Style", "Wild"}, {"Style", "solid"}, {"Clear Hash", ""}, {"Book", ""}})));
  engine.start();
  engine.says("option name Hash type spin default 16 min 1 max 1024");
  engine.says("option name Style type combo default Solid var Solid var Risky");
  engine.says("option name Clear Hash type button");
  engine.says("option name Book type string default <empty>");
  engine.sent();
  engine.says("uciok");
  CHECK(engine.sent() == "setoption name Style value Solid\nsetoption name Clear Hash\nsetoption name Book value <empty>\nisready\n");
  CHECK(engine.count<Complaint>() == 3);  // before the game begins
  CHECK(engine.count<Ready>() == 0);
}

TEST_CASE("UCI: an empty string can be written without the marker") {
  auto settings = with_options({{"Book", ""}});
  settings.empty_value = EmptyValue::blank;
  Conversation engine(make_uci_protocol(std::move(settings)));
  engine.start();
  engine.says("option name Book type string default x");
  engine.sent();
  engine.says("uciok");
  CHECK(engine.sent() == "setoption name Book value \nisready\n");
}

TEST_CASE("UCI: glued and oddly placed handshake words") {
  SECTION("text glued to uciok and readyok") {
    Conversation engine(make_uci_protocol({}));
    engine.start();
    engine.says("Engine> uciok");
    engine.says("0readyok");
    CHECK(engine.count<Ready>() == 1);
    CHECK(engine.lenient_about("glued to uciok"));
    CHECK(engine.lenient_about("glued to readyok"));
  }
  SECTION("a prompt in front of id and option") {
    Conversation engine(make_uci_protocol({}));
    engine.start();
    engine.says("# id name Prompted 3");
    engine.says("> option name Hash type spin default 1 min 1 max 2");
    CHECK(engine.protocol->identity().name == "Prompted 3");
    REQUIRE(engine.protocol->identity().options.size() == 1);
    CHECK(engine.protocol->identity().options[0].name == "Hash");
  }
  SECTION("the same leniency is told once") {
    auto engine = in_game();
    engine.think(game_line("startpos", {}));
    for (int i = 0; i < 100; ++i) engine.says("gibberish " + std::to_string(i));
    CHECK(engine.count<Leniency>() == 1);
  }
}

TEST_CASE("UCI: registration may be put off, copy protection may not") {
  Conversation engine(make_uci_protocol({}));
  engine.start();
  engine.says("uciok");
  engine.sent();
  engine.says("copyprotection checking");
  engine.says("copyprotection ok");
  engine.says("registration checking");
  CHECK(engine.sent().empty());
  engine.says("registration error");
  CHECK(engine.sent() == "register later\n");
  CHECK(engine.count<Failure>() == 0);
  engine.says("copyprotection error");
  CHECK(engine.count<Failure>() == 1);
  CHECK(engine.killed);
}

TEST_CASE("UCI: failures to start say why") {
  Conversation engine(make_uci_protocol({}));
  engine.start();
  SECTION("silence") {
    engine.wait(seconds(34));
    CHECK(engine.count<Failure>() == 0);
    engine.wait(seconds(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
    CHECK(engine.last<Failure>().detail.find("uciok") != std::string::npos);
  }
  SECTION("a shell that finds nothing") {
    engine.says("sh: ./engine: not found");
    engine.ends_output();
    engine.exits(127);
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
    CHECK(engine.last<Failure>().detail.find("not found") != std::string::npos);
    CHECK(engine.last<Failure>().detail.find("127") != std::string::npos);
  }
  SECTION("an XBoard engine") {
    engine.says("Error (unknown command): uci");
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::protocol_error);
  }
  SECTION("slow loading belongs to isready (EN-09)") {
    engine.says("uciok");
    engine.wait(seconds(12));
    engine.says("readyok");
    CHECK(engine.count<Ready>() == 1);
    CHECK(engine.count<Failure>() == 0);
  }
  SECTION("no readyok") {
    engine.says("uciok");
    engine.wait(seconds(36));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
  }
}

TEST_CASE("UCI: an option that the user names is kept, however many the engine declares, and found by its words") {
  std::vector<std::string> declarations;
  for (int number = 0; number < 3000; ++number)
    declarations.push_back("option name Param" + std::to_string(number) + " type spin default 1 min 0 max 9");
  declarations.emplace_back("option name  Dbl   Space type check default false");
  auto engine = greeted(with_options({{"param2999", "7"}, {"Dbl Space", "true"}}), declarations);
  CHECK(engine.sent().find("setoption name Param2999 value 7\n") != std::string::npos);
  CHECK(engine.count<Complaint>() == 0);
  CHECK(engine.protocol->identity().options.size() < 2100);
}
