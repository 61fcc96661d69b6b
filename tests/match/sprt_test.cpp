// The sequential test of a match: which pair its verdict falls on.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "referee/match/sprt_tracker.hpp"

using namespace referee;
using match::SprtTracker;

namespace {

config::Sprt test_of(double elo0, double elo1) {
  config::Sprt sprt;
  sprt.elo0 = elo0;
  sprt.elo1 = elo1;
  sprt.model = std::string("logistic");
  return sprt;
}

}  // namespace

TEST_CASE("the verdict falls on the same pair in whatever order games end", "[sprt]") {
  std::mt19937 random(11);
  std::vector<int> points(4000);
  for (int& score : points) score = static_cast<int>(random() % 100) < 30 ? 100 : static_cast<int>(random() % 100) < 60 ? 50 : 0;
  SprtTracker in_order(test_of(0, 20));
  for (std::size_t i = 0; i < points.size() && !in_order.decided(); ++i) in_order.set(static_cast<int>(i) + 1, points[i]);
  REQUIRE(in_order.decided());
  for (const std::size_t window : {2U, 8U, 64U, 500U}) {
    std::vector<int> numbers(points.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    for (std::size_t from = 0; from < numbers.size(); from += window)
      std::shuffle(numbers.begin() + static_cast<std::ptrdiff_t>(from),
                   numbers.begin() + static_cast<std::ptrdiff_t>(std::min(from + window, numbers.size())), random);
    SprtTracker tracker(test_of(0, 20));
    for (const int number : numbers) tracker.set(number, points[static_cast<std::size_t>(number) - 1]);
    CHECK(tracker.pairs() == in_order.pairs());
    CHECK(tracker.report().llr == in_order.report().llr);
    CHECK(tracker.report().state == in_order.report().state);
  }
}

TEST_CASE("a pair counts when both its games and all pairs before it have ended", "[sprt]") {
  SprtTracker tracker(test_of(0, 5));
  CHECK_FALSE(tracker.set(3, 100));
  CHECK_FALSE(tracker.set(4, 50));
  CHECK_FALSE(tracker.set(1, 0));
  CHECK(tracker.pairs() == 0);
  CHECK(tracker.set(2, 100));
  CHECK(tracker.pairs() == 2);
  CHECK(tracker.counts().win_loss == 1);
  CHECK(tracker.counts().win_draw == 1);
  CHECK_FALSE(tracker.set(2, 0));  // what has counted stays
  CHECK(tracker.counts().win_loss == 1);
}

TEST_CASE("pairs go into the cell of what both games brought", "[sprt]") {
  stats::PairCounts counts;
  match::add_pair(counts, 0, 0);
  match::add_pair(counts, 50, 0);
  match::add_pair(counts, 0, 100);
  match::add_pair(counts, 50, 50);
  match::add_pair(counts, 100, 50);
  match::add_pair(counts, 100, 100);
  CHECK(counts.loss_loss == 1);
  CHECK(counts.loss_draw == 1);
  CHECK(counts.win_loss == 1);
  CHECK(counts.draw_draw == 1);
  CHECK(counts.win_draw == 1);
  CHECK(counts.win_win == 1);
}

TEST_CASE("games that do not count are no evidence", "[sprt]") {
  SprtTracker tracker(test_of(0, 5));
  const std::string first("A"), second("B");
  record::GameRow row;
  row.game = 1;
  row.white = first;
  row.black = second;
  CHECK_FALSE(tracker.set(row, first));  // still played
  row.outcome = game::Outcome{};
  row.outcome->score = game::black_wins;
  row.counted = false;
  CHECK_FALSE(tracker.set(row, first));
  row.counted = true;
  row.game = 2;
  row.white.swap(row.black);
  CHECK_FALSE(tracker.set(row, first));
  CHECK(tracker.set(1, 0));
  CHECK(tracker.counts().win_loss == 1);
}
