// How rulings speak of the players.
#pragma once

#include <string_view>

#include "referee/chess/types.hpp"

namespace referee::game {

[[nodiscard]] constexpr std::string_view title(chess::Color color) noexcept { return color == chess::Color::white ? "White" : "Black"; }

}  // namespace referee::game
