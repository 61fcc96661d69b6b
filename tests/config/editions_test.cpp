#include "config/editions.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/edition_parameters.hpp"
#include "config/edition_table.hpp"
#include "referee/laws/edition.hpp"

using namespace referee;
using namespace std::chrono_literals;
using laws::Category;
using laws::Duration;

namespace {

const laws::Edition& edition(const std::string& id) {
  static std::map<std::string, std::shared_ptr<const laws::Edition>> kept;
  auto& found = kept[id];
  if (!found) found = config::load_edition(id);
  return *found;
}

const std::vector<std::string> fide = {"fide-2005", "fide-2009", "fide-2014", "fide-2017", "fide-2018", "fide-2023"};

std::string refusal(const std::string& yaml) {
  try {
    static_cast<void>(config::parse_edition(yaml, "club.yaml"));
  } catch (const config::ConfigException& problem) { return problem.what(); }
  return "accepted";
}

std::string extending(const std::string& keys) { return "id: club\ntitle: Club rules\nextends: fide-2023\n" + keys; }

std::size_t at(Category category) { return static_cast<std::size_t>(category); }

clock::TimeControl base_and_increment(Duration base, Duration increment) {
  clock::Period period;
  period.base = base;
  period.increment = increment;
  return {clock::Mode::increment, {period}};
}

}  // namespace

TEST_CASE("The editions that ship, in order of age") {
  CHECK(config::edition_ids() == std::vector<std::string>{"fide-2005", "fide-2009", "fide-2014", "fide-2017", "fide-2018", "fide-2023",
                                                          "engine-practice", "cutechess", "fastchess", "lichess", "tcec"});
  for (const auto& id : config::edition_ids()) {
    INFO(id);
    CHECK(edition(id).id == id);
    CHECK_FALSE(edition(id).title.empty());
  }
}

// The numbers below are those of the Laws, edition by edition; engine practice last.
TEST_CASE("Illegal moves: bonus, forfeit, and the draw where the opponent cannot mate") {
  struct Rule {
    std::optional<Duration> bonus;
    int forfeit;
    bool draw;
  };
  const auto check = [](const std::string& id, Category category, const Rule& expected) {
    INFO(id << " " << clock::name(category));
    const auto& rule = edition(id).illegal_move[at(category)];
    CHECK(rule.opponent_bonus == expected.bonus);
    CHECK(rule.forfeit_at == expected.forfeit);
    CHECK(rule.unwinnable_is_draw == expected.draw);
  };
  check("fide-2005", Category::standard, {2min, 3, false});
  check("fide-2009", Category::standard, {2min, 3, true});
  for (const char* id : {"fide-2014", "fide-2017", "fide-2018", "fide-2023"}) check(id, Category::standard, {2min, 2, true});
  check("fide-2005", Category::rapid, {2min, 3, false});
  check("fide-2014", Category::rapid, {std::nullopt, 1, true});
  check("fide-2017", Category::rapid, {std::nullopt, 1, true});
  check("fide-2018", Category::rapid, {2min, 2, true});
  check("fide-2023", Category::rapid, {1min, 2, true});
  check("fide-2005", Category::blitz, {std::nullopt, 1, true});
  check("fide-2014", Category::blitz, {std::nullopt, 1, true});
  check("fide-2018", Category::blitz, {1min, 2, true});
  check("fide-2023", Category::blitz, {1min, 2, true});
  for (const Category category : {Category::standard, Category::rapid, Category::blitz}) {
    check("engine-practice", category, {std::nullopt, 1, false});
  }
  CHECK(edition("fide-2005").illegal_move[at(Category::rapid)].claim_needed);
  CHECK_FALSE(edition("fide-2018").illegal_move[at(Category::rapid)].claim_needed);
  CHECK_FALSE(edition("fide-2009").supervised_illegal_move.has_value());
  CHECK(edition("fide-2014").supervised_illegal_move.value().blitz_bonus == 1min);
  CHECK(edition("fide-2018").supervised_illegal_move.value().rapid_bonus == 2min);

  CHECK(edition("fide-2009").promotion_missing == laws::PromotionMissing::reinstate);
  CHECK(edition("fide-2014").promotion_missing == laws::PromotionMissing::queen_placed);
  CHECK(edition("engine-practice").promotion_missing == laws::PromotionMissing::illegal);
  CHECK(edition("fide-2014").press_without_move == laws::PressWithoutMove::misconduct);
  CHECK(edition("fide-2017").press_without_move == laws::PressWithoutMove::illegal);
  CHECK_FALSE(edition("fide-2014").two_hands_illegal);
  CHECK(edition("fide-2017").two_hands_illegal);
}

TEST_CASE("Wrong claims: what the opponent gets and the claimant loses") {
  for (const Category category : {Category::standard, Category::rapid, Category::blitz}) {
    const auto& rule = edition("fide-2005").wrong_claim[at(category)];
    CHECK(rule.opponent_bonus == 3min);
    CHECK(rule.claimant == laws::ClaimantPenalty::half_capped);
    CHECK(rule.cap == 3min);
    CHECK(rule.halve_above == 2min);
    CHECK(rule.leave == 1min);
    CHECK(rule.leave_above == 1min);
  }
  CHECK(edition("fide-2009").wrong_claim[at(Category::standard)].opponent_bonus == 3min);
  for (const char* id : {"fide-2014", "fide-2017", "fide-2018", "fide-2023"}) {
    INFO(id);
    CHECK(edition(id).wrong_claim[at(Category::standard)].opponent_bonus == 2min);
    CHECK(edition(id).wrong_claim[at(Category::blitz)].opponent_bonus == 1min);
    CHECK(edition(id).wrong_claim[at(Category::standard)].claimant == laws::ClaimantPenalty::none);
  }
  CHECK(edition("fide-2018").wrong_claim[at(Category::rapid)].opponent_bonus == 2min);
  CHECK(edition("fide-2023").wrong_claim[at(Category::rapid)].opponent_bonus == 1min);
  CHECK(edition("engine-practice").wrong_claim_forfeits);
  CHECK_FALSE(edition("fide-2023").wrong_claim_forfeits);
}

TEST_CASE("Repetition, move counts, agreement, resignation, flags and lateness") {
  using Count = std::optional<int>;
  struct Row {
    const char* id;
    Count repetition_claim, repetition_automatic, moves_claim, moves_automatic, agreement;
    bool resignation_draw;
    std::optional<Duration> late;
    bool waive;
  };
  const Row rows[] = {
      {"fide-2005", 3, Count{}, 50, Count{}, 0, false, Duration(60min), true},
      {"fide-2009", 3, Count{}, 50, Count{}, 0, false, Duration(0min), false},
      {"fide-2014", 3, 5, 50, 75, 0, false, std::nullopt, true},
      {"fide-2017", 3, 5, 50, 75, 1, false, Duration(0min), true},
      {"fide-2018", 3, 5, 50, 75, 1, false, Duration(0min), true},
      {"fide-2023", 3, 5, 50, 75, 1, true, Duration(0min), true},
      {"engine-practice", Count{}, 3, Count{}, 50, Count{}, false, Duration(35s), true},
  };
  for (const Row& row : rows) {
    INFO(row.id);
    const auto& laws = edition(row.id);
    CHECK(laws.repetition_claim == row.repetition_claim);
    CHECK(laws.repetition_automatic == row.repetition_automatic);
    CHECK(laws.no_progress_claim_moves == row.moves_claim);
    CHECK(laws.no_progress_automatic_moves == row.moves_automatic);
    CHECK(laws.agreement_min_moves_each == row.agreement);
    CHECK(laws.resignation_unwinnable_is_draw == row.resignation_draw);
    CHECK(laws.default_time == row.late);
    CHECK(laws.arbiter_may_waive_lateness == row.waive);
  }
  CHECK(edition("fide-2014").repetition_automatic_consecutive);
  CHECK_FALSE(edition("fide-2017").repetition_automatic_consecutive);
  CHECK(edition("fide-2005").claim_right_lost_by == laws::ClaimRightLostBy::making_the_move);
  CHECK(edition("fide-2009").claim_right_lost_by == laws::ClaimRightLostBy::touching_a_piece);
  for (const auto& id : fide) {
    INFO(id);
    CHECK(edition(id).dead_position == laws::DeadPositionTest::fide);
    CHECK(edition(id).timeout_draw == laws::DeadPositionTest::fide);
    CHECK(edition(id).flag_unwinnable_is_draw);
    CHECK(edition(id).clock.flag == clock::FlagRule::elapsed_reaches_remaining);
    CHECK(edition(id).clock.margin == 0ms);
    CHECK(edition(id).auto_claim_draws == laws::AutoClaimDraws::never);
    CHECK(edition(id).recording_exempt_below == Duration(5min));
  }
  CHECK(edition("engine-practice").dead_position == laws::DeadPositionTest::material);
  CHECK(edition("engine-practice").timeout_draw == laws::DeadPositionTest::off);
  CHECK(edition("engine-practice").clock.flag == clock::FlagRule::elapsed_exceeds_remaining_margin);
  CHECK(edition("engine-practice").clock.initial_increment);
  CHECK_FALSE(edition("engine-practice").flag_unwinnable_is_draw);
  CHECK(edition("fide-2009").flag_called_by[at(Category::blitz)] == laws::FlagCaller::player_only);
  CHECK(edition("fide-2014").flag_called_by[at(Category::blitz)] == laws::FlagCaller::arbiter_or_player);
  CHECK(edition("fide-2009").colours_reversed == laws::ColoursReversed::play_on);
  CHECK(edition("fide-2017").colours_replay_below_moves_each == 10);
  CHECK(edition("fide-2005").setup_claims_until_moves_each[at(Category::rapid)] == 3);
  CHECK(edition("fide-2014").setup_claims_until_moves_each[at(Category::rapid)] == 10);
  CHECK(edition("fide-2005").adjournment_late_limit == Duration(60min));
  CHECK_FALSE(edition("fide-2018").adjournment_late_limit.has_value());
  REQUIRE(edition("fide-2005").quickplay.has_value());
  CHECK(edition("fide-2005").quickplay->window == 2min);
  CHECK_FALSE(edition("fide-2005").quickplay->increment_request.has_value());
  CHECK(edition("fide-2018").quickplay->increment_request.value().add_increment == 5s);
  CHECK_FALSE(edition("engine-practice").quickplay.has_value());
}

// CLS-01 to CLS-06 of the published rule cases, and the borders between.
TEST_CASE("Categories follow the edition's borders") {
  struct Row {
    Duration base, increment;
    Category in_2005, since_2014;
  };
  const Row rows[] = {
      {15min, 0s, Category::rapid, Category::rapid},
      {10min, 0s, Category::blitz, Category::blitz},
      {10min, 5s, Category::rapid, Category::rapid},
      {60min, 0s, Category::rapid, Category::standard},
      {30min, 30s, Category::rapid, Category::standard},
      {10min, 1s, Category::blitz, Category::rapid},
      {60min + 1s, 0s, Category::standard, Category::standard},
      {15min - 1ms, 0s, Category::blitz, Category::rapid},
      {90min, 30s, Category::standard, Category::standard},
  };
  for (const Row& row : rows) {
    INFO(row.base.count() << " + " << row.increment.count());
    const auto control = base_and_increment(row.base, row.increment);
    CHECK(laws::categorize(edition("fide-2005"), control) == row.in_2005);
    for (const char* id : {"fide-2014", "fide-2017", "fide-2018", "fide-2023"}) {
      CHECK(laws::categorize(edition(id), control) == row.since_2014);
    }
    CHECK(laws::categorize(edition("engine-practice"), control) == Category::standard);
  }
  const auto absurd = std::get<clock::TimeControl>(clock::parse_time_control("1/1000000h"));
  CHECK(laws::categorize(edition("fide-2023"), absurd) == Category::standard);
}

TEST_CASE("Articles by edition") {
  struct Row {
    const char* subject;
    const char* in_2005;
    const char* in_2018;
    const char* in_2023;
  };
  // As the published rule cases and the list of changed numbers name them.
  const Row rows[] = {
      {"checkmate", "5.1a", "5.1.1", "5.1.1"},
      {"stalemate", "5.2a", "5.2.1", "5.2.1"},
      {"dead_position", "5.2b", "5.2.2", "5.2.2"},
      {"flag", "6.10", "6.9", "6.9"},
      {"threefold", "9.2", "9.2", "9.2"},
      {"fifty", "9.3", "9.3", "9.3"},
      {"automatic_repetition", "", "9.6.1", "9.6.1"},
      {"automatic_moves", "", "9.6.2", "9.6.2"},
      {"wrong_claim", "9.5b", "9.5.3", "9.5.3"},
      {"claim_offer", "9.1c", "9.1.2.3", "9.1.2.3"},
      {"promotion", "7.4a", "7.5.2", "7.5.2"},
      {"default_time", "6.7", "6.7.1", "6.7.1"},
      {"quickplay", "10.2", "III.5", "III.5"},
      {"increment_request", "", "III.4", "III.4"},
      {"sealed_move", "A8", "I.8", "I.8"},
      {"resumption", "A9", "I.9", "I.9"},
      {"late_at_resumption", "A10", "I.10", "I.10"},
      {"both_lost", "12.9", "11.8", "11.8"},
      {"colours_reversed", "7.2", "7.3", "7.3"},
      {"both_flags", "6.12", "III.3.1", "III.3.1"},
      {"both_flags_rapid", "B9", "III.3.1", "III.3.1"},
      {"category_rapid", "B1", "A.1", "A.1"},
  };
  for (const Row& row : rows) {
    INFO(row.subject);
    CHECK(laws::article(edition("fide-2005"), row.subject) == row.in_2005);
    CHECK(laws::article(edition("fide-2018"), row.subject) == row.in_2018);
    CHECK(laws::article(edition("fide-2023"), row.subject) == row.in_2023);
  }
  CHECK(laws::article(edition("fide-2023"), "no such subject").empty());
}

TEST_CASE("An edition of one's own changes only what it names") {
  const auto club = config::parse_edition(extending("lateness: {default_time: 30m}\nillegal_move: {supervised: {blitz_bonus: 1m}}\n"
                                                    "quickplay: null\narticles: {penalty: '1.2 of the club'}\n"),
                                          "club.yaml");
  CHECK(club->id == "club");
  CHECK(club->default_time == Duration(30min));
  CHECK(club->supervised_illegal_move.value().blitz_bonus == 1min);
  CHECK(club->supervised_illegal_move.value().rapid_bonus == edition("fide-2023").supervised_illegal_move.value().rapid_bonus);
  CHECK_FALSE(club->quickplay.has_value());
  CHECK(laws::article(*club, "penalty") == "1.2 of the club");
  CHECK(laws::article(*club, "flag") == "6.9");
  CHECK(club->repetition_automatic == 5);
}

TEST_CASE("Editions are refused with place and expectation") {
  CHECK(refusal("") == "club.yaml: the edition is empty (expected a map of names and values)");
  CHECK(refusal("id: x\ntitle: y\n") == "club.yaml:1:1: the edition has no 'categories' (expected the key 'categories')");
  CHECK(refusal(extending("lateness: {default_tim: 30m}\n")) ==
        "club.yaml:4:12: unknown key 'default_tim' in 'lateness' (expected 'default_time')");
  CHECK(refusal(extending("lateness: {default_time: 30}\n")).rfind("club.yaml:4:28: '30': a number without its unit", 0) == 0);
  CHECK(refusal(extending("illegal_move: {promotion_missing: queen}\n")).rfind("club.yaml:4:35: 'queen'", 0) == 0);
  CHECK(refusal(extending("illegal_move: {standard: {forfeit_at: 0}}\n")).find("forfeit_at of 1 or more") != std::string::npos);
  CHECK(refusal(extending("illegal_move: {standard: {forfeit_at: -1}}\n")).rfind("club.yaml:4:39:", 0) == 0);
  CHECK(refusal(extending("repetition: {claim: 1}\n")).find("less than two") != std::string::npos);
  CHECK(refusal(extending("categories: {rapid: null}\n")).find("both or neither") != std::string::npos);
  CHECK(refusal(extending("articles: {checkmat: '1'}\n")).find("(expected 'checkmate')") != std::string::npos);
  CHECK(refusal(extending("claims: {wrong: {standard: {claimant: half_capped}}}\n")).find("cap") != std::string::npos);
  CHECK(refusal("id: a\ntitle: b\nextends: fide-2032\n").rfind("club.yaml:3:10: there is no edition 'fide-2032'", 0) == 0);
  CHECK(refusal("id: a\ntitle: b\nextends: ./nowhere.yaml\n").find("there is no file nowhere.yaml") != std::string::npos);
  CHECK(refusal("title: b\nextends: fide-2023\n").find("has no 'id'") != std::string::npos);
  CHECK_THROWS_WITH(config::load_edition("fide-205"), Catch::Contains("'fide-2005'"));
}

TEST_CASE("Editions in files extend each other, relative to their own folder, but not without end") {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("referee-editions-" + std::to_string(std::hash<std::string>{}(__FILE__ REFEREE_BINARY_FOLDER)));
  fs::remove_all(folder);
  fs::create_directories(folder / "sub");
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("base.yaml", "id: base\ntitle: Base\nextends: fide-2018\nlateness: {default_time: 10m}\n");
  write("sub/own.yaml", "id: own\ntitle: Own\nextends: ../base.yaml\nflag: {unwinnable_is_draw: false}\n");
  write("loop.yaml", "id: loop\ntitle: Loop\nextends: ./loop.yaml\n");
  const auto own = config::load_edition("sub/own.yaml", folder.string());
  CHECK(own->default_time == Duration(10min));
  CHECK_FALSE(own->flag_unwinnable_is_draw);
  CHECK_THROWS_WITH(config::load_edition("./loop.yaml", folder.string()), Catch::Contains("without end"));
  fs::remove_all(folder);
}

TEST_CASE("The presets are engine practice, or the Laws, with what they change") {
  for (const char* id : {"cutechess", "fastchess", "tcec"}) {
    INFO(id);
    CHECK(edition(id).repetition_automatic == 3);
    CHECK(edition(id).no_progress_automatic_moves == 50);
    CHECK(edition(id).illegal_move[0].forfeit_at == 1);
  }
  CHECK(edition("cutechess").flag_unwinnable_is_draw);
  CHECK_FALSE(edition("fastchess").flag_unwinnable_is_draw);
  CHECK(edition("lichess").repetition_automatic == 5);
  CHECK_FALSE(edition("lichess").illegal_move[0].forfeit_at.has_value());
  CHECK(laws::categorize(edition("lichess"), base_and_increment(3min, 2s)) == Category::blitz);
  CHECK(laws::categorize(edition("lichess"), base_and_increment(10min, 0s)) == Category::rapid);
  CHECK(laws::categorize(edition("lichess"), base_and_increment(30min, 0s)) == Category::standard);
}

TEST_CASE("The table of editions has every parameter once, and '-' where an edition has no rule") {
  const config::EditionTable table = config::compare_editions({edition("fide-2005"), edition("fide-2023"), edition("engine-practice")});
  REQUIRE(table.names.size() == table.values.size());
  CHECK(std::set<std::string>(table.names.begin(), table.names.end()).size() == table.names.size());
  const auto row = [&](const std::string& name) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    REQUIRE(found != table.names.end());
    return table.values[static_cast<std::size_t>(found - table.names.begin())];
  };
  CHECK(row("illegal_move.standard.forfeit_at") == std::vector<std::string>{"3", "2", "1"});
  CHECK(row("lateness.default_time") == std::vector<std::string>{"1h", "0s", "35s"});
  CHECK(row("quickplay.increment_request.add_increment") == std::vector<std::string>{"-", "5s", "-"});
  CHECK(row("claims.wrong.standard.cap") == std::vector<std::string>{"3m", "-", "-"});
  CHECK(std::find(table.names.begin(), table.names.end(), "quickplay") == table.names.end());
}

namespace referee::config {

TEST_CASE("an edition written out stands alone and reads back to the same") {
  for (const std::string& id : edition_ids()) {
    INFO(id);
    const auto edition = load_edition(id);
    const std::string text = to_yaml(*edition);
    CHECK(text.find("extends") == std::string::npos);
    CHECK(edition_lines(*parse_edition(text, "written")) == edition_lines(*edition));
    CHECK(parse_edition(text, "written")->articles == edition->articles);
  }
  const auto own = parse_edition(
      "extends: fide-2023\nid: club\ntitle: \"The club's own\"\nlateness: {default_time: 15m}\narticles: {dead_position: null}\n",
      "club.yaml");
  const auto back = parse_edition(to_yaml(*own), "written");
  CHECK(back->title == "The club's own");
  CHECK(back->default_time == std::chrono::minutes(15));
  CHECK(edition_lines(*back) == edition_lines(*own));
  CHECK(back->articles == own->articles);
}

}  // namespace referee::config
