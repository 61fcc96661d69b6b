#include "referee/match/standings_json.hpp"

#include "referee/match/bracket.hpp"
#include "referee/record/json.hpp"

namespace referee::match {

namespace {

namespace json = boost::json;

json::array byes_json(const Course& course, const std::vector<std::string>& engines) {
  json::array byes;
  for (const Gift& gift : course.gifts)
    byes.push_back(json::object{{"round", gift.round},
                                {"engine", record::valid_utf8(engines[gift.engine])},
                                {"points", gift.games},
                                {"why", gift.why == Gift::Why::bye ? "bye" : "walkover"}});
  return byes;
}

json::array bracket_json(const Course& course, const std::vector<std::string>& engines) {
  json::array bracket;
  for (const Duel& duel : course.duels) {
    bracket.push_back(json::object{{"round", duel.round},
                                   {"first", record::valid_utf8(engines[duel.first])},
                                   {"second", record::valid_utf8(engines[duel.second])},
                                   {"first_points", duel.first_points / 100.0},
                                   {"second_points", duel.second_points / 100.0},
                                   {"winner", duel.winner ? json::value(record::valid_utf8(engines[*duel.winner])) : json::value(nullptr)},
                                   {"by", duel.winner ? json::value(record::valid_utf8(name(duel.by))) : json::value(nullptr)}});
  }
  return bracket;
}

}  // namespace

json::object standing_json(const StandingsRow& row) {
  return {{"rank", row.rank},         {"engine", record::valid_utf8(row.engine)},
          {"games", row.games},       {"wins", row.wins},
          {"draws", row.draws},       {"losses", row.losses},
          {"unplayed", row.unplayed}, {"points", row.points / 100.0},
          {"score", row.score()}};
}

void put_course(json::object& out, const Course& course, const std::vector<std::string>& engines, config::ScheduleKind kind) {
  if (!course.gifts.empty()) out["byes"] = byes_json(course, engines);
  if (kind != config::ScheduleKind::knockout) return;
  out["bracket"] = bracket_json(course, engines);
  out["winner"] = course.champion ? json::value(record::valid_utf8(engines[*course.champion])) : json::value(nullptr);
}

}  // namespace referee::match
