// Orders to a running match from another process: a small file beside its journal (config::control_path), one order a line, which the
// match takes away when it has read it (`referee control` writes it).
//
//   pause            running games are finished, no new one starts
//   resume
//   concurrency N    games at once from now on
//   stop             running games are finished, the match can go on later
//   stop now         running games are dropped
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/match_file.hpp"

namespace referee::match {

struct PauseOrder {};
struct ResumeOrder {};
struct ConcurrencyOrder {
  int games = 1;
};
struct StopOrder {
  bool now = false;
};
using ControlOrder = std::variant<PauseOrder, ResumeOrder, ConcurrencyOrder, StopOrder>;

/// One line; nullopt when it is no order.
[[nodiscard]] std::optional<ControlOrder> parse_order(std::string_view line);

/// Puts one order there, whole or not at all. Throws std::runtime_error naming the file.
void give_order(const config::Output& output, std::string_view line);
/// The orders that are there, in order; takes the file away. Nothing when there is none. Lines that are no order are skipped.
[[nodiscard]] std::vector<ControlOrder> take_orders(const config::Output& output);

}  // namespace referee::match
