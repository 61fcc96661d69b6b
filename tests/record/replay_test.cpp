#include <catch2/catch.hpp>

#include "referee/record/replay.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using Catch::Matchers::Contains;

namespace {

RecordedGame through_journal(const std::vector<Fact>& facts) {
  const TempFolder folder;
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  journal->write(facts);
  return *journal->game(1);
}

}  // namespace

TEST_CASE("a game that was judged is judged the same again") {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const RecordedGame game = through_journal(played(started(1), random_moves(seed, 80), true));
    int events = 0;
    const auto difference = replay(
        game, plain_edition(), [&](int number, const EventJudged&, const game::Rulings&, const game::Game&) { CHECK(number == ++events); });
    CHECK_FALSE(difference);
    CHECK(events == static_cast<int>(game.events.size()));
  }
}

TEST_CASE("the first ruling that does not follow is shown") {
  RecordedGame game = through_journal(played(started(1), {"e2e4", "e7e5", "g1f3"}));
  auto& move = std::get<game::MoveAccepted>(game.events[3].rulings[0].body);
  move.remaining += game::Duration(1);  // a nanosecond
  auto difference = replay(game, plain_edition());
  REQUIRE(difference);
  CHECK(difference->event == 4);
  CHECK(difference->recorded != difference->ruled);
  CHECK_THAT(difference->ruled, Contains("\"san\":\"e5\""));

  game = through_journal(played(started(1), {"e2e4", "e7e5", "g1f3"}));
  std::get<game::MoveReceived>(game.events[1].event.body).text = "e2e5";  // what an engine cannot have been allowed
  difference = replay(game, plain_edition());
  REQUIRE(difference);
  CHECK(difference->event == 2);
  CHECK_THAT(difference->recorded, Contains("move_accepted"));
  CHECK_THAT(difference->ruled, !Contains("move_accepted"));
}

TEST_CASE("an outcome that does not follow is shown") {
  RecordedGame game = through_journal(played(started(1), {"f2f3", "e7e5", "g2g4", "d8h4"}));
  CHECK_FALSE(replay(game, plain_edition()));
  game.row.outcome->score = game::draw;
  const auto difference = replay(game, plain_edition());
  REQUIRE(difference);
  CHECK(difference->event == 0);
  CHECK_THAT(difference->recorded, Contains("1/2-1/2"));
  CHECK_THAT(difference->ruled, Contains("0-1"));
}

TEST_CASE("a game that was stopped has no outcome to compare") {
  std::vector<Fact> facts = played(started(1), {"e2e4", "e7e5"});
  facts.pop_back();
  facts.pop_back();
  CHECK_FALSE(replay(through_journal(facts), plain_edition()));
}
