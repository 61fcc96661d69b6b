#include "referee/record/json.hpp"

#include <array>
#include <charconv>

namespace referee::record {

namespace {

// Length of the well-formed UTF-8 sequence at the head of `text`, or 0 (also for the code points that stand for raw bytes).
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return follows(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (!follows(1) || !follows(2)) return 0;
    const unsigned code = ((lead & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF) || (code >= 0xF780 && code <= 0xF7FF)) return 0;
    return 3;
  }
  if (lead > 0xF4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  const unsigned code = ((lead & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU);
  return code >= 0x10000 && code <= 0x10FFFF ? 4 : 0;
}

constexpr std::string_view hex_digits = "0123456789abcdef";

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

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;  // start of what can be copied as it stands
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    std::size_t length = 1;
    bool escape = byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F;
    if (byte >= 0x80) {
      length = sequence_length(text.substr(i));
      escape = length == 0;
    }
    if (!escape) {
      i += length;
      continue;
    }
    out.append(text, plain, i - plain);
    append_escape(out, byte);
    plain = ++i;
  }
  out.append(text, plain);
  out += '"';
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : sequence_length(text.substr(i));
    if (length == 0) {  // U+F700 + byte
      out += '\xEF';
      out += static_cast<char>(0x9C | (byte >> 6U));
      out += static_cast<char>(0x80 | (byte & 0x3FU));
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

void append_decimal(std::string& out, std::int64_t value, int digits) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    out += '-';
    magnitude = ~magnitude + 1;
  }
  std::uint64_t unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  append_integer(out, magnitude / unit);
  std::uint64_t rest = magnitude % unit;
  if (rest == 0) return;
  out += '.';
  for (unit /= 10; rest != 0; unit /= 10) {
    out += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
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
