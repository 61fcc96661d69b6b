#include "referee/chess/san.hpp"

#include <algorithm>
#include <optional>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/fen_reader.hpp"
#include "referee/chess/move_generation.hpp"

namespace referee::chess {

namespace {

[[nodiscard]] bool is_file(char c) { return c >= 'a' && c <= 'h'; }
[[nodiscard]] bool is_rank(char c) { return c >= '1' && c <= '8'; }

/// Reads from the left, a part at a time; every take answers whether it took.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool done() const { return rest_.empty(); }
  bool take(std::string_view token) {
    if (token.empty() || rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool take_file(std::optional<int>& file) {
    if (rest_.empty() || !is_file(rest_[0])) return false;
    file = rest_[0] - 'a';
    rest_.remove_prefix(1);
    return true;
  }
  bool take_rank(std::optional<int>& rank) {
    if (rest_.empty() || !is_rank(rest_[0])) return false;
    rank = rest_[0] - '1';
    rest_.remove_prefix(1);
    return true;
  }
  /// The longest letter that fits: the Russian king is "Кр", the knight "К".
  std::optional<Role> take_role(const PieceLetters& letters) {
    std::optional<Role> best;
    for (std::size_t role = 1; role < letters.size(); ++role) {
      if (rest_.substr(0, letters[role].size()) != letters[role]) continue;
      if (!best || letters[role].size() > letters[index(*best)].size()) best = static_cast<Role>(role);
    }
    if (best) rest_.remove_prefix(letters[index(*best)].size());
    return best;
  }
  /// A promotion letter may be in lower case where the alphabet is Latin.
  std::optional<Role> take_promotion_role(const PieceLetters& letters) {
    if (const auto role = take_role(letters)) return role;
    for (std::size_t role = 1; role < letters.size(); ++role) {
      const std::string_view letter = letters[role];
      if (letter.size() == 1 && !rest_.empty() && rest_[0] == letter[0] - 'A' + 'a') {
        rest_.remove_prefix(1);
        return static_cast<Role>(role);
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

/// Signs that comment on the move: check, mate, quality, en passant, draw offer. Advisory, so never trusted (appendix C.13).
[[nodiscard]] std::string_view without_signs(std::string_view text) {
  constexpr std::string_view signs[] = {"(=)", "e.p.", "e.p", "ep", "+", "#", "!", "?", " ", "\t", "\r", "\n"};
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view sign : signs) {
      if (text.size() >= sign.size() && text.substr(text.size() - sign.size()) == sign) {
        text.remove_suffix(sign.size());
        again = true;
      }
    }
  }
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
  return text;
}

/// 2 or 3 for O-O or O-O-O in any of the letters used for it, else 0.
[[nodiscard]] int castling_length(std::string_view text) {
  if (text.size() != 3 && text.size() != 5) return 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool letter = text[i] == 'O' || text[i] == '0' || text[i] == 'o';
    if (i % 2 == 0 ? !letter : text[i] != '-') return 0;
  }
  return static_cast<int>(text.size() / 2) + 1;
}

[[nodiscard]] MoveTextError fault(MoveTextFault kind, std::string_view text, std::string_view what) {
  return {kind, shown(text) + " " + std::string(what)};
}

[[nodiscard]] MoveText read_castling(const Position& position, std::string_view text, int length) {
  const Color us = position.side_to_move();
  const Square king = position.king(us);
  const Bitboard below_king = bit(king) - 1;
  const Bitboard rook = position.castling_rooks() & position.pieces(us) & (length == 2 ? ~below_king : below_king);
  if (rook == 0) return fault(MoveTextFault::illegal, text, "is illegal: no right to castle on that side");
  const Move move = Move::castling(king, lowest(rook));
  if (!position.is_legal(move)) return fault(MoveTextFault::illegal, text, "is illegal: castling is prevented now");
  return ReadMove{move, text[0] == 'O' ? "" : "castling not written with capital O"};
}

/// What the text says, before the board is asked.
struct Described {
  Role role = Role::pawn;
  std::optional<int> from_file, from_rank, to_file, to_rank;
  std::optional<Role> promotion;
  bool capture = false;
  std::string note;
};

[[nodiscard]] bool describe(std::string_view text, const PieceLetters& letters, Described& said) {
  Scanner scanner(text);
  if (const auto role = scanner.take_role(letters)) {
    said.role = *role;
  } else if (scanner.take("P")) {
    said.note = "pawn move with a letter";
  }
  scanner.take_file(said.to_file);
  scanner.take_rank(said.to_rank);
  said.capture = scanner.take("x") || scanner.take(":");
  const bool separated = said.capture || scanner.take("-");
  std::optional<int> file, rank;
  scanner.take_file(file);
  scanner.take_rank(rank);
  if (separated || file || rank) {
    said.from_file = said.to_file;
    said.from_rank = said.to_rank;
    said.to_file = file;
    said.to_rank = rank;
  }
  if (!said.to_file || !said.to_rank) return false;
  if (!scanner.done()) {
    const bool equals = scanner.take("=");
    const bool bracket = scanner.take("(");
    if (!equals && !bracket) scanner.take("/");
    said.promotion = scanner.take_promotion_role(letters);
    if (!said.promotion || (bracket && !scanner.take(")")) || !scanner.done()) return false;
    if (!equals) said.note = "promotion without =";
  }
  return true;
}

}  // namespace

MoveText read_algebraic(const Position& position, std::string_view text, const PieceLetters& letters) {
  // Longest real text: a Russian king move in long form with all its signs.
  constexpr std::size_t longest = 48;
  if (text.size() > longest) return fault(MoveTextFault::malformed, text, "is too long for a move");
  const std::string_view bare = without_signs(text);
  if (const int length = castling_length(bare)) return read_castling(position, bare, length);

  const Color us = position.side_to_move();
  Described said;
  if (!describe(bare, letters, said)) return fault(MoveTextFault::malformed, text, "is not a move in algebraic notation");
  const Square to = make_square(*said.to_file, *said.to_rank);

  if (said.role == Role::pawn && said.note.empty() && said.from_file && said.from_rank && !said.promotion) {
    // Coordinates: what stands on the square moves.
    const Square from = make_square(*said.from_file, *said.from_rank);
    const auto piece = position.piece_at(from);
    if (piece && piece->color == us && piece->role != Role::pawn) {
      MoveText read = read_uci(position, to_string(from) + to_string(to), CastlingText::king_two_squares);
      if (auto* move = std::get_if<ReadMove>(&read)) move->note = "coordinates instead of algebraic notation";
      return read;
    }
  }

  Bitboard movers = position.pieces(us, said.role);
  if (said.from_file) movers &= file_mask(*said.from_file);
  if (said.from_rank) movers &= rank_mask(*said.from_rank);
  if (said.role == Role::pawn && !said.from_file) {
    // Without a file of departure a pawn goes straight on, unless a capture is spelt out.
    movers &= said.capture ? ~file_mask(*said.to_file) : file_mask(*said.to_file);
  }
  std::optional<Move> found;
  bool ambiguous = false;
  bool promotion_missing = false;
  MoveSink sink([&](Move move) noexcept {
    if (move.to() != to || move.kind() == MoveKind::castling) return;
    const bool promotes = move.kind() == MoveKind::promotion;
    if (promotes && !said.promotion) promotion_missing = true;
    if (promotes != said.promotion.has_value() || (promotes && move.promotion_role() != *said.promotion)) return;
    ambiguous = ambiguous || found.has_value();
    found = move;
  });
  generate_legal(position, movers, sink);
  if (ambiguous) return fault(MoveTextFault::ambiguous, text, "fits more than one legal move");
  if (!found && promotion_missing) return fault(MoveTextFault::promotion_missing, text, "does not name the piece the pawn becomes");
  if (!found) return fault(MoveTextFault::illegal, text, "is no legal move here");
  if (said.note.empty() && said.capture != position.is_capture(*found)) {
    said.note = said.capture ? "capture sign without a capture" : "capture without its sign";
  }
  return ReadMove{*found, std::move(said.note)};
}

MoveText read_san(const Position& position, std::string_view text) { return read_algebraic(position, text, english_letters); }

void append_check_sign(std::string& out, const Position& position, Move move) {
  const Position next = position.after(move);
  if (next.in_check()) out += next.has_legal_move() ? '+' : '#';
}

void append_algebraic(std::string& out, const Position& position, Move move, const AlgebraicStyle& style) {
  const Square from = move.from();
  const Square to = move.to();
  const auto append_square = [&out](Square square) {
    out += static_cast<char>('a' + file_of(square));
    out += static_cast<char>('1' + rank_of(square));
  };
  if (move.kind() == MoveKind::castling) {
    out += index(to) > index(from) ? style.king_side : style.queen_side;
  } else if (const Role role = position.role_at(from); role == Role::pawn) {
    if (file_of(from) != file_of(to)) {
      out += static_cast<char>('a' + file_of(from));
      out += 'x';
    }
    append_square(to);
    if (move.kind() == MoveKind::promotion) {
      out += style.promotion_sign;
      out += style.letters[index(move.promotion_role())];
    }
  } else {
    out += style.letters[index(role)];
    // Appendix C.10: only men that could legally go there are rivals; the file is preferred to the rank.
    Bitboard rivals = 0;
    Bitboard others = piece_attacks(role, to, position.occupied()) & position.pieces(position.side_to_move(), role) & ~bit(from);
    if (role != Role::king && others != 0) {
      MoveSink sink([&](Move other) noexcept {
        if (other.to() == to) rivals |= bit(other.from());
      });
      generate_legal(position, others, sink);
    }
    if (rivals != 0) {
      const bool same_file = (rivals & file_mask(file_of(from))) != 0;
      const bool same_rank = (rivals & rank_mask(rank_of(from))) != 0;
      if (!same_file || same_rank) out += static_cast<char>('a' + file_of(from));
      if (same_file) out += static_cast<char>('1' + rank_of(from));
    }
    if (position.is_capture(move)) out += 'x';
    append_square(to);
  }
  append_check_sign(out, position, move);
  if (move.kind() == MoveKind::en_passant) out += style.en_passant_suffix;
}

void append_san(std::string& out, const Position& position, Move move) { append_algebraic(out, position, move, pgn_style); }

std::string to_san(const Position& position, Move move) {
  std::string out;
  append_san(out, position, move);
  return out;
}

std::string to_long_algebraic(const Position& position, Move move) {
  std::string out;
  if (move.kind() == MoveKind::castling) {
    append_san(out, position, move);
    return out;
  }
  out += english_letters[index(position.role_at(move.from()))];
  out += to_string(move.from());
  out += position.is_capture(move) ? 'x' : '-';
  out += to_string(move.to());
  if (move.kind() == MoveKind::promotion) {
    out += '=';
    out += english_letters[index(move.promotion_role())];
  }
  append_check_sign(out, position, move);
  return out;
}

}  // namespace referee::chess
