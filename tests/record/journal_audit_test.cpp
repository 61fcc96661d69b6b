// Rows of a journal that somebody changed behind its back, by SQL on the file: each change is found, and nothing else is.
#include <catch2/catch.hpp>

#include "referee/record/journal_audit.hpp"
#include "referee/record/replay.hpp"
#include "referee/record/sqlite.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using Catch::Matchers::Contains;

namespace {

constexpr int games_of_match = 4;

/// A match of four games, written as a match writes them.
class Match {
 public:
  explicit Match(bool finished = true) {
    auto journal = Journal::open(path(), Journal::Mode::create_new);
    PlanRecord plan;
    plan.planned_games = games_of_match;
    plan.digest = "digest";
    journal->write_plan(plan);
    journal->write({MatchStarted{wall(0), "digest", false}});
    for (int number = 1; number <= games_of_match; ++number) journal->write(played(started(number), {"e2e4", "e7e5"}));
    if (finished) journal->write({MatchFinished{wall(100), true}});
  }
  [[nodiscard]] std::string path() const { return folder_.file("m.sqlite"); }
  void write(const std::vector<Fact>& facts) const { Journal::open(path(), Journal::Mode::open_existing)->write(facts); }
  void tamper(const std::string& sql) const { sqlite::Connection(path(), sqlite::Access::read_write).execute(sql); }
  [[nodiscard]] std::string found() const {
    std::string text;
    for (const AuditFinding& finding : audit(path()).findings)
      text += std::to_string(finding.game) + " " + finding.recorded + " for " + finding.follows + "; ";
    return text;
  }
  /// What the replay of a game's row finds: nothing, or the members that differ.
  [[nodiscard]] std::string replayed(int game, EndOfGame end = EndOfGame::may_be_due) const {
    const auto journal = Journal::open(path(), Journal::Mode::read_only);
    const auto difference = replay(*journal->game(game), plain_edition(), {}, end);
    return difference ? difference->recorded + " for " + difference->ruled : "";
  }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("a journal that nobody touched agrees with itself") {
  const Match match;
  CHECK(match.found().empty());
  for (int game = 1; game <= games_of_match; ++game) CHECK(match.replayed(game, EndOfGame::is_recorded).empty());
  const JournalAudit finished = audit(match.path());
  CHECK((finished.at_rest && finished.ends_replaced == 0));
  const Match under_way(false);
  CHECK(under_way.found().empty());
  CHECK_FALSE(audit(under_way.path()).at_rest);
}

TEST_CASE("a row that does not repeat its game's start is shown") {
  const std::pair<std::string, std::string> changes[] = {
      {"white = 'Carlsen'", R"({"white":"Carlsen"} for {"white":"Anand"})"},
      {"black = white", R"({"black":"Anand"} for {"black":"Bronstein"})"},
      {"white = black, black = white", R"({"white":"Bronstein","black":"Anand"} for {"white":"Anand","black":"Bronstein"})"},
      {"round = 7", R"({"round":7} for {"round":1})"},
      {"pair = 7", R"({"pair":7} for {"pair":1})"},
      {"opening = 'C20'", R"({"opening":"C20"} for {"opening":""})"},
      {"started = '2020-01-01T00:00:00.000Z'", R"({"started":"2020-01-01T00:00:00.000Z"} for {"started":"2026-11-30T00:00:02.000Z"})"},
  };
  for (const auto& [change, expected] : changes) {
    INFO(change);
    const Match match;
    match.tamper("UPDATE games SET " + change + " WHERE game = 2");
    CHECK(match.replayed(2) == expected);
    CHECK(match.replayed(1).empty());
  }
}

TEST_CASE("plies, duration and outcome of a row are those that are ruled") {
  for (const std::string change : {"plies = 3", "duration_ns = duration_ns + 1", "detail = 'x'", "article = '1.1'", "undecided = 1",
                                   "white_score = 1, black_score = 0", "reason = 'agreement'"}) {
    INFO(change);
    const Match match;
    match.tamper("UPDATE games SET " + change + " WHERE game = 2");
    CHECK_FALSE(match.replayed(2).empty());
  }
}

TEST_CASE("columns of a row that contradict each other or the rest are shown") {
  const std::pair<std::string, std::string> changes[] = {
      {"counted = 0", R"(2 {"counted":false} for {"counted":true}; )"},
      {"counted = 2", R"(2 {"counted":2} for {"counted":1}; )"},
      {"voided = 1", R"(2 {"voided":true} for {"voided":false}; )"},
      {"result = '1/2-1/2'", R"(2 {"result":"1/2-1/2"} for {"result":"0-1"}; )"},  // White gave up
      {"edition = 'fide-2023'", R"(2 {"edition":"fide-2023"} for {"edition":"test"}; )"},
      {"end_order = 3", R"(2 {"end_order":3} for {"end_order":"its own"}; 3 {"end_order":3} for {"end_order":"its own"}; )"},
      {"attempt = 2", R"(2 {"attempt":2} for {"attempt":1}; )"},
  };
  for (const auto& [change, expected] : changes) {
    INFO(change);
    const Match match;
    match.tamper("UPDATE games SET " + change + " WHERE game = 2");
    CHECK(match.found() == expected);
  }
  const Match reordered;
  reordered.tamper("UPDATE games SET end_order = 40 WHERE game = 2");
  CHECK(audit(reordered.path()).ends_replaced == 36);  // no result was changed that would explain them
}

TEST_CASE("an end taken out of a row is missed") {
  const Match match;
  match.tamper("UPDATE games SET ended = NULL WHERE game = 2");
  CHECK_THAT(match.found(), Contains(R"(2 {"ended":false} for {"ended":true})"));
  const Match clean;
  clean.tamper(
      "UPDATE games SET ended = NULL, end_order = NULL, result = NULL, white_score = NULL, black_score = NULL, reason = NULL, "
      "article = NULL, detail = NULL, plies = 0, duration_ns = 0 WHERE game = 2");
  CHECK(clean.found() == R"(2 {"ended":false} for {"ended":true}; )");
  CHECK_THAT(clean.replayed(2, EndOfGame::is_recorded), Contains("resignation"));
  CHECK(clean.replayed(2, EndOfGame::may_be_due).empty());  // a match that is under way may be writing it
}

TEST_CASE("rows and facts that are gone are missed") {
  Match match;
  SECTION("in the middle") {
    match.tamper("DELETE FROM games WHERE game = 2");
    CHECK_THAT(match.found(), Contains(R"({"rows of games":3} for {"rows of games":4})"));
    CHECK_THAT(match.found(), Contains(R"(2 {"row":false} for {"row":true})"));
  }
  SECTION("the last, with its events") {
    match.tamper("DELETE FROM games WHERE game = 4; DELETE FROM events WHERE game_id = 4");
    CHECK(match.found() == R"(4 {"row":false} for {"row":true}; )");
  }
  SECTION("the plan has more, or fewer") {
    match.tamper("UPDATE plan SET planned_games = 5");
    CHECK(match.found() == R"(5 {"row":false} for {"row":true}; )");
    match.tamper("UPDATE plan SET planned_games = 3");
    CHECK(match.found() == R"(0 {"planned_games":3} for {"planned_games":4}; )");
  }
  SECTION("events") {
    match.tamper("UPDATE events SET count = 9 WHERE game_id = 2");
    CHECK(match.found() == R"(2 {"events":9} for {"events":5}; )");  // two turns, two moves, a resignation
  }
  SECTION("matters") {
    match.tamper("DELETE FROM matters WHERE id = 1");
    CHECK_THAT(match.found(), Contains(R"({"rows of matters":1} for {"rows of matters":2})"));
  }
}

TEST_CASE("what a match may do to its games is no fault of the journal") {
  Match match(false);
  SECTION("a game is void") {
    match.write({GameVoided{2, "withdrawn"}, GameVoided{3, "withdrawn"}});
    CHECK(match.found().empty());
    match.tamper("UPDATE games SET voided = 0 WHERE game = 3");
    CHECK(match.found() == R"(3 {"voided":false} for {"voided":true}; )");
  }
  SECTION("a void game was never begun") {
    match.tamper("UPDATE plan SET planned_games = 6");
    match.write({GameVoided{5, "withdrawn"}, GameVoided{6, "withdrawn"}, MatchFinished{wall(100), true}});
    CHECK(match.found().empty());
  }
  SECTION("another engine takes over, and plays") {
    match.write({GameVoided{2, "replaced"}, EngineReplaced{"Bronstein", "Carlsen"}});
    CHECK(match.found().empty());
    GameStarted again = started(2, 2);
    again.black = "Carlsen";
    match.write(played(again, {"d2d4"}));
    match.write({MatchFinished{wall(100), true}});
    CHECK(match.found().empty());
  }
  SECTION("a game is stopped, and played again") {
    match.tamper("UPDATE plan SET planned_games = 5");
    match.write({started(5)});
    match.write({MatchPaused{wall(50), "stopped"}, MatchStarted{wall(60), "digest", true}});
    match.write(played(started(5, 2), {"d2d4"}));
    CHECK(match.found().empty());
  }
  SECTION("an attempt is lost to a fault, and played again") {
    match.tamper("UPDATE plan SET planned_games = 5");
    std::vector<Fact> facts = played(started(5), {"d2d4"});
    std::get<GameEnded>(facts.back()).counted = false;
    facts.insert(facts.end() - 1, EngineFault{5, "Anand", game::Reason::crash, "", ""});
    match.write(facts);
    CHECK(match.found().empty());  // the next attempt is still due
    match.write(played(started(5, 2), {"d2d4"}));
    match.write({MatchFinished{wall(100), true}});
    CHECK(match.found().empty());
    match.tamper("UPDATE games SET counted = 1 WHERE attempt = 1 AND game = 5");
    CHECK(match.found() == R"(5 {"counted":true} for {"counted":false}; )");
  }
  SECTION("an arbiter changes a result after the end") {
    const auto before = Journal::open(match.path(), Journal::Mode::read_only)->game(2);
    game::Game judge(before->started.setup, plain_edition());
    for (const EventJudged& judged : before->events) (void)judge.apply(judged.event);
    const game::ArbiterOrder order{game::OrderKind::override_result, std::nullopt, {}, 50, 50, {}, false, "arbiter", "why"};
    EventJudged judged{2, {before->events.back().event.at, order}, {}, {}, {}, {}};
    judged.rulings = judge.apply(judged.event);
    REQUIRE(judge.outcome()->score == game::draw);
    match.write({judged, GameEnded{2, wall(90), *judge.outcome(), static_cast<int>(judge.plies()), judged.event.at, true}});
    CHECK(match.found().empty());
    CHECK(match.replayed(2).empty());
    CHECK(audit(match.path()).ends_replaced == 1);
  }
  SECTION("the plan is extended, and grows") {
    match.write({MatchFinished{wall(100), true}, MatchStarted{wall(101), "digest", true}, PlanExtended{6, 8}});
    for (const int number : {5, 6}) match.write(played(started(number), {"d2d4"}));
    match.write({MatchFinished{wall(102), true}});
    CHECK(match.found().empty());
  }
}
