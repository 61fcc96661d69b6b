// JSON to facts: the inverse of fact_write.cpp. Unknown keys are passed over, so that an older reader survives a newer writer.
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <limits>

#include "referee/chess/fen.hpp"
#include "referee/record/fact.hpp"
#include "referee/record/json.hpp"
#include "referee/record/names.hpp"
#include "referee/record/turn_text.hpp"

namespace referee::record {

namespace {

namespace json = boost::json;
using chess::Color;
using clock::Duration;

std::string_view view(const json::string& text) { return {text.data(), text.size()}; }

[[noreturn]] void wrong(std::string_view key, std::string_view expected) {
  throw FactError("\"" + std::string(key) + "\": " + std::string(expected) + " expected");
}

std::optional<std::int64_t> parse_scaled(std::string_view text, int digits) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::uint64_t value = 0;
  const auto take = [&](char c) {
    if (c < '0' || c > '9' || value > (std::numeric_limits<std::uint64_t>::max() - 9) / 10) return false;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    return true;
  };
  if (point == 0) return std::nullopt;
  for (std::size_t i = 0; i < point; ++i)
    if (!take(text[i])) return std::nullopt;
  for (int i = 1; i <= digits; ++i) {
    const std::size_t at = point + static_cast<std::size_t>(i);
    if (!take(at < text.size() ? text[at] : '0')) return std::nullopt;
  }
  if (text.size() > point + 1 + static_cast<std::size_t>(digits)) return std::nullopt;
  constexpr std::uint64_t limit = std::uint64_t{1} << 63U;
  if (negative ? value > limit : value >= limit) return std::nullopt;
  return negative ? static_cast<std::int64_t>(~value + 1) : static_cast<std::int64_t>(value);
}

std::int64_t scaled(const json::value& value, std::string_view key, int digits) {
  double unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  if (const auto* text = value.if_string()) {
    if (const auto exact = parse_scaled(view(*text), digits)) return *exact;
  } else if (const auto* integer = value.if_int64()) {
    const auto factor = static_cast<std::int64_t>(unit);
    constexpr auto limit = std::numeric_limits<std::int64_t>::max();
    if (*integer <= limit / factor && *integer >= -(limit / factor)) return *integer * factor;
  } else if (const auto* real = value.if_double()) {
    if (std::abs(*real * unit) < 9e18) return std::llround(*real * unit);
  }
  wrong(key, "a number in range");
}

/// Members of one object, with their types; `find` gives nullptr for what is absent.
class Members {
 public:
  explicit Members(const json::value& value, std::string_view what) {
    const json::object* object = value.if_object();
    if (object == nullptr) wrong(what, "an object");
    object_ = object;
  }

  [[nodiscard]] const json::value* find(std::string_view key) const {
    return object_->if_contains(json::string_view(key.data(), key.size()));
  }
  [[nodiscard]] const json::value& need(std::string_view key) const {
    const json::value* value = find(key);
    if (value == nullptr) throw FactError("\"" + std::string(key) + "\" is missing");
    return *value;
  }
  [[nodiscard]] std::string_view word(std::string_view key) const {
    const json::string* text = need(key).if_string();
    if (text == nullptr) wrong(key, "text");
    return view(*text);
  }
  [[nodiscard]] std::string text(std::string_view key) const {
    const json::value* value = find(key);
    if (value == nullptr) return {};
    const json::string* text = value->if_string();
    if (text == nullptr) wrong(key, "text");
    return restore_bytes(view(*text));
  }
  [[nodiscard]] bool flag(std::string_view key, bool absent = false) const {
    const json::value* value = find(key);
    if (value == nullptr) return absent;
    const bool* flag = value->if_bool();
    if (flag == nullptr) wrong(key, "true or false");
    return *flag;
  }
  template <class Integer>
  [[nodiscard]] std::optional<Integer> maybe(std::string_view key) const {
    const json::value* value = find(key);
    if (value == nullptr) return std::nullopt;
    json::error_code error;
    const auto number = value->to_number<Integer>(error);
    if (error) wrong(key, "a whole number");
    return number;
  }
  template <class Integer = int>
  [[nodiscard]] Integer integer(std::string_view key, Integer absent = 0) const {
    return maybe<Integer>(key).value_or(absent);
  }
  [[nodiscard]] std::optional<Duration> maybe_ms(std::string_view key) const {
    const json::value* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_null()) return Duration::max();
    return Duration(scaled(*value, key, 6));
  }
  [[nodiscard]] Duration ms(std::string_view key) const { return maybe_ms(key).value_or(Duration{}); }
  [[nodiscard]] int score(std::string_view key) const {
    const json::value* value = find(key);
    return value == nullptr ? 0 : static_cast<int>(scaled(*value, key, 2));
  }
  [[nodiscard]] double real(std::string_view key) const {
    const json::value& value = need(key);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) wrong(key, "a number");
    return value.to_number<double>();
  }
  [[nodiscard]] WallTime wall_time(std::string_view key) const { return parse_time(word(key)); }
  template <class Table>
  [[nodiscard]] auto one_of(const Table& table, std::string_view key) const {
    const auto value = names::value(table, word(key));
    if (!value) wrong(key, "a known word");
    return *value;
  }
  [[nodiscard]] Color side(std::string_view key = "side") const { return one_of(names::color, key); }
  [[nodiscard]] std::optional<Color> maybe_side(std::string_view key = "side") const {
    return find(key) == nullptr ? std::nullopt : std::optional(side(key));
  }
  [[nodiscard]] game::MoveNotation notation() const {
    return find("notation") == nullptr ? game::MoveNotation::uci : one_of(names::notation, "notation");
  }
  [[nodiscard]] const json::array* maybe_array(std::string_view key) const {
    const json::value* value = find(key);
    if (value == nullptr) return nullptr;
    const json::array* array = value->if_array();
    if (array == nullptr) wrong(key, "an array");
    return array;
  }

 private:
  const json::object* object_;
};

chess::Move parse_move(std::string_view text) {
  const auto from = chess::parse_square(text.substr(0, 2));
  const auto to = text.size() >= 4 ? chess::parse_square(text.substr(2, 2)) : std::nullopt;
  if (from && to && text.size() == 4) return chess::Move::plain(*from, *to);
  if (from && to && text.size() == 5) {
    switch (text[4]) {
      case 'c':
        return chess::Move::castling(*from, *to);
      case 'e':
        return chess::Move::en_passant(*from, *to);
      case 'n':
        return chess::Move::promotion(*from, *to, chess::Role::knight);
      case 'b':
        return chess::Move::promotion(*from, *to, chess::Role::bishop);
      case 'r':
        return chess::Move::promotion(*from, *to, chess::Role::rook);
      case 'q':
        return chess::Move::promotion(*from, *to, chess::Role::queen);
      default:
        break;
    }
  }
  wrong("move", "coordinates of a move");
}

clock::TimeControl parse_control(const json::value& value, std::string_view key) {
  const Members m(value, key);
  clock::TimeControl control;
  control.mode = m.one_of(names::mode, "mode");
  if (const json::array* periods = m.maybe_array("periods")) {
    for (const json::value& entry : *periods) {
      const Members p(entry, "periods");
      control.periods.push_back({p.integer("moves"), p.ms("base_ms"), p.ms("increment_ms"), p.ms("delay_ms")});
    }
  }
  return control;
}

game::Adjudication parse_adjudication(const json::value& value) {
  const Members m(value, "adjudication");
  game::Adjudication adjudication;
  if (const json::value* entry = m.find("draw")) {
    const Members rule(*entry, "draw");
    adjudication.draw = game::Adjudication::DrawRule{rule.integer("move_number"), rule.integer("move_count"), rule.integer("score"),
                                                     rule.flag("reset_on_zeroing")};
  }
  if (const json::value* entry = m.find("resign")) {
    const Members rule(*entry, "resign");
    adjudication.resign = game::Adjudication::ResignRule{rule.integer("move_count"), rule.integer("score"), rule.flag("two_sided")};
  }
  adjudication.max_moves = m.maybe<int>("max_moves");
  adjudication.trusted_mates = m.flag("trusted_mates");
  return adjudication;
}

game::GameSetup parse_setup(const json::value& value) {
  const Members m(value, "setup");
  game::GameSetup setup;
  const auto fen = chess::parse_fen(m.word("fen"));
  if (!fen) throw FactError("\"fen\": " + fen.error().message);
  setup.start = fen.position();
  setup.chess960 = m.flag("chess960");
  if (const json::array* moves = m.maybe_array("opening_moves")) {
    for (const json::value& move : *moves) {
      if (!move.is_string()) wrong("opening_moves", "texts");
      setup.opening_moves.push_back(restore_bytes(view(move.get_string())));
    }
  }
  setup.time_control[0] = parse_control(m.need("time_control"), "time_control");
  const json::value* black = m.find("black_time_control");
  setup.time_control[1] = black == nullptr ? setup.time_control[0] : parse_control(*black, "black_time_control");
  setup.margin = {m.ms("white_margin_ms"), m.ms("black_margin_ms")};
  setup.initial_clock = {m.maybe_ms("white_initial_clock_ms"), m.maybe_ms("black_initial_clock_ms")};
  setup.illegal_moves = {m.integer("white_illegal_moves"), m.integer("black_illegal_moves")};
  if (m.find("category") != nullptr) setup.category = m.one_of(names::category, "category");
  if (m.find("supervision") != nullptr) setup.supervision = m.one_of(names::supervision, "supervision");
  setup.event_default_time = m.maybe_ms("event_default_time_ms");
  setup.guidelines_iii = m.flag("guidelines_iii");
  setup.agreement_forbidden = m.flag("agreement_forbidden");
  setup.agreement_min_moves = m.integer<int>("agreement_min_moves", 0);
  if (const json::value* adjudication = m.find("adjudication")) setup.adjudication = parse_adjudication(*adjudication);
  setup.verdict_nodes = m.integer<std::uint64_t>("verdict_nodes", setup.verdict_nodes);
  return setup;
}

game::EventBody parse_body(const Members& m) {
  const std::string_view event = m.word("event");
  if (event == "turn_started") return game::TurnStarted{m.side()};
  if (event == "move_received") return game::MoveReceived{m.side(), m.text("text"), m.notation(), m.flag("two_hands")};
  if (event == "time_expired") return game::TimeExpired{m.side()};
  if (event == "draw_offered") return game::DrawOffered{m.side()};
  if (event == "draw_accepted") return game::DrawAccepted{m.side()};
  if (event == "draw_declined") return game::DrawDeclined{m.side()};
  if (event == "draw_claimed") return game::DrawClaimed{m.side(), m.one_of(names::claim, "rule"), m.text("intended_move"), m.notation()};
  if (event == "flag_claimed") return game::FlagClaimed{m.side("claimant"), m.flag("white_flag_down"), m.flag("black_flag_down")};
  if (event == "both_flags_down") return game::BothFlagsDown{m.flag("first_known")};
  if (event == "quickplay_claimed") return game::QuickplayClaimed{m.side()};
  if (event == "increment_requested") return game::IncrementRequested{m.side()};
  if (event == "resigned") return game::Resigned{m.side()};
  if (event == "result_claimed") return game::ResultClaimed{m.side(), m.score("white_score"), m.score("black_score"), m.text("text")};
  if (event == "illegal_move_claimed") return game::IllegalMoveClaimed{m.side(), m.text("text")};
  if (event == "player_arrived") return game::PlayerArrived{m.side(), m.ms("late_ms")};
  if (event == "player_ready") return game::PlayerReady{m.side()};
  if (event == "player_late") return game::PlayerLate{m.side(), m.ms("late_ms"), m.flag("both")};
  if (event == "engine_failed") return game::EngineFailed{m.side(), m.one_of(names::failure, "kind"), m.text("detail")};
  if (event == "evaluation_reported") return game::EvaluationReported{m.side(), m.maybe<int>("centipawns"), m.maybe<int>("mate")};
  if (event == "tablebase_reported") return game::TablebaseReported{m.score("white_score"), m.score("black_score")};
  if (event == "winnability_verdict")
    return game::WinnabilityVerdict{m.integer("ply"), m.side(), m.one_of(names::verdict, "verdict"), m.integer<std::uint64_t>("nodes")};
  if (event == "arbiter_order") {
    const auto kind = game::parse_order_kind(m.word("order"));
    if (!kind) wrong("order", "a known order");
    game::ArbiterOrder order{*kind, m.maybe_side(), m.ms("time_ms"), m.score("white_score"), m.score("black_score"), {}, false, {}, {}};
    order.text = m.text("text");
    order.flag = m.flag("flag");
    order.who = m.text("who");
    order.why = m.text("why");
    return order;
  }
  if (event == "aborted") return game::Aborted{m.text("why")};
  wrong("event", "a known event");
}

game::Outcome parse_outcome(const json::value& value) {
  const Members m(value, "outcome");
  game::Outcome outcome;
  outcome.score = {m.score("white_score"), m.score("black_score")};
  const std::string_view code = m.word("reason");
  outcome.reason = game::parse_reason(code);
  if (outcome.reason == game::Reason::none && code != game::code(game::Reason::none)) wrong("reason", "a known reason code");
  outcome.article = m.text("article");
  outcome.detail = m.text("detail");
  outcome.undecided = m.flag("undecided");
  outcome.annulled = m.flag("annulled");
  return outcome;
}

game::RulingBody parse_ruling_body(const Members& m) {
  const std::string_view ruling = m.word("ruling");
  if (ruling == "move_accepted") {
    std::string uci = m.text("uci");
    const chess::Move move = parse_move(m.find("move") == nullptr ? std::string_view(uci) : m.word("move"));
    return game::MoveAccepted{m.side(), move, std::move(uci), m.text("san"), m.ms("used_ms"), m.ms("remaining_ms"), m.text("note")};
  }
  if (ruling == "move_rejected") {
    game::MoveRejected rejected{m.side(), m.text("text"), m.one_of(names::illegal, "kind"), m.integer("count"), {}, false, {}};
    rejected.opponent_bonus = m.ms("opponent_bonus_ms");
    rejected.queen_placed = m.flag("queen_placed");
    if (const json::array* moves = m.maybe_array("replacements")) {
      for (const json::value& move : *moves) {
        if (!move.is_string()) wrong("replacements", "texts");
        rejected.replacements.push_back(parse_move(view(move.get_string())));
      }
    }
    return rejected;
  }
  if (ruling == "clocks_changed") return game::ClocksChanged{m.ms("white_ms"), m.ms("black_ms"), m.maybe_side("running")};
  if (ruling == "claim_upheld") return game::ClaimUpheld{m.side()};
  if (ruling == "claim_rejected")
    return game::ClaimRejected{m.side(), m.ms("opponent_bonus_ms"), m.ms("claimant_deduction_ms"), m.text("must_play")};
  if (ruling == "claim_inadmissible") return game::ClaimInadmissible{m.side(), m.flag("counts_as_offer")};
  if (ruling == "offer_pending") return game::OfferPending{m.side()};
  if (ruling == "offer_lapsed") return game::OfferLapsed{m.side()};
  if (ruling == "offer_refused") return game::OfferRefused{m.side()};
  if (ruling == "warned") return game::Warned{m.maybe_side(), m.text("text")};
  if (ruling == "awaiting_arbiter") return game::AwaitingArbiter{m.side("claimant"), m.text("question")};
  if (ruling == "adjourned") return game::Adjourned{m.side("sealer")};
  if (ruling == "resumed") return game::Resumed{};
  if (ruling == "paused") return game::Paused{};
  if (ruling == "ignored") return game::Ignored{m.text("why")};
  if (ruling == "order_refused") return game::OrderRefused{m.text("why")};
  if (ruling == "game_over") return game::GameOver{parse_outcome(m.need("outcome"))};
  wrong("ruling", "a known ruling");
}

SearchReport parse_search(const json::value& value) {
  const Members m(value, "search");
  SearchReport search;
  search.depth = m.maybe<int>("depth");
  search.selective_depth = m.maybe<int>("selective_depth");
  search.centipawns = m.maybe<int>("centipawns");
  search.mate = m.maybe<int>("mate");
  search.nodes = m.maybe<std::uint64_t>("nodes");
  search.nodes_per_second = m.maybe<std::uint64_t>("nodes_per_second");
  search.tablebase_hits = m.maybe<std::uint64_t>("tablebase_hits");
  search.time = m.maybe_ms("time_ms");
  search.pv = m.text("pv");
  return search;
}

EventJudged parse_event(const Members& m, int game) {
  EventJudged judged;
  judged.game = game;
  judged.event.at = m.ms("at_ms");
  judged.event.body = parse_body(m);
  if (const json::array* rulings = m.maybe_array("rulings")) {
    for (const json::value& entry : *rulings) {
      const Members r(entry, "rulings");
      judged.rulings.push_back({parse_ruling_body(r), r.text("article"), r.text("decision")});
    }
  }
  if (const json::value* search = m.find("search")) judged.search = parse_search(*search);
  judged.referee_lag = m.maybe_ms("referee_lag_ms");
  judged.book = m.flag("book");
  return judged;
}

GameStarted parse_start(const Members& m) {
  GameStarted started;
  started.game = m.integer("game");
  started.attempt = m.integer("attempt", 1);
  started.at = m.wall_time("at");
  started.white = m.text("white");
  started.black = m.text("black");
  started.round = m.integer("round", 1);
  started.pair = m.integer("pair", 1);
  started.opening = m.text("opening");
  started.event = m.text("event");
  started.site = m.text("site");
  started.date = m.text("date");
  started.edition = m.text("edition");
  started.setup = parse_setup(m.need("setup"));
  return started;
}

Fact parse_members(const Members& m) {
  const std::string_view fact = m.word("fact");
  if (fact == "event") return parse_event(m, m.integer("game"));
  if (fact == "match_started") return MatchStarted{m.wall_time("at"), m.text("plan_digest"), m.flag("resumed")};
  if (fact == "game_started") return parse_start(m);
  if (fact == "warning")
    return EngineWarning{m.integer("game"), m.integer("ply"), m.text("engine"), m.text("kind"), m.text("text"), m.text("line")};
  if (fact == "fault") {
    const std::string_view code = m.word("reason");
    return EngineFault{m.integer("game"), m.text("engine"), game::parse_reason(code), m.text("detail"), m.text("log")};
  }
  if (fact == "game_ended")
    return GameEnded{m.integer("game"),  m.wall_time("at"),   parse_outcome(m.need("outcome")),
                     m.integer("plies"), m.ms("duration_ms"), m.flag("counted", true)};
  if (fact == "game_voided") return GameVoided{m.integer("game"), m.text("why")};
  if (fact == "engine_withdrawn") return EngineWithdrawn{m.text("engine"), m.text("why"), m.integer("planned_games")};
  if (fact == "engine_replaced") return EngineReplaced{m.text("engine"), m.text("by")};
  if (fact == "plan_extended") return PlanExtended{m.integer("planned_games"), m.integer("expected_games")};
  if (fact == "result_changed")
    return ResultChanged{m.integer("game"), {m.integer("was_white"), m.integer("was_black")}, m.integer("planned_games")};
  if (fact == "points_given")
    return PointsGiven{m.integer("round"), m.text("engine"), m.integer("points"), m.integer("games"), m.text("why")};
  if (fact == "sprt") return SprtStanding{m.integer("pairs"), m.real("llr"), m.real("lower"), m.real("upper"), m.text("state")};
  if (fact == "change_accepted") return ChangeAccepted{m.text("what")};
  if (fact == "match_paused") return MatchPaused{m.wall_time("at"), m.text("why")};
  if (fact == "match_finished") return MatchFinished{m.wall_time("at"), m.flag("complete", true)};
  wrong("fact", "a known fact");
}

json::value parse_value(std::string_view text, json::storage_ptr storage) {
  json::error_code error;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error, std::move(storage));
  if (error) throw FactError("not JSON: " + error.message());
  return value;
}

}  // namespace

Fact parse_fact(std::string_view text) {
  json::monotonic_resource memory;
  const json::value value = parse_value(text, &memory);
  return parse_members(Members(value, "fact"));
}

namespace {

/// An array of events as journals hold it, one a line. False if it is none, or a line needs the whole to be understood.
bool read_lines(std::string_view text, int game, std::vector<EventJudged>& events) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  text.remove_prefix(1);
  text.remove_suffix(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text.empty()) {
      if (!line.ends_with(',')) return false;
      line.remove_suffix(1);
    }
    EventJudged& judged = events.emplace_back();
    judged.game = game;
    if (read_turn(line, judged)) continue;
    json::monotonic_resource memory;
    json::error_code error;
    const json::value value = json::parse(json::string_view(line.data(), line.size()), error, &memory);
    if (error || !value.is_object()) return false;
    judged = parse_event(Members(value, "event"), game);
  }
  return true;
}

}  // namespace

std::vector<EventJudged> parse_events(std::string_view text, int game) {
  std::vector<EventJudged> lines;
  lines.reserve(text.size() / 40);  // less than two turns take
  if (read_lines(text, game, lines)) return lines;
  json::monotonic_resource memory;
  const json::value value = parse_value(text, &memory);
  const json::array* array = value.if_array();
  if (array == nullptr) wrong("events", "an array");
  std::vector<EventJudged> events;
  events.reserve(array->size());
  for (const json::value& entry : *array) {
    EventJudged& judged = events.emplace_back();
    judged.game = game;
    if (entry.is_array() && read_turn(json::serialize(entry), judged)) continue;
    judged = parse_event(Members(entry, "event"), game);
  }
  return events;
}

WallTime parse_time(std::string_view text) {
  // 2026-11-30T04:30:20.123Z
  constexpr std::string_view pattern = "0000-00-00T00:00:00.000Z";
  bool fits = text.size() == pattern.size();
  for (std::size_t i = 0; fits && i < text.size(); ++i) fits = pattern[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == pattern[i];
  if (!fits) throw FactError("\"" + std::string(text.substr(0, 40)) + "\": a time like 2026-11-30T04:30:20.123Z expected");
  const auto number = [&](std::size_t at, std::size_t length) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + length, value);
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year{number(0, 4)}, std::chrono::month{static_cast<unsigned>(number(5, 2))},
                                         std::chrono::day{static_cast<unsigned>(number(8, 2))}};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59)
    throw FactError("\"" + std::string(text) + "\": no such instant");
  return std::chrono::sys_days(date) + std::chrono::hours(number(11, 2)) + std::chrono::minutes(number(14, 2)) +
         std::chrono::seconds(number(17, 2)) + std::chrono::milliseconds(number(20, 3));
}

}  // namespace referee::record
