#include <catch2/catch.hpp>

#include "referee/cli/command.hpp"

using namespace referee::cli;

namespace {

CommandDefinition sample() {
  return {"sample",
          "a sample",
          "FILE...",
          "",
          {{"fen", "FEN", "a position", false, {}},
           {"depth", "N", "plies", false, {}},
           {"each", "KEY=VALUE", "for all", true, {}},
           {"order", "ORDER", "order", false, {"random", "sequential"}},
           {"json", "", "JSON alone", false, {}}},
          {},
          [](const Arguments&) { return exit_done; },
          false};
}

std::string complaint(const std::vector<std::string>& words, const CommandDefinition& command = sample()) {
  try {
    (void)parse_arguments(command, words);
  } catch (const UsageError& error) { return error.what(); }
  return "";
}

}  // namespace

TEST_CASE("options and operands in any order") {
  const auto arguments = parse_arguments(sample(), {"a.pgn", "--depth", "5", "--json", "--fen=8/8 w", "-", "b.pgn"});
  CHECK(arguments.has("json"));
  CHECK(arguments.value("fen") == "8/8 w");
  CHECK(arguments.integer("depth", 0, 10) == 5);
  CHECK(arguments.operands() == std::vector<std::string>{"a.pgn", "-", "b.pgn"});
  CHECK_FALSE(arguments.value("order"));
}

TEST_CASE("negative numbers are values, never options") {
  const auto arguments = parse_arguments(sample(), {"--depth", "-3"});
  CHECK(arguments.value("depth") == "-3");
  CHECK_THROWS_AS(arguments.integer("depth", 0, 10), UsageError);
}

TEST_CASE("nothing is guessed and nothing is dropped") {
  CHECK_THAT(complaint({"--dep", "5"}), Catch::Contains("unknown option --dep") && Catch::Contains("--depth"));
  CHECK_THAT(complaint({"--jsn"}), Catch::Contains("did you mean --json"));
  CHECK_THAT(complaint({"--zzzzzzzz=1"}), Catch::Contains("unknown option --zzzzzzzz") && !Catch::Contains("did you mean"));
  CHECK_THAT(complaint({"-d", "5"}), Catch::Contains("unknown option"));
  CHECK_THAT(complaint({"--depth"}), Catch::Contains("depth"));
  CHECK_THAT(complaint({"--json=yes"}), Catch::Contains("json"));
  CHECK_THAT(complaint({"--fen", "a", "--fen", "b"}), Catch::Contains("more than once"));
  CHECK_THAT(complaint({"--order", "rnadom"}), Catch::Contains("random, sequential"));
  CHECK(complaint({"--each", "a=1", "--each", "b=2"}).empty());
}

TEST_CASE("numbers are whole and within bounds") {
  CHECK_THROWS_AS(parse_arguments(sample(), {"--depth", "5x"}).integer("depth", 0, 10), UsageError);
  CHECK_THROWS_AS(parse_arguments(sample(), {"--depth", "11"}).integer("depth", 0, 10), UsageError);
  CHECK_THROWS_AS(parse_arguments(sample(), {"--depth", "99999999999999999999"}).integer("depth", 0, 10), UsageError);
  CHECK_THROWS_AS(parse_arguments(sample(), {"--depth", "nan"}).number("depth"), UsageError);
}

TEST_CASE("what stands behind -- is left alone") {
  CHECK(parse_arguments(sample(), {"--", "--fen", "-x"}).operands() == std::vector<std::string>{"--fen", "-x"});
  auto probe = sample();
  probe.takes_rest = true;
  const auto arguments = parse_arguments(probe, {"--json", "--", "engine", "--fen", "x"});
  CHECK(arguments.has("json"));
  CHECK(arguments.operands().empty());
  CHECK(arguments.rest() == std::vector<std::string>{"engine", "--fen", "x"});
}

TEST_CASE("every command is documented the same way everywhere") {
  const std::string overview = overview_text();
  const std::string man = man_page();
  for (const auto& command : commands()) {
    INFO(command.name);
    CHECK_FALSE(command.summary.empty());
    CHECK_THAT(overview, Catch::Contains("  " + command.name + " "));
    const std::string help = help_text(command);
    for (const auto& option : command.options) {
      INFO(option.name);
      CHECK_FALSE(option.help.empty());
      CHECK_THAT(help, Catch::Contains("--" + option.name));
      for (const std::string shell : {"bash", "zsh", "fish"}) CHECK_THAT(completion_script(shell), Catch::Contains(option.name));
    }
  }
  CHECK_THAT(man, Catch::StartsWith(".TH REFEREE 1"));
  CHECK_THROWS_AS(completion_script("tcsh"), UsageError);
}
