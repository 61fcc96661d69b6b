// Every position that can arise, each looked at once. Where there are few of them this proves that nobody mates; where there are
// many it looks first where a mate seems near.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/laws/winnability_guide.hpp"
#include "referee/laws/winnability_packed.hpp"

namespace referee::laws::winnability {

class Closure {
 public:
  /// Needs: no mate on the board.
  Closure(const chess::Position& start, chess::Color winner);

  enum class State { open, mate, closed };
  /// Works on until decided, `nodes` (counted down) are used up or `most_states` are held. May be called again to go on.
  [[nodiscard]] State advance(std::uint64_t& nodes, std::size_t most_states);
  /// After State::mate: the moves from the start to it.
  [[nodiscard]] std::vector<chess::Move> line() const;

 private:
  struct Entry {
    PackedPosition position;
    std::uint32_t parent;
    std::uint16_t move;  // raw, from the parent
    bool done;           // looked at, or shown to be lost for the winner
  };
  /// Positions still to be looked at, nearest first; the last found first among equals, so that a trail is followed.
  class Queue {
   public:
    void push(std::uint32_t entry, unsigned distance);
    [[nodiscard]] bool pop(std::uint32_t& entry);

   private:
    std::array<std::vector<std::uint32_t>, Guide::farthest + 1> buckets_;
    std::size_t nearest_ = Guide::farthest + 1;
  };

  [[nodiscard]] bool next(std::uint32_t& entry);
  [[nodiscard]] bool expand(std::uint32_t entry, std::uint64_t& nodes);  // true: a mate is found
  [[nodiscard]] bool worth_a_straight_search(chess::Move move) noexcept;
  [[nodiscard]] bool known(const PackedPosition& position, std::size_t& place) const noexcept;
  void insert(const PackedPosition& packed, std::size_t place, std::uint32_t parent, chess::Move move);
  void grow();

  chess::Color winner_;
  Guide guide_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> table_;  // open addressing: 1 + number of an entry; 0 free
  std::array<Queue, Guide::guesses.size()> queues_;
  std::uint32_t oldest_ = 0;  // entries before it are done
  std::uint32_t turn_ = 0;
  std::uint32_t after_irreversible_ = 0;  // positions met after a capture or pawn move
  std::uint32_t straight_searches_ = 0;   // in vain so far
  std::uint32_t found_ = 0;               // entry the mate is found from
  std::vector<chess::Move> ending_;       // moves from it to the mate
};

}  // namespace referee::laws::winnability
