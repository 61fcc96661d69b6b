// What of an engine's thinking lines goes into the record of its move.
#pragma once

#include <vector>

#include "engine_iface/protocol.hpp"
#include "referee/record/fact.hpp"

namespace referee::match {

/// The last line that tells a score, else the last one; null if there is none.
[[nodiscard]] const engine::SearchInfo* telling(const std::vector<engine::SearchInfo>& infos);
[[nodiscard]] record::SearchReport report_of(const engine::SearchInfo& info);

}  // namespace referee::match
