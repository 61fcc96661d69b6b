#include "referee/chess/fen.hpp"

#include <array>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/fen_reader.hpp"

namespace referee::chess {

namespace {

[[nodiscard]] bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

[[nodiscard]] bool read_counters(FenReader& reader) {
  const auto& halfmove = reader.word(4);
  const auto& fullmove = reader.word(5);
  if (halfmove.text.empty()) {
    reader.assume("counters missing: 0 1 assumed");
    return true;
  }
  if (reader.lenient() && is_letter(halfmove.text[0])) {
    reader.assume("counters missing: 0 1 assumed, " + shown(reader.after(3).substr(1)) + " ignored");
    return true;
  }
  if (reader.lenient() && halfmove.text == "-") {
    reader.assume("halfmove number '-' read as 0");
  } else if (!reader.read_halfmove(halfmove)) {
    return false;
  }
  if (fullmove.text.empty()) {
    if (!reader.lenient()) return reader.fail(FenField::fullmove, fullmove.at, "fullmove number missing, expected 1 or more");
    reader.assume("fullmove number missing: 1 assumed");
    return true;
  }
  if (reader.lenient() && fullmove.text == "-") {
    reader.assume("fullmove number '-' read as 1");
  } else if (!reader.read_fullmove(fullmove)) {
    return false;
  }
  const std::string_view rest = reader.after(5);
  const std::size_t extra = rest.find_first_not_of(" \t\r\n");
  if (!reader.lenient() && !rest.empty()) {
    return reader.fail(FenField::fullmove, fullmove.at + fullmove.text.size(),
                       shown(rest) + " after the fullmove number, expected the end");
  }
  if (extra != std::string_view::npos) {
    reader.assume(shown(rest.substr(extra)) + " after the fullmove number ignored");
  } else if (!rest.empty()) {
    reader.assume("blanks at the end ignored");
  }
  return true;
}

/// Appends the rights of one side: king's side first.
template <typename Letter>
void append_castling(std::string& out, const Position& position, Color color, Letter letter) {
  const Bitboard rooks = position.castling_rooks() & position.pieces(color);
  const Bitboard below_king = bit(position.king(color)) - 1;
  for (Bitboard side : {rooks & ~below_king, rooks & below_king}) {
    if (side == 0) continue;
    const Square rook = lowest(side);
    const char upper = letter(rook, color, index(rook) > index(position.king(color)));
    out += color == Color::white ? upper : static_cast<char>(upper - 'A' + 'a');
  }
}

template <typename Letter>
[[nodiscard]] std::string write(const Position& position, Letter letter) {
  std::array<char, 64> board{};
  for (Bitboard men = position.occupied(); men != 0;) {
    const Square square = take_lowest(men);
    const Color color = (position.pieces(Color::white) & bit(square)) != 0 ? Color::white : Color::black;
    board[index(square)] = chess::letter({color, position.role_at(square)});
  }
  std::string out;
  out.reserve(96);
  for (std::size_t rank = 8; rank-- > 0;) {
    char empty = '0';
    const auto flush = [&] {
      if (empty > '0') out += empty;
      empty = '0';
    };
    for (std::size_t file = 0; file < 8; ++file) {
      const char man = board[rank * 8 + file];
      if (man == 0) {
        ++empty;
        continue;
      }
      flush();
      out += man;
    }
    flush();
    if (rank > 0) out += '/';
  }
  out += position.side_to_move() == Color::white ? " w " : " b ";
  if (position.castling_rooks() == 0) out += '-';
  append_castling(out, position, Color::white, letter);
  append_castling(out, position, Color::black, letter);
  out += ' ';
  out += position.en_passant() ? to_string(*position.en_passant()) : "-";
  out += ' ' + std::to_string(position.halfmove_clock()) + ' ' + std::to_string(position.fullmove_number());
  return out;
}

[[nodiscard]] char file_letter(Square rook) { return static_cast<char>('A' + file_of(rook)); }

}  // namespace

std::string_view name(FenField field) noexcept {
  switch (field) {
    case FenField::placement:
      return "placement";
    case FenField::side:
      return "side";
    case FenField::castling:
      return "castling";
    case FenField::en_passant:
      return "en-passant";
    case FenField::halfmove:
      return "halfmove";
    case FenField::fullmove:
      return "fullmove";
    case FenField::position:
      break;
  }
  return "position";
}

FenResult parse_fen(std::string_view text, FenReading reading) {
  if (text == "startpos") return FenResult(Position::initial(), {});
  FenReader reader(text, reading);
  if (reader.lenient() && reader.word(0).text == "startpos" && reader.word(1).text.empty()) {
    return FenResult(Position::initial(), {"odd blanks ignored"});
  }
  if (!reader.read_board() || !read_counters(reader)) return FenResult(reader.error());
  return FenResult(reader.build(), reader.assumptions());
}

bool castles_as_standard(const Position& position) noexcept {
  constexpr Bitboard corners = 0x8100000000000081ULL;
  const Bitboard rooks = position.castling_rooks();
  if ((rooks & ~corners) != 0) return false;
  for (const Color color : {Color::white, Color::black}) {
    if ((rooks & position.pieces(color)) != 0 && file_of(position.king(color)) != 4) return false;
  }
  return true;
}

FenResult parse_standard_fen(std::string_view text, FenReading reading) {
  FenResult read = parse_fen(text, reading);
  if (!read || castles_as_standard(read.position())) return read;
  std::size_t column = 0;  // of the third field
  for (int field = 1; field < 3; ++field) column = text.find_first_not_of(" \t", text.find_first_of(" \t", column));
  return FenResult(FenError{FenField::castling,
                            "castling as in Chess960 (expected a king on the e file and rooks on the a and h files, or Chess960)",
                            column + 1});
}

std::string to_fen(const Position& position) {
  return write(position, [&position](Square rook, Color color, bool king_side) {
    const Bitboard rooks = position.pieces(color, Role::rook) & rank_mask(home_rank(color));
    const Square outermost = king_side ? highest(rooks) : lowest(rooks);
    if (rook != outermost) return file_letter(rook);
    return king_side ? 'K' : 'Q';
  });
}

std::string to_shredder_fen(const Position& position) {
  return write(position, [](Square rook, Color, bool) { return file_letter(rook); });
}

}  // namespace referee::chess
