// A Polyglot book as a list of openings: what a match needs, since its plan numbers lines.
#pragma once

#include <cstdint>
#include <vector>

#include "config/match_file.hpp"
#include "referee/match/polyglot.hpp"

namespace referee::match {

struct PolyglotLines {
  std::vector<std::vector<std::uint16_t>> lines;  // raw moves from the initial position; no two end in the same position
  std::size_t illegal = 0;                        // entries met that are no legal move where they stand
  bool bounded = false;                           // the book has more lines than `most`
};

/// Lines of at most `plies` half-moves, shorter where the book ends. sequential: all lines, the heaviest move first at every turn.
/// random: lines drawn by weight with `seed`, in the order drawn, until nothing new turns up or there are `most`.
[[nodiscard]] PolyglotLines polyglot_lines(const PolyglotBook& book, config::OpeningOrder order, std::uint64_t seed, std::size_t plies,
                                           std::size_t most);

}  // namespace referee::match
