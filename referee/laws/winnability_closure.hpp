// Every position that can arise, each looked at once. Where there are few of them this proves that nobody mates; where there are
// many it looks first where a mate is near.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/laws/winnability_packed.hpp"

namespace referee::laws::winnability {

class Closure {
 public:
  /// Needs: no mate on the board.
  Closure(const chess::Position& start, chess::Color winner);

  enum class State { open, mate, closed };
  /// Works on until decided, `nodes` (counted down) are used up or `most_states` are held.
  State advance(std::uint64_t& nodes, std::size_t most_states);
  /// After State::mate: the moves from the start to it.
  [[nodiscard]] std::vector<chess::Move> line() const;
  [[nodiscard]] std::size_t states() const noexcept { return states_.size(); }

 private:
  struct Entry {
    PackedPosition position;
    std::uint32_t parent;
    std::uint16_t move;  // raw, from the parent
    bool expanded;
  };
  /// Positions still to be looked at, nearest first; last in, first out among equals.
  class Queue {
   public:
    void push(std::uint32_t entry, unsigned distance);
    [[nodiscard]] bool pop(std::uint32_t& entry);

   private:
    std::array<std::vector<std::uint32_t>, 64> buckets_;
    std::size_t nearest_ = 64;
  };
  bool expand(std::uint32_t entry, std::uint64_t& nodes);  // true: found
  bool insert(const chess::Position& position, std::uint32_t parent, chess::Move move);
  void grow();
  [[nodiscard]] unsigned distance(const chess::Position& position) const noexcept;

  chess::Color winner_;
  std::vector<Entry> states_;
  std::vector<std::uint32_t> table_;  // 1 + number of an entry; 0 free
  Queue near_;
  std::uint32_t oldest_ = 0;
  std::uint32_t turn_ = 0;
  std::uint32_t found_ = 0;
  std::vector<chess::Move> tail_;  // after the found entry
};

}  // namespace referee::laws::winnability
