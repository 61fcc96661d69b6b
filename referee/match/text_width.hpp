// How much room a text takes on a terminal: Chinese characters and most pictures take two columns, accents that are written apart none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace referee::match {

/// Columns of one character, 0 to 2, after Unicode's East Asian Width (UAX #11); what is ambiguous there takes one.
[[nodiscard]] int columns_of(char32_t character) noexcept;
/// Of a text without control characters, as UTF-8; a byte that is none counts as a character.
[[nodiscard]] std::size_t columns_of(std::string_view text) noexcept;

/// The longest beginning that fits.
[[nodiscard]] std::string cut_to(std::string_view text, std::size_t columns);
enum class Side { left, right };
/// Exactly so many columns: cut, or filled with blanks on the other side.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns, Side side);

/// Control characters are shown as '?', so that nothing an engine writes can steer the terminal. Line ends and tabs stay.
[[nodiscard]] std::string harmless(std::string_view text);

}  // namespace referee::match
