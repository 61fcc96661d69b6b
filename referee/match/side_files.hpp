// Files that a match writes beside its journal, and which of those that are there are its own.
#pragma once

#include <string>

#include "config/match_file.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// Before a match starts: throws record::JournalError if one of its files cannot stand where the match file wants it.
void check_output_files(const config::Output& output);

/// Takes out what the match of this journal has written into its PGN, its stream of events and its folder of faults; what others wrote
/// stays. False if others wrote into the stream, which then stays as it is. Throws record::JournalError.
[[nodiscard]] bool take_out_old_match(const config::Output& output, const record::Journal& old);

/// "3 games of this event between these engines stand in games.pgn"; empty if there are none, or no PGN.
[[nodiscard]] std::string games_in_pgn(const config::MatchFile& file);

}  // namespace referee::match
