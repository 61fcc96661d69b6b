#include "referee/record/pgn_normalise.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace referee;
using namespace referee::record;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

NormalisedGame of(const std::string& text, const PgnStyle& style = {}) {
  std::istringstream in(text);
  PgnReader reader(in);
  const auto game = reader.next();
  REQUIRE(game);
  return normalise(*game, style);
}

}  // namespace

TEST_CASE("comments of engine matches are understood", "[import]") {
  const auto score = read_engine_comment("+0.30/13 0.28s");
  REQUIRE(score);
  CHECK(score->centipawns == 30);
  CHECK(score->depth == 13);
  CHECK(score->used == 280ms);
  CHECK(score->rest.empty());

  const auto mated = read_engine_comment("-M6/20 1.2s, Black mates");
  REQUIRE(mated);
  CHECK(mated->mate == -3);
  CHECK(mated->rest == "Black mates");
  CHECK(read_engine_comment("+M5/9 0s")->mate == 3);
  CHECK(read_engine_comment("-12.05/7 0.001s")->centipawns == -1205);
  CHECK(read_engine_comment("0.00/1 0s")->centipawns == 0);
  CHECK(read_engine_comment("book")->book);
  CHECK(read_engine_comment("2.5s")->used == 2500ms);
  for (const std::string text : {"", "a good move", "+", "0.30", "+0.30/13x", "1-0", "M", "bookish"})
    CHECK_FALSE(read_engine_comment(text));
}

TEST_CASE("a game of another program is written in our form", "[import]") {
  const NormalisedGame game = of(
      "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[GameDuration \"00:00:09\"]\n[Result \"0-1\"]\n[Date \"2024.05.06\"]\n[Round \"1\"]\n"
      "[ECO \"Z00\"]\n[Termination \"illegal move\"]\n[TimeControl \"8+0.08\"]\n\n"
      "1. e2e4 {book} c5 {book} 2. Nf3 {+0.30/13 0.28s} Nc6 {+0.10/11 0.5s} 3.O-O {no move} 0-1\n");
  CHECK(game.text.empty());
  CHECK(game.problem.line == 12);
  CHECK_THAT(game.problem.text, Contains("O-O"));

  const NormalisedGame good = of(
      "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[GameDuration \"00:00:09\"]\n[Result \"0-1\"]\n[Date \"2024.05.06\"]\n[Round \"1\"]\n"
      "[ECO \"Z00\"]\n[Termination \"illegal move\"]\n[TimeControl \"8+0.08\"]\n\n"
      "1. e2e4 {book} c5 {book} 2. Nf3 {+0.30/13 0.28s} Nc6 {+0.10/11 0.5s, White makes an illegal move} 0-1\n");
  CHECK(good.text ==
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.05.06\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n"
        "[ECO \"B30\"]\n[GameDuration \"00:00:09\"]\n[Opening \"Sicilian Defence\"]\n[PlyCount \"4\"]\n"
        "[Termination \"rules infraction\"]\n[TimeControl \"8+0.08\"]\n[Variation \"Old Sicilian\"]\n\n"
        "1. e4 c5 2. Nf3 {[%eval 0.30,13] [%emt 0:00:00.28]} 2... Nc6 {[%eval -0.10,11]\n"
        "[%emt 0:00:00.5] White makes an illegal move} 0-1\n\n");
}

TEST_CASE("a set-up with Black to move, glyphs, and no result", "[import]") {
  const NormalisedGame game = of("[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n\n41... Kd5! 42. Kd3 (42. Kf4) Kc5\n");
  CHECK_THAT(game.text, Contains("[Result \"*\"]\n") && Contains("[SetUp \"1\"]\n") && Contains("\n\n41... Kd5 $1 42. Kd3 Kc5 *\n\n"));
}
