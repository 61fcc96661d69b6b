// A sequential test that decides on completed pairs in plan order. Games end in any order; a pair counts once both its games have their
// result and every pair before it has counted. So the verdict, and the pair it falls on, depend neither on concurrency nor on restarts,
// and no pair is ever half counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "config/match_file.hpp"
#include "referee/game/outcome.hpp"
#include "referee/record/journal.hpp"
#include "referee/stats/sprt.hpp"

namespace referee::match {

[[nodiscard]] stats::SprtParameters parameters_of(const config::Sprt& sprt);

/// Adds a pair by what the same engine scored in its two games, in hundredths.
void add_pair(stats::PairCounts& counts, int one, int other);

/// "LLR 1.32 (-2.94, 2.94) for normalized Elo [0, 2] after 312 pairs: undecided, about 400 more pairs"
class SprtTracker;
[[nodiscard]] std::string to_text(const SprtTracker& test);
/// "Elo 12.3 +- 8.1, 312 pairs (LL 3, LD 40, WL+DD 210, WD 50, WW 9)"; empty without pairs.
[[nodiscard]] std::string elo_text(const stats::PairCounts& counts);

class SprtTracker {
 public:
  explicit SprtTracker(const config::Sprt& sprt);

  /// Game `number` (from 1) has its result: what the first engine scored, in hundredths. True if that completed the next pair or more.
  bool set(int number, int points_of_first);
  /// A finished game of the journal: counts if it counts there. `first`: name of the match file's first engine.
  bool set(const record::GameRow& row, const std::string& first);

  [[nodiscard]] const stats::PairCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const stats::SprtReport& report() const noexcept { return report_; }
  /// Pairs that have counted: with a verdict, those up to the one it fell on.
  [[nodiscard]] int pairs() const noexcept { return pairs_; }
  [[nodiscard]] bool decided() const noexcept { return report_.state != stats::SprtState::undecided; }
  [[nodiscard]] const stats::SprtParameters& parameters() const noexcept { return parameters_; }

 private:
  stats::SprtParameters parameters_;
  stats::PairCounts counts_;
  stats::SprtReport report_;
  int pairs_ = 0;
  std::map<int, int> waiting_;  // points by number, of games whose pair has not counted yet
};

}  // namespace referee::match
