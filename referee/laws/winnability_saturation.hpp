// Where could every man ever get to? A generous world: tempo, checks and the order of moves do not count, only what can never
// happen is left out. If even there the loser can never be mated, the answer is no.
//
// The invariant everything rests on: in every position that legal moves can bring about, each surviving man stands inside its
// `reach`, only men marked `takeable` are missing, and promoted men are marked `promotes`. Every rule may only leave out what no
// legal move can do; tests walk random games against it (tests/laws/winnability_test_saturation.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "referee/chess/position.hpp"
#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

class World {
 public:
  static constexpr std::size_t most_men = 32;

  /// Needs: no mate on the board, and no en passant capture is legal (saturation_excludes_mate() sees to the latter).
  World(const chess::Position& position, Color winner) noexcept;

  /// Works the rules to their fixed point and tests for mate. True: the winner cannot mate. False as well when the fixed point is not
  /// reached within `most_rounds`.
  [[nodiscard]] bool excludes_mate(unsigned most_rounds = ~0U) noexcept;

  /// After that: squares on which the loser might be mated.
  enum class Wanted { one, all };
  [[nodiscard]] Bitboard mate_squares(Wanted wanted) const noexcept;

  /// What the fixed point says; for tests and explanations.
  struct Man {
    Color color;
    Role role;
    Bitboard start;     // where it stands
    Bitboard reach;     // where it may ever stand
    Bitboard entered;   // squares it may enter by a move
    Bitboard promoted;  // the part of the reach that it may stand on as a promoted man
    bool takeable;      // may ever be taken
    bool promotes;      // may ever promote
  };
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] Man man(std::size_t i) const noexcept;
  /// Rounds worked so far.
  [[nodiscard]] unsigned rounds() const noexcept { return rounds_; }

 private:
  using Set = std::uint32_t;  // of men, by number
  static constexpr Set one(std::size_t i) noexcept { return Set{1} << i; }

  void add(Color color, Role role, Square square) noexcept;
  void find_facing_pawns() noexcept;
  void add_castling_targets(const chess::Position& position) noexcept;
  bool widen() noexcept;  // one round of all rules; false when nothing changed
  void find_rocks() noexcept;
  void find_guarded() noexcept;
  bool widen_piece(std::size_t i) noexcept;
  bool widen_pawn(std::size_t i) noexcept;
  bool mark_taken() noexcept;
  [[nodiscard]] bool pawn_in_file(std::size_t i) const noexcept;
  [[nodiscard]] bool mate_possible_on(Square square, Bitboard flights) const noexcept;
  [[nodiscard]] bool can_block(Bitboard squares) const noexcept;

  std::array<Bitboard, most_men> start_{};
  std::array<Bitboard, most_men> reach_{};     // every square it may stand on, promoted or not
  std::array<Bitboard, most_men> as_pawn_{};   // pawns: the part of it reached as a pawn
  std::array<Bitboard, most_men> promoted_{};  // pawns: the part of it reached as a promoted man
  std::array<Bitboard, most_men> entered_{};   // squares it may enter by a move
  std::array<Bitboard, most_men> taking_{};    // the part of it where it may take
  std::array<Role, most_men> role_{};
  std::array<Color, most_men> color_{};
  std::array<Set, most_men> facing_{};  // pawns: the enemy pawns ahead on the same file
  Set takeable_ = 0;
  Set guarding_ = 0;  // men that may still guard some square for ever
  std::size_t count_ = 0;
  std::array<std::size_t, 2> king_{};  // by colour: number of its king, the first of its men
  std::array<std::size_t, 2> last_{};  // by colour: one past its last man
  Color winner_;
  bool last_man_ = false;            // the winner has one man besides the king: nothing after its capture matters
  std::array<Bitboard, 2> rocks_{};  // by colour: men that stand where they are for ever, kings included
  Bitboard rock_kings_ = 0;
  Bitboard last_man_rock_ = 0;          // square of the winner's last man while it never leaves it
  std::array<Bitboard, 2> guarded_{};   // by colour: squares it attacks at all times
  std::array<Bitboard, 2> anywhere_{};  // by colour: union of the reach of all men but the king
  Bitboard ever_ = 0;                   // squares somebody may ever stand on
  unsigned rounds_ = 0;
};

/// The whole test: true when proven that `winner` cannot mate. Needs: no mate on the board.
[[nodiscard]] bool saturation_excludes_mate(const chess::Position& position, Color winner) noexcept;

}  // namespace referee::laws::winnability
