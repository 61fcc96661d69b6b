// The board of the instant engine: 0x88 squares, legal moves by trial. Small and on its own, so that a benchmark does not measure the
// referee with the referee's own chess.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace instant {

enum : int { none, pawn, knight, bishop, rook, queen, king };  // Black's are negative
inline constexpr int white = 1, black = -1;

struct Move {
  std::uint8_t from, to;
  std::uint8_t promotion;  // 0, or knight .. queen
};

struct MoveList {
  std::array<Move, 256> moves;
  int count = 0;
  void add(int from, int to, int promotion = 0) {
    moves[static_cast<std::size_t>(count++)] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                                                static_cast<std::uint8_t>(promotion)};
  }
  [[nodiscard]] Move operator[](int i) const { return moves[static_cast<std::size_t>(i)]; }
};

inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct Board {
  std::array<std::int8_t, 128> men{};
  std::array<int, 2> kings{};  // White's, Black's
  int side = white;
  unsigned castling = 0;  // bits K Q k q
  int en_passant = -1;
  int halfmove_clock = 0;

  [[nodiscard]] int at(int square) const { return men[static_cast<std::size_t>(square)]; }
  void put(int square, int man) { men[static_cast<std::size_t>(square)] = static_cast<std::int8_t>(man); }
  [[nodiscard]] int& king_of(int color) { return kings[color < 0 ? 1 : 0]; }
  [[nodiscard]] int king_of(int color) const { return kings[color < 0 ? 1 : 0]; }
};

inline bool on_board(int square) { return (square & 0x88) == 0; }

inline constexpr std::array<int, 8> knight_steps = {33, 31, 18, 14, -33, -31, -18, -14};
inline constexpr std::array<int, 8> king_steps = {1, -1, 16, -16, 17, 15, -17, -15};  // a rook's, then a bishop's

inline std::optional<Board> read_fen(std::string_view fen) {
  Board board;
  std::size_t next = 0;
  const auto field = [&] {
    while (next < fen.size() && fen[next] == ' ') ++next;
    const std::size_t start = next;
    while (next < fen.size() && fen[next] != ' ') ++next;
    return fen.substr(start, next - start);
  };
  int rank = 7, file = 0;
  for (const char c : field()) {
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      const std::size_t role = std::string_view("PNBRQK").find(static_cast<char>(c & ~32));
      if (role == std::string_view::npos || rank < 0 || file > 7) return std::nullopt;
      const int color = (c & 32) != 0 ? black : white;
      const int man = static_cast<int>(role) + 1;
      board.put(rank * 16 + file, color * man);
      if (man == king) board.king_of(color) = rank * 16 + file;
      ++file;
    }
  }
  board.side = field() == "b" ? black : white;
  for (const char c : field()) {
    const std::size_t right = std::min(std::string_view("KQkq").find(c), std::string_view("HAha").find(c));
    if (right != std::string_view::npos) board.castling |= 1U << right;
  }
  if (const std::string_view square = field(); square.size() == 2) board.en_passant = (square[1] - '1') * 16 + (square[0] - 'a');
  board.halfmove_clock = std::atoi(std::string(field()).c_str());
  return board;
}

inline Board initial_board() { return *read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"); }

inline bool attacked(const Board& board, int square, int by) {
  const int pawn_step = by > 0 ? -16 : 16;
  for (const int from : {square + pawn_step - 1, square + pawn_step + 1}) {
    if (on_board(from) && board.at(from) == by * pawn) return true;
  }
  for (const int step : knight_steps) {
    if (on_board(square + step) && board.at(square + step) == by * knight) return true;
  }
  for (std::size_t i = 0; i < king_steps.size(); ++i) {
    int from = square + king_steps[i];
    if (on_board(from) && board.at(from) == by * king) return true;
    const int slider = i < 4 ? rook : bishop;
    for (; on_board(from); from += king_steps[i]) {
      const int man = board.at(from);
      if (man == none) continue;
      if (man == by * slider || man == by * queen) return true;
      break;
    }
  }
  return false;
}

inline unsigned rights_lost_at(int square) {
  switch (square) {
    case 0x00:
      return 2;
    case 0x04:
      return 3;
    case 0x07:
      return 1;
    case 0x70:
      return 8;
    case 0x74:
      return 12;
    case 0x77:
      return 4;
    default:
      return 0;
  }
}

inline void make(Board& board, Move move) {
  const int us = board.side, man = board.at(move.from);
  const int en_passant = std::exchange(board.en_passant, -1);
  board.halfmove_clock = man == us * pawn || board.at(move.to) != none ? 0 : board.halfmove_clock + 1;
  board.put(move.to, move.promotion != 0 ? us * move.promotion : man);
  board.put(move.from, none);
  if (man == us * pawn) {
    if (move.to == en_passant) board.put(move.to - us * 16, none);
    if (std::abs(move.to - move.from) == 32) board.en_passant = (move.to + move.from) / 2;
  } else if (man == us * king) {
    board.king_of(us) = move.to;
    if (move.to - move.from == 2) {
      board.put(move.to - 1, board.at(move.to + 1));
      board.put(move.to + 1, none);
    } else if (move.to - move.from == -2) {
      board.put(move.to + 1, board.at(move.to - 2));
      board.put(move.to - 2, none);
    }
  }
  board.castling &= ~(rights_lost_at(move.from) | rights_lost_at(move.to));
  board.side = -us;
}

inline void add_pawn_moves(const Board& board, int from, MoveList& list) {
  const int us = board.side;
  const auto add = [&](int to) {
    if ((to >> 4) == (us > 0 ? 7 : 0)) {
      for (const int role : {queen, rook, bishop, knight}) list.add(from, to, role);
    } else {
      list.add(from, to);
    }
  };
  const int ahead = from + 16 * us;
  if (on_board(ahead) && board.at(ahead) == none) {
    add(ahead);
    if ((from >> 4) == (us > 0 ? 1 : 6) && board.at(ahead + 16 * us) == none) list.add(from, ahead + 16 * us);
  }
  for (const int to : {ahead - 1, ahead + 1}) {
    if (on_board(to) && (board.at(to) * us < 0 || to == board.en_passant)) add(to);
  }
}

inline void add_castling(const Board& board, int from, MoveList& list) {
  const int us = board.side;
  const unsigned rights = us > 0 ? board.castling & 3U : board.castling >> 2;
  if (from != (us > 0 ? 0x04 : 0x74) || rights == 0 || attacked(board, from, -us)) return;
  const auto empty = [&](int square) { return board.at(square) == none; };
  if ((rights & 1U) != 0 && empty(from + 1) && empty(from + 2) && board.at(from + 3) == us * rook && !attacked(board, from + 1, -us)) {
    list.add(from, from + 2);
  }
  if ((rights & 2U) != 0 && empty(from - 1) && empty(from - 2) && empty(from - 3) && board.at(from - 4) == us * rook &&
      !attacked(board, from - 1, -us)) {
    list.add(from, from - 2);
  }
}

inline MoveList legal_moves(const Board& board) {
  MoveList list;
  const int us = board.side;
  for (int from = 0; from < 128; ++from) {
    if (!on_board(from)) continue;
    const int role = board.at(from) * us;
    if (role <= 0) continue;
    if (role == pawn) {
      add_pawn_moves(board, from, list);
    } else if (role == knight || role == king) {
      for (const int step : role == knight ? knight_steps : king_steps) {
        if (on_board(from + step) && board.at(from + step) * us <= 0) list.add(from, from + step);
      }
      if (role == king) add_castling(board, from, list);
    } else {
      const std::size_t first = role == bishop ? 4 : 0, end = role == rook ? 4 : 8;
      for (std::size_t i = first; i < end; ++i) {
        for (int to = from + king_steps[i]; on_board(to); to += king_steps[i]) {
          if (board.at(to) * us > 0) break;
          list.add(from, to);
          if (board.at(to) != none) break;
        }
      }
    }
  }
  MoveList legal;
  for (int i = 0; i < list.count; ++i) {
    Board after = board;
    make(after, list[i]);
    if (!attacked(after, after.king_of(us), -us)) legal.moves[static_cast<std::size_t>(legal.count++)] = list[i];
  }
  return legal;
}

/// Identifies a position in the engines' logs, counters included.
inline std::uint64_t key(const Board& board) {
  static const auto men_keys = [] {
    std::array<std::array<std::uint64_t, 128>, 13> keys{};
    std::uint64_t x = 12345;
    for (auto& man : keys) {
      for (auto& value : man) value = mix(x += 0x9e3779b97f4a7c15ULL);
    }
    return keys;
  }();
  std::uint64_t result = mix(std::uint64_t{board.castling} * 2 + (board.side == white ? 1 : 0) + 77);
  for (int square = 0; square < 128; ++square) {
    if (on_board(square) && board.at(square) != none) {
      result ^= men_keys[static_cast<std::size_t>(board.at(square) + 6)][static_cast<std::size_t>(square)];
    }
  }
  return result ^ mix(static_cast<std::uint64_t>(board.halfmove_clock) + 1000);
}

/// A hash of the position and the seed chooses: the same game under every runner, whatever the order in which games are played.
inline Move choose(const Board& board, std::uint64_t seed, const MoveList& moves) {
  return moves[static_cast<int>((mix(key(board) ^ mix(seed)) >> 11) % static_cast<std::uint64_t>(moves.count))];
}

inline std::string to_text(Move move) {
  std::string text;
  for (const int square : {int{move.from}, int{move.to}}) {
    text += static_cast<char>('a' + (square & 7));
    text += static_cast<char>('1' + (square >> 4));
  }
  if (move.promotion != 0) text += " pnbrqk"[move.promotion];
  return text;
}

inline std::optional<Move> read_move(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  const int from = (text[1] - '1') * 16 + text[0] - 'a', to = (text[3] - '1') * 16 + text[2] - 'a';
  if (!on_board(from | to) || from < 0 || to < 0) return std::nullopt;
  int promotion = 0;
  if (text.size() > 4) {
    const std::size_t role = std::string_view("nbrq").find(static_cast<char>(text[4] | 32));
    if (role == std::string_view::npos) return std::nullopt;
    promotion = knight + static_cast<int>(role);
  }
  return Move{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), static_cast<std::uint8_t>(promotion)};
}

}  // namespace instant
