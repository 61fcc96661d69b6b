// A plan that grows with what its journal brings is the plan that is drawn up from all of it at once.
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "referee/match/fingerprints.hpp"
#include "referee/match/match_run.hpp"
#include "referee/record/journal.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using namespace referee::test;

namespace {

using Row = std::tuple<int, int, int, std::size_t, std::size_t>;

std::vector<Row> games_of(const match::MatchPlan& plan) {
  std::vector<Row> rows;
  for (const match::PlannedGame& game : plan.games()) rows.emplace_back(game.number, game.pair, game.round, game.white, game.black);
  return rows;
}

std::vector<std::tuple<int, std::size_t>> gifts_of(const match::MatchPlan& plan) {
  std::vector<std::tuple<int, std::size_t>> gifts;
  for (const match::Gift& gift : plan.course().gifts) gifts.emplace_back(gift.round, gift.engine);
  return gifts;
}

/// The engine of the smaller number wins, but for draws now and then.
game::Score score_of(const match::PlannedGame& game) {
  if ((game.white + game.black) % 4 == 0) return game::draw;
  return game.white < game.black ? game::white_wins : game::black_wins;
}

}  // namespace

TEST_CASE("a plan that is brought to now, round by round, is the plan so far") {
  for (const auto kind : {config::ScheduleKind::swiss, config::ScheduleKind::knockout}) {
    const ScratchFolder folder;
    config::MatchFile file = match_of({"A", "B", "C", "D", "E", "F", "G"}, kind);
    file.output.folder = folder.file(".");
    file.output.journal = "match.sqlite";
    match::MatchPlan plan = match::plan_so_far(file);
    const std::size_t first_round = plan.games().size();
    const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
    journal->write_plan(match::fingerprint(plan, "a match file"));
    std::size_t played = 0;
    int rounds = 0;
    while (played < plan.games().size()) {
      // All but the last game of the round: nothing follows from that yet.
      for (const std::size_t upto : {plan.games().size() - 1, plan.games().size()}) {
        std::vector<record::Fact> facts;
        for (; played < upto; ++played) {
          const match::PlannedGame& game = plan.games()[played];
          record::GameStarted started;
          started.game = game.number;
          started.round = game.round;
          started.pair = game.pair;
          started.white = plan.white(game).name;
          started.black = plan.black(game).name;
          started.edition = file.edition;
          record::GameEnded ended;
          ended.game = game.number;
          ended.outcome.score = score_of(game);
          facts.emplace_back(started);
          facts.emplace_back(ended);
        }
        journal->write(facts);
        const std::size_t before = plan.games().size();
        match::bring_to_now(plan);
        if (upto < before) CHECK(plan.games().size() == before);
        const match::MatchPlan whole = match::plan_so_far(file);
        CHECK(games_of(plan) == games_of(whole));
        CHECK(gifts_of(plan) == gifts_of(whole));
        CHECK(plan.course().complete == whole.course().complete);
        CHECK(plan.course().champion == whole.course().champion);
        CHECK(plan.course().duels.size() == whole.course().duels.size());
      }
      ++rounds;
    }
    CHECK(plan.course().complete);
    CHECK(rounds >= 3);  // seven engines: 2^3 is the first power of two that holds them
    CHECK(plan.games().size() > first_round);
  }
}
