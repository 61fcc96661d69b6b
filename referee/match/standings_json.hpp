// How a match stands, as `run --json` and the daemon's API both write it. Names are made valid UTF-8, points are whole ones.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "referee/match/plan.hpp"
#include "referee/match/standings.hpp"

namespace referee::match {

[[nodiscard]] boost::json::object standing_json(const StandingsRow& row);

/// `byes` if somebody got points without play; of a knockout `bracket` and `winner`, null while it is open. `engines`: names, by the
/// indices of the course.
void put_course(boost::json::object& out, const Course& course, const std::vector<std::string>& engines, config::ScheduleKind kind);

}  // namespace referee::match
