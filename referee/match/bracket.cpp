#include "referee/match/bracket.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "referee/stats/crosstable.hpp"

namespace referee::match {

namespace {

constexpr int still_in = std::numeric_limits<int>::max() - 1;
constexpr int champion_rank = std::numeric_limits<int>::max();

/// Rounds that a field of so many takes.
int rounds_of(std::size_t field) {
  int rounds = 0;
  for (std::size_t places = 1; places < field; places *= 2) ++rounds;
  return rounds;
}

std::string why(const Duel& duel) {
  switch (duel.by) {
    case Duel::By::points:
      return "";
    case Duel::By::draw_for_black:
      return " (a draw in the deciding game counts for Black)";
    case Duel::By::lot:
      return " by lot";
    case Duel::By::seed:
      return " as the better seed";
    case Duel::By::withdrawal:
      return ": the other was withdrawn";
  }
  return "";
}

}  // namespace

std::string_view name(Duel::By by) noexcept {
  switch (by) {
    case Duel::By::points:
      return "points";
    case Duel::By::draw_for_black:
      return "draw_for_black";
    case Duel::By::lot:
      return "lot";
    case Duel::By::seed:
      return "seed";
    case Duel::By::withdrawal:
      return "withdrawal";
  }
  return "";
}

void rank_by_rounds(std::vector<StandingsRow>& rows, const Course& course, const std::vector<std::string>& engines) {
  std::map<std::string, int> reached;
  for (const std::string& engine : engines) reached[engine] = still_in;
  for (const Duel& duel : course.duels) {
    if (duel.winner) reached[engines[*duel.winner == duel.first ? duel.second : duel.first]] = duel.round;
  }
  if (course.champion) reached[engines[*course.champion]] = champion_rank;
  const auto of = [&reached](const StandingsRow& row) {
    const auto found = reached.find(row.engine);
    return found == reached.end() ? 0 : found->second;  // one that another has replaced
  };
  std::ranges::stable_sort(rows, [&of](const StandingsRow& a, const StandingsRow& b) { return of(a) > of(b); });
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].rank = i > 0 && of(rows[i]) == of(rows[i - 1]) ? rows[i - 1].rank : static_cast<int>(i) + 1;
}

std::vector<std::string> bracket_lines(const Course& course, const std::vector<std::string>& engines) {
  std::vector<std::string> lines;
  const int last = rounds_of(engines.size());
  int round = 0;
  for (const Duel& duel : course.duels) {
    if (duel.round != round) {
      round = duel.round;
      lines.push_back(round == last ? "final" : round == last - 1 ? "semifinals" : "round " + std::to_string(round));
    }
    std::string line = "  " + engines[duel.first] + " - " + engines[duel.second] + "  " + stats::points_text(duel.first_points) + " - " +
                       stats::points_text(duel.second_points);
    if (duel.winner) line += "  " + engines[*duel.winner] + (round == last ? " wins" : " goes on") + why(duel);
    lines.push_back(std::move(line));
  }
  if (course.champion && !lines.empty()) lines.push_back("winner: " + engines[*course.champion]);
  return lines;
}

}  // namespace referee::match
