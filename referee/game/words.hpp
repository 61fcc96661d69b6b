// How rulings speak of the players.
#pragma once

#include <string>
#include <string_view>

#include "referee/chess/types.hpp"

namespace referee::game {

[[nodiscard]] constexpr std::string_view title(chess::Color color) noexcept { return color == chess::Color::white ? "White" : "Black"; }

/// What a player sent, cut to a length that can be shown and kept.
[[nodiscard]] inline std::string shown(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return std::string(text);
  return std::string(text.substr(0, longest)) + "...";
}

}  // namespace referee::game
