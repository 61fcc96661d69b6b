// What each two players scored against each other: all a rating list needs of any number of games, in memory that grows with the
// meetings only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::stats {

using PlayerId = std::uint32_t;  // 0, 1, 2 ... without gaps

enum class GameResult : std::uint8_t { white_wins, draw, black_wins };

/// All games of two players, `first` < `second`.
struct Meeting {
  PlayerId first = 0, second = 0;
  std::array<std::uint32_t, 3> first_white{};   // games in which `first` had White, by GameResult
  std::array<std::uint32_t, 3> second_white{};  // games in which `second` had White
  /// Pairs of games with colours swapped, by 3 * result of the game in which `first` had White + result of the other. Their games are
  /// counted above as well.
  std::array<std::uint32_t, 9> pairs{};

  [[nodiscard]] std::int64_t games() const noexcept;
  [[nodiscard]] std::int64_t paired_games() const noexcept;
  [[nodiscard]] std::int64_t first_wins() const noexcept;
  [[nodiscard]] std::int64_t second_wins() const noexcept;
  [[nodiscard]] std::int64_t draws() const noexcept;
};

class MeetingTable {
 public:
  /// Needs: white != black.
  void add(PlayerId white, PlayerId black, GameResult result);
  /// Tells that two games already added (or still to be) belong together: in one `a` had White, in the other `b`.
  void add_pair(PlayerId a, PlayerId b, GameResult with_a_white, GameResult with_b_white);
  /// In the order in which the two first met.
  [[nodiscard]] const std::vector<Meeting>& meetings() const noexcept { return meetings_; }

 private:
  [[nodiscard]] Meeting& of(PlayerId a, PlayerId b);
  void grow();

  std::vector<Meeting> meetings_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0 = free, else index + 1
};

}  // namespace referee::stats
