// The words of the fact format for the enumerations that have no text of their own elsewhere: one table each, read both ways.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "referee/game/event.hpp"
#include "referee/game/ruling.hpp"
#include "referee/laws/edition.hpp"

namespace referee::record::names {

template <class Enum, std::size_t size>
using Table = std::array<std::pair<Enum, std::string_view>, size>;

inline constexpr Table<chess::Color, 2> color{{{chess::Color::white, "white"}, {chess::Color::black, "black"}}};
inline constexpr Table<game::MoveNotation, 3> notation{
    {{game::MoveNotation::uci, "uci"}, {game::MoveNotation::xboard, "xboard"}, {game::MoveNotation::san, "san"}}};
inline constexpr Table<game::FailureKind, 4> failure{{{game::FailureKind::crash, "crash"},
                                                      {game::FailureKind::disconnect, "disconnect"},
                                                      {game::FailureKind::stall, "stall"},
                                                      {game::FailureKind::protocol_error, "protocol_error"}}};
inline constexpr Table<game::ClaimRule, 2> claim{{{game::ClaimRule::threefold, "threefold"}, {game::ClaimRule::fifty, "fifty"}}};
inline constexpr Table<game::Verdict, 3> verdict{
    {{game::Verdict::can_mate, "can_mate"}, {game::Verdict::cannot_mate, "cannot_mate"}, {game::Verdict::undecided, "undecided"}}};
inline constexpr Table<game::IllegalKind, 7> illegal{{{game::IllegalKind::malformed, "malformed"},
                                                      {game::IllegalKind::illegal, "illegal"},
                                                      {game::IllegalKind::promotion_missing, "promotion_missing"},
                                                      {game::IllegalKind::null_move, "null_move"},
                                                      {game::IllegalKind::out_of_turn, "out_of_turn"},
                                                      {game::IllegalKind::not_the_touched_piece, "not_the_touched_piece"},
                                                      {game::IllegalKind::two_hands, "two_hands"}}};
inline constexpr Table<clock::Mode, 6> mode{{{clock::Mode::increment, "increment"},
                                             {clock::Mode::delay, "delay"},
                                             {clock::Mode::bronstein, "bronstein"},
                                             {clock::Mode::hourglass, "hourglass"},
                                             {clock::Mode::move_time, "movetime"},
                                             {clock::Mode::infinite, "infinite"}}};
inline constexpr Table<laws::Category, 3> category{
    {{laws::Category::standard, "standard"}, {laws::Category::rapid, "rapid"}, {laws::Category::blitz, "blitz"}}};
inline constexpr Table<laws::Supervision, 2> supervision{
    {{laws::Supervision::adequate, "adequate"}, {laws::Supervision::inadequate, "inadequate"}}};

template <class Enum, std::size_t size>
[[nodiscard]] constexpr std::string_view text(const Table<Enum, size>& table, Enum value) noexcept {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return {};
}
template <class Enum, std::size_t size>
[[nodiscard]] constexpr std::optional<Enum> value(const Table<Enum, size>& table, std::string_view text) noexcept {
  for (const auto& [entry, name] : table)
    if (name == text) return entry;
  return std::nullopt;
}

}  // namespace referee::record::names
