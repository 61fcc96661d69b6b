// Chess960, pondering, saved command lines and full protocol logs, end to end with scripted engines; and the same games at any concurrency.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>

#include "referee/record/pgn.hpp"
#include "tests/match/process.hpp"

using namespace referee;
using test::engine_line;
using test::journal_of;
using test::program;
using test::run;

namespace {

std::vector<std::string> moves_of(const record::Journal& journal, int number) {
  std::vector<std::string> moves;
  const auto game = journal.game(number);
  if (!game) return moves;
  for (const auto& judged : game->events) {
    for (const auto& ruling : judged.rulings) {
      if (const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body)) moves.push_back(accepted->uci);
    }
  }
  return moves;
}

/// All logs of one engine's processes, one after the other.
std::string protocol_of(const test::ScratchFolder& folder, const std::string& engine) {
  std::string text;
  for (const auto& file : std::filesystem::directory_iterator(folder.file("out/protocol"))) {
    const std::string name = file.path().filename().string();
    if (name.starts_with(engine)) text += folder.read("out/protocol/" + name);
  }
  return text;
}

}  // namespace

TEST_CASE("Chess960: castling is king takes rook, in both protocols, and the PGN says the variant", "[variants]") {
  const test::ScratchFolder folder;
  // White castles at once with a king on b1 and a rook on c1.
  folder.write("b.epd", "1k6/pppppppp/8/8/8/8/PPPPPPPP/1KR5 w C - 0 1\n");
  const bool xboard = GENERATE(false, true);
  const auto white = folder.write("w.txt", xboard ? "# protocol xboard\n> go\n< move O-O\n" : "# protocol uci\n> go\n< bestmove b1c1\n");
  const auto black = folder.write("b.txt", "# protocol uci\n");
  const auto file = folder.write("m.yaml",
                                 "time_control: 20+0.2\nchess960: true\nadjudication: {max_moves: 3}\nopenings: b.epd\n"
                                 "schedule: {kind: match, games: 1}\nengines:\n" +
                                     engine_line("A", white, xboard ? ", protocol: xboard" : "") + engine_line("B", black) +
                                     "output: {folder: out, protocol_log: true}\n");
  REQUIRE(run(folder, {"run", file}) == 0);
  const auto moves = moves_of(*journal_of(folder), 1);
  REQUIRE(moves.size() == 6);
  CHECK(moves[0] == "b1c1");
  const std::string pgn = folder.read("out/games.pgn");
  CHECK(pgn.find("[Variant \"Chess960\"]") != std::string::npos);
  CHECK(pgn.find("1. O-O") != std::string::npos);
  // Black was told of it in its own protocol's words.
  const std::string log = protocol_of(folder, "B");
  CHECK(log.find("> setoption name UCI_Chess960 value true") != std::string::npos);
  CHECK(std::regex_search(log, std::regex("> position fen .* moves b1c1\n")));
  CHECK(run(folder, {"check", folder.file("out/games.pgn")}) == 0);
  CHECK(run(folder, {"replay", folder.file("out/match.sqlite")}) == 0);
}

TEST_CASE("an engine that does not play Chess960 is not asked to", "[variants]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto plain = folder.write("p.txt", "# protocol uci\n> uci\n< id name Plain\n< uciok\n");
  const auto file =
      folder.write("m.yaml", test::match_yaml(folder, 2, engine_line("A", script) + engine_line("Plain", plain), "chess960: true\n"));
  CHECK(run(folder, {"run", file}) == 1);
  CHECK(folder.read("stdout").find("Plain could not be started: does not play Chess960") != std::string::npos);
}

TEST_CASE("pondering: a hit is told, a miss is stopped, an impossible guess is never asked", "[variants]") {
  const test::ScratchFolder folder;
  const auto white = folder.write("w.txt",
                                  "# protocol uci\n"
                                  "> go wtime\n< bestmove e2e4 ponder e7e5\n"                // guessed right
                                  "> go ponder\n> ponderhit\n< bestmove g1f3 ponder b8c6\n"  // guessed wrong
                                  "> go ponder\n> stop\n< bestmove f1b5\n"
                                  "> go wtime\n< bestmove f1c4 ponder c4f1\n"  // no move of Black's
                                  "> go wtime\n< bestmove d2d3\n");
  const auto black =
      folder.write("b.txt", "# protocol uci\n> go\n< bestmove e7e5\n> go\n< bestmove d7d6\n> go\n< bestmove a7a6\n> go\n< bestmove a6a5\n");
  const auto file = folder.write(
      "m.yaml", "time_control: 20+0.2\nadjudication: {max_moves: 4}\nschedule: {kind: match, games: 1}\nengines:\n" +
                    engine_line("A", white, ", ponder: true") + engine_line("B", black) + "output: {folder: out, protocol_log: true}\n");
  REQUIRE(run(folder, {"run", file}) == 0);
  CHECK(moves_of(*journal_of(folder), 1) == std::vector<std::string>{"e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "a7a6", "d2d3", "a6a5"});
  CHECK(journal_of(folder)->faults().empty());
  const std::string log = protocol_of(folder, "A");
  const auto count = [&log](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = log.find(what); at != std::string::npos; at = log.find(what, at + 1)) ++found;
    return found;
  };
  CHECK(count("> go ponder") == 2);
  CHECK(count("> ponderhit") == 1);
  CHECK(count("> stop") == 1);
  CHECK(log.find("> setoption name Ponder value true") != std::string::npos);
  CHECK(protocol_of(folder, "B").find("go ponder") == std::string::npos);
  CHECK(run(folder, {"replay", folder.file("out/match.sqlite")}) == 0);
}

TEST_CASE("a saved command line is the match that was played", "[variants]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  folder.write("b.epd", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -\n4k3/pppp4/8/8/8/8/2PPPP2/4K3 w - -\n");
  const std::string saved = folder.file("saved.yaml");
  const auto engine = [&](const std::string& name) { return program + ",name=" + name + ",arguments=stub " + script; };
  REQUIRE(run(folder, {"match", engine("A"), engine("B"), "--tc", "20+0.2", "--games", "4", "--max-moves", "3", "--book",
                       folder.file("b.epd"), "--order", "random", "--seed", "9", "--folder", folder.file("out"), "--save", saved}) == 0);
  const auto played = test::results_of(*journal_of(folder));
  REQUIRE(played.size() == 4);
  CHECK(run(folder, {"run", saved}) == 0);  // it is the finished one
  CHECK(folder.read("stdout").find("finished before") != std::string::npos);
  CHECK(run(folder, {"run", "--fresh", saved}) == 0);
  CHECK(test::results_of(*journal_of(folder)) == played);
}

TEST_CASE("a sequential test without a file", "[variants]") {
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto crash = folder.write("c.txt", "# protocol uci\n> go\n! exit 1\n");
  const auto engine = [&](const std::string& name, const std::string& stub) {
    return program + ",name=" + name + ",restart=on,arguments=stub " + stub;
  };
  const std::vector<std::string> common{"--tc", "20+0.2", "--max-moves", "3", "--sprt", "elo0=0,elo1=200,model=logistic", "--gate"};
  const auto play = [&](const std::string& first, const std::string& second, const std::string& out) {
    std::vector<std::string> arguments{"match", engine("A", first), engine("B", second), "--folder", folder.file(out)};
    arguments.insert(arguments.end(), common.begin(), common.end());
    return run(folder, arguments);
  };
  CHECK(play(script, crash, "better") == 0);
  CHECK(play(crash, script, "worse") == 3);
  CHECK(run(folder, {"match", "a", "b", "--sprt", "elo2=5"}) == 2);
  CHECK(folder.read("stderr").find("elo0=..,elo1=..") != std::string::npos);
}

TEST_CASE("deterministic engines play the same games, byte by byte, at any concurrency", "[variants]") {
  const auto play = [](const std::string& concurrency) {
    const test::ScratchFolder folder;
    const auto script = folder.write("s.txt", "# protocol uci\n");
    const auto file = folder.write("m.yaml", std::string("time_control: inf\nadjudication: {max_moves: 30}\n"
                                                         "schedule: {kind: round-robin, games_per_pairing: 16}\nopenings: {file: ") +
                                                 REFEREE_SOURCE_FOLDER + "/tests/engines/short_games.epd, order: random, seed: 4}\n" +
                                                 "defaults: {limits: {nodes: 1000}}\nengines:\n" + engine_line("A", script) +
                                                 engine_line("B", script) + engine_line("C", script) + "output: {folder: out}\n");
    CHECK(run(folder, {"run", "--concurrency", concurrency, file}) == 0);
    const auto journal = journal_of(folder);
    record::PgnStyle style;
    style.comments = record::PgnComments::none;
    std::string text;
    for (int number = 1; number <= 48; ++number) text += record::to_pgn(journal->game(number).value(), style);
    // Timing aside.
    return std::regex_replace(text, std::regex("\\[[A-Za-z]*(Date|Time|Duration)[A-Za-z]* \"[^\"]*\"\\]\n"), "");
  };
  const std::string alone = play("1");
  CHECK(alone.find("[Round \"") != std::string::npos);
  CHECK(play("8") == alone);
  CHECK(play("64") == alone);
}
