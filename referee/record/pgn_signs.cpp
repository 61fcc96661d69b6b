#include "referee/record/pgn_signs.hpp"

#include <algorithm>
#include <array>

namespace referee::record {

namespace {

constexpr std::array<Sign, 9> plain_signs{
    {{"+/-", 16}, {"-/+", 17}, {"+/=", 14}, {"=/+", 15}, {"+-", 18}, {"-+", 19}, {"+=", 14}, {"=+", 15}, {"=", 10}}};
constexpr std::array<Sign, 18> printed_signs{{
    {"\xC2\xB1", 16},       // plus-minus
    {"\xE2\x88\x93", 17},   // minus-plus
    {"\xE2\xA9\xB2", 14},   // plus over equals
    {"\xE2\xA9\xB1", 15},   // equals over plus
    {"\xE2\x88\x9E", 13},   // infinity: unclear
    {"\xE2\x96\xA1", 7},    // square: the only move
    {"\xE2\xAF\xB9", 0},    // with compensation
    {"\xE2\x89\x88", 0},    // its common stand-in
    {"\xE2\xA8\x80", 0},    // zugzwang
    {"\xE2\x97\x8B", 0},    // space
    {"\xE2\x9F\xB3", 0},    // development
    {"\xE2\x86\x91", 0},    // initiative
    {"\xE2\x86\x92", 0},    // attack
    {"\xE2\x87\x86", 0},    // counterplay
    {"\xE2\x8A\x95", 0},    // time pressure
    {"\xE2\xA8\x81", 0},    // the same, as others print it
    {"\xE2\x88\x86", 140},  // with the idea
    {"\xE2\x8C\x93", 142},  // better is
}};
constexpr Sign plus_minus_of_latin_1{"\xB1", 16};

}  // namespace

const Sign* sign_at_end(std::string_view token) noexcept {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (token.empty()) return nullptr;
  if (is_ascii(token.back())) {
    const auto* const found = std::find_if(plain_signs.begin(), plain_signs.end(), [&](const Sign& sign) { return sign.text == token; });
    return found == plain_signs.end() ? nullptr : found;
  }
  const auto* const found =
      std::find_if(printed_signs.begin(), printed_signs.end(), [&](const Sign& sign) { return token.ends_with(sign.text); });
  if (found != printed_signs.end()) return found;
  const bool alone = token.size() == 1 || is_ascii(token[token.size() - 2]);
  return alone && token.ends_with(plus_minus_of_latin_1.text) ? &plus_minus_of_latin_1 : nullptr;
}

bool is_judgement(std::string_view token) noexcept { return token != "--" && token.find_first_not_of("+-=/") == std::string_view::npos; }

bool is_mark(std::string_view token) noexcept { return token == "N" || token == "D"; }

bool goes_on_as_move(std::string_view text) noexcept {
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const auto at = [&](std::size_t i) { return start + i < text.size() ? text[start + i] : '\0'; };
  const auto is_file = [](char c) { return c >= 'a' && c <= 'h'; };
  const auto is_rank = [](char c) { return c >= '1' && c <= '8'; };
  return at(0) == 'x' || ((is_file(at(0)) || is_rank(at(0))) && (is_file(at(1)) || at(1) == 'x')) || (is_file(at(0)) && is_rank(at(1)));
}

}  // namespace referee::record
