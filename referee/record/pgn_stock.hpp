// What a PGN file that is there already holds: games of a journal, games of others, and perhaps a record that a crash cut off. Only what
// the journal itself wrote is ever taken out of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

struct PgnStock {
  struct Range {
    std::uint64_t begin = 0, end = 0;  // bytes
  };
  std::set<std::pair<int, int>> present;   // game and attempt: of the journal, whole, in the file
  std::vector<Range> own;                  // where they stand
  bool others = false;                     // anything else but blanks
  std::optional<std::uint64_t> torn_at;    // where a record of the journal begins that was never finished; nothing follows it
  std::optional<std::string> missing_end;  // what ends somebody else's last game that has no end
};

/// `style`: in which the journal's games were written. A file that is not there holds nothing. Throws JournalError when it cannot be read.
[[nodiscard]] PgnStock take_stock(const std::string& path, const Journal& journal, const PgnStyle& style);

/// Leaves what others wrote, byte for byte; replaced at once. Throws JournalError.
void take_out_of_pgn(const std::string& path, const Journal& journal, const PgnStyle& style);

}  // namespace referee::record
