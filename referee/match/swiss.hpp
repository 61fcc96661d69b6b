// Pairings of one round of a Swiss tournament by the FIDE (Dutch) System: FIDE Handbook C.04.3 as approved in Baku 2016, in force from
// 1 July 2017 to 31 January 2026. Criteria are named as there: C1 to C3 are absolute, C4 completes the round, C5 to C19 are weighed in
// this order, bracket by bracket; among equal pairings the first one in the order of D decides. Colours by E.
//
// Pure: players with their history in, pairings out. Each bracket is one matching of greatest weight over everybody who is still to be
// paired, so a pairing that leads into a dead end further down is never chosen (C4), and no bracket needs to be collapsed.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "referee/chess/types.hpp"

namespace referee::match {

enum class Float { none, down, up };

/// A player as the rounds before have left it.
struct SwissPlayer {
  int points = 0;                                         // in hundredths
  std::vector<std::size_t> opponents;                     // met over the board
  std::vector<chess::Color> colours;                      // of the games played, oldest first; empty where pairings have both colours
  std::array<Float, 2> floats{Float::none, Float::none};  // in the last round, and in the one before it
  bool may_have_bye = true;                               // C2: no bye and no win without play yet
  bool present = true;                                    // takes part in this round

  [[nodiscard]] int colour_difference() const noexcept;  // times White less times Black (A.6)
};

struct SwissRules {
  bool last_round = false;                          // topscorers (A.7) are freer in their colours
  int most_points = 0;                              // that anybody could have by now, in hundredths
  int win = 100;                                    // what a won pairing brings, in hundredths; also what a bye brings
  chess::Color first_colour = chess::Color::white;  // of the player with the first odd number, drawn by lot (E.5)
};

/// The strength of a colour preference (A.6), strongest last.
enum class Preference { none, mild, strong, absolute };
struct ColourWish {
  Preference strength = Preference::none;
  chess::Color colour = chess::Color::white;  // where there is one
};
[[nodiscard]] ColourWish colour_wish(const SwissPlayer& player) noexcept;
/// More than half of the points that could be had, when the last round is paired.
[[nodiscard]] bool is_topscorer(const SwissPlayer& player, const SwissRules& rules) noexcept;

struct SwissRound {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // White first; highest board first
  std::optional<std::size_t> bye;
  bool possible = true;  // false: no pairing of the round meets C1 to C3; then there are no pairs
};

/// `players`: by pairing number, the first has number 1. Somebody is present.
[[nodiscard]] SwissRound pair_swiss_round(const std::vector<SwissPlayer>& players, const SwissRules& rules);

}  // namespace referee::match
