// The games of a match that have ended or are void, in some hundred bytes each: a daemon keeps those of months. Copies are views of one
// moment that cost little and never change; texts that many games share are kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "referee/record/journal.hpp"

namespace referee::daemon {

class EndedGame {
 public:
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] int pair() const noexcept { return pair_; }
  [[nodiscard]] int plies() const noexcept { return plies_; }
  [[nodiscard]] const std::string& white() const noexcept { return *white_; }
  [[nodiscard]] const std::string& black() const noexcept { return *black_; }
  [[nodiscard]] game::Score score() const noexcept { return score_; }
  [[nodiscard]] game::Reason reason() const noexcept { return reason_; }
  [[nodiscard]] bool voided() const noexcept { return voided_; }
  /// It has a result, and is no attempt that is played once more.
  [[nodiscard]] bool counts() const noexcept { return has_outcome_ && counted_ && !voided_ && !annulled_; }
  /// All that was told of it.
  [[nodiscard]] record::GameRow row() const;

 private:
  friend class EndedGames;
  int number_ = 0, attempt_ = 1, round_ = 1, pair_ = 1, plies_ = 0;
  game::Score score_{};
  game::Reason reason_ = game::Reason::none;
  bool has_outcome_ = false, undecided_ = false, annulled_ = false, counted_ = true, voided_ = false, has_end_ = false;
  record::WallTime started_{}, ended_{};
  game::Duration duration_{};
  const std::string *white_ = nullptr, *black_ = nullptr, *opening_ = nullptr, *article_ = nullptr, *detail_ = nullptr;  // of the texts
};

/// One thread changes it; copies may be read on others meanwhile.
class EndedGames {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// nullptr if there is no such game; good until the next change.
  [[nodiscard]] const EndedGame* find(int number) const;
  /// In the place of what was known of it. Needs: number >= 0.
  void put(const record::GameRow& row);
  void take_out(int number);

  /// By number, at most `at_most` from number `from` on.
  [[nodiscard]] std::vector<record::GameRow> page(int from, std::size_t at_most) const;
  /// The number that the last `count` games begin with; nullopt when there are fewer.
  [[nodiscard]] std::optional<int> first_of_last(std::size_t count) const;

  /// `see(const EndedGame&)` for each, by number.
  template <typename See>
  void each(See see) const {
    for (const auto& drawer : drawers_) {
      if (!drawer) continue;
      for (const EndedGame& game : *drawer) see(game);
    }
  }

 private:
  using Drawer = std::vector<EndedGame>;  // games with numbers from N * drawer_numbers on, by number; replaced as a whole
  static constexpr std::size_t drawer_numbers = 64;
  [[nodiscard]] const std::string* shared(std::string text);

  std::vector<std::shared_ptr<const Drawer>> drawers_;  // nullptr for an empty one
  std::size_t size_ = 0;
  std::shared_ptr<std::unordered_set<std::string>> texts_ = std::make_shared<std::unordered_set<std::string>>();
};

}  // namespace referee::daemon
