// Positions, lists of positions with known verdicts, and a dice that rolls the same everywhere.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "referee/chess/fen.hpp"
#include "referee/laws/winnability.hpp"

namespace winnability_tests {

using referee::chess::Color;
using referee::chess::Move;
using referee::chess::Position;
using referee::laws::CanMate;
using referee::laws::Winnability;
using referee::laws::WinnabilityBudget;

inline Position at(const std::string& fen) {
  const auto read = referee::chess::parse_fen(fen);
  INFO(fen);
  REQUIRE(read);
  return read.position();
}

struct Known {
  std::string fen;
  bool white;
  bool black;
};

/// FEN;white_can_mate;black_can_mate;... (tests/data/winnability, and the public lists beside them).
inline std::vector<Known> read_list(const std::string& path) {
  std::vector<Known> list;
  std::ifstream file(path);
  INFO(path);
  REQUIRE(file);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto end = line.find(';');
    list.push_back({line.substr(0, end), line.at(end + 1) == '1', line.at(end + 3) == '1'});
  }
  REQUIRE(list.size() > 10);
  return list;
}
inline std::vector<Known> shipped_list(const std::string& name) {
  return read_list(std::string(REFEREE_SOURCE_FOLDER) + "/tests/data/winnability/" + name);
}

/// The line is legal from the position and ends in mate by the winner.
inline bool replays(Position position, Color winner, const std::vector<Move>& line) {
  for (const Move move : line) {
    if (!position.legal_moves().contains(move)) return false;
    position.play(move);
  }
  return position.is_checkmate() && position.side_to_move() != winner;
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EB;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % n);
  }

 private:
  std::uint64_t state_;
};

}  // namespace winnability_tests
