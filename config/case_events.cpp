#include "config/case_events.hpp"

#include <array>

#include "referee/chess/notation_languages.hpp"

namespace referee::config {

namespace {

constexpr int most_count = 100'000;
constexpr std::size_t most_steps = 10'000;

constexpr std::array<Named<Color>, 2> colors{{{"white", Color::white}, {"black", Color::black}}};
constexpr std::array<Named<game::ClaimRule>, 2> claim_rules{{{"threefold", game::ClaimRule::threefold}, {"fifty", game::ClaimRule::fifty}}};
constexpr std::array<Named<ClaimMode>, 2> claim_modes{{{"on_board", ClaimMode::on_board}, {"intended", ClaimMode::intended}}};

/// The keys of one event or step.
class Keys {
 public:
  Keys(YamlMap& map) : map_(map) {}  // NOLINT(google-explicit-constructor): a view

  [[nodiscard]] Color side(std::string_view key = "side") { return read_color(map_.need(key), file()); }
  [[nodiscard]] std::optional<Color> side_if_any(std::string_view key) {
    const auto* value = map_.find(key);
    return value != nullptr ? std::optional(read_color(*value, file())) : std::nullopt;
  }
  [[nodiscard]] std::string text(std::string_view key) { return as_text(map_.need(key), file()); }
  [[nodiscard]] std::string text_if_any(std::string_view key) {
    const auto* value = map_.find(key);
    return value != nullptr ? as_text(*value, file()) : std::string();
  }
  [[nodiscard]] clock::Duration time(std::string_view key) { return not_negative(map_.need(key)); }
  [[nodiscard]] clock::Duration time_or_none(std::string_view key) {
    const auto* value = map_.find(key);
    return value != nullptr ? not_negative(*value) : clock::Duration{};
  }
  [[nodiscard]] std::optional<clock::Duration> time_if_any(std::string_view key) {
    const auto* value = map_.find(key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    return not_negative(*value);
  }
  /// The key must be there; null is a time that never comes.
  [[nodiscard]] std::optional<clock::Duration> time_or_never(std::string_view key) {
    const YamlValue& value = map_.need(key);
    if (value.is_null()) return std::nullopt;
    return not_negative(value);
  }
  [[nodiscard]] bool flag(std::string_view key, bool absent) {
    const auto* value = map_.find(key);
    return value != nullptr ? as_bool(*value, file()) : absent;
  }
  template <class Enum, class Names>
  [[nodiscard]] Enum choice(std::string_view key, const Names& names) {
    return as_choice<Enum>(map_.need(key), file(), names);
  }
  [[nodiscard]] std::optional<clock::Duration> default_minutes() {
    const auto* value = map_.find("event_default_minutes");
    if (value == nullptr) return std::nullopt;
    return std::chrono::minutes(as_integer(*value, file(), 0, most_count));
  }
  [[nodiscard]] clock::Duration not_negative(const YamlValue& value) const {
    const clock::Duration time = read_milliseconds(value, file());
    if (time < clock::Duration::zero()) fail(file(), value.place, "a negative time", "milliseconds, 0 or more");
    return time;
  }
  [[nodiscard]] YamlMap& map() noexcept { return map_; }
  [[nodiscard]] const std::string& file() const noexcept { return map_.file(); }

 private:
  YamlMap& map_;
};

MoveEvent read_move(Keys keys) {
  MoveEvent move;
  move.side = keys.side();
  move.uci = keys.text("uci");
  move.used = keys.time_or_none("used_ms");
  move.margin = keys.time_or_none("margin_ms");
  move.increment = keys.time_if_any("increment_ms");
  move.offer_draw = keys.flag("offer_draw", false);
  return move;
}

IllegalMoveEvent read_illegal_move(Keys keys) {
  IllegalMoveEvent move;
  move.side = keys.side();
  move.text = keys.text("text");
  move.kind = keys.text_if_any("kind");
  move.used = keys.time_or_none("used_ms");
  move.increment = keys.time_or_none("increment_ms");
  if (const auto* prior = keys.map().find("prior")) move.prior = read_by_color(*prior, keys.file());
  move.claimed_before_reply = keys.flag("claimed_before_reply", true);
  return move;
}

ClaimEvent read_claim(Keys keys) {
  ClaimEvent claim;
  claim.side = keys.side();
  claim.rule = keys.choice<game::ClaimRule>("rule", claim_rules);
  claim.mode = keys.choice<ClaimMode>("mode", claim_modes);
  if (claim.mode == ClaimMode::intended) claim.uci = keys.text("uci");
  return claim;
}

int read_score(const YamlValue& value, const std::string& file) {
  enum class Score { zero, half, one };
  constexpr std::array<Named<Score>, 5> scores{
      {{"0", Score::zero}, {"0.5", Score::half}, {"1", Score::one}, {"0.0", Score::zero}, {"1.0", Score::one}}};
  return 50 * static_cast<int>(as_choice<Score>(value, file, scores));
}

ArbiterEvent read_arbiter(Keys keys) {
  ArbiterEvent order;
  const YamlValue& command = keys.map().need("command");
  const auto kind = game::parse_order_kind(as_text(command, keys.file(), "an order"));
  if (!kind) {
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(game::OrderKind::report_wrong_start); ++i) {
      names.emplace_back(game::name(static_cast<game::OrderKind>(i)));
    }
    refuse_choice(command, keys.file(), names);
  }
  order.command = *kind;
  order.side = keys.side_if_any("side");
  order.time = keys.time_or_none("time_ms");
  if (const auto* score = keys.map().find("white_score")) order.white_score = read_score(*score, keys.file());
  if (const auto* score = keys.map().find("black_score")) order.black_score = read_score(*score, keys.file());
  order.text = keys.text_if_any("text");
  order.reason = keys.text_if_any("reason");
  return order;
}

FlagFallEvent read_flag_fall(Keys keys) { return {keys.side()}; }
ResignEvent read_resignation(Keys keys) { return {keys.side()}; }

SequenceStep read_step(const YamlValue& value, const std::string& file) {
  enum class Do { move, illegal, claim, offer_draw, accept_draw, decline_draw, flag_fall, resign, arbiter };
  constexpr std::array<Named<Do>, 9> kinds{{{"move", Do::move},
                                            {"illegal", Do::illegal},
                                            {"claim", Do::claim},
                                            {"offer_draw", Do::offer_draw},
                                            {"accept_draw", Do::accept_draw},
                                            {"decline_draw", Do::decline_draw},
                                            {"flag_fall", Do::flag_fall},
                                            {"resign", Do::resign},
                                            {"arbiter", Do::arbiter}}};
  YamlMap map(value, file, "the step");
  Keys keys(map);
  SequenceStep step;
  step.place = value.place;
  switch (keys.choice<Do>("do", kinds)) {
    case Do::move:
      step.body = read_move(keys);
      break;
    case Do::illegal:
      step.body = read_illegal_move(keys);
      break;
    case Do::claim:
      step.body = read_claim(keys);
      break;
    case Do::offer_draw:
      step.body = OfferDraw{keys.side()};
      break;
    case Do::accept_draw:
      step.body = AcceptDraw{keys.side()};
      break;
    case Do::decline_draw:
      step.body = DeclineDraw{keys.side()};
      break;
    case Do::flag_fall:
      step.body = read_flag_fall(keys);
      break;
    case Do::resign:
      step.body = read_resignation(keys);
      break;
    case Do::arbiter:
      step.body = read_arbiter(keys);
      break;
  }
  map.refuse_unknown();
  return step;
}

SequenceEvent read_sequence(Keys keys) {
  SequenceEvent sequence;
  sequence.increment = keys.time_if_any("increment_ms");
  const YamlValue& steps = keys.map().need("steps");
  if (!steps.is_sequence()) fail(keys.file(), steps.place, "'steps' is " + shown(steps), "a list of steps");
  if (steps.items.empty()) fail(keys.file(), steps.place, "'steps' is empty", "at least one step");
  if (steps.items.size() > most_steps) fail(keys.file(), steps.place, "too many steps", "at most 10000");
  for (const YamlValue& step : steps.items) sequence.steps.push_back(read_step(step, keys.file()));
  return sequence;
}

ClockRunEvent read_clock_run(Keys keys) {
  ClockRunEvent run;
  const YamlValue& turns = keys.map().need("think_ms");
  if (!turns.is_sequence() || turns.items.empty())
    fail(keys.file(), turns.place, "'think_ms' is " + shown(turns), "a list of [side, milliseconds]");
  for (const YamlValue& turn : turns.items) {
    if (!turn.is_sequence() || turn.items.size() != 2) fail(keys.file(), turn.place, shown(turn), "[side, milliseconds]");
    run.think.emplace_back(read_color(turn.items[0], keys.file()), keys.not_negative(turn.items[1]));
  }
  return run;
}

FlagClaimEvent read_flag_claim(Keys keys) {
  FlagClaimEvent claim;
  claim.claimant = keys.side("claimant");
  claim.white_flag_down = keys.flag("white_flag_down", false);
  claim.black_flag_down = keys.flag("black_flag_down", false);
  return claim;
}

BothFlagsEvent read_both_flags(Keys keys) {
  enum class Period { last, not_last };
  constexpr std::array<Named<Period>, 2> periods{{{"last", Period::last}, {"not_last", Period::not_last}}};
  BothFlagsEvent event;
  event.first_known = keys.flag("first_known", false);
  event.last_period = keys.choice<Period>("period", periods) == Period::last;
  return event;
}

QuickplayClaimEvent read_quickplay_claim(Keys keys) {
  using Answer = QuickplayClaimEvent::Answer;
  using Later = QuickplayClaimEvent::Later;
  constexpr std::array<Named<Answer>, 4> answers{
      {{"none", Answer::none}, {"accept", Answer::accept}, {"reject", Answer::reject}, {"postpone", Answer::postpone}}};
  constexpr std::array<Named<Later::Final>, 2> finals{{{"draw", Later::Final::draw}, {"loss", Later::Final::loss}}};
  QuickplayClaimEvent claim;
  claim.side = keys.side();
  claim.ruling = keys.choice<Answer>("ruling", answers);
  claim.award = keys.flag("award", false);
  if (const auto* value = keys.map().find("later")) {
    if (claim.ruling != Answer::postpone) fail(keys.file(), value->place, "a later decision that was not postponed", "ruling: postpone");
    YamlMap map(*value, keys.file(), "'later'");
    Keys later(map);
    claim.later = Later{};
    claim.later->flag = later.side("flag");
    claim.later->final = later.choice<Later::Final>("final", finals);
    map.refuse_unknown();
  }
  return claim;
}

IncrementRequestEvent read_increment_request(Keys keys) {
  enum class Answer { grant, refuse, none };
  constexpr std::array<Named<Answer>, 4> answers{
      {{"grant", Answer::grant}, {"refuse", Answer::refuse}, {"reject", Answer::refuse}, {"none", Answer::none}}};
  IncrementRequestEvent request;
  request.side = keys.side();
  request.opponent_accepts_draw = keys.flag("opponent_accepts_draw", false);
  if (const Answer answer = keys.choice<Answer>("ruling", answers); answer != Answer::none) request.granted = answer == Answer::grant;
  return request;
}

ResumeEvent read_resumption(Keys keys) {
  ResumeEvent resume;
  resume.sealed_by = keys.side("sealed_by");
  resume.sealed = keys.text_if_any("sealed");
  resume.sealed_text = keys.text_if_any("sealed_text");
  const YamlValue& present = keys.map().need("present");
  if (!resume.sealed.empty() && !resume.sealed_text.empty())
    fail(keys.file(), present.place, "'sealed' and 'sealed_text' together", "one of them");
  if (!present.is_sequence()) fail(keys.file(), present.place, "'present' is " + shown(present), "a list of sides");
  for (const YamlValue& side : present.items) {
    bool& there = read_color(side, keys.file()) == Color::white ? resume.white_present : resume.black_present;
    if (there) fail(keys.file(), side.place, shown(side) + " is given twice", "each side once");
    there = true;
  }
  resume.late = keys.time_or_none("late_ms");
  return resume;
}

ArrivalEvent read_arrival(Keys keys) {
  ArrivalEvent arrival;
  arrival.side = keys.side();
  arrival.late = keys.time("late_ms");
  arrival.event_default = keys.default_minutes();
  return arrival;
}

ArrivalsEvent read_arrivals(Keys keys) {
  ArrivalsEvent arrivals;
  arrivals.white_late = keys.time_or_never("white_late_ms");
  arrivals.black_late = keys.time_or_never("black_late_ms");
  arrivals.event_default = keys.default_minutes();
  return arrivals;
}

IrregularityEvent read_irregularity(Keys keys) {
  using Kind = IrregularityEvent::Kind;
  constexpr std::array<Named<Kind>, 2> kinds{{{"colours_reversed", Kind::colours_reversed}, {"wrong_start", Kind::wrong_start}}};
  IrregularityEvent event;
  event.kind = keys.choice<Kind>("kind", kinds);
  if (const auto* moves = keys.map().find("moves_each"))
    event.moves_each = static_cast<int>(as_integer(*moves, keys.file(), 0, most_count));
  return event;
}

CaseEvent read_body(std::string_view type, const YamlValue& type_value, Keys keys) {
  struct Kind {
    std::string_view type;
    CaseEvent (*read)(Keys);
  };
  static constexpr std::array<Kind, 22> kinds{{
      {"status", [](Keys) -> CaseEvent { return StatusEvent{}; }},
      {"legality", [](Keys k) -> CaseEvent { return LegalityEvent{k.text("uci")}; }},
      {"move", [](Keys k) -> CaseEvent { return read_move(k); }},
      {"illegal_move", [](Keys k) -> CaseEvent { return read_illegal_move(k); }},
      {"claim", [](Keys k) -> CaseEvent { return read_claim(k); }},
      {"flag_fall", [](Keys k) -> CaseEvent { return read_flag_fall(k); }},
      {"flag_claim", [](Keys k) -> CaseEvent { return read_flag_claim(k); }},
      {"both_flags", [](Keys k) -> CaseEvent { return read_both_flags(k); }},
      {"resign", [](Keys k) -> CaseEvent { return read_resignation(k); }},
      {"sequence", [](Keys k) -> CaseEvent { return read_sequence(k); }},
      {"clock_run", [](Keys k) -> CaseEvent { return read_clock_run(k); }},
      {"classify",
       [](Keys k) -> CaseEvent {
         return ClassifyEvent{k.time("base_ms"), k.time_or_none("increment_ms")};
       }},
      {"quickplay_claim", [](Keys k) -> CaseEvent { return read_quickplay_claim(k); }},
      {"quickplay_increment_request", [](Keys k) -> CaseEvent { return read_increment_request(k); }},
      {"resume", [](Keys k) -> CaseEvent { return read_resumption(k); }},
      {"arrival", [](Keys k) -> CaseEvent { return read_arrival(k); }},
      {"arrivals", [](Keys k) -> CaseEvent { return read_arrivals(k); }},
      {"engine_start",
       [](Keys k) -> CaseEvent {
         return EngineStartEvent{k.side(), k.time_or_never("ready_ms")};
       }},
      {"notation",
       [](Keys k) -> CaseEvent {
         NotationEvent notation{k.text("lang"), k.text("text")};
         if (!chess::parse_language(notation.language))
           fail(k.file(), k.map().need("lang").place, "there is no language '" + notation.language + "'", "a code as in en, et or de");
         return notation;
       }},
      {"setup", [](Keys) -> CaseEvent { return SetupEvent{}; }},
      {"arbiter", [](Keys k) -> CaseEvent { return read_arbiter(k); }},
      {"irregularity", [](Keys k) -> CaseEvent { return read_irregularity(k); }},
  }};
  for (const Kind& kind : kinds) {
    if (kind.type == type) return kind.read(keys);
  }
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const Kind& kind : kinds) names.emplace_back(kind.type);
  refuse_choice(type_value, keys.file(), names);
}

}  // namespace

Color read_color(const YamlValue& value, const std::string& file) { return as_choice<Color>(value, file, colors); }

clock::Duration read_milliseconds(const YamlValue& value, const std::string& file) {
  const std::string& text = as_text(value, file, "milliseconds");
  const bool negative = !text.empty() && text.front() == '-';
  const auto read = clock::parse_duration(text.substr(negative ? 1 : 0) + "ms");
  if (const auto* time = std::get_if<clock::Duration>(&read)) return negative ? -*time : *time;
  fail(file, value.place, shown(value), "milliseconds, as in 1500 or 0.5");
}

ClockTimes read_clock_times(const YamlValue& value, const std::string& file) {
  YamlMap map(value, file, "'clocks'");
  ClockTimes times;
  times.white = read_milliseconds(map.need("white_ms"), file);
  times.black = read_milliseconds(map.need("black_ms"), file);
  map.refuse_unknown();
  return times;
}

ByColor read_by_color(const YamlValue& value, const std::string& file) {
  YamlMap map(value, file, "a count by colour");
  ByColor counts;
  counts.white = static_cast<int>(as_integer(map.need("white"), file, 0, most_count));
  counts.black = static_cast<int>(as_integer(map.need("black"), file, 0, most_count));
  map.refuse_unknown();
  return counts;
}

CaseEvent read_case_event(const YamlValue& value, const std::string& file) {
  YamlMap map(value, file, "'event'");
  const YamlValue& type = map.need("type");
  CaseEvent event = read_body(as_text(type, file, "a kind of event"), type, Keys(map));
  map.refuse_unknown();
  return event;
}

}  // namespace referee::config
