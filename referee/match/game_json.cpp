#include "referee/match/game_json.hpp"

#include <chrono>
#include <string>
#include <string_view>

#include "referee/record/json.hpp"

namespace referee::match {

namespace json = boost::json;

json::object game_json(const record::GameRow& row) {
  json::object out;
  out["number"] = row.game;
  out["pair"] = row.pair;
  out["round"] = row.round;
  out["white"] = record::valid_utf8(row.white);
  out["black"] = record::valid_utf8(row.black);
  out["result"] = row.outcome && !row.voided ? record::valid_utf8(game::result_text(*row.outcome)) : "*";
  out["reason"] = record::valid_utf8(row.outcome ? game::code(row.outcome->reason) : "aborted");
  out["article"] = record::valid_utf8(row.outcome ? row.outcome->article : "");
  out["plies"] = row.plies;
  out["opening"] = record::valid_utf8(row.opening);
  out["duration_ms"] = std::chrono::duration<double, std::milli>(row.duration).count();
  out["detail"] = record::valid_utf8(row.outcome ? row.outcome->detail : "");
  out["attempt"] = row.attempt;
  out["counted"] = row.counts();
  if (row.ended) {
    std::string ended;
    record::append_time(ended, *row.ended);
    out["ended"] = record::valid_utf8(ended);
  }
  if (row.voided) out["void"] = true;
  return out;
}

}  // namespace referee::match
