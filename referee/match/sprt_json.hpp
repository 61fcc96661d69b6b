// How a sequential test stands, as `run --json` and the daemon's API both write it.
#pragma once

#include <boost/json.hpp>

#include "referee/stats/sprt.hpp"

namespace referee::match {

/// `ptnml`: pairs by what the first engine scored in them, from 0 to 2 points.
[[nodiscard]] boost::json::object sprt_json(const stats::SprtParameters& parameters, const stats::PairCounts& counts,
                                            const stats::SprtReport& report);

}  // namespace referee::match
