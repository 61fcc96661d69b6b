#include "referee/cli/match_results.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <set>
#include <unordered_map>

#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"
#include "referee/record/json.hpp"
#include "referee/stats/chart.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using stats::PlayerId;
using stats::Trial;

constexpr std::size_t most_openings = 1000;  // in JSON
constexpr double mostly = 0.9;               // share of games in pairs from which on pairs are counted

[[nodiscard]] std::int64_t count(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > 1'000'000'000'000) {
    throw UsageError("'" + text + "' is no count (expected a whole number, 0 or more)");
  }
  return value;
}

[[nodiscard]] MatchResults from_numbers(const Arguments& arguments) {
  if (arguments.has("wdl") && arguments.has("pairs"))
    throw UsageError("give the results once (expected --wdl W D L or --pairs LL LD WL DD WD WW)");
  std::vector<std::int64_t> numbers;
  for (const auto& operand : arguments.operands()) numbers.push_back(count(operand));
  MatchResults out;
  if (arguments.has("wdl")) {
    if (numbers.size() != 3) throw UsageError("--wdl takes three numbers (expected wins, draws, losses)");
    out.games = stats::GameCounts{numbers[0], numbers[1], numbers[2]};
  } else if (numbers.size() == 6) {
    out.pairs = stats::PairCounts{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
  } else if (numbers.size() == 5) {
    out.pairs = stats::PairCounts{numbers[0], numbers[1], numbers[2], 0, numbers[3], numbers[4], false};
  } else {
    throw UsageError("--pairs takes six numbers, or five where level pairs are one (expected LL LD WL DD WD WW)");
  }
  return out;
}

/// A game as kept until it is known whose it is.
struct Kept {
  match::ListedGame game;  // texts taken out
  std::uint32_t reason = 0, opening = 0;
};

/// Few different texts of many games.
class Texts {
 public:
  [[nodiscard]] std::uint32_t id(std::string&& text) {
    const auto [found, is_new] = ids_.try_emplace(std::move(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(found->first);
    return found->second;
  }
  [[nodiscard]] const std::string& text(std::uint32_t id) const { return texts_[id]; }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> texts_;
};

[[nodiscard]] PlayerId player_named(const std::string& option, const std::string& name, const match::NameTable& names) {
  if (const auto player = names.find(name)) return *player;
  const auto near = nearest(name, names.names());
  throw UsageError("option --" + option + ": no game of '" + name + "'" +
                   (near ? "; did you mean '" + *near + "'?" : " (expected a player of these games)"));
}

[[nodiscard]] Trial trial_of(stats::GameResult result, bool white) {
  if (result == stats::GameResult::draw) return Trial::draw;
  return (result == stats::GameResult::white_wins) == white ? Trial::win : Trial::loss;
}

class Collector {
 public:
  explicit Collector(const Arguments& arguments) {
    match::ResultsOptions options;
    options.details = true;
    (void)read_result_files(arguments, names_, options, [&](match::ListedGame& game) {
      Kept kept;
      kept.reason = texts_.id(std::move(game.reason));
      kept.opening = texts_.id(std::move(game.opening));
      game.round.clear();
      game.reason.clear();
      game.opening.clear();
      kept.game = std::move(game);
      kept_.push_back(std::move(kept));
    });
    choose_players(arguments);
  }

  [[nodiscard]] GameDetails details() const {
    GameDetails out;
    out.engine = names_.names()[engine_];
    if (against_) out.against = names_.names()[*against_];
    match::PairFinder finder;
    std::vector<std::pair<std::uint64_t, Trial>> pairs;  // by the number of the earlier game
    std::optional<std::uint64_t> gap;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> planned;  // first game of each pair of a plan
    for (std::uint64_t order = 0; order < kept_.size(); ++order) {
      const Kept& kept = kept_[order];
      const match::ListedGame& game = kept.game;
      if (!concerns(game)) continue;
      const std::uint64_t first = game.pair_is_planned ? planned.try_emplace({game.file, game.pair}, order).first->second : order;
      if (!game.ended) {
        ++out.unfinished;
        if (game.pair_is_planned && (!gap || first < *gap)) gap = first;
        continue;
      }
      const auto result = game.result();
      if (!result) {
        ++out.odd;
        continue;
      }
      const bool white = game.white == engine_;
      const Trial trial = trial_of(*result, white);
      out.games.push_back(trial);
      stats::add(white ? out.as_white : out.as_black, trial);
      if (const std::string& reason = texts_.text(kept.reason); !reason.empty()) ++out.reasons[reason];
      if (const std::string& opening = texts_.text(kept.opening); !opening.empty()) stats::add(out.openings[opening], trial);
      if (const auto partner = finder.match(game, order))
        pairs.emplace_back(partner->order, stats::pair_of(trial, trial_of(partner->result, partner->white == engine_)));
    }
    std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    out.pairs_without_gap = pairs.size();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (gap && pairs[i].first > *gap) out.pairs_without_gap = std::min(out.pairs_without_gap, i);
      out.pairs.push_back(pairs[i].second);
    }
    return out;
  }

 private:
  void choose_players(const Arguments& arguments) {
    std::set<PlayerId> playing;
    for (const Kept& kept : kept_) playing.insert({kept.game.white, kept.game.black});
    if (const auto name = arguments.value("engine"))
      engine_ = player_named("engine", *name, names_);
    else if (playing.size() == 2 && !kept_.empty())
      engine_ = kept_.front().game.white;
    else
      throw UsageError(std::to_string(playing.size()) + " players in these games: say whose result is wanted (expected --engine NAME)");
    if (const auto name = arguments.value("against"))
      against_ = player_named("against", *name, names_);
    else if (playing.size() == 2)
      against_ = *std::find_if(playing.begin(), playing.end(), [&](PlayerId p) { return p != engine_; });
    if (against_ == engine_) throw UsageError("option --against: an engine does not play against itself (expected another name)");
  }

  [[nodiscard]] bool concerns(const match::ListedGame& game) const {
    if (game.white != engine_ && game.black != engine_) return false;
    return !against_ || game.white == *against_ || game.black == *against_;
  }

  match::NameTable names_;
  Texts texts_;
  std::vector<Kept> kept_;
  PlayerId engine_ = 0;
  std::optional<PlayerId> against_;
};

[[nodiscard]] json::object to_json(const stats::GameCounts& counts) {
  return {{"wins", counts.wins}, {"draws", counts.draws}, {"losses", counts.losses}};
}

}  // namespace

std::vector<OptionDefinition> match_result_options() {
  std::vector<OptionDefinition> options = {
      {"wdl", "", "the operands are wins, draws and losses of the first player", false, {}},
      {"pairs", "", "the operands are pairs of games: LL LD WL DD WD WW (five numbers when WL and DD are one)", false, {}},
      {"engine", "NAME", "whose result is wanted; not needed when two players are in the files (then the first game's White)", false, {}},
      {"against", "NAME", "count only games against this one", false, {}},
      {"games-only", "", "count single games even where pairs are known", false, {}},
      {"chart", "FILE", "draw the progress as SVG (files only)", false, {}}};
  for (OptionDefinition& option : result_file_options()) options.push_back(std::move(option));
  options.push_back({"json", "", "JSON alone on standard output", false, {}});
  return options;
}

MatchResults read_match_results(const Arguments& arguments) {
  check_outputs(arguments, {"chart"}, {"aliases"});
  if (arguments.has("wdl") || arguments.has("pairs")) {
    for (const char* option : {"engine", "against", "games-only", "aliases", "duplicates", "threads", "openings"}) {
      if (arguments.has(option))
        throw UsageError(std::string("option --") + option + " is about the games of files (expected files instead of numbers)");
    }
    return from_numbers(arguments);
  }
  if (arguments.operands().empty())
    throw UsageError("nothing to count (expected --wdl W D L, --pairs LL LD WL DD WD WW, or files: PGN, .gz, journals)");
  MatchResults out;
  out.details = Collector(arguments).details();
  const GameDetails& details = *out.details;
  if (details.unfinished > 0) std::cerr << details.unfinished << " games without a result left out\n";
  if (details.odd > 0) std::cerr << details.odd << " games left out whose score is no win, draw or loss\n";
  const auto games = static_cast<std::int64_t>(details.games.size());
  const auto paired = static_cast<std::int64_t>(2 * details.pairs.size());
  if (!arguments.has("games-only") && paired > 0 && static_cast<double>(paired) >= mostly * static_cast<double>(games - 1)) {
    out.pairs.emplace();
    for (const Trial trial : details.pairs) stats::add(*out.pairs, trial);
    out.unpaired = games - paired;
    if (out.unpaired > 0) std::cerr << out.unpaired << " games left out that belong to no complete pair\n";
  } else {
    out.games.emplace();
    for (const Trial trial : details.games) stats::add(*out.games, trial);
  }
  return out;
}

json::value number_or_null(const std::optional<double>& value) { return value ? json::value(*value) : json::value(nullptr); }

void put_estimate(json::object& out, const char* name, const stats::Estimate& estimate) {
  out[name] = number_or_null(estimate.value);
  out[std::string(name) + "_error"] = number_or_null(estimate.error);
  if (estimate.low) out[std::string(name) + "_low"] = *estimate.low;
  if (estimate.high) out[std::string(name) + "_high"] = *estimate.high;
  if (estimate.bound != stats::Bound::none) out["bound"] = estimate.bound == stats::Bound::lower ? "lower" : "upper";
}

void put_details(json::object& out, const MatchResults& results) {
  if (!results.details) return;
  const GameDetails& details = *results.details;
  stats::GameCounts all;
  for (const Trial trial : details.games) stats::add(all, trial);
  out["engine"] = record::valid_utf8(details.engine);
  out["against"] = details.against.empty() ? json::value(nullptr) : json::value(record::valid_utf8(details.against));
  out["wins"] = all.wins;
  out["draws"] = all.draws;
  out["losses"] = all.losses;
  out["as_white"] = to_json(details.as_white);
  out["as_black"] = to_json(details.as_black);
  out["unpaired_games"] = results.unpaired;
  json::object reasons;
  for (const auto& [reason, times] : details.reasons) reasons[record::valid_utf8(reason)] = times;
  out["reasons"] = std::move(reasons);
  json::array openings;
  for (const auto& [opening, counts] : details.openings) {
    if (openings.size() == most_openings) break;
    json::object row = to_json(counts);
    row["opening"] = record::valid_utf8(opening);
    openings.push_back(std::move(row));
  }
  out["openings"] = std::move(openings);
}

void write_chart(const Arguments& arguments, const MatchResults& results, const std::optional<stats::SprtParameters>& parameters) {
  const auto path = arguments.value("chart");
  if (!path) return;
  if (!results.details) throw UsageError("option --chart needs the games in their order (expected files instead of numbers)");
  const GameDetails& details = *results.details;
  const std::string title = details.engine + (details.against.empty() ? "" : " - " + details.against);
  write_output(*path, stats::to_svg(stats::match_charts(stats::progress(results.pairs ? details.pairs : details.games, parameters), title,
                                                        parameters)));
}

}  // namespace referee::cli
