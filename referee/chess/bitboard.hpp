// Bit tricks on sets of squares, and the attacks of the pieces on an otherwise empty or given board.
//
// Sliding attacks use one multiplication a line ("kindergarten" lookup) and tables of 8 KiB in all, computed by the compiler: nothing to
// initialise at start, and nothing to fetch from a cold cache when one move has to be judged between two long thinks.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "referee/chess/types.hpp"

namespace referee::chess {

inline constexpr Bitboard file_a = 0x0101010101010101;
inline constexpr Bitboard file_h = file_a << 7U;
inline constexpr Bitboard rank_1 = 0xFF;
[[nodiscard]] constexpr Bitboard rank_mask(int rank) noexcept { return rank_1 << (8 * rank); }
[[nodiscard]] constexpr Bitboard file_mask(int file) noexcept { return file_a << file; }
/// 0 for White, 7 for Black.
[[nodiscard]] constexpr int home_rank(Color color) noexcept { return color == Color::white ? 0 : 7; }

/// Needs: squares is not empty.
[[nodiscard]] constexpr Square lowest(Bitboard squares) noexcept { return static_cast<Square>(std::countr_zero(squares)); }
[[nodiscard]] constexpr Square highest(Bitboard squares) noexcept { return static_cast<Square>(63 - std::countl_zero(squares)); }
/// Takes the lowest square out of the set. Needs: squares is not empty.
constexpr Square take_lowest(Bitboard& squares) noexcept {
  const Square square = lowest(squares);
  squares &= squares - 1;
  return square;
}
[[nodiscard]] constexpr bool more_than_one(Bitboard squares) noexcept { return (squares & (squares - 1)) != 0; }

/// Without the instruction (plain x86-64) the library's popcount is a function call; these dozen operations are quicker.
[[nodiscard]] constexpr unsigned count(Bitboard squares) noexcept {
#if defined(__POPCNT__) || defined(__aarch64__)
  return static_cast<unsigned>(std::popcount(squares));
#else
  squares -= (squares >> 1U) & 0x5555555555555555;
  squares = (squares & 0x3333333333333333) + ((squares >> 2U) & 0x3333333333333333);
  squares = (squares + (squares >> 4U)) & 0x0F0F0F0F0F0F0F0F;
  return static_cast<unsigned>((squares * file_a) >> 56U);
#endif
}

[[nodiscard]] constexpr Bitboard north(Bitboard b) noexcept { return b << 8U; }
[[nodiscard]] constexpr Bitboard south(Bitboard b) noexcept { return b >> 8U; }
[[nodiscard]] constexpr Bitboard east(Bitboard b) noexcept { return (b & ~file_h) << 1U; }
[[nodiscard]] constexpr Bitboard west(Bitboard b) noexcept { return (b & ~file_a) >> 1U; }

/// One step towards the last rank of `color`.
template <Color color>
[[nodiscard]] constexpr Bitboard forward(Bitboard b) noexcept {
  return color == Color::white ? north(b) : south(b);
}
/// All squares that pawns of `color` attack.
template <Color color>
[[nodiscard]] constexpr Bitboard pawn_attacks(Bitboard pawns) noexcept {
  return east(forward<color>(pawns)) | west(forward<color>(pawns));
}

namespace tables {

[[nodiscard]] constexpr Bitboard step(int square, int files, int ranks) noexcept {
  const int file = (square & 7) + files;
  const int rank = (square >> 3) + ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : Bitboard{1} << (rank * 8 + file);
}

struct Leapers {
  std::array<std::array<Bitboard, 64>, 2> pawn{};
  std::array<Bitboard, 64> knight{};
  std::array<Bitboard, 64> king{};
};
inline constexpr Leapers leapers = [] {
  Leapers made;
  for (int s = 0; s < 64; ++s) {
    const auto at = static_cast<std::size_t>(s);
    made.pawn[0][at] = step(s, -1, 1) | step(s, 1, 1);
    made.pawn[1][at] = step(s, -1, -1) | step(s, 1, -1);
    for (const int a : {-1, 1}) {
      for (const int b : {-2, 2}) made.knight[at] |= step(s, a, b) | step(s, b, a);
    }
    for (int files = -1; files <= 1; ++files) {
      for (int ranks = -1; ranks <= 1; ++ranks) {
        if (files != 0 || ranks != 0) made.king[at] |= step(s, files, ranks);
      }
    }
  }
  return made;
}();

/// The four lines through a square, without the square.
struct Lines {
  Bitboard rank, file, diagonal, antidiagonal;
};
inline constexpr std::array<Lines, 64> lines = [] {
  std::array<Lines, 64> made{};
  for (int s = 0; s < 64; ++s) {
    Lines& at = made[static_cast<std::size_t>(s)];
    for (int d = 1; d < 8; ++d) {
      at.rank |= step(s, d, 0) | step(s, -d, 0);
      at.file |= step(s, 0, d) | step(s, 0, -d);
      at.diagonal |= step(s, d, d) | step(s, -d, -d);
      at.antidiagonal |= step(s, d, -d) | step(s, -d, d);
    }
  }
  return made;
}();

struct Sliders {
  /// [file][occupancy of the files b..g]: reachable files, repeated on every rank.
  std::array<std::array<Bitboard, 64>, 8> by_file{};
  /// [rank][occupancy of the ranks 2..7]: reachable squares of the a-file.
  std::array<std::array<Bitboard, 64>, 8> by_rank{};
};
inline constexpr Sliders sliders = [] {
  Sliders made;
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned inner = 0; inner < 64; ++inner) {
      const unsigned occupied = inner << 1U;
      unsigned reached = 0;
      for (unsigned to = from + 1; to < 8; ++to) {
        reached |= 1U << to;
        if ((occupied >> to & 1U) != 0) break;
      }
      for (unsigned to = from; to-- > 0;) {
        reached |= 1U << to;
        if ((occupied >> to & 1U) != 0) break;
      }
      made.by_file[from][inner] = reached * file_a;
      for (unsigned to = 0; to < 8; ++to) {
        // The multiplication of file_attacks turns rank 2 into the highest bit of its index.
        if ((reached >> to & 1U) != 0) made.by_rank[7 - from][inner] |= Bitboard{1} << (8 * (7 - to));
      }
    }
  }
  return made;
}();

struct Pairs {
  std::array<std::array<Bitboard, 64>, 64> between{};
  std::array<std::array<Bitboard, 64>, 64> line{};
};
inline constexpr Pairs pairs = [] {
  Pairs made;
  constexpr int directions[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  for (int s = 0; s < 64; ++s) {
    const auto from = static_cast<std::size_t>(s);
    const Lines& through = lines[from];
    for (int d = 0; d < 8; ++d) {
      const Bitboard line = d < 2 ? through.rank : d < 4 ? through.file : d < 6 ? through.diagonal : through.antidiagonal;
      Bitboard passed = 0;
      for (int n = 1; n < 8; ++n) {
        const Bitboard at = step(s, n * directions[d][0], n * directions[d][1]);
        if (at == 0) break;
        const auto to = static_cast<std::size_t>(std::countr_zero(at));
        made.between[from][to] = passed;
        made.line[from][to] = line | Bitboard{1} << s;
        passed |= at;
      }
    }
  }
  return made;
}();

}  // namespace tables

[[nodiscard]] constexpr Bitboard pawn_attacks(Color color, Square from) noexcept { return tables::leapers.pawn[index(color)][index(from)]; }
[[nodiscard]] constexpr Bitboard knight_attacks(Square from) noexcept { return tables::leapers.knight[index(from)]; }
[[nodiscard]] constexpr Bitboard king_attacks(Square from) noexcept { return tables::leapers.king[index(from)]; }

namespace tables {
/// A line that has one square a file: the product gathers its men in the top byte.
[[nodiscard]] constexpr Bitboard along(Bitboard line, Square from, Bitboard occupied) noexcept {
  return sliders.by_file[static_cast<std::size_t>(file_of(from))][((occupied & line) * (file_a << 1U)) >> 58U] & line;
}
}  // namespace tables

[[nodiscard]] constexpr Bitboard bishop_attacks(Square from, Bitboard occupied) noexcept {
  const tables::Lines& through = tables::lines[index(from)];
  return tables::along(through.diagonal, from, occupied) | tables::along(through.antidiagonal, from, occupied);
}
[[nodiscard]] constexpr Bitboard rook_attacks(Square from, Bitboard occupied) noexcept {
  const tables::Lines& through = tables::lines[index(from)];
  const Bitboard on_file = (((occupied >> file_of(from)) & file_a) * 0x0080402010080400) >> 58U;
  return tables::along(through.rank, from, occupied) | tables::sliders.by_rank[static_cast<std::size_t>(rank_of(from))][on_file]
                                                           << file_of(from);
}
[[nodiscard]] constexpr Bitboard queen_attacks(Square from, Bitboard occupied) noexcept {
  return bishop_attacks(from, occupied) | rook_attacks(from, occupied);
}

/// Squares strictly between two squares of one line; empty when they share none.
[[nodiscard]] constexpr Bitboard between(Square a, Square b) noexcept { return tables::pairs.between[index(a)][index(b)]; }
/// The whole line through both; empty when they share none.
[[nodiscard]] constexpr Bitboard line_through(Square a, Square b) noexcept { return tables::pairs.line[index(a)][index(b)]; }

/// Attacks of a piece that is not a pawn.
[[nodiscard]] constexpr Bitboard piece_attacks(Role role, Square from, Bitboard occupied) noexcept {
  switch (role) {
    case Role::knight:
      return knight_attacks(from);
    case Role::bishop:
      return bishop_attacks(from, occupied);
    case Role::rook:
      return rook_attacks(from, occupied);
    case Role::queen:
      return queen_attacks(from, occupied);
    case Role::king:
      return king_attacks(from);
    case Role::pawn:
      break;
  }
  return 0;
}

}  // namespace referee::chess
