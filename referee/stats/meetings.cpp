#include "referee/stats/meetings.hpp"

#include <numeric>

namespace referee::stats {

namespace {

[[nodiscard]] std::size_t place(PlayerId first, PlayerId second, std::size_t mask) noexcept {
  std::uint64_t key = (static_cast<std::uint64_t>(first) << 32U) | second;
  key *= 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(key ^ (key >> 29U)) & mask;
}

constexpr std::size_t index(GameResult result) noexcept { return static_cast<std::size_t>(result); }

}  // namespace

std::int64_t Meeting::games() const noexcept {
  return std::accumulate(first_white.begin(), first_white.end(), std::int64_t{0}) +
         std::accumulate(second_white.begin(), second_white.end(), std::int64_t{0});
}
std::int64_t Meeting::paired_games() const noexcept { return 2 * std::accumulate(pairs.begin(), pairs.end(), std::int64_t{0}); }
std::int64_t Meeting::first_wins() const noexcept { return std::int64_t{first_white[0]} + second_white[2]; }
std::int64_t Meeting::second_wins() const noexcept { return std::int64_t{first_white[2]} + second_white[0]; }
std::int64_t Meeting::draws() const noexcept { return std::int64_t{first_white[1]} + second_white[1]; }

void MeetingTable::grow() {
  const std::size_t size = slots_.empty() ? 1024 : 2 * slots_.size();
  slots_.assign(size, 0);
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    std::size_t at = place(meetings_[i].first, meetings_[i].second, size - 1);
    while (slots_[at] != 0) at = (at + 1) & (size - 1);
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

Meeting& MeetingTable::of(PlayerId a, PlayerId b) {
  const PlayerId first = a < b ? a : b;
  const PlayerId second = a < b ? b : a;
  if (2 * (meetings_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = place(first, second, mask);
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    Meeting& meeting = meetings_[slots_[at] - 1];
    if (meeting.first == first && meeting.second == second) return meeting;
  }
  Meeting meeting;
  meeting.first = first;
  meeting.second = second;
  meetings_.push_back(meeting);
  slots_[at] = static_cast<std::uint32_t>(meetings_.size());
  return meetings_.back();
}

void MeetingTable::add(PlayerId white, PlayerId black, GameResult result) {
  Meeting& meeting = of(white, black);
  ++(meeting.first == white ? meeting.first_white : meeting.second_white)[index(result)];
}

void MeetingTable::add_pair(PlayerId a, PlayerId b, GameResult with_a_white, GameResult with_b_white) {
  Meeting& meeting = of(a, b);
  const bool in_order = meeting.first == a;
  ++meeting.pairs[3 * index(in_order ? with_a_white : with_b_white) + index(in_order ? with_b_white : with_a_white)];
}

}  // namespace referee::stats
