// What an XBoard engine is sent that stays silent while it is greeted. GNU Chess 6 prepares its standard input on one thread while another
// reads from it, and holds still until the first gets in between two lines: the more lines come at once, the likelier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace referee::engine {

/// The empty lines of the `number`th nudge, from 1: 1, 8, 64, 512, 512 ... An engine that is merely slow ignores them,
/// or says of each that it does not know it.
[[nodiscard]] inline std::string nudge(int number) {
  constexpr int doublings_a_nudge = 3, most_doublings = 9;
  return std::string(std::size_t{1} << std::min(doublings_a_nudge * std::max(number - 1, 0), most_doublings), '\n');
}

}  // namespace referee::engine
