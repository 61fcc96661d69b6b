#include "referee/laws/winnability_closure.hpp"

#include <algorithm>

#include "referee/laws/winnability_forced.hpp"
#include "referee/laws/winnability_material.hpp"
#include "referee/laws/winnability_saturation.hpp"
#include "referee/laws/winnability_search.hpp"

namespace referee::laws::winnability {

using chess::Color;
using chess::Move;
using chess::Position;

namespace {

// Of so many positions one is the oldest still waiting, the others are the nearest by one guess or another: short ways near the
// start are found too.
constexpr std::uint32_t oldest_every = 7;
// A straight search from each position after a capture or pawn move: the wall may just have opened.
constexpr std::uint64_t straight_search_nodes = 100;
constexpr std::uint64_t forced_nodes = 200;

}  // namespace

void Closure::Queue::push(std::uint32_t entry, unsigned distance) {
  buckets_[distance].push_back(entry);
  nearest_ = std::min<std::size_t>(nearest_, distance);
}

bool Closure::Queue::pop(std::uint32_t& entry) {
  while (nearest_ < buckets_.size() && buckets_[nearest_].empty()) ++nearest_;
  if (nearest_ == buckets_.size()) return false;
  entry = buckets_[nearest_].back();
  buckets_[nearest_].pop_back();
  return true;
}

Closure::Closure(const Position& start, Color winner) : winner_(winner), guide_(start, winner), table_(1024) {
  const PackedPosition packed(start);
  std::size_t place = 0;
  if (known(packed, place)) return;
  insert(packed, place, 0, Move());
  for (Queue& queue : queues_) queue.push(0, 0);
}

bool Closure::known(const PackedPosition& position, std::size_t& place) const noexcept {
  const std::size_t mask = table_.size() - 1;
  for (place = position.hash() & mask; table_[place] != 0; place = (place + 1) & mask) {
    if (entries_[table_[place] - 1].position == position) return true;
  }
  return false;
}

void Closure::insert(const PackedPosition& packed, std::size_t place, std::uint32_t parent, Move move) {
  entries_.push_back({packed, parent, move.raw(), false});
  table_[place] = static_cast<std::uint32_t>(entries_.size());
  if (entries_.size() * 2 > table_.size()) grow();
}

void Closure::grow() {
  std::vector<std::uint32_t> table(table_.size() * 2);
  const std::size_t mask = table.size() - 1;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::size_t place = entries_[i].position.hash() & mask;
    while (table[place] != 0) place = (place + 1) & mask;
    table[place] = i + 1;
  }
  table_.swap(table);
}

bool Closure::next(std::uint32_t& entry) {
  if (++turn_ % oldest_every == 0) {
    while (oldest_ < entries_.size() && entries_[oldest_].done) ++oldest_;
    entry = oldest_;
    return oldest_ < entries_.size();
  }
  // Each queue holds every entry that is not done, so one that is empty says that all are.
  Queue& queue = queues_[turn_ % queues_.size()];
  do {
    if (!queue.pop(entry)) return false;
  } while (entries_[entry].done);
  return true;
}

bool Closure::worth_a_straight_search(Move move) noexcept {
  if (move.kind() == chess::MoveKind::promotion) return true;
  // The longer it has been in vain, the less often.
  const std::uint32_t failures = straight_searches_;
  ++after_irreversible_;
  if (failures >= 64 && after_irreversible_ % (failures >= 512 ? 32 : 8) != 0) return false;
  ++straight_searches_;
  return true;
}

bool Closure::expand(std::uint32_t entry, std::uint64_t& nodes) {
  const Position position = entries_[entry].position.unpack();
  entries_[entry].done = true;
  for (const Move move : position.legal_moves()) {
    const Position after = position.after(move);
    nodes -= std::min<std::uint64_t>(nodes, 1);
    if (mated_by(after, winner_)) {
      found_ = entry;
      ending_ = {move};
      return true;
    }
    if (material_cannot_mate(after, winner_)) continue;
    const PackedPosition packed(after);
    std::size_t place = 0;
    if (known(packed, place)) continue;
    insert(packed, place, entry, move);
    const auto number = static_cast<std::uint32_t>(entries_.size() - 1);
    if (position.is_zeroing(move)) {
      // What cannot come back is worth a closer look.
      std::uint64_t few = forced_nodes;
      const bool lost = forced_lines_exclude_mate(after, winner_, exact_depth, few) || saturation_excludes_mate(after, winner_);
      nodes -= std::min(nodes, forced_nodes - few);
      if (lost) {
        entries_.back().done = true;
        continue;
      }
      if (worth_a_straight_search(move)) {
        std::uint64_t some = straight_search_nodes;
        Line line;
        if (find_helpmate(after, winner_, some, line)) {
          found_ = number;
          ending_.assign(line.begin(), line.end());
          return true;
        }
        nodes -= std::min(nodes, straight_search_nodes - some);
      }
    }
    for (std::size_t i = 0; i < queues_.size(); ++i) queues_[i].push(number, guide_.distance(Guide::guesses[i], after));
  }
  return false;
}

Closure::State Closure::advance(std::uint64_t& nodes, std::size_t most_states) {
  while (nodes > 0 && entries_.size() < most_states) {
    std::uint32_t entry = 0;
    if (!next(entry)) return State::closed;
    if (expand(entry, nodes)) return State::mate;
  }
  return State::open;
}

std::vector<Move> Closure::line() const {
  std::vector<Move> moves(ending_.rbegin(), ending_.rend());
  for (std::uint32_t i = found_; i != 0; i = entries_[i].parent) moves.push_back(Move::from_raw(entries_[i].move));
  std::reverse(moves.begin(), moves.end());
  return moves;
}

}  // namespace referee::laws::winnability
