// How well openings tell engines apart, from games that were played: of a pair of games with colours swapped, only a pair that one engine
// wins says something, and it says the right thing when the engine that is stronger overall wins it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::match {

struct OpeningWorth {
  std::size_t opening = 0;  // index, as told to the ranking
  int games = 0, pairs = 0;
  int decided = 0;   // pairs that one engine won
  double white = 0;  // White's score a game, 0..1
  double draws = 0;  // share of games
  double gain = 0;   // what the engine that is stronger in all these games scores above half a pair, -1..1, mean over the pairs
  double worth = 0;  // the gain, drawn towards the mean of all openings by two pairs: what the order goes by
};

class OpeningRanking {
 public:
  /// An opening is known by the position it ends in.
  void add_opening(std::size_t index, const chess::Position& end) { by_end_.try_emplace(end.key(), index); }
  /// The last opening of the suite that a game passed; nullopt when it passed none.
  [[nodiscard]] const std::size_t* find(const chess::Position& position) const noexcept;
  /// White's score of a finished game, 0..1.
  void add_game(std::size_t opening, const std::string& white, const std::string& black, double score);
  /// Best first; openings without a pair are left out.
  [[nodiscard]] std::vector<OpeningWorth> ranked() const;

 private:
  struct Pair {
    std::size_t opening;
    std::string first, second;
    double score;  // of first, two games
  };
  struct Half {
    std::string white;
    double score;
  };
  struct Totals {
    int games = 0;
    double white = 0;
    int draws = 0;
  };
  std::unordered_map<std::uint64_t, std::size_t> by_end_;
  std::unordered_map<std::size_t, Totals> totals_;
  std::unordered_map<std::string, std::vector<Half>> waiting_;  // first games of pairs, by opening and players
  std::unordered_map<std::string, std::pair<double, int>> strength_;
  std::vector<Pair> pairs_;
};

}  // namespace referee::match
