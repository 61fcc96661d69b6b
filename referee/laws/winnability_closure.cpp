#include "referee/laws/winnability_closure.hpp"

#include <algorithm>
#include <cstdlib>

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_forced.hpp"
#include "referee/laws/winnability_material.hpp"
#include "referee/laws/winnability_saturation.hpp"
#include "referee/laws/winnability_search.hpp"
#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

using chess::Move;
using chess::opposite;
using chess::Position;

namespace {
constexpr int FIFO = 4, DFS = 100, HP = 1;
}

void Closure::Queue::push(std::uint32_t entry, unsigned distance) {
  const std::size_t at = std::min<std::size_t>(distance, buckets_.size() - 1);
  buckets_[at].push_back(entry);
  nearest_ = std::min(nearest_, at);
}

bool Closure::Queue::pop(std::uint32_t& entry) {
  while (nearest_ < buckets_.size() && buckets_[nearest_].empty()) ++nearest_;
  if (nearest_ == buckets_.size()) return false;
  entry = buckets_[nearest_].back();
  buckets_[nearest_].pop_back();
  return true;
}

Closure::Closure(const Position& start, Color winner) : winner_(winner), table_(1U << 10U) { insert(start, 0, Move()); }

void Closure::grow() {
  std::vector<std::uint32_t> table(table_.size() * 2);
  const std::size_t mask = table.size() - 1;
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    std::size_t at = states_[i].position.hash() & mask;
    while (table[at] != 0) at = (at + 1) & mask;
    table[at] = i + 1;
  }
  table_.swap(table);
}

bool Closure::insert(const Position& position, std::uint32_t parent, Move move) {
  if ((states_.size() + 1) * 2 > table_.size()) grow();
  const PackedPosition packed(position);
  const std::size_t mask = table_.size() - 1;
  std::size_t at = packed.hash() & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    if (states_[table_[at] - 1].position == packed) return false;
  }
  states_.push_back({packed, parent, move.raw(), false});
  table_[at] = static_cast<std::uint32_t>(states_.size());
  near_.push(static_cast<std::uint32_t>(states_.size() - 1), distance(position));
  return true;
}

unsigned Closure::distance(const Position& position) const noexcept {
  const Color loser = opposite(winner_);
  const Square lk = position.king(loser), wk = position.king(winner_);
  const auto edge = [](int x) { return std::min(x, 7 - x); };
  const auto dist = [](Square a, Square b) {
    return std::max(std::abs(chess::file_of(a) - chess::file_of(b)), std::abs(chess::rank_of(a) - chess::rank_of(b)));
  };
  int d = std::max(edge(chess::file_of(lk)), edge(chess::rank_of(lk))) + std::max(0, dist(lk, wk) - 2);
  const Bitboard heavy = position.pieces(winner_) & (position.pieces(Role::queen) | position.pieces(Role::rook));
  if (heavy == 0) {
    int best = 8;
    for (Bitboard pawns = position.pieces(winner_, Role::pawn); pawns != 0;) {
      const Square q = chess::take_lowest(pawns);
      int left = winner_ == Color::white ? 7 - chess::rank_of(q) : chess::rank_of(q);
      Bitboard ahead = bit(q);
      for (int i = 0; i < 6; ++i) ahead |= pawn_push(ahead, winner_);
      ahead &= ~bit(q);
      left += 2 * static_cast<int>(chess::count(ahead & position.occupied()));
      best = std::min(best, left);
    }
    d += 2 + 2 * best;
  }
  d += HP * static_cast<int>(chess::count(position.pieces(loser)));
  return static_cast<unsigned>(d);
}

bool Closure::expand(std::uint32_t entry, std::uint64_t& nodes) {
  const Position position = states_[entry].position.unpack();
  states_[entry].expanded = true;
  for (const Move move : position.legal_moves()) {
    const Position next = position.after(move);
    if (nodes > 0) --nodes;
    if (mated_by(next, winner_)) {
      found_ = entry;
      tail_ = {move};
      return true;
    }
    if (material_cannot_mate(next, winner_)) continue;
    const bool irreversible = position.is_zeroing(move);
    if (!insert(next, entry, move)) continue;
    if (!irreversible) continue;
    std::uint64_t few = 200;
    if (forced_lines_exclude_mate(next, winner_, 4, few) || saturation_excludes_mate(next, winner_)) {
      states_.back().expanded = true;
      continue;
    }
    if (DFS == 0) continue;
    std::uint64_t some = static_cast<std::uint64_t>(DFS);
    Line line;
    if (find_helpmate(next, winner_, some, line)) {
      found_ = static_cast<std::uint32_t>(states_.size() - 1);
      tail_.assign(line.begin(), line.end());
      return true;
    }
    nodes -= std::min(nodes, static_cast<std::uint64_t>(DFS) - some);
  }
  return false;
}

Closure::State Closure::advance(std::uint64_t& nodes, std::size_t most_states) {
  while (nodes > 0 && states_.size() < most_states) {
    std::uint32_t entry = 0;
    if (++turn_ % static_cast<unsigned>(FIFO) == 0) {
      while (oldest_ < states_.size() && states_[oldest_].expanded) ++oldest_;
      if (oldest_ == states_.size()) return State::closed;
      entry = oldest_;
    } else {
      if (!near_.pop(entry)) return State::closed;
      if (states_[entry].expanded) continue;
    }
    if (expand(entry, nodes)) return State::mate;
  }
  return State::open;
}

std::vector<Move> Closure::line() const {
  std::vector<Move> moves(tail_.rbegin(), tail_.rend());
  for (std::uint32_t i = found_; i != 0; i = states_[i].parent) moves.push_back(Move::from_raw(states_[i].move));
  std::reverse(moves.begin(), moves.end());
  return moves;
}

}  // namespace referee::laws::winnability
