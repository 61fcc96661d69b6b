// JSON for standard output.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "referee/record/json.hpp"

namespace referee::cli {

/// Valid UTF-8 whatever bytes an engine wrote into it (record/json.hpp says how they are shown), and nothing that a terminal obeys.
[[nodiscard]] inline std::string json_text(const boost::json::value& value) { return record::for_output(boost::json::serialize(value)); }

}  // namespace referee::cli
