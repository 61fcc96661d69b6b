// Closure with the free men left out: kings, pawns and hemmed-in men stand exactly where they are, the others are clouds that may be
// on any square of their reach, or gone. Where many bishops roam between walls the positions are countless, but what kings and pawns
// can do among them is soon listed, and stalemate, which saturation cannot see, ends many of those lines.
//
// Boards and reach grow together, round by round, to a common fixed point: the boards hold every arrangement of the exact men that
// clouds of that reach allow, and the reach leaves out only what no arrangement on these boards lets a cloud do. Every position that
// legal moves can bring about is one of the boards with each cloud, if it is still there, inside its reach.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

class CloudClosure {
 public:
  /// Which men are hemmed in: those with little room over empty squares, or those that would have little even if only pawns and kings
  /// stood in their way. Each proves what the other does not.
  enum class Hemmed { by_any_man, by_pawns_and_kings };

  /// Needs: no mate on the board, no en passant right, no castling rights.
  CloudClosure(const chess::Position& start, Color winner, Hemmed hemmed);

  /// True: the winner cannot mate. False: perhaps, or not known within `nodes` (counted down).
  [[nodiscard]] bool excludes_mate(std::uint64_t& nodes);

 private:
  /// The men that are not clouds.
  struct Board {
    std::array<Bitboard, 6> roles{};
    std::array<Bitboard, 2> colors{};
    Bitboard passed = 0;  // the square a pawn has just passed over
    Color mover = Color::white;
    std::array<bool, 2> promoted{};  // by colour: there may be promoted men, clouds too

    [[nodiscard]] Bitboard occupied() const noexcept { return colors[0] | colors[1]; }
    [[nodiscard]] Bitboard men(Color color, Role role) const noexcept { return colors[index_of(color)] & roles[chess::index(role)]; }
    [[nodiscard]] Square king(Color color) const noexcept { return chess::lowest(men(color, Role::king)); }
    void take_off(Bitboard square) noexcept;
    void put(Color color, Role role, Bitboard square) noexcept;
  };
  struct Key {
    std::array<std::uint64_t, 5> words{};
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Cloud {
    Color color;
    Role role;
    Bitboard limit;  // squares that saturation leaves it
    Bitboard reach;
    Bitboard entered;  // squares it may enter by a move
  };
  /// All promoted men of a colour together.
  struct Promoted {
    Bitboard arrived = 0;  // last-rank squares
    Bitboard reach = 0;
    [[nodiscard]] Bitboard attacks() const noexcept { return any_step(reach); }
  };
  /// What the last move was, as far as it matters for a new check.
  struct LastMove {
    enum class Kind { cloud, piece, king } kind;
    Bitboard vacated = 0;
    Bitboard entered = 0;
  };

  [[nodiscard]] bool spread();                           // clouds over what the boards leave open; false when nothing changed
  [[nodiscard]] bool list_boards(std::uint64_t& nodes);  // false: a mate may arise, or no nodes are left
  void forget_boards();
  void remember(const Key& key);
  [[nodiscard]] static Key key_of(const Board& board) noexcept;
  [[nodiscard]] static Board board_of(const Key& key) noexcept;

  // Each false when a mate may arise.
  [[nodiscard]] bool expand(const Board& board);
  [[nodiscard]] bool move_men(const Board& board);
  [[nodiscard]] bool move_pawns(const Board& board);
  [[nodiscard]] bool move_clouds(const Board& board);
  [[nodiscard]] bool arrive(Board board, const LastMove& last);

  [[nodiscard]] bool mate_possible(const Board& board, const LastMove& last) const noexcept;
  [[nodiscard]] bool mate_by_man(const Board& board, const LastMove& last) const noexcept;
  [[nodiscard]] bool mate_by_cloud(const Board& board, const LastMove& last, std::size_t cloud) const noexcept;
  [[nodiscard]] bool closed(const Board& board, Bitboard attacked) const noexcept;
  [[nodiscard]] Bitboard anywhere(const Board& board, Color color) const noexcept;
  [[nodiscard]] Bitboard attacked_by_men(const Board& board, Color by, Bitboard obstacles) const noexcept;
  [[nodiscard]] Bitboard attacked_by_clouds(const Board& board, Color by, std::size_t but) const noexcept;

  Color winner_;
  Key start_;
  std::vector<Cloud> clouds_;
  std::array<Promoted, 2> promoted_{};
  std::array<std::array<Bitboard, 6>, 2> limits_{};  // by colour and role: squares that saturation leaves the other men
  std::array<Bitboard, 2> standing_{};               // by colour: squares occupied by its men on every board
  std::array<Bitboard, 2> throne_{};                 // by colour: the square of a king that is the same on every board
  std::vector<Key> keys_;
  std::vector<std::uint32_t> table_;  // open addressing: 1 + number of a key; 0 free
};

}  // namespace referee::laws::winnability
