#include <catch2/catch.hpp>

#include "referee/match/standings.hpp"

using namespace referee;

namespace {

record::GameRow row_of(int number, const std::string& white, const std::string& black, game::Score score) {
  record::GameRow row;
  row.game = number;
  row.white = white;
  row.black = black;
  row.outcome = game::Outcome{};
  row.outcome->score = score;
  return row;
}

}  // namespace

TEST_CASE("standings count wins, draws, losses and points", "[standings]") {
  match::Standings standings({"A", "B", "C"});
  standings.set(row_of(1, "A", "B", game::white_wins));
  standings.set(row_of(2, "B", "A", game::draw));
  standings.set(row_of(3, "C", "A", game::black_wins));
  standings.set(row_of(4, "B", "C", game::both_lose));
  const auto rows = standings.rows();
  CHECK(standings.games() == 4);
  CHECK(rows[0].engine == "A");
  CHECK(
      (rows[0].rank == 1 && rows[0].games == 3 && rows[0].wins == 2 && rows[0].draws == 1 && rows[0].losses == 0 && rows[0].points == 250));
  CHECK(rows[0].score() == Approx(2.5 / 3));
  CHECK(rows[1].engine == "B");
  CHECK((rows[1].games == 3 && rows[1].wins == 0 && rows[1].draws == 1 && rows[1].losses == 2));
  CHECK(rows[2].engine == "C");
  CHECK((rows[2].games == 2 && rows[2].losses == 2 && rows[2].points == 0));
}

TEST_CASE("a game told again replaces itself, an uncounted or void one does not count", "[standings]") {
  match::Standings standings({"A", "B"});
  standings.set(row_of(1, "A", "B", game::white_wins));
  standings.set(row_of(1, "A", "B", game::black_wins));
  CHECK(standings.games() == 1);
  CHECK(standings.rows()[0].engine == "B");
  record::GameRow replay = row_of(1, "A", "B", game::white_wins);
  replay.counted = false;
  standings.set(replay);
  CHECK(standings.games() == 0);
  CHECK(standings.rows()[0].rank == 1);
  CHECK(standings.rows()[1].rank == 1);
  standings.set(row_of(2, "A", "B", game::draw));
  standings.remove(2);
  standings.remove(77);
  CHECK(standings.games() == 0);
  record::GameRow annulled = row_of(3, "A", "B", game::draw);
  annulled.outcome->annulled = true;
  standings.set(annulled);
  CHECK(standings.games() == 0);
}

TEST_CASE("equal points share a rank", "[standings]") {
  match::Standings standings({"A", "B", "C", "D"});
  standings.set(row_of(1, "A", "B", game::draw));
  standings.set(row_of(2, "C", "D", game::white_wins));
  const auto rows = standings.rows();
  CHECK(rows[0].engine == "C");
  CHECK(rows[1].engine == "A");
  CHECK(rows[1].rank == 2);
  CHECK(rows[2].engine == "B");
  CHECK(rows[2].rank == 2);
  CHECK(rows[3].rank == 4);
}

TEST_CASE("points without play count once, and are no games", "[standings]") {
  // Three players, three rounds, everybody has the bye once: a whole point (FIDE Handbook C.04.1, article 4).
  match::Standings standings({"A", "B", "C"}, match::StandingsBy::points);
  standings.set(row_of(1, "A", "B", game::white_wins));
  standings.give({.round = 1, .engine = "C", .points = 100, .games = 1, .why = "bye"});
  standings.give({.round = 1, .engine = "C", .points = 100, .games = 1, .why = "bye"});
  standings.give({.round = 1, .engine = "Stranger", .points = 100, .games = 1, .why = "bye"});
  const auto rows = standings.rows();
  REQUIRE(rows.size() == 3);
  CHECK((rows[0].points == 100 && rows[1].points == 100 && rows[0].rank == 1 && rows[1].rank == 1));
  CHECK(rows[1].engine == "C");
  CHECK((rows[1].games == 0 && rows[1].wins == 0 && rows[1].unplayed == 1));
  CHECK(rows[1].score() == Approx(1));
  CHECK(match::to_lines(rows)[0].find("unplayed") != std::string::npos);
}
