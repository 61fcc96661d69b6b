// What Syzygy tables end. The tables are no part of the project: REFEREE_DATA names the folder whose syzygy/ holds those of 3 and 4 men.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "referee/chess/fen.hpp"
#include "referee/match/tablebase.hpp"
#include "tests/match/process.hpp"

using namespace referee;

namespace {

std::string table_folder() {
  const char* data = std::getenv("REFEREE_DATA");
  if (data == nullptr || !std::filesystem::is_directory(std::string(data) + "/syzygy")) {
    WARN("REFEREE_DATA does not name a folder with syzygy/: not tested");
    return {};
  }
  return std::string(data) + "/syzygy";
}

std::optional<game::Score> probe(const match::Tablebase& tables, const config::Syzygy& settings, const std::string& fen) {
  return tables.probe(chess::parse_fen(fen).position(), settings);
}

}  // namespace

TEST_CASE("known endings are what the books say", "[tablebase]") {
  const std::string folder = table_folder();
  if (folder.empty()) return;
  config::Syzygy settings;
  settings.path = folder;
  settings.pieces = 4;
  const auto tables = match::Tablebase::open(settings);
  CHECK(tables->most_pieces() == 4);
  // King and pawn: the square of the pawn, the opposition, the rook's pawn.
  CHECK(probe(*tables, settings, "8/8/8/7k/P7/8/8/K7 w - - 0 1") == game::white_wins);
  CHECK(probe(*tables, settings, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1") == game::white_wins);
  CHECK(probe(*tables, settings, "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1") == game::draw);
  CHECK(probe(*tables, settings, "k7/8/1K6/P7/8/8/8/8 w - - 0 1") == game::draw);
  // Bishop and knight win, two knights do not.
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/KBN5 b - - 0 1") == game::white_wins);
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/KNN5 w - - 0 1") == game::draw);
  // Black to move and winning.
  CHECK(probe(*tables, settings, "8/8/8/8/8/k7/7q/1K6 b - - 0 1") == game::black_wins);
  // A win counts right after a capture or pawn move, a draw always.
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/KBN5 b - - 7 20") == std::nullopt);
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/KNN5 w - - 7 20") == game::draw);
  settings.ignore_50 = true;
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/KBN5 b - - 7 20") == game::white_wins);
  // Castling, too many men, no such table.
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/4K2R w K - 0 1") == std::nullopt);
  CHECK(probe(*tables, settings, "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1") == std::nullopt);
  settings.pieces = 3;
  CHECK(probe(*tables, settings, "4k3/8/8/8/8/8/8/KNN5 w - - 0 1") == std::nullopt);
}

TEST_CASE("a folder without tables is refused", "[tablebase]") {
  const test::ScratchFolder folder;
  config::Syzygy settings;
  settings.path = folder.path().string();
  CHECK_THROWS_WITH(match::Tablebase::open(settings), Catch::Contains("no tables in") || Catch::Contains("while another match uses"));
}

TEST_CASE("games that the tables know are ended", "[tablebase]") {
  const std::string tables = table_folder();
  if (tables.empty()) return;
  const test::ScratchFolder folder;
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto takes = folder.write("t.txt", "# protocol uci\n> go\n< bestmove e3d4\n");
  // White takes the last black piece but the king: bishop and knight against the king.
  folder.write("b.epd", "7k/8/8/8/3n4/4B3/8/KN6 w - -\n");
  const auto file = folder.write("m.yaml", "time_control: 20+0.2\nadjudication: {syzygy: {path: " + tables +
                                               ", pieces: 4}}\nschedule: {kind: match, games: 1}\nopenings: b.epd\nengines:\n" +
                                               test::engine_line("A", takes) + test::engine_line("B", script) + "output: {folder: out}\n");
  REQUIRE(test::run(folder, {"run", file}) == 0);
  CHECK(test::results_of(*test::journal_of(folder)) == std::vector<std::string>{"1 A-B 1-0 adjudication_tablebase 1"});
  CHECK(folder.read("out/games.pgn").find("[Termination \"adjudication\"]") != std::string::npos);
  CHECK(test::run(folder, {"replay", folder.file("out/match.sqlite")}) == 0);
}
