#include <catch2/catch.hpp>
#include <csignal>

#include "conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

namespace {

ProtocolSettings with_options(std::vector<EngineOption> options) {
  ProtocolSettings settings;
  settings.options = std::move(options);
  return settings;
}

/// An engine that has said uciok and readyok.
Conversation greeted(ProtocolSettings settings = {}, const std::vector<std::string>& declarations = {}) {
  Conversation engine(make_uci_protocol(std::move(settings)));
  engine.start();
  engine.says("id name Probe 1");
  for (const auto& line : declarations) engine.says(line);
  engine.says("uciok");
  engine.says("readyok");
  return engine;
}

Conversation in_game(const NewGame& game = new_game(), const std::vector<std::string>& declarations = {}) {
  auto engine = greeted({}, declarations);
  engine.new_game(game);
  engine.says("readyok");
  engine.clear();
  return engine;
}

}  // namespace

TEST_CASE("UCI handshake: uci, options, isready, then ready") {
  Conversation engine(make_uci_protocol(with_options({{"Threads", "2"}, {"hash", "64"}})));
  engine.start();
  CHECK(engine.sent() == "uci\n");
  engine.says("Some banner 1.0 by somebody");
  engine.says("id name Some 1.0");
  engine.says("id author Somebody Else");
  engine.says("option name Hash type spin default 16 min 1 max 1024");
  engine.says("option name Threads type spin default 1 min 1 max 8");
  CHECK(engine.count<Ready>() == 0);
  engine.says("uciok");
  // Hash first, in the engine's own spelling.
  CHECK(engine.sent() == "setoption name Hash value 64\nsetoption name Threads value 2\nisready\n");
  CHECK(engine.count<Ready>() == 0);
  engine.says("readyok");
  CHECK(engine.count<Ready>() == 1);
  CHECK(engine.protocol->identity().name == "Some 1.0");
  CHECK(engine.protocol->identity().author == "Somebody Else");
  CHECK(engine.deadlines.empty());
}

TEST_CASE("UCI: only announced options in their range are set, the rest is complained of") {
  Conversation engine(make_uci_protocol(
      with_options({{"Hash", "4096"}, {"Speed", "9"}, {"Style", "Wild"}, {"Style", "solid"}, {"Clear Hash", ""}, {"Book", ""}})));
  engine.start();
  engine.says("option name Hash type spin default 16 min 1 max 1024");
  engine.says("option name Style type combo default Solid var Solid var Risky");
  engine.says("option name Clear Hash type button");
  engine.says("option name Book type string default <empty>");
  engine.sent();
  engine.says("uciok");
  CHECK(engine.sent() == "setoption name Style value Solid\nsetoption name Clear Hash\nsetoption name Book value <empty>\nisready\n");
  CHECK(engine.count<Complaint>() == 3);  // before the game begins
  CHECK(engine.count<Ready>() == 0);
}

TEST_CASE("UCI: an empty string can be written without the marker") {
  auto settings = with_options({{"Book", ""}});
  settings.empty_value = EmptyValue::blank;
  Conversation engine(make_uci_protocol(std::move(settings)));
  engine.start();
  engine.says("option name Book type string default x");
  engine.sent();
  engine.says("uciok");
  CHECK(engine.sent() == "setoption name Book value \nisready\n");
}

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

TEST_CASE("UCI: an answer carries its move, its ponder move and its instant") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.now += milliseconds(37);
  const auto at = engine.now;
  SECTION("plain") {
    engine.says("bestmove e2e4 ponder e7e5");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
    CHECK(engine.last<Answer>().ponder == std::optional<std::string>("e7e5"));
    CHECK(engine.last<Answer>().at == at);
    CHECK(engine.count<Leniency>() == 0);
  }
  SECTION("odd white space (EN-05)") {
    engine.says("  bestmove   e2e4 \t ponder  e7e5 \r");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
    CHECK(engine.last<Answer>().ponder == std::optional<std::string>("e7e5"));
    CHECK(engine.lenient_about("CR LF"));
    CHECK(engine.lenient_about("blanks in front"));
    CHECK(engine.lenient_about("tabs"));
  }
  SECTION("null and missing ponder moves are dropped") {
    for (const std::string_view ponder : {"", " ponder", " ponder 0000", " ponder (none)", " ponder NULL", " ponder a1a1"}) {
      auto fresh = in_game();
      fresh.think(game_line("startpos", {}));
      fresh.says("bestmove e2e4" + std::string(ponder));
      REQUIRE(fresh.count<Answer>() == 1);
      CHECK_FALSE(fresh.last<Answer>().ponder.has_value());
    }
  }
  SECTION("null forms and upper case go through as received (IL-01, EN-13, PR-01)") {
    for (const std::string_view move : {"(none)", "0000", "NULL", "d4d4", "e7e8Q", "e1h1"}) {
      auto fresh = in_game();
      fresh.think(game_line("startpos", {}));
      fresh.says("bestmove " + std::string(move));
      REQUIRE(fresh.count<Answer>() == 1);
      CHECK(fresh.last<Answer>().move == move);
    }
  }
  SECTION("no word at all is an answer too: an empty move") {
    engine.says("bestmove");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move.empty());
  }
  SECTION("USI's bestmove resign") {
    engine.says("bestmove resign");
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.count<Resignation>() == 1);
    CHECK(engine.lenient_about("resign"));
  }
  SECTION("the word inside other lines is no answer (EN-15)") {
    engine.says("hash=16MB");
    engine.says("info string bestmove a2a3 looks good");
    engine.says("I think bestmove a2a4");
    CHECK(engine.count<Answer>() == 0);
    engine.says("bestmove e2e4");
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "e2e4");
  }
}

TEST_CASE("UCI: a surplus bestmove never counts for another search (IL-03)") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.says("bestmove e2e4");
  engine.says("bestmove e2e4");
  CHECK(engine.count<Answer>() == 1);
  CHECK(engine.lenient_about("answers no go"));
  engine.clear();

  const auto line = game_line("startpos", {"e2e4", "c7c5"});
  engine.think(line, clocks(seconds(3), seconds(3)));
  // The engine is not trusted any more: a barrier stands before go, and the clock has not begun.
  CHECK(engine.sent() == "position startpos moves e2e4 c7c5\nisready\n");
  CHECK_FALSE(engine.go_sent);
  engine.says("bestmove e2e4");
  CHECK(engine.count<Answer>() == 0);
  engine.says("readyok");
  CHECK(engine.sent() == "go wtime 3000 btime 3000\n");
  CHECK(engine.go_sent);
  engine.says("bestmove d2d4");
  REQUIRE(engine.count<Answer>() == 1);
  CHECK(engine.last<Answer>().move == "d2d4");
  CHECK(engine.count<Ready>() == 0);
}

TEST_CASE("UCI: the answer to a stopped search is swallowed, the next search waits for it") {
  auto engine = in_game();
  const auto line = game_line("startpos", {});
  engine.think(line);
  engine.clear();
  engine.stop();
  CHECK(engine.sent() == "stop\n");
  engine.think(line, clocks(seconds(1), seconds(1)));
  CHECK(engine.sent().empty());
  CHECK_FALSE(engine.go_sent);
  engine.says("info depth 3 score cp 5 pv a2a3");
  engine.says("bestmove a2a3");
  CHECK(engine.count<Answer>() == 0);
  CHECK(engine.sent() == "position startpos\ngo wtime 1000 btime 1000\n");
  CHECK(engine.go_sent);
  engine.says("bestmove e2e4");
  REQUIRE(engine.count<Answer>() == 1);
  CHECK(engine.last<Answer>().move == "e2e4");
  CHECK(engine.count<Info>() == 0);
}

TEST_CASE("UCI: no bestmove after stop is a stall") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.stop();
  engine.wait(milliseconds(4999));
  CHECK(engine.count<Failure>() == 0);
  engine.wait(milliseconds(2));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);
  CHECK(engine.killed);
}

TEST_CASE("UCI pondering") {
  auto engine = in_game();
  const auto mine = game_line("startpos", {"e2e4"});
  engine.ponder(mine, "e7e5", clocks(seconds(9), seconds(9)));
  CHECK(engine.sent() == "position startpos moves e2e4 e7e5\ngo ponder wtime 9000 btime 9000\n");
  engine.clear();
  SECTION("hit") {
    engine.says("info depth 9 score cp 20 pv g1f3");
    engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
    CHECK(engine.sent() == "ponderhit\n");
    CHECK(engine.go_sent);
    engine.says("bestmove g1f3");
    CHECK(engine.count<Answer>() == 1);
    CHECK(engine.last<Info>().info.depth == 9);
    engine.think(game_line("startpos", {"e2e4", "e7e5", "g1f3", "b8c6"}));
    CHECK(engine.sent() == "position startpos moves e2e4 e7e5 g1f3 b8c6\ngo infinite\n");
  }
  SECTION("miss: stop, one answer swallowed, then the real position") {
    engine.stop();
    CHECK(engine.sent() == "stop\n");
    engine.think(game_line("startpos", {"e2e4", "c7c5"}), clocks(seconds(9), seconds(8)));
    CHECK(engine.sent().empty());
    engine.says("bestmove g1f3 ponder b8c6");
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.sent() == "position startpos moves e2e4 c7c5\ngo wtime 9000 btime 8000\n");
    engine.says("bestmove g1f3");
    CHECK(engine.count<Answer>() == 1);
  }
  SECTION("an answer before ponderhit is held until the hit") {
    engine.says("bestmove g1f3 ponder b8c6");
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.lenient_about("before ponderhit"));
    engine.now += seconds(2);
    engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
    CHECK(engine.sent().empty());
    CHECK(engine.go_sent);
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == "g1f3");
    CHECK(engine.last<Answer>().at == engine.now);
  }
  SECTION("an answer before a miss is discarded and nothing more is waited for") {
    engine.says("bestmove g1f3");
    engine.stop();
    CHECK(engine.sent().empty());
    engine.think(game_line("startpos", {"e2e4", "c7c5"}));
    CHECK(engine.sent() == "position startpos moves e2e4 c7c5\ngo infinite\n");
    CHECK(engine.count<Answer>() == 0);
    engine.says("bestmove d2d4");
    CHECK(engine.count<Answer>() == 1);
  }
  SECTION("the game ends meanwhile") {
    engine.notify_result("1-0", "White wins");
    CHECK(engine.sent() == "stop\n");
    engine.new_game(new_game());
    CHECK(engine.sent().empty());
    engine.says("bestmove g1f3");
    CHECK(engine.sent() == "ucinewgame\nisready\n");
    engine.says("readyok");
    CHECK(engine.count<Ready>() == 1);
    CHECK(engine.count<Answer>() == 0);
  }
}

TEST_CASE("UCI: a ponder search that is still held back becomes an ordinary one on a hit") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.stop();
  engine.clear();
  engine.ponder(game_line("startpos", {"e2e4"}), "e7e5");
  engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
  CHECK(engine.sent().empty());
  engine.says("bestmove e2e4");
  CHECK(engine.sent() == "position startpos moves e2e4 e7e5\ngo infinite\n");
  engine.says("bestmove g1f3");
  CHECK(engine.count<Answer>() == 1);
}

TEST_CASE("UCI: glued and oddly placed handshake words") {
  SECTION("text glued to uciok and readyok") {
    Conversation engine(make_uci_protocol({}));
    engine.start();
    engine.says("Engine> uciok");
    engine.says("0readyok");
    CHECK(engine.count<Ready>() == 1);
    CHECK(engine.lenient_about("glued to uciok"));
    CHECK(engine.lenient_about("glued to readyok"));
  }
  SECTION("a prompt in front of id and option") {
    Conversation engine(make_uci_protocol({}));
    engine.start();
    engine.says("# id name Prompted 3");
    engine.says("> option name Hash type spin default 1 min 1 max 2");
    CHECK(engine.protocol->identity().name == "Prompted 3");
    REQUIRE(engine.protocol->identity().options.size() == 1);
    CHECK(engine.protocol->identity().options[0].name == "Hash");
  }
  SECTION("the same leniency is told once") {
    auto engine = in_game();
    engine.think(game_line("startpos", {}));
    for (int i = 0; i < 100; ++i) engine.says("gibberish " + std::to_string(i));
    CHECK(engine.count<Leniency>() == 1);
  }
}

TEST_CASE("UCI: registration may be put off, copy protection may not") {
  Conversation engine(make_uci_protocol({}));
  engine.start();
  engine.says("uciok");
  engine.sent();
  engine.says("copyprotection checking");
  engine.says("copyprotection ok");
  engine.says("registration checking");
  CHECK(engine.sent().empty());
  engine.says("registration error");
  CHECK(engine.sent() == "register later\n");
  CHECK(engine.count<Failure>() == 0);
  engine.says("copyprotection error");
  CHECK(engine.count<Failure>() == 1);
  CHECK(engine.killed);
}

TEST_CASE("UCI: failures to start say why") {
  Conversation engine(make_uci_protocol({}));
  engine.start();
  SECTION("silence") {
    engine.wait(seconds(34));
    CHECK(engine.count<Failure>() == 0);
    engine.wait(seconds(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
    CHECK(engine.last<Failure>().start_fault == StartFault::stall);
    CHECK(engine.last<Failure>().detail.find("uciok") != std::string::npos);
  }
  SECTION("a shell that finds nothing") {
    engine.says("sh: ./engine: not found");
    engine.ends_output();
    engine.exits(127);
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
    CHECK(engine.last<Failure>().start_fault == StartFault::crash);
    CHECK(engine.last<Failure>().detail.find("not found") != std::string::npos);
    CHECK(engine.last<Failure>().detail.find("127") != std::string::npos);
  }
  SECTION("an XBoard engine") {
    engine.says("Error (unknown command): uci");
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
    CHECK(engine.last<Failure>().start_fault == StartFault::protocol_error);
  }
  SECTION("slow loading belongs to isready (EN-09)") {
    engine.says("uciok");
    engine.wait(seconds(12));
    engine.says("readyok");
    CHECK(engine.count<Ready>() == 1);
    CHECK(engine.count<Failure>() == 0);
  }
  SECTION("no readyok") {
    engine.says("uciok");
    engine.wait(seconds(36));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
    CHECK(engine.last<Failure>().start_fault == StartFault::stall);
  }
}

TEST_CASE("UCI: how a process ends") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  engine.clear();
  SECTION("status 139, no clock needed to notice (EN-01, EN-19)") {
    engine.exits(139);
    CHECK(engine.count<Failure>() == 0);  // the last lines may still be in the pipe
    engine.ends_output();
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
    CHECK(engine.last<Failure>().detail.find("139") != std::string::npos);
    CHECK(engine.last<Failure>().detail.find("SIGSEGV") != std::string::npos);
  }
  SECTION("a signal, the end of file first") {
    engine.ends_output();
    CHECK(engine.count<Failure>() == 0);
    engine.now += milliseconds(3);
    engine.dies_of(SIGABRT);
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
    CHECK(engine.last<Failure>().at == engine.now - milliseconds(3));
  }
  SECTION("status 0 is a disconnect") {
    engine.ends_output();
    engine.exits(0);
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::disconnect);
  }
  SECTION("output closed while alive is a disconnect, said after a bounded wait") {
    engine.ends_output();
    engine.wait(milliseconds(999));
    CHECK(engine.count<Failure>() == 0);
    engine.wait(milliseconds(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::disconnect);
    CHECK(engine.killed);
  }
  SECTION("a descendant that keeps the pipe open delays it no longer") {
    engine.dies_of(SIGSEGV);
    engine.wait(seconds(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::crash);
  }
  SECTION("an answer in front of the end stands, also when the exit is known before the line is read") {
    engine.exits(1);
    engine.says("bestmove e2e4");
    engine.ends_output();
    CHECK(engine.count<Answer>() == 1);
    CHECK(engine.count<Failure>() == 1);
    CHECK(std::holds_alternative<Answer>(engine.messages.front()));
  }
  SECTION("input that is not read is a stall") {
    engine.does_not_read();
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
  }
  SECTION("one failure, and nothing after it") {
    engine.exits(3);
    engine.ends_output();
    engine.says("bestmove e2e4");
    engine.exits(3);
    engine.wait(minutes(5));
    engine.quit();
    CHECK(engine.count<Failure>() == 1);
    CHECK(engine.count<Answer>() == 0);
    CHECK(engine.sent().empty());
  }
}

TEST_CASE("UCI quit: time to save, then the end (EN-11)") {
  auto engine = in_game();
  engine.quit();
  CHECK(engine.sent() == "quit\n");
  SECTION("1.5 s are granted") {
    engine.wait(milliseconds(1500));
    CHECK_FALSE(engine.killed);
    engine.ends_output();
    engine.exits(0);
    CHECK(engine.count<Bye>() == 1);
    CHECK(engine.count<Failure>() == 0);
    CHECK_FALSE(engine.killed);
    CHECK_FALSE(engine.terminated);
  }
  SECTION("for ever is not") {
    engine.wait(seconds(6));
    CHECK(engine.killed);
    CHECK(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::stall);
    CHECK(engine.count<Bye>() == 0);
  }
  SECTION("closing the output is no end yet, a crash after quit is one with a note") {
    engine.ends_output();
    engine.wait(seconds(2));
    CHECK(engine.count<Bye>() == 0);
    engine.dies_of(SIGSEGV);
    CHECK(engine.count<Bye>() == 1);
    CHECK(engine.lenient_about("cleanly"));
  }
}

TEST_CASE("UCI: thinking lines cost a glance, the last of each depth is told before the answer") {
  auto engine = in_game();
  engine.think(game_line("startpos", {}));
  SECTION("one message a finished depth") {
    engine.says("info depth 1 seldepth 1 score cp 10 nodes 20 pv e2e4");
    engine.says("info depth 2 score cp 11 nodes 40 pv e2e4 e7e5");
    engine.says("info depth 2 currmove d2d4 currmovenumber 2");
    engine.says("info depth 2 multipv 2 score cp 9 pv d2d4");
    engine.says("info depth 2 score cp 12 nodes 60 pv d2d4 d7d5");
    CHECK(engine.count<Info>() == 1);
    engine.says("bestmove d2d4");
    REQUIRE(engine.count<Info>() == 2);
    CHECK(engine.last<Info>().info.nodes == 60);
    CHECK(engine.last<Info>().info.pv == "d2d4 d7d5");
    CHECK(std::holds_alternative<Answer>(engine.messages.back()));
  }
  SECTION("only the last") {
    engine.protocol->set_info_interest(InfoInterest::last);
    for (int depth = 1; depth < 30; ++depth) engine.says("info depth " + std::to_string(depth) + " score cp 1 pv e2e4");
    CHECK(engine.count<Info>() == 0);
    engine.says("bestmove e2e4");
    CHECK(engine.count<Info>() == 1);
    CHECK(engine.last<Info>().info.depth == 29);
  }
  SECTION("every line") {
    engine.protocol->set_info_interest(InfoInterest::every_line);
    for (int i = 1; i <= 5; ++i) engine.says("info depth 1 score cp " + std::to_string(i) + " pv e2e4");
    CHECK(engine.count<Info>() == 5);
    engine.says("bestmove e2e4");
    CHECK(engine.count<Info>() == 5);
  }
  SECTION("a flood is bounded, however it changes its depth") {
    engine.protocol->set_info_interest(InfoInterest::every_line);
    for (int i = 0; i < 5000; ++i) engine.says("info depth " + std::to_string(i % 7) + " score cp " + std::to_string(i) + " pv e2e4");
    CHECK(engine.count<Info>() <= 1000);
    engine.says("bestmove e2e4");
    CHECK(engine.last<Info>().info.score->centipawns == 4999);
  }
  SECTION("a megabyte of pv") {
    std::string line = "info depth 5 score cp 3 pv";
    while (line.size() < 1'000'000) line += " e2e4";
    engine.says(line);
    engine.says("bestmove e2e4");
    REQUIRE(engine.count<Info>() == 1);
    CHECK(engine.last<Info>().info.score->centipawns == 3);
    CHECK(engine.last<Info>().info.raw.size() < 20'000);
    CHECK(engine.count<Answer>() == 1);
  }
}

TEST_CASE("UCI: isready is never sent while the engine thinks") {
  auto engine = in_game();
  const auto line = game_line("startpos", {});
  engine.think(line);
  engine.sent();
  engine.stop();
  engine.new_game(new_game());
  engine.think(line);
  CHECK(engine.sent() == "stop\n");
}
