// The single decisions of the Laws, without a game around them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/laws/claims.hpp"
#include "referee/laws/endings.hpp"
#include "referee/laws/event_rules.hpp"
#include "referee/laws/mating.hpp"
#include "referee/laws/penalties.hpp"
#include "referee/laws/repetition.hpp"

namespace referee::laws {

namespace {

using namespace std::chrono_literals;

chess::Position position(std::string_view fen) {
  const auto read = chess::parse_fen(fen);
  if (!read) throw std::invalid_argument(read.error().message);
  return read.position();
}

chess::Position after(const chess::Position& before, std::string_view uci) {
  const auto read = chess::read_uci(before, uci, chess::CastlingText::king_two_squares);
  return before.after(std::get<chess::ReadMove>(read).move);
}

std::vector<std::string> replacements(std::string_view fen, std::string_view rejected) {
  const chess::Position here = position(fen);
  std::vector<std::string> names;
  for (const chess::Move move : replacement_moves(here, rejected))
    names.push_back(chess::to_uci(here, move, chess::CastlingText::king_two_squares));
  std::sort(names.begin(), names.end());
  return names;
}

using Moves = std::vector<std::string>;

clock::TimeControl control(Duration base, Duration increment = {}) { return {clock::Mode::increment, {{0, base, increment, {}}}}; }

}  // namespace

TEST_CASE("standard, rapid and blitz by the edition's bounds") {
  const auto laws_2005 = config::load_edition("fide-2005");
  const auto laws_2018 = config::load_edition("fide-2018");
  const auto practice = config::load_edition("engine-practice");
  struct Row {
    clock::TimeControl control;
    Category in_2005, in_2018;
  };
  using enum Category;
  for (const Row& row :
       {Row{control(15min), rapid, rapid}, Row{control(10min), blitz, blitz}, Row{control(10min, 5s), rapid, rapid},
        Row{control(60min), rapid, standard}, Row{control(30min, 30s), rapid, standard}, Row{control(10min, 1s), blitz, rapid},
        Row{control(61min), standard, standard}, Row{control(15min - 1s), blitz, rapid}}) {
    INFO(clock::to_text(row.control));
    CHECK(categorize(*laws_2005, row.control) == row.in_2005);
    CHECK(categorize(*laws_2018, row.control) == row.in_2018);
    CHECK(categorize(*practice, row.control) == standard);
  }
  // The sum of the periods; a last period that repeats as often as sixty moves need it; delay like increment; fixed time for sixty moves.
  CHECK(categorize(*laws_2018, {clock::Mode::increment, {{40, 8min, {}, {}}, {0, 3min, {}, {}}}}) == rapid);
  CHECK(categorize(*laws_2018, {clock::Mode::increment, {{20, 5min, {}, {}}}}) == rapid);
  CHECK(categorize(*laws_2018, {clock::Mode::increment, {{60, 10min, {}, {}}}}) == blitz);
  CHECK(categorize(*laws_2018, {clock::Mode::increment, {{40, 8min, 2s, {}}, {0, 30s, 4s, {}}}}) == rapid);
  CHECK(categorize(*laws_2018, {clock::Mode::delay, {{0, 9min, {}, 2s}}}) == rapid);
  CHECK(categorize(*laws_2018, {clock::Mode::move_time, {{0, 10s, {}, {}}}}) == blitz);
  CHECK(categorize(*laws_2018, {clock::Mode::move_time, {{0, 11s, {}, {}}}}) == rapid);
  CHECK(categorize(*laws_2018, {clock::Mode::infinite, {}}) == standard);
}

TEST_CASE("articles by subject") {
  CHECK(article(*config::load_edition("fide-2005"), "flag") == "6.10");
  CHECK(article(*config::load_edition("fide-2023"), "flag") == "6.9");
  CHECK(article(*config::load_edition("fide-2005"), "automatic_moves").empty());
  CHECK(article(*config::load_edition("fide-2023"), "no such subject").empty());
}

TEST_CASE("positions repeat only if everything 9.2 names is the same") {
  chess::Position here = chess::Position::initial();
  RepetitionHistory history(here);
  CHECK(history.occurrences() == 1);
  for (int round = 2; round <= 3; ++round) {
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"}) {
      here = after(here, move);
      history.record(here, false);
    }
    CHECK(history.occurrences() == round);
    CHECK(history.consecutive_occurrences() == round);
  }
  CHECK(history.occurrences_with(after(here, "g1f3")) == 3);
  here = after(here, "e2e4");
  history.record(here, true);
  CHECK(history.occurrences() == 1);

  SECTION("castling rights") {
    here = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    RepetitionHistory rights(here);
    for (int i = 0; i < 2; ++i) {
      for (const char* move : {"e1e2", "e8e7", "e2e1", "e7e8"}) {
        here = after(here, move);
        rights.record(here, false);
      }
    }
    CHECK(rights.occurrences() == 2);
  }
  SECTION("a detour breaks the row, not the count") {
    here = chess::Position::initial();
    RepetitionHistory detour(here);
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3d4", "f6d5", "d4f3", "d5f6", "f3g1", "f6g8"}) {
      here = after(here, move);
      detour.record(here, false);
    }
    CHECK(detour.occurrences() == 3);
    CHECK(detour.consecutive_occurrences() == 1);
  }
}

TEST_CASE("what practice calls insufficient material") {
  for (const char* fen : {"8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", "8/8/4k3/5b2/8/3K4/8/8 w - - 0 1",
                          "8/5b2/4k3/8/8/3K4/4B3/8 b - - 0 1", "8/5b2/4k3/8/8/3K4/4B1B1/8 b - - 0 1"}) {
    INFO(fen);
    CHECK(insufficient_material(position(fen)));
  }
  for (const char* fen : {"8/8/4k3/4b3/8/3K4/4B3/8 b - - 0 1", "8/8/4k3/4n3/8/3K1N2/8/8 w - - 0 1", "8/8/4k3/8/8/3K4/4N3/6N1 b - - 0 1",
                          "8/8/4k3/5n2/8/8/2K1B3/8 b - - 0 1", "8/8/4k3/8/8/3K4/4P3/8 b - - 0 1", "8/8/4k3/8/8/3K4/4R3/8 b - - 0 1",
                          "8/8/4k3/8/8/3K4/4Q3/8 b - - 0 1"}) {
    INFO(fen);
    CHECK_FALSE(insufficient_material(position(fen)));
  }
}

TEST_CASE("endings on the board come in the order of the Laws") {
  const auto edition = config::load_edition("fide-2018");
  const auto ending = [&](std::string_view fen) {
    const chess::Position here = position(fen);
    return ending_on_board(*edition, here, RepetitionHistory(here));
  };
  CHECK(ending("R5k1/8/6K1/8/8/8/8/8 b - - 150 90") == Ending::checkmate);
  CHECK(ending("7k/8/6Q1/8/8/8/8/K7 b - - 150 90") == Ending::stalemate);
  CHECK(ending("8/8/4k3/8/8/3K4/8/8 w - - 150 90") == Ending::dead_position);
  CHECK(ending("4k3/6r1/8/8/8/8/R7/4K3 w - - 150 121") == Ending::no_progress);
  CHECK(ending("4k3/6r1/8/8/8/8/R7/4K3 w - - 149 121") == Ending::none);
}

TEST_CASE("the price of a wrong claim never leaves a claimant with less than the rule says") {
  const auto edition = config::load_edition("fide-2005");
  for (Duration left = 1ms; left < 20min; left += 977ms) {
    const auto penalty = wrong_claim_penalty(*edition, Category::standard, left);
    CHECK(penalty.opponent_bonus == 3min);
    CHECK(penalty.claimant_deduction <= 3min);
    CHECK(penalty.claimant_deduction % 1ms == 0ms);
    if (left > 1min) CHECK(left - penalty.claimant_deduction >= 1min);
    if (left <= 1min) CHECK(penalty.claimant_deduction == 0ms);
    if (left > 2min && left < 6min) CHECK((left - penalty.claimant_deduction) - penalty.claimant_deduction <= 1ms);
  }
  CHECK(wrong_claim_penalty(*edition, Category::standard, Duration::max()).claimant_deduction == 0ms);
  CHECK(wrong_claim_penalty(*config::load_edition("fide-2018"), Category::blitz, 5min).claimant_deduction == 0ms);
}

TEST_CASE("which move may replace an illegal one (4.3, 4.4)") {
  SECTION("the touched piece, if it can move") {
    CHECK(replacements("startpos", "e2e5") == Moves{"e2e3", "e2e4"});
    CHECK(replacements("startpos", "b1b3") == Moves{"b1a3", "b1c3"});
    CHECK(replacements("startpos", "g1-g3") == Moves{"g1f3", "g1h3"});
  }
  SECTION("a piece that cannot move binds to nothing") {
    CHECK(replacements("startpos", "a1a5").empty());
    CHECK(replacements("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3").empty());
  }
  SECTION("castling: the king first, to the other side too; the rook is not bound") {
    CHECK(replacements("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1") == Moves{"e1c1", "e1d1", "e1d2", "e1e2"});
    CHECK(replacements("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O") == Moves{"e1c1", "e1d1", "e1d2", "e1e2"});
    CHECK(replacements("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1") == Moves{"e1c1", "e1d1", "e1d2", "e1e2"});
    CHECK(replacements("3rkr2/8/8/8/8/8/4P3/4K2R w K - 0 1", "0-0").empty());
  }
  SECTION("an illegal capture: one's own piece first, else the enemy piece by another (4.3c)") {
    // The knight is pinned and cannot take the queen; the pawn can.
    CHECK(replacements("4r1k1/8/8/3q4/4P3/8/4N3/4K3 w - - 0 1", "e2d5").empty() == false);
    CHECK(replacements("4r1k1/8/8/8/3q4/2P1N3/8/4K3 w - - 0 1", "e3d4") == Moves{"c3d4"});
    CHECK(replacements("4r1k1/8/8/8/3q4/4N3/8/4K3 w - - 0 1", "e3d4").empty());
  }
  SECTION("an enemy piece touched must be captured if it can be (4.3b)") {
    CHECK(replacements("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5d4") == Moves{"e4d5"});
    CHECK(replacements("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "d5d4") == Moves{"e5d6"});
    CHECK(replacements("startpos", "e7e5").empty());
  }
  SECTION("nothing was touched") {
    for (const char* text : {"e4e5", "", "x", "hello", "(none)"}) CHECK(replacements("startpos", text).empty());
  }
}

TEST_CASE("null moves") {
  for (const char* text : {"0000", "(none)", "none", "NULL", "null", "(null)", "@@@@"}) CHECK(is_null_move(text));
  for (const char* text : {"", "e2e4", "00000", "a1a1"}) CHECK_FALSE(is_null_move(text));
}

TEST_CASE("subjects of illegal moves") {
  const auto subject = [](const char* id, Category category, Supervision supervision) {
    const auto edition = config::load_edition(id);
    return std::string(article(*edition, illegal_move_subject(*edition, category, supervision)));
  };
  CHECK(subject("fide-2005", Category::standard, Supervision::adequate) == "7.4b");
  CHECK(subject("fide-2005", Category::rapid, Supervision::adequate) == "B6");
  CHECK(subject("fide-2005", Category::blitz, Supervision::adequate) == "C3");
  CHECK(subject("fide-2023", Category::rapid, Supervision::adequate) == "7.5.5");
  CHECK(subject("fide-2023", Category::rapid, Supervision::inadequate) == "A.5.2");
}

TEST_CASE("who can still mate, as the edition asks it") {
  const chess::Position forced = position("8/8/8/8/8/1k6/6q1/R6K w - - 0 1");
  const auto asked = [&](DeadPositionTest test) { return can_mate_under(test, forced, chess::Color::black, WinnabilityBudget::verdict()); };
  CHECK(asked(DeadPositionTest::fide) == CanMate::no);
  CHECK(asked(DeadPositionTest::material) == CanMate::yes);
  CHECK(asked(DeadPositionTest::off) == CanMate::yes);
}

TEST_CASE("default times") {
  const auto limit = [](const char* id, std::optional<Duration> event = std::nullopt) {
    return default_time(*config::load_edition(id), event);
  };
  CHECK(limit("fide-2005") == Duration(1h));
  CHECK(limit("fide-2009") == Duration(0s));
  CHECK_FALSE(limit("fide-2014"));
  CHECK(limit("fide-2014", 30min) == Duration(30min));
  CHECK(limit("engine-practice") == Duration(35s));
  CHECK(resumption_limit(*config::load_edition("fide-2005"), 5min) == Duration(1h));
  CHECK(resumption_limit(*config::load_edition("fide-2018"), 5min) == Duration(5min));
}

TEST_CASE("a claim with a move that takes or moves a pawn holds nothing") {
  const auto edition = config::load_edition("fide-2018");
  const chess::Position here = position("4k3/7r/8/8/8/8/R3P3/4K3 w - - 99 81");
  const RepetitionHistory history(here);
  const auto with = [&](std::string_view uci, DrawRule rule) {
    const auto read = chess::read_uci(here, uci, chess::CastlingText::king_two_squares);
    return claim_holds_after(*edition, rule, here, history, std::get<chess::ReadMove>(read).move);
  };
  CHECK(with("a2b2", DrawRule::no_progress));
  CHECK_FALSE(with("e2e3", DrawRule::no_progress));
  CHECK_FALSE(with("a2b2", DrawRule::repetition));
}

}  // namespace referee::laws
