#include "referee/match/rated_json.hpp"

#include <optional>

namespace referee::match {

namespace json = boost::json;

json::object rated_json(const stats::RatingList& list, const std::vector<stats::PlayerId>& shown, std::size_t place,
                        std::string_view name) {
  const auto number = [](const std::optional<double>& value) { return value ? json::value(*value) : json::value(nullptr); };
  const stats::RatedPlayer& p = list.players()[shown[place]];
  json::object row{{"rank", place + 1}, {"player", name}, {"rating", number(p.rating)}};
  if (p.bound != stats::Bound::none) {
    row["bound"] = p.bound == stats::Bound::lower ? "lower" : "upper";
    row["limit"] = number(p.limit);
  }
  row["error"] = number(p.error);
  row["games"] = p.games;
  row["score"] = p.score();
  row["opponents"] = p.opponents;
  row["wins"] = p.wins;
  row["draws"] = p.draws;
  row["losses"] = p.losses;
  row["points"] = p.points();
  row["opponents_average"] = number(p.opponents_average);
  row["los_next"] = number(place + 1 < shown.size() ? list.superiority(shown[place], shown[place + 1]) : std::nullopt);
  row["group"] = p.group + 1;
  return row;
}

}  // namespace referee::match
