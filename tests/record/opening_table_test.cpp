#include "referee/record/opening_table.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "referee/chess/notation.hpp"
#include "referee/record/pgn.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;

namespace {

std::vector<chess::Move> moves_of(const std::vector<std::string>& sans) {
  std::vector<chess::Move> moves;
  chess::Position position = chess::Position::initial();
  for (const std::string& san : sans) {
    const auto read = chess::read_san(position, san);
    REQUIRE(std::holds_alternative<chess::ReadMove>(read));
    moves.push_back(std::get<chess::ReadMove>(read).move);
    position.play(moves.back());
  }
  return moves;
}

std::string name_of(const std::vector<std::string>& sans) {
  const OpeningName* name = built_in_openings().name_of(chess::Position::initial(), moves_of(sans));
  return name == nullptr ? "" : name->eco + " " + name->opening + (name->variation.empty() ? "" : ", " + name->variation);
}

std::string pgn_of(const GameStarted& start, const std::vector<std::string>& moves, const PgnStyle& style) {
  const std::vector<Fact> facts = played(start, moves);
  PgnComposer composer(start, style);
  for (const Fact& fact : facts)
    if (const auto* judged = std::get_if<EventJudged>(&fact)) composer.add(*judged);
  return composer.text(&std::get<GameEnded>(facts.back()));
}

}  // namespace

TEST_CASE("the table of openings has every code from A00 to E99", "[openings]") {
  std::set<std::string> codes;
  for (const OpeningName& name : built_in_openings().names()) codes.insert(name.eco);
  CHECK(codes.size() == 500);
  CHECK(*codes.begin() == "A00");
  CHECK(*codes.rbegin() == "E99");
}

TEST_CASE("games are named by position, whatever the order of moves", "[openings]") {
  CHECK(name_of({"e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6", "Rg1"}) == "B90 Sicilian Defence, Najdorf Variation");
  // The Queen's Gambit Declined by way of the English.
  CHECK(name_of({"c4", "e6", "Nc3", "d5", "d4", "Nf6", "Nf3", "Be7", "Bf4"}).starts_with("D37"));
  CHECK(name_of({"Nf3", "Nf6", "d4", "e6", "c4", "b6"}) == "E12 Queen's Indian Defence");
  CHECK(name_of({"e4"}) == "B00 King's Pawn Game");
  CHECK(name_of({}).empty());
}

TEST_CASE("the codes agree with another classification", "[openings]") {
  const std::string theirs = "/usr/share/pgn-extract/eco.pgn";
  if (!std::filesystem::exists(theirs)) {
    WARN("pgn-extract's eco.pgn is not installed: codes are not compared");
    return;
  }
  std::ifstream in(theirs);
  PgnReader reader(in);
  PgnGame game;
  int lines = 0;
  int same = 0;
  while (reader.next(game)) {
    const auto code = game.tag("ECO");
    if (!code || game.moves.empty()) continue;
    std::vector<std::string> sans;
    for (const PgnMove& move : game.moves) sans.push_back(move.san);
    ++lines;
    if (name_of(sans).substr(0, 3) == code->substr(0, 3)) ++same;
  }
  // The two differ where a line transposes into another code's, or where the boundary between neighbours is drawn differently.
  CHECK(lines > 2000);
  CHECK(same >= lines * 99 / 100);
}

TEST_CASE("PGN names the opening, and does not when told so", "[openings]") {
  const GameStarted start = started(1);
  const std::vector<std::string> najdorf = {"e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"};
  const std::string with = pgn_of(start, najdorf, {});
  CHECK_THAT(with, Catch::Contains("[ECO \"B90\"]\n") && Catch::Contains("[Opening \"Sicilian Defence\"]\n") &&
                       Catch::Contains("[Variation \"Najdorf Variation\"]\n"));
  PgnStyle style;
  style.openings = false;
  CHECK_THAT(pgn_of(start, najdorf, style), !Catch::Contains("[ECO") && !Catch::Contains("[Opening"));
  // The book's moves count too.
  GameStarted from_book = start;
  from_book.setup.opening_moves = {"d2d4", "d7d5", "c2c4", "c7c6"};
  CHECK_THAT(pgn_of(from_book, {"g1f3"}, {}), Catch::Contains("[ECO \"D11\"]"));
}

TEST_CASE("a table with a mistake names its line", "[openings]") {
  const auto refusal = [](std::string_view text) {
    try {
      const OpeningTable table(text);
      return std::string();
    } catch (const OpeningTableError& error) { return std::string(error.what()); }
  };
  CHECK(refusal("# remark\nA00\tPolish\t\tb4\n").empty());
  CHECK_THAT(refusal("A00\tPolish\t\tb4\nF00\tNone\t\tb3\n"), Catch::Contains("line 2") && Catch::Contains("A00 to E99"));
  CHECK_THAT(refusal("A00\tPolish\t\tb5\n"), Catch::Contains("line 1") && Catch::Contains("b5"));
  CHECK_THAT(refusal("A00\tPolish\t\tb4\nA00\tSokolsky\t\tb4\n"), Catch::Contains("line 2: ends in the position of A00 Polish"));
  CHECK_THAT(refusal("A00\tPolish\n"), Catch::Contains("line 1"));
}

TEST_CASE("moves are written in the notation asked for, comments in the parts asked for", "[pgn]") {
  const GameStarted start = started(1);
  const std::vector<Fact> facts = played(start, {"g1f3", "d7d5", "e2e3", "c8g4", "f1b5"}, true);
  const auto text = [&](const PgnStyle& style) {
    PgnComposer composer(start, style);
    for (const Fact& fact : facts)
      if (const auto* judged = std::get_if<EventJudged>(&fact)) composer.add(*judged);
    const std::string pgn = composer.text(&std::get<GameEnded>(facts.back()));
    return pgn.substr(pgn.find("\n\n") + 2);
  };
  PgnStyle style;
  style.comments = PgnComments::none;
  CHECK_THAT(text(style), Catch::StartsWith("1. Nf3 d5 2. e3 Bg4 3. Bb5+ "));
  style.notation = PgnNotation::lan;
  CHECK_THAT(text(style), Catch::StartsWith("1. Ng1-f3 d7-d5 2. e2-e3 Bc8-g4 3. Bf1-b5+ "));
  style.notation = PgnNotation::uci;
  CHECK_THAT(text(style), Catch::StartsWith("1. g1f3 d7d5 2. e2e3 c8g4 3. f1b5 "));
  PgnStyle parts;
  parts.eval = parts.clock = false;
  CHECK_THAT(text(parts), Catch::Contains("{[%emt 0:00:00.123]}") && !Catch::Contains("%eval") && !Catch::Contains("%clk"));
  parts.used = false;
  parts.nodes = true;
  CHECK_THAT(text(parts), Catch::StartsWith("1. Nf3 {n=100000} 1... d5 {n=100001}"));
}
