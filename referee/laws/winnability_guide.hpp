// How far from a mate does a position look? Three guesses, each right where the others are wrong; the closure follows all of them
// in turn. They only order the work: no verdict rests on a guess.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

class Guide {
 public:
  enum class Guess : std::uint8_t {
    strength,  // kings near each other at the edge, a queen or rook there or soon to come
    net,       // squares the loser's king can still flee to, where it stands
    picture,   // men still missing from the mates that saturation leaves possible
  };
  static constexpr std::array<Guess, 3> guesses{Guess::strength, Guess::net, Guess::picture};
  static constexpr unsigned farthest = 63;

  Guide(const chess::Position& start, Color winner);

  /// 0 (near) .. farthest.
  [[nodiscard]] unsigned distance(Guess guess, const chess::Position& position) const noexcept;

 private:
  /// A square on which the loser might be mated.
  struct Picture {
    Square square;
    Bitboard flights;                  // squares beside it that the loser's king might flee to
    std::array<std::uint8_t, 64> way;  // king's steps to it from each square, among those it can ever stand on
  };
  void look_at_reach(const chess::Position& start);
  void choose_pictures(const chess::Position& start);
  [[nodiscard]] unsigned strength(const chess::Position& position) const noexcept;
  [[nodiscard]] unsigned minors(const chess::Position& position) const noexcept;
  [[nodiscard]] unsigned helper_to_go(const chess::Position& position, Bitboard others, Square corner) const noexcept;
  [[nodiscard]] unsigned pawns_to_go(const chess::Position& position) const noexcept;
  [[nodiscard]] unsigned net(const chess::Position& position) const noexcept;
  [[nodiscard]] unsigned picture(const chess::Position& position, const Picture& wanted) const noexcept;
  [[nodiscard]] unsigned check(const chess::Position& position, Square square) const noexcept;
  [[nodiscard]] unsigned closing(const chess::Position& position, Square flight) const noexcept;

  Color winner_;
  Color loser_;
  Bitboard mates_ = ~Bitboard{0};        // squares on which saturation leaves a mate possible
  Bitboard king_reach_ = ~Bitboard{0};   // of the loser
  Bitboard guardable_ = ~Bitboard{0};    // squares the winner's king may ever guard
  Bitboard attackable_ = ~Bitboard{0};   // squares its other men may ever attack
  std::array<Bitboard, 6> blockable_{};  // by role: squares a man of the loser's that began as such may ever stand on
  std::vector<Picture> pictures_;
};

}  // namespace referee::laws::winnability
