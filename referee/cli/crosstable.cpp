// `crosstable`: who scored what against whom, with tie-breaks.
#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <map>
#include <set>

#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"
#include "referee/record/json.hpp"
#include "referee/stats/crosstable.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using stats::PlayerId;

struct Played {
  match::NameTable names;
  stats::Tournament tournament;
  std::int64_t unfinished = 0;
  bool rounds_known = true;
  bool knockout = false;  // one such tournament and nothing else
};

/// The round's number: digits up to the first dot ("3.2" is board 2 of round 3).
[[nodiscard]] std::optional<int> round_of(const std::string& text) {
  int round = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), round);
  if (error != std::errc{} || round < 0 || (end != text.data() + text.size() && *end != '.')) return std::nullopt;
  return round;
}

[[nodiscard]] Played read_tournament(const Arguments& arguments) {
  Played out;
  match::ResultsOptions options;
  options.pairs = false;
  options.details = true;
  const match::ResultsSummary summary = read_result_files(arguments, out.names, options, [&](const match::ListedGame& game) {
    if (!game.ended) {
      ++out.unfinished;
      return;
    }
    const auto round = round_of(game.round);
    out.rounds_known = out.rounds_known && round.has_value();
    out.tournament.games.push_back({round.value_or(0), game.white, game.black, game.white_score, game.black_score});
  });
  std::set<std::tuple<int, PlayerId, std::string>> given;
  for (const match::ListedGift& gift : summary.gifts) {  // the journal told of twice gives once
    if (!given.emplace(gift.round, gift.player, gift.why).second) continue;
    const auto why = gift.why == "walkover" ? stats::Bye::Why::walkover : stats::Bye::Why::bye;
    out.tournament.byes.push_back({.round = gift.round, .player = gift.player, .points = gift.points, .games = gift.games, .why = why});
  }
  out.knockout = summary.knockouts == 1 && summary.files.size() == 1;
  if (out.unfinished > 0) std::cerr << out.unfinished << " games without a result left out\n";
  if (out.tournament.games.empty()) throw UsageError("no game with a result (expected at least one)");
  return out;
}

/// Players numbered anew without those who never played (names of the aliases file, games without result).
[[nodiscard]] std::vector<std::string> drop_absent(Played& played) {
  std::vector<char> present(played.names.names().size(), 0);
  for (const stats::TournamentGame& game : played.tournament.games) present[game.white] = present[game.black] = 1;
  std::vector<PlayerId> number(present.size(), 0);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < present.size(); ++i) {
    number[i] = static_cast<PlayerId>(names.size());
    if (present[i] != 0) names.push_back(played.names.names()[i]);
  }
  for (stats::TournamentGame& game : played.tournament.games) {
    game.white = number[game.white];
    game.black = number[game.black];
  }
  std::vector<stats::Bye> byes;
  for (stats::Bye& bye : played.tournament.byes) {
    if (present[bye.player] == 0) continue;
    bye.player = number[bye.player];
    byes.push_back(bye);
  }
  played.tournament.byes = std::move(byes);
  played.tournament.players = names.size();
  return names;
}

/// In a round that all played but one, that one had the bye.
void add_byes(stats::Tournament& tournament, int points) {
  std::map<int, std::set<PlayerId>> playing;
  for (const stats::TournamentGame& game : tournament.games) playing[game.round].insert({game.white, game.black});
  for (const auto& entry : playing) {
    const int round = entry.first;
    const std::set<PlayerId>& players = entry.second;
    if (players.size() + 1 != tournament.players) continue;
    PlayerId absent = 0;
    while (players.contains(absent)) ++absent;
    const bool told = std::any_of(tournament.byes.begin(), tournament.byes.end(),
                                  [&](const stats::Bye& bye) { return bye.round == round && bye.player == absent; });
    if (!told) tournament.byes.push_back({.round = round, .player = absent, .points = points, .games = 1, .why = stats::Bye::Why::bye});
  }
}

[[nodiscard]] std::vector<stats::TieBreak> tie_break_order(const Arguments& arguments) {
  std::vector<stats::TieBreak> order;
  std::string text = arguments.value("tie-breaks").value_or("direct-encounter,sonneborn-berger,buchholz-cut-1,buchholz,wins");
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const auto tie_break = stats::parse_tie_break(word);
    if (!tie_break)
      throw UsageError(
          "option --tie-breaks: no tie-break '" + word +
          "' (expected direct-encounter, wins, black-wins, sonneborn-berger, buchholz, buchholz-cut-1 or koya, with commas between)");
    order.push_back(*tie_break);
  }
  return order;
}

[[nodiscard]] json::object to_json(const stats::Crosstable& table, const stats::Tournament& tournament,
                                   const std::vector<std::string>& names) {
  const auto text = [&](PlayerId player) { return record::valid_utf8(names[player]); };
  std::vector<int> rank(names.size(), 0);
  for (const stats::Placing& placing : table.order) rank[placing.player] = placing.rank;
  std::vector<json::array> games(names.size());
  for (const stats::TournamentGame& game : tournament.games) {
    games[game.white].push_back(
        {{"round", game.round}, {"opponent", text(game.black)}, {"colour", "white"}, {"points", game.white_points / 100.0}});
    games[game.black].push_back(
        {{"round", game.round}, {"opponent", text(game.white)}, {"colour", "black"}, {"points", game.black_points / 100.0}});
  }
  for (const stats::Bye& bye : tournament.byes)
    games[bye.player].push_back({{"round", bye.round},
                                 {"opponent", nullptr},
                                 {"colour", nullptr},
                                 {"points", bye.points / 100.0},
                                 {"why", bye.why == stats::Bye::Why::walkover ? "walkover" : "bye"}});
  json::array players;
  for (const stats::Placing& placing : table.order) {
    const stats::TieBreaks& v = table.values[placing.player];
    players.push_back({{"rank", placing.rank},
                       {"player", text(placing.player)},
                       {"points", v.points / 100.0},
                       {"games", v.games},
                       {"wins", v.wins},
                       {"draws", v.draws},
                       {"losses", v.losses},
                       {"black_wins", v.black_wins},
                       {"sonneborn_berger", static_cast<double>(v.sonneborn_berger) / 10000},
                       {"buchholz", v.buchholz / 100.0},
                       {"buchholz_cut_1", v.buchholz_cut_1 / 100.0},
                       {"koya", v.koya / 100.0},
                       {"results", std::move(games[placing.player])}});
  }
  return {{"games", tournament.games.size()}, {"players", std::move(players)}};
}

int run_crosstable(const Arguments& arguments) {
  if (arguments.operands().empty()) throw UsageError("crosstable: nothing to read (expected PGN files, plain or .gz, or journals)");
  belongs_to(arguments, {"title"}, {"html"});
  check_outputs(arguments, {"csv", "html"}, {"aliases"});
  const std::vector<stats::TieBreak> order = tie_break_order(arguments);
  Played played = read_tournament(arguments);
  const std::vector<std::string> names = drop_absent(played);
  if (const auto bye = arguments.number("bye")) {
    if (*bye < 0 || *bye > 1) throw UsageError("option --bye is what a missed round brings (expected 0 to 1)");
    if (!played.rounds_known) throw UsageError("option --bye needs the rounds of all games (expected numbers in the Round tags)");
    add_byes(played.tournament, static_cast<int>(std::lround(*bye * 100)));
  }
  const std::string form_text = arguments.value("form").value_or("auto");
  const auto form = form_text == "matrix"      ? stats::CrosstableForm::matrix
                    : form_text == "rounds"    ? stats::CrosstableForm::rounds
                    : form_text == "standings" ? stats::CrosstableForm::standings
                                               : stats::CrosstableForm::automatic;
  const std::string by = arguments.value("by").value_or(played.knockout ? "rounds" : "points");
  if (by == "rounds" && !played.rounds_known)
    throw UsageError("option --by rounds needs the rounds of all games (expected numbers in the Round tags)");
  const auto first = by == "share" ? stats::FirstBy::share : by == "rounds" ? stats::FirstBy::rounds : stats::FirstBy::points;
  const stats::Crosstable table = stats::crosstable(played.tournament, names, order, first, form);
  if (const auto path = arguments.value("csv")) write_output(*path, stats::to_csv(table.table));
  if (const auto path = arguments.value("html"))
    write_output(*path, stats::html_page(arguments.value("title").value_or("Crosstable"), stats::to_html(table.table),
                                         {std::to_string(played.tournament.games.size()) + " games"}));
  if (arguments.has("json"))
    std::cout << json_text(to_json(table, played.tournament, names)) << '\n';
  else if (!arguments.has("csv") && !arguments.has("html"))
    std::cout << stats::to_text(table.table);
  return exit_done;
}

}  // namespace

CommandDefinition crosstable_command() {
  CommandDefinition command;
  command.name = "crosstable";
  command.summary = "crosstable with tie-breaks from PGN files and journals";
  command.positional = "FILE...";
  command.description =
      "Final order by points and by FIDE's tie-breaks (Handbook C.07), with the games: everybody against everybody, or for a Swiss round "
      "by round (12w1: beat "
      "number 12 with White). Byes and walkovers of a Swiss tournament bring the points that its journal tells; in tie-breaks such a round "
      "is one against an opponent with as many points as the player himself. In cells 1 = 0 are single games; where two met more than four "
      "times, the points of both.";
  command.options = {
      {"form", "FORM", "of the table; auto (default) looks at who met whom", false, {"auto", "matrix", "rounds", "standings"}},
      {"tie-breaks",
       "LIST",
       "in order: direct-encounter, wins, black-wins, sonneborn-berger, buchholz, buchholz-cut-1, koya; default "
       "direct-encounter,sonneborn-berger,buchholz-cut-1,buchholz,wins",
       false,
       {}},
      {"by",
       "WHAT",
       "first in order: points (default); share of the points to be had (unequal numbers of games); rounds: how far each came, the "
       "winner of the final first (default for a knockout's journal)",
       false,
       {"points", "share", "rounds"}},
      {"bye", "POINTS", "of PGN, which knows no byes: a round that all played but one brought that one so many points", false, {}},
      {"csv", "FILE", "write the table as CSV; - is standard output", false, {}},
      {"html", "FILE", "write the table as a page", false, {}},
      {"title", "TEXT", "of the page", false, {}}};
  for (OptionDefinition& option : result_file_options()) command.options.push_back(std::move(option));
  command.options.push_back({"json", "", "JSON alone on standard output", false, {}});
  command.examples = {"referee crosstable results/match.sqlite",
                      "referee crosstable --form rounds --bye 1 --tie-breaks buchholz-cut-1,buchholz,wins swiss.pgn",
                      "referee crosstable --html table.html games.pgn"};
  command.run = run_crosstable;
  return command;
}

}  // namespace referee::cli
