#include <catch2/catch.hpp>
#include <cmath>

#include "referee/stats/elo.hpp"
#include "referee/stats/sprt.hpp"

using namespace referee::stats;

// Sources: published fishtest runs (the two normalised values), and values two other programs agree on (the rest).

TEST_CASE("published log likelihood ratios") {
  CHECK(sprt(GameCounts{36433, 68692, 36027}, {EloModel::normalized, 0, 2, 0.05, 0.05}).llr == Approx(0.9233).margin(1e-4));
  CHECK(sprt(PairCounts{365, 16618, 36029, 200, 16974, 390}, {EloModel::normalized, 0, 2, 0.05, 0.05}).llr == Approx(2.2504).margin(1e-4));
  CHECK(sprt(PairCounts{60, 2, 0, 0, 0, 0}, {EloModel::logistic, 0, 5, 0.05, 0.05}).llr == Approx(-0.899).margin(0.005));
  CHECK(sprt(GameCounts{520, 1010, 470}, {EloModel::logistic, 0, 5, 0.05, 0.05}).llr == Approx(1.036).margin(0.002));
  CHECK(sprt(GameCounts{520, 1010, 470}, {EloModel::bayesian, 0, 5, 0.05, 0.05}).llr == Approx(0.851).margin(0.002));
}

TEST_CASE("log likelihood ratios to a millionth against another solver") {
  // Values: maximum over the deviation by golden section, inside it the two moments' constraints by Newton's method on the dual.
  const auto games = [](GameCounts counts, EloModel model, double elo0, double elo1) {
    return sprt(counts, {model, elo0, elo1, 0.05, 0.05}).llr;
  };
  const auto pairs = [](PairCounts counts, EloModel model, double elo0, double elo1) {
    return sprt(counts, {model, elo0, elo1, 0.05, 0.05}).llr;
  };
  CHECK(games({36433, 68692, 36027}, EloModel::normalized, 0, 2) == Approx(0.923293451).margin(1e-6));
  CHECK(pairs({365, 16618, 36029, 200, 16974, 390}, EloModel::normalized, 0, 2) == Approx(2.250367704).margin(1e-6));
  CHECK(games({520, 1010, 470}, EloModel::logistic, 0, 5) == Approx(1.035544937).margin(1e-6));
  CHECK(games({520, 1010, 470}, EloModel::normalized, -3, 4) == Approx(1.373848509).margin(1e-6));
  CHECK(pairs({3, 120, 300, 10, 150, 7}, EloModel::normalized, 0, 5) == Approx(0.947183758).margin(1e-6));
  CHECK(pairs({3, 120, 300, 10, 150, 7}, EloModel::logistic, -1.75, 0.25) == Approx(0.891337538).margin(1e-6));
  CHECK(pairs({0, 40, 210, 0, 55, 0}, EloModel::normalized, 0, 10) == Approx(0.842390446).margin(1e-6));
  CHECK(pairs({365, 16618, 36029, 200, 16974, 390}, EloModel::logistic, 0, 2) == Approx(-0.005919933).margin(1e-6));
  CHECK(games({400, 5, 10}, EloModel::normalized, 0, 5) == Approx(5.603624343).margin(1e-6));
  CHECK(pairs({60, 2, 0, 0, 0, 0}, EloModel::logistic, 0, 5) == Approx(-0.898686161).margin(1e-6));
}

TEST_CASE("a clean sweep speaks for the side that swept, in every model") {
  // Only the two extreme scores matter: the likeliest chance a of the loss with (1/2 - a) = t sqrt(a (1 - a)) is (1 - t / sqrt(1 + t^2)) /
  // 2, so that n lost pairs tell n ln(1 - t / sqrt(1 + t^2)), t = 50 sqrt(2) ln 10 / 800.
  const double t = 50 * std::sqrt(2.0) * std::log(10.0) / 800;
  const double one = std::log(1 - t / std::sqrt(1 + t * t));
  for (const int n : {1, 3, 5, 20, 100, 5000}) {
    INFO(n);
    const PairCounts lost{n, 0, 0, 0, 0, 0};
    const PairCounts won{0, 0, 0, 0, 0, n};
    for (const EloModel model : {EloModel::normalized, EloModel::logistic, EloModel::bayesian}) {
      CHECK(sprt(lost, {model, 0, 50, 0.05, 0.05}).llr < 0);
      CHECK(sprt(won, {model, 0, 50, 0.05, 0.05}).llr > 0);
      // Seen from the other side it is the same.
      CHECK(sprt(won, {model, -50, 0, 0.05, 0.05}).llr == Approx(-sprt(lost, {model, 0, 50, 0.05, 0.05}).llr).epsilon(1e-6));
    }
    CHECK(sprt(lost, {EloModel::normalized, 0, 50, 0.05, 0.05}).llr == Approx(n * one).epsilon(0.01).margin(0.005));
  }
  CHECK(sprt(PairCounts{100, 0, 0, 0, 0, 0}, {EloModel::normalized, 0, 5, 0.05, 0.05}).state != SprtState::accept_h1);
  // 9 lost pairs have told -0.185 of -2.944: as many again, fifteen times.
  const auto left = sprt(PairCounts{9, 0, 0, 0, 0, 0}, {EloModel::normalized, 0, 5, 0.05, 0.05}).expected_trials_left;
  REQUIRE(left);
  CHECK(*left == Approx(9 * (2.944 - 0.185) / 0.185).epsilon(0.02));
  // Nothing but draws refutes an advantage, in the end.
  CHECK(sprt(GameCounts{0, 2000, 0}, {EloModel::normalized, 0, 50, 0.05, 0.05}).llr < 0);
}

TEST_CASE("corrected bounds lie inside the plain ones, closer the smaller the steps are") {
  const SprtParameters parameters{EloModel::normalized, 0, 2, 0.05, 0.05};
  const auto many = sprt(PairCounts{365, 16618, 36029, 200, 16974, 390}, parameters);
  REQUIRE(many.upper_corrected);
  CHECK(*many.upper_corrected < many.upper);
  CHECK(*many.lower_corrected > many.lower);
  CHECK(*many.upper_corrected > many.upper - 0.05);
  const auto coarse = sprt(PairCounts{3, 12, 30, 1, 15, 7}, {EloModel::logistic, 0, 100, 0.05, 0.05});
  CHECK(coarse.upper - *coarse.upper_corrected > many.upper - *many.upper_corrected);
  CHECK_FALSE(sprt(PairCounts{}, parameters).upper_corrected);
}

TEST_CASE("bounds and verdicts") {
  const SprtParameters parameters{EloModel::logistic, 0, 5, 0.05, 0.05};
  const auto report = sprt(GameCounts{520, 1010, 470}, parameters);
  CHECK(report.lower == Approx(-2.944438979));  // ln(0.05 / 0.95)
  CHECK(report.upper == Approx(2.944438979));
  CHECK(report.state == SprtState::undecided);
  CHECK(*report.expected_trials_left > 0);
  CHECK(sprt(GameCounts{5200, 10100, 4700}, parameters).state == SprtState::accept_h1);
  CHECK(sprt(GameCounts{4700, 10100, 5200}, parameters).state == SprtState::accept_h0);
  CHECK(sprt(GameCounts{}, parameters).llr == 0);
}

TEST_CASE("one-sided and empty results stay finite") {
  for (const EloModel model : {EloModel::logistic, EloModel::normalized, EloModel::bayesian}) {
    for (const GameCounts counts :
         {GameCounts{1, 0, 0}, GameCounts{0, 0, 1}, GameCounts{0, 1, 0}, GameCounts{500, 0, 0}, GameCounts{0, 0, 500}}) {
      CHECK(std::isfinite(sprt(counts, {model, 0, 5, 0.05, 0.05}).llr));
    }
    CHECK(std::isfinite(sprt(PairCounts{0, 0, 0, 0, 0, 40}, {model, -3, 1, 0.05, 0.1}).llr));
  }
}

TEST_CASE("Elo, error and likelihood of superiority") {
  const auto report = elo_report(GameCounts{520, 1010, 470});
  CHECK(*report.score == Approx(0.5125));
  CHECK(*report.elo.value == Approx(8.69).margin(0.01));
  CHECK(*report.elo.error == Approx(10.7).margin(0.05));
  CHECK(*report.los == Approx(0.944).margin(0.0005));
  CHECK(*report.draw_ratio == Approx(0.505));
  CHECK(elo_of_score(0.75) == Approx(190.85).margin(0.01));
  CHECK(expected_score(elo_of_score(0.6)) == Approx(0.6));
}

TEST_CASE("a clean sweep gives a bound, nothing played gives nothing") {
  const auto sweep = elo_report(PairCounts{0, 0, 0, 0, 0, 3});
  CHECK(*sweep.score == 1);
  CHECK_FALSE(sweep.elo.value);
  CHECK(sweep.elo.bound == Bound::lower);
  CHECK(elo_report(GameCounts{0, 0, 6}).elo.bound == Bound::upper);
  const auto nothing = elo_report(GameCounts{});
  CHECK_FALSE(nothing.elo.value);
  CHECK_FALSE(nothing.score);
  CHECK_FALSE(nothing.los);
}

TEST_CASE("pairs: level pairs told apart or not score alike") {
  PairCounts five{365, 16618, 36229, 0, 16974, 390};
  five.level_pairs_told_apart = false;
  const PairCounts six{365, 16618, 36029, 200, 16974, 390};
  CHECK(*elo_report(five).elo.value == Approx(*elo_report(six).elo.value));
  CHECK_FALSE(elo_report(five).draw_ratio);
  CHECK(elo_report(six).games == 2 * 70576);
}

TEST_CASE("an Elo without a finite error says where its interval ends, never +- 0") {
  // All of n pairs won: with less than 0.05^(1/n) of them expected, that would happen in fewer than 5 % of matches.
  const EloReport sweep = elo_report(PairCounts{0, 0, 0, 0, 0, 5});
  CHECK_FALSE(sweep.elo.value);
  REQUIRE(sweep.elo.low);
  CHECK(*sweep.elo.low == Approx(34.354).margin(0.002));  // 400 log10(0.549280 / 0.450720)
  CHECK(to_text(sweep.elo, 1) == "no upper bound (all points won; 95 %: above +34.4)");
  CHECK(to_text(elo_report(PairCounts{5, 0, 0, 0, 0, 0}).elo, 1) == "no lower bound (no point won; 95 %: below -34.4)");
  // Nearly all won: the interval reaches beyond 100 %.
  const EloReport near = elo_report(GameCounts{9, 1, 0});
  CHECK(near.elo.value);
  CHECK_FALSE(near.elo.error);
  CHECK(to_text(near.elo, 1).find("95 %: above +") != std::string::npos);
  // Results that are all alike tell no error.
  const EloReport draws = elo_report(GameCounts{0, 10, 0});
  CHECK(*draws.elo.value == Approx(0).margin(1e-12));
  CHECK_FALSE(draws.elo.error);
  CHECK(to_text(draws.elo, 1).find("+-") == std::string::npos);
  CHECK(to_text(Estimate{}, 1) == "unknown");
}

TEST_CASE("how many pairs are left is said in numbers that mean something") {
  CHECK(pairs_left_text(1234.4) == "about 1234 more pairs");
  CHECK(pairs_left_text(1.0) == "about 1 more pair");
  CHECK(pairs_left_text(3e12) == "over 10 million more pairs");
  CHECK(pairs_left_text(0.0).empty());
  CHECK(pairs_left_text(-4.0).empty());
  CHECK(pairs_left_text(std::nullopt).empty());
  CHECK(words(SprtState::undecided) == "undecided");
}
