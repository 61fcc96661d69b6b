// XBoard: what an engine is told of the game, its position and its clocks.
#include <catch2/catch.hpp>
#include <utility>

#include "xboard_conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("XBoard: level once a game, time and otim before each move (TC-11)") {
  auto engine = xboard_greeted();
  engine.new_game(timed_game("40/5:00"));
  CHECK(engine.sent() == "new\nlevel 40 5 0\npost\neasy\ncomputer\nforce\nping 2\n");
  CHECK(engine.count<Ready>() == 0);
  engine.says("pong 2");
  CHECK(engine.count<Ready>() == 1);
  auto report = clocks(seconds(300), seconds(300));
  report.moves_to_go = 40;
  engine.think(game_line("startpos", {}), report);
  CHECK(engine.sent() == "time 30000\notim 30000\ngo\n");
  CHECK(engine.go_sent);
  engine.says("move e2e4");
  report.white = milliseconds(298'125);
  report.black = milliseconds(-5);
  report.moves_to_go = 39;
  engine.think(game_line("startpos", {"e2e4", "e7e5"}), report);
  CHECK(engine.sent() == "time 29812\notim 1\nusermove e7e5\n");
  engine.says("move g1f3");
  report.moves_to_go = 38;
  engine.think(game_line("startpos", {"e2e4", "e7e5", "g1f3", "b8c6"}), report);
  CHECK(engine.sent() == "time 29812\notim 1\nusermove b8c6\n");
}

TEST_CASE("XBoard: a new period is a new level, with what is left") {
  auto engine = xboard_in_game(timed_game("2/60+1:30"));
  auto report = clocks(seconds(60), seconds(60), seconds(1));
  report.moves_to_go = 2;
  engine.think(game_line("startpos", {}), report);
  engine.says("move e2e4");
  report.moves_to_go = 1;
  engine.think(game_line("startpos", {"e2e4", "e7e5"}), report);
  CHECK(engine.sent().find("level") == std::string::npos);
  engine.says("move g1f3");
  report.moves_to_go.reset();
  report.white = milliseconds(85'400);
  report.white_increment = {};
  engine.think(game_line("startpos", {"e2e4", "e7e5", "g1f3", "b8c6"}), report);
  CHECK(engine.sent() == "level 0 1:25 0\ntime 8540\notim 6000\nusermove b8c6\n");
}

TEST_CASE("XBoard: the moves of an opening are in the first period for engines, not for the clock") {
  const std::vector<std::string> five = {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5"};
  auto game = timed_game("10/60", "startpos", five);
  game.opening_plies = five.size();
  for (const auto& [side, level] : {std::pair(chess::Color::white, "level 13 1 0\n"), std::pair(chess::Color::black, "level 12 1 0\n")}) {
    auto engine = xboard_greeted();
    game.side = side;
    engine.new_game(game);
    CHECK(engine.sent().find(level) != std::string::npos);
  }
  // So the next one is told with all the moves that were made, three of White's, and ten to go.
  {
    game.side = chess::Color::white;
    game.line = game_line("startpos", {"e2e4", "e7e5", "g1f3", "b8c6"});
    game.opening_plies = 4;
    auto engine = xboard_in_game(game);
    std::vector<std::string> moves = {"e2e4", "e7e5", "g1f3", "b8c6"};
    auto report = clocks(seconds(60), seconds(60));
    report.moves_to_go = 1;
    engine.think(game_line("startpos", moves), report);
    CHECK(engine.sent().find("level") == std::string::npos);
    engine.says("move f1b5");
    moves.insert(moves.end(), {"f1b5", "a7a6"});
    report.moves_to_go = 10;
    engine.think(game_line("startpos", moves), report);
    CHECK(engine.sent().find("level 13 1 0\n") != std::string::npos);
  }
  // All the rest of the game is all the rest of the game.
  auto sudden = timed_game("60", "startpos", five);
  sudden.opening_plies = five.size();
  auto engine = xboard_greeted();
  engine.new_game(sudden);
  CHECK(engine.sent().find("level 0 1 0\n") != std::string::npos);
}

TEST_CASE("XBoard: an opening is no period that was played") {
  const std::vector<std::string> four = {"e2e4", "e7e5", "g1f3", "b8c6"};
  auto game = timed_game("2/60:4/90:30", "startpos", four);
  game.opening_plies = four.size();
  auto engine = xboard_in_game(game);
  auto report = clocks(seconds(60), seconds(60));
  report.moves_to_go = 2;
  engine.think(game_line("startpos", four), report);
  CHECK(engine.sent().find("level") == std::string::npos);
}

TEST_CASE("XBoard: a game that goes on beyond its first period is told the one it stands in") {
  const std::vector<std::string> four = {"e2e4", "e7e5", "g1f3", "b8c6"};
  auto engine = xboard_in_game(timed_game("2/60:4/90:30", "startpos", four));
  auto report = clocks(milliseconds(85'400), seconds(60));
  report.moves_to_go = 4;  // of the second
  engine.think(game_line("startpos", four), report);
  CHECK(engine.sent().find("level 4 1:25 0\n") != std::string::npos);
  engine.says("move f1b5");
  report.moves_to_go = 3;
  engine.think(game_line("startpos", {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"}), report);
  CHECK(engine.sent().find("level") == std::string::npos);
}

TEST_CASE("XBoard: moves are bare unless usermove was agreed (XB-05), SAN if asked for") {
  const auto line = game_line("startpos", {"g1f3", "e7e5"});
  SECTION("bare") {
    auto engine = xboard_in_game(timed_game("60"), "feature done=1");
    engine.think(line, clocks(seconds(60), seconds(60)));
    CHECK(engine.sent().find("\ne7e5\n") != std::string::npos);
  }
  SECTION("usermove") {
    auto engine = xboard_in_game();
    engine.think(line, clocks(seconds(60), seconds(60)));
    CHECK(engine.sent() == "usermove g1f3\nusermove e7e5\ntime 6000\notim 6000\ngo\n");
  }
  SECTION("SAN, without check marks") {
    auto engine = xboard_in_game(timed_game("60"), "feature ping=1 san=1 colors=0 time=0 done=1");
    engine.think(game_line("startpos", {"e2e4", "f7f6", "d1h5"}), clocks(seconds(60), seconds(60)));
    CHECK(engine.sent() == "e4\nf6\nQh5\ngo\n");
  }
}

TEST_CASE("XBoard: positions") {
  const std::string_view fen = "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1";
  SECTION("setboard") {
    auto engine = xboard_greeted();
    engine.new_game(timed_game("60", fen));
    CHECK(engine.sent() == "new\nlevel 0 1 0\npost\neasy\ncomputer\nforce\nsetboard r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\nping 2\n");
  }
  SECTION("edit where there is no setboard (XB-07); Black's move by a dummy move") {
    auto engine = xboard_greeted("feature ping=1 setboard=0 usermove=1 colors=0 done=1");
    engine.new_game(timed_game("60", fen));
    const auto text = engine.sent();
    CHECK(text.find("setboard") == std::string::npos);
    CHECK(text == "new\nlevel 0 1 0\npost\neasy\ncomputer\nforce\nusermove a2a3\nedit\n#\nKe1\nc\nRa8\nKe8\nRh8\n.\nping 2\n");
    CHECK(engine.count<Complaint>() == 0);
  }
  SECTION("what edit cannot say is said to the user") {
    auto engine = xboard_greeted("feature ping=1 done=1");
    engine.new_game(timed_game("60", "r3k2r/8/8/8/8/8/8/4K3 w k - 12 40"));
    CHECK(engine.count<Complaint>() == 1);
    CHECK(engine.last<Complaint>().what.find("castling rights") != std::string::npos);
    CHECK(engine.last<Complaint>().what.find("half-move clock") != std::string::npos);
  }
  SECTION("an engine that refuses the position fails for that, not by its clock") {
    auto engine = xboard_greeted();
    engine.new_game(timed_game("60", fen));
    engine.says("tellusererror Illegal position");
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::protocol_error);
    CHECK(engine.killed);
  }
  SECTION("an error about anything else is passed on, and the game begins (PROTOCOLS 1.7)") {
    auto engine = xboard_greeted();
    const std::string_view start = GENERATE_COPY(std::string_view("startpos"), fen);
    engine.new_game(timed_game("60", start));
    engine.says("tellusererror book.bin: not found");
    CHECK(engine.count<Failure>() == 0);
    REQUIRE(engine.count<Complaint>() == 1);
    CHECK(engine.last<Complaint>().what.find("book.bin: not found") != std::string::npos);
  }
}

TEST_CASE("XBoard Chess960: the standard array is set up too, for `variant` may have shuffled it") {
  auto engine = xboard_greeted("feature ping=1 setboard=1 usermove=1 colors=0 variants=\"normal,fischerandom\" done=1");
  auto game = timed_game("60");
  game.line = game_line("startpos", {}, true);
  engine.new_game(game);
  CHECK(engine.sent().find("setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ") != std::string::npos);
}

TEST_CASE("XBoard Chess960: variant fischerandom, castling as O-O") {
  auto engine = xboard_greeted("feature ping=1 setboard=1 usermove=1 colors=0 variants=\"normal,8x8+0_fischerandom\" done=1");
  REQUIRE(engine.protocol->supports_chess960());
  auto game = timed_game("60");
  game.line = game_line("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", {"c1e1"}, true);
  engine.new_game(game);
  CHECK(engine.sent() ==
        "new\nvariant fischerandom\nlevel 0 1 0\npost\neasy\ncomputer\nforce\nsetboard r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - "
        "0 1\n"
        "usermove O-O\nping 2\n");
  CHECK_FALSE(xboard_greeted("feature variants=\"normal\" done=1").protocol->supports_chess960());
  CHECK(xboard_greeted("feature ping=1 done=1").protocol->supports_chess960());  // unset = everything
}

TEST_CASE("XBoard: standard castling stays e1g1") {
  auto engine = xboard_in_game();
  engine.think(game_line("startpos", {"e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1"}), clocks(seconds(60), seconds(60)));
  CHECK(engine.sent().find("usermove e1g1\n") != std::string::npos);
}

TEST_CASE("XBoard: limits other than clocks") {
  auto game = new_game();
  SECTION("depth") {
    game.limits.depth = 9;
    auto engine = xboard_greeted();
    engine.new_game(game);
    CHECK(engine.sent().find("st 3240\nsd 9\n") != std::string::npos);
    SECTION("an engine without sd") {
      engine.says(GENERATE("Error (unknown command): sd", "Invalid move: sd 9"));
      CHECK(engine.sent() == "depth\n9\n");
      engine.says("pong 2");
      engine.new_game(game);
      CHECK(engine.sent().find("depth\n9\n") != std::string::npos);
    }
  }
  SECTION("fractions of a second: at least one") {
    game.time_control = std::get<clock::TimeControl>(clock::parse_time_control("move 0.5"));
    auto engine = xboard_greeted();
    engine.new_game(game);
    CHECK(engine.sent().find("\nst 1\n") != std::string::npos);
  }
  SECTION("whole seconds, and an engine without st") {
    game.limits.move_time = seconds(3);
    auto engine = xboard_greeted();
    engine.new_game(game);
    CHECK(engine.sent().find("\nst 3\n") != std::string::npos);
    CHECK(engine.count<Complaint>() == 0);
    engine.says("Illegal move: st");
    CHECK(engine.sent() == "level 1 0:03\n");  // minutes, as everywhere in level
  }
  SECTION("nodes: by nps where there is one, else said that it cannot be") {
    game.limits.nodes = 20000;
    auto engine = xboard_greeted("feature ping=1 nps=1 done=1");
    engine.new_game(game);
    CHECK(engine.sent().find("st 1\nnps 20000\n") != std::string::npos);
    CHECK(engine.count<Complaint>() == 0);
    auto other = xboard_greeted();
    other.new_game(game);
    CHECK(other.count<Complaint>() == 1);
  }
  SECTION("an engine without time") {
    auto engine = thinking();
    engine.says("Error (unknown command): time");
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    CHECK(engine.sent() == "usermove e7e5\n");
  }
}

TEST_CASE("XBoard level: minutes and seconds, never rounded up, never nothing") {
  const std::pair<std::string_view, std::string_view> cases[] = {{"40/5:00", "level 40 5 0\n"},       {"300", "level 0 5 0\n"},
                                                                 {"10+0.1", "level 0 0:10 0.1\n"},    {"65+2", "level 0 1:05 2\n"},
                                                                 {"0.5+0.05", "level 0 0:01 0.05\n"}, {"8+0.08", "level 0 0:08 0.08\n"},
                                                                 {"60+0.125", "level 0 1 0.125\n"},   {"300 delay 5", "level 0 5 5\n"}};
  for (const auto& [control, expected] : cases) {
    auto engine = xboard_greeted();
    engine.new_game(timed_game(control));
    CHECK(engine.sent().find(expected) != std::string::npos);
  }
}
