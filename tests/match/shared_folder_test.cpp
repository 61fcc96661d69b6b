// What stood in the folder of a match before it, or is written there by another, is nobody's to remove or to write over.
#include <sys/stat.h>

#include <filesystem>

#include "tests/match/process.hpp"

using namespace referee;
using Catch::Matchers::Contains;
using referee::test::engine_line;
using referee::test::program;
using referee::test::run;

namespace fs = std::filesystem;

namespace {

struct Players {
  explicit Players(const test::ScratchFolder& folder) : good(folder.write("s.txt", "# protocol uci\n")) {
    crash = folder.write("c.txt", "# protocol uci\n> go\n! exit 1\n");
    engines = "engines:\n" + engine_line("Good", good) + engine_line("Bad", crash);
  }
  [[nodiscard]] std::string yaml(const std::string& output) const {
    return "time_control: 20+0.2\nschedule: {kind: match, games: 2}\nadjudication: {max_moves: 3}\n" + engines + "output: {folder: out" +
           output + "}\n";
  }
  std::string good, crash, engines;
};

}  // namespace

TEST_CASE("a match that begins anew takes away its own files alone", "[run]") {
  const test::ScratchFolder folder;
  const Players players(folder);
  fs::create_directories(folder.file("out/faults"));
  folder.write("out/faults/mine.txt", "mine");
  folder.write("out/events.jsonl", "mine\n");
  const auto first = folder.write("a.yaml", players.yaml(", journal: a.sqlite, events: events.jsonl"));
  const auto second = folder.write("b.yaml", players.yaml(", journal: b.sqlite, events: events.jsonl"));
  REQUIRE(run(folder, {"run", "--fresh", first}) == 0);  // nothing of it is there yet
  CHECK(folder.read("out/faults/mine.txt") == "mine");
  CHECK(folder.read("out/events.jsonl").starts_with("mine\n{\"fact\":\"match_started\""));
  REQUIRE(run(folder, {"run", second}) == 0);
  CHECK(fs::exists(folder.file("out/faults-a.sqlite/game-1.log")));
  const std::string log = folder.read("out/faults-b.sqlite/game-1.log");
  CHECK_FALSE(log.empty());
  folder.write("out/faults-a.sqlite/notes.txt", "mine");
  const std::string pgn = folder.read("out/games.pgn");
  const std::string events = folder.read("out/events.jsonl");

  REQUIRE(run(folder, {"run", "--fresh", first}) == 0);
  CHECK(folder.read("out/faults-b.sqlite/game-1.log") == log);
  CHECK(folder.read("out/faults-a.sqlite/notes.txt") == "mine");
  CHECK(folder.read("out/events.jsonl").starts_with(events));
  CHECK_THAT(folder.read("stdout"), Contains("events.jsonl holds lines of others"));
  CHECK(test::games_in_pgn(folder.read("out/games.pgn")) == 4);
  const std::size_t of_second = pgn.find("[Event", pgn.find("[Event", 1) + 1);
  CHECK(folder.read("out/games.pgn").starts_with(pgn.substr(of_second)));
}

TEST_CASE("what cannot hold a record is refused before an old match goes", "[run]") {
  const test::ScratchFolder folder;
  const Players players(folder);
  const auto plain = folder.write("m.yaml", players.yaml(""));
  REQUIRE(run(folder, {"run", plain}) == 0);
  const std::string before = folder.read("out/games.pgn");
  REQUIRE(::mkfifo(folder.file("out/pipe").c_str(), 0600) == 0);
  for (const std::string output : {", live: pipe", ", events: pipe", ", pgn: pipe"}) {
    CHECK(run(folder, {"run", "--fresh", folder.write("m.yaml", players.yaml(output))}) == 2);
    CHECK_THAT(folder.read("stderr"), Contains("out/pipe: is a pipe (expected a regular file, or none yet)"));
  }
  CHECK(fs::is_fifo(folder.file("out/pipe")));
  CHECK(folder.read("out/games.pgn") == before);
  CHECK_FALSE(fs::exists(folder.file("out/match.sqlite.old")));
  CHECK(run(folder, {"run", folder.write("m.yaml", players.yaml(", pgn: games.pgn.gz"))}) == 2);
  CHECK_THAT(folder.read("stderr"), Contains("m.yaml:7:28: 'games.pgn.gz' is the name of an archive"));
}

TEST_CASE("a protocol log that cannot be written is told of once and holds nothing up", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  fs::create_directories(folder.file("out/protocol"));
  fs::create_symlink("/dev/full", folder.file("out/protocol/A-1.log"));
  const auto file =
      folder.write("m.yaml", "time_control: 20+0.2\nschedule: {kind: match, games: 2}\nadjudication: {max_moves: 3}\nengines:\n" +
                                 engine_line("A", script) + engine_line("B", script) + "output: {folder: out, protocol_log: true}\n");
  CHECK(run(folder, {"run", file}) == 0);
  const std::string said = folder.read("stdout");
  const std::string failure = "out/protocol/A-1.log: cannot be written: No space left on device";
  REQUIRE_THAT(said, Contains(failure));
  CHECK(said.find(failure, said.find(failure) + 1) == std::string::npos);
  bool written = false;
  for (const auto& log : fs::directory_iterator(folder.file("out/protocol")))
    written = written || (log.path().filename().string().starts_with("B-") && fs::file_size(log.path()) > 0);
  CHECK(written);
}

TEST_CASE("a saved match file takes the place of nothing that the match needs", "[run]") {
  const test::ScratchFolder folder;
  const Players players(folder);
  const auto engine = [&](const std::string& name) { return program + ",name=" + name + ",arguments=stub " + players.good; };
  const auto match = [&](const std::string& save, const std::string& into) {
    return run(folder, {"match", engine("A"), engine("B"), "--games", "2", "--max-moves", "2", "--book", folder.file("b.epd"), "--folder",
                        folder.file(into), "--save", folder.file(save), "--fresh"});
  };
  const std::string book = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -\n";
  folder.write("b.epd", book);
  fs::create_symlink("b.epd", folder.file("link.yaml"));
  for (const char* save : {"b.epd", "link.yaml"}) {
    CHECK(match(save, "out") == 2);
    CHECK_THAT(folder.read("stderr"), Contains("option --save: ") && Contains(" is the openings (expected another file)"));
  }
  CHECK(folder.read("b.epd") == book);
  for (const char* save : {"out/match.sqlite", "out/games.pgn", "out/match.sqlite-wal"}) CHECK(match(save, "out") == 2);
  CHECK_FALSE(fs::exists(folder.file("out/match.sqlite")));
  CHECK(match("nowhere/m.yaml", "out") == 2);
  CHECK_THAT(folder.read("stderr"), Contains("there is no folder"));

  CHECK(match("new/match.yaml", "new") == 0);  // the folder of the match, which is made for it
  CHECK(folder.read("new/match.yaml").find("b.epd") != std::string::npos);
  CHECK(match("new/other.yaml", "new") == 0);
  const std::string mine = "# mine\n" + folder.read("new/other.yaml");
  folder.write("new/match.yaml", mine);
  CHECK(match("new/other.yaml", "new") == 2);
  CHECK_THAT(folder.read("stderr"), Contains("somebody's own match file"));
  CHECK(folder.read("new/match.yaml") == mine);
}

TEST_CASE("an order goes to the match of its journal, not to another in the same folder", "[run]") {
  const test::ScratchFolder folder;
  const auto slow = folder.write("slow.txt", "# protocol uci\n> go\n! sleep 60000\n");
  const auto yaml = [&](const std::string& journal) {
    return "time_control: 100\nschedule: {kind: match, games: 2}\nengines:\n" + engine_line("A", slow) + engine_line("B", slow) +
           "output: {folder: out, journal: " + journal + "}\n";
  };
  const auto first = folder.write("a.yaml", yaml("a.sqlite"));
  const auto second = folder.write("b.yaml", yaml("b.sqlite"));
  CHECK(run(folder, {"control", first, "pause"}) == 1);
  CHECK_THAT(folder.read("stderr"), Contains("out/a.sqlite: no match is being played there"));
  CHECK_FALSE(fs::exists(folder.file("out")));
  fs::create_directory(folder.file("elsewhere"));
  fs::create_symlink("elsewhere", folder.file("out"));
  // Each prints into a folder of its own.
  const test::ScratchFolder print_of_one;
  const test::ScratchFolder print_of_other;
  test::Process one(print_of_one, {"run", first});
  REQUIRE(one.says("stdout", "at once"));
  CHECK(run(folder, {"control", second, "stop", "--now"}) == 1);  // nobody plays that one
  test::Process other(print_of_other, {"run", second});
  REQUIRE(other.says("stdout", "at once"));
  CHECK(run(folder, {"control", second, "stop", "--now"}) == 0);
  CHECK_THAT(folder.read("stdout"), Contains("stop now: told the match of ") && Contains("b.sqlite"));
  CHECK(other.wait() == 130);
  CHECK(run(folder, {"control", first, "stop", "--now"}) == 0);
  CHECK(one.wait() == 130);
}

TEST_CASE("a fault log that cannot be written is told of once and spoils nothing", "[run]") {
  const test::ScratchFolder folder;
  const Players players(folder);
  fs::create_directories(folder.file("out"));
  folder.write("out/faults", "mine");
  CHECK(run(folder, {"run", folder.write("m.yaml", players.yaml(""))}) == 0);
  const std::string said = folder.read("stdout");
  CHECK_THAT(said, Contains("warning: ") && Contains("the journal has what the fault log would say"));
  CHECK(said.find("the fault log would say") == said.rfind("the fault log would say"));
  CHECK(folder.read("out/faults") == "mine");
  CHECK(test::games_in_pgn(folder.read("out/games.pgn")) == 2);
}
