// Option declarations and info lines, in the forms that engines really write.
#include <catch2/catch.hpp>

#include "engine_iface/uci_info.hpp"
#include "engine_iface/uci_option.hpp"

using namespace referee::engine;

namespace {

EngineIdentity::DeclaredOption option(std::string_view text) {
  const auto read = parse_uci_option(text);
  REQUIRE(read.has_value());
  return read->option;
}

bool refused(const EngineIdentity::DeclaredOption& declared, std::string_view value) {
  return std::holds_alternative<RefusedValue>(checked_option_value(declared, value));
}
std::string accepted(const EngineIdentity::DeclaredOption& declared, std::string_view value) {
  const auto checked = checked_option_value(declared, value);
  REQUIRE(std::holds_alternative<std::string>(checked));
  return std::get<std::string>(checked);
}

}  // namespace

TEST_CASE("UCI option declarations") {
  SECTION("the examples of the protocol's text") {
    const auto nullmove = option("name Nullmove type check default true");
    CHECK(nullmove.name == "Nullmove");
    CHECK(nullmove.type == "check");
    CHECK(nullmove.default_value == "true");
    const auto selectivity = option("name Selectivity type spin default 2 min 0 max 4");
    CHECK(selectivity.min == 0);
    CHECK(selectivity.max == 4);
    const auto style = option("name Style type combo default Normal var Solid var Normal var Risky");
    CHECK(style.choices == std::vector<std::string>{"Solid", "Normal", "Risky"});
    CHECK(style.default_value == "Normal");
    const auto path = option("name NalimovPath type string default c:\\");
    CHECK(path.default_value == "c:\\");
    CHECK(option("name Clear Hash type button").name == "Clear Hash");
  }
  SECTION("empty strings") {
    CHECK(option("name Book type string default <empty>").default_value.empty());
    CHECK(option("name Book type string default").default_value.empty());
    CHECK(option("name Book type string").default_value.empty());
  }
  SECTION("blanks in names and values, keyword-like words") {
    CHECK(option("  name   Skill Level \t type\tspin default 20 min 0 max 20").name == "Skill Level");
    CHECK(option("name Log type level type spin default 1 min 0 max 3").name == "Log type level");
    CHECK(option("name min default max type check default false").name == "min default max");
    CHECK(option("name Debug Log File type string default my default file.txt").default_value == "my default file.txt");
    const auto contempt = option("name Contempt type combo default default var default var off");
    CHECK(contempt.default_value == "default");
    CHECK(contempt.choices == std::vector<std::string>{"default", "off"});
    const auto combo = option("name Book type combo default Very Big Book var Very Big Book var No Book at all");
    CHECK(combo.choices == std::vector<std::string>{"Very Big Book", "No Book at all"});
    CHECK(combo.default_value == "Very Big Book");
  }
  SECTION("type missing or unknown") {
    const auto read = parse_uci_option("name Threads default 4");
    REQUIRE(read.has_value());
    CHECK(read->option.name == "Threads");
    CHECK(read->option.default_value == "4");
    CHECK(read->oddity != nullptr);
    CHECK(parse_uci_option("name Odd type float default 1.5")->option.type == "string");
  }
  SECTION("file names and negative numbers") {
    CHECK(option("name Net type file default a b.nnue").default_value == "a b.nnue");
    CHECK(option("name Contempt type spin default -5 min -100 max 100").min == -100);
  }
  SECTION("no name") {
    CHECK_FALSE(parse_uci_option("type check default true").has_value());
    CHECK_FALSE(parse_uci_option("name type check").has_value());
    CHECK_FALSE(parse_uci_option("").has_value());
  }
}

TEST_CASE("UCI option values are checked before they are sent") {
  const auto spin = option("name Hash type spin default 16 min 1 max 1024");
  CHECK(accepted(spin, "1024") == "1024");
  CHECK(refused(spin, "1025"));
  CHECK(refused(spin, "0"));
  CHECK(refused(spin, "16MB"));
  CHECK(refused(spin, "1.5"));
  const auto check = option("name Ponder type check default false");
  CHECK(accepted(check, "True") == "true");
  CHECK(accepted(check, "off") == "false");
  CHECK(refused(check, "maybe"));
  const auto combo = option("name Style type combo default Solid var Solid var Risky");
  CHECK(accepted(combo, "risky") == "Risky");
  CHECK(refused(combo, "Wild"));
  const auto text = option("name Path type string default <empty>");
  CHECK(accepted(text, "/a b/c").size() == 6);
  CHECK(refused(text, "a\nquit"));
}

TEST_CASE("UCI info lines") {
  SECTION("all of it") {
    const auto info = parse_uci_info(
        "info depth 23 seldepth 31 multipv 1 score cp 34 nodes 1234567 nps 1500000 hashfull 420 tbhits 7 time 823 pv e2e4 e7e5 g1f3");
    CHECK(info.depth == 23);
    CHECK(info.selective_depth == 31);
    REQUIRE(info.score.has_value());
    CHECK(info.score->centipawns == 34);
    CHECK_FALSE(info.score->mate.has_value());
    CHECK(info.nodes == 1234567);
    CHECK(info.nodes_per_second == 1500000);
    CHECK(info.hash_full_permille == 420);
    CHECK(info.tablebase_hits == 7);
    CHECK(info.time == std::chrono::milliseconds(823));
    CHECK(info.pv == "e2e4 e7e5 g1f3");
  }
  SECTION("mate, negative when being mated, and bounds on either side of wdl") {
    CHECK(parse_uci_info("info depth 4 score mate -3 pv a2a3").score->mate == -3);
    CHECK(parse_uci_info("info score cp 12 lowerbound wdl 10 980 10 depth 4").score->bound == Score::Bound::lower);
    const auto after = parse_uci_info("info score cp 12 wdl 10 980 10 upperbound depth 4");
    CHECK(after.score->bound == Score::Bound::upper);
    CHECK(after.depth == 4);
  }
  SECTION("a pv in the middle, a string at the end") {
    const auto info = parse_uci_info("info depth 2 pv e2e4 e7e5 score cp 9 nodes 10 string pv a2a3 score cp 99");
    CHECK(info.pv == "e2e4 e7e5");
    CHECK(info.score->centipawns == 9);
    CHECK(info.nodes == 10);
  }
  SECTION("what is no number is left out") {
    const auto info = parse_uci_info("info depth x nodes -3 nps 99999999999999999999999 time 5 score cp 1.25");
    CHECK_FALSE(info.depth.has_value());
    CHECK_FALSE(info.nodes.has_value());
    CHECK_FALSE(info.nodes_per_second.has_value());
    CHECK(info.time == std::chrono::milliseconds(5));
    CHECK_FALSE(info.score.has_value());
  }
  SECTION("absurd times do not overflow") { CHECK(*parse_uci_info("info time 9223372036854775807").time > std::chrono::hours(24)); }
  SECTION("unknown words are skipped") {
    CHECK(parse_uci_info("info foo 3 depth 7 bar score cp -8").score->centipawns == -8);
    CHECK(parse_uci_info("info refutation d1h5 g6h5 depth 3").depth == 3);
  }
  SECTION("the glance agrees with what is wanted") {
    CHECK(glance_at_uci_info("info depth 7 score cp 3 pv e2e4").wanted);
    CHECK(glance_at_uci_info("info depth 7 score cp 3 pv e2e4").depth == 7);
    CHECK(glance_at_uci_info("info pv e2e4").wanted);
    CHECK_FALSE(glance_at_uci_info("info depth 7 currmove e2e4").wanted);
    CHECK_FALSE(glance_at_uci_info("info string depth 7 score cp 3").wanted);
    CHECK_FALSE(glance_at_uci_info("info multipv 2 depth 7 score cp 3").wanted);
    CHECK_FALSE(glance_at_uci_info("info depth 7 score cp 3 nodes 9 multipv 2 pv e2e4").wanted);  // in any order (UCI)
    CHECK(glance_at_uci_info("info depth 7 score cp 3 nodes 9 multipv 1 pv e2e4").wanted);
  }
}

TEST_CASE("UCI option: a choice more costs as much as the one before") {
  // A line as long as an engine may send: were each choice to look through the rest of it, this would take minutes.
  std::string text = "name Book type combo default a";
  constexpr std::size_t choices = 300'000;
  for (std::size_t i = 0; i < choices; ++i) text += " var a";
  const auto read = parse_uci_option(text);
  REQUIRE(read);
  CHECK(read->option.default_value == "a");
  CHECK(read->option.choices.size() == choices);
}

TEST_CASE("UCI info: a score can be seen from the other side") {
  for (const std::string kind : {"cp", "mate"}) {
    const auto info = parse_uci_info("info depth 1 score " + kind + " -2147483648 pv e2e4");
    REQUIRE(info.score);
    const int value = kind == "cp" ? info.score->centipawns.value() : info.score->mate.value();
    CHECK(-static_cast<long long>(value) == 2147483647LL);
  }
}
