// `rate`: a rating list from PGN files and journals.
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <set>

#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"
#include "referee/match/rated_json.hpp"
#include "referee/record/json.hpp"
#include "referee/stats/rating_list.hpp"
#include "referee/stats/rating_table.hpp"

namespace referee::cli {

namespace {

constexpr double largest_rating = 1e6;

namespace json = boost::json;
using stats::PlayerId;

struct Games {
  match::NameTable names;
  stats::MeetingTable meetings;
  std::int64_t rated = 0, unfinished = 0, odd = 0, pairs = 0;
};

void read_games(const Arguments& arguments, Games& games) {
  match::ResultsOptions options;
  options.pairs = arguments.value("errors").value_or("pairs") == "pairs";
  match::PairFinder pairs;
  (void)read_result_files(arguments, games.names, options, [&](const match::ListedGame& game) {
    const auto result = game.result();
    if (!result) {
      ++(game.ended ? games.odd : games.unfinished);
      return;
    }
    ++games.rated;
    games.meetings.add(game.white, game.black, *result);
    if (const auto partner = pairs.match(game, 0)) {
      games.meetings.add_pair(partner->white, partner->black, partner->result, *result);
      ++games.pairs;
    }
  });
  if (games.unfinished > 0) std::cerr << games.unfinished << " games without a result left out\n";
  if (games.odd > 0) std::cerr << games.odd << " games left out whose score is no win, draw or loss\n";
  if (games.rated == 0) throw UsageError("no game with a result (expected at least one)");
}

/// A number, or nullopt for "auto".
[[nodiscard]] std::optional<double> number_or_auto(const Arguments& arguments, const char* option) {
  return arguments.value(option) == "auto" ? std::nullopt : arguments.number(option);
}

[[nodiscard]] std::pair<PlayerId, double> read_anchor(const std::string& text, const match::NameTable& names) {
  const std::size_t sign = text.rfind('=');
  double rating = 0;
  bool good = sign != std::string::npos;
  if (good) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + sign + 1, end, rating);
    good = error == std::errc{} && stop == end && std::isfinite(rating) && std::abs(rating) < largest_rating;
  }
  if (!good) throw UsageError("option --anchor: '" + text + "' names no player and rating (expected NAME=RATING)");
  const std::string name = text.substr(0, sign);
  const auto player = names.find(name);
  if (!player) {
    const auto near = nearest(name, names.names());
    throw UsageError("option --anchor: no game of '" + name + "'" +
                     (near ? "; did you mean '" + *near + "'?" : " (expected a player of these games)"));
  }
  return {*player, rating};
}

[[nodiscard]] stats::RatingOptions read_options(const Arguments& arguments, const Games& games) {
  stats::RatingOptions options;
  if (const auto model = arguments.value("model")) options.model = *stats::parse_rating_model(*model);
  const bool ordo = options.model == stats::RatingModel::ordo;
  options.average = arguments.number("average").value_or(options.average);
  if (std::abs(options.average) >= largest_rating) throw UsageError("option --average is a rating (expected -1000000 to 1000000)");
  if (arguments.has("average") && arguments.has("anchor"))
    throw UsageError("give --average or --anchor, not both (either fixes the scale)");
  std::set<PlayerId> anchored;
  for (const std::string& text : arguments.values("anchor")) {
    options.anchors.push_back(read_anchor(text, games.names));
    if (!anchored.insert(options.anchors.back().first).second) throw UsageError("option --anchor: '" + text + "' is anchored twice");
  }
  options.white_advantage = arguments.has("white-advantage") ? number_or_auto(arguments, "white-advantage")
                            : ordo                           ? std::optional(0.0)
                                                             : std::nullopt;
  if (options.white_advantage && std::abs(*options.white_advantage) >= largest_rating)
    throw UsageError("option --white-advantage is a difference of ratings (expected -1000000 to 1000000, or auto)");
  const auto percent = arguments.has("draw-rate") ? number_or_auto(arguments, "draw-rate") : ordo ? std::optional(50.0) : std::nullopt;
  if (percent) {
    if (*percent < 0 || *percent > 99.9) throw UsageError("option --draw-rate is a percentage (expected 0 to 99.9, or auto)");
    options.draw_rate = *percent / 100;
  }
  options.prior_draws = arguments.number("prior").value_or(0);
  if (options.prior_draws < 0 || options.prior_draws > 1e6) throw UsageError("option --prior is a number of draws (expected 0 or more)");
  if (arguments.value("errors") == "games") options.errors = stats::RatingOptions::Errors::games;
  options.simulations = static_cast<int>(arguments.integer("simulations", 0, 100'000).value_or(0));
  if (options.simulations == 1) throw UsageError("option --simulations: one list has no spread (expected 2 or more, or 0 for none)");
  if (static_cast<double>(options.simulations) * static_cast<double>(games.names.names().size()) > 2e8)
    throw UsageError("option --simulations: too many for so many players (expected simulations x players below 200 million)");
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed", 0, 1'000'000'000'000).value_or(1));
  options.threads = thread_count(arguments);
  return options;
}

/// The name without its version: what stands before the first word that begins with a digit, v and a digit, or names a stage of work.
[[nodiscard]] std::string family_of(const std::string& name) {
  static const std::set<std::string, std::less<>> stages{"dev", "alpha", "beta", "rc", "nightly", "latest"};
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t begin = name.find_first_not_of(" _-", at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(name.find_first_of(" _-", begin), name.size());
    const std::string_view word = std::string_view(name).substr(begin, end - begin);
    const bool version =
        digit(word[0]) || (word.size() > 1 && (word[0] == 'v' || word[0] == 'V') && digit(word[1])) || stages.contains(word);
    if (version && begin > 0) return name.substr(0, name.find_last_not_of(" _-", begin - 1) + 1);
    at = end;
  }
  return name;
}

/// Whose games are many enough, and the best of each family where only that is wanted.
[[nodiscard]] std::vector<PlayerId> listed(const Arguments& arguments, const Games& games, const stats::RatingList& list) {
  const long long least = arguments.integer("min-games", 1, 1'000'000'000).value_or(1);
  std::map<std::string, std::string> families;
  if (const auto path = arguments.value("families")) {
    try {
      for (const auto& row : match::read_name_groups(*path, match::GroupTitle::names_the_group))
        for (std::size_t i = 1; i < row.size(); ++i) families[row[i]] = row[0];
    } catch (const match::ResultsError& error) { throw UsageError(error.what()); }
  }
  const bool best_only = arguments.has("best-version") || arguments.has("families");
  std::set<std::string> seen;
  std::vector<PlayerId> out;
  for (const PlayerId player : list.order()) {
    if (list.players()[player].games < least) continue;
    if (best_only) {
      const std::string& name = games.names.names()[player];
      const auto told = families.find(name);
      if (!seen.insert(told != families.end() ? told->second : family_of(name)).second) continue;
    }
    out.push_back(player);
  }
  return out;
}

struct Listing {
  const Games& games;
  const stats::RatingList& list;
  const std::vector<PlayerId>& players;
  int decimals = 1;

  [[nodiscard]] stats::RatingListing published() const { return {list, games.names.names(), players, games.rated, games.pairs, decimals}; }
  [[nodiscard]] stats::Table table() const { return stats::rating_table(published()); }
  [[nodiscard]] std::vector<std::string> notes() const { return stats::rating_notes(published()); }

  [[nodiscard]] std::string los_csv() const {
    stats::Table table;
    table.columns.push_back({"player", stats::Column::Align::left});
    for (const PlayerId p : players) table.columns.push_back({games.names.names()[p], stats::Column::Align::right});
    for (const PlayerId a : players) {
      std::vector<std::string> row{games.names.names()[a]};
      for (const PlayerId b : players) {
        const auto los = list.superiority(a, b);
        row.push_back(los ? stats::fixed(*los, 4) : "");
      }
      table.rows.push_back(std::move(row));
    }
    return stats::to_csv(table);
  }

  [[nodiscard]] json::array to_json(bool ordo) const {
    json::array out;
    for (std::size_t i = 0; i < players.size(); ++i) {
      json::object row = match::rated_json(list, players, i, record::valid_utf8(games.names.names()[players[i]]));
      // Ordo publishes the limit as the rating.
      if (const stats::RatedPlayer& p = list.players()[players[i]]; ordo && !p.rating && p.limit) row["rating"] = *p.limit;
      out.push_back(std::move(row));
    }
    return out;
  }
};

int run_rate(const Arguments& arguments) {
  if (arguments.operands().empty()) throw UsageError("rate: nothing to read (expected PGN files, plain or .gz, or journals)");
  belongs_to(arguments, {"seed"}, {"simulations"});
  belongs_to(arguments, {"title"}, {"html"});
  check_outputs(arguments, {"los", "csv", "html"}, {"aliases", "families"});
  Games games;
  read_games(arguments, games);
  const stats::RatingOptions options = read_options(arguments, games);
  const stats::RatingList list(games.names.names().size(), games.meetings.meetings(), options);
  const std::vector<PlayerId> players = listed(arguments, games, list);
  const Listing listing{games, list, players, static_cast<int>(arguments.integer("decimals", 0, 6).value_or(1))};
  if (const auto path = arguments.value("los")) write_output(*path, listing.los_csv());
  if (const auto path = arguments.value("csv")) write_output(*path, stats::to_csv(listing.table()));
  if (const auto path = arguments.value("html"))
    write_output(*path,
                 stats::html_page(arguments.value("title").value_or("Rating list"), stats::to_html(listing.table()), listing.notes()));
  if (arguments.has("json")) {
    std::cout << json_text(listing.to_json(options.model == stats::RatingModel::ordo)) << '\n';
    for (const std::string& note : listing.notes()) std::cerr << note << '\n';
  } else if (!arguments.has("csv") && !arguments.has("html") && !arguments.has("los")) {
    std::cout << stats::to_text(listing.table()) << '\n';
    for (const std::string& note : listing.notes()) std::cout << note << '\n';
  } else {
    for (const std::string& note : listing.notes()) std::cerr << note << '\n';
  }
  return exit_done;
}

}  // namespace

CommandDefinition rate_command() {
  CommandDefinition command;
  command.name = "rate";
  command.summary = "a rating list from PGN files and journals";
  command.positional = "FILE...";
  command.description =
      "Ratings of maximum likelihood with half their 95 % interval. The model is Davidson's, with White's advantage and the draw rate "
      "estimated; a "
      "point near equality is worth what it is in Elo's formula. bradley-terry counts a draw as half a win; ordo is that with the scale "
      "and the "
      "conventions of the program Ordo. Files are PGN (plain, .gz, - is standard input) and journals, mixed. Who won or lost everything "
      "gets a bound, or with "
      "--prior a finite rating. Errors are against the average or the only anchor; pairs of games (from a journal's plan; in PGN by "
      "opening, or by round) "
      "are respected.";
  command.options = {
      {"model", "MODEL", "how results follow from ratings, default davidson", false, {"davidson", "bradley-terry", "ordo"}},
      {"anchor", "NAME=RATING", "a player whose rating is given", true, {}},
      {"average", "RATING", "average of all finite ratings, default 2300", false, {}},
      {"white-advantage", "POINTS", "given instead of estimated; auto estimates (default; with --model ordo 0)", false, {}},
      {"draw-rate", "PERCENT", "between equals, given instead of estimated; auto estimates (default; with --model ordo 50)", false, {}},
      {"prior", "N", "draws imagined for each player against those he met, default 0", false, {}},
      {"errors", "HOW", "respect pairs of games (default) or take games for independent", false, {"pairs", "games"}},
      {"simulations", "N", "errors from so many lists of simulated results instead of the Fisher information", false, {}},
      {"seed", "N", "of the simulations, default 1", false, {}},
      {"best-version", "", "list only the best version of each engine (the name up to its version)", false, {}},
      {"families",
       "FILE",
       "which names are versions of one engine: a line FAMILY,NAME,NAME... each (CSV); implies --best-version",
       false,
       {}},
      {"min-games", "N", "list only players with so many games", false, {}},
      {"decimals", "N", "of ratings and errors, default 1", false, {}},
      {"los", "FILE", "write the matrix of likelihoods of superiority (CSV)", false, {}},
      {"csv", "FILE", "write the list as CSV; - is standard output", false, {}},
      {"html", "FILE", "write the list as a page", false, {}},
      {"title", "TEXT", "of the page", false, {}}};
  for (OptionDefinition& option : result_file_options()) command.options.push_back(std::move(option));
  command.options.push_back({"json", "", "JSON alone on standard output", false, {}});
  command.examples = {"referee rate games.pgn.gz results/match.sqlite",
                      "referee rate --anchor 'Stockfish 16=3600' --simulations 1000 --html list.html *.pgn",
                      "referee rate --model ordo --average 2800 --best-version games.pgn --json"};
  command.run = run_rate;
  return command;
}

}  // namespace referee::cli
