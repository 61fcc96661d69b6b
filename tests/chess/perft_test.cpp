// Node counts of tests/data/perft (public lists and Stockfish's counts, see the README beside them).
// REFEREE_PERFT_LIMIT=N runs every count up to N nodes instead of the default; 0 means all of them.
#include "referee/chess/perft.hpp"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/chess/helpers.hpp"

namespace referee::chess {
namespace {

[[nodiscard]] std::uint64_t node_limit() {
  if (const char* set = std::getenv("REFEREE_PERFT_LIMIT")) {
    const std::uint64_t limit = std::strtoull(set, nullptr, 10);
    return limit == 0 ? std::numeric_limits<std::uint64_t>::max() : limit;
  }
#if defined(NDEBUG) && !defined(REFEREE_SANITIZED)
  return 1'000'000;
#else
  return 10'000;
#endif
}

void check_list(const std::string& name, std::size_t lines_expected) {
  std::ifstream in(std::string(REFEREE_SOURCE_FOLDER) + "/tests/data/perft/" + name);
  REQUIRE(in);
  const std::uint64_t limit = node_limit();
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    ++lines;
    // Lenient: some of the positions stand in checks that no game leads to.
    const auto read = parse_epd(line.substr(0, line.find(';')));
    INFO(line);
    REQUIRE(std::holds_alternative<EpdLine>(read));
    const Position& position = std::get<EpdLine>(read).position;
    std::istringstream counts(line.substr(line.find(';')));
    std::string depth;
    std::uint64_t nodes = 0;
    while (counts >> depth >> nodes) {
      INFO("depth " << depth);
      if (nodes <= limit && perft(position, std::stoi(depth.substr(2))) != nodes) FAIL_CHECK("wrong number of nodes");
    }
  }
  CHECK(lines == lines_expected);
}

TEST_CASE("perft equals every line of the standard list") { check_list("standard.epd", 442); }
TEST_CASE("perft equals every line of the Chess960 list") { check_list("chess960.epd", 1137); }

TEST_CASE("perft of depth 0 is the position itself") { CHECK(perft(Position::initial(), 0) == 1); }

TEST_CASE("divide sums to the whole") {
  // Published divide of the position known as Kiwipete at depth 1 and 2.
  const Position position = position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
  const auto counts = perft_divide(position, 2);
  CHECK(counts.size() == 48);
  std::uint64_t sum = 0;
  for (const auto& [move, nodes] : counts) {
    sum += nodes;
    if (to_uci(position, move, CastlingText::king_two_squares) == "e1c1") CHECK(nodes == 43);
    if (to_uci(position, move, CastlingText::king_two_squares) == "e2a6") CHECK(nodes == 36);
  }
  CHECK(sum == 2039);
  CHECK(perft_divide(position_of("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), 1).empty());
}

}  // namespace
}  // namespace referee::chess
