// Feature lines, option declarations and thinking output, in the forms that engines really write.
#include <catch2/catch.hpp>

#include "engine_iface/xboard_feature.hpp"
#include "engine_iface/xboard_speech.hpp"

using namespace referee::engine;

TEST_CASE("XBoard feature lines") {
  const auto read = parse_features("ping=1 myname=\"My Engine 1.0\"  variants=\"normal,nocastle\" option=\"Hash -spin 16 1 64\" done=0");
  REQUIRE(read.size() == 5);
  CHECK(read[1].name == "myname");
  CHECK(read[1].value == "My Engine 1.0");
  CHECK(read[3].value == "Hash -spin 16 1 64");
  CHECK(read[4].value == "0");
  SECTION("odd ones") {
    CHECK(parse_features("").empty());
    CHECK(parse_features("ping").empty());
    CHECK(parse_features("a = 1 b= \"x y\"").size() == 2);
    CHECK(parse_features("myname=\"never closed").at(0).value == "never closed");
    CHECK(parse_features("=3 ping=1").size() == 1);
  }
  SECTION("values that are no flags are refused") {
    XboardFeatures features;
    CHECK(features.set({"ping", "1"}));
    CHECK(features.ping);
    CHECK_FALSE(features.set({"ping", "yes"}));
    CHECK_FALSE(features.set({"level", "1"}));
    CHECK(features.time);
    CHECK(features.set({"time", "0"}));
    CHECK_FALSE(features.time);
  }
}

TEST_CASE("XBoard option declarations") {
  const auto spin = parse_xboard_option("Contempt factor -spin 150 -100 100");
  REQUIRE(spin.has_value());
  CHECK(spin->name == "Contempt factor");
  CHECK(spin->default_value == "100");  // brought into its range
  CHECK(spin->min == -100);
  const auto combo = parse_xboard_option("Playing style -combo Solid /// *Very Normal /// Risky");
  REQUIRE(combo.has_value());
  CHECK(combo->choices == std::vector<std::string>{"Solid", "Very Normal", "Risky"});
  CHECK(combo->default_value == "Very Normal");
  CHECK(parse_xboard_option("Clear -button")->type == "button");
  CHECK(parse_xboard_option("Non-linear -check 1")->name == "Non-linear");
  CHECK(parse_xboard_option("Book file -file books/a book.bin")->default_value == "books/a book.bin");
  CHECK(parse_xboard_option("Name -string")->default_value.empty());
  CHECK(parse_xboard_option("Keep -save")->type == "save");
  CHECK_FALSE(parse_xboard_option("nonsense").has_value());
  CHECK_FALSE(parse_xboard_option("Depth -spin many").has_value());
  CHECK_FALSE(parse_xboard_option(" -check 1").has_value());
}

TEST_CASE("XBoard thinking output") {
  using referee::engine::speech::parse_thinking;
  SECTION("the plain form") {
    const auto info = parse_thinking("  9   156    1084   48000 Nf3 Nc6 Nc3 Nf6");
    CHECK(info.depth == 9);
    CHECK(info.score->centipawns == 156);
    CHECK(info.time == std::chrono::milliseconds(10840));
    CHECK(info.nodes == 48000);
    CHECK(info.pv == "Nf3 Nc6 Nc3 Nf6");
  }
  SECTION("extra numbers exist only before a tab") {
    const auto info = parse_thinking("12 34 100 5000 25 1234567 9 87\te2e4 e7e5");
    CHECK(info.selective_depth == 25);
    CHECK(info.nodes_per_second == 1234567);
    CHECK(info.tablebase_hits == 87);
    CHECK(info.pv == "e2e4 e7e5");
    const auto bare = parse_thinking("12 34 100 5000\te2e4");
    CHECK_FALSE(bare.selective_depth.has_value());
    CHECK(bare.pv == "e2e4");
  }
  SECTION("mate scores") {
    CHECK(parse_thinking("5 100003 1 2 e2e4").score->mate == 3);
    CHECK(parse_thinking("5 -100002 1 2 e2e4").score->mate == -2);
    // Sjeng's own scale of mates is none that is known here.
    CHECK_FALSE(parse_thinking("5 999994 1 2 e2e4").score->mate);
    CHECK(parse_thinking("5 999994 1 2 e2e4").score->centipawns == 999994);
    CHECK_FALSE(parse_thinking("5 -999994 1 2 e2e4").score->mate);
    CHECK(parse_thinking("5 -31000 1 2 e2e4").score->centipawns == -31000);
  }
  SECTION("fail marks, move numbers and book lines") {
    CHECK(parse_thinking("5 10 1 2 1. e4 e5 2. Nf3?").score->bound == Score::Bound::upper);
    CHECK(parse_thinking("5 10 1 2 1. e4 e5 2. Nf3?").pv == "e4 e5 Nf3");
    CHECK(parse_thinking("5 10 1 2 e4 !").score->bound == Score::Bound::lower);
    CHECK(parse_thinking("0 0 0 0 (e4 55% d4 45%)").pv.empty());
    CHECK(parse_thinking("0 0 0 0").pv.empty());
  }
  SECTION("GNU Chess 4: a mark on the ply, whole seconds") {
    for (const auto* ply : {"7.", "7+", "7&", "7-"}) {
      const auto info = parse_thinking(std::string(ply) + "  25  3 90000 e2e4");
      CHECK(info.depth == 7);
      CHECK(info.time == std::chrono::seconds(3));
    }
  }
}
