// Short words for the tests of chess/.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/chess/position.hpp"

namespace referee::chess {

[[nodiscard]] inline Position position_of(std::string_view fen, FenReading reading = FenReading::strict) {
  const FenResult read = parse_fen(fen, reading);
  INFO(fen << ": " << (read ? "" : read.error().message));
  REQUIRE(read);
  return read.position();
}

[[nodiscard]] inline std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text) {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) out.push_back(word);
  return out;
}

/// Castling as king takes rook is understood too.
[[nodiscard]] inline Move move_of(const Position& position, std::string_view uci) {
  const MoveText read = read_uci(position, uci, CastlingText::king_two_squares);
  INFO(to_fen(position) << ' ' << uci);
  REQUIRE(std::holds_alternative<ReadMove>(read));
  return std::get<ReadMove>(read).move;
}

[[nodiscard]] inline bool is_legal_uci(const Position& position, std::string_view uci) {
  return std::holds_alternative<ReadMove>(read_uci(position, uci, CastlingText::king_two_squares));
}

/// Start and every position after it.
[[nodiscard]] inline std::vector<Position> played(std::string_view fen, std::string_view moves) {
  std::vector<Position> positions{position_of(fen)};
  for (const std::string& uci : words(moves)) positions.push_back(positions.back().after(move_of(positions.back(), uci)));
  return positions;
}

/// How often the last of positions[0..ply] has stood (article 9.2).
[[nodiscard]] inline int occurrences(const std::vector<Position>& positions, std::size_t ply) {
  int count = 0;
  for (std::size_t i = 0; i <= ply; ++i) count += positions[i].same_position(positions[ply]) ? 1 : 0;
  return count;
}

}  // namespace referee::chess
