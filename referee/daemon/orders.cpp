#include "referee/daemon/orders.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <optional>

#include "config/yaml.hpp"
#include "referee/chess/types.hpp"

namespace referee::daemon {

namespace {

namespace json = boost::json;

constexpr double longest_ms = 366.0 * 24 * 3600 * 1000;
constexpr std::size_t longest_text = 500;

std::optional<std::string> text(const json::object& order, const char* key) {
  const json::value* value = order.if_contains(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is_string()) throw OrderError(std::string("'") + key + "' is no text");
  if (value->as_string().size() > longest_text) throw OrderError(std::string("'") + key + "' is too long (expected at most 500 bytes)");
  std::string found(value->as_string().data(), value->as_string().size());
  // It is printed to terminals, into lists of one line an order, and into PGN.
  if (config::has_controls(found)) throw OrderError(std::string("'") + key + "' has a control character in it (expected one line of text)");
  return found;
}

std::optional<double> number(const json::object& order, const char* key) {
  const json::value* value = order.if_contains(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is_number()) throw OrderError(std::string("'") + key + "' is no number");
  return value->to_number<double>();
}

std::optional<chess::Color> side_of(const json::object& order) {
  const auto side = text(order, "side");
  if (!side || *side == "both") return std::nullopt;
  if (*side == "white") return chess::Color::white;
  if (*side == "black") return chess::Color::black;
  throw OrderError("'side' is " + *side + " (expected white, black or both)");
}

chess::Color need_side(const json::object& order, std::string_view name) {
  const auto side = side_of(order);
  if (!side) throw OrderError("'" + std::string(name) + "' is about one side (expected side: white or black)");
  return *side;
}

bool flag(const json::object& order, const char* key) {
  const json::value* value = order.if_contains(key);
  if (value == nullptr || value->is_null()) return false;
  if (!value->is_bool()) throw OrderError(std::string("'") + key + "' is not true or false");
  return value->as_bool();
}

int score(const json::object& order, const char* key) {
  const auto value = number(order, key);
  if (!value) return 0;
  if (*value != 0 && *value != 0.5 && *value != 1) throw OrderError(std::string("'") + key + "' is no score (expected 0, 0.5 or 1)");
  return static_cast<int>(*value * 100);
}

game::Duration time_of(const json::object& order) {
  const auto ms = number(order, "time_ms");
  if (!ms) return {};
  if (!(*ms >= 0 && *ms <= longest_ms)) throw OrderError("'time_ms' is out of range (expected 0 or more milliseconds)");
  return game::Duration(std::llround(*ms * 1e6));
}

enum class Needs { time, no_time };
Needs needs_time(game::OrderKind kind) {
  return kind == game::OrderKind::add_time || kind == game::OrderKind::take_time || kind == game::OrderKind::set_clock ? Needs::time
                                                                                                                       : Needs::no_time;
}

bool needs_side(game::OrderKind kind) {
  switch (kind) {
    case game::OrderKind::add_time:
    case game::OrderKind::take_time:
    case game::OrderKind::set_clock:
    case game::OrderKind::declare_lost:
    case game::OrderKind::expel:
    case game::OrderKind::reduce_score:
    case game::OrderKind::raise_score:
      return true;
    default:
      return false;
  }
}

bool needs_why(game::OrderKind kind) {
  switch (kind) {
    case game::OrderKind::declare_lost:
    case game::OrderKind::declare_both_lost:
    case game::OrderKind::expel:
    case game::OrderKind::reduce_score:
    case game::OrderKind::raise_score:
    case game::OrderKind::override_result:
    case game::OrderKind::annul_and_replay:
      return true;
    default:
      return false;
  }
}

game::ArbiterOrder arbiter_order(const json::object& order, game::OrderKind kind, const std::string& who) {
  game::ArbiterOrder out{};
  out.kind = kind;
  out.side = side_of(order);
  out.time = time_of(order);
  out.white_score = score(order, "white_score");
  out.black_score = score(order, "black_score");
  out.text = text(order, "text").value_or("");
  out.flag = flag(order, "flag");
  out.who = who;
  out.why = text(order, "why").value_or("");
  const std::string name(game::name(kind));
  if (needs_side(kind) && !out.side) throw OrderError("'" + name + "' is about one side (expected side: white or black)");
  if (needs_time(kind) == Needs::time && order.if_contains("time_ms") == nullptr)
    throw OrderError("'" + name + "' needs a time (expected time_ms: milliseconds)");
  if (needs_why(kind) && out.why.empty()) throw OrderError("'" + name + "' needs a reason (expected why: a text)");
  if (kind == game::OrderKind::override_result && (!order.contains("white_score") || !order.contains("black_score")))
    throw OrderError("'override_result' needs the scores (expected white_score and black_score: 0, 0.5 or 1)");
  if (kind == game::OrderKind::seal && out.text.empty()) throw OrderError("'seal' needs the move (expected text: a move)");
  return out;
}

}  // namespace

game::EventBody read_order(const json::object& order, const std::string& who) {
  const auto name = text(order, "order");
  if (!name) throw OrderError("no order is given (expected order: accept, reject, add_time ...)");
  if (const auto kind = game::parse_order_kind(*name)) return arbiter_order(order, *kind, who);
  if (*name == "claim_threefold" || *name == "claim_fifty") {
    game::DrawClaimed claim{};
    claim.side = need_side(order, *name);
    claim.rule = *name == "claim_fifty" ? game::ClaimRule::fifty : game::ClaimRule::threefold;
    claim.intended_move = text(order, "text").value_or("");
    return claim;
  }
  if (*name == "claim_quickplay") return game::QuickplayClaimed{need_side(order, *name)};
  if (*name == "request_increment") return game::IncrementRequested{need_side(order, *name)};
  if (*name == "offer_draw") return game::DrawOffered{need_side(order, *name)};
  if (*name == "accept_draw") return game::DrawAccepted{need_side(order, *name)};
  if (*name == "decline_draw") return game::DrawDeclined{need_side(order, *name)};
  if (*name == "resign") return game::Resigned{need_side(order, *name)};
  std::string known;
  for (const OrderForm& form : order_forms()) known += (known.empty() ? "" : " ") + std::string(form.name);
  throw OrderError("'" + *name + "' is no order (expected one of: " + known + ")");
}

const std::vector<OrderForm>& order_forms() {
  static const std::vector<OrderForm> forms = {
      {"accept", "", "the claim in front of the arbiter is right"},
      {"reject", "", "the claim, or the request for an increment, is rejected"},
      {"postpone", "[time_ms] [flag]", "a quickplay claim is decided later; the opponent may be given time"},
      {"grant_increment", "", "the request for an increment is granted"},
      {"warn", "[side] [text]", "a warning to one player or both"},
      {"add_time", "side time_ms", "time is added to a clock"},
      {"take_time", "side time_ms", "time is taken from a clock"},
      {"set_clock", "side time_ms", "a clock is set"},
      {"pause", "", "play is interrupted, the clocks stand"},
      {"resume", "", "play goes on"},
      {"adjourn", "[time_ms] [flag]", "the side to move seals its next move"},
      {"seal", "text [side]", "the sealed move is handed over"},
      {"open_envelope", "[side] [time_ms] [flag] [text]", "an adjourned game goes on; side and time_ms: who is late, by how much"},
      {"declare_lost", "side why [flag] [white_score] [black_score]", "the game is lost for a side"},
      {"declare_both_lost", "why", "the game is lost for both"},
      {"declare_dead", "", "nobody can mate any more"},
      {"reduce_score", "side white_score black_score why", "a side's score is reduced"},
      {"raise_score", "side white_score black_score why", "a side's score is raised"},
      {"expel", "side why [flag] [white_score] [black_score]", "a player is expelled from the game"},
      {"annul_and_replay", "why", "the game does not count and is played anew"},
      {"override_result", "white_score black_score why", "another result, also of a finished game"},
      {"waive_lateness", "[side]", "being late has no consequence"},
      {"report_colours_reversed", "", "the colours were found to be reversed"},
      {"report_wrong_start", "", "the initial position was found to be wrong"},
      {"claim_threefold", "side [text]", "a player claims a draw by repetition; text: the intended move"},
      {"claim_fifty", "side [text]", "a player claims a draw by the fifty-move rule; text: the intended move"},
      {"claim_quickplay", "side", "a player claims a draw with less than two minutes left"},
      {"request_increment", "side", "a player asks for an increment instead"},
      {"offer_draw", "side", "a player offers a draw"},
      {"accept_draw", "side", "a player accepts it"},
      {"decline_draw", "side", "a player declines it"},
      {"resign", "side", "a player resigns"},
  };
  return forms;
}

}  // namespace referee::daemon
