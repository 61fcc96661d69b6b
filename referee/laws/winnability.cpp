#include "referee/laws/winnability.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_closure.hpp"
#include "referee/laws/winnability_clouds.hpp"
#include "referee/laws/winnability_forced.hpp"
#include "referee/laws/winnability_material.hpp"
#include "referee/laws/winnability_saturation.hpp"
#include "referee/laws/winnability_search.hpp"

namespace referee::laws {

using chess::Color;
using chess::Move;
using chess::Position;

std::string_view name(Proof proof) noexcept {
  switch (proof) {
    case Proof::none:
      return "";
    case Proof::line:
      return "line";
    case Proof::terminal:
      return "terminal";
    case Proof::material:
      return "material";
    case Proof::forced_lines:
      return "forced lines";
    case Proof::saturation:
      return "saturation";
    case Proof::cloud_closure:
      return "cloud closure";
    case Proof::closure:
      return "closure";
  }
  return "";
}

namespace {

// The straight search finds nearly every line of ordinary play within this; what it misses is for the closure.
constexpr std::uint64_t straight_search_nodes = 400;
// States are held in memory (about 50 bytes each); the nodes of a budget beyond this many states go unused.
constexpr std::size_t most_states = 4'000'000;

/// Closure and cloud closure take turns, each longer than the last: neither knows beforehand which of them will do.
struct Turn {
  std::uint64_t closure_nodes;
  std::uint64_t cloud_nodes;
};
constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
constexpr std::array<Turn, 4> turns{{{20'000, 3'000}, {100'000, 30'000}, {1'000'000, 200'000}, {all, 0}}};

/// A yes stands only if its line, played with the ordinary move generator, ends in the mate.
[[nodiscard]] bool replays(Position position, Color winner, const std::vector<Move>& line) {
  for (const Move move : line) {
    if (!position.is_legal(move)) return false;
    position.play(move);
  }
  return winnability::mated_by(position, winner);
}

/// Counts what it is given and what is left of it.
class Allowance {
 public:
  explicit Allowance(std::uint64_t nodes) noexcept : granted_(nodes), left_(nodes) {}
  [[nodiscard]] std::uint64_t used() const noexcept { return granted_ - left_; }
  [[nodiscard]] std::uint64_t& left() noexcept { return left_; }
  /// Lets `work(nodes)` use at most `most` of what is left.
  template <typename Work>
  auto spend(std::uint64_t most, Work work) {
    std::uint64_t part = std::min(most, left_);
    left_ -= part;
    auto result = work(part);
    left_ += part;
    return result;
  }

 private:
  std::uint64_t granted_;
  std::uint64_t left_;
};

}  // namespace

Winnability can_mate(const Position& position, Color winner, WinnabilityBudget budget) {
  Allowance allowance(budget.nodes);
  const auto answer = [&allowance](CanMate verdict, Proof proof, std::vector<Move> helpmate = {}) {
    return Winnability{verdict, proof, allowance.used(), std::move(helpmate)};
  };
  if (!position.has_legal_move()) { return answer(winnability::mated_by(position, winner) ? CanMate::yes : CanMate::no, Proof::terminal); }
  if (winnability::material_cannot_mate(position, winner)) return answer(CanMate::no, Proof::material);
  if (winnability::forced_lines_exclude_mate(position, winner, winnability::exact_depth, allowance.left())) {
    return answer(CanMate::no, Proof::forced_lines);
  }
  winnability::Line line;
  const bool straight = allowance.spend(straight_search_nodes,
                                        [&](std::uint64_t& nodes) { return winnability::find_helpmate(position, winner, nodes, line); });
  if (straight) {
    std::vector<Move> helpmate(line.begin(), line.end());
    if (replays(position, winner, helpmate)) return answer(CanMate::yes, Proof::line, std::move(helpmate));
  }
  if (winnability::saturation_excludes_mate(position, winner)) return answer(CanMate::no, Proof::saturation);
  if (allowance.left() == 0) return answer(CanMate::undecided, Proof::none);
  const bool clouds_apply = !position.en_passant() && position.castling_rooks() == 0;
  winnability::Closure closure(position, winner);
  for (const Turn& turn : turns) {
    const auto state = allowance.spend(turn.closure_nodes, [&](std::uint64_t& nodes) { return closure.advance(nodes, most_states); });
    if (state == winnability::Closure::State::closed) return answer(CanMate::no, Proof::closure);
    if (state == winnability::Closure::State::mate) {
      std::vector<Move> helpmate = closure.line();
      if (!replays(position, winner, helpmate)) break;
      return answer(CanMate::yes, Proof::line, std::move(helpmate));
    }
    if (!clouds_apply) continue;
    for (const auto hemmed : {winnability::CloudClosure::Hemmed::by_any_man, winnability::CloudClosure::Hemmed::by_pawns_and_kings}) {
      const bool excluded = allowance.spend(
          turn.cloud_nodes, [&](std::uint64_t& nodes) { return winnability::CloudClosure(position, winner, hemmed).excludes_mate(nodes); });
      if (excluded) return answer(CanMate::no, Proof::cloud_closure);
    }
  }
  return answer(CanMate::undecided, Proof::none);
}

namespace {

constexpr std::uint64_t quick_nodes = 80;  // covers every forced line seen in real games
constexpr unsigned quick_rounds = 8;       // of saturation

/// Saturation says no only behind walls: pawns held up by men in front of them and, unless there are many, no queen, rook or
/// knight to jump or break through.
[[nodiscard]] bool walled(const Position& position) noexcept {
  const chess::Bitboard occupied = position.occupied();
  const unsigned held_up = chess::count(chess::north(position.pieces(Color::white, chess::Role::pawn)) & occupied) +
                           chess::count(chess::south(position.pieces(Color::black, chess::Role::pawn)) & occupied);
  const chess::Bitboard strong =
      position.pieces(chess::Role::queen) | position.pieces(chess::Role::rook) | position.pieces(chess::Role::knight);
  return held_up >= (strong == 0 ? 4U : 8U);
}

[[nodiscard]] bool excluded_quick(const Position& position, Color winner, std::uint64_t& nodes) noexcept {
  if (winnability::forced_lines_exclude_mate(position, winner, winnability::exact_depth, nodes)) return true;
  if (!walled(position) || position.en_passant() || !position.has_legal_move()) return false;
  return winnability::World(position, winner).excludes_mate(quick_rounds);
}

}  // namespace

bool cannot_mate_quick(const Position& position, Color winner) noexcept {
  std::uint64_t nodes = quick_nodes;
  return excluded_quick(position, winner, nodes);
}

bool quick_dead(const Position& position) noexcept {
  std::uint64_t nodes = quick_nodes;
  const Color mover = position.side_to_move();
  return excluded_quick(position, mover, nodes) && excluded_quick(position, chess::opposite(mover), nodes);
}

bool cannot_mate_by_material(const Position& position, Color winner) noexcept {
  return winnability::material_cannot_mate(position, winner) && !winnability::mated_by(position, winner);
}

}  // namespace referee::laws
