// Facts to JSON. The keys are read back by fact_read.cpp; both follow the order of the structs in the headers.
#include <array>

#include "referee/chess/fen.hpp"
#include "referee/record/fact.hpp"
#include "referee/record/json.hpp"
#include "referee/record/names.hpp"

namespace referee::record {

namespace {

using chess::Color;

template <JsonKey key>
void add_color(JsonObject& object, const std::optional<Color>& color) {
  if (color) object.add_word<key>(chess::name(*color));
}

void add_digits(std::string& out, int value, int width) {
  std::array<char, 8> digits{};
  for (int i = width - 1; i >= 0; --i, value /= 10) digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 10);
  out.append(digits.data(), static_cast<std::size_t>(width));
}

template <JsonKey key>
void add_wall_time(JsonObject& object, WallTime time) {
  std::string& out = object.key<key>();
  out += '"';
  append_time(out, time);
  out += '"';
}

// Coordinates, king takes rook for castling; a fifth letter: the promotion piece, c = castling, e = en passant.
std::string move_text(chess::Move move) {
  std::string text = chess::to_string(move.from()) + chess::to_string(move.to());
  switch (move.kind()) {
    case chess::MoveKind::plain:
      break;
    case chess::MoveKind::castling:
      text += 'c';
      break;
    case chess::MoveKind::en_passant:
      text += 'e';
      break;
    case chess::MoveKind::promotion:
      text += chess::letter({Color::black, move.promotion_role()});
      break;
  }
  return text;
}

void append_time_control(std::string& out, const clock::TimeControl& control) {
  JsonObject object(out);
  object.add_word<"mode">(names::text(names::mode, control.mode));
  object.key<"periods">() += '[';
  for (std::size_t i = 0; i < control.periods.size(); ++i) {
    if (i > 0) out += ',';
    const clock::Period& period = control.periods[i];
    JsonObject entry(out);
    if (period.moves != 0) entry.add<"moves">(period.moves);
    entry.add<"base_ms">(period.base);
    if (period.increment.count() != 0) entry.add<"increment_ms">(period.increment);
    if (period.delay.count() != 0) entry.add<"delay_ms">(period.delay);
    entry.close();
  }
  out += ']';
  object.close();
}

void append_adjudication(std::string& out, const game::Adjudication& adjudication) {
  JsonObject object(out);
  if (const auto& draw = adjudication.draw) {
    JsonObject rule(object.key<"draw">());
    rule.add<"move_number">(draw->move_number);
    rule.add<"move_count">(draw->move_count);
    rule.add<"score">(draw->score);
    if (draw->reset_on_zeroing) rule.add<"reset_on_zeroing">(true);
    rule.close();
  }
  if (const auto& resign = adjudication.resign) {
    JsonObject rule(object.key<"resign">());
    rule.add<"move_count">(resign->move_count);
    rule.add<"score">(resign->score);
    if (resign->two_sided) rule.add<"two_sided">(true);
    rule.close();
  }
  object.add<"max_moves">(adjudication.max_moves);
  if (adjudication.trusted_mates) object.add<"trusted_mates">(true);
  object.close();
}

void append_setup(std::string& out, const game::GameSetup& setup) {
  JsonObject object(out);
  object.add<"fen">(chess::to_fen(setup.start));
  if (setup.chess960) object.add<"chess960">(true);
  if (!setup.opening_moves.empty()) {
    char lead = '[';
    object.key<"opening_moves">();
    for (const std::string& move : setup.opening_moves) {
      out += lead;
      append_json_string(out, move);
      lead = ',';
    }
    out += ']';
  }
  append_time_control(object.key<"time_control">(), setup.time_control[0]);
  if (setup.time_control[1] != setup.time_control[0]) append_time_control(object.key<"black_time_control">(), setup.time_control[1]);
  if (setup.margin[0].count() != 0) object.add<"white_margin_ms">(setup.margin[0]);
  if (setup.margin[1].count() != 0) object.add<"black_margin_ms">(setup.margin[1]);
  object.add<"white_initial_clock_ms">(setup.initial_clock[0]);
  object.add<"black_initial_clock_ms">(setup.initial_clock[1]);
  if (setup.illegal_moves[0] != 0) object.add<"white_illegal_moves">(setup.illegal_moves[0]);
  if (setup.illegal_moves[1] != 0) object.add<"black_illegal_moves">(setup.illegal_moves[1]);
  if (setup.category) object.add_word<"category">(names::text(names::category, *setup.category));
  if (setup.supervision != laws::Supervision::adequate) object.add_word<"supervision">(names::text(names::supervision, setup.supervision));
  object.add<"event_default_time_ms">(setup.event_default_time);
  if (setup.guidelines_iii) object.add<"guidelines_iii">(true);
  if (setup.agreement_forbidden) object.add<"agreement_forbidden">(true);
  if (setup.agreement_min_moves != 0) object.add<"agreement_min_moves">(setup.agreement_min_moves);
  if (setup.adjudication != game::Adjudication{}) append_adjudication(object.key<"adjudication">(), setup.adjudication);
  object.add<"verdict_nodes">(setup.verdict_nodes);  // always: it decides rulings, and the default may change
  object.close();
}

// --- events: "event" and the members of the struct -----------------------------------------------------------------------

struct EventMembers {
  JsonObject& object;

  void side_only(std::string_view name, Color side) const {
    object.add_word<"event">(name);
    add_color<"side">(object, side);
  }
  void notation(game::MoveNotation notation) const {
    if (notation != game::MoveNotation::uci) object.add_word<"notation">(names::text(names::notation, notation));
  }

  void operator()(const game::TurnStarted& e) const { side_only("turn_started", e.side); }
  void operator()(const game::MoveReceived& e) const {
    side_only("move_received", e.side);
    object.add<"text">(e.text);
    notation(e.notation);
    if (e.two_hands) object.add<"two_hands">(true);
  }
  void operator()(const game::TimeExpired& e) const { side_only("time_expired", e.side); }
  void operator()(const game::DrawOffered& e) const { side_only("draw_offered", e.side); }
  void operator()(const game::DrawAccepted& e) const { side_only("draw_accepted", e.side); }
  void operator()(const game::DrawDeclined& e) const { side_only("draw_declined", e.side); }
  void operator()(const game::DrawClaimed& e) const {
    side_only("draw_claimed", e.side);
    object.add_word<"rule">(names::text(names::claim, e.rule));
    object.add_text<"intended_move">(e.intended_move);
    notation(e.notation);
  }
  void operator()(const game::FlagClaimed& e) const {
    object.add_word<"event">("flag_claimed");
    add_color<"claimant">(object, e.claimant);
    object.add<"white_flag_down">(e.white_flag_down);
    object.add<"black_flag_down">(e.black_flag_down);
  }
  void operator()(const game::BothFlagsDown& e) const {
    object.add_word<"event">("both_flags_down");
    if (e.first_known) object.add<"first_known">(true);
  }
  void operator()(const game::QuickplayClaimed& e) const { side_only("quickplay_claimed", e.side); }
  void operator()(const game::IncrementRequested& e) const { side_only("increment_requested", e.side); }
  void operator()(const game::Resigned& e) const { side_only("resigned", e.side); }
  void operator()(const game::ResultClaimed& e) const {
    side_only("result_claimed", e.side);
    object.add_score<"white_score">(e.white_score);
    object.add_score<"black_score">(e.black_score);
    object.add_text<"text">(e.text);
  }
  void operator()(const game::IllegalMoveClaimed& e) const {
    side_only("illegal_move_claimed", e.side);
    object.add_text<"text">(e.text);
  }
  void operator()(const game::PlayerArrived& e) const {
    side_only("player_arrived", e.side);
    if (e.late.count() != 0) object.add<"late_ms">(e.late);
  }
  void operator()(const game::PlayerReady& e) const { side_only("player_ready", e.side); }
  void operator()(const game::PlayerLate& e) const {
    side_only("player_late", e.side);
    if (e.late.count() != 0) object.add<"late_ms">(e.late);
    if (e.both) object.add<"both">(true);
  }
  void operator()(const game::EngineFailed& e) const {
    side_only("engine_failed", e.side);
    object.add_word<"kind">(names::text(names::failure, e.kind));
    object.add_text<"detail">(e.detail);
  }
  void operator()(const game::EvaluationReported& e) const {
    side_only("evaluation_reported", e.side);
    object.add<"centipawns">(e.centipawns);
    object.add<"mate">(e.mate);
  }
  void operator()(const game::TablebaseReported& e) const {
    object.add_word<"event">("tablebase_reported");
    object.add_score<"white_score">(e.white_score);
    object.add_score<"black_score">(e.black_score);
  }
  void operator()(const game::WinnabilityVerdict& e) const {
    side_only("winnability_verdict", e.side);
    object.add<"ply">(e.ply);
    object.add_word<"verdict">(names::text(names::verdict, e.verdict));
    object.add<"nodes">(e.nodes);
  }
  void operator()(const game::ArbiterOrder& e) const {
    object.add_word<"event">("arbiter_order");
    object.add_word<"order">(game::name(e.kind));
    add_color<"side">(object, e.side);
    if (e.time.count() != 0) object.add<"time_ms">(e.time);
    if (e.white_score != 0) object.add_score<"white_score">(e.white_score);
    if (e.black_score != 0) object.add_score<"black_score">(e.black_score);
    object.add_text<"text">(e.text);
    if (e.flag) object.add<"flag">(true);
    object.add_text<"who">(e.who);
    object.add_text<"why">(e.why);
  }
  void operator()(const game::Aborted& e) const {
    object.add_word<"event">("aborted");
    object.add_text<"why">(e.why);
  }
};

// --- rulings: "ruling", the members of the struct, article, decision -------------------------------------------------------

void append_outcome(std::string& out, const game::Outcome& outcome) {
  JsonObject object(out);
  object.add<"result">(game::result_text(outcome));
  object.add_score<"white_score">(outcome.score.white);
  object.add_score<"black_score">(outcome.score.black);
  object.add_word<"reason">(game::code(outcome.reason));
  object.add_text<"article">(outcome.article);
  object.add_text<"detail">(outcome.detail);
  if (outcome.undecided) object.add<"undecided">(true);
  if (outcome.annulled) object.add<"annulled">(true);
  object.close();
}

struct RulingMembers {
  JsonObject& object;

  void side_only(std::string_view name, const std::optional<Color>& side) const {
    object.add_word<"ruling">(name);
    add_color<"side">(object, side);
  }

  void operator()(const game::MoveAccepted& r) const {
    side_only("move_accepted", r.side);
    object.add<"uci">(r.uci);
    if (const std::string move = move_text(r.move); move != r.uci) object.add<"move">(move);
    object.add<"san">(r.san);
    object.add<"used_ms">(r.used);
    object.add<"remaining_ms">(r.remaining);
    object.add_text<"note">(r.note);
  }
  void operator()(const game::MoveRejected& r) const {
    side_only("move_rejected", r.side);
    object.add<"text">(r.text);
    object.add_word<"kind">(names::text(names::illegal, r.kind));
    object.add<"count">(r.count);
    if (r.opponent_bonus.count() != 0) object.add<"opponent_bonus_ms">(r.opponent_bonus);
    if (r.queen_placed) object.add<"queen_placed">(true);
    if (r.replacements.empty()) return;
    std::string& out = object.key<"replacements">();
    char lead = '[';
    for (const chess::Move move : r.replacements) {
      out += lead;
      append_json_string(out, move_text(move));
      lead = ',';
    }
    out += ']';
  }
  void operator()(const game::ClocksChanged& r) const {
    object.add_word<"ruling">("clocks_changed");
    object.add<"white_ms">(r.white);
    object.add<"black_ms">(r.black);
    add_color<"running">(object, r.running);
  }
  void operator()(const game::ClaimUpheld& r) const { side_only("claim_upheld", r.side); }
  void operator()(const game::ClaimRejected& r) const {
    side_only("claim_rejected", r.side);
    if (r.opponent_bonus.count() != 0) object.add<"opponent_bonus_ms">(r.opponent_bonus);
    if (r.claimant_deduction.count() != 0) object.add<"claimant_deduction_ms">(r.claimant_deduction);
    object.add_text<"must_play">(r.must_play);
  }
  void operator()(const game::ClaimInadmissible& r) const {
    side_only("claim_inadmissible", r.side);
    if (r.counts_as_offer) object.add<"counts_as_offer">(true);
  }
  void operator()(const game::OfferPending& r) const { side_only("offer_pending", r.side); }
  void operator()(const game::OfferLapsed& r) const { side_only("offer_lapsed", r.side); }
  void operator()(const game::OfferRefused& r) const { side_only("offer_refused", r.side); }
  void operator()(const game::Warned& r) const {
    side_only("warned", r.side);
    object.add_text<"text">(r.text);
  }
  void operator()(const game::AwaitingArbiter& r) const {
    object.add_word<"ruling">("awaiting_arbiter");
    add_color<"claimant">(object, r.claimant);
    object.add_text<"question">(r.question);
  }
  void operator()(const game::Adjourned& r) const {
    object.add_word<"ruling">("adjourned");
    add_color<"sealer">(object, r.sealer);
  }
  void operator()(const game::Resumed&) const { object.add_word<"ruling">("resumed"); }
  void operator()(const game::Paused&) const { object.add_word<"ruling">("paused"); }
  void operator()(const game::Ignored& r) const {
    object.add_word<"ruling">("ignored");
    object.add_text<"why">(r.why);
  }
  void operator()(const game::OrderRefused& r) const {
    object.add_word<"ruling">("order_refused");
    object.add_text<"why">(r.why);
  }
  void operator()(const game::GameOver& r) const {
    object.add_word<"ruling">("game_over");
    append_outcome(object.key<"outcome">(), r.outcome);
  }
};

void append_search(std::string& out, const SearchReport& search) {
  JsonObject object(out);
  object.add<"depth">(search.depth);
  object.add<"selective_depth">(search.selective_depth);
  object.add<"centipawns">(search.centipawns);
  object.add<"mate">(search.mate);
  object.add<"nodes">(search.nodes);
  object.add<"nodes_per_second">(search.nodes_per_second);
  object.add<"tablebase_hits">(search.tablebase_hits);
  object.add<"time_ms">(search.time);
  object.add_text<"pv">(search.pv);
  object.close();
}

void add_event(JsonObject& object, const EventJudged& f) {
  object.add<"at_ms">(f.event.at);
  std::visit(EventMembers{object}, f.event.body);
  if (!f.rulings.empty()) append_rulings(object.key<"rulings">(), f.rulings);
  if (f.search) append_search(object.key<"search">(), *f.search);
  object.add<"referee_lag_ms">(f.referee_lag);
  if (f.book) object.add<"book">(true);
}

// --- facts -----------------------------------------------------------------------------------------------------------------

struct FactMembers {
  JsonObject& object;

  void operator()(const MatchStarted& f) const {
    object.add_word<"fact">("match_started");
    add_wall_time<"at">(object, f.at);
    object.add<"plan_digest">(f.plan_digest);
    object.add<"resumed">(f.resumed);
  }
  void operator()(const GameStarted& f) const {
    object.add_word<"fact">("game_started");
    object.add<"game">(f.game);
    object.add<"attempt">(f.attempt);
    add_wall_time<"at">(object, f.at);
    object.add<"white">(f.white);
    object.add<"black">(f.black);
    object.add<"round">(f.round);
    object.add<"pair">(f.pair);
    object.add_text<"opening">(f.opening);
    object.add_text<"event">(f.event);
    object.add_text<"site">(f.site);
    object.add_text<"date">(f.date);
    object.add<"edition">(f.edition);
    append_setup(object.key<"setup">(), f.setup);
  }
  void operator()(const EventJudged& f) const {
    object.add_word<"fact">("event");
    object.add<"game">(f.game);
    add_event(object, f);
  }
  void operator()(const EngineWarning& f) const {
    object.add_word<"fact">("warning");
    object.add<"game">(f.game);
    object.add<"ply">(f.ply);
    object.add<"engine">(f.engine);
    object.add<"kind">(f.kind);
    object.add<"text">(f.text);
    object.add_text<"line">(f.line);
  }
  void operator()(const EngineFault& f) const {
    object.add_word<"fact">("fault");
    object.add<"game">(f.game);
    object.add<"engine">(f.engine);
    object.add_word<"reason">(game::code(f.reason));
    object.add_text<"detail">(f.detail);
    object.add_text<"log">(f.log);
  }
  void operator()(const GameEnded& f) const {
    object.add_word<"fact">("game_ended");
    object.add<"game">(f.game);
    add_wall_time<"at">(object, f.at);
    append_outcome(object.key<"outcome">(), f.outcome);
    object.add<"plies">(f.plies);
    object.add<"duration_ms">(f.duration);
    object.add<"counted">(f.counted);
  }
  void operator()(const GameVoided& f) const {
    object.add_word<"fact">("game_voided");
    object.add<"game">(f.game);
    object.add_text<"why">(f.why);
  }
  void operator()(const EngineWithdrawn& f) const {
    object.add_word<"fact">("engine_withdrawn");
    object.add<"engine">(f.engine);
    object.add_text<"why">(f.why);
    if (f.planned_games != 0) object.add<"planned_games">(f.planned_games);
  }
  void operator()(const EngineReplaced& f) const {
    object.add_word<"fact">("engine_replaced");
    object.add<"engine">(f.engine);
    object.add<"by">(f.by);
  }
  void operator()(const PlanExtended& f) const {
    object.add_word<"fact">("plan_extended");
    object.add<"planned_games">(f.planned_games);
    object.add<"expected_games">(f.expected_games);
  }
  void operator()(const ResultChanged& f) const {
    object.add_word<"fact">("result_changed");
    object.add<"game">(f.game);
    object.add<"was_white">(f.was.white);
    object.add<"was_black">(f.was.black);
    object.add<"planned_games">(f.planned_games);
  }
  void operator()(const PointsGiven& f) const {
    object.add_word<"fact">("points_given");
    object.add<"round">(f.round);
    object.add<"engine">(f.engine);
    object.add<"points">(f.points);
    object.add<"games">(f.games);
    object.add<"why">(f.why);
  }
  void operator()(const SprtStanding& f) const {
    object.add_word<"fact">("sprt");
    object.add<"pairs">(f.pairs);
    object.add_real<"llr">(f.llr);
    object.add_real<"lower">(f.lower);
    object.add_real<"upper">(f.upper);
    object.add<"state">(f.state);
  }
  void operator()(const ChangeAccepted& f) const {
    object.add_word<"fact">("change_accepted");
    object.add<"what">(f.what);
  }
  void operator()(const MatchPaused& f) const {
    object.add_word<"fact">("match_paused");
    add_wall_time<"at">(object, f.at);
    object.add_text<"why">(f.why);
  }
  void operator()(const MatchFinished& f) const {
    object.add_word<"fact">("match_finished");
    add_wall_time<"at">(object, f.at);
    object.add<"complete">(f.complete);
  }
};

}  // namespace

void append_time(std::string& out, WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto ms = static_cast<int>((time - day).count());
  add_digits(out, static_cast<int>(date.year()), 4);
  out += '-';
  add_digits(out, static_cast<int>(static_cast<unsigned>(date.month())), 2);
  out += '-';
  add_digits(out, static_cast<int>(static_cast<unsigned>(date.day())), 2);
  out += 'T';
  add_digits(out, ms / 3'600'000, 2);
  out += ':';
  add_digits(out, ms / 60'000 % 60, 2);
  out += ':';
  add_digits(out, ms / 1000 % 60, 2);
  out += '.';
  add_digits(out, ms % 1000, 3);
  out += 'Z';
}

void append_rulings(std::string& out, const game::Rulings& rulings) {
  out += '[';
  bool first = true;
  for (const game::Ruling& ruling : rulings) {
    if (!first) out += ',';
    first = false;
    JsonObject entry(out);
    std::visit(RulingMembers{entry}, ruling.body);
    entry.add_text<"article">(ruling.article);
    entry.add_text<"decision">(ruling.decision);
    entry.close();
  }
  out += ']';
}

void append_event(std::string& out, const EventJudged& judged) {
  JsonObject object(out);
  add_event(object, judged);
  object.close();
}

void append_json(std::string& out, const Fact& fact) {
  JsonObject object(out);
  std::visit(FactMembers{object}, fact);
  object.close();
}

}  // namespace referee::record
