// Text of PGN files of other programs: the standard says Latin-1 (PGN 4.1), most write UTF-8, some the Windows character set.
#pragma once

#include <string>
#include <string_view>

namespace referee::record {

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;
/// What is no UTF-8 as a whole is read as Latin-1, with Windows-1252 in the place of the control characters 80 to 9F.
[[nodiscard]] std::string to_utf8(std::string_view text);

}  // namespace referee::record
