// An engine that was withdrawn plays no more: not the replay of a fault, not a game that was being set up; and `void: all` means all.
#include <boost/json.hpp>
#include <catch2/catch.hpp>

#include "tests/match/process.hpp"

using namespace referee;
using test::engine_line;
using test::journal_of;
using test::program;
using test::results_of;
using test::run;

namespace {

constexpr const char* two_openings = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -\n4k3/pppp4/8/8/8/8/2PPPP2/4K3 w - -\n";
// An illegal move in the first opening, as either colour.
constexpr const char* illegal_in_the_first =
    "# protocol uci\n> position fen 4k3/pppp4/8/8/8/8/4PPPP/4K3\n> go\n! sleep 500\n< bestmove a1a1\n";
// Slow at its first move in the second opening, as White.
constexpr const char* slow_in_the_second =
    "# protocol uci\n> position fen 4k3/pppp4/8/8/8/8/2PPPP2/4K3\n> go\n! sleep 1500\n< bestmove c2c3\n";

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::string two_at_once(const test::ScratchFolder& folder, const std::string& faults, const std::string& engines) {
  folder.write("b.epd", two_openings);
  return folder.write("m.yaml",
                      "time_control: 20+0.2\nschedule: {kind: match, games: 6}\nadjudication: {max_moves: 6}\nconcurrency: 2\n"
                      "openings: {file: b.epd, repeat: false}\nfaults: " +
                          faults + "\nengines:\n" + engines + "output: {folder: out}\n");
}

}  // namespace

TEST_CASE("a game that runs when its engine is withdrawn counts, unless all its games are void", "[withdrawal]") {
  const test::ScratchFolder folder;
  const std::string scope = GENERATE("remaining", "all");
  const auto file = two_at_once(folder, "{withdraw_after: 1, void: " + scope + "}",
                                engine_line("Bad", folder.write("bad.txt", illegal_in_the_first)) +
                                    engine_line("Good", folder.write("good.txt", slow_in_the_second)));
  CHECK(run(folder, {"run", "--json", file}) == 1);
  const std::string json = folder.read("stdout");
  CHECK(results_of(*journal_of(folder)) ==
        std::vector<std::string>{"1 Bad-Good 0-1 illegal_move_forfeit 0", "2 Good-Bad 1/2-1/2 max_moves 12"});
  CHECK(count(json, "\"counted\":true") == (scope == "all" ? 0 : 2));
  CHECK(json.find("\"complete\":true") != std::string::npos);
  CHECK(run(folder, {"run", "--json", file}) == 1);  // the record says the same
  CHECK(count(folder.read("stdout"), "\"counted\":true") == (scope == "all" ? 0 : 2));
}

TEST_CASE("a game that ran when its engine was withdrawn goes on after a kill too", "[withdrawal]") {
  const test::ScratchFolder folder;
  const auto file = two_at_once(folder, "{withdraw_after: 1}\non_interrupt: continue",
                                engine_line("Bad", folder.write("bad.txt", illegal_in_the_first)) +
                                    engine_line("Good", folder.write("good.txt", slow_in_the_second)));
  {
    test::Process first(folder, {"run", file});
    REQUIRE(first.says("stdout", "Bad is withdrawn"));
    first.signal(SIGKILL);
    (void)first.wait();
  }
  CHECK(run(folder, {"run", file}) == 1);
  CHECK(results_of(*journal_of(folder)) ==
        std::vector<std::string>{"1 Bad-Good 0-1 illegal_move_forfeit 0", "2 Good-Bad 1/2-1/2 max_moves 12"});
}

TEST_CASE("a fault is not played once more by an engine that was withdrawn", "[withdrawal]") {
  const test::ScratchFolder folder;
  const auto bad = folder.write("bad.txt", "# protocol uci\n> go\n! sleep 500\n< bestmove a1a1\n");
  const auto file = two_at_once(folder, "{illegal: replay_once, crash: replay_once, withdraw_after: 1}",
                                engine_line("Bad", bad) + engine_line("Good", folder.write("good.txt", slow_in_the_second)));
  CHECK(run(folder, {"run", "--json", file}) == 1);
  const auto attempts = journal_of(folder)->attempts();
  CHECK(attempts.size() == 2);  // of games 1 and 2
  for (const auto& attempt : attempts) {
    CHECK(attempt.attempt == 1);
    CHECK_FALSE(attempt.counted);
  }
  const std::string json = folder.read("stdout");
  CHECK(count(json, "\"counted\":true") == 0);
  CHECK(json.find("\"complete\":true") != std::string::npos);
}

TEST_CASE("a game whose engines are being started when one of them is withdrawn does not begin", "[withdrawal]") {
  const test::ScratchFolder folder;
  const auto fast = folder.write("fast.txt", "# protocol uci\n> go\n< bestmove a1a1\n");
  const auto slow = folder.write("slow.txt", "# protocol uci\n> uci\n! sleep 1500\n< id name Slow\n< uciok\n");
  // The first process starts at once, the others slowly.
  const auto either = folder.write("either.sh", "if mkdir " + folder.file("first") + " 2>/dev/null; then exec " + program + " stub " +
                                                    fast + "; else exec " + program + " stub " + slow + "; fi\n");
  const auto file = two_at_once(folder, "{withdraw_after: 1}",
                                "  - {name: Bad, command: /bin/sh, arguments: [" + either + "], protocol: uci}\n" +
                                    engine_line("Good", folder.write("good.txt", "# protocol uci\n")));
  CHECK(run(folder, {"run", "--json", file}) == 1);
  const auto rows = results_of(*journal_of(folder));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].find("illegal_move_forfeit") != std::string::npos);
  CHECK(folder.read("stdout").find("\"complete\":true") != std::string::npos);
}

TEST_CASE("a tournament from which an engine was withdrawn is the same when its record is read again", "[withdrawal]") {
  const test::ScratchFolder folder;
  const std::string schedule = GENERATE("kind: swiss, rounds: 3, games_per_pairing: 1", "kind: swiss, rounds: 2", "kind: knockout",
                                        "kind: round-robin, games_per_pairing: 1");
  const std::string scope = GENERATE("remaining", "all");
  const auto good = folder.write("good.txt", "# protocol uci\n");
  const auto bad = folder.write("bad.txt", "# protocol uci\n> go\n< bestmove a1a1\n");
  const auto file = folder.write("m.yaml", "time_control: 20+0.2\nschedule: {" + schedule +
                                               "}\nadjudication: {max_moves: 4}\nfaults: {withdraw_after: 1, void: " + scope +
                                               "}\nengines:\n" + engine_line("A", good) + engine_line("Bad", bad) + engine_line("C", good) +
                                               engine_line("D", good) + engine_line("E", good) + "output: {folder: out}\n");
  const int code = run(folder, {"run", "--json", file});
  const auto played = boost::json::parse(folder.read("stdout"));
  INFO(schedule << " " << scope);
  CHECK(run(folder, {"run", "--json", file}) == code);
  const auto read_again = boost::json::parse(folder.read("stdout"));
  CHECK(played.at("complete").as_bool());
  CHECK(read_again.at("standings") == played.at("standings"));
  CHECK(read_again.at("games") == played.at("games"));
}
