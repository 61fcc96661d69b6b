#include "referee/stats/rating_table.hpp"

#include <algorithm>

namespace referee::stats {

namespace {

constexpr std::uint32_t most_groups_named = 10;
constexpr std::size_t most_members_named = 8;

std::string rating_text(const RatedPlayer& player, int decimals) {
  if (player.rating) return fixed(*player.rating, decimals);
  if (!player.limit) return "?";
  return (player.bound == Bound::lower ? ">" : "<") + fixed(*player.limit, decimals);
}

/// "group 2: 3 players: A, B, C"
std::string members_of(const RatingListing& listing, std::uint32_t group) {
  std::string names;
  std::size_t count = 0;
  for (const PlayerId player : listing.list.order()) {
    if (listing.list.players()[player].group != group || !listing.list.players()[player].rating) continue;
    if (++count <= most_members_named) names += (count > 1 ? ", " : "") + listing.names[player];
  }
  return "group " + std::to_string(group + 1) + ": " + std::to_string(count) + " players: " + names +
         (count > most_members_named ? " ..." : "");
}

}  // namespace

Table rating_table(const RatingListing& listing) {
  using Align = Column::Align;
  Table table;
  table.columns = {{"rank", Align::right},   {"player", Align::left},    {"rating", Align::right},     {"error", Align::right},
                   {"points", Align::right}, {"games", Align::right},    {"score %", Align::right},    {"draws %", Align::right},
                   {"opp.", Align::right},   {"opp. avg", Align::right}, {"LOS next %", Align::right}, {"group", Align::right}};
  const bool grouped = listing.list.groups() > 1;
  if (!grouped) table.columns.pop_back();
  for (std::size_t i = 0; i < listing.players.size(); ++i) {
    const RatedPlayer& p = listing.list.players()[listing.players[i]];
    const auto next = i + 1 < listing.players.size() ? listing.list.superiority(listing.players[i], listing.players[i + 1]) : std::nullopt;
    std::vector<std::string> row{std::to_string(i + 1),
                                 listing.names[listing.players[i]],
                                 rating_text(p, listing.decimals),
                                 p.error ? fixed(*p.error, listing.decimals) : "-",
                                 fixed(p.points(), 1),
                                 std::to_string(p.games),
                                 fixed(100 * p.score(), 1),
                                 fixed(100.0 * static_cast<double>(p.draws) / static_cast<double>(p.games), 1),
                                 std::to_string(p.opponents),
                                 p.opponents_average ? fixed(*p.opponents_average, listing.decimals) : "-",
                                 next ? fixed(100 * *next, 1) : "-"};
    if (grouped) row.push_back(std::to_string(p.group + 1));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> rating_notes(const RatingListing& listing) {
  std::vector<std::string> out;
  std::string first = std::to_string(listing.games) + (listing.games == 1 ? " game" : " games");
  if (const auto white = listing.list.white_advantage(); white.value) {
    first += ", White's advantage " + fixed(*white.value, 1);
    if (white.error) first += " +- " + fixed(*white.error, 1);
  }
  first += ", draws between equals " + fixed(100 * listing.list.draw_rate(), 1) + " %";
  out.push_back(first);
  if (const auto pairs = listing.list.pair_dispersion())
    out.push_back(std::to_string(listing.pairs) + " pairs of games; their scores vary " + fixed(*pairs, 3) +
                  " times as much as those of independent games, and the errors with them");
  if (listing.list.groups() > 1) {
    out.push_back(std::to_string(listing.list.groups()) +
                  " groups that no chain of points taken joins both ways: each is rated on its own, and ratings of different groups "
                  "cannot be compared");
    for (std::uint32_t group = 1; group < std::min(listing.list.groups(), most_groups_named); ++group)
      out.push_back(members_of(listing, group));
  }
  if (listing.list.groups() == 0 && !listing.players.empty())
    out.emplace_back(
        "no two players took points off each other, directly or in a circle: no rating is finite, and opponents are taken at the average");
  bool bounded = false;
  for (const PlayerId p : listing.players) bounded = bounded || listing.list.players()[p].bound != Bound::none;
  if (bounded)
    out.emplace_back("> and <: won or lost everything, so only a bound is known; shown is the rating at which that was as likely as not");
  if (listing.list.assumed_draws())
    out.emplace_back(
        "no weaker player ever won: how often equals draw cannot be told from these games, and is taken to be as often as all drew "
        "(--draw-rate sets it)");
  if (!listing.list.converged()) out.emplace_back("the ratings did not settle: the games hardly connect the players");
  return out;
}

}  // namespace referee::stats
