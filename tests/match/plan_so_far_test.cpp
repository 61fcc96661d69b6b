// A plan that grows with what its journal brings is the plan that is drawn up from all of it at once.
#include <catch2/catch.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "referee/match/fingerprints.hpp"
#include "referee/match/match_run.hpp"
#include "referee/match/plan_so_far.hpp"
#include "referee/match/what_is_left.hpp"
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

/// Games are written to the journal as they would be played: begun, and over unless `open`.
enum class Ending { over, open };
void play(record::Journal& journal, const match::MatchPlan& plan, int number, game::Score score, Ending ending = Ending::over,
          int attempt = 1) {
  const match::PlannedGame& game = plan.game(number);
  record::GameStarted started;
  started.game = game.number;
  started.attempt = attempt;
  started.round = game.round;
  started.pair = game.pair;
  started.white = plan.white(game).name;
  started.black = plan.black(game).name;
  started.edition = plan.file().edition;
  std::vector<record::Fact> facts{started};
  if (ending == Ending::over) {
    record::GameEnded ended;
    ended.game = game.number;
    ended.outcome.score = score;
    facts.emplace_back(ended);
  }
  journal.write(facts);
}

std::vector<match::GameFate> scored(const std::vector<game::Score>& scores) {
  std::vector<match::GameFate> fates;
  for (const game::Score& score : scores) fates.push_back({.kind = match::GameFate::Kind::scored, .score = score});
  return fates;
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
        for (; played < upto; ++played) {
          const match::PlannedGame& game = plan.games()[played];
          play(*journal, plan, game.number, score_of(game));
        }
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

TEST_CASE("a plan that was moved draws up its own openings, whatever becomes of the place where it was") {
  const ScratchFolder folder;
  std::string book;
  for (const char* move : {"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"})
    book.append("[Event \"?\"]\n\n1. ").append(move).append(" *\n\n");
  config::MatchFile file = match_of({"A", "B", "C", "D"}, config::ScheduleKind::swiss);
  file.schedule.rounds = 2;
  file.openings.file = folder.write("book.pgn", book);
  file.openings.repeat = false;  // an opening a game
  match::MatchPlan place = match::MatchPlan::make(file);
  match::MatchPlan plan = std::move(place);
  file.openings.repeat = true;  // an opening a pair
  place = match::MatchPlan::make(file);
  REQUIRE(plan.games().size() == 4);
  REQUIRE(plan.grow(scored({game::draw, game::draw, game::draw, game::draw}), {}) == 4);
  for (int number = 1; number <= 8; ++number) {
    INFO(number);
    CHECK(plan.opening(plan.game(number)).moves.size() == 1);
    CHECK(plan.game(number).opening == static_cast<std::size_t>(number) - 1);
  }
}

TEST_CASE("what was drawn up stands when a result is changed afterwards", "[orders]") {
  for (const auto kind : {config::ScheduleKind::swiss, config::ScheduleKind::knockout}) {
    const bool swiss = kind == config::ScheduleKind::swiss;
    const bool annulled = GENERATE(false, true);
    CAPTURE(swiss, annulled);
    const ScratchFolder folder;
    config::MatchFile file = match_of({"A", "B", "C", "D", "E", "F", "G", "H"}, kind);
    file.schedule.rounds = 3;
    file.schedule.games_per_pairing = 1;
    file.output.folder = folder.file(".");
    file.output.journal = "match.sqlite";
    match::MatchPlan plan = match::plan_so_far(file);
    const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
    journal->write_plan(match::fingerprint(plan, "a match file"));
    REQUIRE(plan.games().size() == 4);
    const std::vector<game::Score> first_round(4, game::white_wins);
    for (int number = 1; number <= 4; ++number) play(*journal, plan, number, game::white_wins);
    match::bring_to_now(plan);
    const std::size_t second = swiss ? 8 : 6;
    REQUIRE(plan.games().size() == second);
    play(*journal, plan, 5, game::white_wins);
    play(*journal, plan, 6, game::draw, Ending::open);

    // The arbiter decides that Black has won game 1, or that it is to be played again.
    game::Outcome as_played;
    as_played.score = game::white_wins;
    std::vector<record::Fact> facts{match::change_of(file, 1, as_played).value()};
    record::GameEnded changed;
    changed.game = 1;
    changed.outcome.score = game::black_wins;
    changed.outcome.annulled = annulled;
    changed.counted = !annulled;
    facts.emplace_back(changed);
    journal->write(facts);
    CHECK(games_of(match::plan_so_far(file)) == games_of(plan));

    for (int number = 6; number <= static_cast<int>(second); ++number)
      play(*journal, plan, number, game::white_wins, Ending::over, number == 6 ? 2 : 1);
    if (annulled && swiss) {  // nothing is drawn up while a game is to be played again
      CHECK(match::plan_so_far(file).games().size() == second);
      play(*journal, plan, 1, game::black_wins, Ending::over, 2);
    }
    // The next round of a Swiss tournament heeds the new score (C.04.2); of a knockout, who has gone on has gone on.
    std::vector<game::Score> scores = first_round;
    match::MatchPlan expected = match::MatchPlan::make(file);
    REQUIRE(expected.grow(scored(scores), {}) == second - 4);
    scores.resize(second, game::white_wins);
    if (swiss) scores.front() = game::black_wins;
    REQUIRE(expected.grow(scored(scores), {}) == (swiss ? 4U : 1U));
    CHECK(games_of(match::plan_so_far(file)) == games_of(expected));
    match::bring_to_now(plan);
    CHECK(games_of(plan) == games_of(expected));
  }
}

TEST_CASE("a verdict that a changed result undoes lets the games behind it be played") {
  const ScratchFolder folder;
  config::MatchFile file = match_of({"A", "B"}, config::ScheduleKind::match);
  file.output.folder = folder.file(".");
  file.output.journal = "match.sqlite";
  file.sprt.emplace();
  file.sprt->elo0 = 0;
  file.sprt->elo1 = 200;
  file.sprt->model = "logistic";
  match::MatchPlan plan = match::plan_so_far(file);
  REQUIRE(plan.grow_to(12));
  const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
  journal->write_plan(match::fingerprint(plan, "a match file"));
  // A loses until the test is decided, and two games end behind that.
  match::SprtTracker test(*file.sprt);
  int last = 0;
  while (!test.decided()) {
    REQUIRE(plan.grow_to(++last));
    const bool white = plan.game(last).white == 0;
    play(*journal, plan, last, white ? game::black_wins : game::white_wins);
    (void)test.set(last, 0);
  }
  REQUIRE(last == 2 * test.pairs());
  REQUIRE(plan.grow_to(last + 2));
  for (const int behind : {last + 1, last + 2}) {
    play(*journal, plan, behind, game::draw);
    journal->write({record::GameVoided{.game = behind, .why = std::string(match::ended_after_the_test)}});
  }
  const auto left = [&] {
    match::MatchPlan again = match::MatchPlan::make(file, {});
    return match::what_is_left(again, *journal, match::Arbiter::none);
  };
  CHECK(left().games.empty());
  CHECK_FALSE(match::has_games_left(file));
  CHECK(left().scores.voided == std::set<int>{last + 1, last + 2});
  for (const int game : {1, 2}) {
    record::GameEnded changed;
    changed.game = game;
    changed.outcome.score = plan.game(game).white == 0 ? game::white_wins : game::black_wins;
    changed.outcome.reason = game::Reason::result_overridden;
    journal->write({changed});
  }
  const match::WhatIsLeft open = left();
  CHECK(match::has_games_left(file));
  CHECK_FALSE(open.scores.test->decided());
  CHECK(open.scores.voided.empty());
  REQUIRE(open.games.size() == 2);
  CHECK(open.games[0].number == last + 1);
  CHECK(open.games[0].attempt == 2);
  // What was void is no evidence until it has been played once more.
  CHECK(open.scores.fates[static_cast<std::size_t>(last)].kind == match::GameFate::Kind::open);
  CHECK(open.scores.fates[0].kind == match::GameFate::Kind::scored);
}

namespace {

void fault(record::Journal& journal, int game, const std::string& engine) {
  journal.write({record::EngineFault{.game = game, .engine = engine, .reason = game::Reason::crash, .detail = {}, .log = {}}});
}

}  // namespace

TEST_CASE("an engine whose faults are enough is out of the next round, also if a kill kept its withdrawal from the record") {
  const ScratchFolder folder;
  config::MatchFile file = match_of({"A", "B", "C", "D"}, config::ScheduleKind::swiss);
  file.schedule.rounds = 3;
  file.schedule.games_per_pairing = 1;
  file.faults.withdraw_after = 1;
  file.output.folder = folder.file(".");
  file.output.journal = "match.sqlite";
  const match::MatchPlan first = match::plan_so_far(file);
  REQUIRE(first.games().size() == 2);
  const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
  journal->write_plan(match::fingerprint(first, "a match file"));
  play(*journal, first, 1, game::white_wins);
  play(*journal, first, 2, game::white_wins);
  const std::size_t bad = first.game(2).black;
  fault(*journal, 2, file.engines[bad].name);
  const auto read = [&](const match::MatchPlan& plan, const match::WhatIsLeft& left) {
    CHECK(plan.games().size() == 3);  // one game of the three that are left, and a bye
    CHECK((plan.games().back().white != bad && plan.games().back().black != bad));
    CHECK(left.games.size() == 1);
  };
  match::MatchPlan due = match::MatchPlan::make(file, {});
  const match::WhatIsLeft left = match::what_is_left(due, *journal, match::Arbiter::none);
  read(due, left);
  CHECK(left.withdrawn.empty());
  REQUIRE(left.to_withdraw == std::map<std::size_t, int>{{bad, 2}});
  CHECK(match::is_half_done(due, left));
  // With the withdrawal as it is recorded then, it is the same plan.
  journal->write({record::EngineWithdrawn{.engine = file.engines[bad].name, .why = "1 fault", .planned_games = left.to_withdraw.at(bad)}});
  match::MatchPlan done = match::MatchPlan::make(file, {});
  const match::WhatIsLeft after = match::what_is_left(done, *journal, match::Arbiter::none);
  read(done, after);
  CHECK(after.to_withdraw.empty());
  CHECK_FALSE(match::is_half_done(done, after));
  CHECK(games_of(done) == games_of(due));
}

TEST_CASE("a round that had begun when an engine had its faults is not drawn up anew") {
  const ScratchFolder folder;
  config::MatchFile file = match_of({"A", "B", "C", "D"}, config::ScheduleKind::swiss);
  file.schedule.rounds = 3;
  file.schedule.games_per_pairing = 1;
  file.faults.withdraw_after = 2;
  file.output.folder = folder.file(".");
  file.output.journal = "match.sqlite";
  match::MatchPlan plan = match::plan_so_far(file);
  const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
  journal->write_plan(match::fingerprint(plan, "a match file"));
  play(*journal, plan, 1, game::white_wins);
  play(*journal, plan, 2, game::white_wins);
  match::bring_to_now(plan);
  REQUIRE(plan.games().size() == 4);
  play(*journal, plan, 3, game::white_wins);
  const std::size_t bad = plan.game(3).black;
  for (const int game : {1, 3}) fault(*journal, game, file.engines[bad].name);
  match::MatchPlan again = match::MatchPlan::make(file, {});
  const match::WhatIsLeft left = match::what_is_left(again, *journal, match::Arbiter::none);
  CHECK(games_of(again) == games_of(plan));
  REQUIRE(left.games.size() == 1);
  CHECK(left.games[0].number == 4);
  CHECK(left.to_withdraw.contains(bad));
}

TEST_CASE("a withdrawal that makes all games void is brought to its end after a kill, also when nothing is left to play") {
  const ScratchFolder folder;
  config::MatchFile file = match_of({"A", "B"}, config::ScheduleKind::match);
  file.schedule.games_per_pairing = 2;
  file.faults.withdraw_after = 2;
  file.output.folder = folder.file(".");
  file.output.journal = "match.sqlite";
  const auto scope = GENERATE(config::VoidScope::remaining, config::VoidScope::all);
  file.faults.void_scope = scope;
  const match::MatchPlan plan = match::plan_so_far(file);
  REQUIRE(plan.games().size() == 2);
  const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
  journal->write_plan(match::fingerprint(plan, "a match file"));
  const auto is_half_done = [&] {
    match::MatchPlan again = match::MatchPlan::make(file, {});
    const match::WhatIsLeft left = match::what_is_left(again, *journal, match::Arbiter::none);
    return match::is_half_done(again, left);
  };
  play(*journal, plan, 1, game::white_wins);
  play(*journal, plan, 2, game::white_wins);
  CHECK_FALSE(is_half_done());
  for (const int game : {1, 2}) fault(*journal, game, "B");
  CHECK(is_half_done());  // the withdrawal itself
  journal->write({record::EngineWithdrawn{.engine = "B", .why = "2 faults", .planned_games = 2}});
  CHECK(is_half_done() == (scope == config::VoidScope::all));
  for (const int game : {1, 2}) journal->write({record::GameVoided{.game = game, .why = "B was withdrawn"}});
  CHECK_FALSE(is_half_done());
}

TEST_CASE("a game that goes on after a kill is the same attempt, one that is played anew is the next") {
  const ScratchFolder folder;
  config::MatchFile file = match_of({"A", "B"}, config::ScheduleKind::match);
  file.output.folder = folder.file(".");
  file.output.journal = "match.sqlite";
  const match::MatchPlan plan = match::plan_so_far(file);
  const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
  journal->write_plan(match::fingerprint(plan, "a match file"));
  play(*journal, plan, 1, game::draw, Ending::open);
  for (const auto& [policy, attempt] : {std::pair(config::OnInterrupt::resume, 1), std::pair(config::OnInterrupt::replay, 2)}) {
    file.on_interrupt = policy;
    match::MatchPlan again = match::MatchPlan::make(file, {});
    const match::WhatIsLeft left = match::what_is_left(again, *journal, match::Arbiter::none);
    REQUIRE(left.games.size() == 2);
    CHECK(left.games[0].attempt == attempt);
    CHECK(left.games[0].is_begun() == (policy == config::OnInterrupt::resume));
  }
}
