#include "referee/chess/notation.hpp"

#include <cstdlib>
#include <optional>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/fen_reader.hpp"

namespace referee::chess {

namespace {

constexpr std::string_view promotion_letters = "nbrq";  // from Role::knight on

[[nodiscard]] MoveTextError fault(MoveTextFault kind, std::string_view text, std::string_view what) {
  return {kind, shown(text) + " " + std::string(what)};
}

/// Square a castling king arrives on.
[[nodiscard]] Square castled_king(Color color, Square king, Square rook) noexcept {
  return make_square(index(rook) > index(king) ? 6 : 2, home_rank(color));
}

/// "King moves two squares" says castling and nothing else only if the king really goes further than its ordinary step.
[[nodiscard]] bool goes_two_squares(Color color, Move castling) noexcept {
  return std::abs(file_of(castled_king(color, castling.from(), castling.to())) - file_of(castling.from())) >= 2;
}

[[nodiscard]] std::optional<ReadMove> read_uci_castling(const Position& position, Square from, Square to, CastlingText castling) {
  const Color us = position.side_to_move();
  const Bitboard rooks = position.castling_rooks() & position.pieces(us);
  if ((rooks & bit(to)) != 0) {
    const Move move = Move::castling(from, to);
    if (!position.is_legal(move)) return std::nullopt;
    const bool expected = castling == CastlingText::king_takes_rook || !goes_two_squares(us, move) || castled_king(us, from, to) == to;
    return ReadMove{move, expected ? "" : "castling written as king takes rook"};
  }
  for (Bitboard left = rooks; left != 0;) {
    const Move move = Move::castling(from, take_lowest(left));
    if (castled_king(us, from, move.to()) != to || !goes_two_squares(us, move) || !position.is_legal(move)) continue;
    return ReadMove{move, castling == CastlingText::king_two_squares ? "" : "castling written as a king's move of two squares"};
  }
  return std::nullopt;
}

}  // namespace

MoveText read_uci(const Position& position, std::string_view text, CastlingText castling) {
  if (text == "0000" || text == "(none)" || text == "NULL") return fault(MoveTextFault::malformed, text, "is no move");
  const auto from = parse_square(text.substr(0, 2));
  const auto to = parse_square(text.size() >= 4 ? text.substr(2, 2) : std::string_view{});
  if (!from || !to || text.size() > 5 || from == to) {
    return fault(MoveTextFault::malformed, text, "is not a move in coordinate notation, expected such as e2e4 or e7e8q");
  }
  std::optional<Role> promotion;
  const bool capital = text.size() == 5 && text[4] >= 'A' && text[4] <= 'Z';
  if (text.size() == 5) {
    const std::size_t found = promotion_letters.find(capital ? static_cast<char>(text[4] - 'A' + 'a') : text[4]);
    if (found == std::string_view::npos) {
      const bool a_man = std::string_view("kpKP").find(text[4]) != std::string_view::npos;
      return fault(a_man ? MoveTextFault::illegal : MoveTextFault::malformed, text, "names no promotion piece, expected q, r, b or n");
    }
    promotion = static_cast<Role>(found + 1);
  }
  const auto piece = position.piece_at(*from);
  const Color us = position.side_to_move();
  if (!piece || piece->color != us) {
    return fault(MoveTextFault::illegal, text, "is illegal: no " + std::string(name(us)) + " man on " + to_string(*from));
  }
  if (promotion) {
    const Move move = Move::promotion(*from, *to, *promotion);
    if (!position.is_legal(move)) return fault(MoveTextFault::illegal, text, "is no legal move here");
    return ReadMove{move, capital ? "upper-case promotion letter" : ""};
  }

  if (position.is_legal(Move::plain(*from, *to))) return ReadMove{Move::plain(*from, *to), ""};
  if (piece->role == Role::king) {
    if (auto read = read_uci_castling(position, *from, *to, castling)) return *std::move(read);
  } else if (piece->role == Role::pawn) {
    if (position.is_legal(Move::en_passant(*from, *to))) return ReadMove{Move::en_passant(*from, *to), ""};
    if (position.is_legal(Move::promotion(*from, *to, Role::queen))) {
      return fault(MoveTextFault::promotion_missing, text, "does not name the piece the pawn becomes");
    }
  }
  return fault(MoveTextFault::illegal, text, "is no legal move here");
}

MoveText read_xboard(const Position& position, std::string_view text, CastlingText castling) {
  const bool coordinates = text.size() >= 4 && parse_square(text.substr(0, 2)) && parse_square(text.substr(2, 2));
  if (coordinates && text.size() <= 5) {
    MoveText read = read_uci(position, text, castling);
    const auto* error = std::get_if<MoveTextError>(&read);
    if (error == nullptr || error->fault != MoveTextFault::malformed) return read;
  }
  return read_san(position, text);
}

void append_uci(std::string& out, const Position& position, Move move, CastlingText castling) {
  Square to = move.to();
  if (move.kind() == MoveKind::castling && castling == CastlingText::king_two_squares && goes_two_squares(position.side_to_move(), move)) {
    to = castled_king(position.side_to_move(), move.from(), move.to());
  }
  for (const Square square : {move.from(), to}) {
    out += static_cast<char>('a' + file_of(square));
    out += static_cast<char>('1' + rank_of(square));
  }
  if (move.kind() == MoveKind::promotion) out += promotion_letters[index(move.promotion_role()) - 1];
}

std::string to_uci(const Position& position, Move move, CastlingText castling) {
  std::string out;
  append_uci(out, position, move, castling);
  return out;
}

}  // namespace referee::chess
