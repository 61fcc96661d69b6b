#include "referee/match/text_width.hpp"

#include <algorithm>
#include <array>

namespace referee::match {

namespace {

struct Range {
  char32_t from, to;
};

/// Combining marks and format characters of the scripts that names are written in.
constexpr std::array no_columns{Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A},
                                Range{0x064B, 0x065F}, Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E},
                                Range{0x1AB0, 0x1ACE}, Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200F}, Range{0x202A, 0x202E},
                                Range{0x2060, 0x2064}, Range{0x20D0, 0x20F0}, Range{0x302A, 0x302D}, Range{0x3099, 0x309A},
                                Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0xE0100, 0xE01EF}};
/// Wide and Fullwidth of UAX #11.
constexpr std::array two_columns{Range{0x1100, 0x115F},   Range{0x2E80, 0x3029},   Range{0x302E, 0x303E},   Range{0x3041, 0x3098},
                                 Range{0x309B, 0x33FF},   Range{0x3400, 0x4DBF},   Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97C},
                                 Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF01, 0xFF60},
                                 Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F320}, Range{0x1F330, 0x1F335}, Range{0x1F337, 0x1F37C},
                                 Range{0x1F3A0, 0x1F3CA}, Range{0x1F3E0, 0x1F3F0}, Range{0x1F400, 0x1F43E}, Range{0x1F442, 0x1F4FC},
                                 Range{0x1F5FB, 0x1F64F}, Range{0x1F680, 0x1F6C5}, Range{0x1F910, 0x1F93A}, Range{0x1F947, 0x1F9FF},
                                 Range{0x20000, 0x2FFFD}, Range{0x30000, 0x3FFFD}};

template <std::size_t Count>
bool lies_in(const std::array<Range, Count>& ranges, char32_t character) noexcept {
  const auto after = std::ranges::upper_bound(ranges, character, {}, &Range::from);
  return after != ranges.begin() && character <= std::prev(after)->to;
}

constexpr char32_t not_utf8 = 0xFFFD;

struct Character {
  char32_t value = 0;
  std::size_t bytes = 1;
};

/// The first of a text that is not empty. What is no UTF-8 is a character of one byte.
Character first_of(std::string_view text) noexcept {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t bytes = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (bytes == 1 || text.size() < bytes) return {lead < 0x80 ? char32_t{lead} : not_utf8, 1};
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {not_utf8, 1};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  return {value, bytes};
}

}  // namespace

int columns_of(char32_t character) noexcept { return lies_in(no_columns, character) ? 0 : lies_in(two_columns, character) ? 2 : 1; }

std::size_t columns_of(std::string_view text) noexcept {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_of(text);
    columns += static_cast<std::size_t>(columns_of(character.value));
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string cut_to(std::string_view text, std::size_t columns) {
  std::size_t taken = 0;
  for (std::size_t used = 0; taken < text.size();) {
    const Character character = first_of(text.substr(taken));
    used += static_cast<std::size_t>(columns_of(character.value));
    if (used > columns) break;
    taken += character.bytes;
  }
  return std::string(text.substr(0, taken));
}

std::string fitted(std::string_view text, std::size_t columns, Side side) {
  std::string out = cut_to(text, columns);
  const std::string blanks(columns - columns_of(out), ' ');
  return side == Side::left ? out + blanks : blanks + out;
}

std::string harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_of(text);
    const char32_t value = character.value;
    const bool controls = (value < 0x20 && value != '\n' && value != '\t') || (value >= 0x7F && value < 0xA0);
    // What turns the rest of a line around is no letter of a name; what is no UTF-8 may be a control to a terminal of 8 bits.
    const bool turns = (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
    if (controls || turns || value == not_utf8)
      out += '?';
    else
      out.append(text.substr(0, character.bytes));
    text.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace referee::match
