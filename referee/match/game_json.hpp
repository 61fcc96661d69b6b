// A game's place in the record, as `run --json` and the daemon's API both write it.
#pragma once

#include <boost/json.hpp>

#include "referee/record/journal.hpp"

namespace referee::match {

/// Times in ms, instants in UTC; `result` is `*` and `reason` "aborted" where nothing decided it. Texts are made valid UTF-8.
[[nodiscard]] boost::json::object game_json(const record::GameRow& row);

}  // namespace referee::match
