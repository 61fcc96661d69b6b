#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>

#include "config/error.hpp"
#include "referee/cli/registry.hpp"

using namespace referee::cli;
namespace json = boost::json;

namespace {

/// What a command prints on stdout.
std::string output(const CommandDefinition& command, const std::vector<std::string>& words) {
  std::ostringstream caught;
  std::streambuf* const before = std::cout.rdbuf(caught.rdbuf());
  int code = exit_usage;
  try {
    code = command.run(parse_arguments(command, words));
  } catch (...) {
    std::cout.rdbuf(before);
    throw;
  }
  std::cout.rdbuf(before);
  CHECK(code == exit_done);
  return caught.str();
}

json::object parsed(const CommandDefinition& command, std::vector<std::string> words) {
  words.emplace_back("--json");
  return json::parse(output(command, words)).as_object();
}

}  // namespace

TEST_CASE("clock --json has the fields that scripts rely on") {
  const auto out = parsed(clock_command(), {"40/5400+30:1800+30"});
  CHECK(out.at("mode").as_string() == "increment");
  const auto& periods = out.at("periods").as_array();
  REQUIRE(periods.size() == 2);
  CHECK(periods[0].at("moves").as_int64() == 40);
  CHECK(periods[0].at("base_ms").as_int64() == 5'400'000);
  CHECK(periods[0].at("increment_ms").as_int64() == 30'000);
  CHECK(periods[0].at("delay_ms").as_int64() == 0);
  CHECK(periods[1].at("moves").as_int64() == 0);
  CHECK(out.at("initial_increment").as_bool());
  CHECK(out.at("pgn_tag").as_string() == "40/5400+30:1800+30");
  CHECK(out.at("category").at("fide-2023").as_string() == "standard");
  CHECK(out.at("category").at("engine-practice").is_null());
}

TEST_CASE("clock --json in every mode") {
  CHECK(parsed(clock_command(), {"300", "delay", "5"}).at("mode").as_string() == "delay");
  CHECK(parsed(clock_command(), {"300 bronstein 5"}).at("periods").at(0).at("delay_ms").as_int64() == 5000);
  CHECK(parsed(clock_command(), {"hourglass 60"}).at("mode").as_string() == "hourglass");
  CHECK(parsed(clock_command(), {"move 0.0005"}).at("periods").at(0).at("base_ms").as_double() == 0.5);
  const auto infinite = parsed(clock_command(), {"inf"});
  CHECK(infinite.at("mode").as_string() == "infinite");
  CHECK(infinite.at("periods").as_array().empty());
  CHECK(infinite.at("pgn_tag").as_string() == "-");
  // 10 min + 1 s is 11 minutes of 60 moves: blitz in 2005, rapid since 2014.
  const auto category = parsed(clock_command(), {"10m+1s"}).at("category").as_object();
  CHECK(category.at("fide-2005").as_string() == "blitz");
  CHECK(category.at("fide-2014").as_string() == "rapid");
  CHECK_FALSE(parsed(clock_command(), {"--edition", "lichess", "3m+2s"}).at("initial_increment").as_bool());
}

TEST_CASE("clock explains in words, with an example that no flag ends") {
  const std::string text = output(clock_command(), {"40/5400+30:1800+30"});
  CHECK_THAT(text, Catch::Contains("40 moves in 1:30:00, and 30 s more with each move"));
  CHECK_THAT(text, Catch::Contains("then all remaining moves in 30:00"));
  CHECK_THAT(text, Catch::Contains("start     1:30:30"));
  for (const char* control :
       {"40/60", "0+5", "300 delay 5", "300 bronstein 5", "hourglass 60", "40/240s:60s", "1/1", "1000000h", "0.5+0.05"}) {
    INFO(control);
    const std::string example = output(clock_command(), {control});
    CHECK_THAT(example, Catch::Contains("if every move takes") && !Catch::Contains("flag falls"));
  }
}

TEST_CASE("clock refuses with the column and both spellings") {
  CHECK_THROWS_WITH(output(clock_command(), {"40/240:60"}), Catch::Contains("column 7") && Catch::Contains("40/240s:60s"));
  CHECK_THROWS_AS(output(clock_command(), {}), UsageError);
  CHECK_THROWS_AS(output(clock_command(), {"60", "--edition", "fide-1850"}), referee::config::ConfigException);
}

TEST_CASE("editions prints a table and JSON of the same values") {
  const std::string table = output(editions_command(), {});
  CHECK_THAT(table, Catch::Contains("fide-2023: FIDE Laws of Chess, 1 January 2023"));
  CHECK_THAT(table, Catch::Contains("illegal_move.standard.forfeit_at"));
  CHECK_THAT(table, !Catch::Contains("lichess"));
  CHECK_THAT(output(editions_command(), {"--all"}), Catch::Contains("lichess"));

  const auto all = parsed(editions_command(), {}).at("editions").as_array();
  CHECK(all.size() == 11);
  const auto one = parsed(editions_command(), {"fide-2005"}).at("editions").as_array();
  REQUIRE(one.size() == 1);
  CHECK(one[0].at("illegal_move").at("standard").at("forfeit_at").as_int64() == 3);
  CHECK(one[0].at("lateness").at("default_time_ms").as_int64() == 3'600'000);
  CHECK(one[0].at("repetition").at("automatic").is_null());
  CHECK(one[0].at("articles").at("flag").as_string() == "6.10");
  CHECK(one[0].at("articles").at("automatic_repetition").is_null());
  CHECK_THROWS_WITH(output(editions_command(), {"fide-205"}), Catch::Contains("fide-2005"));
}
