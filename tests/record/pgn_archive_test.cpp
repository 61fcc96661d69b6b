#include "referee/record/pgn_archive.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;

namespace {

/// Games of all sorts: good ones, illegal moves, cut-off ones, tags inside comments, blank lines between tags.
std::string archive(int games) {
  std::string text = "% an escape line\n\n";
  for (int i = 1; i <= games; ++i) {
    const std::string event = "[Event \"Game " + std::to_string(i) + "\"]\n";
    switch (i % 7) {
      case 0:
        text += event + "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n";
        break;
      case 1:
        text += event + "[Result \"1-0\"]\n\n1. e4 e5 2. Nf\n";  // cut off, the next game follows at once
        break;
      case 2:
        text += event + "[Result \"*\"]\n\n1. e4 {a remark\n\n[Event \"not a game\"] [White \"x\"] } e5 *\n\n";
        break;
      case 3:
        text += event + "\n[White \"A\"]\n\n[Event \"twice\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n";
        break;
      case 4:
        text += event + "[Result \"1/2-1/2\"]\r\n\r\n1. e4 (1. d4 (1. c4) d5) e5 1/2-1/2\r\n\r\n";
        break;
      case 5:
        text += event + "[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
        break;
      default:
        text += event + "[Result \"*\"]\n\n*\n\n";
        break;
    }
  }
  return text;
}

std::shared_ptr<const laws::Edition> edition() { return plain_edition(); }

std::string findings(const std::string& text, unsigned threads) {
  std::istringstream in(text);
  const PgnChecker checker(edition());
  std::string out;
  const std::size_t games = check_archive(in, checker, threads, [&](const CheckedGame& checked, std::size_t game, std::size_t line) {
    out += std::to_string(game) + " at " + std::to_string(line) + " " + checked.not_checked + "\n";
    for (const CheckProblem& problem : checked.problems)
      out += "  " + std::to_string(problem.game) + ":" + std::to_string(problem.line) + " " + std::string(name(problem.kind)) + " " +
             problem.text + "\n";
  });
  return out + std::to_string(games) + " games\n";
}

}  // namespace

TEST_CASE("an archive checked on several threads gives what one thread gives", "[archive]") {
  // Several parts: a part is 2 MiB.
  const std::string text = archive(70'000);
  REQUIRE(text.size() > 2 * PgnSplitter::usual);
  const std::string one = findings(text, 1);
  const std::string three = findings(text, 3);
  CHECK(one.size() > 1'000'000);
  CHECK((one == three));  // no expansion of megabytes
}

TEST_CASE("parts are cut between games and put together are the text", "[archive]") {
  const std::string text = archive(500);
  for (const std::size_t size : {std::size_t{64}, std::size_t{1000}, text.size() + 1}) {
    std::istringstream in(text);
    PgnSplitter splitter(in, size);
    std::string together;
    PgnPart part;
    std::size_t parts = 0;
    while (splitter.next(part)) {
      CHECK(part.first_line == 1 + static_cast<std::size_t>(std::count(together.begin(), together.end(), '\n')));
      if (!together.empty()) CHECK(part.text.starts_with("[Event \""));
      together += part.text;
      ++parts;
    }
    CHECK((together == text));
    CHECK(splitter.left_over().text.empty());
    CHECK(parts >= (size < 100 ? 200U : 1U));
  }
}

TEST_CASE("text that cannot be cut is read as a whole", "[archive]") {
  std::string text = "[Event \"long\"]\n\n1. e4 {";
  text.append(PgnSplitter::largest + 1000, 'x');
  text += "} e5 *\n\n[Event \"next\"]\n[Result \"*\"]\n\n1. e4 e4 *\n";
  CHECK((findings(text, 2) == findings(text, 1)));
}
