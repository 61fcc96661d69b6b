#include "engine_iface/recent_lines.hpp"

#include <algorithm>
#include <string>

namespace referee::engine {

namespace {
// Half as many more are let in before the oldest go together.
constexpr std::size_t most_lines = RecentLines::lines_kept + RecentLines::lines_kept / 2;
}  // namespace

void RecentLines::add(Instant at, LoggedLine::Way way, std::string_view text) {
  if (entries_.size() == most_lines) forget_oldest();
  const std::size_t longest = way == LoggedLine::Way::to_engine ? longest_sent : longest_received;
  const std::size_t head = text.size() <= longest ? text.size() : longest / 2;
  const std::size_t tail = text.size() <= longest ? 0 : longest / 2;
  entries_.push_back({at, bytes_.size(), static_cast<std::uint32_t>(std::min<std::size_t>(text.size() - head - tail, UINT32_MAX)),
                      static_cast<std::uint16_t>(head), static_cast<std::uint16_t>(tail), way});
  bytes_.insert(bytes_.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(head));
  bytes_.insert(bytes_.end(), text.end() - static_cast<std::ptrdiff_t>(tail), text.end());
}

void RecentLines::forget_oldest() {
  const std::size_t gone = entries_.size() - lines_kept;
  const std::size_t bytes = entries_[gone].offset;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(gone));
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(bytes));
  for (Entry& entry : entries_) entry.offset -= bytes;
}

std::vector<LoggedLine> RecentLines::all() const {
  std::vector<LoggedLine> result;
  result.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    std::string text(bytes_.data() + entry.offset, entry.head);
    if (entry.left_out > 0) text += " [... " + std::to_string(entry.left_out) + " bytes ...] ";
    text.append(bytes_.data() + entry.offset + entry.head, entry.tail);
    result.push_back({entry.at, entry.way, std::move(text)});
  }
  return result;
}

}  // namespace referee::engine
