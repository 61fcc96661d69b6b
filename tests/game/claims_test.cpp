// Draw claims: right, wrong, inadmissible; offers and agreement; result claims of engines; resignation.
#include <catch2/catch.hpp>

#include "scene.hpp"

namespace referee::game::test {

namespace {

const std::vector<std::string> cycle{"g1f3", "g8f6", "f3g1", "f6g8"};

Table repeated(int cycles) {
  Table table;
  for (int i = 0; i < cycles; ++i) table.moves.insert(table.moves.end(), cycle.begin(), cycle.end());
  return table;
}

}  // namespace

TEST_CASE("a right claim of the threefold repetition draws at once") {
  for (const char* id : fide_editions) {
    Scene scene(id, repeated(2));
    CHECK(scene.game.claimable(ClaimRule::threefold));
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
    CHECK(scene.ruled("claim_correct"));
    CHECK(scene.reason() == Reason::threefold_claim);
    CHECK(scene.article() == "9.2");
  }
}

TEST_CASE("a claim with the intended move") {
  Table table = repeated(2);
  table.moves.pop_back();
  Scene scene("fide-2018", table);
  scene.start(black);
  scene.apply(DrawClaimed{black, ClaimRule::threefold, "Ng8", MoveNotation::san});
  CHECK(scene.reason() == Reason::threefold_claim);
  CHECK(scene.game.moves().size() == 7);  // announced, not played
}

TEST_CASE("fifty moves: on the board, with the intended move, and what does not count") {
  Table table;
  table.fen = "4k3/7r/8/8/8/8/R3P3/4K3 w - - 99 81";
  SECTION("completed") {
    table.fen = "4k3/7r/8/8/8/8/R3P3/4K3 w - - 100 81";
    Scene scene("fide-2005", table);
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::fifty, {}});
    CHECK(scene.reason() == Reason::fifty_claim);
  }
  SECTION("about to be completed") {
    Scene scene("fide-2005", table);
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::fifty, "a2b2"});
    CHECK(scene.reason() == Reason::fifty_claim);
  }
  SECTION("a pawn move does not complete them, and must then be played") {
    Scene scene("fide-2005", table);
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::fifty, "e2e3"});
    CHECK(scene.ruled("claim_incorrect"));
    REQUIRE(scene.said<ClaimRejected>() != nullptr);
    CHECK(scene.said<ClaimRejected>()->must_play == "e2e3");
    scene.move("a2b2");
    CHECK(scene.ruled("not_the_touched_piece"));
    scene.move("e2e3");
    CHECK(scene.ruled("move_accepted"));
  }
  SECTION("a mating move announced, not played, draws") {
    table.fen = "6k1/8/6K1/8/8/8/8/R7 w - - 99 90";
    Scene scene("fide-2023", table);
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::fifty, "a1a8"});
    CHECK(scene.reason() == Reason::fifty_claim);
  }
}

TEST_CASE("the arithmetic of a wrong claim, with the clock as it was stopped") {
  // 9.5 of 2005: 10:00 -> 7:00 and the check points of LAWS.md; thinking time comes off first.
  struct Row {
    Duration before, used, after;
  };
  for (const Row& row : {Row{610s, 10s, 420s}, Row{360s, 0s, 180s}, Row{300s, 0s, 150s}, Row{121s, 0s, 60500ms}, Row{90s, 0s, 60s},
                         Row{45s, 0s, 45s}, Row{120s, 0s, 60s}, Row{60s, 0s, 60s}, Row{121001ms, 0s, 60501ms}}) {
    Table table = repeated(1);
    table.white_clock = row.before;
    table.black_clock = 10s;
    Scene scene("fide-2005", table);
    scene.start(white);
    scene.at += row.used;
    scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
    CHECK(scene.clock(white) == row.after);
    CHECK(scene.clock(black) == 190s);
    CHECK_FALSE(scene.game.running());
    scene.move("g1f3", 5s);  // the game goes on
    CHECK(scene.clock(white) == row.after - 5s);
  }
}

TEST_CASE("a wrong claim by edition and category") {
  struct Row {
    const char* edition;
    laws::Category category;
    Duration white, black;
  };
  using laws::Category;
  for (const Row& row : {Row{"fide-2009", Category::standard, 600s, 780s}, Row{"fide-2014", Category::standard, 600s, 720s},
                         Row{"fide-2018", Category::rapid, 600s, 720s}, Row{"fide-2018", Category::blitz, 600s, 660s},
                         Row{"fide-2023", Category::standard, 600s, 720s}, Row{"fide-2023", Category::rapid, 600s, 660s},
                         Row{"fide-2023", Category::blitz, 600s, 660s}, Row{"fide-2005", Category::blitz, 420s, 780s}}) {
    Table table = repeated(1);
    table.category = row.category;
    Scene scene(row.edition, table);
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
    INFO(row.edition << " " << name(row.category));
    CHECK(scene.clock(white) == row.white);
    CHECK(scene.clock(black) == row.black);
  }
}

TEST_CASE("a claim is an offer: the opponent may accept it even though it is wrong") {
  Scene scene("fide-2018", repeated(1));
  scene.start(white);
  scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
  CHECK(scene.ruled("claim_incorrect"));
  CHECK(scene.game.draw_offer() == white);
  scene.apply(DrawAccepted{black});
  CHECK(scene.reason() == Reason::agreement);
}

TEST_CASE("an illegal move announced with a claim: the claim is wrong, the move is not counted, the piece is touched") {
  Scene scene("fide-2018", repeated(1));
  scene.start(white);
  scene.apply(DrawClaimed{white, ClaimRule::threefold, "b1b3"});
  CHECK(scene.ruled("claim_incorrect"));
  CHECK(scene.game.illegal_moves(white) == 0);
  CHECK(scene.game.required_moves().size() == 2);
  scene.move("g1f3");
  CHECK(scene.ruled("not_the_touched_piece"));
  scene.move("b1c3");
  CHECK(scene.ruled("move_accepted"));
}

TEST_CASE("claims outside their conditions are refused, cost nothing and count as offers (D2)") {
  SECTION("by the side that does not have the move") {
    Table table = repeated(2);
    table.moves.emplace_back("b1c3");
    Scene scene("fide-2005", table);
    scene.start(black);
    scene.at += 3s;
    scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
    CHECK(scene.ruled("claim_inadmissible"));
    CHECK(scene.said<ClaimInadmissible>()->counts_as_offer);
    CHECK(scene.game.draw_offer() == white);
    CHECK(scene.clock(white) == 600s);
    CHECK(scene.clock(black) == 600s);
    CHECK(scene.game.running() == black);  // nothing was stopped
  }
  SECTION("after a piece was touched, from 2009 on; before, only making the move ends the right") {
    for (const auto& [id, upheld] : {std::pair{"fide-2005", true}, {"fide-2009", false}, {"fide-2023", false}}) {
      Scene scene(id, repeated(2));
      scene.move("e1e3");
      scene.start(white);
      scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
      CHECK(scene.over() == upheld);
      CHECK(scene.ruled(upheld ? "claim_correct" : "claim_inadmissible"));
    }
  }
  SECTION("while play is stopped") {
    Scene scene("fide-2018", repeated(2));
    scene.order(OrderKind::pause);
    scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
    CHECK(scene.ruled("claim_inadmissible"));
  }
  SECTION("under an edition without it") {
    Scene scene(edition_with("fide-2018", [](laws::Edition& e) { e.no_progress_claim_moves.reset(); }), repeated(1));
    scene.start(white);
    scene.apply(DrawClaimed{white, ClaimRule::fifty, {}});
    CHECK(scene.ruled("claim_inadmissible"));
  }
  SECTION("where the event forbids agreement it is no offer") {
    GameSetup setup = repeated(1).setup();
    setup.agreement_forbidden = true;
    Scene scene(edition("fide-2018"), setup);
    scene.start(white);
    scene.apply(DrawClaimed{black, ClaimRule::threefold, {}});
    CHECK_FALSE(scene.said<ClaimInadmissible>()->counts_as_offer);
    CHECK_FALSE(scene.game.draw_offer());
  }
}

TEST_CASE("an event's own number of moves before a draw may be agreed") {
  // Four moves each are made, then White offers: too early for an event that asks for five, in time for one that asks for four.
  const auto agreed_after = [](int asked) {
    GameSetup setup;
    setup.time_control = {sudden_death(100s), sudden_death(100s)};
    setup.agreement_min_moves = asked;
    setup.opening_moves = {"g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"};
    Scene scene(edition("fide-2005"), setup);
    scene.start(white);
    scene.apply(DrawOffered{white});
    scene.apply(DrawAccepted{black});
    return scene.game.outcome().has_value();
  };
  CHECK_FALSE(agreed_after(5));
  CHECK(agreed_after(4));
  CHECK(agreed_after(0));
}

TEST_CASE("the flag goes before the claim") {
  Table table = repeated(2);
  table.white_clock = 10s;
  Scene scene("fide-2018", table);
  scene.start(white);
  scene.at = 10s;
  scene.apply(DrawClaimed{white, ClaimRule::threefold, {}});
  CHECK(scene.reason() == Reason::flag_fall);
}

TEST_CASE("engine practice: a claim is right or it loses") {
  Scene wrong("engine-practice", repeated(1));
  wrong.start(white);
  wrong.apply(DrawClaimed{white, ClaimRule::threefold, {}});
  CHECK(wrong.reason() == Reason::false_claim_forfeit);
  CHECK(wrong.result() == "0-1");

  Table table = repeated(1);
  table.moves.insert(table.moves.end(), {"g1f3", "g8f6", "f3g1"});
  Scene intended("engine-practice", table);
  intended.start(black);
  intended.apply(DrawClaimed{black, ClaimRule::threefold, "f6g8"});
  CHECK(intended.reason() == Reason::threefold_claim);

  Scene not_on_move("engine-practice", repeated(1));
  not_on_move.start(white);
  not_on_move.apply(DrawClaimed{black, ClaimRule::threefold, "g8f6"});
  CHECK(not_on_move.result() == "1-0");
}

TEST_CASE("claims made for players that cannot (auto_claim_draws)") {
  const auto with_policy = [](laws::AutoClaimDraws policy) {
    return edition_with("fide-2018", [policy](laws::Edition& e) { e.auto_claim_draws = policy; });
  };
  SECTION("on the board") {
    Table table = repeated(1);
    Scene scene(with_policy(laws::AutoClaimDraws::on_board), table);
    scene.moves({"g1f3", "g8f6", "f3g1"});
    CHECK_FALSE(scene.over());
    scene.move("f6g8");
    CHECK(scene.reason() == Reason::threefold_claim);
    CHECK(scene.said<ClaimUpheld>()->side == white);  // the player who has the move
    CHECK(Scene(with_policy(laws::AutoClaimDraws::on_board), repeated(2)).reason() == Reason::threefold_claim);
  }
  SECTION("on the board, fifty moves") {
    Table table;
    table.fen = "4k3/7r/8/8/8/8/R7/4K3 w - - 99 81";
    Scene scene(with_policy(laws::AutoClaimDraws::on_board), table);
    scene.move("a2b2");
    CHECK(scene.reason() == Reason::fifty_claim);
  }
  SECTION("only if both scores are level") {
    for (const int score : {0, 1}) {
      Scene scene(with_policy(laws::AutoClaimDraws::on_board_if_both_scores_level), repeated(1));
      scene.moves({"g1f3", "g8f6"});
      scene.apply(EvaluationReported{white, score, std::nullopt});
      scene.move("f3g1");
      scene.apply(EvaluationReported{black, 0, std::nullopt});
      scene.move("f6g8");
      CHECK(scene.over() == (score == 0));
    }
  }
  SECTION("never") { CHECK_FALSE(Scene("fide-2018", repeated(2)).over()); }
}

TEST_CASE("offers") {
  SECTION("made with a move, accepted in time") {
    Scene scene("fide-2018", {});
    scene.moves({"e2e4", "e7e5", "g1f3"});
    scene.apply(DrawOffered{white});
    CHECK(scene.ruled("offer_pending"));
    CHECK(scene.game.draw_offer() == white);
    scene.start(black);
    scene.at += 5s;
    scene.apply(DrawAccepted{black});
    CHECK(scene.reason() == Reason::agreement);
    CHECK(scene.article() == "5.2.3");
  }
  SECTION("made on one's own move, it survives that move and dies with the opponent's") {
    Scene scene("fide-2005", {});
    scene.start(white);
    scene.apply(DrawOffered{white});
    scene.move("e2e4");
    CHECK(scene.game.draw_offer() == white);
    scene.move("e7e5");
    CHECK(scene.ruled("offer_lapsed"));
    CHECK_FALSE(scene.game.draw_offer());
    scene.apply(DrawAccepted{black});
    CHECK(scene.ruled("no_offer_pending"));
    CHECK_FALSE(scene.over());
  }
  SECTION("refused in words") {
    Scene scene("fide-2005", {});
    scene.apply(DrawOffered{white});
    scene.apply(DrawDeclined{black});
    CHECK(scene.ruled("offer_lapsed"));
    scene.apply(DrawDeclined{black});
    CHECK(scene.ruled("no_offer_pending"));
  }
  SECTION("refused by touching a piece; in practice only by a move") {
    for (const auto& [rules, stands] :
         {std::pair{edition("fide-2005"), false},
          {edition_with("fide-2005", [](laws::Edition& e) { e.offer_valid_until = laws::OfferValidUntil::opponent_moves; }), true}}) {
      Scene scene(rules, Table{});
      scene.move("e2e4");
      scene.apply(DrawOffered{white});
      scene.move("e7e4");
      CHECK(scene.game.draw_offer().has_value() == stands);
    }
  }
  SECTION("an offer in answer to an offer accepts it") {
    Scene scene("engine-practice", {});
    scene.moves({"e2e4", "e7e5"});
    scene.apply(DrawOffered{white});
    scene.apply(DrawOffered{black});
    CHECK(scene.reason() == Reason::agreement);
  }
  SECTION("offered twice") {
    Scene scene("fide-2005", {});
    scene.apply(DrawOffered{white});
    scene.apply(DrawOffered{white});
    CHECK(scene.said<Warned>() != nullptr);
  }
  SECTION("agreement before both have moved: from 2017 on not") {
    for (const char* id : all_editions) {
      Scene scene(id, {});
      scene.apply(DrawOffered{white});
      scene.apply(DrawAccepted{black});
      const bool allowed = scene.game.edition().agreement_min_moves_each.value_or(0) == 0;
      CHECK(scene.over() == allowed);
      CHECK(scene.ruled("agreement_not_allowed") != allowed);
      if (std::string(id) == "fide-2017" || std::string(id) == "fide-2023") CHECK_FALSE(allowed);
      if (std::string(id) == "fide-2014") CHECK(allowed);
    }
  }
  SECTION("where the event or the edition knows no agreement") {
    GameSetup setup = Table{}.setup();
    setup.agreement_forbidden = true;
    Scene event(edition("fide-2009"), setup);
    event.apply(DrawOffered{white});
    CHECK(event.ruled("agreement_not_allowed"));
    Scene rules(edition_with("engine-practice", [](laws::Edition& e) { e.agreement_allowed = false; }), Table{});
    rules.apply(DrawOffered{white});
    CHECK(rules.ruled("agreement_not_allowed"));
  }
  SECTION("a flag that falls before the acceptance decides") {
    Table table;
    table.black_clock = 5s;
    Scene scene("fide-2018", table);
    scene.move("e2e4");
    scene.apply(DrawOffered{white});
    scene.start(black);
    scene.at += 5s;
    scene.apply(DrawAccepted{black});
    CHECK(scene.reason() == Reason::flag_fall);
    CHECK(scene.result() == "1-0");
  }
}

TEST_CASE("resignation") {
  for (const char* id : all_editions) {
    Scene scene(id, {});
    scene.apply(Resigned{white});
    CHECK(scene.reason() == Reason::resignation);
    CHECK(scene.result() == "0-1");
    Table table;
    table.fen = "8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1";
    Scene bare(id, table);
    bare.apply(Resigned{white});
    const bool drawn = std::string(id) == "fide-2023";
    CHECK(bare.result() == (drawn ? "1/2-1/2" : "0-1"));
    CHECK(bare.reason() == (drawn ? Reason::resignation_unwinnable : Reason::resignation));
  }
}

TEST_CASE("an engine says that the game is over") {
  const auto claim = [](Scene& scene, Color side, int white_score, int black_score) {
    scene.apply(ResultClaimed{side, white_score, black_score, "{result}"});
  };
  SECTION("its own loss always stands") {
    Scene scene("engine-practice", {});
    claim(scene, black, 100, 0);
    CHECK(scene.reason() == Reason::resignation);
    CHECK(scene.result() == "1-0");
  }
  SECTION("a win that is none") {
    Scene scene("engine-practice", {});
    claim(scene, white, 100, 0);
    CHECK(scene.reason() == Reason::false_claim_forfeit);
    CHECK(scene.result() == "0-1");
    Scene laws("fide-2018", {});
    claim(laws, white, 100, 0);
    CHECK_FALSE(laws.over());
    CHECK(laws.said<Warned>() != nullptr);
  }
  SECTION("a draw that is none") {
    Scene scene("engine-practice", {});
    claim(scene, white, 50, 50);
    CHECK(scene.reason() == Reason::false_claim_forfeit);
    Scene laws("fide-2018", {});
    laws.start(white);
    claim(laws, white, 50, 50);
    CHECK(laws.ruled("claim_incorrect"));
    Scene waiting("fide-2018", {});
    waiting.start(white);
    claim(waiting, black, 50, 50);
    CHECK(waiting.ruled("claim_inadmissible"));
  }
  SECTION("an offer is pending: it accepts it") {
    Scene scene("engine-practice", {});
    scene.move("e2e4");
    scene.apply(DrawOffered{white});
    claim(scene, black, 50, 50);
    CHECK(scene.reason() == Reason::agreement);
  }
  SECTION("due on the board, or in the position its own last move made") {
    const auto practice = edition_with("engine-practice", [](laws::Edition& e) {
      e.repetition_automatic.reset();
      e.no_progress_automatic_moves.reset();
      e.repetition_claim = 3;
      e.no_progress_claim_moves = 50;
    });
    Scene now(practice, repeated(2));
    now.start(white);
    claim(now, white, 50, 50);
    CHECK(now.reason() == Reason::threefold_claim);
    Scene late(practice, repeated(1));
    late.moves({"g1f3", "g8f6", "f3g1", "f6g8", "b1c3"});
    claim(late, black, 50, 50);
    CHECK(late.reason() == Reason::threefold_claim);
    Table table;
    table.fen = "4k3/7r/8/8/8/8/R3P3/4K3 b - - 99 81";
    Scene fifty(practice, table);
    fifty.moves({"h7g7", "e2e3"});
    claim(fifty, black, 50, 50);
    CHECK(fifty.reason() == Reason::fifty_claim);
  }
  SECTION("neither side can mate") {
    Table table;
    table.fen = "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1";
    Scene scene("engine-practice", table);
    CHECK_FALSE(scene.over());
    scene.start(white);
    claim(scene, white, 50, 50);
    CHECK(scene.reason() == Reason::dead_position);
  }
  SECTION("without a result it says nothing") {
    Scene scene("engine-practice", {});
    claim(scene, white, 0, 0);
    CHECK_FALSE(scene.over());
  }
}

}  // namespace referee::game::test
