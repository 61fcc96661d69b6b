// PGN out (export standard) and in (lenient, streaming).
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/record/journal.hpp"

namespace referee::record {

enum class PgnComments {
  none,    // moves, rulings and the reason of the end only
  tags,    // [%eval] [%clk] [%emt]
  engine,  // +0.30/13 0.28s
};
enum class PgnNotation { san /* the standard's */, lan /* Ng1-f3 */, uci /* g1f3 */ };
struct PgnStyle {
  PgnComments comments = PgnComments::tags;
  bool depth = true, nodes = false, pv = false;
  bool openings = true;                         // tags ECO, Opening, Variation, from our own table
  bool eval = true, clock = true, used = true;  // [%eval] or the score; [%clk]; [%emt] or the seconds
  PgnNotation notation = PgnNotation::san;
};

/// One game in export format: seven tags first, the others in ASCII order, lines under 80 columns, `[Termination]` in the standard's
/// words, rulings that are not plain as comments with their article. A game without outcome is written with "*". Ends with an empty line.
[[nodiscard]] std::string to_pgn(const RecordedGame& game, const PgnStyle& style);

/// The same, fact by fact, for games that are still being played.
class PgnComposer {
 public:
  PgnComposer(const GameStarted& started, PgnStyle style);
  ~PgnComposer();
  PgnComposer(PgnComposer&&) noexcept;
  PgnComposer& operator=(PgnComposer&&) noexcept;
  void add(const EventJudged& judged);
  /// `ended`: nullptr while the game goes on.
  [[nodiscard]] std::string text(const GameEnded* ended) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Value of the Termination tag for a reason: "normal" "time forfeit" "rules infraction" "abandoned" "adjudication" "unterminated"
/// (PGN 9.8.1).
[[nodiscard]] std::string_view pgn_termination(game::Reason reason) noexcept;
/// The reason in words, with its article: "White wins by checkmate (article 5.1.1)".
[[nodiscard]] std::string words(const game::Outcome& outcome);
/// `[Name "value"]` with the two escapes; a line break becomes a blank. No newline at the end.
[[nodiscard]] std::string pgn_tag(std::string_view name, std::string_view value);

/// A problem while reading, with its place.
struct PgnProblem {
  std::size_t line = 0;
  std::size_t column = 0;
  std::string text;
};

/// One move of the main line as written.
struct PgnMove {
  std::string san;  // the token, glyphs and move number taken off
  std::size_t line = 0, column = 0;
  std::vector<std::string> comments;  // after the move, without braces
  std::vector<int> nags;
};
struct PgnGame {
  std::size_t number = 0;                                 // in the text, from 1
  std::size_t line = 0, column = 0;                       // of its first tag or move
  std::size_t end_line = 0, end_column = 0;               // behind the termination marker; 0 when it was cut off
  std::vector<std::pair<std::string, std::string>> tags;  // in order, unescaped
  std::vector<PgnMove> moves;                             // main line only; variations are skipped by depth
  std::size_t variations = 0;                             // that stood beside the main line
  std::vector<std::string> comments_before;               // before the first move
  std::string result;                                     // termination marker in the movetext, "" when it was cut off
  bool cut_off = false;                                   // ended by end of file or by the next game's tags
  std::vector<PgnProblem> problems;                       // tokens not understood, unclosed comments ...
  [[nodiscard]] std::optional<std::string_view> tag(std::string_view name) const;
};

/// Bounds of the reader: what is longer is cut and reported as a problem.
struct PgnLimits {
  std::size_t tag_value = 4096;  // bytes
  std::size_t tags = 256;
  std::size_t token = 255;           // PGN 8.1: a symbol is at most 255 characters
  std::size_t comment = 65536;       // kept of one comment
  std::size_t moves = 16384;         // half-moves of the main line
  std::size_t problems = 32;         // a game
  std::size_t game_text = 16777216;  // bytes of comments kept in one game
};

/// Streams games out of text of any size in bounded memory and linear time; BOM, CRLF, `%` lines, `;` comments, NAGs, variations.
class PgnReader {
 public:
  /// `first_line`: the number of the text's first line, for a text that is part of another.
  explicit PgnReader(std::istream& in, PgnLimits limits = {}, std::size_t first_line = 1);
  ~PgnReader();
  PgnReader(PgnReader&&) noexcept;
  PgnReader& operator=(PgnReader&&) noexcept;
  /// The next game, or nullopt at the end.
  [[nodiscard]] std::optional<PgnGame> next();
  /// The same into an object that is used again (its memory too); false at the end.
  [[nodiscard]] bool next(PgnGame& game);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::record
