// A rating list as it is published: a table, and what has to be said below it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/stats/rating_list.hpp"
#include "referee/stats/table.hpp"

namespace referee::stats {

/// What is published. Everything named here outlives its use.
struct RatingListing {
  const RatingList& list;
  const std::vector<std::string>& names;  // by player
  const std::vector<PlayerId>& players;   // those listed, strongest first
  std::int64_t games = 0;                 // rated
  std::int64_t pairs = 0;                 // of them known as pairs
  int decimals = 1;                       // of ratings and errors
};

/// A column `group` where players of several groups are listed.
[[nodiscard]] Table rating_table(const RatingListing& listing);
/// The games and the model's estimates; groups, bounds and doubts where there are any. A paragraph each.
[[nodiscard]] std::vector<std::string> rating_notes(const RatingListing& listing);

}  // namespace referee::stats
