// A player of a rating list, as every --json and the daemon's API write it.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

#include "referee/stats/rating_list.hpp"

namespace referee::match {

/// The player at `place` (from 0) of those shown, in their order. `name`: valid UTF-8. What is unknown is null.
[[nodiscard]] boost::json::object rated_json(const stats::RatingList& list, const std::vector<stats::PlayerId>& shown, std::size_t place,
                                             std::string_view name);

}  // namespace referee::match
