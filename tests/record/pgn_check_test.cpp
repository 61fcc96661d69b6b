#include <catch2/catch.hpp>
#include <sstream>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/record/pgn_check.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using Catch::Matchers::Contains;

namespace {

std::vector<CheckProblem> check(const std::string& text, const std::string& edition = "fide-2023") {
  const PgnChecker checker(config::load_edition(edition));
  std::istringstream in(text);
  PgnReader reader(in);
  std::vector<CheckProblem> problems;
  while (const auto game = reader.next())
    for (const CheckProblem& problem : checker.check(*game).problems) problems.push_back(problem);
  return problems;
}

std::string pgn_game(const std::string& tags, const std::string& moves) { return "[Event \"?\"]\n" + tags + "\n" + moves + "\n"; }

std::string summary(const std::vector<CheckProblem>& problems) {
  std::string text;
  for (const CheckProblem& problem : problems)
    text += (text.empty() ? "" : "; ") + std::string(name(problem.kind)) + " game " + std::to_string(problem.game) + " line " +
            std::to_string(problem.line) + " ply " + std::to_string(problem.ply);
  return text;
}

CheckProblem only(const std::vector<CheckProblem>& problems) {
  INFO(summary(problems));
  REQUIRE(problems.size() == 1);
  return problems.front();
}

const std::string knights_out_and_back = " Nf3 Nf6 Ng1 Ng8";

}  // namespace

TEST_CASE("games that are right are left alone") {
  CHECK(summary(check(pgn_game("[Result \"1-0\"]\n", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0"))).empty());
  CHECK(summary(check(pgn_game("[Result \"0-1\"]\n[Termination \"normal\"]\n", "1. f3 e5 2. g4 Qh4# {Black mates} 0-1"))).empty());
  CHECK(summary(check(pgn_game("[Result \"1/2-1/2\"]\n", "1. e4 e5 (1... c5 2. Ke2 illegal?) 2. Nf3 $1 1/2-1/2"))).empty());
  CHECK(summary(check(pgn_game("[Result \"*\"]\n[Termination \"unterminated\"]\n", "1. e4 *"))).empty());
  CHECK(summary(check(pgn_game("[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n[Result \"*\"]\n", "41... Kd5 42. Kd3 *")))
            .empty());
}

TEST_CASE("PG-07 the board decides between a tag and an end mark that differ") {
  const CheckProblem problem = only(check("[Event \"Mismatch\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"));
  CHECK((problem.kind == CheckKind::result_mismatch && problem.result_in_file == "0-1" && problem.result_by_law == "0-1" &&
         problem.article == "5.1.1"));
}

TEST_CASE("PG-13 a cut-off record is reported and its result not believed; the next one is whole") {
  const CheckProblem problem =
      only(check("[Event \"First\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf[Event \"Second\"]\n[White "
                 "\"B\"]\n[Black \"A\"]\n"
                 "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"));
  CHECK((problem.kind == CheckKind::cut_off && problem.game == 1 && problem.line == 6));
}

TEST_CASE("PG-17 a missing SetUp is reported and the game is read all the same") {
  const CheckProblem problem = only(check(pgn_game("[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n[Result \"*\"]\n", "41... Kd5 42. Kd3 *")));
  CHECK(problem.kind == CheckKind::setup);
}

TEST_CASE("set-ups") {
  CHECK(only(check(pgn_game("[SetUp \"1\"]\n[Result \"*\"]\n", "1. e4 *"))).kind == CheckKind::setup);
  CHECK(only(check(pgn_game("[SetUp \"0\"]\n[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n[Result \"*\"]\n", "41... Kd5 *"))).kind ==
        CheckKind::setup);
  CHECK_THAT(only(check(pgn_game("[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/9/4P3/8 b - - 3 41\"]\n[Result \"*\"]\n", "41... Kd5 *"))).text,
             Contains("placement"));
  CHECK(only(check(pgn_game("[Variant \"Chess960\"]\n[Result \"*\"]\n", "1. e4 *"))).kind == CheckKind::setup);
  // Chess960: the king goes from b1 to c1, the rook from a1 to d1.
  CHECK(summary(check(pgn_game("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1\"]\n[Result \"*\"]\n",
                               "1. O-O-O Ra2 *")))
            .empty());
  const PgnChecker checker(config::load_edition("fide-2023"));
  std::istringstream in(pgn_game("[Variant \"Atomic\"]\n[Result \"1-0\"]\n", "1. Nf3 f6 2. Nd4 Kxd2 1-0"));
  PgnReader reader(in);
  const CheckedGame checked = checker.check(*reader.next());
  CHECK(checked.problems.empty());
  CHECK_THAT(checked.not_checked, Contains("Atomic"));
}

TEST_CASE("illegal moves and tokens that are none have game, line and half-move") {
  const auto problems =
      check(pgn_game("[Result \"1-0\"]\n", "1. e4 e5\n2. Ke3 Nc6 1-0") + pgn_game("[Result \"1-0\"]\n", "1. e4 e5\n2. Xf9 1-0") +
            pgn_game("[Result \"1-0\"]\n", "1. e4 -- 1-0") + pgn_game("[Result \"*\"]\n", "1. Nf3 d5 2. d4 d4 *"));
  CHECK(summary(problems) ==
        "illegal_move game 1 line 5 ply 3; unreadable game 2 line 10 ply 3; illegal_move game 3 line 14 ply 2; illegal_move game 4 line 18 "
        "ply 4");
  // Two knights that can both go there, and no letter to say which.
  CHECK(only(check(pgn_game("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/1N2KN2 w - - 0 1\"]\n[Result \"*\"]\n", "1. Nd2 *"))).kind ==
        CheckKind::unreadable);
}

TEST_CASE("the board against the result") {
  const CheckProblem mate = only(check(pgn_game("[Result \"1/2-1/2\"]\n", "1. f3 e5 2. g4 Qh4# 1/2-1/2")));
  CHECK((mate.kind == CheckKind::result_mismatch && mate.ply == 4 && mate.result_in_file == "1/2-1/2" && mate.result_by_law == "0-1" &&
         mate.article == "5.1.1"));
  CHECK(only(check(pgn_game("[Result \"*\"]\n", "1. f3 e5 2. g4 Qh4# *"))).result_by_law == "0-1");
  const CheckProblem stalemate =
      only(check(pgn_game("[SetUp \"1\"]\n[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n", "1. Qg6 1-0")));
  CHECK((stalemate.result_by_law == "1/2-1/2" && stalemate.article == "5.2.1"));
  CHECK(only(check(pgn_game("[Result \"2-0\"]\n", "1. e4 1-0"))).kind == CheckKind::result_mismatch);
}

TEST_CASE("play after the end of the game") {
  // Two kings: dead at once.
  const std::string kings =
      pgn_game("[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/3pK3/8/8 w - - 0 1\"]\n[Result \"RESULT\"]\n", "1. Kxd3 Kd6 2. Kd4 RESULT");
  const auto with = [&](const std::string& result) {
    std::string text = kings;
    for (std::size_t at = text.find("RESULT"); at != std::string::npos; at = text.find("RESULT")) text.replace(at, 6, result);
    return text;
  };
  const CheckProblem won = only(check(with("1-0")));
  CHECK((won.kind == CheckKind::result_mismatch && won.ply == 1 && won.result_by_law == "1/2-1/2" && won.article == "5.2.2"));
  CHECK(only(check(with("1/2-1/2"))).kind == CheckKind::termination);

  // Fivefold: the initial position stands for the fifth time after four rounds of the knights.
  std::string fivefold = "1.";
  for (int i = 0; i < 4; ++i) fivefold += knights_out_and_back;
  CHECK(summary(check(pgn_game("[Result \"1/2-1/2\"]\n", fivefold + " 1/2-1/2"))).empty());
  const CheckProblem on = only(check(pgn_game("[Result \"1-0\"]\n", fivefold + " e4 1-0")));
  CHECK((on.ply == 16 && on.article == "9.6.1" && on.result_by_law == "1/2-1/2"));
  CHECK(summary(check(pgn_game("[Result \"1-0\"]\n", fivefold + " e4 1-0"), "fide-2005")).empty());  // no automatic draw then
  // Three times only: a draw may be claimed, it need not.
  CHECK(summary(check(pgn_game("[Result \"1-0\"]\n", "1." + knights_out_and_back + knights_out_and_back + " e4 1-0"))).empty());
}

TEST_CASE("seventy-five moves") {
  const std::string tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/R7/4K3 w - - 148 100\"]\n";
  CHECK(summary(check(pgn_game(tags + "[Result \"1/2-1/2\"]\n", "1. Kd2 Kd8 1/2-1/2"))).empty());
  const CheckProblem problem = only(check(pgn_game(tags + "[Result \"1-0\"]\n", "1. Kd2 Kd8 2. Kc3 1-0")));
  CHECK((problem.ply == 2 && problem.article == "9.6.2" && problem.result_by_law == "1/2-1/2"));
}

TEST_CASE("a loss on time against a side that cannot mate is a draw") {
  // White: king and queen, to move; Black: bare king.
  const std::string bare =
      "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/Q7/4K3 w - - 0 1\"]\n[TimeControl \"60\"]\n[Termination \"Time forfeit\"]\n";
  const CheckProblem problem = only(check(pgn_game(bare + "[Result \"0-1\"]\n", "0-1")));
  CHECK((problem.kind == CheckKind::result_mismatch && problem.result_in_file == "0-1" && problem.result_by_law == "1/2-1/2" &&
         problem.article == "6.9"));
  CHECK(summary(check(pgn_game(bare + "[Result \"1/2-1/2\"]\n", "1/2-1/2"))).empty());
  // The flag may have fallen behind the last move: that Black cannot mate is as true then (6.2.1, 6.9).
  const CheckProblem behind = only(check(pgn_game(bare + "[Result \"0-1\"]\n", "1. Kd1 0-1")));
  CHECK((behind.kind == CheckKind::result_mismatch && behind.result_by_law == "1/2-1/2" && behind.article == "6.9"));
  // A single pawn may still mate: nothing to say.
  const std::string pawn =
      "[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/Q7/4K3 w - - 0 1\"]\n[TimeControl \"60\"]\n[Termination \"time forfeit\"]\n";
  CHECK(summary(check(pgn_game(pawn + "[Result \"0-1\"]\n", "0-1"))).empty());
}

TEST_CASE("a resignation against a side that cannot mate is a draw from 2023 on") {
  const std::string text =
      pgn_game("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/Q7/4K3 w - - 0 1\"]\n[Result \"0-1\"]\n[Termination \"normal\"]\n", "0-1");
  CHECK(only(check(text)).article == "5.1.2");
  CHECK(summary(check(text, "fide-2018")).empty());
}

TEST_CASE("terminations that cannot be") {
  CHECK(only(check(pgn_game("[Result \"1-0\"]\n[Termination \"unterminated\"]\n", "1. e4 1-0"))).kind == CheckKind::termination);
  CHECK(only(check(pgn_game("[Result \"*\"]\n[Termination \"normal\"]\n", "1. e4 *"))).kind == CheckKind::termination);
  CHECK(only(check(pgn_game("[Result \"0-1\"]\n[Termination \"time forfeit\"]\n", "1. f3 e5 2. g4 Qh4# 0-1"))).kind ==
        CheckKind::termination);
  CHECK(only(check(pgn_game("[Result \"0-1\"]\n[Termination \"time forfeit\"]\n[TimeControl \"-\"]\n", "1. e4 e5 0-1"))).kind ==
        CheckKind::termination);
  // A pair of scores that PGN has no mark for.
  CHECK(summary(check(pgn_game("[Result \"*\"]\n[Termination \"rules infraction\"]\n", "1. e4 {Result 0-0} *"))).empty());
}

TEST_CASE("draws that were not due") {
  const std::string twice = "1." + knights_out_and_back;
  CHECK_THAT(only(check(pgn_game("[Result \"1/2-1/2\"]\n", "1. e4 e5 {Draw by 3-fold repetition} 1/2-1/2"))).text, Contains("once"));
  CHECK(only(check(pgn_game("[Result \"1/2-1/2\"]\n", "1. e4 e5 {Draw by 3-fold repetition} 1/2-1/2"))).article == "9.2");
  CHECK(summary(
            check(pgn_game("[Result \"1/2-1/2\"]\n", twice + knights_out_and_back + " {+0.00/3 0.1s, Draw by 3-fold repetition} 1/2-1/2")))
            .empty());
  // The third time comes with the move that was announced: Ng8 is not in the record.
  CHECK(summary(check(pgn_game("[Result \"1/2-1/2\"]\n", twice + " Nf3 Nf6 Ng1 {Draw by 3-fold repetition} 1/2-1/2"))).empty());
  CHECK(only(check(pgn_game("[Result \"1/2-1/2\"]\n", "1. e4 {Draw by fifty moves rule} 1/2-1/2"))).article == "9.3");
  const std::string tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/R7/4K3 w - - 98 100\"]\n[Result \"1/2-1/2\"]\n";
  CHECK(summary(check(pgn_game(tags, "100. Kd2 {Draw by fifty moves rule} 1/2-1/2"))).empty());  // with an announced move
  CHECK(only(check(pgn_game("[Result \"1-0\"]\n", "1. e4 {White mates} 1-0"))).kind == CheckKind::termination);
  CHECK(summary(check(pgn_game("[Result \"1-0\"]\n", "1. e4 {White mates in 12, so Black gave up} 1-0"))).empty());
}

TEST_CASE("words of an end that result or board disprove") {
  const auto with_tag = [](const std::string& words, const std::string& result) {
    return pgn_game("[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"" + result + "\"]\n[Termination \"" + words + "\"]\n",
                    "1. e4 e5 2. Nf3 Nc6 " + result);
  };
  const auto with_comment = [](const std::string& words, const std::string& result) {
    return pgn_game("[Result \"" + result + "\"]\n", "1. e4 e5 2. Nf3 Nc6 {" + words + "} " + result);
  };
  for (const std::string words : {"checkmate", "White mates", "Ann won by checkmate"})
    CHECK(only(check(with_tag(words, "1-0"))).kind == CheckKind::termination);
  for (const std::string words : {"stalemate", "threefold repetition", "draw by repetition", "3-fold repetition", "50 move rule",
                                  "insufficient material", "Game drawn by stalemate", "time forfeit"})
    CHECK(only(check(with_tag(words, "1/2-1/2"))).kind == CheckKind::termination);
  for (const std::string words : {"Game drawn by agreement", "Bob won on time", "Bob won by resignation"})
    CHECK(only(check(with_tag(words, "1-0"))).kind == CheckKind::result_mismatch);
  // cutechess, fastchess; lichess and FICS.
  for (const std::string words : {"Draw by stalemate", "Draw by insufficient mating material", "Draw by fifty moves rule",
                                  "Game drawn by repetition", "Draw by 3-fold repetition"})
    CHECK(only(check(with_comment(words, "1/2-1/2"))).kind == CheckKind::termination);
  for (const std::string words : {"Black resigns", "Black resigns.", "White wins by adjudication", "Black loses on time",
                                  "Black forfeits on time", "Black makes an illegal move: e5", "Black disconnects",
                                  "Black's connection stalls", "Draw by adjudication", "+0.10/5 0.1s, White wins on time"})
    CHECK(only(check(with_comment(words, "0-1"))).kind == CheckKind::result_mismatch);
  CHECK(only(check(with_comment("Black resigns", "1/2-1/2"))).result_in_file == "1/2-1/2");
}

TEST_CASE("words of an end that may be so, or say nothing of it") {
  const auto game = [](const std::string& tags, const std::string& words, const std::string& result) {
    return summary(check(pgn_game(tags + "[Result \"" + result + "\"]\n", "1. e4 e5 2. Nf3 Nc6 {" + words + "} " + result)));
  };
  for (const std::string words :
       {"White resigns", "White loses on time", "Black wins by adjudication", "White's connection stalls", "White wins if Black takes",
        "a draw by repetition was near", "after Nd4, White mates in 3", "Instead of this knight, White mates", "Black wins by zugzwang"})
    CHECK(game("", words, "0-1").empty());
  for (const std::string tag : {"normal", "Normal", "abandoned", "adjudication", "illegal move", "Bob won by resignation", "unknown"})
    CHECK(game("[White \"Ann\"]\n[Black \"Bob\"]\n[Termination \"" + tag + "\"]\n", "good", "0-1").empty());
  CHECK(game("", "Draw by agreement", "1/2-1/2").empty());
  CHECK(game("[Termination \"time forfeit\"]\n", "Draw by both flags down (article III.3.1.2)", "1/2-1/2").empty());
  // White has a bare king (6.9, and 5.1.2 from 2023 on).
  const std::string bare = "[SetUp \"1\"]\n[FEN \"4k3/q7/8/8/8/8/8/4K3 b - - 0 1\"]\n[Result \"1/2-1/2\"]\n";
  for (const std::string words : {"Black loses on time", "Black resigns", "White wins on time"})
    CHECK(summary(check(pgn_game(bare, "1... Kd7 {" + words + "} 1/2-1/2"))).empty());
  CHECK(summary(check(pgn_game(bare + "[Termination \"time forfeit\"]\n", "1... Kd7 1/2-1/2"))).empty());
  CHECK(only(check(pgn_game(bare, "1... Kd7 {White loses on time} 1/2-1/2"))).kind == CheckKind::result_mismatch);
}

TEST_CASE("clocks that the time control explains") {
  CHECK(summary(check(pgn_game("[TimeControl \"180+2\"]\n[Result \"*\"]\n",
                               "1. e4 {[%clk 0:03:02]} e5 {[%clk 0:03:00]} 2. d4 {[%eval 0.1] [%clk 0:03:04.0]} exd4 {[%clk 0:00:00]} *")))
            .empty());
  CHECK(
      summary(check(pgn_game(
                  "[TimeControl \"2/60:30\"]\n[Result \"*\"]\n",
                  "1. e4 {[%clk 0:00:50]} e5 {[%clk 0:00:10]} 2. d4 {[%clk 0:01:10]} exd4 {[%clk 0:00:05]} 3. c3 dxc3 {[%clk 0:00:34]} *")))
          .empty());
  CHECK(summary(check(pgn_game("[TimeControl \"?\"]\n[WhiteTimeControl \"10\"]\n[BlackTimeControl \"600\"]\n[Result \"*\"]\n",
                               "1. e4 {[%clk 0:00:09]} e5 {[%clk 0:09:00]} *")))
            .empty());
  // No clock comments for a while: increments add up.
  CHECK(summary(
            check(pgn_game("[TimeControl \"60+10\"]\n[Result \"*\"]\n", "1. e4 {[%clk 0:01:00]} e5 2. Nf3 Nc6 3. Bb5 {[%clk 0:01:19]} *")))
            .empty());
  CHECK(summary(check(pgn_game("[TimeControl \"?\"]\n[Result \"*\"]\n", "1. e4 {[%clk 0:01:00]} e5 2. d4 {[%clk 1:01:00]} *"))).empty());
  CHECK(summary(check(pgn_game("[TimeControl \"60\"]\n[Result \"*\"]\n",
                               "1. e4 {[%clk 0:01:00]} e5 {Black made an illegal move, White is given 0:02:00} 2. d4 {[%clk 0:02:50]} *")))
            .empty());
}

TEST_CASE("clocks that it does not") {
  const CheckProblem gain =
      only(check(pgn_game("[TimeControl \"180+2\"]\n[Result \"*\"]\n",
                          "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]}\n2. d4 {[%clk 0:03:10]} exd4 {[%clk 0:02:59]} *")));
  INFO(gain.ply << " " << gain.line << " " << gain.text);
  CHECK((gain.kind == CheckKind::clock && gain.ply == 3 && gain.line == 6));
  CHECK(only(check(pgn_game("[TimeControl \"60\"]\n[Result \"*\"]\n", "1. e4 {[%clk 0:02:00]} *"))).kind == CheckKind::clock);
  CHECK_THAT(only(check(pgn_game("[TimeControl \"60\"]\n[Result \"*\"]\n", "1. e4 {[%clk 0:00:30.5]} e5 2. d4 {[%clk 0:00:30.9]} *"))).text,
             Contains("0:00:30.9"));
  CHECK_THAT(only(check(pgn_game("[Result \"*\"]\n", "1. e4 {[%clk -0:00:03]} *"))).text, Contains("-0:00:03"));
  CHECK_THAT(only(check(pgn_game("[TimeControl \"fast\"]\n[Result \"*\"]\n", "1. e4 *"))).text, Contains("TimeControl \"fast\""));
}

TEST_CASE("what we write ourselves has no problem") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    GameStarted start = started(static_cast<int>(seed));
    start.setup.time_control[0].periods = {{20, std::chrono::seconds(60), std::chrono::milliseconds(100), {}},
                                           {0, std::chrono::seconds(30), std::chrono::milliseconds(50), {}}};
    if (seed % 3 == 0)
      start.setup.start = chess::parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 4 30").position();
    const auto facts = played(start, random_moves(seed, 120, start.setup.start), true);
    PgnComposer composer(start, {static_cast<PgnComments>(seed % 3), true, true, true});
    const GameEnded* ended = nullptr;
    for (const Fact& fact : facts) {
      if (const auto* judged = std::get_if<EventJudged>(&fact)) composer.add(*judged);
      if (const auto* end = std::get_if<GameEnded>(&fact)) ended = end;
    }
    INFO(composer.text(ended));
    CHECK(summary(check(composer.text(ended))).empty());
  }
}

TEST_CASE("a dead position that only walls make is found, with its proof") {
  // Both pawn chains are locked and neither king can cross (tests/data/winnability/reasoned.txt, proven there by closure); g4 locks them.
  const std::string comb = "[SetUp \"1\"]\n[FEN \"4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1\"]\n";
  const CheckProblem lost =
      only(check(pgn_game(comb + "[Termination \"time forfeit\"]\n[TimeControl \"60\"]\n[Result \"1-0\"]\n", "1. g4 Kd7 2. Kd2 1-0")));
  CHECK((lost.kind == CheckKind::result_mismatch && lost.ply == 1 && lost.result_by_law == "1/2-1/2" && lost.article == "5.2.2"));
  CHECK_THAT(lost.proof, Contains("White: ") && Contains("; Black: "));
  CHECK(only(check(pgn_game(comb + "[Result \"1/2-1/2\"]\n", "1. g4 Kd7 2. Kd2 1/2-1/2"))).kind == CheckKind::termination);
  CHECK(summary(check(pgn_game(comb + "[Result \"1/2-1/2\"]\n", "1. g4 1/2-1/2"))).empty());
  // The pawn that has not moved yet keeps the chain open.
  CHECK(summary(check(pgn_game(comb + "[Result \"1-0\"]\n", "1. Kd2 Kd7 1-0"))).empty());
  // Where the host counts material only, nothing ended there.
  CHECK(summary(check(pgn_game(comb + "[Result \"1-0\"]\n", "1. g4 Kd7 2. Kd2 1-0"), "engine-practice")).empty());
}

TEST_CASE("who could not mate is named with what proves it") {
  const std::string bare =
      "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/Q7/4K3 w - - 0 1\"]\n[TimeControl \"60\"]\n[Termination \"time forfeit\"]\n[Result \"0-1\"]\n";
  CHECK(only(check(pgn_game(bare, "0-1"))).proof == "Black: material");
  // A knight alone can mate a king that a rook shuts in, but none that a queen does (WINNABILITY 3.2).
  const std::string knight = "[SetUp \"1\"]\n[TimeControl \"60\"]\n[Termination \"time forfeit\"]\n[Result \"1-0\"]\n[FEN ";
  CHECK(only(check(pgn_game(knight + "\"4k3/8/8/8/8/q7/8/1N2K3 b - - 0 1\"]\n", "1-0"))).proof == "White: material");
  CHECK(summary(check(pgn_game(knight + "\"4k3/8/8/8/8/r7/8/1N2K3 b - - 0 1\"]\n", "1-0"))).empty());
}
