#include "referee/clock/clock.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace referee::clock {

namespace {

// One below the mark of an infinite clock, so that no award of time can turn a finite clock into one.
constexpr Duration most_time{std::numeric_limits<Duration::rep>::max() - 1};
constexpr Duration least_time{std::numeric_limits<Duration::rep>::min()};
constexpr Duration one_tick{1};

/// a + b, held at the ends of the range instead of overflowing.
Duration sum(Duration a, Duration b) noexcept {
  if (b > Duration::zero() && a > most_time - b) return most_time;
  if (b < Duration::zero() && a < least_time - b) return least_time;
  return a + b;
}

Duration difference(Duration a, Duration b) noexcept { return b == least_time ? most_time : sum(a, -b); }

}  // namespace

PlayerClock::PlayerClock(TimeControl control, ClockRules rules) : control_(std::move(control)), rules_(rules) {
  if (is_infinite()) return;
  const Period& first = control_.periods.front();
  remaining_ = first.base;
  // A base of zero is played on the increment alone, which then has to be there before the first move.
  if (rules_.initial_increment || first.base == Duration::zero()) remaining_ = sum(remaining_, first.increment);
}

const Period& PlayerClock::current() const noexcept {
  static constexpr Period none{};
  return period_ < control_.periods.size() ? control_.periods[period_] : none;
}

std::optional<int> PlayerClock::moves_to_go() const noexcept {
  if (current().moves <= 0) return std::nullopt;
  return current().moves - moves_in_period_;
}

Duration PlayerClock::increment() const noexcept { return current().increment; }
Duration PlayerClock::delay() const noexcept { return current().delay; }

Duration PlayerClock::counted(Duration elapsed) const noexcept {
  elapsed = std::max(elapsed, Duration::zero());
  if (control_.mode != Mode::delay) return elapsed;
  return std::max(difference(elapsed, current().delay), Duration::zero());
}

bool PlayerClock::flag_falls(Duration elapsed) const noexcept {
  const auto limit = flag_after();
  return limit && elapsed >= *limit;
}

std::optional<Duration> PlayerClock::flag_after() const noexcept {
  if (is_infinite()) return std::nullopt;
  // The first instant of main time that is too late. The simple delay runs before it, but a main time already used up stays used up.
  const Duration main = rules_.flag == FlagRule::elapsed_reaches_remaining ? remaining_ : sum(sum(remaining_, rules_.margin), one_tick);
  if (main <= Duration::zero()) return Duration::zero();
  return control_.mode == Mode::delay ? sum(main, current().delay) : main;
}

void PlayerClock::complete_move(Duration elapsed) noexcept {
  ++moves_made_;
  if (is_infinite()) return;
  if (control_.mode == Mode::move_time) {
    remaining_ = current().base;
    return;
  }
  charge(elapsed);
  remaining_ = sum(remaining_, current().increment);
  if (control_.mode == Mode::bronstein) remaining_ = sum(remaining_, std::clamp(elapsed, Duration::zero(), current().delay));
  if (current().moves > 0 && ++moves_in_period_ >= current().moves) open_next_period();
}

void PlayerClock::open_next_period() noexcept {
  moves_in_period_ = 0;
  if (!in_last_period()) ++period_;  // the last period repeats when it, too, has a number of moves
  remaining_ = sum(remaining_, current().base);
}

void PlayerClock::charge(Duration elapsed) noexcept {
  if (!is_infinite()) remaining_ = difference(remaining_, counted(elapsed));
}

void PlayerClock::gain(Duration amount) noexcept { add(amount); }

void PlayerClock::set_remaining(Duration remaining) noexcept {
  if (!is_infinite()) remaining_ = std::min(remaining, most_time);
}

void PlayerClock::add(Duration amount) noexcept {
  if (!is_infinite()) remaining_ = sum(remaining_, amount);
}

void PlayerClock::set_increment(Duration increment) {
  if (control_.mode != Mode::increment) return;
  for (std::size_t i = period_; i < control_.periods.size(); ++i) control_.periods[i].increment = increment;
}

}  // namespace referee::clock
