// Can a player still give mate, by any series of legal moves, both sides helping? (Articles 5.2.2, 6.9, 7.5.5, 9.6 of 2018 and 2023.)
// The question is about reachability alone: repetition and the move-count rules play no part (LAWS D8).
//
//   Winnability w = can_mate(position, Color::white, WinnabilityBudget::verdict());
//   if (w.verdict == CanMate::no) ...  // proven; w.proof says how
//
// Everything here is a pure function of the position and a budget counted in nodes, never in time: the same answer on every machine.
// "no" is permanent for the rest of the game; "yes" holds for the position asked about and for those on its helpmate.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "referee/chess/move.hpp"
#include "referee/chess/position.hpp"

namespace referee::laws {

enum class CanMate : std::uint8_t { yes, no, undecided };

/// What a verdict rests on.
enum class Proof : std::uint8_t {
  none,           // undecided
  line,           // yes: `helpmate`, replayed with the ordinary move generator
  terminal,       // mate (yes) or no legal move without the mate asked for (no) on the board
  material,       // no: what is on the board cannot mate, whatever the squares
  forced_lines,   // no: every line soon ends in one of the two above
  saturation,     // no: no mate even if every man may go wherever it could ever get to
  cloud_closure,  // no: the same for every arrangement of kings, pawns and hemmed-in men that can arise
  closure,        // no: every position that can arise was looked at
};
/// "line" "terminal" "material" "forced lines" "saturation" "cloud closure" "closure", "" for none.
[[nodiscard]] std::string_view name(Proof proof) noexcept;

/// Upper limit of the work, in positions looked at. A budget never makes an answer wrong, only `undecided`.
struct WinnabilityBudget {
  std::uint64_t nodes = 0;
  /// Between two moves of a game: well under a millisecond.
  [[nodiscard]] static constexpr WinnabilityBudget answer_path() noexcept { return {2'000}; }
  /// At a flag fall, a forfeit or a resignation, with the clocks stopped: at worst about two seconds, nearly always microseconds.
  [[nodiscard]] static constexpr WinnabilityBudget verdict() noexcept { return {4'000'000}; }
  /// Where time does not matter.
  [[nodiscard]] static constexpr WinnabilityBudget deep() noexcept { return {40'000'000}; }
};

struct Winnability {
  CanMate verdict = CanMate::undecided;
  Proof proof = Proof::none;
  std::uint64_t nodes = 0;            // positions looked at
  std::vector<chess::Move> helpmate;  // yes: legal moves from the position to the mate (empty if it is on the board); else empty
};

[[nodiscard]] Winnability can_mate(const chess::Position& position, chess::Color winner, WinnabilityBudget budget);

/// Proven at once that `winner` cannot mate; false means "not proven". No allocation, bounded to about 10 us.
[[nodiscard]] bool cannot_mate_quick(const chess::Position& position, chess::Color winner) noexcept;
/// Proven at once that the position is dead (5.2.2): the test after every move. False means "not proven". No allocation, bounded to about
/// 20 us.
[[nodiscard]] bool quick_dead(const chess::Position& position) noexcept;

/// The material rule alone (settings `dead_position: material`, `timeout_draw: material`): `winner` has a bare king, or a knight
/// against nothing but queens, or bishops of one square colour with nothing of the opponent's that could block a square of the other.
[[nodiscard]] bool cannot_mate_by_material(const chess::Position& position, chess::Color winner) noexcept;

}  // namespace referee::laws
