// Illegal moves: count, bonus, no increment, replacement, forfeit, promotion, categories, claims of them.
#include <catch2/catch.hpp>

#include "scene.hpp"

namespace referee::game::test {

namespace {

std::vector<std::string> names_of(const Game& game, const std::vector<chess::Move>& moves) {
  std::vector<std::string> names;
  for (const chess::Move move : moves) names.push_back(chess::to_uci(game.position(), move, chess::CastlingText::king_two_squares));
  std::sort(names.begin(), names.end());
  return names;
}

Scene after_illegal(const std::string& id, laws::Category category, laws::Supervision supervision, int times) {
  Table table;
  table.category = category;
  table.supervision = supervision;
  Scene scene(id, table);
  for (int i = 0; i < times && !scene.over(); ++i) scene.move("e2e5", 1s);
  return scene;
}

}  // namespace

TEST_CASE("an illegal move is charged, gets no increment, and the opponent is given time") {
  Table table;
  table.fen = "4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1";  // f1 is attacked
  table.black_clock = 500s;
  table.increment = 10s;
  Scene scene("fide-2005", table);
  scene.move("e1g1", 20s);
  CHECK(scene.ruled("illegal_reinstated"));
  CHECK(scene.clock(white) == 580s);
  CHECK(scene.clock(black) == 620s);
  CHECK(scene.game.illegal_moves(white) == 1);
  CHECK(scene.game.position().side_to_move() == white);
  const auto* rejected = scene.said<MoveRejected>();
  REQUIRE(rejected != nullptr);
  CHECK(rejected->opponent_bonus == 120s);
  CHECK(rejected->kind == IllegalKind::illegal);

  SECTION("the replacement is with the touched piece") {
    CHECK(names_of(scene.game, scene.game.required_moves()) == std::vector<std::string>{"e1c1", "e1d1", "e1d2", "e1e2"});
    scene.move("a1a2", 5s);
    CHECK(scene.ruled("not_the_touched_piece"));
    CHECK(scene.game.illegal_moves(white) == 1);
    CHECK(scene.clock(white) == 575s);
    CHECK(scene.clock(black) == 620s);
    scene.move("e1e2", 5s);
    CHECK(scene.ruled("move_accepted"));
    CHECK(scene.clock(white) == 580s);
    CHECK(scene.said<MoveAccepted>()->used == 30s);
    CHECK(scene.game.required_moves().empty());
  }
  SECTION("a player who will not comply loses in the end") {
    for (int i = 0; i < 9; ++i) scene.move("a1a2");
    CHECK_FALSE(scene.over());
    scene.move("a1a2");
    CHECK(scene.reason() == Reason::declared_lost);
    CHECK(scene.result() == "0-1");
  }
}

TEST_CASE("the count at which an illegal move loses, by edition, category and supervision") {
  struct Row {
    const char* edition;
    laws::Category category;
    laws::Supervision supervision;
    int loses_at;
    Duration bonus;
  };
  using laws::Category;
  using laws::Supervision;
  // LAWS.md section 15
  const Row rows[] = {
      {"fide-2005", Category::standard, Supervision::adequate, 3, 120s},
      {"fide-2009", Category::standard, Supervision::adequate, 3, 120s},
      {"fide-2014", Category::standard, Supervision::adequate, 2, 120s},
      {"fide-2017", Category::standard, Supervision::adequate, 2, 120s},
      {"fide-2018", Category::standard, Supervision::adequate, 2, 120s},
      {"fide-2023", Category::standard, Supervision::adequate, 2, 120s},
      {"fide-2005", Category::rapid, Supervision::inadequate, 3, 120s},
      {"fide-2005", Category::rapid, Supervision::adequate, 3, 120s},
      {"fide-2014", Category::rapid, Supervision::inadequate, 1, 0s},
      {"fide-2014", Category::rapid, Supervision::adequate, 2, 120s},
      {"fide-2018", Category::rapid, Supervision::inadequate, 2, 120s},
      {"fide-2018", Category::rapid, Supervision::adequate, 2, 120s},
      {"fide-2023", Category::rapid, Supervision::inadequate, 2, 60s},
      {"fide-2023", Category::rapid, Supervision::adequate, 2, 60s},
      {"fide-2005", Category::blitz, Supervision::adequate, 1, 0s},
      {"fide-2017", Category::blitz, Supervision::inadequate, 1, 0s},
      {"fide-2017", Category::blitz, Supervision::adequate, 2, 60s},
      {"fide-2018", Category::blitz, Supervision::inadequate, 2, 60s},
      {"fide-2018", Category::blitz, Supervision::adequate, 2, 60s},
      {"fide-2023", Category::blitz, Supervision::inadequate, 2, 60s},
      {"fide-2023", Category::blitz, Supervision::adequate, 2, 120s},
      {"engine-practice", Category::blitz, Supervision::adequate, 1, 0s},
      {"engine-practice", Category::standard, Supervision::adequate, 1, 0s},
  };
  for (const Row& row : rows) {
    INFO(row.edition << " " << name(row.category) << " " << static_cast<int>(row.supervision));
    Scene before = after_illegal(row.edition, row.category, row.supervision, row.loses_at - 1);
    CHECK_FALSE(before.over());
    CHECK(before.clock(black) == 600s + (row.loses_at - 1) * row.bonus);
    Scene after = after_illegal(row.edition, row.category, row.supervision, row.loses_at);
    CHECK(after.reason() == Reason::illegal_move_forfeit);
    CHECK(after.result() == "0-1");
    CHECK(after.clock(white) == 600s - row.loses_at * 1s);
    CHECK(after.clock(black) == before.clock(black));
  }
}

TEST_CASE("the count is per player, and goes on from what was counted before") {
  GameSetup setup = Table{}.setup();
  setup.illegal_moves = {0, 1};
  Scene scene(edition("fide-2018"), setup);
  scene.move("e2e5");
  CHECK_FALSE(scene.over());
  scene.move("e2e4");
  scene.move("e7e4");
  CHECK(scene.result() == "1-0");
}

TEST_CASE("a forfeit is a draw when the opponent cannot mate, where the edition says so") {
  Table table;
  table.fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
  for (const char* id : all_editions) {
    Scene scene(id, table);
    for (int i = 0; i < 3 && !scene.over(); ++i) scene.move("a1b2");
    REQUIRE(scene.over());
    const bool drawn = std::string(id) != "fide-2005" && std::string(id) != "engine-practice";
    CHECK(scene.result() == (drawn ? "1/2-1/2" : "0-1"));
    CHECK(scene.reason() == (drawn ? Reason::illegal_move_unwinnable : Reason::illegal_move_forfeit));
  }
}

TEST_CASE("promotion without a piece") {
  Table table;
  table.fen = "8/4P3/8/8/8/k7/8/4K3 w - - 0 1";
  table.black_clock = 500s;
  table.increment = 10s;
  SECTION("2005 and 2009 restore the position; any piece will do") {
    Scene scene("fide-2009", table);
    scene.move("e7e8", 20s);
    CHECK(scene.ruled("illegal_reinstated"));
    CHECK(names_of(scene.game, scene.game.required_moves()) == std::vector<std::string>{"e7e8b", "e7e8n", "e7e8q", "e7e8r"});
    scene.move("e7e8n");
    CHECK(scene.game.moves().back().uci == "e7e8n");
  }
  SECTION("from 2014 on a queen is placed, without increment") {
    for (const char* id : {"fide-2014", "fide-2017", "fide-2018", "fide-2023"}) {
      for (const auto& [text, notation] : {std::pair{"e7e8", MoveNotation::uci}, {"e8", MoveNotation::san}, {"e8", MoveNotation::xboard}}) {
        Scene scene(id, table);
        scene.move(text, 20s, notation);
        CHECK(scene.ruled("illegal_queen_placed"));
        REQUIRE(scene.game.moves().size() == 1);
        CHECK(scene.game.moves().back().uci == "e7e8q");
        CHECK(scene.clock(white) == 580s);
        CHECK(scene.clock(black) == 620s);
        CHECK(scene.game.illegal_moves(white) == 1);
        CHECK(scene.said<MoveRejected>()->queen_placed);
      }
    }
  }
  SECTION("it can be the second illegal move") {
    Scene scene("fide-2018", table);
    scene.move("e1e3");
    scene.move("e1d1");
    scene.move("a3a2");
    scene.move("e7e8");
    CHECK(scene.reason() == Reason::illegal_move_unwinnable);  // Black has a bare king
  }
  SECTION("a piece touched before still binds") {
    Scene scene("fide-2018", table);
    scene.game = Game(
        [&] {
          GameSetup setup = table.setup();
          setup.illegal_moves = {-1, 0};
          return setup;
        }(),
        edition("fide-2018"));
    scene.move("e1e3");
    scene.move("e7e8");
    CHECK(scene.ruled("illegal_reinstated"));
    CHECK(scene.game.moves().empty());
  }
  SECTION("engine practice: a plain illegal move") {
    Scene scene("engine-practice", table);
    scene.move("e7e8");
    CHECK(scene.reason() == Reason::illegal_move_forfeit);
  }
}

TEST_CASE("a null move") {
  for (const char* text : {"0000", "(none)", "NULL"}) {
    Scene misconduct("fide-2005", {});
    misconduct.move(text, 7s);
    CHECK(misconduct.ruled("misconduct"));
    CHECK(misconduct.game.illegal_moves(white) == 0);
    CHECK(misconduct.clock(white) == 593s);
    CHECK(misconduct.clock(black) == 600s);
    misconduct.move("e2e4");
    CHECK(misconduct.ruled("move_accepted"));

    Scene illegal("fide-2017", {});
    illegal.move(text, 7s);
    CHECK(illegal.ruled("illegal_reinstated"));
    CHECK(illegal.said<MoveRejected>()->kind == IllegalKind::null_move);
    CHECK(illegal.game.illegal_moves(white) == 1);
    CHECK(illegal.clock(black) == 720s);
    CHECK(illegal.game.required_moves().empty());
  }
}

TEST_CASE("text that is no move is an illegal move") {
  for (const char* text : {"hello", "", "12", "resign"}) {
    Scene scene("fide-2018", {});
    scene.move(text);
    CHECK(scene.said<MoveRejected>()->kind == IllegalKind::malformed);
    CHECK(scene.game.illegal_moves(white) == 1);
    CHECK(scene.game.required_moves().empty());
  }
  Scene scene("fide-2018", {});
  scene.move(std::string(100'000, 'x'));
  CHECK(scene.said<MoveRejected>()->text.size() < 100);
}

TEST_CASE("two hands: misconduct before 2017, penalised like an illegal move since") {
  Table table;
  table.increment = 5s;
  const auto play = [&](const char* id) {
    Scene scene(id, table);
    scene.start(white);
    scene.at += 10s;
    scene.apply(MoveReceived{white, "e2e4", MoveNotation::uci, true});
    return scene;
  };
  const Scene before = play("fide-2014");
  CHECK(before.ruled("misconduct"));
  CHECK(before.clock(white) == 595s);
  CHECK(before.clock(black) == 600s);
  const Scene since = play("fide-2023");
  CHECK(since.ruled("illegal_move_stands"));
  CHECK(since.game.moves().size() == 1);
  CHECK(since.game.illegal_moves(white) == 1);
  CHECK(since.clock(white) == 590s);
  CHECK(since.clock(black) == 720s);
}

TEST_CASE("the flag goes before the illegal move") {
  Table table;
  table.white_clock = 25s;
  Scene scene("fide-2023", table);
  scene.move("e1g1", 30s);
  CHECK(scene.reason() == Reason::flag_fall);
  CHECK(scene.game.illegal_moves(white) == 0);
}

TEST_CASE("a move restored is no new occurrence") {
  Table table;
  table.moves = {"g1f3", "g8f6", "f3g1", "f6g8"};
  Scene scene("fide-2005", table);
  CHECK(scene.game.occurrences() == 2);
  scene.move("e1e3");
  CHECK(scene.game.occurrences() == 2);
}

TEST_CASE("where the opponent must claim it, and claims for himself (auto_claim off)") {
  const auto rules = edition_with("fide-2005", [](laws::Edition& e) { e.auto_claim = false; });
  Table table;
  table.category = laws::Category::rapid;
  SECTION("claimed before the reply") {
    Scene scene(rules, table);
    scene.move("e2e5", 5s);
    CHECK(scene.ruled("illegal_unclaimed"));
    CHECK(scene.game.illegal_moves(white) == 0);
    CHECK(scene.game.moves().empty());  // it is never put on the referee's board
    CHECK(scene.clock(black) == 600s);
    scene.apply(IllegalMoveClaimed{black, "e2e5"});
    CHECK(scene.game.illegal_moves(white) == 1);
    CHECK(scene.clock(black) == 720s);
  }
  SECTION("not claimed before the reply: it stands as it is") {
    Scene scene(rules, table);
    scene.moves({"e2e5", "e2e4", "e7e5"});
    scene.apply(IllegalMoveClaimed{black, "e2e5"});
    CHECK(scene.game.illegal_moves(white) == 0);
    CHECK(scene.said<Warned>() != nullptr);
  }
  SECTION("blitz: the claim wins, or draws if the claimant cannot mate (C3)") {
    table.category = laws::Category::blitz;
    Scene scene(rules, table);
    scene.move("e2e5");
    scene.apply(IllegalMoveClaimed{black, "e2e5"});
    CHECK(scene.result() == "0-1");
    table.fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    Scene bare(rules, table);
    bare.move("a1b2");
    bare.apply(IllegalMoveClaimed{black, "a1b2"});
    CHECK(bare.reason() == Reason::illegal_move_unwinnable);
  }
}

TEST_CASE("calling a legal move illegal") {
  Table table;
  Scene practice("engine-practice", table);
  practice.move("e2e4");
  practice.start(black);
  practice.apply(IllegalMoveClaimed{black, "e2e4"});
  CHECK(practice.reason() == Reason::false_claim_forfeit);
  CHECK(practice.result() == "1-0");
  Scene laws("fide-2018", table);
  laws.move("e2e4");
  laws.start(black);
  laws.apply(IllegalMoveClaimed{black, "e2e4"});
  CHECK_FALSE(laws.over());
  CHECK(laws.said<Warned>() != nullptr);
}

}  // namespace referee::game::test
