// Sequential tests, Swiss and knockout tournaments through the built program: the same at any concurrency and after any interruption.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <random>
#include <regex>
#include <set>

#include "tests/match/process.hpp"

using namespace referee;
using test::engine_line;
using test::journal_of;
using test::Process;
using test::results_of;
using test::run;

namespace {

/// Scripted engines that lose at once from certain openings and else draw by length: a game's result depends on its opening alone.
std::string loses_from(const std::vector<std::string>& fens) {
  std::string script = "# protocol uci\n";
  for (const std::string& fen : fens) script += "> position fen " + fen + "\n! exit 3\n";
  return script;
}

const std::vector<std::string> fens{"4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -", "4k3/pppp4/8/8/8/8/2PPPP2/4K3 w - -",
                                    "4k3/1ppp4/8/8/8/8/4PPPP/4K3 w - -", "4k3/p1pp4/8/8/8/8/4PPPP/4K3 w - -",
                                    "4k3/pp1p4/8/8/8/8/4PPPP/4K3 w - -"};

std::string book() {
  std::string text;
  for (const std::string& fen : fens) text += fen + "\n";
  return text;
}

std::string sequential(const test::ScratchFolder& folder, const std::string& more = "") {
  folder.write("b.epd", book());
  // Better loses from one opening of five, Worse from another two.
  const auto better = folder.write("better.txt", loses_from({fens[2]}));
  const auto worse = folder.write("worse.txt", "# protocol uci\n> position fen " + fens[0] + "\n! exit 3\n");
  return folder.write("m.yaml",
                      "time_control: 20+0.2\nadjudication: {max_moves: 2}\nschedule: match\n"
                      "openings: {file: b.epd, order: random, seed: 3}\nfaults: {withdraw_after: null}\n"
                      "sprt: {elo0: -100, elo1: 150, model: logistic}\n" +
                          more + "engines:\n" + engine_line("Better", better, ", restart: on") +
                          engine_line("Worse", worse, ", restart: on") + "output: {folder: out}\n");
}

std::string verdict_of(const std::string& json) {
  std::smatch found;
  return std::regex_search(json, found, std::regex("\"sprt\":\\{[^}]*\\}")) ? found.str() : "";
}

std::vector<std::string> counted(const record::Journal& journal) {
  std::vector<std::string> lines;
  for (const record::GameRow& row : journal.games()) {
    if (!row.outcome || !row.counted || row.voided) continue;
    lines.push_back(std::to_string(row.game) + " " + row.white + "-" + row.black + " " + row.opening + " " +
                    game::result_text(*row.outcome));
  }
  return lines;
}

}  // namespace

TEST_CASE("a sequential test stops at the same pair at any concurrency", "[tournament]") {
  const auto play = [](const std::string& concurrency) {
    const test::ScratchFolder folder;
    const auto file = sequential(folder);
    const int code = run(folder, {"run", "--json", "--gate", "--concurrency", concurrency, file});
    CHECK((code == 0 || code == 3));
    const std::string verdict = verdict_of(folder.read("stdout"));
    CHECK(verdict.find("continue") == std::string::npos);
    CHECK(folder.read("stderr").find("the sequential test is decided: LLR ") != std::string::npos);
    // A finished test plays nothing, and answers the same.
    CHECK(run(folder, {"run", "--json", "--gate", file}) == code);
    CHECK(verdict_of(folder.read("stdout")) == verdict);
    return std::pair(verdict, counted(*journal_of(folder)));
  };
  const auto alone = play("1");
  REQUIRE_FALSE(alone.first.empty());
  CHECK(alone.second.size() % 2 == 0);
  CHECK(play("8") == alone);
  CHECK(play("64") == alone);
}

TEST_CASE("a sequential test that is killed again and again stops at the same pair", "[tournament]") {
  const test::ScratchFolder quiet;
  REQUIRE(run(quiet, {"run", "--json", sequential(quiet)}) == 0);
  const std::string verdict = verdict_of(quiet.read("stdout"));
  const test::ScratchFolder folder;
  const auto file = sequential(folder, "concurrency: 6\n");
  std::minstd_rand random(7);
  for (int kills = 0; kills < 8; ++kills) {
    Process process(folder, {"run", file});
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 200));
    process.signal(SIGKILL);
    process.wait();
  }
  REQUIRE(run(folder, {"run", "--json", file}) == 0);
  CHECK(verdict_of(folder.read("stdout")) == verdict);
  CHECK(counted(*journal_of(folder)) == counted(*journal_of(quiet)));
}

TEST_CASE("a sequential test with a number of games may end undecided", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write(
      "m.yaml", test::match_yaml(folder, 4, engine_line("A", script) + engine_line("B", script), "sprt: {elo0: 0, elo1: 1}\n"));
  CHECK(run(folder, {"run", "--gate", file}) == 4);
  CHECK(folder.read("stdout").find("after 2 pairs: undecided") != std::string::npos);
}

TEST_CASE("a knockout goes through its tie-breaks, and on after a kill", "[tournament]") {
  const auto yaml = [](const test::ScratchFolder& folder) {
    const auto script = folder.write("s.txt", "# protocol uci\n");
    const auto weak = folder.write("w.txt", "# protocol uci\n> go\n! exit 1\n");
    std::string engines;
    for (const char* name : {"A", "B", "C", "D"}) engines += engine_line(name, script);
    engines += engine_line("E", weak);
    return folder.write("m.yaml",
                        "time_control: 20+0.2\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: null}\n"
                        "schedule: {kind: knockout, tie_breaks: {pairs: 1, then: armageddon}}\nengines:\n" +
                            engines + "output: {folder: out}\n");
  };
  const test::ScratchFolder quiet;
  REQUIRE(run(quiet, {"run", "--concurrency", "3", yaml(quiet)}) == 0);
  const auto expected = results_of(*journal_of(quiet));
  // D beats E in two games; then A - D and B - C, and the final, of 2, 2 and 1 games each.
  CHECK(expected.size() == 2 + 5 + 5 + 5);
  const test::ScratchFolder folder;
  const auto file = yaml(folder);
  std::minstd_rand random(3);
  for (int kills = 0; kills < 6; ++kills) {
    Process process(folder, {"run", file});
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 100));
    process.signal(SIGKILL);
    process.wait();
  }
  REQUIRE(run(folder, {"run", file}) == 0);
  CHECK(results_of(*journal_of(folder)) == expected);
  REQUIRE(run(folder, {"schedule", "--json", file}) == 0);
  const std::string schedule = folder.read("stdout");
  std::size_t games = 0;
  for (std::size_t at = schedule.find("\"number\""); at != std::string::npos; at = schedule.find("\"number\"", at + 1)) ++games;
  CHECK(games == expected.size());
}

TEST_CASE("a Swiss tournament plays its rounds, and without an engine that was withdrawn", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto weak = folder.write("w.txt", "# protocol uci\n> go\n! exit 1\n");
  std::string engines;
  for (const char* name : {"A", "B", "C", "D", "E"}) engines += engine_line(name, script);
  engines += engine_line("Weak", weak);
  const auto file = folder.write("m.yaml",
                                 "time_control: 20+0.2\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: 2}\n"
                                 "schedule: {kind: swiss, rounds: 4}\nengines:\n" +
                                     engines + "output: {folder: out}\n");
  CHECK(run(folder, {"run", "--json", "--concurrency", "2", file}) == 1);
  const auto journal = journal_of(folder);
  std::map<int, std::set<std::string>> playing;
  for (const auto& row : journal->games()) {
    REQUIRE(row.outcome);
    playing[row.round].insert({row.white, row.black});
  }
  REQUIRE(playing.size() == 4);
  CHECK(playing[1].size() == 6);
  for (const int round : {2, 3, 4}) {
    CHECK(playing[round].size() == 4);  // one of five sits out
    CHECK_FALSE(playing[round].contains("Weak"));
  }
  CHECK(run(folder, {"run", "--json", file}) == 1);
  CHECK(journal_of(folder)->games().size() == journal->games().size());
}

TEST_CASE("a running match is paused, goes on with more games at once, and stops", "[tournament]") {
  const test::ScratchFolder folder;
  const auto slow = folder.write("slow.txt", "# protocol uci\n> isready\n! sleep 150\n< readyok\n");
  const auto file = folder.write(
      "m.yaml", test::match_yaml(folder, 200, engine_line("A", slow, ", restart: on") + engine_line("B", slow, ", restart: on")));
  const test::ScratchFolder elsewhere;
  CHECK(run(elsewhere, {"control", file, "dance"}) == 2);
  Process process(folder, {"run", "--concurrency", "1", file});
  REQUIRE(process.says("stdout", "game 1 of 200 started"));
  CHECK(run(elsewhere, {"control", file, "pause"}) == 0);
  REQUIRE(process.says("stdout", "paused: "));
  CHECK(run(elsewhere, {"control", file, "concurrency", "4"}) == 0);
  REQUIRE(process.says("stdout", "4 games at once from now on"));
  CHECK(run(elsewhere, {"control", file, "resume"}) == 0);
  REQUIRE(process.says("stdout", "the match goes on"));
  REQUIRE(process.says("stdout", "game 6 of 200 started"));
  CHECK(run(elsewhere, {"control", file, "stop"}) == 0);
  CHECK(process.wait() == 130);
  const auto rows = journal_of(folder)->games();
  CHECK(rows.size() >= 5);
  CHECK(rows.size() < 200);
  for (const auto& row : rows) CHECK(row.outcome);
  CHECK(folder.read("stdout").find("stopped, the same command goes on") != std::string::npos);
}

TEST_CASE("a new engine takes over the games of another one", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto crash = folder.write("c.txt", "# protocol uci\n> go\n! exit 1\n");
  const auto yaml = [&](const std::string& last) {
    return folder.write("m.yaml", "time_control: 20+0.2\nadjudication: {max_moves: 3}\nfaults: {withdraw_after: 3}\nengines:\n" +
                                      engine_line("A", script) + engine_line("B", script) + last + "output: {folder: out}\n");
  };
  auto file = yaml(engine_line("Broken", crash));
  CHECK(run(folder, {"run", "--concurrency", "1", file}) == 1);
  const auto before = journal_of(folder)->games();
  CHECK(run(folder, {"replace", file, "Broken", "Mended"}) == 2);  // the file does not name it yet
  CHECK(folder.read("stderr").find("names no engine 'Mended'") != std::string::npos);
  file = yaml(engine_line("Mended", script));
  CHECK(run(folder, {"run", file}) == 2);  // without a word it is another match
  CHECK(run(folder, {"replace", file, "Broken", "Mended"}) == 0);
  CHECK(run(folder, {"replace", file, "Broken", "Mended"}) == 2);
  CHECK(folder.read("out/games.pgn").find("Broken") == std::string::npos);
  CHECK(run(folder, {"run", "--json", file}) == 0);
  const auto after = journal_of(folder)->games();
  REQUIRE(after.size() == 6);
  for (const auto& row : after) {
    CHECK(row.outcome);
    CHECK(row.counted);
    CHECK_FALSE(row.voided);
    CHECK(row.white != "Broken");
    CHECK(row.black != "Broken");
  }
  for (const auto& row : before) {  // the games of the others stand as they were
    if (row.white == "Broken" || row.black == "Broken") continue;
    CHECK(std::ranges::find(after, row) != after.end());
  }
  CHECK(test::games_in_pgn(folder.read("out/games.pgn")) == 6);
  CHECK(folder.read("stdout").find("\"withdrawn\":[]") == std::string::npos);  // that it was, stays known
}

TEST_CASE("a match stops at the time it was given", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write(
      "m.yaml", test::match_yaml(folder, 4, engine_line("A", script) + engine_line("B", script), "stop_at: 2020-01-01 12:00\n"));
  CHECK(run(folder, {"run", file}) == 130);
  CHECK(folder.read("stdout").find("the time to stop has come") != std::string::npos);
  CHECK(journal_of(folder)->games().empty());
}
