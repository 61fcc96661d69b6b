// The words for people: every event and ruling has some, and they name side and article.
#include <catch2/catch.hpp>

#include "referee/game/explain.hpp"
#include "scene.hpp"

namespace referee::game::test {

TEST_CASE("every event is told in words") {
  CHECK(describe(TurnStarted{white}) == "White's clock is started");
  CHECK(describe(MoveReceived{black, "e7e5"}) == "Black moves: \"e7e5\"");
  CHECK(describe(MoveReceived{black, "e7e5", MoveNotation::uci, true}) == "Black moves: \"e7e5\" with both hands");
  CHECK(describe(TimeExpired{white}) == "White's time is looked at");
  CHECK(describe(DrawClaimed{white, ClaimRule::fifty, {}}) == "White claims a draw by fifty moves, on the board");
  CHECK(describe(DrawClaimed{white, ClaimRule::threefold, "Nf3"}) == "White claims a draw by threefold repetition, intending \"Nf3\"");
  CHECK(describe(FlagClaimed{black, true, true}) == "Black claims a win on time; flags down: White Black");
  CHECK(describe(BothFlagsDown{true}) == "both flags are down, the order is known");
  CHECK(describe(ResultClaimed{white, 50, 50, "{stalemate}"}) == "White says that the game ended 1/2-1/2 \"{stalemate}\"");
  CHECK(describe(IllegalMoveClaimed{white, "e2e4"}) == "White calls the opponent's move illegal \"e2e4\"");
  CHECK(describe(PlayerArrived{black, 90500ms}) == "Black arrives 90.5 s late");
  CHECK(describe(PlayerArrived{black, 0s}) == "Black arrives");
  CHECK(describe(PlayerLate{black, 0s}) == "Black is not there when the limit is over");
  CHECK(describe(PlayerLate{black, 0s, true}) == "neither player is there when the limit is over");
  CHECK(describe(EngineFailed{white, FailureKind::crash, "signal 11"}) == "White's engine fails (crash) \"signal 11\"");
  CHECK(describe(EngineFailed{white, FailureKind::protocol_error, {}}) == "White's engine fails (protocol error)");
  CHECK(describe(EvaluationReported{white, 12, std::nullopt}) == "White's score: 12 centipawns");
  CHECK(describe(EvaluationReported{white, std::nullopt, -3}) == "White's score: mate -3");
  CHECK(describe(EvaluationReported{white, std::nullopt, std::nullopt}) == "White's score: none");
  CHECK(describe(TablebaseReported{0, 100}) == "the tablebase says 0-1");
  CHECK(describe(WinnabilityVerdict{7, black, Verdict::cannot_mate, 3}) == "found out: after half-move 7 Black cannot mate");
  CHECK(describe(ArbiterOrder{OrderKind::add_time, white, 5s, 0, 0, {}, false, "me", "noise"}) ==
        "order add_time for White, 5 s, because noise");
  for (const EventBody& body :
       {EventBody{DrawOffered{white}}, EventBody{DrawAccepted{white}}, EventBody{DrawDeclined{white}}, EventBody{QuickplayClaimed{white}},
        EventBody{IncrementRequested{white}}, EventBody{Resigned{white}}, EventBody{PlayerReady{white}},
        EventBody{EngineFailed{white, FailureKind::stall, {}}}, EventBody{EngineFailed{white, FailureKind::disconnect, {}}},
        EventBody{WinnabilityVerdict{1, white, Verdict::can_mate, 1}}, EventBody{WinnabilityVerdict{1, white, Verdict::undecided, 1}}}) {
    CHECK_THAT(describe(body), Catch::Contains("White"));
  }
  CHECK(describe(Aborted{"power"}) == "the match stops the game \"power\"");
}

TEST_CASE("every ruling is told in words, with its article") {
  const auto words = [](RulingBody body, std::string article = {}) { return describe(Ruling{std::move(body), std::move(article), {}}); };
  CHECK(words(MoveAccepted{white, chess::Move::plain(*chess::parse_square("e2"), *chess::parse_square("e4")), "e2e4", "e4", 1500ms, 61s,
                           "note"}) == "accepted: e4, 1.5 s used, 1:01 left (note)");
  CHECK(words(MoveRejected{white,
                           "e1g1",
                           IllegalKind::illegal,
                           1,
                           120s,
                           false,
                           {chess::Move::plain(*chess::parse_square("e1"), *chess::parse_square("e2"))}},
              "7.5.5") ==
        "not accepted: \"e1g1\" is illegal; illegal moves of White: 1; Black is given 120 s; to be played now: e1e2 (article 7.5.5)");
  CHECK_THAT(words(MoveRejected{white, "e7e8", IllegalKind::promotion_missing, 1, {}, true, {}}), Catch::Contains("a queen"));
  for (const auto kind : {IllegalKind::malformed, IllegalKind::null_move, IllegalKind::out_of_turn, IllegalKind::not_the_touched_piece,
                          IllegalKind::two_hands}) {
    CHECK_THAT(words(MoveRejected{white, "x", kind, 0, {}, false, {}}), Catch::StartsWith("not accepted: \"x\" "));
  }
  CHECK(words(ClocksChanged{3661s, Duration::max(), black}) == "clocks: White 1:01:01, Black no clock, Black's runs");
  CHECK(words(ClaimUpheld{black}) == "Black's claim is right");
  CHECK(words(ClaimRejected{white, 180s, 60s, "e2e3"}) ==
        "White's claim is wrong; Black is given 180 s, White loses 60 s; e2e3 must be played");
  CHECK(words(ClaimInadmissible{white, true}) == "White's claim is not admissible; it counts as a draw offer");
  CHECK(words(OfferPending{white}) == "White's draw offer stands");
  CHECK(words(OfferLapsed{white}) == "White's draw offer has lapsed");
  CHECK(words(OfferRefused{white}) == "White cannot agree to a draw now");
  CHECK(words(Warned{std::nullopt, "quiet"}) == "warning to both players: quiet");
  CHECK(words(AwaitingArbiter{white, "drawn?"}) == "the arbiter decides: drawn?");
  CHECK(words(Adjourned{black}) == "adjourned; Black's move is in the envelope");
  CHECK(words(Resumed{}) == "play is resumed");
  CHECK(words(Paused{}) == "play is interrupted");
  CHECK(words(Ignored{"late"}) == "not taken notice of: late");
  CHECK(words(OrderRefused{"why"}) == "the order is refused: why");
  Outcome outcome{black_wins, Reason::flag_fall, "6.9", "White's flag fell", true, false};
  CHECK(words(GameOver{outcome}, "6.9") ==
        "game over: 0-1, flag_fall (whether the opponent can mate is not decided): White's flag fell (article 6.9)");
}

TEST_CASE("times and diagrams") {
  CHECK(describe_time(598500ms) == "9:58.5");
  CHECK(describe_time(-1s) == "-0:01");
  CHECK(describe_time(1ns) == "0:00.000000001");
  CHECK(diagram(position("8/8/4k3/8/8/3K1Q2/8/8 b - - 0 1")) ==
        "8  . . . . . . . .\n7  . . . . . . . .\n6  . . . . k . . .\n5  . . . . . . . .\n4  . . . . . . . .\n3  . . . K . Q . .\n"
        "2  . . . . . . . .\n1  . . . . . . . .\n   a b c d e f g h   Black to move");
}

}  // namespace referee::game::test
