#include <catch2/catch.hpp>
#include <csignal>

#include "conversation.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;

namespace {

constexpr std::string_view modern =
    "feature ping=1 setboard=1 usermove=1 sigint=0 sigterm=0 colors=0 name=1 reuse=1 myname=\"Modern 1.0\" done=1";

Conversation listening(ProtocolSettings settings = {}) {
  Conversation engine(make_xboard_protocol(std::move(settings)));
  engine.start();
  return engine;
}

/// Past the features and the first ping or silence.
Conversation xboard_greeted(std::string_view features = modern, ProtocolSettings settings = {}) {
  auto engine = listening(std::move(settings));
  engine.says(features);
  if (engine.sent().find("ping 1\n") != std::string::npos) {
    engine.says("pong 1");
  } else {
    engine.wait(milliseconds(200));
  }
  REQUIRE(engine.count<Ready>() == 1);
  engine.clear();
  return engine;
}

void answer_ping(Conversation& engine) {
  const auto text = engine.sent();
  const auto at = text.rfind("ping ");
  if (at == std::string::npos) {
    engine.wait(milliseconds(200));
  } else {
    engine.says("pong " + text.substr(at + 5, text.size() - at - 6));
  }
}

NewGame timed_game(std::string_view control, std::string_view fen = "startpos", const std::vector<std::string>& moves = {}) {
  auto game = new_game(fen, moves);
  game.time_control = std::get<clock::TimeControl>(clock::parse_time_control(control));
  return game;
}

Conversation xboard_in_game(const NewGame& game = timed_game("60+1"), std::string_view features = modern) {
  auto engine = xboard_greeted(features);
  engine.new_game(game);
  answer_ping(engine);
  REQUIRE(engine.count<Ready>() == 1);
  engine.clear();
  return engine;
}

/// A game in which it is the engine's turn, with White, at the start position.
Conversation thinking(std::string_view features = modern) {
  auto engine = xboard_in_game(timed_game("60+1"), features);
  engine.think(game_line("startpos", {}), clocks(seconds(60), seconds(60), seconds(1)));
  engine.clear();
  return engine;
}

}  // namespace

TEST_CASE("XBoard handshake: features are accepted or rejected one by one") {
  auto engine = listening();
  CHECK(engine.sent() == "xboard\nprotover 2\n");
  engine.says("tellics banner of an eager engine");
  engine.says("feature ping=1 setboard=1 myname=\"A B 1.0\" zeal=3");
  CHECK(engine.sent() == "accepted ping\naccepted setboard\naccepted myname\nrejected zeal\n");
  engine.says("feature variants=\"normal,fischerandom\" done=1");
  CHECK(engine.sent() == "accepted variants\naccepted done\nping 1\n");
  CHECK(engine.count<Ready>() == 0);
  engine.says("pong 1");
  CHECK(engine.count<Ready>() == 1);
  CHECK(engine.protocol->identity().name == "A B 1.0");
  CHECK(engine.protocol->identity().features.at("setboard") == "1");
  CHECK(engine.protocol->supports_chess960());
  CHECK(engine.protocol->reusable());
}

TEST_CASE("XBoard: done=0 lifts the limit, up to an hour (XB-01)") {
  auto engine = listening();
  engine.says("feature done=0");
  engine.wait(seconds(20));
  CHECK(engine.count<Failure>() == 0);
  SECTION("done=1 after 20 s") {
    engine.says("feature ping=1 setboard=1 usermove=1 done=1");
    engine.says("pong 1");
    CHECK(engine.count<Ready>() == 1);
  }
  SECTION("59 minutes are granted, 61 are not") {
    engine.wait(minutes(59));
    CHECK(engine.count<Failure>() == 0);
    engine.wait(minutes(2));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
  }
}

TEST_CASE("XBoard version 1") {
  auto engine = listening();
  SECTION("by silence: all defaults, no ping") {
    engine.wait(milliseconds(4900));
    CHECK(engine.count<Ready>() == 0);
    engine.wait(seconds(1));
    CHECK(engine.count<Ready>() == 1);
  }
  SECTION("said by the engine: no wait") {
    engine.says("Error (unknown command): protover");
    engine.wait(milliseconds(150));
    CHECK(engine.count<Ready>() == 1);
  }
  SECTION("said in the older way") {
    engine.says("Illegal move: protover");
    engine.wait(milliseconds(150));
    CHECK(engine.count<Ready>() == 1);
  }
  CHECK(engine.sent().find("ping") == std::string::npos);
  CHECK_FALSE(engine.protocol->reusable());
  CHECK_FALSE(engine.protocol->supports_chess960());

  engine.clear();
  engine.new_game(timed_game("300", "startpos", {"e2e4"}));
  const auto setup = engine.sent();
  CHECK(setup == "new\nlevel 0 5 0\npost\nhard\neasy\ncomputer\nforce\ne2e4\n");
  engine.wait(milliseconds(150));
  CHECK(engine.count<Ready>() == 1);
  engine.think(game_line("startpos", {"e2e4"}), clocks(seconds(299), seconds(300)));
  CHECK(engine.sent() == "white\ntime 30000\notim 29900\nblack\ngo\n");
  engine.says("1. ... e7e5");
  REQUIRE(engine.count<Answer>() == 1);
  CHECK(engine.last<Answer>().move == "e7e5");
}

TEST_CASE("XBoard: features that come late count, a UCI engine does not get far") {
  SECTION("late features") {
    auto engine = listening();
    engine.wait(seconds(6));
    CHECK(engine.count<Ready>() == 1);
    engine.sent();
    engine.says("feature usermove=1 setboard=1 done=1");
    CHECK(engine.sent() == "accepted usermove\naccepted setboard\naccepted done\n");
    engine.new_game(timed_game("60", "startpos", {"e2e4"}));
    CHECK(engine.sent().find("usermove e2e4\n") != std::string::npos);
  }
  SECTION("a UCI engine") {
    auto engine = listening();
    engine.says("Unknown command: 'xboard'. Type help for more information.");
    engine.says("Unknown command: 'protover 2'. Type help for more information.");
    engine.wait(seconds(6));
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
    CHECK(engine.last<Failure>().detail.find("xboard") != std::string::npos);
  }
  SECTION("a shell that may not") {
    auto engine = listening();
    engine.says("sh: ./engine: Permission denied");
    engine.exits(126);
    engine.ends_output();
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::start_failed);
    CHECK(engine.last<Failure>().detail.find("Permission denied") != std::string::npos);
  }
}

TEST_CASE("XBoard: options of the user") {
  ProtocolSettings settings;
  settings.options = {{"Hash", "256"}, {"Threads", "2"},  {"Contempt", "500"},       {"Style", "risky"},       {"Resign", "true"},
                      {"Wipe", ""},    {"Nonsense", "1"}, {"egtpath nalimov", "/n"}, {"egtpath syzygy", "/s"}, {"Store", ""}};
  auto engine = listening(settings);
  engine.says(
      "feature ping=1 memory=1 smp=1 egt=\"nalimov,scorpio\" option=\"Contempt -spin 0 -100 100\" option=\"Style -combo Solid /// *Normal "
      "/// Risky\"");
  engine.says("feature option=\"Resign -check 0\" option=\"Wipe -button\" option=\"Store -save\" option=\"nonsense\"");
  const auto replies = engine.sent();
  CHECK(replies.find("accepted option\n") != std::string::npos);
  CHECK(replies.find("rejected option nonsense\n") != std::string::npos);
  engine.says("feature done=1");
  // A save button comes after the settings it saves, memory and cores after the options.
  CHECK(engine.sent() ==
        "accepted done\noption Style=Risky\noption Resign=1\noption Wipe\nmemory 256\ncores 2\negtpath nalimov /n\noption Store\nping 1\n");
  CHECK(engine.count<Complaint>() == 2);  // Contempt out of range; what it does not have, in one
  CHECK(engine.last<Complaint>().what == "the engine has none of the options Nonsense, egtpath syzygy; they are not set");
}

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
    CHECK(engine.sent().find("st 86400\nsd 9\n") != std::string::npos);
    SECTION("an engine without sd") {
      engine.says("Error (unknown command): sd");
      CHECK(engine.sent() == "depth\n9\n");
      engine.says("pong 2");
      engine.new_game(game);
      CHECK(engine.sent().find("depth\n9\n") != std::string::npos);
    }
  }
  SECTION("fractions of a second: at least one, and said") {
    game.time_control = std::get<clock::TimeControl>(clock::parse_time_control("move 0.5"));
    auto engine = xboard_greeted();
    engine.new_game(game);
    CHECK(engine.sent().find("\nst 1\n") != std::string::npos);
    REQUIRE(engine.count<Complaint>() == 1);
    CHECK(engine.last<Complaint>().what.find("500 ms") != std::string::npos);
  }
  SECTION("whole seconds, and an engine without st") {
    game.limits.move_time = seconds(3);
    auto engine = xboard_greeted();
    engine.new_game(game);
    CHECK(engine.sent().find("\nst 3\n") != std::string::npos);
    CHECK(engine.count<Complaint>() == 0);
    engine.says("Illegal move: st");
    CHECK(engine.sent() == "level 1 3\n");
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
                                                                 {"60+0.125", "level 0 1 0.125\n"},   {"300 delay 5", "level 0 5 0\n"}};
  for (const auto& [control, expected] : cases) {
    auto engine = xboard_greeted();
    engine.new_game(timed_game(control));
    CHECK(engine.sent().find(expected) != std::string::npos);
  }
}

TEST_CASE("XBoard: a move before the pong is stale") {
  auto engine = xboard_greeted();
  engine.new_game(timed_game("60"));
  engine.says("move e7e5");
  engine.says("pong 2");
  CHECK(engine.count<Ready>() == 1);
  CHECK(engine.count<Answer>() == 0);
  CHECK(engine.lenient_about("not asked for"));
}

TEST_CASE("XBoard: an aborted search is fenced off, a move that crossed is taken back") {
  auto engine = thinking();
  const auto line = game_line("startpos", {});
  engine.stop();
  CHECK(engine.sent() == "force\nping 3\n");
  engine.think(line, clocks(seconds(60), seconds(60)));
  CHECK(engine.sent().empty());
  CHECK_FALSE(engine.go_sent);
  SECTION("the move crossed") {
    engine.says("move e2e4");
    engine.says("pong 3");
    CHECK(engine.sent() == "undo\ntime 6000\notim 6000\ngo\n");
  }
  SECTION("it did not") {
    engine.says("pong 3");
    CHECK(engine.sent() == "time 6000\notim 6000\ngo\n");
  }
  CHECK(engine.go_sent);
  CHECK(engine.count<Answer>() == 0);
  engine.says("move d2d4");
  CHECK(engine.count<Answer>() == 1);
}

TEST_CASE("XBoard: no pong is a stall; a fence without ping is a silence") {
  auto engine = thinking();
  engine.stop();
  engine.wait(seconds(36));
  REQUIRE(engine.count<Failure>() == 1);
  CHECK(engine.last<Failure>().kind == FailureKind::stall);

  auto old = thinking("feature done=1 sigint=0");
  old.stop();
  CHECK(old.sent() == "force\n");
  old.says("move e2e4");
  old.wait(milliseconds(150));
  old.think(game_line("startpos", {}), clocks(seconds(60), seconds(60)));
  CHECK(old.sent() == "undo\nblack\ntime 6000\notim 6000\nwhite\ngo\n");
  CHECK(old.count<Failure>() == 0);
}

TEST_CASE("XBoard: an illegal move of the engine's own is taken back before it thinks again") {
  auto engine = thinking();
  engine.says("move e2e5");
  CHECK(engine.last<Answer>().move == "e2e5");
  engine.think(game_line("startpos", {}), clocks(seconds(59), seconds(62)));
  CHECK(engine.sent() == "force\nundo\ntime 5900\notim 6200\ngo\n");
}

TEST_CASE("XBoard moves: all forms") {
  const std::pair<std::string_view, std::string_view> forms[] = {
      {"move e2e4", "e2e4"}, {"move Nf3", "Nf3"},       {"  move e7e8q  ", "e7e8q"}, {"1. ... e2e4", "e2e4"}, {"1 ... e2e4", "e2e4"},
      {"move O-O", "O-O"},   {"\x07move e2e4", "e2e4"}, {"move e2e4\r", "e2e4"},     {"move @@@@", "@@@@"}};
  for (const auto& [line, move] : forms) {
    auto engine = thinking();
    engine.says(line);
    REQUIRE(engine.count<Answer>() == 1);
    CHECK(engine.last<Answer>().move == move);
  }
  auto engine = thinking();
  for (const std::string_view noise : {"1. e2e4", "# move e2e4", "tellall move e2e4", "Hint: e2e4", " 1 20 3 400 e2e4", "12 34", ""})
    engine.says(noise);
  CHECK(engine.count<Answer>() == 0);
}

TEST_CASE("XBoard: a result right behind the move (XB-09)") {
  auto engine = thinking();
  engine.says("move b2b3");
  engine.says("1/2-1/2 {Drawn game}");
  REQUIRE(engine.messages.size() == 2);
  CHECK(engine.last<Answer>().move == "b2b3");
  CHECK(engine.last<ResultClaim>().white_score == 50);
  CHECK(engine.last<ResultClaim>().text == "1/2-1/2 {Drawn game}");
}

TEST_CASE("XBoard results and resignations; the engine has White") {
  struct Row {
    std::string_view line;
    int white;
    bool resigns;
  };
  const Row rows[] = {{"1-0 {White mates}", 100, false},
                      {"0-1 {Black mates}", 0, false},
                      {"1/2-1/2 {Draw by repetition}", 50, false},
                      {"0-1 {White resigns}", 0, true},
                      {"resign", 0, true},
                      {"White resigns", 0, true},
                      {"1-0 {Black resigns}", 100, false},
                      {"Black resigns", 100, false},
                      {"computer mates", 100, false},
                      {"opponent mates", 0, false},
                      {"computer resigns", 0, true},
                      {"game is a draw by the 50 move rule", 50, false},
                      {"checkmate", 0, false},
                      {"White mates", 100, false},
                      {"Draw", 50, false}};
  for (const auto& row : rows) {
    INFO(row.line);
    auto engine = thinking();
    engine.says(row.line);
    CHECK(engine.count<Resignation>() == (row.resigns ? 1 : 0));
    CHECK(engine.count<ResultClaim>() == (row.resigns ? 0 : 1));
    if (!row.resigns) CHECK(engine.last<ResultClaim>().white_score == row.white);
  }
  SECTION("checkmate after its own move means the opponent") {
    auto engine = thinking();
    engine.says("move d1h5");
    engine.says("checkmate");
    CHECK(engine.last<ResultClaim>().white_score == 100);
  }
  SECTION("talk is no claim") {
    auto engine = thinking();
    for (const std::string_view talk : {"White to move", "Black is better", "Drawish", "telluser 1-0 {White mates}", "tellics resign", "*"})
      engine.says(talk);
    CHECK(engine.count<ResultClaim>() == 0);
    CHECK(engine.count<Resignation>() == 0);
  }
  SECTION("nothing counts after the result was told") {
    auto engine = thinking();
    engine.notify_result("1-0", "Black resigns");
    engine.says("1-0 {Black resigns}");
    engine.says("0-1 {no, I win}");
    engine.says("offer draw");
    CHECK(engine.messages.empty());
  }
}

TEST_CASE("XBoard draw offers") {
  auto engine = thinking();
  SECTION("from the engine, with the move") {
    engine.says("offer draw");
    engine.says("move e2e4");
    REQUIRE(engine.messages.size() == 2);
    CHECK(std::holds_alternative<DrawOffer>(engine.messages[0]));
    CHECK(std::holds_alternative<Answer>(engine.messages[1]));
  }
  SECTION("in prose") {
    engine.says("I offer you a draw");
    CHECK(engine.count<DrawOffer>() == 1);
    CHECK(engine.lenient_about("prose"));
  }
  SECTION("to the engine, just before the move") {
    engine.says("move e2e4");
    const auto line = game_line("startpos", {"e2e4", "e7e5"});
    ThinkRequest request;
    request.line = &line;
    request.clocks = clocks(seconds(60), seconds(60));
    request.draw_offered = true;
    engine.think(request);
    CHECK(engine.sent() == "time 6000\notim 6000\ndraw\nusermove e7e5\n");
  }
  SECTION("not to an engine with draw=0") {
    auto deaf = xboard_in_game(timed_game("60"), "feature ping=1 draw=0 colors=0 time=0 done=1");
    const auto line = game_line("startpos", {});
    ThinkRequest request;
    request.line = &line;
    request.draw_offered = true;
    deaf.think(request);
    CHECK(deaf.sent() == "go\n");
  }
  SECTION("repeated for ever they are heard a few times") {
    for (int i = 0; i < 10000; ++i) engine.says("offer draw");
    CHECK(engine.count<DrawOffer>() < 20);
  }
}

TEST_CASE("XBoard: a move called illegal is a claim at once, not a silence (XB-03)") {
  for (const std::string_view claim :
       {"Illegal move: e7e5", "Illegal move (no such piece): e7e5", "illegal move e7e5", "Illegal move",
        "Illegal move (no matching move)e7e5", "Error (unknown command): e7e5", "Error (illegal move): usermove e7e5"}) {
    INFO(claim);
    auto engine = thinking();
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    engine.says(claim);
    CHECK(engine.count<IllegalMoveClaim>() == 1);
  }
  SECTION("a command called so is not a claim") {
    auto engine = thinking();
    engine.says("move e2e4");
    engine.think(game_line("startpos", {"e2e4", "e7e5"}), clocks(seconds(60), seconds(60)));
    for (const std::string_view error : {"Illegal move: otim", "Error (unknown command): computer", "Error (unknown command): easy"})
      engine.says(error);
    CHECK(engine.count<IllegalMoveClaim>() == 0);
    CHECK(engine.count<Failure>() == 0);
  }
  SECTION("a refused opening move is a failure to set the game up") {
    auto engine = xboard_greeted();
    engine.new_game(timed_game("60", "startpos", {"e2e4"}));
    engine.says("Illegal move: e2e4");
    REQUIRE(engine.count<Failure>() == 1);
    CHECK(engine.last<Failure>().kind == FailureKind::protocol_error);
  }
}

TEST_CASE("XBoard: the result is told, then force, then ping") {
  auto engine = thinking();
  engine.notify_result("1-0", "Black {forfeits}\non time");
  CHECK(engine.sent() == "result 1-0 {Black forfeitson time}\nforce\nping 3\n");
  engine.new_game(timed_game("60"));
  CHECK(engine.sent().empty());
  engine.says("move e2e4");  // crossed with the result
  engine.says("pong 3");
  CHECK(engine.count<Answer>() == 0);
  CHECK(engine.sent().starts_with("new\n"));
}

TEST_CASE("XBoard signals") {
  SECTION("SIGINT before a command while it thinks, if it wants that") {
    auto engine = thinking("feature ping=1 colors=0 done=1");
    engine.stop();
    CHECK(engine.interrupted);
    auto modern_engine = thinking();
    modern_engine.stop();
    CHECK_FALSE(modern_engine.interrupted);
  }
  SECTION("SIGTERM shortly after quit, if it wants that") {
    auto engine = xboard_in_game(timed_game("60"), "feature ping=1 done=1");
    engine.quit();
    CHECK(engine.sent() == "quit\n");
    CHECK_FALSE(engine.terminated);
    engine.wait(milliseconds(600));
    CHECK(engine.terminated);
    CHECK_FALSE(engine.killed);
    engine.dies_of(SIGTERM);
    engine.ends_output();
    CHECK(engine.count<Bye>() == 1);
    CHECK(engine.count<Leniency>() == 0);
  }
  SECTION("and the kill in the end") {
    auto engine = xboard_in_game(timed_game("60"), "feature ping=1 done=1");
    engine.quit();
    engine.wait(seconds(6));
    CHECK(engine.killed);
    CHECK(engine.count<Failure>() == 1);
  }
  SECTION("no SIGTERM for sigterm=0") {
    auto engine = xboard_in_game();
    engine.quit();
    engine.wait(seconds(2));
    CHECK_FALSE(engine.terminated);
    engine.exits(0);
    engine.ends_output();
    CHECK(engine.count<Bye>() == 1);
  }
}

TEST_CASE("XBoard: pondering is the engine's own affair once it is told hard") {
  auto game = timed_game("60");
  game.ponder = true;
  auto engine = xboard_greeted();
  engine.new_game(game);
  CHECK(engine.sent().find("\nhard\n") != std::string::npos);
  engine.says("pong 2");
  engine.think(game.line, clocks(seconds(60), seconds(60)));
  engine.says("move e2e4");
  engine.clear();
  engine.ponder(game_line("startpos", {"e2e4"}), "e7e5");
  CHECK(engine.sent().empty());
  engine.says(" 5 20 30 4000 e7e5 g1f3");  // thoughts on the opponent's time are not the engine's answer
  engine.ponder_hit(game_line("startpos", {"e2e4", "e7e5"}));
  CHECK(engine.sent() == "usermove e7e5\n");
  engine.says("move g1f3");
  CHECK(engine.count<Answer>() == 1);
  CHECK(engine.count<Info>() == 0);
}

TEST_CASE("XBoard thinking lines reach the user before the answer") {
  auto engine = thinking();
  engine.says(" 3  12  4  500 e2e4 e7e5");
  engine.says(" 4  25  9 1500 d2d4 d7d5");
  engine.says("      c2c4 e7e6");
  engine.says("move d2d4");
  REQUIRE(engine.count<Info>() == 2);
  CHECK(engine.last<Info>().info.depth == 4);
  CHECK(engine.last<Info>().info.score->centipawns == 25);
  CHECK(engine.last<Info>().info.pv == "d2d4 d7d5 c2c4 e7e6");
}

TEST_CASE("XBoard: an engine that asks for ping and does not know it") {
  auto engine = listening();
  engine.says("feature ping=1 done=1");
  engine.says("Error (unknown command): ping");
  engine.wait(milliseconds(200));
  CHECK(engine.count<Ready>() == 1);
  engine.sent();
  engine.new_game(timed_game("60"));
  CHECK(engine.sent().find("ping") == std::string::npos);
}

TEST_CASE("XBoard: orders given too early wait for their turn") {
  auto engine = listening();
  engine.new_game(timed_game("60"));
  engine.says(modern);
  CHECK(engine.sent().find("new\n") == std::string::npos);
  engine.says("pong 1");
  CHECK(engine.sent().find("new\n") != std::string::npos);
  engine.think(game_line("startpos", {}), clocks(seconds(60), seconds(60)));
  CHECK(engine.sent().empty());
  engine.says("pong 2");
  CHECK(engine.sent() == "time 6000\notim 6000\ngo\n");
}
