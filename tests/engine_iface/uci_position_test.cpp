// UCI: what an engine is told of the game, its position and its clocks.
#include <catch2/catch.hpp>

#include "uci_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("UCI: a game is announced, then isready, once and before the first search") {
  auto engine = greeted({}, {"option name UCI_Chess960 type check default false", "option name UCI_Opponent type string default <empty>",
                             "option name Ponder type check default false", "option name UCI_AnalyseMode type check default true"});
  CHECK(engine.sent().find("setoption name UCI_AnalyseMode value false\n") != std::string::npos);
  auto game = new_game();
  game.opponent_name = "Other 2";
  game.opponent_rating = 2800;
  game.ponder = true;
  engine.clear();
  engine.new_game(game);
  CHECK(engine.sent() ==
        "setoption name Ponder value true\nsetoption name UCI_Opponent value none 2800 computer Other 2\nucinewgame\nisready\n");
  CHECK(engine.count<Ready>() == 0);
  engine.says("readyok");
  CHECK(engine.count<Ready>() == 1);
  engine.think(game.line, clocks(seconds(10), seconds(10)));
  CHECK(engine.sent() == "position startpos\ngo wtime 10000 btime 10000\n");
  CHECK(engine.go_sent);
}

TEST_CASE("UCI: an engine that does not announce Ponder is not asked to (PROTOCOLS 2.2), and that is said once") {
  auto engine = greeted();
  CHECK_FALSE(engine.protocol->supports_pondering());
  auto game = new_game();
  game.ponder = true;
  for (int games = 0; games < 2; ++games) {
    engine.clear();
    engine.new_game(game);
    CHECK(engine.sent() == "ucinewgame\nisready\n");
    engine.says("readyok");
  }
  CHECK(engine.count<Complaint>() == 1);
  CHECK(greeted({}, {"option name Ponder type check default false"}).protocol->supports_pondering());
}

TEST_CASE("UCI_Chess960 is set for each game that needs it and taken back") {
  auto engine = greeted({}, {"option name UCI_Chess960 type check default false"});
  CHECK(engine.protocol->supports_chess960());
  NewGame game;
  game.line = game_line("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1", {"c1e1"}, true);
  engine.clear();
  engine.new_game(game);
  CHECK(engine.sent() == "setoption name UCI_Chess960 value true\nucinewgame\nisready\n");
  engine.says("readyok");
  engine.think(game.line);
  // Castling is king takes rook; X-FEN writes KQkq as both rooks are the outermost.
  CHECK(engine.sent() == "position fen r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1 moves c1e1\ngo infinite\n");
  engine.says("bestmove e7e6");
  engine.new_game(new_game());
  CHECK(engine.sent() == "setoption name UCI_Chess960 value false\nucinewgame\nisready\n");
  engine.says("readyok");
  engine.new_game(new_game());
  CHECK(engine.sent() == "ucinewgame\nisready\n");
}

TEST_CASE("UCI: the position is written in full and grows with the game") {
  const std::string fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 7 31";
  auto engine = in_game(new_game(fen));
  engine.think(game_line(fen, {}), clocks(seconds(1), seconds(2)));
  CHECK(engine.sent() == "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 31\ngo wtime 1000 btime 2000\n");
  engine.says("bestmove e2e4");
  engine.think(game_line(fen, {"e2e4", "e8e7"}), clocks(seconds(1), seconds(2)));
  CHECK(engine.sent() == "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 31 moves e2e4 e8e7\ngo wtime 1000 btime 2000\n");
  engine.says("bestmove e4e5");
  SECTION("a line that goes back or differs is written anew") {
    engine.think(game_line(fen, {"e2e4", "e8d7"}), clocks(seconds(1), seconds(2)));
    CHECK(engine.sent() == "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 31 moves e2e4 e8d7\ngo wtime 1000 btime 2000\n");
    engine.says("bestmove e4e5");
    engine.think(game_line(fen, {"e2e3"}), clocks(seconds(1), seconds(2)));
    CHECK(engine.sent() == "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 31 moves e2e3\ngo wtime 1000 btime 2000\n");
  }
  SECTION("a new game forgets it") {
    engine.new_game(new_game());
    engine.says("readyok");
    engine.sent();
    engine.think(game_line("startpos", {"d2d4"}));
    CHECK(engine.sent() == "position startpos moves d2d4\ngo infinite\n");
  }
}

TEST_CASE("UCI go: limits, clocks and searchmoves") {
  auto game = new_game();
  SECTION("clocks are never below one, increments only if there are any") {
    auto engine = in_game(game);
    auto report = clocks(-milliseconds(30), std::chrono::microseconds(400));
    report.black_increment = milliseconds(80);
    report.moves_to_go = 1;
    engine.think(game.line, report);
    CHECK(engine.sent() == "position startpos\ngo wtime 1 btime 1 binc 80 movestogo 1\n");
  }
  SECTION("depth, nodes, mate and movetime beside the clock") {
    game.limits.depth = 12;
    game.limits.nodes = 5'000'000'000;
    game.limits.mate = 3;
    game.limits.move_time = milliseconds(1500);
    auto engine = in_game(game);
    engine.think(game.line, clocks(seconds(60), seconds(60), seconds(1)));
    CHECK(engine.sent() ==
          "position startpos\ngo wtime 60000 btime 60000 winc 1000 binc 1000 depth 12 nodes 5000000000 mate 3 movetime 1500\n");
  }
  SECTION("a time per move is movetime") {
    game.time_control.mode = clock::Mode::move_time;
    game.time_control.periods = {clock::Period{0, milliseconds(100), {}, {}}};
    auto engine = in_game(game);
    engine.think(game.line);
    CHECK(engine.sent() == "position startpos\ngo movetime 100\n");
  }
  SECTION("searchmoves stand last") {
    auto engine = in_game(game);
    ThinkRequest request;
    request.line = &game.line;
    request.clocks = clocks(seconds(1), seconds(1));
    request.search_moves = {chess::Move::plain(*chess::parse_square("g1"), *chess::parse_square("f3")),
                            chess::Move::plain(*chess::parse_square("e2"), *chess::parse_square("e4"))};
    engine.think(request);
    CHECK(engine.sent() == "position startpos\ngo wtime 1000 btime 1000 searchmoves g1f3 e2e4\n");
  }
}
