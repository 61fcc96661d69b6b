#include "referee/chess/perft.hpp"

#include "referee/chess/move_generation.hpp"

namespace referee::chess {

std::uint64_t perft(const Position& position, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return position.count_legal_moves();
  std::uint64_t nodes = 0;
  MoveSink sink([&](Move move) { nodes += perft(position.after(move), depth - 1); });
  generate_legal(position, ~Bitboard{0}, sink);
  return nodes;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth) {
  std::vector<std::pair<Move, std::uint64_t>> counts;
  for (const Move move : position.legal_moves()) counts.emplace_back(move, perft(position.after(move), depth - 1));
  return counts;
}

}  // namespace referee::chess
