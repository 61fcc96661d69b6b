// Handshakes that never end, and options that are declared for ever: each has its bound.
#include <catch2/catch.hpp>
#include <numeric>

#include "uci_conversation.hpp"
#include "xboard_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

namespace {

std::size_t bytes_kept(const Conversation& engine) {
  std::size_t bytes = 0;
  for (const auto& option : engine.protocol->identity().options) {
    bytes += option.name.size() + option.default_value.size();
    for (const auto& choice : option.choices) bytes += sizeof choice + choice.size();
  }
  return bytes;
}

ProtocolSettings short_waits() {
  ProtocolSettings settings;
  settings.timeouts.start = seconds(3);
  settings.timeouts.features = seconds(1);
  settings.timeouts.features_extended = seconds(3);
  return settings;
}

/// The engine says the line every half second until it is given up or is ready; how long that took.
Duration until_it_ends(Conversation& engine, std::string_view line, Duration most) {
  const Instant begun = engine.now;
  while (engine.now < begun + most && engine.count<Failure>() + engine.count<Ready>() == 0) {
    engine.says(line);
    engine.wait(milliseconds(500));
  }
  return engine.now - begun;
}

}  // namespace

TEST_CASE("UCI: an option that the user named is kept once, however often it is declared") {
  auto settings = with_options({{"Hash", "32"}, {"Move Overhead", "5"}});
  Conversation engine(make_uci_protocol(settings));
  engine.start();
  for (int i = 0; i < 30'000; ++i) {
    engine.says("option name Hash type spin default " + std::to_string(i) + " min 1 max 64");
    engine.says("option name hash type spin default 1 min 1 max 64");
    engine.says("option name MOVE" + std::string(static_cast<std::size_t>(1 + i % 50), ' ') + "overhead type spin default 1 min 1 max 64");
  }
  CHECK(engine.protocol->identity().options.size() == 2);
  CHECK(engine.lenient_about("declared twice"));
  engine.sent();
  engine.says("uciok");
  CHECK(engine.sent() == "setoption name Hash value 32\nsetoption name MOVE overhead value 5\nisready\n");
}

TEST_CASE("UCI: an option that the user named has its bound in bytes") {
  Conversation engine(make_uci_protocol(with_options({{"Style", "a"}})));
  engine.start();
  std::string choices;
  for (int i = 0; i < 400'000; ++i) choices += " var a";
  engine.says("option name Style type combo default a" + choices);
  engine.says("option name Style type string default " + std::string(std::size_t{2} << 20, 'x'));
  engine.says("option name Style" + std::string(std::size_t{2} << 20, ' ') + "type button");
  CHECK(bytes_kept(engine) <= std::size_t{256} << 10);
  CHECK(engine.lenient_about("longer than is kept"));
}

TEST_CASE("an option that the user named is set although it comes behind two thousand others") {
  Conversation engine(make_uci_protocol(with_options({{"Hash", "32"}})));
  engine.start();
  for (int i = 0; i < 10'000; ++i) engine.says("option name Filler " + std::to_string(i) + " type check default false");
  engine.says("option name Hash type spin default 16 min 1 max 64");
  engine.sent();
  engine.says("uciok");
  CHECK(engine.sent() == "setoption name Hash value 32\nisready\n");
  CHECK(engine.protocol->identity().options.size() <= 2001);
}

TEST_CASE("XBoard: an option declared once more takes the place of the first, whatever its case and blanks") {
  ProtocolSettings settings;
  settings.options = {{"a b c d e f", "true"}};
  auto engine = listening(settings);
  for (int i = 0; i < 30'000; ++i) {
    const std::string blanks(static_cast<std::size_t>(1 + i % 40), ' ');
    engine.says("feature option=\"a" + blanks + "b c" + blanks + (i % 2 == 0 ? "D" : "d") + " e f -check 0\"");
  }
  CHECK(engine.protocol->identity().options.size() == 1);
  engine.says("feature option=\"A b c d e f -check 0\"");
  engine.sent();
  engine.says("feature ping=1 done=1");
  CHECK(engine.sent() == "accepted ping\naccepted done\noption A b c d e f=1\nping 1\n");
}

TEST_CASE("XBoard: options reset in the handshake make room again") {
  auto engine = listening();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2'100; ++i) engine.says("feature option=\"Filler " + std::to_string(i) + " -check 0\"");
    CHECK(engine.protocol->identity().options.size() == 2000);
    engine.says("feature option=\" -reset\"");
    if (!engine.protocol->identity().options.empty()) engine.says("feature option=\"all -reset\"");
    CHECK(engine.protocol->identity().options.empty());
  }
}

TEST_CASE("XBoard: an option feature behind the handshake changes nothing") {
  auto engine = thinking();
  const auto before = engine.protocol->identity().options.size();
  for (int i = 0; i < 1'000; ++i) engine.says("feature option=\"a" + std::string(static_cast<std::size_t>(i), ' ') + "b -check 0\"");
  CHECK(engine.protocol->identity().options.size() == before);
  CHECK(engine.count<Leniency>() == 1);
  engine.says("move e2e4");
  CHECK(engine.last<Answer>().move == "e2e4");
}

TEST_CASE("XBoard: feature lines without end do not move the end of the handshake") {
  auto engine = listening(short_waits());
  const Duration took = until_it_ends(engine, "feature setboard=1", minutes(1));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);
  CHECK(took <= milliseconds(3500));
}

TEST_CASE("XBoard: done=0 said again and again gives no more time than once") {
  auto engine = listening(short_waits());
  engine.wait(milliseconds(500));
  const Duration took = until_it_ends(engine, "feature done=0", minutes(1));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);
  CHECK(took >= milliseconds(2500));
  CHECK(took <= milliseconds(3500));
}

TEST_CASE("XBoard: by default the handshake ends after 35 s, or an hour behind done=0") {
  auto engine = listening();
  CHECK(until_it_ends(engine, "feature setboard=1", hours(1)) <= seconds(36));
  CHECK(engine.count<Failure>() == 1);
  auto loading = listening();
  loading.wait(seconds(1));
  CHECK(until_it_ends(loading, "feature done=0 setboard=1", hours(3)) <= hours(1) + seconds(1));
  CHECK(loading.count<Failure>() == 1);
}

TEST_CASE("XBoard: silence behind features ends the handshake well, also near its end") {
  auto engine = listening(short_waits());
  for (int i = 0; i < 3; ++i) {
    engine.wait(milliseconds(600));
    engine.says("feature setboard=1");
  }
  engine.wait(milliseconds(1200));
  CHECK(engine.count<Failure>() == 0);
  CHECK(engine.lenient_about("no feature done=1"));
}

TEST_CASE("XBoard: features said before the greeting have their limit too") {
  Conversation engine(make_xboard_protocol(short_waits()));
  engine.says("feature done=0 setboard=1");
  engine.start();
  engine.wait(seconds(4));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);
}
