#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "referee/chess/fen.hpp"
#include "referee/record/pgn.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using Catch::Matchers::Contains;

namespace {

std::vector<PgnGame> read(const std::string& text, PgnLimits limits = {}) {
  std::istringstream in(text);
  PgnReader reader(in, limits);
  std::vector<PgnGame> games;
  while (auto game = reader.next()) games.push_back(std::move(*game));
  return games;
}

std::string tokens(const PgnGame& game) {
  std::string text;
  for (const PgnMove& move : game.moves) text += (text.empty() ? "" : " ") + move.san;
  return text;
}

/// The moves as SAN of our own, played from the game's own start; "illegal" where a token is no legal move.
std::string mainline(const PgnGame& game, std::string* final_fen = nullptr) {
  const auto fen = game.tag("FEN");
  chess::Position position = fen ? chess::parse_fen(*fen).position() : chess::Position::initial();
  std::string text;
  for (const PgnMove& move : game.moves) {
    const auto found = chess::read_san(position, move.san);
    const auto* legal = std::get_if<chess::ReadMove>(&found);
    text += (text.empty() ? "" : " ") + (legal == nullptr ? std::string("illegal") : chess::to_san(position, legal->move));
    if (legal == nullptr) return text;
    position.play(legal->move);
  }
  if (final_fen != nullptr) *final_fen = chess::to_fen(position);
  return text;
}

bool has_problem(const PgnGame& game, const std::string& part) {
  for (const PgnProblem& problem : game.problems)
    if (problem.text.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("PG-01 variations inside variations are passed over by depth") {
  const auto games =
      read("[Event \"Nested\"]\n[Result \"*\"]\n\n1. c4 e5 (1... c5 2. Nf3 (2. g3 g6 (2... Nc6 3. Bg2) 3. Bg2) 2... Nf6)\n2. Nc3 Nf6 *\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "c4 e5 Nc3 Nf6");
  CHECK(games[0].result == "*");
  CHECK(games[0].problems.empty());
}

TEST_CASE("variations are counted, those within others not apart") {
  const auto games = read("[Result \"*\"]\n\n1. c4 e5 (1... c5 2. Nf3 (2. g3)) (1... e6) 2. Nc3 *\n\n[Result \"*\"]\n\n1. e4 *\n");
  REQUIRE(games.size() == 2);
  CHECK(games[0].variations == 2);
  CHECK(games[1].variations == 0);
}

TEST_CASE("the tokens of a tag may stand in several lines (PGN 8.1.1: import format)") {
  const auto games = read("[Event\n\"Odd\"]\n[\nWhite \"A\" ]\r\n[ Black\r\n\t\"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].tag("Event") == "Odd");
  CHECK(games[0].tag("White") == "A");
  CHECK(games[0].tag("Black") == "B");
  CHECK(mainline(games[0]) == "e4 e5");
  CHECK(games[0].result == "1-0");
  CHECK(games[0].problems.empty());
}

TEST_CASE("PG-03 each comment form is blind to the other") {
  const auto games =
      read("[Event \"Two comment forms\"]\n[Result \"*\"]\n\n1. e4 {not a ; line comment} e5 ; rest { of line\n2. Nf3 Nc6 *\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "e4 e5 Nf3 Nc6");
  CHECK(games[0].moves[0].comments == std::vector<std::string>{"not a ; line comment"});
  CHECK(games[0].moves[1].comments == std::vector<std::string>{"rest { of line"});
  CHECK(games[0].problems.empty());
}

TEST_CASE("PG-05 a glyph glued to a bracket or a move") {
  const auto games = read("[Event \"Glyphs\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3$1 (2. f4 $6) 2... Nc6 $2(2... d6 $13) 3. Bb5$14 *\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "e4 e5 Nf3 Nc6 Bb5");
  CHECK(games[0].moves[2].nags == std::vector<int>{1});
  CHECK(games[0].moves[3].nags == std::vector<int>{2});
  CHECK(games[0].moves[4].nags == std::vector<int>{14});
}

TEST_CASE("PG-07 result tag and end mark are both kept") {
  const auto games = read("[Event \"Mismatch\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "f3 e5 g4 Qh4#");
  CHECK(games[0].result == "0-1");
  CHECK(games[0].tag("Result") == "1-0");
}

TEST_CASE("PG-09 the two escapes of tag values, both ways") {
  const std::string line = R"([White "Engine \"Q\" v1 \\ x64"])";
  const auto games = read("[Event \"?\"]\n" + line + "\n[Result \"*\"]\n\n*\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].tag("White") == R"(Engine "Q" v1 \ x64)");
  CHECK(pgn_tag("White", *games[0].tag("White")) == line);
  CHECK(games[0].problems.empty());
}

TEST_CASE("PG-11 an empty line between tags is no game") {
  const auto games = read("[Event \"Gap\"]\n\n[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "e4 e5");
  CHECK((games[0].result == "1/2-1/2" && games[0].tag("Event") == "Gap" && games[0].tag("White") == "A"));
}

TEST_CASE("PG-13 a cut-off record with the next one glued to it") {
  const auto games = read(
      "[Event \"First\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf[Event \"Second\"]\n[White \"B\"]\n[Black "
      "\"A\"]\n"
      "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
  REQUIRE(games.size() == 2);
  CHECK((games[0].cut_off && games[0].result.empty()));
  CHECK((!games[1].cut_off && games[1].result == "0-1" && games[1].tag("Event") == "Second" && games[1].line == 6));
  CHECK(mainline(games[1]) == "f3 e5 g4 Qh4#");
}

TEST_CASE("PG-15 odd move numbers and zeros for castling") {
  const auto games =
      read("[Event \"Loose numbers\"]\n[Result \"*\"]\n\n1. e4 1. ... c5 2.Nf3 2.. d6 3.Bb5+ 3...Bd7 4.Bxd7+ Qxd7 5.0-0 *\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "e4 c5 Nf3 d6 Bb5+ Bd7 Bxd7+ Qxd7 O-O");
}

TEST_CASE("PG-17 the FEN tag counts without SetUp") {
  const auto games = read("[Event \"Black starts\"]\n[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n[Result \"*\"]\n\n41... Kd5 42. Kd3 *\n");
  REQUIRE(games.size() == 1);
  std::string final_fen;
  CHECK(mainline(games[0], &final_fen) == "Kd5 Kd3");
  CHECK(final_fen == "8/8/8/3k4/8/3K4/4P3/8 b - - 5 42");
}

TEST_CASE("PG-19 a tag that is not understood is passed over and said") {
  const auto games = read("[Event \"Colon\"]\n[WhiteType: \"program\"]\n[Result \"*\"]\n\n1. e4 e5 *\n");
  REQUIRE(games.size() == 1);
  CHECK(mainline(games[0]) == "e4 e5");
  REQUIRE(games[0].problems.size() == 1);
  CHECK(games[0].problems[0].line == 2);
}

TEST_CASE("tags and comments that are no UTF-8 are Latin-1 (PGN 4.1), or what Windows makes of it") {
  const auto games = read("[White \"M\xFCller\"]\n[Black \"M\xC3\xB6ller\"]\n\n{sch\xF6n \x96 gut} 1. e4 {\xC3\xA9t\xC3\xA9} *\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].tag("White") == "M\xC3\xBCller");
  CHECK(games[0].tag("Black") == "M\xC3\xB6ller");
  CHECK(games[0].comments_before.at(0) == "sch\xC3\xB6n \xE2\x80\x93 gut");
  CHECK(games[0].moves.at(0).comments.at(0) == "\xC3\xA9t\xC3\xA9");
}

TEST_CASE("byte order mark, CRLF, escape lines, joined files") {
  const auto games = read(
      "\xEF\xBB\xBF[Event \"One\"]\r\n[Result \"1-0\"]\r\n\r\n% not for us [Event \"no\"]\r\n1. e4 {two\r\nlines} e5\r\n2. Nf3 "
      "1-0\r\n\xEF\xBB\xBF[Event \"Two\"]\r\n\r\n1. d4 *");
  REQUIRE(games.size() == 2);
  CHECK(tokens(games[0]) == "e4 e5 Nf3");
  CHECK(games[0].moves[0].comments == std::vector<std::string>{"two lines"});
  CHECK((games[1].tag("Event") == "Two" && games[1].line == 8 && games[1].number == 2));
  CHECK((games[0].problems.empty() && games[1].problems.empty()));
}

TEST_CASE("games without tags, several on a line, and moves glued to their numbers") {
  const auto games = read("1.e4 e5 1-0 1.d4 d5 1/2-1/2\n1e4 c5 0-1");
  REQUIRE(games.size() == 3);
  CHECK((tokens(games[0]) == "e4 e5" && tokens(games[1]) == "d4 d5" && tokens(games[2]) == "e4 c5"));
  CHECK((games[0].result == "1-0" && games[1].result == "1/2-1/2" && games[2].result == "0-1"));
}

TEST_CASE("suffixes, judgements, promotion forms, en passant marks") {
  const auto games = read("1. e4! e5?! 2. f4!? exf4?? 3. Nf3!! +/- g5 = 4. c8=Q c8(Q) exd6e.p. exd6 e.p. -- *");
  REQUIRE(games.size() == 1);
  CHECK(tokens(games[0]) == "e4 e5 f4 exf4 Nf3 g5 c8=Q c8(Q) exd6 exd6 --");
  CHECK(games[0].moves[0].nags == std::vector<int>{1});
  CHECK(games[0].moves[1].nags == std::vector<int>{6});
  CHECK(games[0].moves[3].nags == std::vector<int>{4});
  CHECK(games[0].problems.empty());
}

TEST_CASE("printed signs behind moves or apart are glyphs by their numbers (PGN 10), marks of novelties and diagrams no moves") {
  const std::string text =
      "1. e4 e5\xC2\xB1 2. Nf3 \xE2\x88\x93 Nc6 +- 3. Bb5 N Nf6 4. Ba4 D Nd4!\xE2\xA9\xB1 5. O-O = Be7\xB1 6. Re1 \xE2\x88\x9E b5 "
      "$1\xE2\x96\xA1 7. Bb3 "
      "\xE2\x86\x92 *";
  const auto games = read(text);
  REQUIRE(games.size() == 1);
  const PgnGame& game = games[0];
  CHECK(game.problems.empty());
  const std::vector<std::pair<std::string, std::vector<int>>> expected{
      {"e4", {}},       {"e5", {16}},  {"Nf3", {17}}, {"Nc6", {18}}, {"Bb5", {146}}, {"Nf6", {}}, {"Ba4", {}},
      {"Nd4", {1, 15}}, {"O-O", {10}}, {"Be7", {16}}, {"Re1", {13}}, {"b5", {1, 7}}, {"Bb3", {}}};
  REQUIRE(game.moves.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(game.moves[i].san == expected[i].first);
    CHECK(game.moves[i].nags == expected[i].second);
  }
  // A move torn in two is none.
  for (const char* torn : {"1. e4 e5 2. N\nf3 Nc6 *", "1. e4 N\nc6 *", "1. e4 N bd7 *"}) {
    const auto moves = read(torn)[0].moves;
    CHECK(std::ranges::count(moves, "N", &PgnMove::san) == 1);
  }
  // A letter of another alphabet that ends in the same byte is not cut in two.
  CHECK(read("1. e4 \xD0\xB1 *")[0].moves.back().san == "\xD0\xB1");
}

TEST_CASE("what stands behind the termination marker on its line is said of the game that ends") {
  const auto games =
      read("1. e4 e5 1-0 {Black resigns} $10 (1... c5 0-1) ; and so\n{of the next} 1. d4 0-1 ; late\n\n[White \"C\"]\n\n*\n");
  REQUIRE(games.size() == 3);
  CHECK(games[0].result == "1-0");
  CHECK(games[0].moves[1].comments == std::vector<std::string>{"Black resigns", "and so"});
  CHECK(games[0].end_line == 1);
  CHECK(games[1].comments_before == std::vector<std::string>{"of the next"});
  CHECK(games[1].moves[0].comments == std::vector<std::string>{"late"});
  CHECK(games[2].tag("White") == "C");
  CHECK(games[2].comments_before.empty());
}

TEST_CASE("comments before the first move; comments outside games are none") {
  const auto games = read("{made by hand}\n; a header line\n[Event \"x\"]\n\n{before} 1. e4 {after} {twice} e5 *\n\n; the end\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].line == 3);
  CHECK(games[0].comments_before.back() == "before");
  CHECK(games[0].moves[0].comments == std::vector<std::string>{"after", "twice"});
}

TEST_CASE("quotes and backslashes that should have been escaped") {
  const auto games =
      read("[White \"The \"Great\" One\"]\n[Black \"C:\\dir\\\"]\n[Site \"no end]\n[Event \"ok\"] [Round \"1\"]\n\n1. e4 *\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].tag("White") == "The \"Great\" One");
  CHECK(games[0].tag("Black") == "C:\\dir\\");
  CHECK((games[0].tag("Event") == "ok" && games[0].tag("Round") == "1"));
  CHECK(games[0].problems.size() == 4);  // two quotes, two values without end
}

TEST_CASE("what is not closed is said, and costs at most the game it stands in") {
  const auto games = read("[Event \"a\"]\n\n1. e4 {no end e5 1-0\n\n[Event \"b\"]\n\n1. e4 (1. d4 *\n\n[Event \"c\"]\n\n1. c4 c5 1-0\n");
  REQUIRE(games.size() == 3);
  CHECK((games[0].cut_off && has_problem(games[0], "not closed")));
  CHECK((games[1].cut_off && has_problem(games[1], "variation")));
  CHECK((tokens(games[2]) == "c4 c5" && games[2].problems.empty()));
}

TEST_CASE("a text without games has none") {
  CHECK(read("").empty());
  CHECK(read("\n\n  \r\n").empty());
  CHECK(read("% only an escape\n").empty());
}

TEST_CASE("bounds: long tags, comments, tokens, games are cut and said") {
  PgnLimits limits;
  limits.tag_value = 10;
  limits.tags = 2;
  limits.token = 8;
  limits.comment = 12;
  limits.moves = 3;
  const auto games =
      read("[Event \"0123456789ABC\"]\n[B \"1\"]\n[C \"2\"]\n\n1. e4 {" + std::string(50, 'x') + "} abcdefghijkl e5 Nf3 Nc6 Bb5 a6 1-0\n",
           limits);
  REQUIRE(games.size() == 1);
  CHECK(games[0].tag("Event") == "0123456789");
  CHECK(games[0].tags.size() == 2);
  CHECK(games[0].moves[0].comments[0].size() == 12);
  CHECK(tokens(games[0]) == "e4 e5 Nf3");
  CHECK(games[0].result == "1-0");
  for (const char* part : {"tag Event is longer", "more than 2 tags", "comment is too long", "token longer", "more than 3 half-moves"})
    CHECK(has_problem(games[0], part));
}

TEST_CASE("hostile text is read in linear time and bounded memory") {
  const std::size_t size = 2'000'000;
  for (const std::string& text :
       {std::string(size, '('), std::string(size, '['), std::string(size, '{'), std::string(size, 'a'), std::string(size, '"'),
        std::string(size, '\n'), "[A \"" + std::string(size, 'x'), "{" + std::string(size, '\n')}) {
    std::istringstream in(text);
    PgnReader reader(in);
    PgnGame game;
    std::size_t count = 0;
    while (reader.next(game)) {
      ++count;
      CHECK(game.problems.size() <= PgnLimits{}.problems);
    }
    CHECK(count <= 1);
  }
}

TEST_CASE("a text is the same game wherever the window of the reader falls") {
  std::string text;
  const std::string one =
      "[Event \"Window \\\"x\\\"\"]\n[Result \"1-0\"]\n\n1. e4 {a comment; of some length} e5 (1... c5 2. Nf3) 2. Nf3 $3 Nc6 1-0\n\n";
  while (text.size() < 1'500'000) text += one;
  const auto games = read(text);
  CHECK(games.size() == text.size() / one.size());
  bool same = true;
  for (std::size_t i = 0; i < games.size(); ++i)
    same = same && tokens(games[i]) == "e4 e5 Nf3 Nc6" && games[i].tag("Event") == "Window \"x\"" && games[i].problems.empty() &&
           games[i].line == 1 + 5 * i && games[i].moves[0].comments == std::vector<std::string>{"a comment; of some length"};
  CHECK(same);
}
