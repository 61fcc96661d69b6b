#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
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
  for (const char* cut :
       {"1. e4 e5 2. Nf", "1. e4 {never closed 1-0", "1. e4 e5 {1-0}", "1. e4 e5 (1... c5 1-0)", "1. e4 e5 ; 1-0 it was\n"})
    CHECK(places(cut) == ResultPlaces::tag_only);
  for (const char* other : {"1. f3 e5 2. g4 Qh4# 0-1", "1. e4 1/2-1/2", "1. e4 *", "1. e4 0-1 {1-0}", "1. e4 0-1 ; 1-0 was wanted"})
    CHECK(places(other) == ResultPlaces::differ);
  // A record that was cut off with the next one glued to it.
  const std::string glued = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf[Event \"Second\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n";
  REQUIRE(scan(glued).size() == 2);
  CHECK(result_places(scan(glued)[0]) == ResultPlaces::tag_only);
  CHECK(result_places(scan(glued)[1]) == ResultPlaces::agree);
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
  CHECK(last_game_start("[Event \"a\"]\n\n1-0 [Event \"b\"]\n") == 0);
  const std::string indented = "  [Event \"a\"]\n\n  1-0\n\n  [Event \"b\"]\n\n  0-1\n";
  CHECK(indented.substr(last_game_start(indented)) == "[Event \"b\"]\n\n  0-1\n");
  CHECK(last_game_start("") == 0);
}

TEST_CASE("result scan: castling with zeros is a move, not a result") {
  const std::string moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 ";
  const std::string text = "[White \"A\"]\n[Result \"*\"]\n\n" + moves + "*\n\n[White \"B\"]\n\n" + moves +
                           "1-0\n\n[White \"C\"]\n[Result \"1-0\"]\n\n" + moves + "1-0 {on time}\n";
  const auto games = scan(text);
  REQUIRE(games.size() == 3);
  CHECK(result_of(games[0]) == ScannedResult::none);
  CHECK(result_of(games[1]) == ScannedResult::white_wins);
  CHECK(result_places(games[2]) == ResultPlaces::agree);
  CHECK(digest_moves(moves, DigestOf::all_moves) == digest_moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6", DigestOf::all_moves));
}

TEST_CASE("result scan: between the tokens of a tag stands any white space or none (PGN 8.1.1: import format)") {
  const auto games = scan("[White\"A\"]\n[ Black  \"B\" ]\n[\tResult \"0-1\"]\n\n1. e4 0-1\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].white == "A");
  CHECK(games[0].black == "B");
  CHECK(games[0].result == "0-1");
}

TEST_CASE("result scan: lines may be indented") {
  const auto games = scan("  [White \"A\"]\n  [Result \"1-0\"]\n\n  1. e4 1-0\n\n  [White \"B\"]\n  [Result \"0-1\"]\n\n  1. e4 0-1\n");
  REQUIRE(games.size() == 2);
  CHECK(games[1].white == "B");
}

TEST_CASE("result scan: comments before the first tag are no game (PGN 5: a comment may stand anywhere)") {
  const auto games = scan("; kept by hand\n{two\nlines}\n\n[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
  REQUIRE(games.size() == 1);
  CHECK(games[0].white == "A");
  CHECK(scan("; nothing else\n").empty());
  CHECK(scan("{never closed").empty());
  CHECK(scan("{never closed\n[Event \"a\"]\n\n1. e4 1-0\n").size() == 1);
  const auto bare = scan("{first} 1. e4 e5 0-1\n");  // a game without tags
  REQUIRE(bare.size() == 1);
  CHECK(result_of(bare[0]) == ScannedResult::black_wins);
}

TEST_CASE("result scan: lines may end with carriage returns alone, and games may share a line") {
  const std::string lines =
      "[Event \"a\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 {[Event \"none\"]} e5 ; so far\n1-0\n\n"
      "[Event \"b\"]\n[White \"B\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n[Event \"c\"]\n[White \"C\"]\n[Result \"1/2-1/2\"]\n";
  std::string returns = lines, one = lines;
  std::replace(returns.begin(), returns.end(), '\n', '\r');
  one.erase(one.find("; so far"), 8);
  std::replace(one.begin(), one.end(), '\n', ' ');
  for (const std::string& text : {lines, returns, one}) {
    INFO(text);
    const auto games = scan(text);
    REQUIRE(games.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(games[i].white == std::string(1, static_cast<char>('A' + i)));
    CHECK(result_places(games[0]) == ResultPlaces::agree);
    CHECK(result_of(games[1]) == ScannedResult::black_wins);
    CHECK(digest_moves(games[0].movetext, DigestOf::all_moves) == digest_moves("1. e4 e5 1-0", DigestOf::all_moves));
    CHECK(digest_moves(games[1].movetext, DigestOf::all_moves) == digest_moves("1. d4 d5 0-1", DigestOf::all_moves));
    CHECK(games[2].movetext.find_first_not_of(" \r\n") == std::string_view::npos);
  }
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
