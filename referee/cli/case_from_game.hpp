// A rule case for a position of a real game, as YAML to be completed by a person.
#pragma once

#include <cstddef>
#include <string>

namespace referee::cli {

struct CaseFromGame {
  std::string path;      // of the PGN
  std::size_t game = 1;  // its number in the file
  std::size_t ply = 0;   // half-moves played before the event; 0 = the start
  std::string edition;   // "": the one the game names, else fide-2023
};

/// The text of a file that `referee case` runs: the position, the clocks of [%clk], what the judge rules as it stands, and other events
/// to choose from in comments. Throws UsageError that names file, game and line.
[[nodiscard]] std::string write_case_from_game(const CaseFromGame& request);

}  // namespace referee::cli
