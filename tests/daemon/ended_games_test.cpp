// What a daemon keeps of every game it has played: all that was told, each in little room, and lists that do not change under a reader.
#include "referee/daemon/ended_games.hpp"

#include <catch2/catch.hpp>

using namespace referee;
using daemon::EndedGame;
using daemon::EndedGames;

namespace {

record::GameRow row_of(int number) {
  record::GameRow row;
  row.game = number;
  row.attempt = 2;
  row.round = 3;
  row.pair = (number + 1) / 2;
  row.white = "White of " + std::to_string(number % 7);
  row.black = "Black of " + std::to_string(number % 5);
  row.opening = "an opening with a name that needs room of its own";
  row.started = record::WallTime{} + std::chrono::seconds(1000 + number);
  row.ended = record::WallTime{} + std::chrono::seconds(2000 + number);
  row.outcome = game::Outcome{.score = game::black_wins,
                              .reason = game::Reason::checkmate,
                              .article = "5.1.1",
                              .detail = "White is mated",
                              .undecided = number % 2 == 0,
                              .annulled = number % 3 == 0};
  row.plies = 10 + number;
  row.duration = std::chrono::milliseconds(77 + number);
  row.counted = number % 4 != 0;
  row.voided = number % 11 == 0;
  return row;
}

std::vector<int> numbers_of(const EndedGames& games) {
  std::vector<int> numbers;
  games.each([&numbers](const EndedGame& game) { numbers.push_back(game.number()); });
  return numbers;
}

}  // namespace

TEST_CASE("what was told of a game comes back whole, in whichever order games end", "[ended_games]") {
  EndedGames games;
  for (const int number : {700, 1, 64, 63, 3, 65, 128}) games.put(row_of(number));
  CHECK(numbers_of(games) == std::vector<int>{1, 3, 63, 64, 65, 128, 700});
  CHECK(games.size() == 7);
  for (const int number : numbers_of(games)) {
    REQUIRE(games.find(number) != nullptr);
    CHECK(games.find(number)->row() == row_of(number));
  }
  for (const int number : {-1, 0, 2, 66, 699, 701, 100'000}) CHECK(games.find(number) == nullptr);
  record::GameRow running;  // void before anybody sat down: no outcome, no end
  running.game = 2;
  running.voided = true;
  games.put(running);
  CHECK(games.find(2)->row() == running);
  CHECK_FALSE(games.find(2)->counts());
}

TEST_CASE("a game that is told again takes its own place, one that begins again leaves", "[ended_games]") {
  EndedGames games;
  for (int number = 1; number <= 200; ++number) games.put(row_of(number));
  const EndedGames before = games;
  record::GameRow changed = row_of(100);
  changed.outcome->score = game::draw;
  games.put(changed);
  games.take_out(64);
  games.take_out(64);
  games.take_out(5000);
  CHECK(games.size() == 199);
  CHECK(games.find(64) == nullptr);
  CHECK(games.find(100)->score() == game::draw);
  CHECK(before.size() == 200);
  CHECK(before.find(64) != nullptr);
  CHECK(before.find(100)->row() == row_of(100));
  for (int number = 1; number <= 200; ++number) games.take_out(number);
  CHECK(games.empty());
  CHECK(numbers_of(games).empty());
}

TEST_CASE("games are given out by the page, and the last of them", "[ended_games]") {
  EndedGames games;
  CHECK(games.page(1, 10).empty());
  CHECK_FALSE(games.first_of_last(1));
  for (int number = 2; number <= 400; number += 2) games.put(row_of(number));
  const auto page = games.page(127, 70);
  REQUIRE(page.size() == 70);
  CHECK(page.front() == row_of(128));
  CHECK(page.back() == row_of(266));
  CHECK(games.page(399, 70).size() == 1);
  CHECK(games.page(401, 70).empty());
  CHECK(games.page(1, 0).empty());
  CHECK(games.first_of_last(1) == 400);
  CHECK(games.first_of_last(32) == 338);
  CHECK(games.first_of_last(200) == 2);
  CHECK_FALSE(games.first_of_last(201));
}
