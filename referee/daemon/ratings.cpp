#include "referee/daemon/ratings.hpp"

#include <map>
#include <optional>
#include <stdexcept>

#include "referee/daemon/json_views.hpp"
#include "referee/match/rated_json.hpp"
#include "referee/record/json.hpp"
#include "referee/stats/rating_list.hpp"
#include "referee/stats/rating_table.hpp"

namespace referee::daemon {

namespace json = boost::json;

namespace {

/// nullopt for scores that are no win, draw or loss: both lost, reduced scores.
std::optional<stats::GameResult> result_of(const EndedGame& game) {
  if (!game.counts()) return std::nullopt;
  const game::Score score = game.score();
  if (score.white == 100 && score.black == 0) return stats::GameResult::white_wins;
  if (score.white == 50 && score.black == 50) return stats::GameResult::draw;
  if (score.white == 0 && score.black == 100) return stats::GameResult::black_wins;
  return std::nullopt;
}

}  // namespace

void Ratings::add(const EndedGames& games) {
  struct Waiting {
    stats::PlayerId white = 0, black = 0;
    stats::GameResult result = stats::GameResult::draw;
  };
  std::map<int, Waiting> first_of_pair;
  games.each([&](const EndedGame& game) {
    const auto result = result_of(game);
    if (!result || game.white() == game.black()) return;
    const stats::PlayerId white = names_.id(game.white());
    const stats::PlayerId black = names_.id(game.black());
    meetings_.add(white, black, *result);
    ++games_;
    if (game.pair() < 1) return;
    const auto [place, is_first] = first_of_pair.try_emplace(game.pair(), Waiting{white, black, *result});
    const Waiting& other = place->second;
    if (is_first || other.white != black || other.black != white) return;
    meetings_.add_pair(other.white, other.black, other.result, *result);
    ++pairs_;
  });
}

void Ratings::calculate() {
  const std::size_t count = names_.names().size();
  if (count > most_players)
    throw std::length_error(std::to_string(count) + " players are too many to rate here (expected at most " + std::to_string(most_players) +
                            "; referee rate takes more)");
  list_ = stats::RatingList(count, meetings_.meetings(), {});
}

std::vector<stats::PlayerId> Ratings::listed(int least_games) const {
  std::vector<stats::PlayerId> players;
  for (const stats::PlayerId player : list_.order()) {
    if (list_.players()[player].games >= least_games) players.push_back(player);
  }
  return players;
}

json::object Ratings::to_json(int least_games, const std::vector<std::string>& left_out) const {
  const std::vector<stats::PlayerId> shown = listed(least_games);
  json::array players;
  for (std::size_t i = 0; i < shown.size(); ++i)
    players.push_back(match::rated_json(list_, shown, i, record::valid_utf8(names_.names()[shown[i]])));
  json::array notes;
  for (const std::string& note : left_out) notes.emplace_back(record::valid_utf8(note));
  for (const std::string& note : stats::rating_notes({list_, names_.names(), shown, games_, pairs_}))
    notes.emplace_back(record::valid_utf8(note));
  return {{"games", games_}, {"notes", std::move(notes)}, {"players", std::move(players)}};
}

std::string Ratings::to_html(std::string_view title, int least_games, const std::vector<std::string>& left_out) const {
  const std::vector<stats::PlayerId> shown = listed(least_games);
  const stats::RatingListing listing{list_, names_.names(), shown, games_, pairs_};
  std::vector<std::string> notes = left_out;
  for (std::string& note : stats::rating_notes(listing)) notes.push_back(std::move(note));
  return stats::html_page(title, stats::to_html(stats::rating_table(listing)), notes);
}

}  // namespace referee::daemon
