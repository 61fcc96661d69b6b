// The last lines of an engine's conversation, bounded in number and bytes, kept at the cost of a copy: nothing is allocated once it is
// warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine_iface/engine.hpp"

namespace referee::engine {

class RecentLines {
 public:
  static constexpr std::size_t lines_kept = 200;  // at least
  /// Of a longer line the beginning and the end are kept. What is sent (positions that grow by a move) is cut shorter than what is
  /// received.
  static constexpr std::size_t longest_sent = 240, longest_received = 400;

  void add(Instant at, LoggedLine::Way way, std::string_view text);
  /// Oldest first. In a line that was cut, ` [... N bytes ...] ` stands for the rest.
  [[nodiscard]] std::vector<LoggedLine> all() const;

 private:
  struct Entry {
    Instant at;
    std::size_t offset;      // in bytes_
    std::uint32_t left_out;  // bytes between head and tail
    std::uint16_t head, tail;
    LoggedLine::Way way;
  };
  void forget_oldest();

  std::vector<Entry> entries_;
  std::vector<char> bytes_;
};

}  // namespace referee::engine
