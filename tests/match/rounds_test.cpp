// Schedules that depend on results: the plan grows round by round, and again in the same way from the same results.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "referee/match/bracket.hpp"
#include "referee/match/knockout.hpp"
#include "referee/match/plan.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using match::GameFate;
using match::MatchPlan;
using match::PlannedGame;

namespace {

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(std::string(1, static_cast<char>('A' + i)));
  return out;
}

GameFate scored(game::Score score) { return {.kind = GameFate::Kind::scored, .score = score}; }

std::vector<std::string> pairs_of(const MatchPlan& plan) {
  std::vector<std::string> lines;
  for (const PlannedGame& game : plan.games())
    lines.push_back(std::to_string(game.round) + " " + plan.white(game).name + "-" + plan.black(game).name);
  return lines;
}

/// The better engine (earlier in the alphabet) wins.
game::Score by_strength(const PlannedGame& game) { return game.white < game.black ? game::white_wins : game::black_wins; }

template <class Result>
std::vector<GameFate> play_out(MatchPlan& plan, const Result& result) {
  std::vector<GameFate> fates;
  do {
    for (std::size_t i = fates.size(); i < plan.games().size(); ++i) fates.push_back(scored(result(plan.games()[i])));
  } while (plan.grow(fates, {}) > 0);
  return fates;
}

}  // namespace

TEST_CASE("a knockout of eight is seeded so that the best meet last", "[rounds]") {
  config::MatchFile file = test::match_of(names(8), config::ScheduleKind::knockout);
  file.schedule.games_per_pairing = 2;
  MatchPlan plan = MatchPlan::make(file);
  CHECK(plan.growth() == MatchPlan::Growth::by_results);
  CHECK(plan.expected_games() == 14);
  CHECK(pairs_of(plan) == std::vector<std::string>{"1 A-H", "1 H-A", "1 D-E", "1 E-D", "1 B-G", "1 G-B", "1 C-F", "1 F-C"});
  play_out(plan, by_strength);
  const auto lines = pairs_of(plan);
  REQUIRE(lines.size() == 14);
  CHECK(std::vector<std::string>(lines.begin() + 8, lines.end()) ==
        std::vector<std::string>{"2 A-D", "2 D-A", "2 B-C", "2 C-B", "3 A-B", "3 B-A"});
}

TEST_CASE("in a knockout of five the first three have no opponent in round one", "[rounds]") {
  MatchPlan plan = MatchPlan::make(test::match_of(names(5), config::ScheduleKind::knockout));
  CHECK(pairs_of(plan) == std::vector<std::string>{"1 D-E", "1 E-D"});
  play_out(plan, by_strength);
  CHECK(plan.games().size() == 8);
  CHECK(match::bracket_places(8) == std::vector<std::size_t>{0, 7, 3, 4, 1, 6, 2, 5});
}

TEST_CASE("level encounters get more pairs, then the last resort", "[rounds]") {
  config::MatchFile file = test::match_of(names(4), config::ScheduleKind::knockout);
  file.schedule.extra_pairs = 2;
  const auto always_drawn = [](const PlannedGame&) { return game::draw; };
  MatchPlan plan = MatchPlan::make(file);
  play_out(plan, always_drawn);
  // Two encounters and a final, each of 2 games, 2 pairs more and one that decides.
  REQUIRE(plan.games().size() == 3 * (2 + 4 + 1));
  // A draw in the deciding game counts for Black.
  const PlannedGame& first = plan.games()[12];
  const PlannedGame& second = plan.games()[13];
  const std::set<std::size_t> finalists{first.black, second.black};
  CHECK(std::set<std::size_t>{plan.games()[14].white, plan.games()[14].black} == finalists);
  std::map<int, int> openings;  // a pair keeps its opening, another pair has its own number
  for (const PlannedGame& game : plan.games()) ++openings[game.pair];
  CHECK(std::ranges::count_if(openings, [](const auto& entry) { return entry.second == 1; }) == 3);

  file.schedule.last_resort = config::LastResort::higher_seed;
  MatchPlan seeds = MatchPlan::make(file);
  play_out(seeds, always_drawn);
  REQUIRE(seeds.games().size() == 3 * 6);
  CHECK(pairs_of(seeds).back() == "2 B-A");
  file.schedule.last_resort = config::LastResort::lot;
  MatchPlan lots = MatchPlan::make(file);
  play_out(lots, always_drawn);
  CHECK(lots.games().size() == 3 * 6);
}

TEST_CASE("a drawn knockout depends on the seed alone", "[rounds]") {
  config::MatchFile file = test::match_of(names(8), config::ScheduleKind::knockout);
  file.schedule.draw = config::KnockoutDraw::drawn;
  std::set<std::vector<std::string>> draws;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    file.schedule.seed = seed;
    draws.insert(pairs_of(MatchPlan::make(file)));
    CHECK(draws.contains(pairs_of(MatchPlan::make(file))));
  }
  CHECK(draws.size() > 15);
}

TEST_CASE("who is withdrawn from a knockout loses without play", "[rounds]") {
  MatchPlan plan = MatchPlan::make(test::match_of(names(4), config::ScheduleKind::knockout));
  REQUIRE(pairs_of(plan) == std::vector<std::string>{"1 A-D", "1 D-A", "1 B-C", "1 C-B"});
  // A wins its first game and is withdrawn; C beats B.
  std::vector<GameFate> fates{
      scored(game::white_wins), {.kind = GameFate::Kind::cancelled, .score = {}}, scored(game::black_wins), scored(game::white_wins)};
  REQUIRE(plan.grow(fates, {{0, 4}}) == 2);
  CHECK(pairs_of(plan)[4] == "2 C-D");
}

TEST_CASE("a Swiss plan grows from results, the same again from the same results", "[rounds]") {
  config::MatchFile file = test::match_of(names(9), config::ScheduleKind::swiss);
  file.schedule.rounds = 5;
  file.schedule.games_per_pairing = 1;
  std::mt19937 random(3);
  std::vector<game::Score> scores;
  const auto result = [&](const PlannedGame& game) {
    while (static_cast<int>(scores.size()) < game.number) {
      const auto luck = random() % 3;
      scores.push_back(luck == 0 ? game::white_wins : luck == 1 ? game::draw : game::black_wins);
    }
    return scores[static_cast<std::size_t>(game.number) - 1];
  };
  MatchPlan plan = MatchPlan::make(file);
  CHECK(plan.games().size() == 4);
  CHECK(plan.expected_games() == 20);
  const auto fates = play_out(plan, result);
  CHECK(plan.games().size() == 20);
  std::set<std::pair<std::size_t, std::size_t>> met;
  for (const PlannedGame& game : plan.games()) CHECK(met.insert(std::minmax(game.white, game.black)).second);
  MatchPlan again = MatchPlan::make(file, plan.stages());
  while (again.grow(fates, {}) > 0) {}
  CHECK(pairs_of(again) == pairs_of(plan));
  std::vector<GameFate> cut(fates.begin(), fates.begin() + 10);
  MatchPlan half = MatchPlan::make(file, plan.stages());
  for (std::size_t n = 4; half.grow({cut.begin(), cut.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, 10))}, {}) > 0;
       n += 4) {}
  CHECK(half.games().size() == 12);
  const auto whole = pairs_of(plan);
  CHECK(pairs_of(half) == std::vector<std::string>(whole.begin(), whole.begin() + 12));
}

TEST_CASE("a Swiss tournament loses and gains engines between rounds", "[rounds]") {
  config::MatchFile file = test::match_of(names(6), config::ScheduleKind::swiss);
  file.schedule.rounds = 4;
  MatchPlan plan = MatchPlan::make(file);
  REQUIRE(plan.games().size() == 6);
  std::vector<GameFate> fates;
  for (const PlannedGame& game : plan.games()) fates.push_back(scored(by_strength(game)));
  REQUIRE(plan.grow(fates, {{5, 6}}) == 4);  // F left after round one
  for (std::size_t i = 6; i < 10; ++i) {
    CHECK(plan.games()[i].white != 5);
    CHECK(plan.games()[i].black != 5);
  }
  const auto before = pairs_of(plan);
  file.engines.push_back(file.engines[0]);
  file.engines.back().name = "G";
  MatchPlan wider = MatchPlan::make(file, plan.stages());
  while (wider.grow(fates, {{5, 6}}) > 0) {}
  wider.admit_new_engines();
  CHECK(pairs_of(wider) == before);
  for (std::size_t i = fates.size(); i < 10; ++i) fates.push_back(scored(by_strength(wider.games()[i])));
  REQUIRE(wider.grow(fates, {{5, 6}}) == 6);
  CHECK(std::ranges::any_of(wider.games(), [](const PlannedGame& game) { return game.white == 6 || game.black == 6; }));
  MatchPlan again = MatchPlan::make(file, wider.stages());
  while (again.grow(fates, {{5, 6}}) > 0) {}
  CHECK(pairs_of(again) == pairs_of(wider));
}

TEST_CASE("a Swiss tournament that nobody can go on with ends with a word", "[rounds]") {
  config::MatchFile file = test::match_of(names(4), config::ScheduleKind::swiss);
  file.schedule.rounds = 3;
  file.schedule.games_per_pairing = 1;
  MatchPlan plan = MatchPlan::make(file);
  std::vector<GameFate> fates{scored(game::draw), scored(game::draw)};
  CHECK(plan.grow(fates, {{0, 2}, {1, 2}, {2, 2}}) == 0);
  CHECK(std::ranges::any_of(plan.warnings(),
                            [](const std::string& text) { return text.find("ends after round 1 of 3") != std::string::npos; }));
}

TEST_CASE("a Swiss tells whom it gave points without play", "[rounds]") {
  config::MatchFile file = test::match_of(names(3), config::ScheduleKind::swiss);
  file.schedule.games_per_pairing = 2;
  file.schedule.rounds = 3;
  MatchPlan plan = MatchPlan::make(file);
  REQUIRE(plan.course().gifts.size() == 1);  // the first round's bye is known with the round
  play_out(plan, by_strength);
  CHECK(plan.course().complete);
  CHECK(plan.expected_games() == 6);
  std::set<std::size_t> who;
  for (const match::Gift& gift : plan.course().gifts) {
    CHECK(gift.games == 2);  // an encounter won: both its games
    CHECK(gift.why == match::Gift::Why::bye);
    CHECK(who.insert(gift.engine).second);  // C2: nobody twice
  }
  CHECK(who.size() == 3);
}

TEST_CASE("a Swiss gives the points of a withdrawn opponent", "[rounds]") {
  config::MatchFile file = test::match_of(names(4), config::ScheduleKind::swiss);
  file.schedule.rounds = 2;
  file.schedule.games_per_pairing = 2;
  MatchPlan plan = MatchPlan::make(file);
  REQUIRE(plan.games().size() == 4);
  // The second game of the first encounter is not played: one of its two was withdrawn after the round was drawn up.
  const std::size_t gone = plan.games()[0].white;
  const std::size_t left = plan.games()[0].black;
  std::vector<GameFate> fates{
      scored(game::draw), {.kind = GameFate::Kind::cancelled, .score = {}}, scored(game::white_wins), scored(game::white_wins)};
  REQUIRE(plan.grow(fates, {{gone, 4}}) > 0);
  const auto& gifts = plan.course().gifts;
  CHECK(std::ranges::count(gifts, match::Gift{.round = 1, .engine = left, .games = 1, .why = match::Gift::Why::walkover}) == 1);
}

TEST_CASE("a knockout tells its rounds, its winner and the order behind him", "[rounds]") {
  config::MatchFile file = test::match_of(names(4), config::ScheduleKind::knockout);
  file.schedule.games_per_pairing = 2;
  MatchPlan plan = MatchPlan::make(file);
  REQUIRE(plan.course().duels.size() == 2);
  CHECK_FALSE(plan.course().duels[0].winner);
  CHECK_FALSE(plan.course().complete);
  play_out(plan, by_strength);
  const match::Course& course = plan.course();
  REQUIRE(course.champion);
  CHECK(*course.champion == 0);
  CHECK(course.complete);
  CHECK(match::bracket_lines(course, names(4)) == std::vector<std::string>{"semifinals", "  A - D  2 - 0  A goes on",
                                                                           "  B - C  2 - 0  B goes on", "final", "  A - B  2 - 0  A wins",
                                                                           "winner: A"});
  std::vector<match::StandingsRow> rows(4);
  for (std::size_t i = 0; i < 4; ++i) rows[i].engine = names(4)[3 - i];
  match::rank_by_rounds(rows, course, names(4));
  CHECK((rows[0].engine == "A" && rows[0].rank == 1));
  CHECK((rows[1].engine == "B" && rows[1].rank == 2));
  CHECK((rows[2].rank == 3 && rows[3].rank == 3));
}

TEST_CASE("a level encounter says how it was decided", "[rounds]") {
  config::MatchFile file = test::match_of(names(2), config::ScheduleKind::knockout);
  file.schedule.extra_pairs = 0;
  file.schedule.last_resort = config::LastResort::higher_seed;
  MatchPlan plan = MatchPlan::make(file);
  play_out(plan, [](const PlannedGame&) { return game::draw; });
  REQUIRE(plan.course().duels.size() == 1);
  CHECK(plan.course().duels[0].by == match::Duel::By::seed);
  CHECK(match::bracket_lines(plan.course(), names(2)) ==
        std::vector<std::string>{"final", "  A - B  1 - 1  A wins as the better seed", "winner: A"});
  file.schedule.last_resort = config::LastResort::armageddon;
  MatchPlan armageddon = MatchPlan::make(file);
  play_out(armageddon, [](const PlannedGame&) { return game::draw; });
  REQUIRE(armageddon.course().champion);
  CHECK(armageddon.course().duels[0].by == match::Duel::By::draw_for_black);
  CHECK(*armageddon.course().champion == armageddon.games().back().black);
}

TEST_CASE("the deciding game has the times that the file gives its sides, no other game has", "[rounds]") {
  config::MatchFile file = test::match_of(names(2), config::ScheduleKind::knockout);
  file.schedule.extra_pairs = 1;
  const auto control = [](int minutes) {
    clock::TimeControl out;
    out.periods = {clock::Period{.moves = 0, .base = std::chrono::minutes(minutes), .increment = {}, .delay = {}}};
    return out;
  };
  file.schedule.deciding_time = {control(5), control(4)};
  MatchPlan plan = MatchPlan::make(file);
  play_out(plan, [](const PlannedGame&) { return game::draw; });
  REQUIRE(plan.games().size() == 2 + 2 + 1);
  for (const PlannedGame& game : plan.games()) {
    const auto times = plan.setup(game).time_control;
    const bool last = game.number == 5;
    CHECK(game.deciding == last);
    CHECK(times[0].periods.front().base == (last ? std::chrono::minutes(5) : std::chrono::seconds(10)));
    CHECK(times[1].periods.front().base == (last ? std::chrono::minutes(4) : std::chrono::seconds(10)));
  }
}
