// The text of the table of openings that ships, as the build put it into the binary (scripts/embed_openings.cmake).
#pragma once

#include <string_view>

namespace referee::record {

[[nodiscard]] std::string_view built_in_openings_text();

}  // namespace referee::record
