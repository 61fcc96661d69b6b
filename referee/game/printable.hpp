// Text of engines and of the network, for people: what a terminal would obey never reaches it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace referee::game {

/// Bytes of the well-formed UTF-8 sequence at the head of `text` that stands for a code point beyond ASCII; 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

/// One line of valid UTF-8: control characters (C0, DEL, C1) and marks that turn a line around (UAX #9) become blanks, bytes that are no
/// UTF-8 question marks.
[[nodiscard]] std::string printable(std::string_view text);
/// Is it printable already?
[[nodiscard]] bool is_printable(std::string_view text) noexcept;
/// Lines as they are, but for the same characters and bytes, which are written \x1B.
[[nodiscard]] std::string with_escapes(std::string_view text);

}  // namespace referee::game
