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
