#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "referee/match/schedule.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using match::berger_table;
using match::make_pairings;
using match::Pairing;

namespace {
using Games = std::vector<std::pair<std::size_t, std::size_t>>;

/// As FIDE prints them: from 1.
Games from_one(const Games& games) {
  Games result;
  for (const auto& [white, black] : games) result.emplace_back(white + 1, black + 1);
  return result;
}
}  // namespace

TEST_CASE("Berger tables are those of the FIDE handbook", "[schedule]") {
  // C.05 annex 1: 3 or 4 players, 5 or 6 players, and round 5 of 7 or 8.
  const auto four = berger_table(4);
  REQUIRE(four.size() == 3);
  CHECK(from_one(four[0]) == Games{{1, 4}, {2, 3}});
  CHECK(from_one(four[1]) == Games{{4, 3}, {1, 2}});
  CHECK(from_one(four[2]) == Games{{2, 4}, {3, 1}});
  const auto six = berger_table(6);
  REQUIRE(six.size() == 5);
  CHECK(from_one(six[0]) == Games{{1, 6}, {2, 5}, {3, 4}});
  CHECK(from_one(six[1]) == Games{{6, 4}, {5, 3}, {1, 2}});
  CHECK(from_one(six[2]) == Games{{2, 6}, {3, 1}, {4, 5}});
  CHECK(from_one(six[3]) == Games{{6, 5}, {1, 4}, {2, 3}});
  CHECK(from_one(six[4]) == Games{{3, 6}, {4, 2}, {5, 1}});
  CHECK(from_one(berger_table(8)[4]) == Games{{3, 8}, {4, 2}, {5, 1}, {6, 7}});
  CHECK(from_one(berger_table(5)[0]) == Games{{2, 5}, {3, 4}});  // 1 is free
}

TEST_CASE("a round robin lets everybody meet everybody once a cycle", "[schedule]") {
  const int engines = GENERATE(2, 3, 5, 8, 11);
  const int per_pairing = GENERATE(1, 2, 3);
  std::vector<std::string> names;
  for (int i = 0; i < engines; ++i) names.push_back("E" + std::to_string(i));
  config::MatchFile file = test::match_of(names);
  file.schedule.games_per_pairing = per_pairing;
  file.schedule.cycles = 2;
  const std::vector<Pairing> games = make_pairings(file);
  CHECK(games.size() == static_cast<std::size_t>(engines * (engines - 1) / 2 * per_pairing * 2));
  std::map<std::pair<std::size_t, std::size_t>, int> met;
  std::map<int, std::map<std::size_t, std::set<std::size_t>>> opponents;  // by round
  for (const Pairing& game : games) {
    CHECK(game.white != game.black);
    ++met[{game.white, game.black}];
    opponents[game.round][game.white].insert(game.black);
    opponents[game.round][game.black].insert(game.white);
  }
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = 0; b < names.size(); ++b) {
      if (a != b) CHECK(met[std::pair{a, b}] == per_pairing);  // two cycles: as often White as Black
    }
  }
  for (const auto& [round, players] : opponents) {
    for (const auto& [player, others] : players) CHECK(others.size() == 1);
  }
}

TEST_CASE("an odd field gives each engine one free round", "[schedule]") {  // SC-03
  config::MatchFile file = test::match_of({"A", "B", "C", "D", "E"});
  file.schedule.games_per_pairing = 1;
  const auto games = make_pairings(file);
  CHECK(games.size() == 10);
  CHECK(games.back().round == 5);
  std::map<std::size_t, std::set<int>> rounds;
  for (const Pairing& game : games) {
    rounds[game.white].insert(game.round);
    rounds[game.black].insert(game.round);
  }
  for (const auto& [engine, played] : rounds) CHECK(played.size() == 4);
}

TEST_CASE("colours of a gauntlet balance in each pairing", "[schedule]") {  // SC-01
  config::MatchFile file = test::match_of({"A", "B", "C", "D"}, config::ScheduleKind::gauntlet);
  const auto games = make_pairings(file);
  REQUIRE(games.size() == 6);
  std::map<std::size_t, std::pair<int, int>> colours;
  for (const Pairing& game : games) {
    ++colours[game.white].first;
    ++colours[game.black].second;
    CHECK((game.white == 0 || game.black == 0));
  }
  CHECK(colours[0] == std::pair{3, 3});
  for (std::size_t other = 1; other < 4; ++other) CHECK(colours[other] == std::pair{1, 1});
}

TEST_CASE("several seeds meet everybody but each other", "[schedule]") {
  config::MatchFile file = test::match_of({"A", "B", "C", "D", "E"}, config::ScheduleKind::gauntlet);
  file.schedule.seeds = {"D", "B"};
  file.schedule.games_per_pairing = 1;
  std::set<std::pair<std::size_t, std::size_t>> met;
  std::map<int, std::multiset<std::size_t>> rounds;
  for (const Pairing& game : make_pairings(file)) {
    met.insert(std::minmax(game.white, game.black));
    rounds[game.round].insert(game.white);
    rounds[game.round].insert(game.black);
  }
  CHECK(met == std::set<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}, {1, 4}, {0, 3}, {2, 3}, {3, 4}});
  for (const auto& [round, players] : rounds) {
    for (const std::size_t player : players) CHECK(players.count(player) == 1);
  }
}

TEST_CASE("with one game a round, colours alternate by round", "[schedule]") {  // SC-05
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.schedule.games_per_pairing = 1;
  file.schedule.cycles = 4;
  std::vector<std::size_t> whites;
  std::vector<int> rounds;
  for (const Pairing& game : make_pairings(file)) {
    whites.push_back(game.white);
    rounds.push_back(game.round);
  }
  CHECK(whites == std::vector<std::size_t>{0, 1, 0, 1});
  CHECK(rounds == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("two engines play the number of games that is asked for", "[schedule]") {
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.schedule.games = 7;
  const auto games = make_pairings(file);
  REQUIRE(games.size() == 7);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(games[i].white == i % 2);
    CHECK(games[i].round == static_cast<int>(i / 2) + 1);
  }
}

TEST_CASE("a schedule that cannot be played is refused at its place in the file", "[schedule]") {
  const auto message = [](config::MatchFile file) -> std::string {
    file.schedule.place = {.line = 7, .column = 3};
    try {
      (void)make_pairings(file);
    } catch (const config::ConfigException& error) {
      CHECK(error.error().line == 7);
      CHECK(error.error().column == 3);
      return error.error().message;
    }
    return "";
  };
  CHECK(message(test::match_of({"A"})) == "one engine alone has nobody to play");
  CHECK(message(test::match_of({"A", "B", "C"}, config::ScheduleKind::match)) == "a match is played by two engines, here are 3");
  config::MatchFile gauntlet = test::match_of({"A", "B"}, config::ScheduleKind::gauntlet);
  gauntlet.schedule.seeds = {"Z"};
  CHECK(message(gauntlet) == "the seed 'Z' is no engine of this match");
  gauntlet.schedule.seeds = {"A", "B"};
  CHECK(message(gauntlet) == "every engine is a seed, so nobody is left to meet");
  config::MatchFile three = test::match_of({"A", "B", "C"});
  three.schedule.games = 10;
  CHECK(message(three) == "'games' counts the games of two engines, here are 3");
  config::MatchFile huge = test::match_of({"A", "B", "C"});
  huge.schedule.cycles = 2'000'000'000;
  huge.schedule.games_per_pairing = 2'000'000'000;
  CHECK(message(huge) == "the schedule has too many games");
  config::MatchFile swiss = test::match_of({"A", "B", "C", "D"}, config::ScheduleKind::swiss);
  swiss.schedule.rounds = 4;
  CHECK(message(swiss) == "4 rounds: nobody meets anybody twice in a Swiss tournament");
  swiss.schedule.rounds = 3;
  swiss.sprt = config::Sprt{};
  CHECK(message(swiss) == "a sequential test is of two engines, here are 4");
}

TEST_CASE("a pyramid: every engine meets those before it", "[schedule]") {
  config::MatchFile file = test::match_of({"v1", "v2", "v3", "v4"}, config::ScheduleKind::pyramid);
  file.schedule.games_per_pairing = 1;
  const auto games = make_pairings(file);
  std::vector<std::string> lines;
  for (const auto& game : games)
    lines.push_back(std::to_string(game.round) + " " + file.engines[game.white].name + "-" + file.engines[game.black].name);
  CHECK(lines == std::vector<std::string>{"1 v2-v1", "2 v3-v2", "2 v1-v3", "3 v4-v3", "3 v2-v4", "3 v4-v1"});
}

TEST_CASE("a gauntlet of several seeds meets the nearest of a rating list", "[schedule]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"Dev", "Base", "W", "X", "Y", "Z"}, config::ScheduleKind::gauntlet);
  file.schedule.seeds = {"Dev", "Base"};
  file.schedule.nearest = 2;
  const bool csv = GENERATE(true, false);
  file.schedule.ratings =
      csv ? folder.write("r.csv",
                         "rank,player,rating,error\n1,Z,3100,5\n2,Dev,2950.5,9\n3,Y,2900,5\n4,Base,2700,9\n5,X,2650,5\n6,\"W\",2500,5\n")
          : folder.write("r.json", R"([{"player":"Z","rating":3100},{"player":"Dev","rating":2950.5},{"player":"Y","rating":2900},)"
                                   R"({"player":"Base","rating":2700},{"player":"X","rating":2650},{"player":"W","rating":2500}])");
  std::set<std::pair<std::string, std::string>> met;
  for (const auto& game : make_pairings(file)) {
    auto names = std::minmax(file.engines[game.white].name, file.engines[game.black].name);
    met.insert(names);
  }
  CHECK(met == std::set<std::pair<std::string, std::string>>{{"Dev", "Y"}, {"Dev", "Z"}, {"Base", "X"}, {"Base", "W"}});
  file.schedule.ratings = folder.write("bad.csv", "player,rating\nDev,strong\n");
  CHECK_THROWS_WITH(make_pairings(file), Catch::Contains("line 2: 'strong' is no rating"));
}

TEST_CASE("who has only a bound in a rating list has no rating", "[schedule]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"Dev", "W", "X", "Y", "Z"}, config::ScheduleKind::gauntlet);
  file.schedule.seeds = {"Dev"};
  file.schedule.nearest = 3;
  // As `rate --csv` writes who has won or lost every game, also of other matches.
  file.schedule.ratings =
      folder.write("r.csv", "rank,player,rating,error\n1,Other,>3457.9,\n2,Dev,2950.5,9\n3,Y,2900,5\n4,W,<1500.5,\n5,X,?,\n6,Z,2400,5\n");
  CHECK(make_pairings(file).size() == 4);  // Y and Z, twice each
  const auto warning = match::warning_of_unrated(file);
  REQUIRE(warning);
  CHECK_THAT(*warning, Catch::Contains("nearest: 3 finds 2 opponents") && Catch::EndsWith("left out: W, X"));
  file.schedule.nearest = 2;
  CHECK_FALSE(match::warning_of_unrated(file));
  file.schedule.ratings = folder.write("bad.csv", "player,rating\nDev,>high\n");
  CHECK_THROWS_WITH(make_pairings(file), Catch::Contains("line 2: '>high' is no rating"));
}

TEST_CASE("the games of a schedule are counted as they are made", "[schedule]") {
  using config::ScheduleKind;
  for (const ScheduleKind kind : {ScheduleKind::round_robin, ScheduleKind::gauntlet, ScheduleKind::pyramid}) {
    for (const std::size_t engines : {2U, 3U, 4U, 7U}) {
      for (const int per_pairing : {1, 2, 5}) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < engines; ++i) names.push_back("E" + std::to_string(i));
        config::MatchFile file = test::match_of(names, kind);
        file.schedule.games_per_pairing = per_pairing;
        file.schedule.cycles = 3;
        CHECK(match::count_games(file) == make_pairings(file).size());
        if (kind != ScheduleKind::gauntlet || engines < 3) continue;
        file.schedule.seeds = {"E2", "E0"};
        CHECK(match::count_games(file) == make_pairings(file).size());
      }
    }
  }
  config::MatchFile file = test::match_of({"A", "B"}, ScheduleKind::match);
  file.schedule.games = 7;
  CHECK(match::count_games(file) == 7);
  file.schedule.games.reset();
  file.schedule.games_per_pairing = 10'000'000;
  file.schedule.cycles = 10'000'000;
  CHECK(match::count_games(file) == match::most_games + 1);
}
