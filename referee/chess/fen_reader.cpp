#include "referee/chess/fen_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/validation.hpp"

namespace referee::chess {

namespace {

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] std::string on_rank(int rank) { return "rank " + std::to_string(rank + 1) + ": "; }

/// The rook that a castling letter means, or what makes the right impossible. Needs: letter is one of KQkq, A-H, a-h.
[[nodiscard]] std::variant<Square, std::string> castling_rook(const Position& draft, char letter, Color color) {
  const Square king = draft.king(color);
  const int home = home_rank(color);
  const std::string side(name(color));
  if (rank_of(king) != home) return "the " + side + " king is not on its home rank";
  const Bitboard rooks = draft.pieces(color, Role::rook) & rank_mask(home);
  const char lower = to_lower(letter);
  if (lower == 'k' || lower == 'q') {
    // X-FEN: the outermost rook on that side of the king.
    const Bitboard below_king = bit(king) - 1;
    const Bitboard candidates = rooks & (lower == 'k' ? ~below_king : below_king);
    if (candidates != 0) return lower == 'k' ? highest(candidates) : lowest(candidates);
    return "no " + side + " rook on the " + (lower == 'k' ? "king's" : "queen's") + " side of rank " + std::to_string(home + 1);
  }
  const Square rook = make_square(lower - 'a', home);
  if ((rooks & bit(rook)) != 0) return rook;
  return "no " + side + " rook on " + to_string(rook);
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t most = 24;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += {'\\', 'x', hex[byte >> 4U], hex[byte & 15U]};
    }
  }
  return out + (text.size() > most ? "...'" : "'");
}

FenReader::FenReader(std::string_view text, FenReading reading, std::size_t fields)
    : text_(text), lenient_(reading == FenReading::lenient) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::size_t gap = at;
    while (at < text.size() && is_blank(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    words_[i] = {text.substr(begin, at - begin), begin};
    const std::string_view blank = text.substr(gap, begin - gap);
    const bool end_of_text = begin == text.size();
    const bool regular = i == 0 || end_of_text ? blank.empty() : blank == " ";
    if (!regular && !odd_blank_ && i < fields) {
      odd_blank_ = gap;
      odd_blank_field_ = i;
    }
  }
}

bool FenReader::fail(FenField field, std::size_t offset, std::string message) {
  error_ = FenError{field, std::move(message), offset + 1};
  return false;
}

bool FenReader::missing(FenField field, std::string_view what, std::string_view expected, std::string_view assumed) {
  if (!lenient_) return fail(field, text_.size(), std::string(what) + " missing, expected " + std::string(expected));
  assume(std::string(what) + " missing: " + std::string(assumed) + " assumed");
  return true;
}

bool FenReader::read_board() {
  if (odd_blank_) {
    if (!lenient_) {
      return fail(static_cast<FenField>(odd_blank_field_), *odd_blank_, "odd blanks, expected fields with one space between them");
    }
    assume("odd blanks read as one space");
  }
  return read_placement() && read_side() && read_castling() && read_en_passant() && check_position();
}

Position FenReader::build() {
  builder_.set_counters(halfmove_, fullmove_);
  return builder_.build();
}

bool FenReader::read_placement() {
  const std::string_view text = words_[0].text;
  const std::size_t begin = words_[0].at;
  if (text.empty()) return fail(FenField::placement, 0, "no position given, expected the placement of the men");
  int rank = 7;
  int files = 0;
  bool after_digit = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto wrong = [&](std::string_view what) { return fail(FenField::placement, begin + i, on_rank(rank) + std::string(what)); };
    if (c == '/') {
      if (files != 8) return wrong(std::to_string(files) + " files, expected 8");
      if (rank == 0) return fail(FenField::placement, begin + i, "text after rank 1, expected 8 ranks");
      --rank;
      files = 0;
    } else if (is_digit(c)) {
      if (c == '0' || c == '9') return wrong(shown({&c, 1}) + " empty squares, expected 1 to 8");
      if (after_digit) {
        if (!lenient_) return wrong("two numbers in a row, expected their sum");
        assume(on_rank(rank) + "two numbers in a row added up");
      }
      files += c - '0';
    } else {
      constexpr std::string_view letters = "pnbrqk";
      const std::size_t role = letters.find(to_lower(c));
      if (role == std::string_view::npos) return wrong(shown({&c, 1}) + " is no man, expected PNBRQK, pnbrqk or 1 to 8");
      if (files < 8) builder_.put(make_square(files, rank), {c == to_lower(c) ? Color::black : Color::white, static_cast<Role>(role)});
      ++files;
    }
    if (files > 8) return wrong("more than 8 files");
    after_digit = is_digit(c);
  }
  const std::size_t end = begin + text.size();
  if (files != 8) return fail(FenField::placement, end, on_rank(rank) + std::to_string(files) + " files, expected 8");
  if (rank != 0) return fail(FenField::placement, end, "ends after rank " + std::to_string(rank + 1) + ", expected 8 ranks");
  if (auto fault = placement_fault(builder_.draft())) return fail(FenField::placement, begin, std::move(*fault));
  return true;
}

bool FenReader::read_side() {
  const auto& [text, begin] = words_[1];
  if (text.empty()) return missing(FenField::side, "side to move", "w or b", "w");
  if (lenient_ && (text == "W" || text == "B")) {
    assume("side to move " + shown(text) + " read as lower case");
  } else if (text != "w" && text != "b") {
    return fail(FenField::side, begin, "side to move is " + shown(text) + ", expected w or b");
  }
  builder_.set_side_to_move(to_lower(text[0]) == 'w' ? Color::white : Color::black);
  return true;
}

bool FenReader::read_castling() {
  const auto& [text, begin] = words_[2];
  if (text.empty()) return missing(FenField::castling, "castling rights", "KQkq, files of rooks, or -", "none");
  if (text == "-") return true;
  const Position& draft = builder_.draft();
  bool held[2][2] = {};  // by colour, by side of the king
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const char lower = to_lower(letter);
    const std::string right = "castling right " + shown({&letter, 1});
    if (lower != 'k' && lower != 'q' && (lower < 'a' || lower > 'h')) {
      return fail(FenField::castling, begin + i, right + " is unknown, expected KQkq or the file of a rook");
    }
    const Color color = letter == lower ? Color::black : Color::white;
    const auto rook = castling_rook(draft, letter, color);
    std::string fault;
    if (const auto* square = std::get_if<Square>(&rook)) {
      bool& already = held[index(color)][index(*square) > index(draft.king(color)) ? 0 : 1];
      if (already) fault = right + " repeats a right on the same side of the king";
      if (!already) builder_.allow_castling(*square);
      already = true;
    } else {
      fault = right + " is impossible: " + std::get<std::string>(rook);
    }
    if (fault.empty()) continue;
    if (!lenient_) return fail(FenField::castling, begin + i, std::move(fault));
    // A hostile text may be long; what is said about it may not.
    if (assumptions_.size() < 16) assume(fault + "; dropped");
  }
  return true;
}

bool FenReader::read_en_passant() {
  const auto& [text, begin] = words_[3];
  if (text.empty()) return missing(FenField::en_passant, "en passant square", "a square or -", "none");
  if (text == "-") return true;
  const auto square = parse_square(text);
  if (!square) return fail(FenField::en_passant, begin, "en passant square is " + shown(text) + ", expected a square of rank 3 or 6, or -");
  if (auto fault = en_passant_fault(builder_.draft(), *square)) {
    if (!lenient_) return fail(FenField::en_passant, begin, "en passant is impossible: " + *fault);
    assume("en passant is impossible: " + *fault + "; dropped");
    return true;
  }
  passed_ = square;
  return true;
}

bool FenReader::check_position() {
  const Position& draft = builder_.draft();
  const std::size_t begin = words_[0].at;
  if (auto fault = position_fault(draft)) return fail(FenField::position, begin, std::move(*fault));
  if (auto fault = double_check_fault(draft, passed_)) {
    if (!lenient_) return fail(FenField::position, begin, std::move(*fault));
    assume("no game leads to this position: " + *fault);
  }
  for (const std::string& doubt : history_doubts(draft)) assume("no game leads to this position: " + doubt);
  if (passed_) builder_.set_passed_square(*passed_);
  return true;
}

bool FenReader::read_number(FenField field, const Word& word, std::uint16_t& value) {
  const char* const end = word.text.data() + word.text.size();
  if (word.text.empty() || !std::all_of(word.text.begin(), word.text.end(), is_digit)) {
    return fail(field, word.at, std::string(name(field)) + " number is " + shown(word.text) + ", expected digits");
  }
  const auto [stopped, code] = std::from_chars(word.text.data(), end, value);
  if (code == std::errc{} && stopped == end) return true;
  return fail(field, word.at,
              std::string(name(field)) + " number is " + shown(word.text) + ", expected at most " +
                  std::to_string(std::numeric_limits<std::uint16_t>::max()));
}

bool FenReader::read_halfmove(const Word& word) { return read_number(FenField::halfmove, word, halfmove_); }

bool FenReader::read_fullmove(const Word& word) {
  if (!read_number(FenField::fullmove, word, fullmove_)) return false;
  if (fullmove_ > 0) return true;
  if (!lenient_) return fail(FenField::fullmove, word.at, "fullmove number is 0, expected 1 or more");
  assume("fullmove number 0 read as 1");
  fullmove_ = 1;
  return true;
}

}  // namespace referee::chess
