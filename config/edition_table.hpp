// The parameters of an edition as lines of text, for tables and reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "referee/laws/edition.hpp"

namespace referee::config {

/// Name ("illegal_move.standard.forfeit_at") and value ("2", "2m", "yes", "queen_placed", "-" where the edition has none), in the files'
/// order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> edition_lines(const laws::Edition& edition);

/// One row a parameter, one column an edition; a parameter of a rule that an edition does not have is "-".
struct EditionTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> values;  // [row][edition]
};
[[nodiscard]] EditionTable compare_editions(const std::vector<laws::Edition>& editions);

}  // namespace referee::config
