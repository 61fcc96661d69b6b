// The two linked displays of article 6, as arithmetic: nothing here reads a clock. Time used comes in, time left comes out.
// Values are copyable and comparable. Charging never rounds: everything is integer nanoseconds.
#pragma once

#include <array>
#include <optional>

#include "referee/chess/types.hpp"
#include "referee/clock/time_control.hpp"

namespace referee::clock {

/// When has the flag fallen (editions: clock.flag_when).
enum class FlagRule {
  elapsed_reaches_remaining,        // elapsed >= remaining (FIDE, LAWS D7)
  elapsed_exceeds_remaining_margin  // elapsed > remaining + margin (engine practice)
};

struct ClockRules {
  FlagRule flag = FlagRule::elapsed_exceeds_remaining_margin;
  Duration margin{};              // allowance before a loss on time is declared; FIDE: zero
  bool initial_increment = true;  // the first increment is on the clock before the first move
  friend bool operator==(const ClockRules&, const ClockRules&) = default;
};

/// One side's display. Sums are held at the ends of the range of Duration: no input overflows, and a finite clock never becomes infinite.
/// Shape of `control`: as parse_time_control gives it (every period but the last has a number of moves; base zero only with an increment).
class PlayerClock {
 public:
  PlayerClock() = default;  // infinite
  /// Starts with the first period's base, and with its increment under `initial_increment` or when the base is zero.
  PlayerClock(TimeControl control, ClockRules rules);

  [[nodiscard]] const TimeControl& control() const noexcept { return control_; }
  [[nodiscard]] const ClockRules& rules() const noexcept { return rules_; }
  /// Time left on the display while it stands (may be negative only inside the margin). Infinite: Duration::max().
  [[nodiscard]] Duration remaining() const noexcept { return remaining_; }
  /// Moves to the next time control, counting the one to be made now; nullopt = all remaining moves.
  [[nodiscard]] std::optional<int> moves_to_go() const noexcept;
  [[nodiscard]] std::size_t period() const noexcept { return period_; }
  [[nodiscard]] bool in_last_period() const noexcept { return period_ + 1 >= control_.periods.size(); }
  [[nodiscard]] Duration increment() const noexcept;
  [[nodiscard]] Duration delay() const noexcept;
  [[nodiscard]] int moves_made() const noexcept { return moves_made_; }

  [[nodiscard]] bool is_infinite() const noexcept { return control_.mode == Mode::infinite || control_.periods.empty(); }

  /// Would the flag have fallen after thinking for `elapsed`?
  [[nodiscard]] bool flag_falls(Duration elapsed) const noexcept;
  /// The shortest thinking time at which flag_falls(); nullopt without a clock.
  [[nodiscard]] std::optional<Duration> flag_after() const noexcept;

  /// The move is completed: charges `elapsed`, credits increment or refund, opens the next period (the last one again if it has a number
  /// of moves). Needs: !flag_falls(elapsed). Time used inside the margin is carried on as a negative remainder.
  void complete_move(Duration elapsed) noexcept;
  /// Charges `elapsed` with no increment, no refund and no move counted (illegal move, LAWS D1; adjournment). A simple delay has run first.
  void charge(Duration elapsed) noexcept;
  /// The hourglass's other half: what the opponent used.
  void gain(Duration amount) noexcept;
  /// Arbiter's orders; without effect on an infinite clock.
  void set_remaining(Duration remaining) noexcept;
  void add(Duration amount) noexcept;
  /// An increment introduced during play (Guidelines III.4): from this period on; only in mode increment.
  void set_increment(Duration increment);

  friend bool operator==(const PlayerClock&, const PlayerClock&) = default;

 private:
  [[nodiscard]] const Period& current() const noexcept;
  /// Part of `elapsed` that counts against the main time.
  [[nodiscard]] Duration counted(Duration elapsed) const noexcept;
  void open_next_period() noexcept;

  TimeControl control_;
  ClockRules rules_;
  Duration remaining_ = Duration::max();
  std::size_t period_ = 0;
  int moves_in_period_ = 0;
  int moves_made_ = 0;
};

/// Both displays; indexed by colour.
struct Clocks {
  std::array<PlayerClock, 2> sides;
  [[nodiscard]] PlayerClock& operator[](chess::Color color) noexcept { return sides[chess::index(color)]; }
  [[nodiscard]] const PlayerClock& operator[](chess::Color color) const noexcept { return sides[chess::index(color)]; }
  friend bool operator==(const Clocks&, const Clocks&) = default;
};

}  // namespace referee::clock
