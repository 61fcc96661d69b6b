// Results of any number of games out of PGN files (plain or gzip) and journals, mixed: names, scores, pairs, duplicates. The step
// between records and statistics.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "referee/record/result_scan.hpp"
#include "referee/stats/meetings.hpp"

namespace referee::match {

class ResultsError : public std::runtime_error {  // "FILE: what is wrong"
  using std::runtime_error::runtime_error;
};

/// One game that has ended (or not: `ended` false for "*").
struct ListedGame {
  stats::PlayerId white = 0, black = 0;
  bool ended = false;
  int white_score = 0, black_score = 0;  // in hundredths
  record::ResultPlaces places = record::ResultPlaces::agree;
  std::uint32_t file = 0;        // index in the list of files
  std::uint64_t identity = 0;    // equal for the same game in two files; 0 unless duplicates were asked for
  std::uint64_t pair = 0;        // equal for the games of a pair, and for all games from one opening; 0 = not known
  bool pair_is_planned = false;  // `pair` is the plan's own number
  // Empty unless details were asked for.
  std::string round, opening, reason;

  /// nullopt for scores that are no win, draw or loss (both lost, reduced scores) and games without a result.
  [[nodiscard]] std::optional<stats::GameResult> result() const noexcept;
};

/// Names with ids 0, 1, 2 ... in the order in which they came.
class NameTable {
 public:
  static constexpr std::size_t most_names = 1'000'000;
  /// Throws ResultsError above most_names: such a file is no list of games.
  [[nodiscard]] stats::PlayerId id(const std::string& name);
  [[nodiscard]] std::optional<stats::PlayerId> find(const std::string& name) const;
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// From now on `alias` is `name`.
  void add_alias(const std::string& name, const std::string& alias);

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, stats::PlayerId> ids_;
};

/// Lines `name,alias,alias...` (CSV, quotes as usual, # comments). Throws ResultsError with file and line, also for an alias of two names
/// and one that has aliases of its own.
void read_aliases(const std::string& path, NameTable& names);
/// What the first cell of a line is: one of the names, or a name for all of them together.
enum class GroupTitle { is_a_name, names_the_group };
/// Lines of CSV, each with a title and the names that belong to it, two cells at least. Throws ResultsError, also when a name is in two
/// groups.
[[nodiscard]] std::vector<std::vector<std::string>> read_name_groups(const std::string& path, GroupTitle title);
/// The same file as rows.
[[nodiscard]] std::vector<std::vector<std::string>> read_csv(const std::string& path);

enum class Duplicates {
  keep,    // every game counts
  across,  // a game that an earlier file has too counts once; a file's own repetitions count
  all,     // every game counts once
};

struct ResultsOptions {
  Duplicates duplicates = Duplicates::across;
  bool pairs = true;     // find out which games belong together
  bool details = false;  // fill round, opening, reason
  int threads = 1;
};

/// Points without play that a journal tells of: byes, walkovers.
struct ListedGift {
  stats::PlayerId player = 0;
  int round = 1;
  int points = 0;   // in hundredths
  int games = 1;    // that they stand for
  std::string why;  // bye, walkover
};

/// How many records of a kind a file holds, and the number of the first one in it (from 1).
struct RecordCount {
  std::int64_t count = 0, first = 0;
};

struct FileSummary {
  std::int64_t records = 0;     // read
  std::int64_t duplicates = 0;  // dropped
  RecordCount contradictory;    // dropped: the Result tag and the end of the moves differ
  RecordCount cut_off;          // dropped: the moves stop without a result, whatever the tag says
};

struct ResultsSummary {
  std::int64_t games = 0;     // handed over
  std::int64_t nameless = 0;  // White or Black missing, or the same name twice
  std::vector<ListedGift> gifts;
  int knockouts = 0;  // journals of knockout tournaments
  std::vector<FileSummary> files;
};

/// Reads the files in order and hands over every game, in order. `-` is standard input. Throws ResultsError: a file that cannot be read, is
/// damaged, or holds no game at all.
ResultsSummary read_results(const std::vector<std::string>& files, NameTable& names, const ResultsOptions& options,
                            const std::function<void(ListedGame&)>& see);

/// Puts together games with colours swapped that carry the same `pair` and the same two players: the oldest that waits is taken.
class PairFinder {
 public:
  struct Partner {
    stats::PlayerId white = 0, black = 0;
    stats::GameResult result = stats::GameResult::draw;
    std::uint64_t order = 0;  // number of the earlier game as told to match()
  };
  /// The earlier game of the pair that `game` completes, or nullopt: then it waits itself. Games without pair or result never pair.
  [[nodiscard]] std::optional<Partner> match(const ListedGame& game, std::uint64_t order);

 private:
  // Open addressing into queues that are chains of nodes: as many small things as there are games.
  static constexpr std::uint32_t nobody = UINT32_MAX;
  struct Slot {
    std::uint64_t key = 0;  // 0 = free
    std::uint32_t first = nobody, last = nobody;
  };
  struct Node {
    Partner partner;
    std::uint32_t next = nobody;
  };
  [[nodiscard]] Slot& slot(std::uint64_t key);
  void grow();

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::vector<Node> nodes_;
  std::uint32_t free_ = nobody;
};

}  // namespace referee::match
