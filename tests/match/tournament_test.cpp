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
  CHECK(folder.read("stdout").find("; stopped, to go on: referee run " + file) != std::string::npos);
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
  const std::string old_pgn = folder.read("out/games.pgn");
  CHECK(run(folder, {"replace", file, "Broken", "Mended"}) == 0);
  const std::string said = folder.read("stdout");
  folder.write("out/games.pgn", old_pgn);  // as a kill before the PGN leaves it: it is done to its end
  CHECK(run(folder, {"replace", file, "Broken", "Mended"}) == 0);
  CHECK(folder.read("stdout") == said);
  CHECK(run(folder, {"replace", file, "Other", "Mended"}) == 2);
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
  CHECK(run(folder, {"run", file}) == 143);  // games are left: stopped, resumable
  CHECK(folder.read("stdout").find("the time to stop has come") != std::string::npos);
  CHECK(journal_of(folder)->games().empty());
}

TEST_CASE("a Swiss with byes ends with the points that they brought, in every view", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto weak = folder.write("w.txt", "# protocol uci\n> go\n! exit 1\n");
  const auto file =
      folder.write("m.yaml",
                   "time_control: 20+0.2\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: null}\n"
                   "schedule: {kind: swiss, rounds: 3, games_per_pairing: 1}\nengines:\n" +
                       engine_line("A", script) + engine_line("B", script) + engine_line("Weak", weak) + "output: {folder: out}\n");
  REQUIRE(run(folder, {"run", "--json", file}) == 0);
  // Three rounds of three: everybody meets everybody and has the bye once, a whole point each. A - B is a draw, Weak loses twice.
  const std::string result = folder.read("stdout");
  CHECK(result.find(R"("engine":"A","games":2,"wins":1,"draws":1,"losses":0,"unplayed":1,"points":2.5E0)") != std::string::npos);
  CHECK(result.find(R"("engine":"Weak","games":2,"wins":0,"draws":0,"losses":2,"unplayed":1,"points":1E0)") != std::string::npos);
  CHECK(result.find(R"("byes":[{"round":1,)") != std::string::npos);
  REQUIRE(run(folder, {"crosstable", "--json", folder.file("out/match.sqlite")}) == 0);
  CHECK(folder.read("stdout").find(R"("player":"Weak","points":1E0,"games":2)") != std::string::npos);
  REQUIRE(run(folder, {"crosstable", folder.file("out/match.sqlite")}) == 0);
  CHECK(folder.read("stdout").find("bye") != std::string::npos);
  REQUIRE(run(folder, {"schedule", file}) == 0);
  CHECK(folder.read("stderr").find("later rounds") == std::string::npos);
  REQUIRE(run(folder, {"run", file}) == 0);
  CHECK(folder.read("stdout").find("3 of 3 games played") != std::string::npos);
  CHECK(folder.read("stdout").find("unplayed") != std::string::npos);
}

TEST_CASE("the crosstable tells a walkover from a bye", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto weak = folder.write("w.txt", "# protocol uci\n> go\n! exit 1\n");
  // Weak, the last of three, has the bye of round 1; in round 2 it is withdrawn after one game of two, and the other is not played.
  const auto file =
      folder.write("m.yaml",
                   "time_control: 20+0.2\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: 1}\nconcurrency: 1\n"
                   "schedule: {kind: swiss, rounds: 2, games_per_pairing: 2}\nengines:\n" +
                       engine_line("A", script) + engine_line("B", script) + engine_line("Weak", weak) + "output: {folder: out}\n");
  CHECK(run(folder, {"run", file}) == 1);
  REQUIRE(run(folder, {"crosstable", "--form", "rounds", folder.file("out/match.sqlite")}) == 0);
  const std::string table = folder.read("stdout");
  INFO(table);
  CHECK(table.find("1 walkover") != std::string::npos);
  CHECK(table.find("bye") != std::string::npos);
  REQUIRE(run(folder, {"crosstable", "--json", folder.file("out/match.sqlite")}) == 0);
  CHECK(folder.read("stdout").find(R"("why":"walkover")") != std::string::npos);
  CHECK(folder.read("stdout").find(R"("why":"bye")") != std::string::npos);
}

TEST_CASE("a knockout names its winner at the end and afterwards", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto weak = folder.write("w.txt", "# protocol uci\n> go\n! exit 1\n");
  const auto file = folder.write("m.yaml",
                                 "time_control: 20+0.2\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: null}\nschedule: knockout\n"
                                 "engines:\n" +
                                     engine_line("Weak", weak) + engine_line("Good", script) + "output: {folder: out}\n");
  for (int i = 0; i < 2; ++i) {
    REQUIRE(run(folder, {"run", file}) == 0);
    const std::string out = folder.read("stdout");
    CHECK(out.find("final\n  Weak - Good  0 - 2  Good wins\nwinner: Good\n") != std::string::npos);
    CHECK(out.find("   1  Good") != std::string::npos);
  }
  REQUIRE(run(folder, {"run", "--json", file}) == 0);
  CHECK(folder.read("stdout").find(R"("winner":"Good")") != std::string::npos);
  REQUIRE(run(folder, {"schedule", file}) == 0);
  CHECK(folder.read("stderr").find("later rounds") == std::string::npos);
}

TEST_CASE("two SIGTERM in an instant are one, two that are apart stop at once", "[tournament]") {
  const auto outcome = [](bool apart) {
    const test::ScratchFolder folder;
    const auto slow = folder.write("slow.txt", "# protocol uci\n> go\n! sleep 3000\n< bestmove e2e4\n");
    const auto script = folder.write("s.txt", "# protocol uci\n");
    const auto file = folder.write("m.yaml", test::match_yaml(folder, 4, engine_line("A", slow) + engine_line("B", script)));
    Process process(folder, {"run", "--concurrency", "1", file});
    REQUIRE(process.says("stdout", "game 1 of 4 started"));
    process.signal(SIGTERM);
    REQUIRE(process.says("stdout", "stopping: finishing 1 running game"));
    if (apart) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    process.signal(SIGTERM);
    CHECK(process.wait() == 143);
    CHECK(folder.read("stdout").find("to go on: referee run " + file) != std::string::npos);
    return folder.read("stdout").find("stopping at once") != std::string::npos;
  };
  CHECK_FALSE(outcome(false));
  CHECK(outcome(true));
}

TEST_CASE("a match that its stop_at ends with games left is stopped, and says how to go on", "[tournament]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write(
      "m.yaml", test::match_yaml(folder, 2, engine_line("A", script) + engine_line("B", script), "stop_at: \"2020-01-01 10:00\"\n"));
  CHECK(run(folder, {"run", file}) == 143);
  const std::string out = folder.read("stdout");
  CHECK(out.find("0 of 2 games played; stopped at 2020-01-01 10:00, as `stop_at` says; to go on, with a later `stop_at`: referee run " +
                 file) != std::string::npos);
  CHECK(run(folder, {"run", "--json", file}) == 143);
  CHECK(folder.read("stdout").find("\"complete\":false") != std::string::npos);
  // A match that was finished before is finished, whatever the time.
  const auto open = folder.write("m.yaml", test::match_yaml(folder, 2, engine_line("A", script) + engine_line("B", script)));
  REQUIRE(run(folder, {"run", open}) == 0);
  const auto late = folder.write(
      "m.yaml", test::match_yaml(folder, 2, engine_line("A", script) + engine_line("B", script), "stop_at: \"2020-01-01 10:00\"\n"));
  CHECK(run(folder, {"run", "--accept-change", late}) == 0);
  // Who asks for a verdict is told that there is none yet.
  const auto test = folder.write("t.yaml", test::match_yaml(folder, 40, engine_line("A", script) + engine_line("B", script),
                                                            "stop_at: \"2020-01-01 10:00\"\nsprt: {elo0: 0, elo1: 5}\n"));
  CHECK(run(folder, {"run", "--gate", "--fresh", test}) == 4);
}

TEST_CASE("a match of the command line leaves a file that goes on with it", "[tournament]") {
  const test::ScratchFolder folder;
  const auto slow = folder.write("slow.txt", "# protocol uci\n> isready\n! sleep 400\n< readyok\n");
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const std::string out = folder.file("mine");
  Process process(folder,
                  {"match", test::program + ",name=A,restart=on,arguments=stub " + slow, test::program + ",name=B,arguments=stub " + script,
                   "--tc", "20+0.2", "--games", "6", "--max-moves", "2", "--concurrency", "1", "--folder", out});
  REQUIRE(process.says("stdout", "game 1 of 6 started"));
  process.signal(SIGINT);
  CHECK(process.wait() == 130);
  const std::string said = folder.read("stdout");
  const std::string words = "to go on: referee run ";
  const std::size_t at = said.find(words);
  REQUIRE(at != std::string::npos);
  const std::size_t end = said.find(" --concurrency 1", at);
  REQUIRE(end != std::string::npos);
  const std::string file = said.substr(at + words.size(), end - at - words.size());
  REQUIRE(run(folder, {"run", file}) == 0);
  CHECK(folder.read("stdout").find(" are done") != std::string::npos);
  CHECK(folder.read("stdout").find("6 of 6 games played") != std::string::npos);
}

TEST_CASE("every option an engine does not have is named, and its banner is no news", "[tournament]") {
  const test::ScratchFolder folder;
  const auto chatty = folder.write("c.txt", "# protocol uci\n> uci\n< Chatty 1.0 by somebody\n< id name Chatty\n< uciok\n");
  const auto file = folder.write("m.yaml", test::match_yaml(folder, 2,
                                                            engine_line("A", chatty, ", options: {One: 1, Two: 2, Three: 3}") +
                                                                engine_line("B", chatty, ", options: {Four: 4}")));
  REQUIRE(run(folder, {"run", file}) == 0);
  const std::string out = folder.read("stdout");
  CHECK(out.find("warning: A: the engine has none of the options One, Two, Three; they are not set") != std::string::npos);
  CHECK(out.find("warning: B: the engine has no option Four; it is not set") != std::string::npos);
  CHECK(out.find("Chatty 1.0") == std::string::npos);
  CHECK(out.find("leniency") == std::string::npos);
}

TEST_CASE("an engine that ends before it is ready is no late one", "[tournament]") {
  const test::ScratchFolder folder;
  const auto dies = folder.write("d.txt", "# protocol uci\n> uci\n! exit 3\n");
  const auto leaves = folder.write("l.txt", "# protocol uci\n> uci\n! exit 0\n");
  const auto file = folder.write("m.yaml", test::match_yaml(folder, 2, engine_line("Dies", dies) + engine_line("Leaves", leaves)));
  CHECK(run(folder, {"run", "--json", file}) == 1);
  const std::string out = folder.read("stdout");
  CHECK(out.find(R"("engine":"Dies","reason":"crash","detail":"could not be started: exited with status 3)") != std::string::npos);
  CHECK(out.find(R"("engine":"Leaves","reason":"disconnect","detail":"could not be started: exited with status 0)") != std::string::npos);
  CHECK(out.find("start_timeout") == std::string::npos);
}
