// Rating lists are made one at a time, once for all who ask for the same games, and no more of them wait than are allowed to.
#include "referee/daemon/rating_desk.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>

#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;
using daemon::MatchBoard;
using daemon::RatedMatches;
using daemon::RatingDesk;

namespace {

std::shared_ptr<MatchBoard> board_of(const std::vector<std::string>& names) { return std::make_shared<MatchBoard>(match_of(names), 2); }

void play(MatchBoard& board, int number, const std::string& white, const std::string& black, game::Score score) {
  record::GameStarted started;
  started.game = number;
  started.white = white;
  started.black = black;
  board.see(started);
  record::GameEnded ended;
  ended.game = number;
  ended.outcome.score = score;
  board.see(ended);
}

/// A calculation that waits until it is let go.
struct Gate {
  std::promise<void> open;
  std::shared_future<void> opened = open.get_future().share();
  std::atomic<int> running{0}, most{0}, begun{0};
  RatingDesk::Calculate calculate = [this](const RatedMatches& /*matches*/) {
    most = std::max(most.load(), ++running);
    ++begun;
    opened.wait();
    --running;
    auto ratings = std::make_shared<daemon::Ratings>();
    ratings->calculate();
    return ratings;
  };
};

RatingDesk::Answer list_of(RatingDesk& desk, const RatedMatches& matches) {
  std::promise<RatingDesk::Answer> answer;
  REQUIRE(desk.ask(matches, [&answer](const RatingDesk::Answer& given) { answer.set_value(given); }));
  return answer.get_future().get();
}

}  // namespace

TEST_CASE("the games of a board are handed out as they stood", "[ratings]") {
  const auto board = board_of({"A", "B"});
  CHECK(board->games().empty());
  play(*board, 1, "A", "B", game::draw);
  const auto before = board->games();
  play(*board, 2, "B", "A", game::white_wins);
  const auto after = board->games();
  CHECK(before.size() == 1);
  REQUIRE(after.size() == 2);
  record::GameEnded changed;
  changed.game = 1;
  changed.outcome.score = game::white_wins;
  board->see(changed);
  CHECK(before.find(1)->score() == game::draw);
  CHECK(board->games().find(1)->score() == game::white_wins);
  const auto counted = [&board] { return std::pair(board->counts().finished, board->counts().voided); };
  CHECK(counted() == std::pair(2, 0));
  board->see(record::GameVoided{.game = 2, .why = "its engine is gone"});
  board->see(record::GameVoided{.game = 2, .why = "once more"});
  CHECK(counted() == std::pair(1, 1));
  CHECK(board->games().find(2)->voided());
  CHECK_FALSE(after.find(2)->voided());
  record::GameStarted again;
  again.game = 1;
  board->see(again);
  CHECK(board->games().size() == 1);
  CHECK(counted() == std::pair(0, 1));
  record::GameEnded lost;  // to a fault: it is played once more
  lost.game = 1;
  lost.counted = false;
  board->see(lost);
  CHECK(counted() == std::pair(0, 1));
  lost.counted = true;
  board->see(lost);
  CHECK(counted() == std::pair(1, 1));
}

TEST_CASE("a rating list is calculated again only when games that count are others", "[ratings]") {
  RatingDesk desk({});
  const auto board = board_of({"A", "B"});
  play(*board, 1, "A", "B", game::draw);
  const RatedMatches matches{{1, board}};
  const auto first = list_of(desk, matches).ratings;
  REQUIRE(first);
  CHECK(first->to_json(1).at("games").as_int64() == 1);
  // One draw: equals, at the average.
  const auto list = first->to_json(1);
  for (const auto& player : list.at("players").as_array()) CHECK(player.at("rating").to_number<double>() == Approx(2300));
  CHECK(list_of(desk, matches).ratings == first);
  CHECK(desk.calculated() == 1);
  play(*board, 2, "B", "A", game::draw);
  // What has changed is seen as soon as the calculation's tenfold time has passed.
  REQUIRE(eventually([&] { return list_of(desk, matches).ratings->to_json(1).at("games").as_int64() == 2; }));
  CHECK(desk.calculated() == 2);
  // A match that is read anew has another board, whose changes are counted from the start: as many are not the same.
  const auto anew = board_of({"A", "B"});
  play(*anew, 1, "A", "B", game::white_wins);
  play(*anew, 2, "B", "A", game::white_wins);
  CHECK(anew->results_version() == board->results_version());
  const auto before = list_of(desk, matches).ratings;
  REQUIRE(eventually([&] { return list_of(desk, {{1, anew}}).ratings != before; }));
  board->see(record::GameVoided{.game = 2, .why = "a test"});
  REQUIRE(eventually([&] { return list_of(desk, matches).ratings->to_json(1).at("games").as_int64() == 1; }));
}

TEST_CASE("one list is calculated at a time; who asks for the same waits for it, and no more wait than may", "[ratings]") {
  Gate gate;
  std::vector<int> answered(10, 0);
  std::mutex mutex;
  const auto note = [&](std::size_t asker) {
    return [&, asker](const RatingDesk::Answer& answer) {
      const std::lock_guard lock(mutex);
      answered[asker] += answer.ratings ? 1 : 0;
    };
  };
  const auto board = board_of({"A", "B"});
  const auto only = [&](int match) { return RatedMatches{{match, board}}; };
  {
    RatingDesk desk({.lists_kept = 2, .lists_waiting = 2, .askers_waiting = 5}, gate.calculate);
    CHECK(desk.ask(only(1), note(0)));
    REQUIRE(eventually([&] { return gate.begun == 1; }));
    CHECK(desk.ask(only(1), note(1)));  // joins the one that is made
    CHECK(desk.ask(only(2), note(2)));
    CHECK(desk.ask(only(3), note(3)));
    CHECK_FALSE(desk.ask(only(4), note(4)));  // a third that waits
    CHECK(desk.ask(only(3), note(5)));
    CHECK_FALSE(desk.ask(only(2), note(6)));  // a sixth asker
    CHECK(gate.begun == 1);
    gate.open.set_value();
    REQUIRE(eventually([&] { return desk.calculated() == 3; }));
    REQUIRE(eventually([&] {
      const std::lock_guard lock(mutex);
      return answered == std::vector<int>{1, 1, 1, 1, 0, 1, 0, 0, 0, 0};
    }));
    CHECK(gate.most == 1);
    CHECK(desk.ask(only(4), note(4)));
    REQUIRE(eventually([&] { return desk.calculated() == 4; }));
  }
  CHECK(answered[4] == 1);
}

TEST_CASE("what a calculation throws is told to whoever asked", "[ratings]") {
  RatingDesk desk({}, [](const RatedMatches&) -> std::shared_ptr<const daemon::Ratings> { throw std::length_error("too many"); });
  CHECK_THROWS_AS(std::rethrow_exception(list_of(desk, {}).problem), std::length_error);
}
