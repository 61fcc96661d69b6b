// A game as a player would keep it (article 8.1, appendix C): moves in algebraic notation with the letters of a language, the clock
// after each move, offers of a draw as (=), and what the arbiter ruled, with the article.
//
//   Scoresheet sheet = scoresheet(*journal->game(12), chess::Language::et);
//   std::cout << to_text(sheet);   // or to_html(sheet): one page that prints well
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "referee/chess/notation_languages.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

struct ScoresheetMove {
  int number = 1;
  chess::Color side = chess::Color::white;
  std::string text;                     // without the (=)
  bool offer = false;                   // made with an offer of a draw
  std::optional<game::Duration> clock;  // on the mover's display afterwards
};
/// A ruling, or a remark of the record.
struct ScoresheetNote {
  std::size_t ply = 0;  // after this half-move of the sheet; 0: before the first
  std::string text;
};
struct Scoresheet {
  chess::Language language = chess::Language::en;
  std::string event, site, date, round, white, black, time_control, edition;
  std::string start;  // FEN, "" for the initial position
  std::vector<ScoresheetMove> moves;
  std::vector<ScoresheetNote> notes;  // in order
  std::string result;                 // "1-0" ... also "0-0"; "" while the game goes on
  std::string ending;                 // in words, with its article; "" if the record does not tell
};

/// The record cannot be written down: which move, and why.
class ScoresheetError : public std::runtime_error {
 public:
  ScoresheetError(std::size_t line, const std::string& text) : std::runtime_error(text), line_(line) {}
  /// Of the PGN text.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  std::size_t line_;
};

[[nodiscard]] Scoresheet scoresheet(const RecordedGame& game, chess::Language language);
/// `written_in`: whose letters the game's moves have. Throws ScoresheetError at a move that cannot be played, or a FEN that does not read.
[[nodiscard]] Scoresheet scoresheet(const PgnGame& game, chess::Language language, chess::Language written_in = chess::Language::en);

/// Lines of at most 100 columns (notes are wrapped); ends with a newline.
[[nodiscard]] std::string to_text(const Scoresheet& sheet);
/// A whole page, complete in itself: A4 upright, two columns of moves, room for signatures.
[[nodiscard]] std::string to_html(const Scoresheet& sheet);

}  // namespace referee::record
