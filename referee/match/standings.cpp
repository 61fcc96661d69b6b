#include "referee/match/standings.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "referee/match/text_width.hpp"

namespace referee::match {

StandingsBy standings_by(config::ScheduleKind kind) noexcept {
  return kind == config::ScheduleKind::swiss || kind == config::ScheduleKind::knockout ? StandingsBy::points : StandingsBy::share;
}

Standings::Standings(std::vector<std::string> engines, StandingsBy by) : by_(by) {
  for (std::string& engine : engines) {
    StandingsRow row;
    row.engine = std::move(engine);
    engines_.push_back(std::move(row));
  }
}

std::size_t Standings::index_of(const std::string& engine) {
  const auto found = std::ranges::find(engines_, engine, &StandingsRow::engine);
  if (found != engines_.end()) return static_cast<std::size_t>(found - engines_.begin());
  StandingsRow row;
  row.engine = engine;
  engines_.push_back(std::move(row));
  return engines_.size() - 1;
}

void Standings::set(const record::GameRow& game) {
  remove(game.game);
  if (!game.counts()) return;
  const auto number = static_cast<std::size_t>(game.game);
  if (results_.size() <= number) results_.resize(number + 1);
  results_[number] = {.white = index_of(game.white), .black = index_of(game.black), .score = game.outcome->score, .counted = true};
  apply(results_[number], 1);
}

void Standings::remove(int game) {
  const auto number = static_cast<std::size_t>(game);
  if (results_.size() <= number || !results_[number].counted) return;
  apply(results_[number], -1);
  results_[number].counted = false;
}

void Standings::give(const record::PointsGiven& gift) {
  if (std::ranges::find(engines_, gift.engine, &StandingsRow::engine) == engines_.end()) return;
  if (!given_.emplace(gift.round, gift.engine, gift.why).second) return;
  StandingsRow& row = engines_[index_of(gift.engine)];
  row.points += gift.points;
  row.unplayed += gift.games;
}

void Standings::apply(const Result& result, int sign) {
  counted_ += sign;
  const auto side = [sign](StandingsRow& row, int own, int other) {
    row.games += sign;
    row.points += sign * own;
    if (own == other)
      (own == 0 ? row.losses : row.draws) += sign;  // both may have lost
    else
      (own > other ? row.wins : row.losses) += sign;
  };
  side(engines_[result.white], result.score.white, result.score.black);
  side(engines_[result.black], result.score.black, result.score.white);
}

std::vector<StandingsRow> Standings::rows() const {
  std::vector<StandingsRow> rows = engines_;
  std::ranges::stable_sort(rows, [this](const StandingsRow& a, const StandingsRow& b) {
    if (by_ == StandingsBy::points) return a.points > b.points;
    // In the middle of a match numbers of games differ: the share of the points decides, then the points.
    if (a.rated_games() == 0 || b.rated_games() == 0) return a.rated_games() > b.rated_games();
    const auto left = static_cast<long long>(a.points) * b.rated_games();
    const auto right = static_cast<long long>(b.points) * a.rated_games();
    return left != right ? left > right : a.points > b.points;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool equal =
        i > 0 && rows[i].points == rows[i - 1].points && (by_ == StandingsBy::points || rows[i].rated_games() == rows[i - 1].rated_games());
    rows[i].rank = equal ? rows[i - 1].rank : static_cast<int>(i) + 1;
  }
  return rows;
}

record::PointsGiven given_by(const Gift& gift, const config::MatchFile& file) {
  return {.round = gift.round,
          .engine = file.engines[gift.engine].name,
          .points = 100 * gift.games,
          .games = gift.games,
          .why = gift.why == Gift::Why::bye ? "bye" : "walkover"};
}

std::vector<std::string> to_lines(const std::vector<StandingsRow>& rows) {
  std::size_t width = 6;
  for (const StandingsRow& row : rows) width = std::max(width, columns_of(row.engine));
  width = std::min<std::size_t>(width, 32);
  const bool gifts = std::ranges::any_of(rows, [](const StandingsRow& row) { return row.unplayed > 0; });
  std::vector<std::string> lines{"rank  " + fitted("engine", width, Side::left) + "  games    won  drawn   lost" +
                                 (gifts ? "  unplayed" : "") + "  points  score"};
  std::array<char, 80> text{};
  for (const StandingsRow& row : rows) {
    (void)std::snprintf(text.data(), text.size(), "%4d  ", row.rank);
    std::string line = text.data() + fitted(row.engine, width, Side::left);
    (void)std::snprintf(text.data(), text.size(), "  %5d  %5d  %5d  %5d", row.games, row.wins, row.draws, row.losses);
    line += text.data();
    if (gifts) {
      (void)std::snprintf(text.data(), text.size(), "  %8d", row.unplayed);
      line += text.data();
    }
    (void)std::snprintf(text.data(), text.size(), "  %6.1f  %4.1f%%", row.points / 100.0, 100.0 * row.score());
    lines.push_back(line + text.data());
  }
  return lines;
}

}  // namespace referee::match
