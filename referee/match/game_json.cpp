#include "referee/match/game_json.hpp"

#include <chrono>
#include <string>
#include <string_view>

#include "referee/record/json.hpp"

namespace referee::match {

namespace {

namespace json = boost::json;

json::string valid(std::string_view text) {
  const std::string utf8 = record::valid_utf8(text);
  return json::string(utf8.data(), utf8.size());
}

}  // namespace

json::object game_json(const record::GameRow& row) {
  json::object out;
  out["number"] = row.game;
  out["pair"] = row.pair;
  out["round"] = row.round;
  out["white"] = valid(row.white);
  out["black"] = valid(row.black);
  out["result"] = row.outcome && !row.voided ? valid(game::result_text(*row.outcome)) : "*";
  out["reason"] = valid(row.outcome ? game::code(row.outcome->reason) : "aborted");
  out["article"] = valid(row.outcome ? row.outcome->article : "");
  out["plies"] = row.plies;
  out["opening"] = valid(row.opening);
  out["duration_ms"] = std::chrono::duration<double, std::milli>(row.duration).count();
  out["detail"] = valid(row.outcome ? row.outcome->detail : "");
  out["attempt"] = row.attempt;
  out["counted"] = row.counts();
  if (row.ended) {
    std::string ended;
    record::append_time(ended, *row.ended);
    out["ended"] = valid(ended);
  }
  if (row.voided) out["void"] = true;
  return out;
}

}  // namespace referee::match
