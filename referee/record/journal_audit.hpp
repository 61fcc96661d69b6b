// Does the table of games, which standings and statistics are made from, agree with the rest of its journal.
//
// Together with replay(), which holds each row against the game's start and events, this finds a row that was changed, taken away or put
// in. A journal cannot prove by itself: names, round and pair changed alike in a row and in the start it repeats; the instants at which
// games ended, and so which of two ended first; the last rows taken away, with all that belongs to them, while the match is under way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace referee::record {

/// What the table says, and what follows from everything else.
struct AuditFinding {
  int game = 0;          // 0: the journal as a whole
  int attempt = 0;       // 0: every attempt of the game
  std::string recorded;  // JSON, an object
  std::string follows;   // the same members
};

struct JournalAudit {
  std::vector<AuditFinding> findings;  // by game; at most `most_findings`
  /// The match came to an orderly stop, as always before, so whatever was over then has its end in the record.
  bool at_rest = false;
  /// Ends that were recorded and are no row's end any more. Every result that was changed after an end leaves one.
  std::int64_t ends_replaced = 0;
  static constexpr std::size_t most_findings = 1000;
};

/// Reads the journal as it stands at one instant; it may be one of a running match. Throws JournalError when it cannot be read.
[[nodiscard]] JournalAudit audit(const std::string& path);

}  // namespace referee::record
