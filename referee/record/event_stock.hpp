// What a stream of events that is there already holds: lines of a journal's match, and perhaps lines of others.
#pragma once

#include <string>

#include "referee/record/journal.hpp"

namespace referee::record {

/// Empties the stream at the path if the journal's match alone has written there; a file that is not there is empty. False if there is a
/// line of somebody else: lines do not tell whose game they are of, so everything stays. Throws JournalError.
[[nodiscard]] bool take_out_of_events(const std::string& path, const Journal& journal);

}  // namespace referee::record
