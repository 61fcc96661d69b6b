// The PGN reader and what stands on it: any text ends, within its bounds, with places that are in it; what is read is written and read
// again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

#include "referee/game/printable.hpp"
#include "referee/record/pgn_check.hpp"

namespace {

using namespace referee;
using namespace referee::record;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_bounds(const PgnGame& game, std::size_t lines) {
  const PgnLimits limits;
  require(game.line >= 1 && game.line <= lines);
  require(game.problems.size() <= limits.problems && game.tags.size() <= limits.tags && game.moves.size() <= limits.moves);
  for (const PgnProblem& problem : game.problems) require(problem.line >= 1 && problem.line <= lines && problem.column >= 1);
  for (const PgnMove& move : game.moves) require(!move.san.empty() && move.san.size() <= limits.token + 3 && move.line <= lines);
  require(game.cut_off == game.result.empty());
}

void check_tags(const PgnGame& game) {
  for (const auto& [name, value] : game.tags) {
    std::istringstream in(pgn_tag(name, value) + "\n\n*\n");
    PgnReader reader(in);
    const auto again = reader.next();
    require(again.has_value() && again->tags.size() == 1 && again->tags[0].first == name);
    require(again->tags[0].second == (game::is_printable(value) ? value : game::printable(value)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  static const PgnChecker checker(std::make_shared<laws::Edition>());
  std::istringstream in(text);
  PgnReader reader(in);
  PgnGame game;
  std::size_t number = 0;
  while (reader.next(game)) {
    require(game.number == ++number);
    check_bounds(game, lines);
    check_tags(game);
    for (const CheckProblem& problem : checker.check(game).problems) require(problem.line <= lines && !problem.text.empty());
  }
  return 0;
}
