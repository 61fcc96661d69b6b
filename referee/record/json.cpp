#include "referee/record/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "referee/game/printable.hpp"

namespace referee::record {

namespace {

// As utf8_length, but none of the code points that stand for raw bytes: U+F780 to U+F7FF.
std::size_t sequence_length(std::string_view text) noexcept {
  const std::size_t length = game::utf8_length(text);
  if (length != 3 || text[0] != '\xEF') return length;
  const bool stands_for_a_byte = text[1] == '\x9E' || text[1] == '\x9F';
  return stands_for_a_byte ? 0 : length;
}

constexpr std::string_view hex_digits = "0123456789abcdef";

constexpr std::array<bool, 256> plain = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) table[c] = c != '"' && c != '\\';
  return table;
}();

void append_escape(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  out += byte < 0x80 ? "\\u00" : "\\uf7";
  out += hex_digits[byte >> 4U];
  out += hex_digits[byte & 15U];
}

/// U+F700 + byte.
void append_stand_in(std::string& out, unsigned char byte) {
  out += '\xEF';
  out += static_cast<char>(0x9C | (byte >> 6U));
  out += static_cast<char>(0x80 | (byte & 0x3FU));
}

/// Would a terminal obey it, though JSON allows it: DEL, C1, marks that turn a line around?
bool is_obeyed(std::string_view sequence) noexcept {
  const char lead = sequence.front();
  return lead == '\x7F' || ((lead == '\xC2' || lead == '\xE2') && !game::is_printable(sequence));
}

/// \u and four digits. Needs: up to three bytes of UTF-8.
void append_code_point(std::string& out, std::string_view sequence) {
  unsigned code = static_cast<unsigned char>(sequence.front());
  if (sequence.size() > 1) code &= sequence.size() == 2 ? 0x1FU : 0x0FU;
  for (const char c : sequence.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  out += "\\u";
  for (unsigned shift = 16; shift > 0; shift -= 4) out += hex_digits[(code >> (shift - 4)) & 15U];
}

}  // namespace

std::string for_output(std::string json) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F; };
  if (std::all_of(json.begin(), json.end(), is_plain)) return json;
  std::string out;
  out.reserve(json.size());
  for (std::string_view rest = json; !rest.empty();) {
    const std::size_t length = is_plain(rest.front()) || rest.front() == '\x7F' ? 1 : game::utf8_length(rest);
    const std::string_view sequence = rest.substr(0, std::max<std::size_t>(1, length));
    if (length == 0)
      append_stand_in(out, static_cast<unsigned char>(rest.front()));
    else if (is_obeyed(sequence))
      append_code_point(out, sequence);
    else
      out += sequence;
    rest.remove_prefix(sequence.size());
  }
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && plain[static_cast<unsigned char>(text[i])]) ++i;
  if (i == text.size() && text.size() <= 62) {  // nearly always
    std::array<char, 64> quoted;
    quoted[0] = '"';
    text.copy(&quoted[1], text.size());
    quoted[text.size() + 1] = '"';
    out.append(quoted.data(), text.size() + 2);
    return;
  }
  out += '"';
  std::size_t copied = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = plain[byte] ? 1 : byte < 0x80 ? 0 : sequence_length(text.substr(i));
    const bool obeyed = length > 1 && is_obeyed(text.substr(i, length));
    if (length > 0 && !obeyed) {
      i += length;
      continue;
    }
    out.append(text, copied, i - copied);
    if (obeyed)
      append_code_point(out, text.substr(i, length));
    else
      append_escape(out, byte);
    i += obeyed ? length : 1;
    copied = i;
  }
  out.append(text, copied);
  out += '"';
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : sequence_length(text.substr(i));
    if (length == 0) {
      append_stand_in(out, byte);
      ++i;
    } else {
      out.append(text, i, length);
      i += length;
    }
  }
  return out;
}

std::string restore_bytes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    // U+F780..U+F7FF is EF 9E 80 .. EF 9F BF.
    if (static_cast<unsigned char>(text[i]) == 0xEF && i + 2 < text.size()) {
      const auto second = static_cast<unsigned char>(text[i + 1]);
      if (second == 0x9E || second == 0x9F) {
        const unsigned code = 0xF000U | ((second & 0x3FU) << 6U) | (static_cast<unsigned char>(text[i + 2]) & 0x3FU);
        if (code >= 0xF780) {
          out += static_cast<char>(code & 0xFFU);
          i += 2;
          continue;
        }
      }
    }
    out += text[i];
  }
  return out;
}

void append_integer(std::string& out, std::int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_integer(std::string& out, std::uint64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_real(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_decimal(std::string& out, std::int64_t value, int digits) {
  std::array<char, 32> text;
  char* at = text.data();
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *at++ = '-';
    magnitude = ~magnitude + 1;
  }
  constexpr std::array<std::uint32_t, 10> units{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
  const std::uint32_t unit = units[static_cast<std::size_t>(digits)];
  at = std::to_chars(at, text.data() + text.size(), magnitude / unit).ptr;
  if (auto rest = static_cast<std::uint32_t>(magnitude % unit); rest != 0) {
    *at = '.';
    for (int i = digits; i > 0; --i, rest /= 10) at[i] = static_cast<char>('0' + rest % 10);
    at += digits;
    while (*at == '0') --at;
    ++at;
  }
  out.append(text.data(), static_cast<std::size_t>(at - text.data()));
}

void append_ms(std::string& out, clock::Duration duration) {
  const std::int64_t ns = duration.count();
  if (duration == clock::Duration::max()) {
    out += "null";
  } else if (ns >= exact_number_ns || ns <= -exact_number_ns) {
    out += '"';
    append_decimal(out, ns, 6);
    out += '"';
  } else {
    append_decimal(out, ns, 6);
  }
}

}  // namespace referee::record
