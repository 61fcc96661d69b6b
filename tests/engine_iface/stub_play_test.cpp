// The stub as an engine: what it answers by itself, and when the script has the word.
#include <catch2/catch.hpp>

#include "stub_world.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

namespace {

StubScript script(std::string_view text) { return std::get<StubScript>(parse_stub_script(text)); }

/// What the stub writes to these lines.
std::string replies(std::string_view text, const std::vector<std::string>& lines) {
  SimulatedWorld world;
  Stub stub(script(text), world);
  stub.start();
  for (const auto& line : lines) stub.line(line);
  return world.output;
}

}  // namespace

TEST_CASE("stub: a UCI engine by itself") {
  CHECK(replies("# protocol uci\n", {"uci"}).ends_with("uciok\n"));
  CHECK(replies("# protocol uci\n", {"isready", "ucinewgame", "setoption name Hash value 3"}) == "readyok\n");
  CHECK(replies("# protocol uci\n", {"position startpos", "go wtime 1000 btime 1000"}) == "bestmove a2a3\n");
  CHECK(replies("# protocol uci\n", {"position startpos moves a2a3", "go depth 3"}) == "bestmove a7a5\n");
  CHECK(replies("# protocol uci\n", {"position fen 7k/8/8/8/8/8/8/K7 w - - 0 1 moves a1a2 h8g8", "go movetime 1"}) == "bestmove a2a1\n");
  CHECK(replies("# protocol uci\n", {"position startpos", "go infinite"}).empty());
  CHECK(replies("# protocol uci\n", {"position startpos", "go infinite", "isready", "stop", "stop"}) == "readyok\nbestmove a2a3\n");
  CHECK(replies("# protocol uci\n", {"position startpos moves e2e4 e7e5", "go ponder wtime 1 btime 1", "ponderhit"}) == "bestmove a2a3\n");
  // Mated: no move exists.
  CHECK(replies("# protocol uci\n", {"position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 1"}) == "bestmove (none)\n");
  // Chess960 castling is king takes rook.
  CHECK(replies("# protocol uci\n", {"setoption name UCI_Chess960 value true", "position fen 4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1 moves e1a1",
                                     "go depth 1"}) == "bestmove e8e7\n");
}

TEST_CASE("stub: an XBoard engine by itself") {
  const std::string start = "# protocol xboard\n";
  CHECK(replies(start, {"xboard", "protover 2"}).ends_with("done=1\n"));
  CHECK(replies(start, {"ping 7"}) == "pong 7\n");
  CHECK(replies(start, {"new", "usermove e2e4"}) == "move a7a5\n");
  CHECK(replies(start, {"new", "e2e4"}) == "move a7a5\n");
  CHECK(replies(start, {"new", "force", "e2e4", "e7e5", "go"}) == "move a2a3\n");
  CHECK(replies(start, {"new", "go", "usermove e7e5"}) == "move a2a3\nmove a1a2\n");
  CHECK(replies(start, {"new", "force", "setboard 7k/8/8/8/8/8/8/K7 w - - 0 1", "go"}) == "move a1a2\n");
  CHECK(replies(start, {"new", "force", "edit", "#", "Ka1", "c", "Kh8", ".", "go"}) == "move a1a2\n");
  CHECK(replies(start, {"new", "force", "a2a3", "edit", "#", "Ka1", "c", "Kh8", ".", "go"}) == "move h8g7\n");
  CHECK(replies(start, {"new", "go", "force", "undo", "go"}) == "move a2a3\nmove a2a3\n");
  CHECK(replies(start, {"new", "result 1-0 {over}", "usermove e2e4"}).empty());
}

TEST_CASE("stub: an XBoard engine's board goes on by what its script prints, in every form that the referee takes for a move") {
  for (const char* printed : {"< move e2e4\n", "< 1. ... e2e4\n", "< 12. ... e2e4\n", "< 1 ... e2e4\n", "< \x07move e2e4\n",
                              "<| mo\n<| ve e2e4\\n\n", "<| 1 0 0 1 e2e4\\nmove e2e4\\n\n", "< move e4\n"}) {
    INFO(printed);
    // White's e-pawn has gone: Black's answer is legal, and the first of the alphabet is played against it.
    const std::string text = replies("# protocol xboard\n> go\n" + std::string(printed), {"new", "go", "usermove e7e5"});
    CHECK(text.ends_with("move a2a3\n"));
  }
}

TEST_CASE("stub: the script has the word when it waits for a line") {
  SECTION("in its turn") {
    CHECK(replies("# protocol uci\n> uci\n< id name Scripted\n< uciok\n> go\n< bestmove g1f3\n",
                  {"uci", "isready", "position startpos", "go depth 1"}) == "id name Scripted\nuciok\nreadyok\nbestmove g1f3\n");
  }
  SECTION("after the last step it plays on") {
    CHECK(replies("# protocol uci\n> go\n< bestmove g1f3\n", {"position startpos", "go depth 1", "position startpos moves g1f3 a7a6",
                                                              "go depth 1"}) == "bestmove g1f3\nbestmove a2a3\n");
  }
  SECTION("asked for a move while it waits for something else, it plays") {
    CHECK(replies("# protocol uci\n> quit\n< late words\n", {"position startpos", "go depth 1"}) == "bestmove a2a3\n");
    CHECK(replies("# protocol xboard\n> usermove e7e5\n< Illegal move: e7e5\n", {"new", "go", "usermove e7e5"}) ==
          "move a2a3\nIllegal move: e7e5\n");
  }
  SECTION("the same command with other arguments is met, and noted") {
    SimulatedWorld world;
    Stub stub(script("# protocol uci\n> go nodes 5000\n! exit 139\n"), world);
    stub.start();
    stub.line("go wtime 3000 btime 3000");
    CHECK(world.gone);
    CHECK(world.errors.find("go nodes 5000") != std::string::npos);
  }
  SECTION("the script's own XBoard move is on the board") {
    CHECK(replies("# protocol xboard\n> go\n< move a2a4\n", {"new", "go", "usermove e7e5"}) == "move a2a4\nmove a1a2\n");
  }
}

TEST_CASE("stub: the end") {
  SimulatedWorld world;
  Stub stub(script("# protocol uci\n> go\n! stderr 250\n"), world);
  stub.start();
  stub.line("go depth 1");
  CHECK(world.errors.size() == 250);
  CHECK_FALSE(world.gone);
  SECTION("quit") { stub.line("quit"); }
  SECTION("end of input") { stub.end_of_file(); }
  CHECK(world.gone);
  CHECK(stub.ended());
  REQUIRE_FALSE(world.events.empty());
  CHECK(world.events.back().number == 0);
}

TEST_CASE("stub: a flood is that many reports") {
  const auto text = replies("# protocol uci\n> go\n! flood 3000\n", {"go depth 1"});
  CHECK(std::count(text.begin(), text.end(), '\n') == 3000);
  CHECK(text.starts_with("info depth 1 score cp 0 nodes 0 pv a2a3\n"));
}
