// Checks PGN of any size on several threads: the text is cut between games, the parts are read and judged at the same time, and findings
// come in the order of the text, exactly as from one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

#include "referee/record/pgn_check.hpp"

namespace referee::record {

/// A piece of PGN text that holds whole games.
struct PgnPart {
  std::string text;
  std::size_t first_line = 1;
};

/// Cuts a stream between games: before a line `[Event "` that follows a line of moves. What cannot be cut within `largest` bytes (one
/// game, or no PGN at all) is for a reader of the rest of the stream.
class PgnSplitter {
 public:
  static constexpr std::size_t usual = std::size_t{2} << 20U;
  static constexpr std::size_t largest = std::size_t{32} << 20U;
  explicit PgnSplitter(std::istream& in, std::size_t part = usual) : in_(in), part_(part) {}
  /// False at the end of the text, or when the rest cannot be cut (see left_over).
  [[nodiscard]] bool next(PgnPart& part);
  /// What was read and not given out; not empty only if the stream goes on with the same game.
  [[nodiscard]] PgnPart left_over() { return {std::move(rest_), line_}; }

 private:
  std::istream& in_;
  std::size_t part_;
  std::string rest_;
  std::size_t line_ = 1;
  bool ended_ = false;
};

/// Games read. `found` is called on the caller's thread for each game with findings, or that could not be checked; `line` is its first.
std::size_t check_archive(std::istream& in, const PgnChecker& checker, unsigned threads,
                          const std::function<void(const CheckedGame& checked, std::size_t game, std::size_t line)>& found);

}  // namespace referee::record
