#include "referee/laws/edition.hpp"

#include <algorithm>

namespace referee::laws {

namespace {

// Nanoseconds that cannot overflow; whole numbers are exact up to 104 days, and nothing that long is near a border.
using ThinkingTime = std::chrono::duration<double, std::nano>;

// Needs: control has periods. Time of one player for `moves` moves: the bases of all periods (a repeating last one as often as it is
// reached) and the increments or delays of the moves made in each.
ThinkingTime thinking_time(const clock::TimeControl& control, int moves) {
  if (control.mode == clock::Mode::move_time) return ThinkingTime(control.periods.front().base) * moves;
  ThinkingTime total{};
  int left = moves;
  for (std::size_t i = 0; i < control.periods.size(); ++i) {
    const clock::Period& period = control.periods[i];
    const bool last = i + 1 == control.periods.size();
    int times = 1;
    if (last && period.moves > 0) times = std::max(1, (left + period.moves - 1) / period.moves);
    total += ThinkingTime(period.base) * times;
    const int made = last || period.moves == 0 ? left : std::min(left, period.moves);
    total += (ThinkingTime(period.increment) + period.delay) * made;
    left -= made;
  }
  return total;
}

bool contains(const CategoryBounds& bounds, ThinkingTime time) {
  if (bounds.lower && (bounds.lower_inclusive ? time < *bounds.lower : time <= *bounds.lower)) return false;
  if (bounds.upper && (bounds.upper_inclusive ? time > *bounds.upper : time >= *bounds.upper)) return false;
  return true;
}

}  // namespace

Category categorize(const Edition& edition, const clock::TimeControl& control) {
  if (control.mode == clock::Mode::infinite || control.periods.empty()) return Category::standard;
  if (edition.blitz && contains(*edition.blitz, thinking_time(control, edition.blitz->increment_moves))) return Category::blitz;
  if (edition.rapid && contains(*edition.rapid, thinking_time(control, edition.rapid->increment_moves))) return Category::rapid;
  return Category::standard;
}

std::string_view article(const Edition& edition, std::string_view subject) {
  const auto found = edition.articles.find(subject);
  return found == edition.articles.end() ? std::string_view{} : std::string_view{found->second};
}

}  // namespace referee::laws
