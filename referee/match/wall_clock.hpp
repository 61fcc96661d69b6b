// The time of day, for the record; no decision is taken by it.
#pragma once

#include <chrono>

#include "referee/record/fact.hpp"

namespace referee::match {

[[nodiscard]] inline record::WallTime wall_now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace referee::match
