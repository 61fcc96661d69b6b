// What the API says of a match as a whole.
#include "referee/daemon/json_views.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace referee;
namespace json = boost::json;

namespace {

constexpr int nobody = -1;

/// A match of A and B: what A scored in each game, in hundredths; nobody: not played yet. A has White in the odd games.
daemon::EndedGames match_of(const std::vector<int>& points) {
  daemon::EndedGames games;
  for (int number = 1; number <= static_cast<int>(points.size()); ++number) {
    const int scored = points[static_cast<std::size_t>(number) - 1];
    if (scored == nobody) continue;
    const bool white = number % 2 == 1;
    record::GameRow row;
    row.game = number;
    row.pair = (number + 1) / 2;
    row.white = white ? "A" : "B";
    row.black = white ? "B" : "A";
    row.outcome = game::Outcome{};
    row.outcome->score = white ? game::Score{scored, 100 - scored} : game::Score{100 - scored, scored};
    games.put(row);
  }
  return games;
}

config::MatchFile file_with_test() {
  config::MatchFile file;
  file.engines.resize(2);
  file.engines[0].name = "A";
  file.engines[1].name = "B";
  file.sprt = config::Sprt{};
  return file;
}

}  // namespace

TEST_CASE("a sequential test is told by the complete pairs in the order of the plan, Elo by all complete pairs", "[statistics]") {
  // Pair 1: won and drawn; pair 2: its second game still runs; pair 3: lost twice.
  const json::object told = daemon::statistics(match_of({100, 50, 100, nobody, 0, 0}), file_with_test());
  const json::object& test = told.at("sprt").as_object();
  CHECK(test.at("pairs").as_int64() == 1);
  CHECK(test.at("ptnml").as_array() == json::array{0, 0, 0, 1, 0});
  CHECK(test.at("history").as_array().size() == 1);
  const json::object& elo = told.at("elo").as_object();
  CHECK(elo.at("pairs").as_int64() == 2);
  CHECK(elo.at("ptnml").as_array() == json::array{1, 0, 0, 1, 0});
  CHECK(told.at("games").as_int64() == 5);
}

TEST_CASE("the missing game of a pair lets the pairs behind it count", "[statistics]") {
  const json::object told = daemon::statistics(match_of({100, 50, 100, 0, 0, 0}), file_with_test());
  const json::object& test = told.at("sprt").as_object();
  CHECK(test.at("pairs").as_int64() == 3);
  CHECK(test.at("ptnml").as_array() == json::array{1, 0, 1, 1, 0});
  const json::array& history = test.at("history").as_array();
  REQUIRE(history.size() == 3);
  CHECK(history.back().as_array().front().as_int64() == 3);
  CHECK(history.back().as_array().back() == test.at("llr"));
}

TEST_CASE("a long test is charted by some hundreds of points, the last one among them", "[statistics]") {
  std::vector<int> points;
  for (int pair = 0; pair < 1203; ++pair) points.insert(points.end(), {pair % 3 == 0 ? 100 : 50, pair % 3 == 1 ? 0 : 50});
  const json::object told = daemon::statistics(match_of(points), file_with_test());
  const json::object& test = told.at("sprt").as_object();
  const json::array& history = test.at("history").as_array();
  CHECK(history.size() > 250);
  CHECK(history.size() <= 501);
  CHECK(history.back().as_array().front().as_int64() == 1203);
  CHECK(history.back().as_array().back() == test.at("llr"));
}
