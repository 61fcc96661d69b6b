// Whole matches through the built program, with scripted engines (`referee stub`).
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "referee/record/owner_lock.hpp"
#include "tests/match/process.hpp"

using namespace referee;
using namespace std::chrono_literals;
using test::engine_line;
using test::games_in_pgn;
using test::journal_of;
using test::match_yaml;
using test::Process;
using test::program;
using test::results_of;
using test::run;

TEST_CASE("a match is played to its end, and a finished one plays nothing", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 4, engine_line("A", script) + engine_line("B", script)));
  REQUIRE(run(folder, {"run", file}) == 0);
  const auto first = results_of(*journal_of(folder));
  CHECK(first.size() == 4);
  CHECK(first[0].starts_with("1 A-B 1/2-1/2 max_moves 10"));
  CHECK(first[1].starts_with("2 B-A 1/2-1/2 max_moves 10"));
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 4);
  CHECK(folder.read("stdout").find("4 of 4 games played") != std::string::npos);
  CHECK(folder.read("stdout").find('\x1b') == std::string::npos);  // no cursor movement outside a terminal

  REQUIRE(run(folder, {"run", "--json", file}) == 0);
  CHECK(folder.read("stdout").starts_with("{\"games\":[{\"number\":1,"));
  CHECK(folder.read("stderr").find("finished before") != std::string::npos);
  CHECK(results_of(*journal_of(folder)) == first);
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 4);
}

TEST_CASE("the same games are played at any concurrency", "[run]") {
  const auto play = [](const std::string& concurrency) {
    const test::ScratchFolder folder;
    const auto script = folder.write("s.txt", "# protocol uci\n");
    const auto crash = folder.write("c.txt", "# protocol uci\n> go\n! exit 3\n");
    folder.write("b.epd", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -\n4k3/pppp4/8/8/8/8/2PPPP2/4K3 w - -\nr3k3/pppp4/8/8/8/8/4PPPP/4K2R w Kq -\n");
    const auto file =
        folder.write("m.yaml",
                     "time_control: 20+0.2\nschedule: {kind: round-robin, games_per_pairing: 4}\nadjudication: {max_moves: 20}\n"
                     "openings: {file: b.epd, order: random, seed: 5}\nfaults: {withdraw_after: null}\nengines:\n" +
                         engine_line("A", script) + engine_line("B", script) + engine_line("C", script, ", restart: on") +
                         engine_line("D", crash) + "output: {folder: out}\n");
    CHECK(run(folder, {"run", "--concurrency", concurrency, file}) == 0);
    CHECK(games_in_pgn(folder.read("out/games.pgn")) == 24);
    return results_of(*journal_of(folder));
  };
  const auto alone = play("1");
  CHECK(alone.size() == 24);
  CHECK(alone == play("8"));
}

TEST_CASE("an engine that closed its output before its flag fell is disconnected, not late", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto closes = folder.write("c.txt", "# protocol uci\n> go\n! close stdout\n! ignore\n");
  // The flag falls long before the second that a silent process is given to say how it ended.
  const auto file = folder.write("m.yaml", "time_control: 0.2\nschedule: {kind: match, games: 1}\nengines:\n" + engine_line("Bad", closes) +
                                               engine_line("Good", script) + "output: {folder: out}\n");
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(results_of(*journal_of(folder)) == std::vector<std::string>{"1 Bad-Good 0-1 disconnect 0"});
}

TEST_CASE("an engine's crash costs its game, not the match", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto crash = folder.write("c.txt", "# protocol uci\n> go\n! stderr 300\n! exit 139\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 4, engine_line("Good", script) + engine_line("Bad", crash)));
  CHECK(run(folder, {"run", file}) == 0);
  const auto journal = journal_of(folder);
  CHECK(results_of(*journal) ==
        std::vector<std::string>{"1 Good-Bad 1-0 crash 1", "2 Bad-Good 0-1 crash 0", "3 Good-Bad 1-0 crash 1", "4 Bad-Good 0-1 crash 0"});
  REQUIRE(journal->faults().size() == 4);
  CHECK(journal->faults()[0].engine == "Bad");
  CHECK(journal->faults()[0].detail.find("139") != std::string::npos);
  const std::string log = folder.read("out/faults/game-1.log");
  CHECK(log.find("Bad > go ") != std::string::npos);
  CHECK(log.find("Good < bestmove ") != std::string::npos);
  CHECK(log.find("Bad ! ") != std::string::npos);
  CHECK(folder.read("out/games.pgn").find("[Termination \"abandoned\"]") != std::string::npos);
  CHECK(run(folder, {"run", "--strict", file}) == 1);  // and tells so again from the journal
}

TEST_CASE("an engine with too many faults is withdrawn and its remaining games are void", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto crash = folder.write("c.txt", "# protocol uci\n> go\n! exit 1\n");
  const std::string scope = GENERATE("remaining", "all");
  const auto file = folder.write(
      "m.yaml",
      "time_control: 20+0.2\nschedule: {kind: round-robin, games_per_pairing: 4}\nadjudication: {max_moves: 8}\nconcurrency: 1\n"
      "faults: {withdraw_after: 2, void: " +
          scope + "}\nengines:\n" + engine_line("A", script) + engine_line("B", script) + engine_line("Bad", crash) +
          "output: {folder: out}\n");
  CHECK(run(folder, {"run", "--json", file}) == 1);
  const std::string json = folder.read("stdout");
  CHECK(json.find("\"withdrawn\":[{\"engine\":\"Bad\",\"why\":\"2 faults\"}]") != std::string::npos);
  CHECK(json.find("\"complete\":true") != std::string::npos);
  int counted = 0;
  for (std::size_t at = json.find("\"counted\":true"); at != std::string::npos; at = json.find("\"counted\":true", at + 1)) ++counted;
  CHECK(counted == (scope == "all" ? 4 : 6));  // A - B; and the two games in which it failed
  CHECK(run(folder, {"run", file}) == 1);      // finished, and still so
}

TEST_CASE("a fault may be played once more", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto crash = folder.write("c.txt", "# protocol uci\n> go\n! exit 1\n");
  const auto file = folder.write(
      "m.yaml", match_yaml(folder, 1, engine_line("Bad", crash) + engine_line("Good", script), "faults: {crash: replay_once}\n"));
  CHECK(run(folder, {"run", file}) == 0);
  const auto attempts = journal_of(folder)->attempts();
  REQUIRE(attempts.size() == 2);
  CHECK_FALSE(attempts[0].counted);
  CHECK(attempts[1].counted);
  CHECK(attempts[1].attempt == 2);
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 1);
}

TEST_CASE("an engine that does not start is named with its last lines", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto dead = folder.write("d.txt", "# protocol uci\n> uci\n< info string cannot load the net\n! exit 7\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 2, engine_line("Dead", dead) + engine_line("B", script)));
  CHECK(run(folder, {"run", file}) == 1);
  const std::string said = folder.read("stdout");
  CHECK(said.find("Dead could not be started: ") != std::string::npos);
  CHECK(said.find("cannot load the net") != std::string::npos);
  CHECK(said.find("status 7") != std::string::npos);
  CHECK(said.find("0 of 2 games played, 2 void") != std::string::npos);
}

namespace {

/// An engine that counts its starts in `starts` and dies in those from `from` to `to`; it never plays two games in one process.
std::string dies_at_starts(const test::ScratchFolder& folder, int from, int to) {
  const std::string script = folder.write("engine.txt", "# protocol uci\n");
  const std::string command =
      folder.write("engine.sh", "#!/bin/sh\necho start >> '" + folder.file("starts") + "'\nn=$(wc -l < '" + folder.file("starts") +
                                    "')\n[ $n -lt " + std::to_string(from) + " ] || [ $n -gt " + std::to_string(to) +
                                    " ] || kill -9 $$\nexec '" + program + "' stub '" + script + "'\n");
  std::filesystem::permissions(command, std::filesystem::perms::owner_all);
  return "  - {name: Unlucky, command: " + command + ", restart: on}\n";
}

std::ptrdiff_t starts(const test::ScratchFolder& folder) { return std::ranges::count(folder.read("starts"), '\n'); }

}  // namespace

TEST_CASE("an engine that has played before is not given up for two failed starts", "[run]") {
  const test::ScratchFolder folder;
  const std::string engines = dies_at_starts(folder, 3, 4) + engine_line("B", folder.write("s.txt", "# protocol uci\n"));
  CHECK(run(folder, {"run", folder.write("m.yaml", match_yaml(folder, 3, engines))}) == 0);
  CHECK(folder.read("stdout").find("3 of 3 games played") != std::string::npos);
  CHECK(folder.read("stdout").find("warning: Unlucky: a start failed (was killed by signal 9") != std::string::npos);
  CHECK(starts(folder) == 5);
  CHECK(journal_of(folder)->withdrawals().empty());
}

TEST_CASE("that it has played before is known after a kill too", "[run]") {
  const test::ScratchFolder folder;
  const auto slow = folder.write("slow.txt", "# protocol uci\n> go\n! sleep 200\n");
  const std::string engines = dies_at_starts(folder, 2, 3) + engine_line("Slow", slow);
  const auto file = folder.write("m.yaml", match_yaml(folder, 2, engines));
  Process first(folder, {"run", file});
  REQUIRE(first.says("stdout", "game 1 of 2 started"));
  first.signal(SIGKILL);
  (void)first.wait();
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(folder.read("stdout").find("2 of 2 games played") != std::string::npos);
}

TEST_CASE("an engine that never started is tried twice", "[run]") {
  const test::ScratchFolder folder;
  const std::string engines = dies_at_starts(folder, 1, 99) + engine_line("B", folder.write("s.txt", "# protocol uci\n"));
  CHECK(run(folder, {"run", folder.write("m.yaml", match_yaml(folder, 3, engines))}) == 1);
  CHECK(folder.read("stdout").find("0 of 3 games played, 3 void") != std::string::npos);
  CHECK(starts(folder) == 2);
}

TEST_CASE("a start that fails after the match was stopped withdraws nobody", "[run]") {
  const test::ScratchFolder folder;
  const auto slow = folder.write("slow.txt", "# protocol uci\n> go\n! sleep 2500\n");
  // It fails when it is told to: after the signal.
  const std::string command = folder.write("engine.sh", "#!/bin/sh\n[ -e '" + folder.file("mended") + "' ] && exec '" + program +
                                                            "' stub '" + folder.write("s.txt", "# protocol uci\n") + "'\nwhile [ ! -e '" +
                                                            folder.file("now") + "' ]; do sleep 0.02; done\nexit 1\n");
  std::filesystem::permissions(command, std::filesystem::perms::owner_all);
  const std::string engines = engine_line("Slow", slow) + engine_line("B", slow) + "  - {name: Broken, command: " + command + "}\n";
  const auto file = folder.write("m.yaml",
                                 "time_control: 20+0.2\nschedule: {kind: round-robin, games_per_pairing: 1}\nconcurrency: 2\n"
                                 "adjudication: {max_moves: 1}\nengines:\n" +
                                     engines + "output: {folder: out}\n");
  Process first(folder, {"run", file});
  REQUIRE(first.says("stdout", " started: Slow - B"));
  first.signal(SIGINT);
  REQUIRE(first.says("stdout", "stopping: finishing 1 running game"));
  (void)folder.write("now", "");
  CHECK(first.wait() == 130);
  CHECK(journal_of(folder)->withdrawals().empty());
  (void)folder.write("mended", "");
  (void)folder.write("slow.txt", "# protocol uci\n");
  CHECK(run(folder, {"run", "--accept-change", file}) == 0);
  CHECK(folder.read("stdout").find("3 of 3 games played") != std::string::npos);
}

TEST_CASE("a changed option is refused by name, accepted on demand, or starts anew", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto yaml = [&](int games, const std::string& hash) {
    return match_yaml(folder, games, engine_line("A", script) + engine_line("B", script, ", options: {Hash: " + hash + "}"));
  };
  auto file = folder.write("m.yaml", yaml(2, "16"));
  REQUIRE(run(folder, {"run", file}) == 0);
  file = folder.write("m.yaml", yaml(4, "32"));
  CHECK(run(folder, {"run", file}) == 2);
  CHECK(folder.read("stderr").find("engine B: option Hash changed (was 16, is 32)") != std::string::npos);
  CHECK(results_of(*journal_of(folder)).size() == 2);
  CHECK(run(folder, {"run", "--accept-change", file}) == 0);
  CHECK(results_of(*journal_of(folder)).size() == 4);
  bool told = false;
  for (const record::Fact& fact : journal_of(folder)->matters()) told = told || std::holds_alternative<record::ChangeAccepted>(fact);
  CHECK(told);
  file = folder.write("m.yaml", yaml(1, "64"));
  CHECK(run(folder, {"run", file}) == 2);
  CHECK(run(folder, {"run", "--fresh", file}) == 0);
  CHECK(results_of(*journal_of(folder)).size() == 1);
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 1);
}

TEST_CASE("more games extend a finished match", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto engines = engine_line("A", script) + engine_line("B", script);
  REQUIRE(run(folder, {"run", folder.write("m.yaml", match_yaml(folder, 2, engines))}) == 0);
  const auto before = journal_of(folder)->games();
  REQUIRE(run(folder, {"run", folder.write("m.yaml", match_yaml(folder, 6, engines))}) == 0);
  const auto after = journal_of(folder)->games();
  REQUIRE(after.size() == 6);
  CHECK(std::equal(before.begin(), before.end(), after.begin()));
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 6);
}

TEST_CASE("SIGINT once finishes the running games, and the match goes on later", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto slow = folder.write("slow.txt", "# protocol uci\n> isready\n! sleep 400\n< readyok\n");
  const int signal = GENERATE(SIGINT, SIGTERM);
  const auto file = folder.write("m.yaml", match_yaml(folder, 6, engine_line("A", script) + engine_line("Slow", slow, ", restart: on")));
  Process process(folder, {"run", "--concurrency", "1", file});
  REQUIRE(process.says("stdout", "game 1 of 6 started"));
  process.signal(signal);
  CHECK(process.wait() == (signal == SIGINT ? 130 : 143));
  const auto rows = journal_of(folder)->games();
  // The console tells of a game up to a second late: one or two had begun by then, none is left unfinished.
  REQUIRE_FALSE(rows.empty());
  REQUIRE(rows.size() < 6);
  for (const auto& row : rows) CHECK(row.outcome);
  CHECK(folder.read("stdout").find("; stopped, to go on: referee run " + file) != std::string::npos);
  CHECK(run(folder, {"run", "--concurrency", "6", file}) == 0);
  const auto all = journal_of(folder)->games();
  CHECK(all.size() == 6);
  CHECK(std::equal(rows.begin(), rows.end(), all.begin()));
}

TEST_CASE("SIGINT twice stops at once, and the games are played again", "[run]") {
  const test::ScratchFolder folder;
  const auto hang = folder.write("hang.txt", "# protocol uci\n> go\n! ignore\n");
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto yaml = [&](const std::string& second) {
    return match_yaml(folder, 2, engine_line("A", script) + engine_line("B", second), "concurrency: 2\n");
  };
  const auto file = folder.write("m.yaml", yaml(hang));
  Process process(folder, {"run", file});
  REQUIRE(process.says("stdout", "game 2 of 2 started"));
  process.signal(SIGINT);
  REQUIRE(process.says("stdout", "once more to stop at once"));
  process.signal(SIGINT);
  CHECK(process.wait() == 130);
  for (const auto& row : journal_of(folder)->games()) {
    REQUIRE(row.outcome);
    CHECK(row.outcome->reason == game::Reason::aborted);
    CHECK_FALSE(row.counted);
  }
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 0);
  folder.write("m.yaml", yaml(script));
  CHECK(run(folder, {"run", "--accept-change", file}) == 0);
  for (const auto& row : journal_of(folder)->games()) {
    CHECK(row.attempt == 2);
    CHECK(row.counted);
  }
}

TEST_CASE("unfinished games may go on from their last move with their clocks", "[run]") {
  const test::ScratchFolder folder;
  // White moves at once for five moves, then hangs: the match is stopped there.
  const auto hang = folder.write("hang.txt", "# protocol uci\n> go\n< bestmove a2a3\n> go\n< bestmove b2b3\n> go\n! ignore\n");
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto yaml = [&](const std::string& first) {
    return match_yaml(folder, 1, engine_line("A", first) + engine_line("B", script), "on_interrupt: continue\n");
  };
  const auto file = folder.write("m.yaml", yaml(hang));
  Process process(folder, {"run", file});
  REQUIRE(process.says("out/match.sqlite-wal", "b2b3"));
  process.signal(SIGKILL);
  CHECK(process.wait() == 128 + SIGKILL);
  folder.write("m.yaml", yaml(script));
  REQUIRE(run(folder, {"run", "--accept-change", file}) == 0);
  const auto game = journal_of(folder)->game(1);
  REQUIRE(game);
  CHECK(game->row.attempt == 1);
  std::vector<std::string> moves;
  for (const auto& judged : game->events) {
    for (const auto& ruling : judged.rulings) {
      if (const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body)) moves.push_back(accepted->uci);
    }
  }
  REQUIRE(moves.size() == 10);
  CHECK(moves[0] == "a2a3");
  CHECK(moves[2] == "b2b3");
  CHECK(game->row.outcome->reason == game::Reason::max_moves);
}

TEST_CASE("kill -9 at any instant loses no finished game and repeats none", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  constexpr int games = 400;
  const auto file =
      folder.write("m.yaml", match_yaml(folder, games, engine_line("A", script) + engine_line("B", script), "concurrency: 3\n"));
  std::minstd_rand random(20240607);
  std::map<int, record::GameRow> finished;
  const auto look = [&] {
    if (!std::filesystem::exists(folder.file("out/match.sqlite"))) return;
    std::unique_ptr<record::Journal> journal;
    try {
      journal = journal_of(folder);
    } catch (const record::JournalError&) {
      return;  // killed before its first table stood
    }
    std::map<int, record::GameRow> now;
    for (const auto& row : journal->games()) {
      if (row.outcome && row.counted) now.emplace(row.game, row);
    }
    for (const auto& [number, row] : finished) {
      REQUIRE(now.contains(number));
      REQUIRE(now.at(number) == row);
    }
    finished = std::move(now);
  };
  for (int kills = 0; kills < 20; ++kills) {
    Process process(folder, {"run", file});
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    process.signal(SIGKILL);
    process.wait();
    look();
  }
  REQUIRE(run(folder, {"run", file}) == 0);
  look();
  CHECK(finished.size() == games);
  std::map<int, int> counted;
  for (const auto& row : journal_of(folder)->attempts()) {
    if (row.outcome && row.counted) ++counted[row.game];
  }
  for (int number = 1; number <= games; ++number) CHECK(counted[number] == 1);
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == games);
}

TEST_CASE("a referee that was stopped annuls the games it did not watch, and plays them again", "[run]") {
  const test::ScratchFolder folder;
  // White answers its first search after 1.2 s, while the referee is stopped; its clock shows 2 s. By the arrival of the answer it is late.
  const auto script = folder.write("s.txt", "# protocol uci\n> go\n! sleep 1200\n< bestmove a2a3\n");
  const auto plain = folder.write("p.txt", "# protocol uci\n");
  const auto file =
      folder.write("m.yaml", "time_control: 2+0.1\nschedule: {kind: match, games: 1}\nadjudication: {max_moves: 5}\nengines:\n" +
                                 engine_line("A", script) + engine_line("B", plain) + "output: {folder: " + folder.file("out") +
                                 ", events: events.jsonl}\n");
  Process process(folder, {"run", file});
  REQUIRE(process.says("out/events.jsonl", "game_started"));
  process.signal(SIGSTOP);
  std::this_thread::sleep_for(2500ms);
  process.signal(SIGCONT);
  CHECK(process.wait() == 0);
  const std::string told = folder.read("stdout") + folder.read("stderr");
  CHECK(told.find("the referee stood still for") != std::string::npos);
  const auto journal = journal_of(folder);
  REQUIRE(journal->games().size() == 1);
  const record::GameRow row = journal->games().front();
  CHECK(row.attempt == 2);
  CHECK(row.counted);
  REQUIRE(row.outcome);
  CHECK(row.outcome->reason == game::Reason::max_moves);
  const auto first = journal->game(1, 1);
  REQUIRE(first);
  REQUIRE(first->row.outcome);
  CHECK(first->row.outcome->annulled);
  CHECK(first->row.outcome->detail.find("stood still") != std::string::npos);
  CHECK(journal->faults().empty());
  const auto warnings = journal->warnings();
  CHECK(std::ranges::count_if(warnings, [](const record::EngineWarning& warning) { return warning.kind == "pause"; }) == 1);
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 1);
  CHECK(run(folder, {"replay", folder.file("out/match.sqlite")}) == 0);
}

TEST_CASE("a kill before the journal's first table is a match not yet begun", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 2, engine_line("A", script) + engine_line("B", script)));
  std::filesystem::create_directories(folder.file("out"));
  folder.write("out/match.sqlite", "");
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(journal_of(folder)->games().size() == 2);
}

TEST_CASE("a journal that has lost its games is refused beside a PGN that has them", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 2, engine_line("A", script) + engine_line("B", script)));
  REQUIRE(run(folder, {"run", file}) == 0);
  const std::string pgn = folder.read("out/games.pgn");
  folder.write("out/match.sqlite", "");  // as one that was copied without its -wal
  CHECK(run(folder, {"run", file}) == 2);
  CHECK(folder.read("stderr").find("out/match.sqlite: holds no games, yet 2 games of this event between these engines stand in") !=
        std::string::npos);
  CHECK(folder.read("out/games.pgn") == pgn);
  CHECK(run(folder, {"run", "--fresh", file}) == 0);
  CHECK(folder.read("out/games.pgn").starts_with(pgn));
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 4);
}

TEST_CASE("a match without a journal beside a PGN that has its games begins anew behind them, and says so", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 2, engine_line("A", script) + engine_line("B", script)));
  REQUIRE(run(folder, {"run", file}) == 0);
  std::filesystem::remove(folder.file("out/match.sqlite"));
  CHECK(run(folder, {"run", file}) == 0);
  CHECK((folder.read("stdout") + folder.read("stderr")).find("2 games of this event between these engines stand in") != std::string::npos);
  CHECK(games_in_pgn(folder.read("out/games.pgn")) == 4);
}

TEST_CASE("games that a kill kept out of the PGN are added, also when nothing is left to play", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 4, engine_line("A", script) + engine_line("B", script)));
  REQUIRE(run(folder, {"run", file}) == 0);
  const std::string whole = folder.read("out/games.pgn");
  const auto last = whole.rfind("[Event ");
  folder.write("out/games.pgn", whole.substr(0, last + 40));
  CHECK(run(folder, {"run", file}) == 0);
  CHECK(folder.read("out/games.pgn") == whole);
}

TEST_CASE("one journal has one writer", "[run]") {
  const test::ScratchFolder folder;
  const auto hang = folder.write("hang.txt", "# protocol uci\n> go\n! ignore\n");
  const auto file = folder.write("m.yaml", match_yaml(folder, 1, engine_line("A", hang) + engine_line("B", hang)));
  Process first(folder, {"run", file});
  REQUIRE(first.says("stdout", "game 1 of 1 started"));
  const test::ScratchFolder elsewhere;
  CHECK(run(elsewhere, {"run", file}) == 2);
  CHECK(elsewhere.read("stderr").find("match.sqlite") != std::string::npos);
}

TEST_CASE("who is told that a match obeys is obeyed, also while it is being set up", "[run]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n> go\n! sleep 60000\n");
  std::string suite;
  for (int i = 0; i < 100'000; ++i) suite += "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - id \"" + std::to_string(i) + "\";\n";
  folder.write("b.epd", suite);  // takes a while to read
  const auto file = folder.write(
      "m.yaml", match_yaml(folder, 4, engine_line("A", script) + engine_line("B", script), "concurrency: 1\nopenings: {file: b.epd}\n"));
  {
    Process first(folder, {"run", file});
    REQUIRE(first.says("stdout", "4 games of 2 engines"));
    first.signal(SIGKILL);
    (void)first.wait();
  }
  folder.write("out/control", "#1-1-1 stop now\nstop now\n");  // left by that match: nobody is to obey it
  Process second(folder, {"run", file});
  const std::string journal = folder.file("out/match.sqlite");
  for (int i = 0; i < 3000 && !record::OwnerLock::is_held(journal); ++i) std::this_thread::sleep_for(10ms);
  REQUIRE(record::OwnerLock::is_held(journal));
  const test::ScratchFolder elsewhere;
  REQUIRE(run(elsewhere, {"control", file, "pause"}) == 0);
  CHECK(elsewhere.read("stdout").find("pause: told the match of") == 0);
  CHECK(second.says("stdout", "paused: running games are finished"));
  CHECK(run(elsewhere, {"control", file, "stop", "--now"}) == 0);
  CHECK(second.wait() != 0);
  CHECK(run(elsewhere, {"control", file, "pause"}) == 1);
  CHECK(elsewhere.read("stderr").find("no match is being played there") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.file("out/control")));
}
