// Results of one engine, for `elo` and `sprt`: from numbers on the command line, or from the games of files.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/cli/command.hpp"
#include "referee/stats/progress.hpp"

namespace referee::cli {

/// What only games can tell.
struct GameDetails {
  std::string engine, against;  // against: empty = all others
  std::vector<stats::Trial> games;
  std::vector<stats::Trial> pairs;    // in the plan's order (PGN: in the order of their first games)
  std::size_t pairs_without_gap = 0;  // before the first pair of which a game is still being played
  stats::GameCounts as_white, as_black;
  std::map<std::string, std::int64_t> reasons;
  std::map<std::string, stats::GameCounts> openings;
  std::int64_t unfinished = 0, odd = 0;
};

struct MatchResults {
  std::optional<stats::GameCounts> games;  // one of the two
  std::optional<stats::PairCounts> pairs;
  std::optional<GameDetails> details;
  std::int64_t unpaired = 0;  // games that belong to no complete pair, when pairs are counted
};

/// --wdl, --pairs, --engine, --against, --games-only and what reading files takes.
[[nodiscard]] std::vector<OptionDefinition> match_result_options();
/// Throws UsageError.
[[nodiscard]] MatchResults read_match_results(const Arguments& arguments);

[[nodiscard]] boost::json::value number_or_null(const std::optional<double>& value);
/// `name`, `name`_error, and `bound` where the value is not finite.
void put_estimate(boost::json::object& out, const char* name, const stats::Estimate& estimate);
/// The fields that files add: engine, against, wins, draws, losses, as_white, as_black, reasons, openings, unpaired_games.
void put_details(boost::json::object& out, const MatchResults& results);
/// With --chart: Elo, and LLR when there are parameters. Throws UsageError, also when only numbers were given.
void write_chart(const Arguments& arguments, const MatchResults& results, const std::optional<stats::SprtParameters>& parameters);

}  // namespace referee::cli
