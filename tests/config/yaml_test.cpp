#include "config/yaml.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace referee::config;
using namespace std::chrono_literals;

namespace {

YamlValue parsed(const std::string& text, const YamlLimits& limits = {}) { return parse_yaml(text, "t.yaml", limits); }

std::string refusal(const std::string& text, const YamlLimits& limits = {}) {
  try {
    static_cast<void>(parse_yaml(text, "t.yaml", limits));
  } catch (const ConfigException& problem) { return problem.what(); }
  return "accepted";
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("YAML values know their text and their place") {
  const YamlValue root = parsed("a: 1\nb:\n  - x\n  - 'two words'\n  - {c: null}\n");
  REQUIRE(root.is_map());
  REQUIRE(root.entries.size() == 2);
  CHECK(root.entries[0].key == "a");
  CHECK(root.entries[0].value.text == "1");
  CHECK_FALSE(root.entries[0].value.quoted);
  CHECK(root.entries[0].value.place.line == 1);
  CHECK(root.entries[0].value.place.column == 4);
  const YamlValue& list = root.entries[1].value;
  REQUIRE(list.is_sequence());
  REQUIRE(list.items.size() == 3);
  CHECK(list.items[1].text == "two words");
  CHECK(list.items[1].quoted);
  CHECK(list.items[1].place.line == 4);
  CHECK(list.items[1].place.column == 5);
  CHECK(list.items[2].entries.at(0).value.is_null());
  CHECK(parsed("").is_null());
  CHECK(parsed("# only a comment\n").is_null());
  // Words that other readers take for truth values or numbers stay as they are written.
  CHECK(parsed("{a: off, b: 010, c: 1e3, d: No}").entries[1].value.text == "010");
}

TEST_CASE("Aliases are expanded") {
  const YamlValue root = parsed("base: &b {x: 1, y: [2, 3]}\ncopy: *b\n");
  REQUIRE(root.entries.size() == 2);
  CHECK(root.entries[1].value.entries.at(1).value.items.at(1).text == "3");
}

TEST_CASE("What is not YAML, or not one document, is refused with its place") {
  CHECK(refusal("a: [1, 2\n").rfind("t.yaml:", 0) == 0);
  CHECK(refusal("a: 1\n b: 2\n").rfind("t.yaml:2:", 0) == 0);
  CHECK(refusal("a: \"\\\x01\"\n").find("character: ? (expected YAML)") != std::string::npos);
  CHECK(refusal("a: 1\na: 2\n") == "t.yaml:2:1: 'a' is given twice (expected each key once)");
  CHECK(refusal("? [1, 2]\n: x\n").find("key") != std::string::npos);
  CHECK(refusal("a: 1\n---\nb: 2\n").find("second document") != std::string::npos);
  CHECK(refusal("a: *nowhere\n") != "accepted");
  CHECK(refusal("a: &a [*a]\n").find("alias inside the value") != std::string::npos);
}

TEST_CASE("Hostile YAML is bounded") {
  CHECK(refusal(repeated("[", 100000)) != "accepted");
  CHECK(refusal(repeated("{a: ", 100000)) != "accepted");
  CHECK(refusal(repeated("[", 33) + repeated("]", 33)).find("nested too deeply") != std::string::npos);
  CHECK(refusal(repeated("[", 32) + repeated("]", 32)) == "accepted");
  CHECK(refusal(std::string(100, ' '), {99, 10, 10}).find("too large") != std::string::npos);
  CHECK(refusal("[1, 2, 3]", {100, 3, 10}).find("too many values") != std::string::npos);
  // Ten levels of ten aliases each: ten thousand million values.
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= 10; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below + repeated(", " + below, 9) + "]\n";
  }
  CHECK(refusal(bomb).find("too many values") != std::string::npos);
  // The same with one long text.
  std::string longer = "a: &a " + std::string(1'000'000, 'x') + "\nb: [*a";
  for (int i = 0; i < 10'000; ++i) longer += ", *a";
  CHECK(refusal(longer + "]\n").find("too many values") != std::string::npos);
  // Depth through aliases.
  std::string deep = "a0: &a0 [x]\n";
  for (int i = 1; i <= 40; ++i) deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  CHECK(refusal(deep).find("nested too deeply") != std::string::npos);
}

TEST_CASE("Maps know their keys and suggest the nearest") {
  const YamlValue root = parsed("time_contrl: 1\nwholly_other: 2\n");
  YamlMap map(root, "t.yaml", "the file");
  CHECK(map.find("time_control") == nullptr);
  CHECK_THROWS_WITH(map.refuse_unknown(), "t.yaml:1:1: unknown key 'time_contrl' in the file (expected 'time_control')");
  CHECK(map.find("time_contrl") != nullptr);
  CHECK_THROWS_WITH(map.refuse_unknown(),
                    Catch::Contains("t.yaml:2:1: unknown key 'wholly_other'") && Catch::Contains("one of time_control"));
  CHECK_THROWS_WITH(map.need("engines"), Catch::Contains("the file has no 'engines'"));

  const YamlValue both = parsed("movecount: 1\nmove_count: 2\n");
  YamlMap twice(both, "t.yaml", "the file");
  CHECK_THROWS_WITH(twice.find("move_count", "movecount"), Catch::Contains("mean the same"));
  const YamlValue old = parsed("movecount: 1\n");
  YamlMap accepted(old, "t.yaml", "the file");
  REQUIRE(accepted.find("move_count", "movecount") != nullptr);
  CHECK_NOTHROW(accepted.refuse_unknown());
  const YamlValue list = parsed("[1]");
  CHECK_THROWS_WITH(YamlMap(list, "t.yaml", "the file"), Catch::Contains("the file is a list"));
}

TEST_CASE("Typed values are read strictly") {
  const auto value = [](const std::string& text) { return parsed("v: " + text).entries.at(0).value; };
  const std::string file = "t.yaml";
  CHECK(as_bool(value("true"), file));
  for (const char* text : {"yes", "on", "True", "1", "'true'", ""}) CHECK_THROWS_AS(as_bool(value(text), file), ConfigException);
  CHECK(as_integer(value("-5"), file, -10, 10) == -5);
  CHECK(as_integer(value("0010"), file, 0, 10) == 10);
  for (const char* text : {"11", "-1", "1.0", "1e1", "0x5", "+5", "'5'", "5 5", "99999999999999999999999", "-", "", "[5]"}) {
    INFO(text);
    CHECK_THROWS_AS(as_integer(value(text), file, 0, 10), ConfigException);
  }
  CHECK(as_unsigned(value("18446744073709551615"), file, 0, UINT64_MAX) == UINT64_MAX);
  CHECK_THROWS_AS(as_unsigned(value("18446744073709551616"), file, 0, UINT64_MAX), ConfigException);
  CHECK(as_number(value("-2.5"), file, -3, 3) == -2.5);
  CHECK(as_number(value("1e-3"), file, -3, 3) == 1e-3);
  for (const char* text : {"nan", "inf", "1,5", "1e999", "4", "", "--1", "1e", "0x1p3"}) {
    INFO(text);
    CHECK_THROWS_AS(as_number(value(text), file, -3, 3), ConfigException);
  }
  CHECK(as_duration(value("20ms"), file) == 20ms);
  CHECK_THROWS_WITH(as_duration(value("20"), file), Catch::Contains("t.yaml:1:6: '20'") && Catch::Contains("without its unit"));
  CHECK(as_bytes(value("512KB"), file) == 512U * 1024U);
  CHECK(as_bytes(value("2 GB"), file) == 2ULL * 1024U * 1024U * 1024U);
  CHECK(as_bytes(value("65536"), file) == 65536U);
  for (const char* text : {"1TB", "MB", "-1", "1.5GB", "99999999999G", ""}) CHECK_THROWS_AS(as_bytes(value(text), file), ConfigException);
}

TEST_CASE("The nearest name") {
  const std::vector<std::string> names = {"round-robin", "gauntlet", "swiss", "time_margin", "timeouts"};
  CHECK(nearest_name("roundrobin", names) == "round-robin");
  CHECK(nearest_name("round_robin", names) == "round-robin");
  CHECK(nearest_name("Gauntlet", names) == "gauntlet");
  CHECK(nearest_name("timemargin", names) == "time_margin");
  CHECK(nearest_name("timeout", names) == "timeouts");
  CHECK_FALSE(nearest_name("elephant", names).has_value());
  CHECK_FALSE(nearest_name(std::string(100'000, 'x'), names).has_value());
}
