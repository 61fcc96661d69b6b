#include <catch2/catch.hpp>

#include <vector>

#include "referee/record/result_scan.hpp"

using namespace referee::record;

namespace {

std::vector<ScannedGame> scan(std::string_view text) {
  std::vector<ScannedGame> out;
  ResultScanner scanner(text);
  ScannedGame game;
  while (scanner.next(game)) out.push_back(game);
  return out;
}

}  // namespace

TEST_CASE("result scan: tags, results and moves of plain games") {
  const auto games = scan(
      "[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Round \"3.1\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"
      "[Event \"b\"]\r\n[White \"C\"]\r\n[Black \"D\"]\r\n\r\n1. d4 d5\r\n1/2-1/2\r\n");
  REQUIRE(games.size() == 2);
  CHECK(games[0].white == "A");
  CHECK(games[0].round == "3.1");
  CHECK(result_of(games[0]) == ScannedResult::white_wins);
  CHECK(games[1].black == "D");
  CHECK(result_of(games[1]) == ScannedResult::draw);  // the tag is missing: the end of the moves tells
}

TEST_CASE("result scan: a tag inside a comment is no game, an unclosed comment costs one game") {
  const auto inside = scan("[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 {said\n[White \"X\"]\nhe} e5 0-1\n");
  REQUIRE(inside.size() == 1);
  CHECK(result_of(inside[0]) == ScannedResult::black_wins);
  const auto open = scan("[Event \"a\"]\n[White \"A\"]\n\n1. e4 {open\n\n[Event \"b\"]\n[White \"B\"]\n\n1-0\n");
  REQUIRE(open.size() == 2);
  CHECK(open[1].white == "B");
  CHECK(result_of(open[1]) == ScannedResult::white_wins);
}

TEST_CASE("result scan: odd tags") {
  const auto games = scan(
      "\xEF\xBB\xBF% an escape\n  [White \"say \\\"hi\\\" \\\\\"] [Black \"B\"]\n[Result \"*\"]\n[White \"second\"]\n\n1. e4 {1-0} 0-1");
  REQUIRE(games.size() == 1);
  CHECK(tag_text(games[0].white) == "say \"hi\" \\");
  CHECK(games[0].black == "B");
  CHECK(result_of(games[0]) == ScannedResult::black_wins);
  CHECK(tag_text(" a\tb \n") == "a b");
  CHECK(tag_text("   ").empty());
  const auto unclosed = scan("[White \"A]\n[Black \"B\n\n1-0");
  REQUIRE(unclosed.size() == 1);
  CHECK(unclosed[0].white == "A");
  CHECK(unclosed[0].black == "B");
}

TEST_CASE("result scan: whether the Result tag and the end of the moves agree (PGN 8.1.1.7, PG-07, PG-13)") {
  const auto places = [](const std::string& movetext) {
    const std::string text = "[Event \"a\"]\n[Result \"1-0\"]\n\n" + movetext + "\n\n[Event \"b\"]\n\n*\n";  // the games are views into it
    const auto games = scan(text);
    REQUIRE(games.size() == 2);
    return result_places(games[0]);
  };
  for (const char* agreeing :
       {"1. e4 e5 1-0", "1. e4 e5 {White mates} 1-0", "1. e4 1-0 {resigns}", "1. e4 1-0 {a} {b {c}", "1. e4 {0-1} 1-0",
        "1. e4 1-0 ; Black resigned", "1. e4 1-0 $10", "1. e4 (1. d4 0-1)1-0", "1. e4 ; smile {\n1-0", "1. e4 1-0.",
        "1. e4 1-0\n% a line 0-1", "1. e4\n% 0-1\n1-0", "1. e4 1-0 ; not 0-1", "{White did not come}", "1. e4 {cut}1-0", ""})
    CHECK(places(agreeing) == ResultPlaces::agree);
  for (const char* cut : {"1. e4 e5 2. Nf", "1. e4 e5 2. Nf[Event \"Second\"]", "1. e4 {never closed 1-0", "1. e4 e5 {1-0}",
                          "1. e4 e5 (1... c5 1-0)", "1. e4 e5 ; 1-0 it was\n"})
    CHECK(places(cut) == ResultPlaces::tag_only);
  for (const char* other : {"1. f3 e5 2. g4 Qh4# 0-1", "1. e4 1/2-1/2", "1. e4 *", "1. e4 0-1 {1-0}", "1. e4 0-1 ; 1-0 was wanted"})
    CHECK(places(other) == ResultPlaces::differ);
  // A tag that says nothing contradicts nothing.
  CHECK(result_places(scan("[Event \"a\"]\n[Result \"*\"]\n\n1. e4 1-0\n")[0]) == ResultPlaces::agree);
}

TEST_CASE("result scan: junk ends and brings no names") {
  CHECK(scan("").empty());
  CHECK(scan("\n\n \t\r\n").empty());
  const std::string nul("\0\0[White\0 \"x\"]\0", 15);
  for (const ScannedGame& game : scan(nul)) CHECK(game.white.empty());
  CHECK(scan("[").size() == 1);
  CHECK(result_of(ScannedGame{}) == ScannedResult::none);
}

TEST_CASE("result scan: text is cut only where a game begins behind moves") {
  const std::string text = "[Event \"a\"]\n\n1-0\n\n[Event \"b\"]\n[Event \"c\"]\n\n0-1\n\n[Event \"d\"]\n";
  CHECK(text.substr(last_game_start(text)) == "[Event \"d\"]\n");
  CHECK(last_game_start("[Event \"a\"]\n[Event \"b\"]\n") == 0);
  CHECK(last_game_start("") == 0);
}

TEST_CASE("result scan: castling with zeros is a move, not a result") {
  const std::string moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 ";
  const auto games = scan("[White \"A\"]\n[Result \"*\"]\n\n" + moves + "*\n\n[White \"B\"]\n\n" + moves +
                          "1-0\n\n[White \"C\"]\n[Result \"1-0\"]\n\n" + moves + "1-0 {on time}\n");
  REQUIRE(games.size() == 3);
  CHECK(result_of(games[0]) == ScannedResult::none);
  CHECK(result_of(games[1]) == ScannedResult::white_wins);
  CHECK(result_places(games[2]) == ResultPlaces::agree);
  CHECK(digest_moves(moves, DigestOf::all_moves) == digest_moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6", DigestOf::all_moves));
}

TEST_CASE("result scan: lines may be indented") {
  const auto games = scan("  [White \"A\"]\n  [Result \"1-0\"]\n\n  1. e4 1-0\n\n  [White \"B\"]\n  [Result \"0-1\"]\n\n  1. e4 0-1\n");
  REQUIRE(games.size() == 2);
  CHECK(games[1].white == "B");
}

TEST_CASE("result scan: a result in a variation that was cut off is none of the game") {
  const auto games = scan("[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 c5 (2. Nf3 1-0\n");
  REQUIRE(games.size() == 1);
  CHECK(result_places(games[0]) == ResultPlaces::tag_only);
}

TEST_CASE("result scan: the digest of moves sees moves only") {
  const auto all = [](std::string_view text) { return digest_moves(text, DigestOf::all_moves); };
  CHECK(all("1. e4 e5 2. exd5+ 1-0") == all("1.e4 {[%clk 0:01]} e5 (1... c5 {x}) $1 2. ed5! ; rest\n*"));
  CHECK(all("1. e4 e5") != all("1. e5 e4"));
  CHECK(all("1. e4 e5") != all("1. e4"));
  CHECK(all("") == 0);
  CHECK(all("{e4} 1-0") == 0);
  const auto book = [](std::string_view text) { return digest_moves(text, DigestOf::book_moves); };
  CHECK(book("1. e4 {book} e5 {book} 2. Nf3 {+0.3/8 1s} 1-0") == book("1. e4 {book} e5 { book } 2. Nc3 {+0.1/8} Nc6 {book}"));
  CHECK(book("1. e4 {0.1} e5") == 0);
}
