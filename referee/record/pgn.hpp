// PGN out (export standard) and in (lenient, streaming).
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/record/journal.hpp"

namespace referee::record {

enum class PgnComments { none, tags, engine };
struct PgnStyle {
  PgnComments comments = PgnComments::tags;
  bool depth = true, nodes = false, pv = false;
};

/// One game in export format: seven tags first, lines under 80 columns, `[Termination]` in the standard's words, rulings that are not
/// plain as comments with their article. Ends with an empty line.
[[nodiscard]] std::string to_pgn(const RecordedGame& game, const PgnStyle& style);

/// A problem while reading, with its place.
struct PgnProblem { std::size_t line = 0; std::size_t column = 0; std::string text; };

/// One move of the main line as written.
struct PgnMove {
  std::string san;                       // the token
  std::size_t line = 0;
  std::vector<std::string> comments;     // after the move, without braces
  std::vector<int> nags;
};
struct PgnGame {
  std::size_t line = 0;                  // of its first tag or move
  std::vector<std::pair<std::string, std::string>> tags;   // in order, unescaped
  std::vector<PgnMove> moves;            // main line only; variations are skipped by depth
  std::vector<std::string> comments_before;                // before the first move
  std::string result;                    // termination marker in the movetext, "" when it was cut off
  bool cut_off = false;                  // ended by end of file or by the next game's tags
  std::vector<PgnProblem> problems;      // tokens not understood, unclosed comments ...
  [[nodiscard]] std::optional<std::string_view> tag(std::string_view name) const;
};

/// Streams games out of text of any size in bounded memory and linear time; BOM, CRLF, `%` lines, `;` comments, NAGs, variations.
class PgnReader {
 public:
  explicit PgnReader(std::istream& in);
  ~PgnReader();
  /// The next game, or nullopt at the end.
  [[nodiscard]] std::optional<PgnGame> next();
 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::record
