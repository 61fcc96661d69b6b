// Adjourned games: the sealed move, the envelope, and every way to resume (appendix A of 2005, Guidelines I).
#include <catch2/catch.hpp>

#include "scene.hpp"

namespace referee::game::test {

namespace {

Table opened() {
  Table table;
  table.moves = {"e2e4", "e7e5"};
  table.white_clock = 1800s;
  table.black_clock = 1700s;
  return table;
}

/// White seals after thinking for so long.
Scene sealed(const std::string& id, const std::string& text, const Table& table = opened(), Duration used = 0s,
             MoveNotation notation = MoveNotation::uci) {
  Scene scene(id, table);
  scene.start(white);
  scene.order(OrderKind::adjourn, std::nullopt, 3600s);
  scene.at += used;
  scene.apply(MoveReceived{white, text, notation});
  return scene;
}

ArbiterOrder open(std::optional<Color> absent = std::nullopt, Duration late = {}, bool not_there = false, std::string stated = {}) {
  return {OrderKind::open_envelope, absent, late, 0, 0, std::move(stated), not_there, "arbiter", "resumption"};
}

}  // namespace

TEST_CASE("adjourning seals the next move") {
  Scene scene("fide-2005", opened());
  scene.start(white);
  scene.at = 5s;
  scene.order(OrderKind::adjourn, std::nullopt, 7200s);
  CHECK(scene.ruled("seal_move"));
  CHECK(scene.game.phase() == Phase::playing);
  CHECK(scene.game.running() == white);
  scene.order(OrderKind::adjourn);
  CHECK(scene.said<OrderRefused>() != nullptr);
  scene.apply(DrawOffered{white});
  scene.at = 20s;
  scene.apply(MoveReceived{white, "g1f3"});
  CHECK(scene.game.phase() == Phase::adjourned);
  REQUIRE(scene.said<Adjourned>() != nullptr);
  CHECK(scene.said<Adjourned>()->sealer == white);
  CHECK(scene.game.moves().size() == 2);  // secret until it is opened
  for (const Ruling& ruling : scene.last) CHECK(std::get_if<MoveAccepted>(&ruling.body) == nullptr);
  const auto notes = scene.game.envelope();
  REQUIRE(notes);
  CHECK(notes->sealer == white);
  CHECK(notes->move_number == 2);
  CHECK(notes->white_remaining == 1780s);
  CHECK(notes->black_remaining == 1700s);
  CHECK(notes->draw_offer == white);
  CHECK(notes->resumption == 7200s);

  SECTION("nothing is played meanwhile") {
    scene.apply(MoveReceived{white, "a2a3"});
    CHECK(scene.ruled("ignored"));
    scene.order(OrderKind::seal, white, {}, "a2a3");
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order(OrderKind::resume);
    CHECK(scene.said<OrderRefused>() != nullptr);
    scene.order(OrderKind::adjourn);
    CHECK(scene.said<OrderRefused>() != nullptr);
  }
  SECTION("the offer stands, and may be accepted before resumption (A4, A6)") {
    scene.apply(DrawAccepted{black});
    CHECK(scene.reason() == Reason::agreement);
  }
  SECTION("a player may resign before resumption (A6)") {
    scene.apply(Resigned{black});
    CHECK(scene.result() == "1-0");
  }
}

TEST_CASE("the flag still falls while a move is being sealed") {
  Scene scene = sealed("fide-2005", "g1f3", opened(), 1800s);
  CHECK(scene.reason() == Reason::flag_fall);
}

TEST_CASE("at his own wish a player may adjourn early, and is charged the rest of the session (A1b)") {
  Scene scene("fide-2005", opened());
  scene.start(white);
  scene.order({OrderKind::adjourn, std::nullopt, 300s, 0, 0, {}, true, "arbiter", "asked"});
  CHECK(scene.clock(white) == 1500s);
  scene.apply(MoveReceived{white, "g1f3"});
  CHECK(scene.game.phase() == Phase::adjourned);
  Scene too_little("fide-2005", opened());
  too_little.start(white);
  too_little.order({OrderKind::adjourn, std::nullopt, 1800s, 0, 0, {}, true, "arbiter", "asked"});
  CHECK(too_little.reason() == Reason::flag_fall);
}

TEST_CASE("a move sealed through the arbiter") {
  Scene scene("fide-2018", opened());
  scene.order(OrderKind::seal, black, {}, "Nf6");
  CHECK(scene.said<OrderRefused>() != nullptr);
  scene.order(OrderKind::seal, white, {}, "Nf3");
  CHECK(scene.game.phase() == Phase::adjourned);
  scene.order(open());
  CHECK(scene.game.moves().back().uci == "g1f3");
}

TEST_CASE("both are there: the move is made and the replier's turn begins (A9a)") {
  for (const char* id : {"fide-2005", "fide-2018", "fide-2023"}) {
    Scene scene = sealed(id, "g1f3");
    scene.order(open());
    CHECK(scene.ruled("sealed_move_played"));
    CHECK(scene.game.moves().back().uci == "g1f3");
    CHECK(scene.game.phase() == Phase::playing);
    scene.start(black);
    CHECK(scene.game.running() == black);
    CHECK(scene.clock(white) == 1800s);
    CHECK(scene.clock(black) == 1700s);
    CHECK_FALSE(scene.game.envelope());
  }
}

TEST_CASE("a sealed move that is none loses, or draws if the opponent cannot mate (A8)") {
  Scene illegal = sealed("fide-2005", "e1e3");
  illegal.order(open());
  CHECK(illegal.reason() == Reason::sealed_move_invalid);
  CHECK(illegal.result() == "0-1");
  CHECK(illegal.article() == "A8");

  Table table;
  table.moves = {"d2d4", "d7d5", "g1f3", "g8f6", "c1g5", "b8c6"};
  Scene ambiguous = sealed("fide-2018", "Nd2", table, 0s, MoveNotation::san);
  ambiguous.order(open());
  CHECK(ambiguous.reason() == Reason::sealed_move_invalid);

  Table bare;
  bare.fen = "8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1";
  Scene drawn = sealed("fide-2018", "f3f9", bare);
  drawn.order(open());
  CHECK(drawn.reason() == Reason::sealed_move_invalid_unwinnable);
  CHECK(drawn.result() == "1/2-1/2");
}

TEST_CASE("a move that was bound to a touched piece stays bound in the envelope") {
  Table table = opened();
  Scene scene("fide-2005", table);
  scene.move("b1b3");
  scene.start(white);
  scene.order(OrderKind::adjourn);
  scene.apply(MoveReceived{white, "g1f3"});
  scene.order(open());
  CHECK(scene.reason() == Reason::sealed_move_invalid);
}

TEST_CASE("the replier is not there (A7, A9b, A10)") {
  SECTION("the envelope stays closed and his clock runs") {
    Scene scene = sealed("fide-2005", "g1f3");
    scene.order(open(black, 0s, true));
    CHECK(scene.ruled("wait"));
    CHECK(scene.game.phase() == Phase::adjourned);
    CHECK(scene.game.running() == black);
    CHECK(scene.game.moves().size() == 2);
    SECTION("he comes") {
      scene.at += 600s;
      scene.order(open(black, 600s));
      CHECK(scene.ruled("sealed_move_played"));
      CHECK(scene.clock(black) == 1100s);
    }
    SECTION("his flag falls") {
      scene.at += 1700s;
      scene.apply(TimeExpired{black});
      CHECK(scene.reason() == Reason::flag_fall);
      CHECK(scene.result() == "1-0");
    }
  }
  SECTION("he is reported late and not there yet: his clock has run since the resumption, and runs on") {
    Scene scene = sealed("fide-2005", "g1f3");
    scene.order(open(black, 600s, true));
    CHECK(scene.ruled("wait"));
    CHECK(scene.last.front().article == "A9");
    CHECK(scene.clock(black) == 1100s);
    CHECK(scene.game.running() == black);
    scene.at += 100s;
    scene.order(open(black, 700s));
    CHECK(scene.ruled("sealed_move_played"));
    CHECK(scene.clock(black) == 1000s);
    Scene late = sealed("fide-2005", "g1f3");
    late.order(open(black, 1700s, true));
    CHECK(late.reason() == Reason::flag_fall);
  }
  SECTION("he comes in time: his clock has run") {
    Scene scene = sealed("fide-2005", "g1f3");
    scene.order(open(black, 1200s));
    CHECK(scene.ruled("sealed_move_played"));
    CHECK(scene.clock(black) == 500s);
    Scene late = sealed("fide-2005", "g1f3");
    late.order(open(black, 1700s));
    CHECK(late.reason() == Reason::flag_fall);
  }
  SECTION("more than an hour late he loses; an hour is in time") {
    Table table = opened();
    table.black_clock = 7200s;
    Scene late = sealed("fide-2005", "g1f3", table);
    late.order(open(black, 3600s + 1ms, true));
    CHECK(late.reason() == Reason::default_time);
    CHECK(late.result() == "1-0");
    CHECK(late.article() == "A10");
    Scene in_time = sealed("fide-2005", "g1f3", table);
    in_time.order(open(black, 3600s));
    CHECK(in_time.ruled("sealed_move_played"));
  }
  SECTION("later editions go by the default time of the event") {
    GameSetup setup = opened().setup();
    setup.event_default_time = 900s;
    for (const auto& [late, lost] : {std::pair<Duration, bool>{900s, false}, {901s, true}}) {
      Scene scene(edition("fide-2018"), setup);
      scene.start(white);
      scene.order(OrderKind::adjourn);
      scene.apply(MoveReceived{white, "g1f3"});
      scene.order(open(black, late));
      CHECK(scene.over() == lost);
    }
  }
}

TEST_CASE("nobody is there (A9b, A10)") {
  Table two_hours = opened();
  two_hours.white_clock = two_hours.black_clock = 7200s;
  SECTION("the replier's clock runs") {
    Scene scene = sealed("fide-2005", "g1f3", two_hours);
    scene.order(open(std::nullopt, 3600s, true));
    CHECK(scene.ruled("wait"));
    CHECK(scene.clock(black) == 3600s);
    CHECK(scene.game.running() == black);
    CHECK(scene.game.phase() == Phase::adjourned);
  }
  SECTION("beyond the limit both lose") {
    Scene scene = sealed("fide-2005", "g1f3", two_hours);
    scene.order(open(std::nullopt, 3600s + 1ms, true));
    CHECK(scene.result() == "0-0");
    CHECK(scene.reason() == Reason::default_time);
    CHECK(scene.article() == "A10");
    CHECK(scene.game.moves().size() == 2);
  }
  SECTION("one of them is excused") {
    Scene scene = sealed("fide-2005", "g1f3", two_hours);
    scene.order(OrderKind::waive_lateness, black);
    scene.order(open(std::nullopt, 3700s, true));
    CHECK(scene.result() == "0-1");
    Scene other = sealed("fide-2005", "g1f3", two_hours);
    other.order(OrderKind::waive_lateness, white);
    other.order(open(std::nullopt, 3700s, true));
    CHECK(other.result() == "1-0");
  }
}

TEST_CASE("a sealed move that ends the game and a replier beyond the limit: I.10 lets it stand, A10 does not") {
  Table stalemate;
  stalemate.fen = "7k/8/8/6Q1/8/8/8/K7 w - - 0 1";
  Scene later = sealed("fide-2018", "g5g6", stalemate);
  later.order(open(black, 1s, true));
  CHECK(later.reason() == Reason::stalemate);
  CHECK(later.game.moves().size() == 1);
  Scene first = sealed("fide-2005", "g5g6", stalemate);
  first.order(open(black, 3600s + 1ms, true));
  CHECK(first.reason() == Reason::default_time);
  CHECK(first.result() == "1-0");
  Scene no_move = sealed("fide-2018", "g5h8", stalemate);
  no_move.order(open(black, 1s, true));
  CHECK(no_move.reason() == Reason::default_time);
}

TEST_CASE("the sealer is not there (A9c, A10)") {
  Table table;
  table.moves = {"e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"};
  SECTION("a sealed mate wins however late its author is") {
    for (const char* id : {"fide-2005", "fide-2018", "fide-2023"}) {
      Scene scene = sealed(id, "h5f7", table);
      scene.order(open(white, 3700s, true));
      CHECK(scene.reason() == Reason::checkmate);
      CHECK(scene.result() == "1-0");
    }
  }
  SECTION("a sealed stalemate draws") {
    Table stalemate;
    stalemate.fen = "7k/8/8/6Q1/8/8/8/K7 w - - 0 1";
    Scene scene = sealed("fide-2005", "g5g6", stalemate);
    scene.order(open(white, 3700s, true));
    CHECK(scene.reason() == Reason::stalemate);
  }
  SECTION("otherwise he loses") {
    Scene scene = sealed("fide-2005", "d2d3", table);
    scene.order(open(white, 3600s + 1ms, true));
    CHECK(scene.reason() == Reason::default_time);
    CHECK(scene.result() == "0-1");
  }
  SECTION("in time, play goes on and the replier may answer") {
    Scene scene = sealed("fide-2005", "d2d3", table);
    scene.order(open(white, 1800s, true));
    CHECK(scene.ruled("sealed_move_played"));
    scene.move("a7a6");
    CHECK(scene.ruled("move_accepted"));
  }
  SECTION("waived") {
    Scene scene = sealed("fide-2018", "d2d3", table);
    scene.order(OrderKind::waive_lateness, white);
    scene.order(open(white, 3700s));
    CHECK_FALSE(scene.over());
  }
}

TEST_CASE("the envelope is lost: the author makes the move he says he sealed (A11a)") {
  Scene scene = sealed("fide-2005", "g1f3");
  scene.order(open(std::nullopt, {}, false, "Nc3"));
  CHECK(scene.game.moves().back().uci == "b1c3");
}

TEST_CASE("where there is no envelope, and where the edition knows no adjournment") {
  Scene scene("fide-2005", opened());
  scene.order(open());
  CHECK(scene.said<OrderRefused>() != nullptr);
  Scene practice("engine-practice", opened());
  practice.order(OrderKind::adjourn);
  CHECK(practice.said<OrderRefused>() != nullptr);
  practice.order(OrderKind::seal, white, {}, "Nf3");
  CHECK(practice.said<OrderRefused>() != nullptr);
}

TEST_CASE("the increment comes when the sealed move is made") {
  Table table = opened();
  table.increment = 30s;
  Scene scene = sealed("fide-2018", "g1f3", table, 100s);
  CHECK(scene.clock(white) == 1700s);
  scene.order(open());
  CHECK(scene.clock(white) == 1730s);
  CHECK(scene.said<MoveAccepted>()->used == 100s);
}

}  // namespace referee::game::test
