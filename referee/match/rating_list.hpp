// Ratings of a match's engines from a list: CSV with the columns player and rating, or JSON, an array of objects with these names; the
// forms that `referee rate` writes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/match_file.hpp"

namespace referee::match {

/// By player; of one named twice the first counts. Who has no rating there but a bound (">2457.9"), "?" or null is left out. Throws
/// std::runtime_error: what is wrong, with the line where it is a CSV list.
[[nodiscard]] std::map<std::string, double, std::less<>> parse_rating_list(std::string_view text);

/// By engine of the match, from schedule.ratings; nullopt where the list does not know it, or there is no list. Throws
/// config::ConfigException (place: the schedule's) when the list cannot be read.
[[nodiscard]] std::vector<std::optional<double>> ratings_of(const config::MatchFile& file);

}  // namespace referee::match
