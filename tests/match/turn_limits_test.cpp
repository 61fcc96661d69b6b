// What ends a turn, and what an engine is told of it: times for each move, waits without a clock, claims that stop nothing.
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/match/process.hpp"

using namespace referee;
using test::engine_line;
using test::journal_of;
using test::results_of;
using test::run;

namespace {

/// The lines of a kind that the engine was sent in the match, without their place and time.
std::vector<std::string> told(const test::ScratchFolder& folder, const std::string& engine, const std::string& command) {
  std::vector<std::string> lines;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("out/protocol"))) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(engine)) continue;
    std::istringstream log(folder.read("out/protocol/" + name));
    for (std::string line; std::getline(log, line);) {
      const auto at = line.find("> " + command);
      if (at != std::string::npos) lines.push_back(line.substr(at + 2));
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("a time for each move is told as that and as nothing else, also to who ponders", "[turns]") {
  const test::ScratchFolder folder;
  const auto white = folder.write("w.txt",
                                  "# protocol uci\n> go\n< bestmove e2e4 ponder e7e5\n"
                                  "> go ponder\n> ponderhit\n< bestmove g1f3\n");
  const auto black = folder.write("b.txt", "# protocol uci\n> go\n< bestmove e7e5\n");
  const auto file = folder.write(
      "m.yaml", "time_control: move 30\nadjudication: {max_moves: 3}\nschedule: {kind: match, games: 1}\nengines:\n" +
                    engine_line("A", white, ", ponder: true") + engine_line("B", black) + "output: {folder: out, protocol_log: true}\n");
  REQUIRE(run(folder, {"run", file}) == 0);
  const auto white_heard = told(folder, "A", "go");
  CHECK(white_heard == std::vector<std::string>{"go movetime 30000", "go ponder movetime 30000", "go movetime 30000"});
  const auto black_heard = told(folder, "B", "go");
  CHECK(std::set<std::string>(black_heard.begin(), black_heard.end()) == std::set<std::string>{"go movetime 30000"});
}

TEST_CASE("nobody is asked to ponder on a move that ends the game (PROTOCOLS 2.3)", "[turns]") {
  const test::ScratchFolder folder;
  const auto white = folder.write("w.txt", "# protocol uci\n> go\n< bestmove f2f3\n> go\n< bestmove g2g4 ponder d8h4\n");
  const auto black = folder.write("b.txt", "# protocol uci\n> go\n< bestmove e7e5\n> go\n< bestmove a7a6\n");
  const auto file = folder.write(
      "m.yaml", "time_control: 20+0.2\nadjudication: {max_moves: 3}\nschedule: {kind: match, games: 1}\nengines:\n" +
                    engine_line("A", white, ", ponder: true") + engine_line("B", black) + "output: {folder: out, protocol_log: true}\n");
  REQUIRE(run(folder, {"run", file}) == 0);
  CHECK(told(folder, "A", "go ").size() >= 3);
  CHECK(told(folder, "A", "go ponder").empty());
}

TEST_CASE("an opponent's time for each move is no clock either", "[turns]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file =
      folder.write("m.yaml", "time_control: 3600\nadjudication: {max_moves: 2}\nschedule: {kind: match, games: 1}\nengines:\n" +
                                 engine_line("A", script) + engine_line("B", script, ", time_control: move 30") +
                                 "output: {folder: out, protocol_log: true}\n");
  REQUIRE(run(folder, {"run", file}) == 0);
  const auto heard = told(folder, "A", "go");
  REQUIRE(heard.size() == 2);
  // Nothing can be said of an opponent's clock that does not run down: both are the engine's own, as against one without a clock.
  CHECK(heard[0] == "go wtime 3600000 btime 3600000");
  CHECK(std::regex_match(heard[1], std::regex("go wtime (\\d+) btime \\1")));
  for (const std::string& line : told(folder, "B", "go")) CHECK(line == "go movetime 30000");
}

TEST_CASE("XBoard: a time for each move stands on the clock anew each time", "[turns]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol xboard\n");
  const auto file =
      folder.write("m.yaml", "time_control: move 30\nadjudication: {max_moves: 3}\nschedule: {kind: match, games: 1}\nengines:\n" +
                                 engine_line("A", script, ", protocol: xboard") + engine_line("B", script, ", protocol: xboard") +
                                 "output: {folder: out, protocol_log: true}\n");
  REQUIRE(run(folder, {"run", file}) == 0);
  CHECK(told(folder, "A", "st ") == std::vector<std::string>{"st 30"});
  CHECK(told(folder, "A", "time ") == std::vector<std::string>(3, "time 3000"));
  CHECK(told(folder, "A", "level").empty());
}

namespace {

std::string repeated(int times, const std::string& steps) {
  std::string script;
  for (int i = 0; i < times; ++i) script += steps;
  return script;
}

std::string without_clock(const test::ScratchFolder& folder, const std::string& claimant, const std::string& timeouts) {
  const auto good = folder.write("good.txt", "# protocol uci\n");
  return folder.write("m.yaml", "edition: fide-2023\ntime_control: inf\nschedule: {kind: match, games: 1}\nengines:\n" +
                                    engine_line("A", claimant, ", protocol: xboard, limits: {depth: 3}" + timeouts) +
                                    engine_line("B", good, ", limits: {depth: 3}") + "output: {folder: out, protocol_log: true}\n");
}

}  // namespace

TEST_CASE("what an engine says while it thinks without a clock does not wind its limit up again", "[turns]") {
  const test::ScratchFolder folder;
  const auto offers = folder.write("x.txt", "# protocol xboard\n> go\n" + repeated(8, "! sleep 700\n< offer draw\n") + "! ignore\n");
  CHECK(run(folder, {"run", without_clock(folder, offers, ", timeouts: {think: 1s}")}) == 0);
  const auto journal = journal_of(folder);
  CHECK(results_of(*journal) == std::vector<std::string>{"1 A-B 0-1 stall 0"});
  CHECK(journal->games().at(0).duration < std::chrono::seconds(4));  // 6.6 s with the last offer
}

TEST_CASE("an engine that is asked for another move has its time without a clock anew", "[turns]") {
  const test::ScratchFolder folder;
  const auto slow = folder.write("s.txt", "# protocol uci\n> go\n! sleep 2200\n< bestmove a1a1\n> go\n! sleep 2200\n< bestmove e2e4\n");
  const auto good = folder.write("good.txt", "# protocol uci\n");
  const auto file = folder.write(
      "m.yaml", "edition: fide-2023\ntime_control: inf\nschedule: {kind: match, games: 1}\nadjudication: {max_moves: 3}\nengines:\n" +
                    engine_line("A", slow, ", limits: {depth: 3}, timeouts: {think: 4s}") + engine_line("B", good, ", limits: {depth: 3}") +
                    "output: {folder: out}\n");
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(results_of(*journal_of(folder)) == std::vector<std::string>{"1 A-B 1/2-1/2 max_moves 6"});
}

TEST_CASE("an engine that answers with the same false claim each time is given up", "[turns]") {
  const test::ScratchFolder folder;
  const auto claims = folder.write("x.txt", "# protocol xboard\n" + repeated(100, "> go\n< 1-0 {White mates}\n"));
  CHECK(run(folder, {"run", without_clock(folder, claims, "")}) == 0);
  CHECK(results_of(*journal_of(folder)) == std::vector<std::string>{"1 A-B 0-1 protocol_error 0"});
  CHECK(told(folder, "A", "go").size() == 9);  // and eight times more
}

TEST_CASE("an engine that claims falsely once and then moves goes on", "[turns]") {
  const test::ScratchFolder folder;
  const auto claims = folder.write("x.txt", "# protocol xboard\n> go\n< 1-0 {White mates}\n> go\n< move e2e4\n> e7\n");
  const auto good = folder.write("good.txt", "# protocol uci\n");
  const auto file = folder.write(
      "m.yaml",
      test::match_yaml(folder, 1, engine_line("A", claims, ", protocol: xboard") + engine_line("B", good), "edition: fide-2023\n"));
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(results_of(*journal_of(folder)) == std::vector<std::string>{"1 A-B 1/2-1/2 max_moves 10"});
  CHECK(journal_of(folder)->faults().empty());
}

TEST_CASE("a claim stops no clock for good: who answers nothing behind it loses on time, and is late, not hung", "[turns]") {
  const test::ScratchFolder folder;
  const auto silent = folder.write("x.txt", "# protocol xboard\n> go\n< 1-0 {White mates}\n> ping\n! ignore\n");
  const auto good = folder.write("good.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml",
                                 "edition: fide-2023\ntime_control: 1\nschedule: {kind: match, games: 1}\n"
                                 "faults: {hang: replay_once, time: lose}\nengines:\n" +
                                     engine_line("A", silent, ", protocol: xboard, timeouts: {ready: 4s, quit: 1s}") +
                                     engine_line("B", good) + "output: {folder: out}\n");
  CHECK(run(folder, {"run", file}) == 0);
  const auto journal = journal_of(folder);
  CHECK(results_of(*journal) == std::vector<std::string>{"1 A-B 0-1 flag_fall 0"});
  CHECK(journal->attempts().size() == 1);
  CHECK(journal->games().at(0).duration < std::chrono::seconds(3));
  REQUIRE(journal->faults().size() == 1);
  CHECK(journal->faults()[0].reason == game::Reason::flag_fall);
  CHECK(run(folder, {"replay", folder.file("out/match.sqlite")}) == 0);
}

TEST_CASE("an offer that stands already is not forwarded again", "[turns]") {
  const test::ScratchFolder folder;
  const auto offers = folder.write("x.txt", "# protocol xboard\n> go\n< move e2e4\n" + repeated(12, "< offer draw\n"));
  const auto slow = folder.write("y.txt", "# protocol xboard\n> go\n! sleep 300\n< move e7e5\n");
  const auto file =
      folder.write("m.yaml", "time_control: 20\nadjudication: {max_moves: 2}\nschedule: {kind: match, games: 1}\nengines:\n" +
                                 engine_line("A", offers, ", protocol: xboard") + engine_line("B", slow, ", protocol: xboard") +
                                 "output: {folder: out, protocol_log: true}\n");
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(results_of(*journal_of(folder)) == std::vector<std::string>{"1 A-B 1/2-1/2 max_moves 4"});
  CHECK(told(folder, "B", "draw").size() == 1);
}

TEST_CASE("an XBoard engine that cannot be told of its only limit is refused at the start", "[turns]") {
  const test::ScratchFolder folder;
  const bool counts_nodes = GENERATE(false, true);
  const auto good = folder.write("good.txt", "# protocol uci\n");
  const auto script = folder.write("x.txt", std::string("# protocol xboard\n> protover\n< feature ping=1 setboard=1 usermove=1 ") +
                                                (counts_nodes ? "nps=1 " : "") + "done=1\n");
  const auto file =
      folder.write("m.yaml", "time_control: inf\nadjudication: {max_moves: 2}\nschedule: {kind: match, games: 1}\nengines:\n" +
                                 engine_line("A", script, ", protocol: xboard, limits: {nodes: 1000}") +
                                 engine_line("B", good, ", limits: {nodes: 1000}") + "output: {folder: out, protocol_log: true}\n");
  CHECK(run(folder, {"run", file}) == (counts_nodes ? 0 : 1));
  const bool refused = folder.read("stdout").find("A could not be started: cannot be told of its only limit") != std::string::npos;
  CHECK(refused != counts_nodes);
  if (counts_nodes) CHECK(told(folder, "A", "nps") == std::vector<std::string>{"nps 1000"});
}

TEST_CASE("XBoard: without a clock an engine is told to move before it is given up", "[turns]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("x.txt", "# protocol xboard\n");
  const auto file = without_clock(folder, script, ", timeouts: {think: 100s}");
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(told(folder, "A", "st ") == std::vector<std::string>{"st 90"});
}
