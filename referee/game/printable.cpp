#include "referee/game/printable.hpp"

namespace referee::game {

std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return follows(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (!follows(1) || !follows(2)) return 0;
    const unsigned code = ((lead & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF)) return 0;
    return 3;
  }
  if (lead > 0xF4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  const unsigned code = ((lead & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU);
  return code >= 0x10000 && code <= 0x10FFFF ? 4 : 0;
}

namespace {

enum class Kind { plain, obeyed /* by a terminal */, no_text };
struct Character {
  std::size_t size = 1;  // bytes
  Kind kind = Kind::plain;
};

Character first_character(std::string_view text) noexcept {
  const auto byte = [text](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return {1, Kind::obeyed};
  if (byte(0) < 0x80) return {1, Kind::plain};
  const std::size_t size = utf8_length(text);
  if (size == 0) return {1, Kind::no_text};
  const bool c1 = byte(0) == 0xC2 && byte(1) < 0xA0;                                                   // U+0080 to U+009F
  const bool turns = byte(0) == 0xE2 && ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE)       // U+202A to U+202E
                                         || (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));  // U+2066 to U+2069
  return {size, c1 || turns ? Kind::obeyed : Kind::plain};
}

}  // namespace

bool is_printable(std::string_view text) noexcept {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.kind != Kind::plain) return false;
    text.remove_prefix(character.size);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.kind == Kind::plain)
      out += text.substr(0, character.size);
    else
      out += character.kind == Kind::obeyed ? ' ' : '?';
    text.remove_prefix(character.size);
  }
  return out;
}

std::string with_escapes(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.size);
    text.remove_prefix(character.size);
    if (character.kind == Kind::plain || bytes == "\n" || bytes == "\t") {
      out += bytes;
      continue;
    }
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\x";
      out += digits[byte >> 4U];
      out += digits[byte & 0x0FU];
    }
  }
  return out;
}

}  // namespace referee::game
