// The two events that a journal is full of (a turn begins; a move that is simply accepted), read straight from the text as fact_write.cpp
// writes them. Anything else is for the general reader.
#pragma once

#include <string_view>

#include "referee/record/fact.hpp"

namespace referee::record {

/// One JSON object without its surroundings. False, with `out` in any state, if it is not exactly one of the two in the form we write:
/// then it may be anything.
[[nodiscard]] bool scan_event(std::string_view json, EventJudged& out);

}  // namespace referee::record
