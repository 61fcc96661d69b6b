// Who played whom and how it ended, out of PGN text as fast as it can be read: tags and the result only, no move is looked at unless
// asked for. Lenient: what is no tag is passed over.
//
//   ResultScanner scanner(text);
//   ScannedGame game;
//   while (scanner.next(game)) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace referee::record {

enum class ScannedResult : std::uint8_t { white_wins, draw, black_wins, both_lost, none };

/// Views into the scanned text, tag values as written (escapes not undone); empty where a tag is missing.
struct ScannedGame {
  std::string_view white, black, result, event, site, date, round, fen, termination, eco, opening, variation;
  std::string_view movetext;  // all between the tags and the next game
  std::size_t offset = 0;     // of the game's first byte
};

class ResultScanner {
 public:
  /// `text` outlives the scanner and its games.
  explicit ResultScanner(std::string_view text) noexcept;
  /// The next game, false at the end. A tag line ends the moves before it, unless it stands inside a comment; an Event tag at the start of
  /// a line always does, so that one unclosed comment costs one game. Games may stand in one line; comments before the first tag are
  /// none's.
  [[nodiscard]] bool next(ScannedGame& game) noexcept;

 private:
  /// Tags, and what may stand between them. Are there any?
  bool read_tags(ScannedGame& game) noexcept;
  void read_moves(ScannedGame& game) noexcept;
  [[nodiscard]] bool is_comment(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t past_comment(std::size_t at) noexcept;
  /// Offset of the first Event tag, wherever in a line, at or behind `at`, which never goes back; the text's size if there is none.
  [[nodiscard]] std::size_t event_from(std::size_t at) noexcept;

  std::string_view text_;
  char line_break_;
  std::size_t at_ = 0;
  std::size_t event_ = 0;      // the last answer of event_from
  bool ends_in_tags_ = false;  // the game read last has no moves: the next one's Event tag followed its tags
};

/// The Result tag, or the end of the movetext when the tag is missing or says nothing.
[[nodiscard]] ScannedResult result_of(const ScannedGame& game) noexcept;
/// The two places of a record that tell its result: the Result tag and the end of its moves (PGN 8.1.1.7: they say the same).
enum class ResultPlaces : std::uint8_t {
  agree,     // or only the end tells it, or there are no moves
  tag_only,  // the moves stop without an end: the record is cut off
  differ,
};
[[nodiscard]] ResultPlaces result_places(const ScannedGame& game) noexcept;
/// A tag's value as UTF-8 (latin_text.hpp), with `\"` and `\\` undone, control characters as blanks, and blanks at both ends taken off.
[[nodiscard]] std::string tag_text(std::string_view raw);
/// Where the last game of the text begins for certain (an Event tag that begins a line, behind moves), 0 when there is no such second one:
/// cut there, the two parts give the same games as the whole.
[[nodiscard]] std::size_t last_game_start(std::string_view text) noexcept;

/// What of the moves a digest takes in.
enum class DigestOf {
  all_moves,
  book_moves,  // from the start as long as they carry a comment that begins with "book"
};
/// Digest of the main line: numbers, comments, glyphs, variations, check and capture signs make no difference. 0 without any move.
[[nodiscard]] std::uint64_t digest_moves(std::string_view movetext, DigestOf what) noexcept;

}  // namespace referee::record
