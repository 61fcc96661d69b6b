// EPD lines: four fields of a position and its operations.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::record {

/// `<four fields> hmvc N; fmvn N; opcode "text"; ...` with its line end. Quotes and control characters in texts are replaced.
void append_epd(std::string& out, const chess::Position& position, const std::vector<std::pair<std::string_view, std::string>>& texts);

}  // namespace referee::record
