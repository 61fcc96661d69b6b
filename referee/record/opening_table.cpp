#include "referee/record/opening_table.hpp"

#include <algorithm>
#include <array>

#include "referee/chess/notation.hpp"
#include "referee/record/built_in_openings.hpp"

namespace referee::record {

namespace {

bool is_eco(std::string_view code) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return code.size() == 3 && code[0] >= 'A' && code[0] <= 'E' && digit(code[1]) && digit(code[2]);
}

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
  throw OpeningTableError("openings, line " + std::to_string(line) + ": " + what);
}

std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace

OpeningTable::OpeningTable(std::string_view text) {
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    std::string_view line = next_part(text, '\n');
    if (line.empty() || line.front() == '#') continue;
    std::array<std::string_view, 3> columns;
    for (std::string_view& column : columns) column = next_part(line, '\t');
    if (!is_eco(columns[0])) refuse(line_number, "'" + std::string(columns[0]) + "' is no ECO code (expected A00 to E99)");
    if (columns[1].empty() || line.empty()) refuse(line_number, "expected code, opening, variation and moves between tabs");
    chess::Position position = chess::Position::initial();
    std::size_t plies = 0;
    while (!line.empty()) {
      const std::string_view san = next_part(line, ' ');
      const chess::MoveText read = chess::read_san(position, san);
      if (const auto* error = std::get_if<chess::MoveTextError>(&read)) refuse(line_number, error->message);
      position.play(std::get<chess::ReadMove>(read).move);
      ++plies;
    }
    const auto [there, added] = by_position_.try_emplace(position.key(), static_cast<std::uint32_t>(names_.size()));
    if (!added)
      refuse(line_number, "ends in the position of " + names_[there->second].eco + " " + names_[there->second].opening + ", " +
                              names_[there->second].variation);
    names_.push_back({std::string(columns[0]), std::string(columns[1]), std::string(columns[2])});
    deepest_ = std::max(deepest_, plies);
  }
}

const OpeningName* OpeningTable::find(const chess::Position& position) const noexcept {
  const auto found = by_position_.find(position.key());
  return found == by_position_.end() ? nullptr : &names_[found->second];
}

const OpeningName* OpeningTable::name_of(const chess::Position& start, const std::vector<chess::Move>& moves) const noexcept {
  chess::Position position = start;
  const OpeningName* name = find(position);
  const std::size_t end = std::min(moves.size(), horizon());
  for (std::size_t ply = 0; ply < end; ++ply) {
    position.play(moves[ply]);
    if (const OpeningName* here = find(position)) name = here;
  }
  return name;
}

const OpeningTable& built_in_openings() {
  static const OpeningTable table(built_in_openings_text());
  return table;
}

}  // namespace referee::record
