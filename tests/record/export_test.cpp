#include "referee/record/export.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "referee/chess/fen.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;

namespace {

/// A journal with games of 1, 2, 3 ... random half-moves that end in the order 2, 1, 4, 3 ...
std::string journal_of(const TempFolder& folder, int games) {
  const std::string path = folder.file("match.sqlite");
  const auto journal = Journal::open(path, Journal::Mode::create_new);
  for (int i = 1; i <= games; ++i) {
    const int number = (i - 1) % 2 == 0 && i < games ? i + 1 : i % 2 == 0 ? i - 1 : i;
    journal->write(played(started(number), random_moves(static_cast<std::uint64_t>(number), static_cast<std::size_t>(number)), true));
  }
  return path;
}

std::string exported(const std::string& path, const ExportFilter& filter, ExportOrder order, ExportForm form, unsigned threads,
                     const PgnStyle& style = {}) {
  std::vector<GameRow> rows = Journal::open(path, Journal::Mode::read_only)->attempts();
  std::erase_if(rows, [&](const GameRow& row) { return !filter.passes(row); });
  sort_rows(rows, order);
  std::string out;
  export_games({path, {form}, style, threads}, rows, [&](std::size_t, std::string_view text) { out += text; });
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("many games are exported as one by one, in the order asked for, on any number of threads", "[export]") {
  const TempFolder folder;
  const std::string path = journal_of(folder, 150);
  const auto journal = Journal::open(path, Journal::Mode::read_only);
  std::string one_by_one;
  for (const GameRow& row : journal->attempts()) one_by_one += to_pgn(*journal->game(row.game, row.attempt), {});
  for (const unsigned threads : {1U, 3U}) CHECK(exported(path, {}, ExportOrder::ended, ExportForm::pgn, threads) == one_by_one);

  std::istringstream in(exported(path, {}, ExportOrder::number, ExportForm::pgn, 2));
  PgnReader reader(in);
  std::size_t expected = 0;
  while (const auto game = reader.next()) {
    ++expected;
    CHECK(game->tag("Round") == std::to_string((expected + 1) / 2) + "." + std::to_string(expected));
  }
  CHECK(expected == 150);
}

TEST_CASE("filters of an export", "[export]") {
  const TempFolder folder;
  const std::string path = journal_of(folder, 12);
  const auto count = [&](const ExportFilter& filter) {
    return lines_of(exported(path, filter, ExportOrder::number, ExportForm::epd, 1)).size();
  };
  CHECK(count({}) == 12);
  CHECK(count({.engines = {"Anand"}, .results = {}, .reasons = {}, .rounds = {}, .games = {}}) == 12);
  CHECK(count({.engines = {"Nobody"}, .results = {}, .reasons = {}, .rounds = {}, .games = {}}) == 0);
  CHECK(count({.engines = {}, .results = {}, .reasons = {"resignation"}, .rounds = {}, .games = {}}) == 12);
  CHECK(count({.engines = {}, .results = {}, .reasons = {"checkmate"}, .rounds = {}, .games = {}}) == 0);
  CHECK(count({.engines = {}, .results = {}, .reasons = {}, .rounds = {2, 3}, .games = {}}) == 4);
  CHECK(count({.engines = {}, .results = {}, .reasons = {}, .rounds = {}, .games = {7}}) == 1);
  // After an odd number of half-moves it is Black who resigns.
  CHECK(count({.engines = {}, .results = {"1-0"}, .reasons = {}, .rounds = {}, .games = {}}) == 6);
}

TEST_CASE("final positions as EPD", "[export]") {
  const TempFolder folder;
  const std::string path = folder.file("match.sqlite");
  GameStarted start = started(1);
  start.setup.opening_moves = {"e2e4"};
  Journal::open(path, Journal::Mode::create_new)->write(played(start, {"e7e5", "g1f3"}));
  const std::string line = exported(path, {}, ExportOrder::ended, ExportForm::epd, 1);
  CHECK_THAT(line, Catch::StartsWith(
                       "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 1; fmvn 2; id \"game 1: Anand - Bronstein 1-0\";"));
  const auto read = chess::parse_epd(lines_of(line)[0], chess::FenReading::strict);
  REQUIRE(std::holds_alternative<chess::EpdLine>(read));
  CHECK(chess::to_fen(std::get<chess::EpdLine>(read).position) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

TEST_CASE("moves as CSV", "[export]") {
  const TempFolder folder;
  const std::string path = folder.file("match.sqlite");
  GameStarted start = started(1);
  start.white = "Fire, \"8\"";
  start.setup.opening_moves = {"e2e4"};
  Journal::open(path, Journal::Mode::create_new)->write(played(start, {"e7e5", "g1f3"}, true));
  const auto lines = lines_of(std::string(csv_head()) + exported(path, {}, ExportOrder::ended, ExportForm::csv, 1));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "game,round,white,black,result,ply,side,san,uci,source,used_ms,remaining_ms,centipawns,mate,depth,nodes");
  CHECK(lines[1] == "1,1,\"Fire, \"\"8\"\"\",Bronstein,1-0,1,white,e4,e2e4,book,,,,,,");
  // 123.456789 ms of a minute, and 0.1 s for the move.
  CHECK(lines[2] == "1,1,\"Fire, \"\"8\"\"\",Bronstein,1-0,2,black,e5,e7e5,engine,123.456,59976.543,31,,10,100000");
}
