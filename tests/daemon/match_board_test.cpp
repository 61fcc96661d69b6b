// A match as its viewers see it, from facts alone.
#include "referee/daemon/match_board.hpp"

#include <catch2/catch.hpp>

#include "tests/match/support.hpp"

using namespace referee;
using daemon::MatchBoard;
using test::ScratchFolder;

namespace {

record::GameStarted begun(int number, const std::string& white = "A", const std::string& black = "B") {
  record::GameStarted started;
  started.game = number;
  started.white = white;
  started.black = black;
  started.edition = "engine-practice";
  return started;
}
record::GameEnded ended(int number) {
  record::GameEnded fact;
  fact.game = number;
  fact.outcome.score = game::draw;
  fact.outcome.reason = game::Reason::agreement;
  return fact;
}
record::EventJudged turn(int number, chess::Color side) {
  record::EventJudged judged;
  judged.game = number;
  judged.event.body = game::TurnStarted{side};
  return judged;
}
std::vector<std::string> rounds_in(const std::string& pgn) {
  std::vector<std::string> rounds;
  const std::string key = "[Round \"";
  for (std::size_t at = 0; (at = pgn.find(key, at)) != std::string::npos; at += key.size())
    rounds.push_back(pgn.substr(at + key.size(), pgn.find('"', at + key.size()) - at - key.size()));
  return rounds;
}

}  // namespace

TEST_CASE("the live PGN keeps the games that ended last, whatever their numbers", "[board]") {
  MatchBoard board(test::match_of({"A", "B"}), 200);
  board.see(begun(3));  // a long one, while others come and go
  for (int number = 100; number <= 107; ++number) {
    board.see(begun(number));
    board.see(ended(number));
  }
  board.see(ended(3));
  using Rounds = std::vector<std::string>;
  CHECK(rounds_in(board.live_pgn()) == Rounds{"1.101", "1.102", "1.103", "1.104", "1.105", "1.106", "1.107", "1.3"});
  board.see(begun(108));
  CHECK(rounds_in(board.live_pgn()) == Rounds{"1.101", "1.102", "1.103", "1.104", "1.105", "1.106", "1.107", "1.3", "1.108"});
  board.see(begun(104));  // played anew
  board.see(ended(104));
  board.see(ended(108));
  CHECK(rounds_in(board.live_pgn()) == Rounds{"1.102", "1.103", "1.105", "1.106", "1.107", "1.3", "1.104", "1.108"});
}

TEST_CASE("the clock of a game runs while the match is played, not while its game waits to go on", "[board]") {
  const ScratchFolder folder;
  const auto journal = record::Journal::open(folder.file("match.sqlite"), record::Journal::Mode::create_new);
  journal->write({begun(1), turn(1, chess::Color::black)});
  MatchBoard board(test::match_of({"A", "B"}), 2);
  board.load(*journal);
  REQUIRE(board.running(1));
  CHECK_FALSE(board.running(1)->running);
  board.see(turn(1, chess::Color::black));  // its engines are seated again
  CHECK(board.running(1)->running == chess::Color::black);
  board.stand_still();
  CHECK_FALSE(board.running(1)->running);
}
