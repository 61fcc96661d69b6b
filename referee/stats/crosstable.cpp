#include "referee/stats/crosstable.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace referee::stats {

namespace {

constexpr std::size_t most_results_a_cell = 4;
constexpr std::size_t widest_matrix = 60;     // players, unless a matrix was asked for
constexpr std::size_t largest_matrix = 2000;  // players, even then

[[nodiscard]] std::string mark(int own, int other) {
  if (own == 100 && other == 0) return "1";
  if (own == 0 && (other == 100 || other == 0)) return "0";
  if (own == 50 && other == 50) return "=";
  return "(" + points_text(own) + ")";
}

[[nodiscard]] CrosstableForm chosen_form(const Tournament& tournament) {
  std::set<std::pair<PlayerId, PlayerId>> met;
  std::map<std::pair<int, PlayerId>, PlayerId> opponent;
  std::set<int> rounds;
  bool one_opponent_a_round = true;
  for (const TournamentGame& game : tournament.games) {
    met.insert(std::minmax(game.white, game.black));
    rounds.insert(game.round);
    const auto check = [&](PlayerId player, PlayerId other) {
      const auto [found, is_new] = opponent.try_emplace({game.round, player}, other);
      one_opponent_a_round = one_opponent_a_round && (is_new || found->second == other);
    };
    check(game.white, game.black);
    check(game.black, game.white);
  }
  const std::size_t possible = tournament.players * (tournament.players - std::min<std::size_t>(tournament.players, 1)) / 2;
  if (one_opponent_a_round && rounds.size() > 1 && rounds.size() <= 50 && (!tournament.byes.empty() || 10 * met.size() < 7 * possible))
    return CrosstableForm::rounds;
  return tournament.players <= widest_matrix ? CrosstableForm::matrix : CrosstableForm::standings;
}

class Builder {
 public:
  Builder(const Tournament& tournament, const std::vector<std::string>& names, const std::vector<TieBreak>& tie_breaks, Crosstable& out)
      : tournament_(tournament),
        names_(names),
        tie_breaks_(tie_breaks),
        out_(out),
        rank_(tournament.players, 0),
        place_(tournament.players, 0) {
    for (std::size_t i = 0; i < out.order.size(); ++i) {
      rank_[out.order[i].player] = out.order[i].rank;
      place_[out.order[i].player] = i;
    }
  }

  void build() {
    using Align = Column::Align;
    Table& table = out_.table;
    table.columns = {{"rank", Align::right}, {"player", Align::left}, {"points", Align::right}, {"games", Align::right},
                     {"won", Align::right},  {"drawn", Align::right}, {"lost", Align::right},   {"score %", Align::right}};
    for (const Placing& placing : out_.order) {
      const TieBreaks& values = out_.values[placing.player];
      const bool nothing = values.games + values.unplayed == 0;
      table.rows.push_back({std::to_string(placing.rank), names_[placing.player], points_text(values.points), std::to_string(values.games),
                            std::to_string(values.wins), std::to_string(values.draws), std::to_string(values.losses),
                            nothing ? "-" : fixed(100 * values.share(), 1)});
    }
    if (out_.form == CrosstableForm::matrix) add_matrix();
    if (out_.form == CrosstableForm::rounds) add_rounds();
    for (const TieBreak tie_break : tie_breaks_) {
      if (tie_break == TieBreak::direct_encounter) continue;
      table.columns.push_back({std::string(name(tie_break)), Align::right});
      for (std::size_t i = 0; i < out_.order.size(); ++i) table.rows[i].push_back(value_text(out_.values[out_.order[i].player], tie_break));
    }
  }

 private:
  void add_matrix() {
    struct Cell {
      std::string results;
      std::size_t games = 0;
      int own = 0, other = 0;
    };
    const std::size_t n = out_.order.size();
    std::vector<Cell> cells(n * n);
    const auto add = [&](PlayerId player, PlayerId other, int own, int others) {
      Cell& cell = cells[place_[player] * n + place_[other]];
      if (++cell.games <= most_results_a_cell) cell.results += mark(own, others);
      cell.own += own;
      cell.other += others;
    };
    for (const TournamentGame& game : tournament_.games) {
      add(game.white, game.black, game.white_points, game.black_points);
      add(game.black, game.white, game.black_points, game.white_points);
    }
    for (std::size_t j = 0; j < n; ++j) out_.table.columns.push_back({std::to_string(j + 1), Column::Align::right});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const Cell& cell = cells[i * n + j];
        out_.table.rows[i].push_back(i == j                              ? "*"
                                     : cell.games == 0                   ? ""
                                     : cell.games <= most_results_a_cell ? cell.results
                                                                         : points_text(cell.own) + "-" + points_text(cell.other));
      }
    }
  }

  void add_rounds() {
    std::map<int, std::size_t> columns;
    for (const TournamentGame& game : tournament_.games) columns[game.round] = 0;
    for (const Bye& bye : tournament_.byes) columns[bye.round] = 0;
    std::size_t next = 0;
    for (auto& [round, column] : columns) {
      column = next++;
      out_.table.columns.push_back({std::to_string(round), Column::Align::right});
    }
    std::vector<std::vector<std::string>> cells(out_.order.size(), std::vector<std::string>(columns.size()));
    const auto add = [&](PlayerId player, PlayerId other, const char* colour, int own, int others, int round) {
      std::string& cell = cells[place_[player]][columns[round]];
      if (cell.empty()) cell = std::to_string(rank_[other]);
      cell += colour + mark(own, others);
    };
    for (const TournamentGame& game : tournament_.games) {
      add(game.white, game.black, "w", game.white_points, game.black_points, game.round);
      add(game.black, game.white, "b", game.black_points, game.white_points, game.round);
    }
    for (const Bye& bye : tournament_.byes) {
      std::string& cell = cells[place_[bye.player]][columns[bye.round]];
      if (!cell.empty()) cell += ' ';  // of an encounter that was begun
      cell += bye.why == Bye::Why::walkover ? "walkover" : "bye";
      if (bye.points != 100 * bye.games) cell += "(" + points_text(bye.points) + ")";
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (std::string& cell : cells[i]) out_.table.rows[i].push_back(cell.empty() ? "-" : std::move(cell));
  }

  const Tournament& tournament_;
  const std::vector<std::string>& names_;
  const std::vector<TieBreak>& tie_breaks_;
  Crosstable& out_;
  std::vector<int> rank_;
  std::vector<std::size_t> place_;
};

}  // namespace

std::string points_text(std::int64_t hundredths) {
  std::string out = std::to_string(hundredths / 100);
  const std::int64_t rest = hundredths % 100;
  if (rest == 0) return out;
  out += rest % 10 == 0 ? "." + std::to_string(rest / 10) : rest < 10 ? ".0" + std::to_string(rest) : "." + std::to_string(rest);
  return out;
}

std::string value_text(const TieBreaks& values, TieBreak tie_break) {
  switch (tie_break) {
    case TieBreak::direct_encounter:
      return {};
    case TieBreak::wins:
      return std::to_string(values.wins);
    case TieBreak::black_wins:
      return std::to_string(values.black_wins);
    case TieBreak::sonneborn_berger:
      return fixed(static_cast<double>(values.sonneborn_berger) / 10000, 2);
    case TieBreak::buchholz:
      return points_text(values.buchholz);
    case TieBreak::buchholz_cut_1:
      return points_text(values.buchholz_cut_1);
    case TieBreak::koya:
      return points_text(values.koya);
  }
  return {};
}

Crosstable crosstable(const Tournament& tournament, const std::vector<std::string>& names, const std::vector<TieBreak>& order,
                      FirstBy first, CrosstableForm form) {
  Crosstable out;
  out.order = final_order(tournament, order, first);
  out.values = tie_breaks(tournament);
  out.form = form == CrosstableForm::automatic ? chosen_form(tournament) : form;
  if (out.form == CrosstableForm::matrix && tournament.players > largest_matrix) out.form = CrosstableForm::standings;
  Builder(tournament, names, order, out).build();
  return out;
}

}  // namespace referee::stats
