// What a PGN file that is there already holds: games of a journal, games of others, and perhaps records that a crash cut off. Only what the
// journal itself wrote is ever taken out of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/record/append_file.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

struct PgnStock {
  std::set<std::pair<int, int>> present;   // game and attempt: of the journal, in the file, whole and with the result of the journal
  std::vector<ByteRange> own;              // where they stand, in order
  std::vector<ByteRange> stale;            // records of the journal that were cut off, are void, or tell another result than it does now
  std::optional<std::string> missing_end;  // what ends somebody else's last game that has no end
};

/// `style`: in which the journal's games were written. A file that is not there holds nothing. Throws JournalError when it cannot be read.
[[nodiscard]] PgnStock take_stock(const std::string& path, const Journal& journal, const PgnStyle& style);

/// What ends the last record of a text: nothing if it ends with a line, as every record does that was not cut off.
[[nodiscard]] std::string missing_end_of(std::string_view text);

/// Takes out what the journal wrote, and leaves what others wrote, byte for byte. Returns what was there. Throws JournalError.
PgnStock take_out_of_pgn(AppendFile& file, const Journal& journal, const PgnStyle& style);
/// The same, of a file that may not be there.
void take_out_of_pgn(const std::string& path, const Journal& journal, const PgnStyle& style);

}  // namespace referee::record
