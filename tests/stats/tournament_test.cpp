#include <catch2/catch.hpp>

#include "referee/stats/chart.hpp"
#include "referee/stats/crosstable.hpp"
#include "referee/stats/progress.hpp"

using namespace referee::stats;

namespace {

/// Results as in a crosstable: for each two players the first one's points, once.
Tournament round_robin(const std::vector<std::vector<int>>& upper) {
  Tournament out;
  out.players = upper.size() + 1;
  int round = 0;
  for (PlayerId a = 0; a < upper.size(); ++a)
    for (std::size_t i = 0; i < upper[a].size(); ++i) {
      const auto b = static_cast<PlayerId>(a + 1 + i);
      const int points = upper[a][i];
      ++round;
      if ((a + b) % 2 == 0)
        out.games.push_back({round, a, b, points, 100 - points});
      else
        out.games.push_back({round, b, a, 100 - points, points});
    }
  return out;
}

std::vector<PlayerId> players_of(const std::vector<Placing>& order) {
  std::vector<PlayerId> out;
  for (const Placing& placing : order) out.push_back(placing.player);
  return out;
}

}  // namespace

TEST_CASE("Sonneborn-Berger of a round-robin, by hand") {
  // a beat b, drew c, lost to d; b beat c and d; c beat d. Points: a 1.5, b 2, c 1.5, d 1.
  const Tournament t = round_robin({{100, 50, 0}, {100, 100}, {100}});
  const auto values = tie_breaks(t);
  CHECK(values[0].points == 150);
  CHECK(values[1].points == 200);
  CHECK(values[2].points == 150);
  CHECK(values[3].points == 100);
  CHECK(values[0].sonneborn_berger == 27500);  // b's 2 + half of c's 1.5
  CHECK(values[1].sonneborn_berger == 25000);  // c's 1.5 + d's 1
  CHECK(values[2].sonneborn_berger == 17500);  // half of a's 1.5 + d's 1
  CHECK(values[3].sonneborn_berger == 15000);  // a's 1.5
  CHECK(values[0].buchholz == 450);
  CHECK(values[0].buchholz_cut_1 == 350);  // without d's 1
  CHECK(values[1].wins == 2);
  CHECK(values[0].koya == 150);  // won against b (2 of 3), drew with c (1.5 of 3); d has less than half
  CHECK(values[0].share() == Approx(0.5));
  const auto order = final_order(t, {TieBreak::sonneborn_berger});
  CHECK(players_of(order) == std::vector<PlayerId>{1, 0, 2, 3});
  CHECK(order[2].rank == 3);
}

TEST_CASE("direct encounter decides among those who have all met") {
  // a and c have 1.5 each and drew; then wins decide: one each; nothing tells them apart.
  const Tournament t = round_robin({{100, 50, 0}, {100, 100}, {100}});
  auto order = final_order(t, {TieBreak::direct_encounter, TieBreak::wins});
  CHECK(order[1].rank == 2);
  CHECK(order[2].rank == 2);
  CHECK(order[3].rank == 4);
  // Had c beaten a, c would stand above.
  const Tournament other = round_robin({{100, 0, 50}, {100, 100}, {50}});  // a 1.5, b 2, c 1.5 (beat a, drew d), d 1
  order = final_order(other, {TieBreak::direct_encounter});
  CHECK(players_of(order) == std::vector<PlayerId>{1, 2, 0, 3});
  CHECK(order[1].rank == 2);
  CHECK(order[2].rank == 3);
}

TEST_CASE("direct encounter without all games: only who stays ahead whatever they had brought") {
  // Three level on points; a beat b and c, who have not met: a is first, b and c stay level.
  Tournament t;
  t.players = 6;
  t.games = {{1, 0, 1, 100, 0}, {2, 2, 0, 0, 100}, {3, 3, 0, 100, 0}, {3, 1, 4, 100, 0},
             {1, 5, 2, 0, 100}, {4, 1, 3, 100, 0}, {4, 2, 4, 100, 0}};
  const auto values = tie_breaks(t);
  REQUIRE(values[0].points == 200);
  REQUIRE(values[1].points == 200);
  REQUIRE(values[2].points == 200);
  const auto order = final_order(t, {TieBreak::direct_encounter});
  CHECK(order[0].player == 0);
  CHECK(order[1].rank == 2);
  CHECK(order[2].rank == 2);
  // a lost one game among them: nobody is safe.
  t.games[1] = {2, 2, 0, 100, 0};
  t.games.push_back({5, 0, 5, 100, 0});
  t.games[6] = {4, 2, 4, 0, 100};
  const auto open = final_order(t, {TieBreak::direct_encounter});
  CHECK(open[0].rank == 1);
  CHECK(open[1].rank == 1);
  CHECK(open[2].rank == 1);
}

TEST_CASE("byes count as games against a dummy with the player's own points") {
  Tournament t;
  t.players = 3;
  t.games = {{1, 0, 1, 100, 0}, {2, 2, 0, 50, 50}, {3, 1, 2, 100, 0}};
  t.byes = {{1, 2, 100}, {2, 1, 100}, {3, 0, 100}};
  const auto values = tie_breaks(t);
  CHECK(values[0].points == 250);
  CHECK(values[1].points == 200);
  CHECK(values[2].points == 150);
  CHECK(values[0].buchholz == 200 + 150 + 250);
  CHECK(values[0].buchholz_cut_1 == 200 + 250);
  CHECK(values[0].sonneborn_berger == 20000 + 7500 + 25000);
  CHECK(values[0].games == 2);
}

TEST_CASE("unequal numbers of games are ordered by share when asked") {
  Tournament t;
  t.players = 2 + 1;
  t.games = {{1, 0, 1, 100, 0}, {2, 0, 1, 0, 100}, {3, 0, 1, 50, 50}, {4, 0, 2, 0, 100}};
  CHECK(final_order(t, {}, FirstBy::points).front().player == 0);
  CHECK(final_order(t, {}, FirstBy::share).front().player == 2);
}

TEST_CASE("a knockout's order is how far each came, not how much each scored") {
  // Five players, two games an encounter. 0 has a bye in the first round; the first round's losers are level whatever they scored.
  Tournament t;
  t.players = 5;
  const auto encounter = [&t](int round, PlayerId a, PlayerId b, int a_points, int b_points) {
    t.games.push_back({round, a, b, a_points / 2, b_points / 2});
    t.games.push_back({round, b, a, b_points / 2, a_points / 2});
  };
  encounter(1, 1, 2, 200, 0);
  encounter(1, 3, 4, 200, 0);
  encounter(1, 3, 4, 0, 100);  // extra games of the round
  encounter(2, 0, 1, 200, 0);
  encounter(3, 0, 3, 0, 200);
  t.byes.push_back({.round = 1, .player = 0, .points = 200, .games = 2});
  t.byes.push_back({.round = 2, .player = 3, .points = 200, .games = 2});
  const std::vector<Placing> order = final_order(t, {TieBreak::wins}, FirstBy::rounds);
  REQUIRE(order.size() == 5);
  std::vector<std::pair<PlayerId, int>> placed;
  for (const Placing& placing : order) placed.emplace_back(placing.player, placing.rank);
  CHECK(placed == std::vector<std::pair<PlayerId, int>>{{3, 1}, {0, 2}, {1, 3}, {2, 4}, {4, 4}});
}

TEST_CASE("a Swiss is shown round by round, a round-robin as a matrix") {
  const Tournament all = round_robin({{100, 50, 0}, {100, 100}, {100}});
  const Crosstable matrix = crosstable(all, {"a", "b", "c", "d"}, {TieBreak::sonneborn_berger}, FirstBy::points, CrosstableForm::automatic);
  CHECK(matrix.form == CrosstableForm::matrix);
  REQUIRE(matrix.table.rows.size() == 4);
  CHECK(matrix.table.rows[0] == std::vector<std::string>{"1", "b", "2", "3", "2", "0", "1", "66.7", "*", "0", "1", "1", "2.50"});
  CHECK(to_text(matrix.table).find("\n   2  a") != std::string::npos);

  Tournament swiss;
  swiss.players = 7;
  swiss.games = {{1, 0, 1, 100, 0}, {1, 2, 3, 50, 50}, {1, 4, 5, 0, 100}, {2, 0, 5, 100, 0}, {2, 6, 2, 0, 100}, {2, 3, 1, 0, 100}};
  swiss.byes = {{1, 6, 100}, {2, 4, 100}};
  const Crosstable rounds =
      crosstable(swiss, {"a", "b", "c", "d", "e", "f", "g"}, {TieBreak::buchholz}, FirstBy::points, CrosstableForm::automatic);
  CHECK(rounds.form == CrosstableForm::rounds);
  CHECK(rounds.order.front().player == 0);
  // a beat b (third, level with others on 1 point and Buchholz) with White, then f with White.
  CHECK(rounds.table.rows[0][8].ends_with("w1"));
  bool bye_shown = false;
  for (const auto& row : rounds.table.rows) bye_shown = bye_shown || row[8] == "bye";
  CHECK(bye_shown);
}

TEST_CASE("tables in every form keep odd names intact") {
  const Table table{{{"name", Column::Align::left}, {"n", Column::Align::right}},
                    {{"a<b>&\"c\"", "1"}, {"d,e\tf", "22"}, {"\xC3\xA4", "3"}, {"bad\xFF", "4"}}};
  CHECK(to_csv(table) == "name,n\n\"a<b>&\"\"c\"\"\",1\n\"d,e\tf\",22\n\xC3\xA4,3\nbad\xFF,4\n");
  const std::string html = to_html(table);
  CHECK(html.find("a&lt;b&gt;&amp;&quot;c&quot;") != std::string::npos);
  CHECK(html.find("bad\xEF\xBF\xBD") != std::string::npos);
  CHECK(html.find("<b>") == std::string::npos);
  CHECK(to_text(table).find("\n\xC3\xA4          3\n") != std::string::npos);  // one column wide
  CHECK(fixed(-0.04, 1) == "0.0");
  CHECK(fixed(2.25, 1) == "2.2");
  CHECK(points_text(1250) == "12.5");
  CHECK(points_text(25) == "0.25");
  CHECK(points_text(5) == "0.05");
  CHECK(points_text(300) == "3");
}

TEST_CASE("progress ends where the whole match stands, and a decision stays") {
  std::vector<Trial> trials;
  for (int i = 0; i < 700; ++i)
    trials.push_back(i % 7 == 0 ? Trial::win_win : i % 3 == 0 ? Trial::win_draw : i % 5 == 0 ? Trial::loss_draw : Trial::draw_draw);
  PairCounts counts;
  for (const Trial trial : trials) add(counts, trial);
  CHECK(counts.pairs() == 700);
  const SprtParameters parameters{EloModel::normalized, 0, 20, 0.05, 0.05};
  const auto points = progress(trials, parameters, 50);
  CHECK(points.size() == 51);
  CHECK(points.front().games == 0);
  CHECK(points.back().games == 1400);
  CHECK(*points.back().elo == Approx(*elo_report(counts).elo.value));
  CHECK(*points.back().llr == Approx(sprt(counts, parameters).llr));

  const auto decision = first_decision(trials, parameters);
  REQUIRE(decision);
  CHECK(decision->report.state == SprtState::accept_h1);
  PairCounts before;
  for (std::size_t i = 0; i + 1 < decision->trials; ++i) add(before, trials[i]);
  CHECK(sprt(before, parameters).state == SprtState::undecided);
  add(before, trials[decision->trials - 1]);
  CHECK(sprt(before, parameters).state == SprtState::accept_h1);
  CHECK_FALSE(first_decision({}, parameters));
}

TEST_CASE("two games make one pair, whatever came first") {
  CHECK(pair_of(Trial::win, Trial::loss) == Trial::win_loss);
  CHECK(pair_of(Trial::loss, Trial::win) == Trial::win_loss);
  CHECK(pair_of(Trial::draw, Trial::draw) == Trial::draw_draw);
  CHECK(pair_of(Trial::draw, Trial::loss) == Trial::loss_draw);
  CHECK(pair_of(Trial::win, Trial::draw) == Trial::win_draw);
  CHECK(pair_of(Trial::win, Trial::win) == Trial::win_win);
  CHECK(pair_of(Trial::loss, Trial::loss) == Trial::loss_loss);
}

TEST_CASE("charts are well-formed whatever they are given") {
  for (const std::vector<Trial>& trials : {std::vector<Trial>{}, std::vector<Trial>{Trial::win}, std::vector<Trial>(30, Trial::draw_draw),
                                           std::vector<Trial>(30, Trial::win_win)}) {
    const SprtParameters parameters{EloModel::logistic, 0, 5, 0.05, 0.05};
    const std::string svg = to_svg(match_charts(progress(trials, parameters), "A <& \"B\"", parameters));
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    CHECK(svg.find("A &lt;&amp; &quot;B&quot;") != std::string::npos);
    CHECK(svg.find("H1") != std::string::npos);
  }
}

TEST_CASE("a bye of a two-game encounter is two points, and a walkover in one of its games has its opponent already") {
  Tournament t;
  t.players = 3;
  t.games = {{1, 0, 1, 100, 0}, {1, 1, 0, 50, 50}, {2, 0, 2, 100, 0}};
  t.byes = {{1, 2, 200, 2}, {2, 0, 100, 1}};  // 2 sat out round 1; its second game with 0 was not played
  const auto values = tie_breaks(t);
  CHECK(values[2].points == 200);
  CHECK(values[2].games == 1);
  CHECK(values[2].unplayed == 2);
  CHECK(values[2].share() == Approx(2.0 / 3));
  CHECK(values[0].points == 350);
  // Opponents of 0: 1 (half a point) and 2 (two points), each once a round; no dummy beside 2.
  CHECK(values[0].buchholz == 50 + 200);
  // Of 2: the dummy with his own two points, and 0.
  CHECK(values[2].buchholz == 200 + 350);
}

TEST_CASE("a walkover is not called a bye") {
  Tournament t;
  t.players = 3;
  t.games = {{1, 0, 1, 100, 0}, {2, 2, 0, 50, 50}, {3, 1, 2, 0, 100}};
  t.byes = {{1, 2, 100, 1}, {2, 1, 100, 1}, {.round = 3, .player = 0, .points = 100, .games = 1, .why = Bye::Why::walkover}};
  const Crosstable table = crosstable(t, {"A", "B", "C"}, {}, FirstBy::points, CrosstableForm::rounds);
  const auto& first = table.table.rows[0];  // A: 1 + 1/2 + 1, C: 1 + 1/2 + 1
  CHECK(first[1] == "A");
  CHECK(first[10] == "walkover");
  CHECK(table.table.rows[1][8] == "bye");
  // In an encounter of two games of which one was played, it stands beside it.
  t.byes.push_back({.round = 1, .player = 0, .points = 100, .games = 1, .why = Bye::Why::walkover});
  const Crosstable two = crosstable(t, {"A", "B", "C"}, {}, FirstBy::points, CrosstableForm::rounds);
  CHECK(two.table.rows[0][8] == "3w1 walkover");
}

TEST_CASE("with a bye the table goes round by round, so that it shows") {
  Tournament t;
  t.players = 3;
  t.games = {{1, 0, 1, 100, 0}, {2, 2, 0, 50, 50}, {3, 1, 2, 100, 0}};
  CHECK(crosstable(t, {"a", "b", "c"}, {}, FirstBy::points, CrosstableForm::automatic).form == CrosstableForm::matrix);
  t.byes = {{1, 2, 100, 1}, {2, 1, 100, 1}, {3, 0, 100, 1}};
  const Crosstable table = crosstable(t, {"a", "b", "c"}, {}, FirstBy::points, CrosstableForm::automatic);
  CHECK(table.form == CrosstableForm::rounds);
  CHECK(to_text(table.table).find("bye") != std::string::npos);
  CHECK(table.table.rows[0][2] == "2.5");
}
