#include <catch2/catch.hpp>

#include <cmath>

#include "referee/stats/groups.hpp"
#include "referee/stats/rating_fit.hpp"
#include "referee/stats/rating_list.hpp"

using namespace referee::stats;

namespace {

struct Line {
  PlayerId white, black;
  int wins, draws, losses;
};

void play(MeetingTable& table, const Line& line) {
  for (int i = 0; i < line.wins; ++i) table.add(line.white, line.black, GameResult::white_wins);
  for (int i = 0; i < line.draws; ++i) table.add(line.white, line.black, GameResult::draw);
  for (int i = 0; i < line.losses; ++i) table.add(line.white, line.black, GameResult::black_wins);
}

MeetingTable five_players() {
  MeetingTable table;
  for (const Line& line : std::vector<Line>{{0, 1, 7, 9, 4},
                                            {1, 0, 5, 8, 7},
                                            {0, 2, 11, 6, 3},
                                            {2, 0, 4, 9, 7},
                                            {1, 2, 8, 7, 5},
                                            {2, 1, 6, 9, 5},
                                            {0, 3, 14, 4, 2},
                                            {3, 0, 3, 6, 11},
                                            {1, 3, 12, 5, 3},
                                            {3, 1, 2, 8, 10},
                                            {2, 3, 9, 8, 3},
                                            {3, 2, 5, 7, 8},
                                            {4, 3, 6, 5, 9},
                                            {3, 4, 10, 6, 4}})
    play(table, line);
  return table;
}

RatingOptions ordo() {
  RatingOptions options;
  options.model = RatingModel::ordo;
  options.white_advantage = 0;
  options.draw_rate = 0.5;
  return options;
}

}  // namespace

TEST_CASE("Davidson: ratings, errors and superiority as another optimiser finds them") {
  // Values: a general optimiser with numeric derivatives on the same likelihood.
  const MeetingTable table = five_players();
  const RatingList list(5, table.meetings(), {});
  const double ratings[] = {2421.8005, 2370.1876, 2328.9809, 2229.6678, 2149.3631};
  const double errors[] = {48.1925, 45.8781, 45.1062, 37.5769, 78.8552};
  for (PlayerId p = 0; p < 5; ++p) {
    CHECK(*list.players()[p].rating == Approx(ratings[p]).margin(1e-3));
    CHECK(*list.players()[p].error == Approx(errors[p]).margin(0.005));
  }
  CHECK(*list.white_advantage().value == Approx(28.97065).margin(1e-4));
  CHECK(*list.white_advantage().error == Approx(34.1293).margin(0.005));
  CHECK(list.draw_rate() == Approx(0.375486).margin(1e-6));
  CHECK(*list.superiority(0, 1) == Approx(0.945618).margin(1e-5));
  CHECK(*list.superiority(1, 0) == Approx(1 - 0.945618).margin(1e-5));
  CHECK(list.converged());
  CHECK(list.groups() == 1);
  CHECK(list.order() == std::vector<PlayerId>{0, 1, 2, 3, 4});
}

TEST_CASE("the method of Ordo gives Ordo's ratings") {
  // Values printed by Ordo 1.2.6 for these games, without options and with -W -D.
  const MeetingTable table = five_players();
  const RatingList plain(5, table.meetings(), ordo());
  const double ratings[] = {2421.2211, 2369.8834, 2328.8219, 2230.1530, 2149.9206};
  for (PlayerId p = 0; p < 5; ++p) CHECK(*plain.players()[p].rating == Approx(ratings[p]).margin(2e-3));

  RatingOptions automatic = ordo();
  automatic.white_advantage.reset();
  automatic.draw_rate.reset();
  const RatingList fitted(5, table.meetings(), automatic);
  const double with_white[] = {2422.0056, 2370.3372, 2329.0071, 2229.7100, 2148.9401};
  for (PlayerId p = 0; p < 5; ++p) CHECK(*fitted.players()[p].rating == Approx(with_white[p]).margin(2e-3));
  CHECK(*fitted.white_advantage().value == Approx(28.91).margin(0.01));
  CHECK(fitted.draw_rate() == Approx(0.3755).margin(0.0001));
}

TEST_CASE("anchors fix the scale") {
  const MeetingTable table = five_players();
  RatingOptions options;
  options.anchors = {{0, 3000}};
  const RatingList one(5, table.meetings(), options);
  CHECK(*one.players()[0].rating == Approx(3000));
  CHECK(*one.players()[0].error == Approx(0).margin(1e-9));
  CHECK(*one.players()[1].rating == Approx(3000 - (2421.8005 - 2370.1876)).margin(1e-3));
  CHECK(*one.players()[1].error == Approx(63.0760).margin(0.005));  // of the difference

  options.anchors = {{0, 2500}, {3, 2300}};
  const RatingList two(5, table.meetings(), options);
  CHECK(*two.players()[0].rating == Approx(2500).margin(1e-6));
  CHECK(*two.players()[3].rating == Approx(2300).margin(1e-6));
  CHECK(*two.players()[1].rating > 2300);
  CHECK(*two.players()[1].rating < 2500);

  // Anchors at their own ratings change nothing.
  const RatingList free(5, table.meetings(), {});
  options.anchors = {{0, *free.players()[0].rating}, {3, *free.players()[3].rating}};
  const RatingList same(5, table.meetings(), options);
  for (PlayerId p = 0; p < 5; ++p) CHECK(*same.players()[p].rating == Approx(*free.players()[p].rating).margin(1e-4));
}

TEST_CASE("who won everything has a bound only (Ordo's manual: perfect winners are taken out and put back)") {
  MeetingTable table;
  const PlayerId a = 0, b = 1, c = 2;
  play(table, {a, b, 2, 0, 0});
  play(table, {b, c, 1, 0, 0});
  play(table, {c, b, 1, 0, 0});
  const RatingList list(3, table.meetings(), {});
  CHECK_FALSE(list.players()[a].rating);
  CHECK(list.players()[a].bound == Bound::lower);
  CHECK(*list.players()[a].limit > *list.players()[b].rating);
  CHECK(*list.players()[b].rating == Approx(2300));
  CHECK(*list.players()[c].rating == Approx(2300));
  CHECK(list.order().front() == a);
  CHECK_FALSE(list.superiority(a, b));

  RatingOptions prior;
  prior.prior_draws = 1;
  const RatingList finite(3, table.meetings(), prior);
  REQUIRE(finite.players()[a].rating);
  CHECK(finite.players()[a].bound == Bound::none);
  CHECK(*finite.players()[a].rating > *finite.players()[b].rating);
}

TEST_CASE("a bound is the rating at which the clean sweep was as likely as not") {
  MeetingTable table;
  play(table, {0, 1, 5, 0, 5});
  play(table, {1, 0, 5, 0, 5});
  play(table, {2, 0, 1, 0, 0});
  RatingOptions options;
  options.white_advantage = 0;
  const RatingList list(3, table.meetings(), options);
  CHECK(*list.players()[2].limit == Approx(2300).margin(1e-6));  // one win, no draws known: even odds at equality
  play(table, {2, 1, 1, 0, 0});
  const RatingList two(3, table.meetings(), options);
  CHECK(*two.players()[2].limit == Approx(2300 + 400 * std::log10(1 / (std::sqrt(2.0) - 1))).margin(1e-6));  // p^2 = 1/2
}

TEST_CASE("who only won has a bound in a list of any size, one game too") {
  const auto bounds = [](const MeetingTable& table, std::size_t players) {
    const RatingList list(players, table.meetings(), {});
    std::vector<Bound> out;
    for (const RatedPlayer& p : list.players()) {
      CHECK((p.bound == Bound::none || !p.rating));
      out.push_back(p.bound);
    }
    return out;
  };
  RatingOptions options;
  options.white_advantage = 0;
  MeetingTable one;
  play(one, {1, 0, 0, 0, 1});  // the loser has White, the winner comes second
  CHECK(bounds(one, 2) == std::vector<Bound>{Bound::lower, Bound::upper});
  const RatingList single(2, one.meetings(), options);
  // One win, no draws known: as likely as not against an equal, and nothing but the average says where that is.
  CHECK(*single.players()[0].limit == Approx(2300).margin(1e-6));
  CHECK(*single.players()[1].limit == Approx(2300).margin(1e-6));
  CHECK(single.order() == std::vector<PlayerId>{0, 1});
  CHECK(single.groups() == 0);
  CHECK(single.converged());
  CHECK_FALSE(single.white_advantage().value);

  MeetingTable three;
  play(three, {0, 1, 2, 0, 0});
  play(three, {1, 0, 0, 0, 1});
  const RatingList sweep(2, three.meetings(), options);
  const double odds = std::pow(2.0, -1.0 / 3) / (1 - std::pow(2.0, -1.0 / 3));  // p^3 = 1/2
  CHECK(*sweep.players()[0].limit == Approx(2300 + 400 * std::log10(odds)).margin(1e-6));
  CHECK(*sweep.players()[1].limit == Approx(2300 - 400 * std::log10(odds)).margin(1e-6));

  // The one with the most games has won them all.
  MeetingTable hub;
  play(hub, {0, 1, 10, 0, 0});
  play(hub, {2, 0, 0, 0, 1});
  CHECK(bounds(hub, 3) == std::vector<Bound>{Bound::lower, Bound::upper, Bound::upper});
  // In a chain of three the one in the middle is at the average, as Ordo has him when the other two are taken out; in a chain of four
  // nobody is.
  MeetingTable chain;
  play(chain, {0, 1, 1, 0, 0});
  play(chain, {1, 2, 1, 0, 0});
  CHECK(bounds(chain, 3) == std::vector<Bound>{Bound::lower, Bound::none, Bound::upper});
  CHECK(*RatingList(3, chain.meetings(), {}).players()[1].rating == Approx(2300));
  play(chain, {2, 3, 1, 0, 0});
  CHECK(bounds(chain, 4) == std::vector<Bound>{Bound::lower, Bound::none, Bound::none, Bound::upper});
  CHECK_FALSE(RatingList(4, chain.meetings(), {}).players()[1].rating);
  CHECK(without_sweeps(4, chain.meetings()).empty());

  // Of two who beat all others the one who beat the other stands above him: his bound is one against that bound.
  MeetingTable two_winners;
  play(two_winners, {0, 1, 1, 0, 0});
  play(two_winners, {1, 2, 0, 1, 0});
  play(two_winners, {3, 0, 1, 0, 0});
  play(two_winners, {3, 2, 1, 0, 0});
  const RatingList ranked(4, two_winners.meetings(), options);
  CHECK(bounds(two_winners, 4) == std::vector<Bound>{Bound::lower, Bound::none, Bound::none, Bound::lower});
  CHECK(*ranked.players()[3].limit > *ranked.players()[0].limit + 100);
  CHECK(ranked.order().front() == 3);
  MeetingTable two_losers;
  play(two_losers, {0, 1, 0, 0, 1});
  play(two_losers, {1, 2, 0, 1, 0});
  play(two_losers, {3, 0, 0, 0, 1});
  play(two_losers, {3, 2, 0, 0, 1});
  const RatingList last(4, two_losers.meetings(), options);
  CHECK(*last.players()[3].limit < *last.players()[0].limit - 100);
  CHECK(last.order().back() == 3);

  // A rating that is given is a figure.
  options.anchors = {{1, 2000}};
  const RatingList anchored(2, one.meetings(), options);
  CHECK(*anchored.players()[1].rating == Approx(2000));
  CHECK(anchored.players()[0].bound == Bound::lower);
  CHECK(*anchored.players()[0].limit == Approx(2000).margin(1e-6));
}

TEST_CASE("every rating that is given stands, also of players whom nothing makes comparable") {
  // 0 beat 1, 2 beat 3, always; 4 and 5 drew.
  MeetingTable table;
  for (const Line& line : std::vector<Line>{{0, 1, 5, 0, 0}, {2, 3, 5, 0, 0}, {4, 5, 0, 4, 0}}) play(table, line);
  RatingOptions options;
  options.anchors = {{0, 2600}, {3, 1900}, {5, 2300}};
  const RatingList list(6, table.meetings(), options);
  CHECK(*list.players()[0].rating == Approx(2600));
  CHECK(*list.players()[3].rating == Approx(1900));
  CHECK(*list.players()[5].rating == Approx(2300));
  CHECK(*list.players()[4].rating == Approx(2300));  // as many points, against the anchor alone
  // The others won or lost all five against one whose rating is known: what would be an even chance of that is their bound.
  const double one_game = std::pow(0.5, 0.2);
  const double away = 400 * std::log10(one_game / (1 - one_game));
  CHECK(list.players()[1].bound == Bound::upper);
  CHECK(*list.players()[1].limit == Approx(2600 - away).margin(1e-6));
  CHECK(list.players()[2].bound == Bound::lower);
  CHECK(*list.players()[2].limit == Approx(1900 + away).margin(1e-6));
}

TEST_CASE("where no weaker player ever won the draw rate is taken from the games, and ratings mean what scores do") {
  MeetingTable two;
  for (const Line& line : std::vector<Line>{{0, 1, 25, 25, 0}, {1, 0, 0, 25, 25}}) play(two, line);
  const RatingList of_two(2, two.meetings(), {});
  // 75 % is 400 log10(3) points by the logistic curve.
  CHECK(of_two.players()[0].rating.value() - of_two.players()[1].rating.value() == Approx(400 * std::log10(3.0)).margin(0.01));
  CHECK(of_two.assumed_draws());
  CHECK(of_two.draw_rate() == Approx(0.5));
  REQUIRE(of_two.players()[0].error);
  CHECK(*of_two.players()[0].error > 10);

  // One against a field: whoever holds more draws against it stands higher.
  MeetingTable field;
  for (const Line& line :
       std::vector<Line>{{0, 1, 10, 10, 0}, {1, 0, 0, 10, 10}, {0, 2, 15, 5, 0}, {2, 0, 0, 5, 15}, {0, 3, 18, 2, 0}, {3, 0, 0, 3, 17}})
    play(field, line);
  const RatingList list(4, field.meetings(), {});
  CHECK(list.order() == std::vector<PlayerId>{0, 1, 2, 3});
  CHECK(list.players()[0].rating.value() - list.players()[1].rating.value() > 100);
  CHECK(list.players()[1].rating.value() - list.players()[2].rating.value() > 50);

  // A single upset is enough to estimate it.
  MeetingTable upset = two;
  play(upset, {0, 1, 0, 0, 1});
  const RatingList settled(2, upset.meetings(), {});
  CHECK_FALSE(settled.assumed_draws());
  CHECK(settled.players()[0].rating.value() - settled.players()[1].rating.value() > 100);
}

TEST_CASE("groups that cannot be compared are told apart") {
  MeetingTable table;
  play(table, {0, 1, 1, 1, 1});
  play(table, {1, 2, 1, 1, 1});
  play(table, {3, 4, 2, 0, 1});
  play(table, {0, 3, 2, 0, 0});  // only one way: how far apart the groups are is not known
  const RatingList list(6, table.meetings(), {});
  CHECK(list.groups() == 2);
  CHECK(list.players()[0].group == 0);
  CHECK(list.players()[4].group == 1);
  CHECK(*list.players()[3].rating + *list.players()[4].rating == Approx(4600));
  CHECK_FALSE(list.superiority(0, 3));
  CHECK_FALSE(list.players()[5].rating);  // no game

  const auto number = comparable_groups(6, table.meetings());
  CHECK(number[0] == number[2]);
  CHECK(number[3] == number[4]);
  CHECK(number[0] != number[3]);
  const auto connected = connected_groups(6, table.meetings());
  CHECK(connected[0] == connected[4]);
  CHECK(connected[0] != connected[5]);
}

TEST_CASE("nothing breaks on the smallest lists") {
  for (const RatingModel model : {RatingModel::davidson, RatingModel::bradley_terry, RatingModel::ordo}) {
    RatingOptions options;
    options.model = model;
    CHECK(RatingList(0, {}, options).players().empty());
    CHECK(RatingList(1, {}, options).order().size() == 1);
    MeetingTable win;
    play(win, {0, 1, 1, 0, 0});
    const RatingList one(2, win.meetings(), options);
    CHECK(one.players()[1 - one.order().front()].bound != one.players()[one.order().front()].bound);
    MeetingTable draws;
    play(draws, {0, 1, 0, 7, 0});
    const RatingList level(2, draws.meetings(), options);
    CHECK(*level.players()[0].rating == Approx(2300));
    CHECK(*level.players()[1].rating == Approx(2300));
    CHECK(std::isfinite(*level.players()[0].error));
  }
}

TEST_CASE("errors by simulation agree with the Fisher information, whatever the threads") {
  const MeetingTable table = five_players();
  RatingOptions options;
  options.simulations = 1500;
  options.seed = 5;
  const RatingList simulated(5, table.meetings(), options);
  options.threads = 3;
  const RatingList threaded(5, table.meetings(), options);
  options.simulations = 0;
  const RatingList fisher(5, table.meetings(), options);
  for (PlayerId p = 0; p < 5; ++p) {
    CHECK(*simulated.players()[p].error == Approx(*fisher.players()[p].error).epsilon(0.08));
    CHECK(*simulated.players()[p].error == *threaded.players()[p].error);
  }
}

TEST_CASE("errors respect pairs") {
  // Each pair is a win each or two draws: a pair's score never varies, so nothing is left of the error.
  MeetingTable table;
  for (int i = 0; i < 100; ++i) {
    table.add(0, 1, GameResult::white_wins);
    table.add(1, 0, GameResult::white_wins);
    table.add_pair(0, 1, GameResult::white_wins, GameResult::white_wins);
  }
  RatingOptions options;
  options.white_advantage = 0;
  const RatingList paired(2, table.meetings(), options);
  CHECK(*paired.pair_dispersion() == Approx(0).margin(1e-9));
  CHECK(*paired.players()[0].error == Approx(0).margin(1e-6));
  options.errors = RatingOptions::Errors::games;
  const RatingList single(2, table.meetings(), options);
  CHECK(*single.players()[0].error > 10);
  CHECK_FALSE(single.pair_dispersion());
}

TEST_CASE("many players: conjugate gradients reach the same maximum as the direct solution") {
  // The same five players 60 times over, joined to the first copy by a few games: too many for the dense way.
  MeetingTable table;
  const std::vector<Meeting> pattern = five_players().meetings();
  constexpr PlayerId copies = 60;
  FitProblem problem;
  problem.players = 5 * copies;
  for (PlayerId copy = 0; copy < copies; ++copy) {
    for (const Meeting& m : pattern) {
      problem.bouts.push_back(
          {5 * copy + m.first, 5 * copy + m.second, double(m.first_white[0]), double(m.first_white[1]), double(m.first_white[2])});
      problem.bouts.push_back(
          {5 * copy + m.second, 5 * copy + m.first, double(m.second_white[0]), double(m.second_white[1]), double(m.second_white[2])});
    }
    if (copy > 0) problem.bouts.push_back({5 * (copy - 1), 5 * copy, 1, 2, 1});
  }
  const Fit fit = fit_strengths(problem);
  CHECK(fit.converged);
  // At the maximum everybody scored what was expected of him, and so did White.
  std::vector<double> off(problem.players, 0);
  double white = 0, drawn = 0;
  for (const Bout& bout : problem.bouts) {
    const Chances c = davidson_chances(fit.strengths[bout.white] - fit.strengths[bout.black] + fit.white_advantage, fit.draw_weight);
    const double excess = bout.wins + bout.draws / 2 - bout.games() * c.score();
    off[bout.white] += excess;
    off[bout.black] -= excess;
    white += excess;
    drawn += bout.draws - bout.games() * c.draw;
  }
  for (const double excess : off) CHECK(std::abs(excess) < 1e-6);
  CHECK(std::abs(white) < 1e-2);  // held by the faint prior
  CHECK(std::abs(drawn) < 1e-6);
}

TEST_CASE("draws around a logistic score keep the score") {
  for (const double score : {0.001, 0.3, 0.5, 0.8, 0.999})
    for (const double weight : {0.0, 0.5, 2.0, 20.0}) {
      const Chances c = chances_of_score(score, weight);
      CHECK(c.score() == Approx(score));
      CHECK(c.win + c.draw + c.loss == Approx(1));
      CHECK(c.draw * c.draw == Approx(weight * weight * c.win * c.loss).margin(1e-12));
    }
}
