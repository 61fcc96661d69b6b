#include "referee/record/scoresheet.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "referee/chess/fen.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;

namespace {

// The sample game at the end of the 2005 text (E13), in English and as that text prints it.
constexpr const char* sample_english =
    "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Bd2 O-O 5. e4 d5 6. exd5 exd5 7. cxd5 Bxc3 8. Bxc3 Nxd5 9. Nf3 b6 10. Qb3 Nxc3 11. bxc3 c5 12. Be2 "
    "cxd4 13. Nxd4 Re8 14. O-O Nd7 15. a4 Nc5 16. Qb4 Bb7 17. a5 (=) *";
constexpr const char* sample_estonian =
    "1. d4 Rf6 2. c4 e6 3. Rc3 Ob4 4. Od2 0-0 5. e4 d5 6. exd5 exd5 7. cxd5 Oxc3 8. Oxc3 Rxd5 9. Rf3 b6 10. Lb3 Rxc3 11. bxc3 c5 12. Oe2 "
    "cxd4 13. Rxd4 Ve8 14. 0-0 Rd7 15. a4 Rc5 16. Lb4 Ob7 17. a5 (=) *";

PgnGame pgn(const std::string& text) {
  std::istringstream in(text);
  PgnReader reader(in);
  auto game = reader.next();
  REQUIRE(game);
  return *game;
}

std::string line_of_moves(const Scoresheet& sheet) {
  std::string line;
  for (const ScoresheetMove& move : sheet.moves) {
    if (move.side == chess::Color::white) line += std::to_string(move.number) + ". ";
    line += move.text + (move.offer ? " (=) " : " ");
  }
  return line + (sheet.result.empty() ? "*" : sheet.result);
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

TEST_CASE("scoresheet: the sample game of appendix E in Estonian, out and in") {
  const PgnGame english = pgn(sample_english);
  REQUIRE(english.problems.empty());
  const Scoresheet sheet = scoresheet(english, chess::Language::et);
  CHECK(line_of_moves(sheet) == sample_estonian);
  REQUIRE(sheet.moves.size() == 33);
  CHECK(sheet.moves.back().offer);
  CHECK(sheet.notes.empty());

  const PgnGame estonian = pgn(sample_estonian);
  REQUIRE(estonian.problems.empty());
  const Scoresheet back = scoresheet(estonian, chess::Language::en, chess::Language::et);
  CHECK(
      line_of_moves(back) ==
      "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Bd2 0-0 5. e4 d5 6. exd5 exd5 7. cxd5 Bxc3 8. Bxc3 Nxd5 9. Nf3 b6 10. Qb3 Nxc3 11. bxc3 c5 12. Be2 "
      "cxd4 13. Nxd4 Re8 14. 0-0 Nd7 15. a4 Nc5 16. Qb4 Bb7 17. a5 (=) *");
}

TEST_CASE("scoresheet: the sample game survives every language") {
  const PgnGame english = pgn(sample_english);
  const std::string expected = line_of_moves(scoresheet(english, chess::Language::en));
  for (const chess::Language language : chess::all_languages) {
    INFO(chess::code(language));
    // The reader takes one letter of any script for a move's first, so what was written can be read.
    const PgnGame foreign = pgn(line_of_moves(scoresheet(english, language)));
    CHECK(line_of_moves(scoresheet(foreign, chess::Language::en, language)) == expected);
  }
}

TEST_CASE("scoresheet: mate, en passant and promotion as players write them") {
  // Promotion with mate, after Estonian rules of writing (E12: d8L; ++ for mate).
  const PgnGame game = pgn("[SetUp \"1\"]\n[FEN \"k7/2P5/1K6/6p1/5pP1/8/8/8 b - g3 0 1\"]\n\n1... fxg3 2. c8=Q# 1-0");
  const Scoresheet estonian = scoresheet(game, chess::Language::et);
  REQUIRE(estonian.moves.size() == 2);
  CHECK(estonian.moves[0].text == "fxg3 e.p.");
  CHECK(estonian.moves[0].number == 1);
  CHECK(estonian.moves[0].side == chess::Color::black);
  CHECK(estonian.moves[1].text == "c8L++");
  CHECK(scoresheet(game, chess::Language::de).moves[1].text == "c8D#");
  CHECK(estonian.start == "k7/2P5/1K6/6p1/5pP1/8/8/8 b - g3 0 1");
  const std::string text = to_text(estonian);
  CHECK(without_blanks(text).find("1....fxg3e.p.\n2.c8L++\n") != std::string::npos);
}

TEST_CASE("scoresheet: clocks and remarks of a PGN game, engine scores left out") {
  const PgnGame game =
      pgn("[White \"A & B\"]\n[Black \"<C>\"]\n[TimeControl \"300+2\"]\n[Termination \"time forfeit\"]\n\n"
          "1. e4 {[%eval 0.3] [%clk 0:04:59.5] warning to White (article 12.9)} e5 {+0.30/13 0.28s} 2. Nf3 {book} Nc6 {[%clk 0:04:58] (=)} "
          "0-1");
  const Scoresheet sheet = scoresheet(game, chess::Language::en);
  REQUIRE(sheet.moves.size() == 4);
  CHECK(sheet.moves[0].clock == 299500ms);
  CHECK_FALSE(sheet.moves[1].clock);
  CHECK(sheet.moves[3].clock == 298s);
  CHECK(sheet.moves[3].offer);
  REQUIRE(sheet.notes.size() == 1);
  CHECK(sheet.notes[0].ply == 1);
  CHECK(sheet.notes[0].text == "warning to White (article 12.9)");
  CHECK(sheet.result == "0-1");
  CHECK(sheet.ending == "time forfeit");

  const std::string page = to_html(sheet);
  CHECK(page.find("A &amp; B") != std::string::npos);
  CHECK(page.find("<C>") == std::string::npos);
  CHECK(page.find("e4<sup>1</sup></td><td class=\"clock\">0:04:59.5</td>") != std::string::npos);
  CHECK(page.find("@page { size: A4 portrait") != std::string::npos);
}

TEST_CASE("scoresheet: a record that cannot be written down is refused with its place") {
  const PgnGame game = pgn("[White \"A\"]\n\n1. e4 e5\n2. Ke3 *");
  try {
    (void)scoresheet(game, chess::Language::en);
    FAIL("2. Ke3 is not legal");
  } catch (const ScoresheetError& error) {
    CHECK(error.line() == 4);
    CHECK(std::string(error.what()).find("half-move 3, 'Ke3'") == 0);
  }
  CHECK_THROWS_AS(scoresheet(pgn("[FEN \"nonsense\"]\n\n1. e4 *"), chess::Language::en), ScoresheetError);
}

TEST_CASE("scoresheet: a judged game with its clocks, an offer and an order") {
  GameStarted start = started(1);
  std::vector<Fact> facts{start};
  game::Game game(start.setup, plain_edition());
  game::Duration now{};
  const auto feed = [&](game::EventBody body) {
    EventJudged judged;
    judged.game = 1;
    judged.event = {now, std::move(body)};
    judged.rulings = game.apply(judged.event);
    facts.emplace_back(std::move(judged));
  };
  feed(game::TurnStarted{chess::Color::white});
  now += 2s;
  feed(game::DrawOffered{chess::Color::white});
  feed(game::MoveReceived{chess::Color::white, "e2e4"});
  feed(game::TurnStarted{chess::Color::black});
  now += 10s;
  feed(game::MoveReceived{chess::Color::black, "e7e5"});
  game::ArbiterOrder order;
  order.kind = game::OrderKind::add_time;
  order.side = chess::Color::black;
  order.time = 30s;
  order.who = "Ann";
  order.why = "noise";
  feed(order);
  feed(game::Resigned{chess::Color::white});
  REQUIRE(game.outcome());
  GameEnded ended;
  ended.game = 1;
  ended.at = start.at;
  ended.outcome = *game.outcome();
  ended.plies = 2;
  facts.emplace_back(ended);

  const Scoresheet sheet = scoresheet(recorded(facts), chess::Language::et);
  REQUIRE(sheet.moves.size() == 2);
  CHECK(sheet.moves[0].offer);
  CHECK(sheet.moves[0].clock == 58100ms);  // 60 s, less 2 s, and 0.1 s for the move
  CHECK_FALSE(sheet.moves[1].offer);
  CHECK(sheet.moves[1].clock == 50100ms);
  CHECK(sheet.result == "0-1");
  CHECK(sheet.white == "Anand");
  CHECK(sheet.date == "2026-11-30");
  REQUIRE(!sheet.notes.empty());
  CHECK(sheet.notes[0].ply == 2);
  CHECK(sheet.notes[0].text == "Arbiter Ann: add_time Black 0:00:30 (noise)");
  const std::string text = to_text(sheet);
  CHECK(text.find("e4 (=)") != std::string::npos);
  CHECK(text.find("0:00:58.1") != std::string::npos);
  CHECK(text.find("1...e5  Arbiter Ann") != std::string::npos);
}
