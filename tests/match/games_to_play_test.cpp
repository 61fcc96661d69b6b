// Which games are due, whatever is said of them.
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/match/games_to_play.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using test::match_of;

namespace {

/// The games of a match of four, of which the first `played` have been played, as they are due.
struct Due {
  explicit Due(int played) {
    match::WhatIsLeft left;
    left.scores.fates.resize(plan.games().size());
    left.attempts.resize(plan.games().size());
    for (const match::PlannedGame& game : plan.games()) {
      if (game.number > played) {
        left.games.push_back(match::PendingGame::first_attempt(game.number));
        continue;
      }
      left.attempts[static_cast<std::size_t>(game.number) - 1] = 1;
      left.scores.fates[static_cast<std::size_t>(game.number) - 1] = {.kind = match::GameFate::Kind::scored, .score = game::white_wins};
    }
    games.emplace(
        plan, recorder, worker, std::move(left),
        match::GamesToPlay::Hooks{
            .notice = [](const std::string& /*text*/) {}, .on_test_decided = [] {}, .on_the_board = [this] { return on_the_board; }});
  }

  /// (game, attempt) of all that are due.
  std::vector<std::pair<int, int>> take_all() {
    std::vector<std::pair<int, int>> taken;
    while (games->has_more(false)) {
      const match::PendingGame game = games->take();
      taken.emplace_back(game.number, game.attempt);
    }
    return taken;
  }

  static config::MatchFile file() {
    config::MatchFile file = match_of({"A", "B"}, config::ScheduleKind::match);
    file.schedule.games_per_pairing = 4;
    return file;
  }

  test::ScratchFolder folder;
  match::MatchPlan plan = match::MatchPlan::make(file(), {});
  record::Recorder recorder{record::Journal::open(folder.file("m.sqlite"), record::Journal::Mode::create_new), {}, {}, {}};
  match::Worker worker;
  std::set<int> on_the_board;
  std::optional<match::GamesToPlay> games;
};

game::Outcome annulled() {
  game::Outcome outcome;
  outcome.annulled = true;
  outcome.reason = game::Reason::annulled_replay;
  return outcome;
}

}  // namespace

TEST_CASE("a finished game that is annulled comes once more, first, and only once") {
  Due due(2);
  due.games->change_result(1, annulled());
  due.games->change_result(1, annulled());  // two arbiters in the same instant
  CHECK(due.take_all() == std::vector<std::pair<int, int>>{{1, 2}, {3, 1}, {4, 1}});
}

TEST_CASE("a game that is being played once more does not come a third time by what was said of its attempt before") {
  Due due(2);
  due.games->change_result(2, annulled());
  const match::PendingGame again = due.games->take();
  REQUIRE((again.number == 2 && again.attempt == 2));
  due.on_the_board = {2};
  due.games->change_result(2, annulled());
  CHECK(due.take_all() == std::vector<std::pair<int, int>>{{3, 1}, {4, 1}});
}

TEST_CASE("an engine has enough faults at the number of the match file, or never") {
  config::MatchFile file = Due::file();
  file.faults.withdraw_after = 3;
  CHECK_FALSE(match::is_enough_for_withdrawal(file, 2));
  CHECK(match::is_enough_for_withdrawal(file, 3));
  file.faults.withdraw_after.reset();
  CHECK_FALSE(match::is_enough_for_withdrawal(file, 1000));
}
