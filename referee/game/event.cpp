#include "referee/game/event.hpp"

#include <array>
#include <utility>

namespace referee::game {

namespace {

constexpr std::array<std::pair<OrderKind, std::string_view>, 24> order_names{{
    {OrderKind::accept, "accept"},
    {OrderKind::reject, "reject"},
    {OrderKind::postpone, "postpone"},
    {OrderKind::warn, "warn"},
    {OrderKind::add_time, "add_time"},
    {OrderKind::take_time, "take_time"},
    {OrderKind::set_clock, "set_clock"},
    {OrderKind::declare_lost, "declare_lost"},
    {OrderKind::declare_both_lost, "declare_both_lost"},
    {OrderKind::declare_dead, "declare_dead"},
    {OrderKind::reduce_score, "reduce_score"},
    {OrderKind::raise_score, "raise_score"},
    {OrderKind::expel, "expel"},
    {OrderKind::pause, "pause"},
    {OrderKind::resume, "resume"},
    {OrderKind::adjourn, "adjourn"},
    {OrderKind::seal, "seal"},
    {OrderKind::open_envelope, "open_envelope"},
    {OrderKind::annul_and_replay, "annul_and_replay"},
    {OrderKind::override_result, "override_result"},
    {OrderKind::waive_lateness, "waive_lateness"},
    {OrderKind::grant_increment, "grant_increment"},
    {OrderKind::report_colours_reversed, "report_colours_reversed"},
    {OrderKind::report_wrong_start, "report_wrong_start"},
}};

}  // namespace

std::string_view name(OrderKind kind) noexcept {
  for (const auto& [entry, text] : order_names) {
    if (entry == kind) return text;
  }
  return {};
}

std::optional<OrderKind> parse_order_kind(std::string_view text) noexcept {
  for (const auto& [kind, entry] : order_names) {
    if (entry == text) return kind;
  }
  return std::nullopt;
}

}  // namespace referee::game
