// The tables of the journal. A user may query them with any SQLite client while a match runs; the views `results` and `moves` are made
// for that. A new version adds a step to `steps`, never changes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "referee/record/sqlite.hpp"

namespace referee::record {

/// "rfre" in ASCII: tells our files from other SQLite files (PRAGMA application_id).
inline constexpr int journal_application_id = 0x72667265;

/// steps()[i] brings a file of version i (PRAGMA user_version) to version i + 1; a new file is of version 0.
[[nodiscard]] const std::vector<std::string_view>& schema_steps();
[[nodiscard]] inline int newest_schema_version() { return static_cast<int>(schema_steps().size()); }

/// Version of a file that is a journal; throws JournalError for files of other programs and of versions we do not know.
[[nodiscard]] int check_schema(sqlite::Connection& connection);
/// Nothing has been written to the file yet: its journal is just being made.
[[nodiscard]] bool is_unwritten(const std::string& path);
/// Whether the file is a journal of an earlier version: Journal::open with the right to write brings it up to date. Throws as above.
[[nodiscard]] bool is_of_older_schema(const std::string& path);
/// Brings the file to the newest version in one transaction.
void migrate(sqlite::Connection& connection, int from_version);

}  // namespace referee::record
