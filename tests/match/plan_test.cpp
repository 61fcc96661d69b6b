#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "referee/match/fingerprints.hpp"
#include "referee/match/plan.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using match::MatchPlan;
using match::PlannedGame;

namespace {

const std::string six_openings =
    "4k3/8/8/8/8/8/P7/4K3 w - - id \"one\";\n4k3/8/8/8/8/8/1P6/4K3 w - - id \"two\";\n4k3/8/8/8/8/8/2P5/4K3 w - - id \"three\";\n"
    "4k3/8/8/8/8/8/3P4/4K3 w - - id \"four\";\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"five\";\n4k3/8/8/8/8/8/5P2/4K3 w - - id \"six\";\n";

/// Number, pair, round, players and opening of each game.
std::vector<std::string> lines_of(const MatchPlan& plan) {
  std::vector<std::string> lines;
  for (const PlannedGame& game : plan.games()) {
    lines.push_back(std::to_string(game.number) + " " + std::to_string(game.pair) + " " + std::to_string(game.round) + " " +
                    plan.white(game).name + "-" + plan.black(game).name + " " + std::to_string(plan.opening(game).line));
  }
  return lines;
}

bool warns_of(const MatchPlan& plan, const std::string& words) {
  return std::any_of(plan.warnings().begin(), plan.warnings().end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("games 2k-1 and 2k are pair k, with one opening and colours swapped", "[plan]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B", "C"});
  file.openings.file = folder.write("b.epd", six_openings);
  CHECK(lines_of(MatchPlan::make(file)) ==
        std::vector<std::string>{"1 1 1 B-C 1", "2 1 1 C-B 1", "3 2 2 A-B 2", "4 2 2 B-A 2", "5 3 3 A-C 3", "6 3 3 C-A 3"});
  file.openings.repeat = false;
  const auto once = lines_of(MatchPlan::make(file));
  CHECK(once[1] == "2 1 1 C-B 2");
  CHECK(once[5] == "6 3 3 C-A 6");
}

TEST_CASE("with an odd number of games a pairing, a pair is completed in a later cycle", "[plan]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B", "C"});
  file.openings.file = folder.write("b.epd", six_openings);
  file.schedule.games_per_pairing = 1;
  file.schedule.cycles = 2;
  CHECK(lines_of(MatchPlan::make(file)) ==
        std::vector<std::string>{"1 1 1 B-C 1", "2 2 2 A-B 2", "3 3 3 C-A 3", "4 1 4 C-B 1", "5 2 5 B-A 2", "6 3 6 A-C 3"});
}

TEST_CASE("a plan is a pure function of file and seed", "[plan]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B", "C", "D"});
  file.openings.file = folder.write("b.epd", six_openings);
  file.openings.order = config::OpeningOrder::random;
  file.openings.seed = 7;
  const auto first = lines_of(MatchPlan::make(file));
  CHECK(first == lines_of(MatchPlan::make(file)));
  file.concurrency = 8;
  CHECK(first == lines_of(MatchPlan::make(file)));
  file.openings.seed = 8;
  CHECK(first != lines_of(MatchPlan::make(file)));
}

TEST_CASE("a start beyond the book wraps round in the plan", "[plan]") {  // OP-05
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.openings.file = folder.write("b.epd", six_openings);
  file.openings.start = 9;
  file.schedule.games = 6;
  std::vector<std::size_t> used;
  const MatchPlan plan = MatchPlan::make(file);
  for (const PlannedGame& game : plan.games()) {
    if (game.number % 2 == 1) used.push_back(plan.opening(game).line);
  }
  CHECK(used == std::vector<std::size_t>{3, 4, 5});
}

TEST_CASE("an opening that is over is recorded so and said before the match", "[plan]") {  // OP-01
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.openings.file = folder.write("b.pgn", "[Result \"*\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *\n");
  file.openings.plies = 9;
  const MatchPlan plan = MatchPlan::make(file);
  CHECK(warns_of(plan, "b.pgn:1 is over after 8 plies (threefold_auto)"));
  for (const PlannedGame& planned : plan.games()) {
    const game::Game game(plan.setup(planned), plan.shared_edition());
    REQUIRE(game.outcome());
    CHECK(game.outcome()->reason == game::Reason::threefold_auto);
    CHECK(game.moves().size() == 8);
  }
}

TEST_CASE("a fixed time a move that engines cannot keep is warned of", "[plan]") {
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.schedule.games = 2;
  file.time_control = std::get<clock::TimeControl>(clock::parse_time_control("move 1.5"));
  CHECK(warns_of(MatchPlan::make(file), "without a time_margin: whoever uses all of it loses on time (A, B"));
  for (auto& engine : file.engines) engine.time_margin = std::chrono::milliseconds(100);
  CHECK_FALSE(warns_of(MatchPlan::make(file), "time_margin"));
  CHECK_FALSE(warns_of(MatchPlan::make(file), "XBoard"));
  file.engines[1].protocol = engine::ProtocolKind::xboard;
  CHECK(warns_of(MatchPlan::make(file), "B speaks XBoard, which knows whole seconds a move: of 'move 1.5' it is told 1 s"));
  file.time_control = std::get<clock::TimeControl>(clock::parse_time_control("move 2"));
  CHECK_FALSE(warns_of(MatchPlan::make(file), "XBoard"));
  file.time_control = std::get<clock::TimeControl>(clock::parse_time_control("inf"));
  for (auto& engine : file.engines) engine.limits.move_time = std::chrono::milliseconds(400);
  CHECK(warns_of(MatchPlan::make(file), "B speaks XBoard, which knows whole seconds a move: of 'movetime: 400 ms' it is told 1 s"));
}

TEST_CASE("games that engines would only repeat are warned of", "[plan]") {  // OP-09
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.schedule.games = 10;
  for (auto& engine : file.engines) engine.limits.nodes = 5000;
  const MatchPlan plan = MatchPlan::make(file);
  CHECK(warns_of(plan, "8 games have the same players, colours and opening as an earlier one"));
  CHECK(plan.has_copies());
  file.schedule.games = 2;
  CHECK(MatchPlan::make(file).warnings().empty());
  const test::ScratchFolder folder;
  file.schedule.games = 12;
  file.openings.file = folder.write("b.epd", six_openings);
  CHECK_FALSE(MatchPlan::make(file).has_copies());
  file.schedule.games = 14;
  CHECK(warns_of(MatchPlan::make(file), "2 games have"));
}

TEST_CASE("more cycles and more engines extend a plan", "[plan]") {
  config::MatchFile file = test::match_of({"A", "B", "C"});
  const MatchPlan before = MatchPlan::make(file);
  file.schedule.cycles = 2;
  const MatchPlan longer = MatchPlan::make(file, before.stages());
  file.engines.push_back(file.engines[0]);
  file.engines.back().name = "D";
  const MatchPlan wider = MatchPlan::make(file, longer.stages());
  CHECK(longer.games().size() == 12);
  CHECK(wider.games().size() == 24);
  const auto is_prefix = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::equal(a.begin(), a.end(), b.begin());
  };
  CHECK(is_prefix(lines_of(before), lines_of(longer)));
  CHECK(is_prefix(lines_of(longer), lines_of(wider)));
  CHECK(match::to_text(wider.stages()) == "3x1 3x2 4x2");
  CHECK(match::parse_stages("3x1 3x2 4x2") == wider.stages());
  CHECK(match::parse_stages("3x1 what").empty());
  CHECK(match::to_text(match::parse_stages("8x5 9x5@12")) == "8x5 9x5@12");
  CHECK(match::parse_stages("8x5@").empty());
  CHECK(lines_of(MatchPlan::make(file, wider.stages())) == lines_of(wider));
  std::set<std::string> distinct;
  for (const PlannedGame& game : wider.games()) distinct.insert(wider.white(game).name + wider.black(game).name);
  CHECK(distinct.size() == 12);
  file.schedule.cycles = 1;
  CHECK_THROWS_AS(MatchPlan::make(file, wider.stages()), config::ConfigException);
}

TEST_CASE("a sequential test draws up games as they are asked for, the same ones as a match of that length", "[plan]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.openings.file = folder.write("b.epd", six_openings);
  file.openings.order = config::OpeningOrder::random;
  file.schedule.games = 300;
  const auto fixed = lines_of(MatchPlan::make(file));
  file.schedule.games.reset();
  file.sprt = config::Sprt{};
  MatchPlan plan = MatchPlan::make(file);
  CHECK(plan.growth() == MatchPlan::Growth::on_demand);
  CHECK(plan.expected_games() == 0);
  REQUIRE(plan.grow_to(250));
  REQUIRE(plan.grow_to(300));
  CHECK(lines_of(plan) == fixed);
  CHECK_FALSE(plan.grow_to(2'000'000'000));
  file.schedule.games = 4;
  CHECK(MatchPlan::make(file).games().size() == 4);
  file.engines.push_back(file.engines[0]);
  CHECK_THROWS_AS(MatchPlan::make(file), config::ConfigException);
}

TEST_CASE("SHA-256 is the standard's", "[fingerprints]") {
  // FIPS 180-4 examples.
  CHECK(match::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(match::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const test::ScratchFolder folder;
  CHECK(match::sha256_of_file(folder.write("million", std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK_THROWS_WITH(match::sha256_of_file(folder.file("none")), Catch::Contains("none: cannot be read"));
}

TEST_CASE("what changed since is named", "[fingerprints]") {
  const test::ScratchFolder folder;
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  for (auto& engine : file.engines) engine.command = folder.write("engine", "binary");
  file.engines[0].options = {{"Hash", "16"}, {"EvalFile", folder.write("net.nnue", "weights")}};
  file.engines[1].arguments = {folder.write("script.txt", "# protocol uci\n")};
  file.openings.file = folder.write("b.epd", six_openings);
  file.schedule.games = 4;
  const auto recorded = [&] { return match::fingerprint(MatchPlan::make(file), "text"); };
  const record::PlanRecord before = recorded();
  CHECK(before.planned_games == 4);
  CHECK(before.fingerprints.at("engine A: binary") == "sha256 " + match::sha256("binary"));
  CHECK(match::changes(before, recorded()).empty());

  folder.write("net.nnue", "other weights");
  folder.write("script.txt", "# protocol xboard\n");
  folder.write("b.epd", six_openings.substr(0, six_openings.size() / 2));
  folder.write("b.epd", six_openings + "\n");
  file.engines[0].options[0].value = "32";
  file.adjudication.max_moves = 100;
  const auto found = match::changes(before, recorded());
  REQUIRE(found.size() == 5);
  CHECK(found[0] == "adjudication changed (was none, is at most 100 moves)");
  CHECK(found[1].starts_with("engine A: file " + folder.file("net.nnue") + " changed (was sha256 "));
  CHECK(found[2] == "engine A: option Hash changed (was 16, is 32)");
  CHECK(found[3].starts_with("engine B: file " + folder.file("script.txt") + " changed"));
  CHECK(found[4].starts_with("openings: file changed (was sha256 "));
}

TEST_CASE("more games, cycles or engines are no change, fewer engines are one", "[fingerprints]") {
  config::MatchFile file = test::match_of({"A", "B", "C"});
  const MatchPlan plan = MatchPlan::make(file);
  const record::PlanRecord before = match::fingerprint(plan, "");
  CHECK(match::recorded_stages(before) == plan.stages());
  file.schedule.cycles = 3;
  file.engines.push_back(file.engines[0]);
  file.engines.back().name = "D";
  const record::PlanRecord after = match::fingerprint(MatchPlan::make(file, plan.stages()), "");
  CHECK(match::changes(before, after).empty());
  CHECK(before.digest != after.digest);
  const auto gone = match::changes(after, before);
  REQUIRE_FALSE(gone.empty());
  CHECK(gone[0].starts_with("engine D: binary is gone"));
}
