#include "referee/daemon/orders.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "config/yaml.hpp"
#include "referee/chess/types.hpp"
#include "referee/game/printable.hpp"

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

/// The members of an order's form, those in brackets with them; empty if there is no such order.
std::vector<std::string_view> members_of(std::string_view name) {
  std::vector<std::string_view> members;
  const auto form = std::ranges::find(order_forms(), name, &OrderForm::name);
  if (form == order_forms().end()) return members;
  std::string_view rest = form->takes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    members.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return members;
}

/// Does the order need this member, by its form? In brackets: may it have it?
bool needs(std::string_view name, std::string_view member) {
  const auto members = members_of(name);
  return std::ranges::find(members, member) != members.end();
}

/// What is null was not given.
bool is_given(const json::object& order, std::string_view member) {
  const json::value* value = order.if_contains(member);
  return value != nullptr && !value->is_null();
}

/// Is there a member that would be passed over?
void check_takes(const json::object& order, std::string_view name) {
  if (std::ranges::find(order_forms(), name, &OrderForm::name) == order_forms().end()) return;
  std::vector<std::string_view> known{"order"};
  for (std::string_view member : members_of(name)) {
    if (member.starts_with('[')) member = member.substr(1, member.size() - 2);
    known.push_back(member);
  }
  if (std::ranges::find(known, "why") == known.end()) known.emplace_back("why");
  for (const auto& member : order) {
    const std::string_view key(member.key().data(), member.key().size());
    if (member.value().is_null() || std::ranges::find(known, key) != known.end()) continue;
    std::string list;
    for (const std::string_view one : known) list.append(list.empty() ? "" : ", ").append(one);
    throw OrderError("'" + game::printable(key) + "' says nothing in '" + std::string(name) + "' (expected " + list + ")");
  }
}

/// Has it all that it needs?
void check_needs(const json::object& order, std::string_view name) {
  const std::string shown = "'" + std::string(name) + "'";
  const auto lacks = [&](std::string_view member) { return needs(name, member) && !is_given(order, member); };
  if (needs(name, "side") && !side_of(order)) throw OrderError(shown + " is about one side (expected side: white or black)");
  if (lacks("time_ms")) throw OrderError(shown + " needs a time (expected time_ms: milliseconds)");
  if (needs(name, "why") && text(order, "why").value_or("").empty()) throw OrderError(shown + " needs a reason (expected why: a text)");
  const bool scores_count = flag(order, "flag") && needs(name, "[white_score]");  // else the penalty says them
  if (lacks("white_score") || lacks("black_score") || (scores_count && !(is_given(order, "white_score") && is_given(order, "black_score"))))
    throw OrderError(shown + " needs the scores (expected white_score and black_score: 0, 0.5 or 1)");
  if (name == "override_result" && score(order, "white_score") + score(order, "black_score") > 100)
    throw OrderError(shown + " gives more than one point (expected white_score and black_score that make at most 1)");
  if (needs(name, "text") && text(order, "text").value_or("").empty()) throw OrderError(shown + " needs the move (expected text: a move)");
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
  return out;
}

}  // namespace

game::EventBody read_order(const json::object& order, const std::string& who) {
  const auto name = text(order, "order");
  if (!name) throw OrderError("no order is given (expected order: accept, reject, add_time ...)");
  check_takes(order, *name);
  check_needs(order, *name);
  if (const auto kind = game::parse_order_kind(*name)) return arbiter_order(order, *kind, who);
  const std::optional<chess::Color> side = side_of(order);  // all that follow need it
  if (*name == "claim_threefold" || *name == "claim_fifty") {
    game::DrawClaimed claim{};
    claim.side = side.value();
    claim.rule = *name == "claim_fifty" ? game::ClaimRule::fifty : game::ClaimRule::threefold;
    claim.intended_move = text(order, "text").value_or("");
    return claim;
  }
  if (*name == "claim_quickplay") return game::QuickplayClaimed{side.value()};
  if (*name == "request_increment") return game::IncrementRequested{side.value()};
  if (*name == "offer_draw") return game::DrawOffered{side.value()};
  if (*name == "accept_draw") return game::DrawAccepted{side.value()};
  if (*name == "decline_draw") return game::DrawDeclined{side.value()};
  if (*name == "resign") return game::Resigned{side.value()};
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
      {"open_envelope", "[side] [time_ms] [flag] [text]",
       "an adjourned game goes on; side and time_ms: who is late, by how much; flag: not there yet (no side: neither)"},
      {"declare_lost", "side why [flag] [white_score] [black_score]", "the game is lost for a side"},
      {"declare_both_lost", "why", "the game is lost for both"},
      {"declare_dead", "", "nobody can mate any more"},
      {"reduce_score", "side white_score black_score why", "a side's score in the result of a finished game is reduced"},
      {"raise_score", "side white_score black_score why", "a side's score in the result of a finished game is raised"},
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
