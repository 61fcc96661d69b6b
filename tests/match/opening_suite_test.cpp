#include "referee/match/opening_suite.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/match/opening_rank.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using match::SuiteOpening;

namespace {

std::vector<SuiteOpening> suite_of(const std::string& path, std::optional<int> plies = {}) {
  std::vector<std::string> notes;
  return match::read_suite({.files = {path}, .format = {}, .plies = plies, .chess960 = false}, config::load_edition("engine-practice"),
                           notes);
}

std::string text_of(const std::vector<SuiteOpening>& suite, match::SuiteForm form) {
  std::string text;
  for (const SuiteOpening& line : suite) match::append_opening(text, line, form);
  return text;
}

const std::string theory = std::string(REFEREE_SOURCE_FOLDER) + "/matches/openings/theory.pgn";

}  // namespace

TEST_CASE("our own suite: 200 lines and more, each legal, none twice, over the whole of theory", "[suite]") {
  const auto suite = suite_of(theory);  // illegal moves would be refused
  CHECK(suite.size() >= 200);
  std::map<char, int> letters;
  std::set<std::string> tens;
  for (const SuiteOpening& line : suite) {
    INFO(line.opening.name);
    CHECK_FALSE(line.same_as);
    CHECK_FALSE(line.over);
    CHECK(line.moves.size() >= 8);
    CHECK(line.moves.size() <= 16);
    REQUIRE(line.name);
    // The tags in the file are the table's.
    CHECK(line.opening.name.find(" " + line.name->eco + " " + line.name->opening) != std::string::npos);
    ++letters[line.name->eco[0]];
    tens.insert(line.name->eco.substr(0, 2));
  }
  for (const char letter : {'A', 'B', 'C', 'D', 'E'}) CHECK(letters[letter] >= 35);
  CHECK(tens.size() == 50);
}

TEST_CASE("a suite is written in each form and read again", "[suite]") {
  const test::ScratchFolder folder;
  const auto suite = suite_of(theory, 10);
  const auto same_ends = [&](const std::vector<SuiteOpening>& other) {
    if (other.size() != suite.size()) return false;
    for (std::size_t i = 0; i < suite.size(); ++i)
      if (!(other[i].end == suite[i].end)) return false;
    return true;
  };
  CHECK(same_ends(suite_of(folder.write("a.pgn", text_of(suite, match::SuiteForm::pgn)))));
  CHECK(same_ends(suite_of(folder.write("a.epd", text_of(suite, match::SuiteForm::epd)))));
  CHECK(same_ends(suite_of(folder.write("a.fen", text_of(suite, match::SuiteForm::fen)))));
  CHECK(text_of(suite_of(theory), match::SuiteForm::pgn).find("[ECO \"B90\"]") != std::string::npos);
  // From a position with Black to move.
  const auto black = suite_of(folder.write("b.pgn", "[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n[Result \"*\"]\n\n41... Kd5 42. Kd3 *\n"));
  CHECK_THAT(text_of(black, match::SuiteForm::pgn), Catch::Contains("\n\n41... Kd5 42. Kd3 *\n"));
}

TEST_CASE("repetitions and finished games of a suite are found", "[suite]") {
  const test::ScratchFolder folder;
  const auto suite = suite_of(folder.write("a.pgn",
                                           "[Event \"1\"]\n\n1. d4 Nf6 2. c4 *\n\n[Event \"2\"]\n\n1. c4 Nf6 2. d4 *\n\n"
                                           "[Event \"3\"]\n\n1. f3 e5 2. g4 Qh4# *\n"));
  REQUIRE(suite.size() == 3);
  CHECK_FALSE(suite[0].same_as);
  CHECK(suite[1].same_as == 0U);
  CHECK(suite[2].over == game::Reason::checkmate);
}

TEST_CASE("a sample is drawn by its seed alone and keeps the order", "[suite]") {
  const auto suite = suite_of(theory);
  const auto fens = [](const std::vector<SuiteOpening>& lines) { return text_of(lines, match::SuiteForm::fen); };
  const auto drawn = match::sample(suite, 20, 7);
  CHECK(drawn.size() == 20);
  CHECK(fens(drawn) == fens(match::sample(suite, 20, 7)));
  CHECK(fens(drawn) != fens(match::sample(suite, 20, 8)));
  CHECK(std::is_sorted(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.opening.line < b.opening.line; }));
  CHECK(match::sample(suite, suite.size() + 1, 7).size() == suite.size());
}

TEST_CASE("openings in which the stronger engine wins its pairs rank first", "[suite]") {
  match::OpeningRanking ranking;
  // Opening 0: A takes both games of a pair; 1: White wins every game; 2: all drawn; 3: B wins a pair; 4: half a pair.
  for (int i = 0; i < 3; ++i) {
    ranking.add_game(0, "A", "B", 1);
    ranking.add_game(0, "B", "A", 0);
    ranking.add_game(1, "A", "B", 1);
    ranking.add_game(1, "B", "A", 1);
    ranking.add_game(2, "A", "B", 0.5);
    ranking.add_game(2, "B", "A", 0.5);
  }
  ranking.add_game(3, "A", "B", 0);
  ranking.add_game(3, "B", "A", 0.5);
  ranking.add_game(4, "A", "B", 1);
  const auto ranked = ranking.ranked();
  REQUIRE(ranked.size() == 4);
  CHECK(ranked[0].opening == 0);
  CHECK(ranked[0].pairs == 3);
  CHECK(ranked[0].decided == 3);
  CHECK(ranked[0].gain == 1.0);  // two points a pair, one above half
  CHECK(ranked[1].opening == 1);
  CHECK(ranked[1].decided == 0);
  CHECK(ranked[1].white == 1.0);
  CHECK(ranked[2].opening == 2);
  CHECK(ranked[2].draws == 1.0);
  CHECK(ranked[3].opening == 3);
  CHECK(ranked[3].gain == -0.5);
}
