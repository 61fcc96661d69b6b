// The rating list of what the daemon's matches have played: engines of one name are one player.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "referee/daemon/match_board.hpp"
#include "referee/match/game_results.hpp"
#include "referee/record/journal.hpp"
#include "referee/stats/meetings.hpp"
#include "referee/stats/rating_list.hpp"

namespace referee::daemon {

class Ratings {
 public:
  /// More players than this are not rated: the work grows with their third power.
  static constexpr std::size_t most_players = 1000;

  /// The games of one match; of any number of matches. Those that do not count are passed over.
  void add(const EndedGames& games);
  /// Once, after all games; before it the list is empty. Throws std::length_error above most_players.
  void calculate();
  /// {"games", "notes": [...], "players": [...]}, the players as `referee rate --json` has them. Players with fewer games are left out of
  /// the list, not of the calculation. `left_out`: notes of matches that are not in it, or not as they should be.
  [[nodiscard]] boost::json::object to_json(int least_games, const std::vector<std::string>& left_out = {}) const;
  /// A page to publish: one file, nothing to fetch.
  [[nodiscard]] std::string to_html(std::string_view title, int least_games, const std::vector<std::string>& left_out = {}) const;

 private:
  [[nodiscard]] std::vector<stats::PlayerId> listed(int least_games) const;

  match::NameTable names_;
  stats::MeetingTable meetings_;
  std::int64_t games_ = 0, pairs_ = 0;
  stats::RatingList list_{0, {}, {}};
};

}  // namespace referee::daemon
