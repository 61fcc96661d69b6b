#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "config/rule_case_facts.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation_languages.hpp"
#include "referee/game/explain.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/winnability.hpp"

namespace referee::config {

using chess::opposite;
using clock::Duration;
using game::EventBody;
using game::Game;

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

constexpr Duration plenty = std::chrono::hours(2);

/// The position in which the event happens.
chess::Position position_of(const RuleCase& rule_case) {
  const chess::FenResult start = start_of(rule_case);
  if (!start) throw std::runtime_error("start_fen: " + start.error().message);
  chess::Position position = start.position();
  for (const std::string& text : rule_case.moves) {
    const chess::MoveText read = chess::read_uci(position, text, castling_of(rule_case));
    const auto* found = std::get_if<chess::ReadMove>(&read);
    if (found == nullptr) throw std::runtime_error("moves: " + text + ": " + std::get<chess::MoveTextError>(read).message);
    position.play(found->move);
  }
  return position;
}

/// What is left of a time control after so many moves, none of them in time trouble: the period under way and those that follow.
clock::TimeControl after_moves(clock::TimeControl control, std::size_t moves) {
  while (!control.periods.empty() && moves > 0) {
    clock::Period& current = control.periods.front();
    const auto length = static_cast<std::size_t>(current.moves);
    if (length == 0) break;
    const bool repeats = control.periods.size() == 1;
    if (moves >= length) {
      if (repeats)
        moves %= length;
      else {
        moves -= length;
        control.periods.erase(control.periods.begin());
      }
      continue;
    }
    if (repeats) control.periods.push_back(current);
    control.periods.front().moves = static_cast<int>(length - moves);
    break;
  }
  return control;
}

/// The display after so many moves that took no time: the bases of all periods reached.
Duration untouched(const clock::TimeControl& control, const clock::ClockRules& rules, std::size_t moves) {
  clock::PlayerClock display(control, rules);
  for (std::size_t i = 0; i < moves; ++i) display.complete_move(control.mode == clock::Mode::increment ? display.increment() : Duration{});
  return display.remaining();
}

class CasePlayer {
 public:
  CasePlayer(const RuleCase& rule_case, std::shared_ptr<const laws::Edition> edition)
      : case_(rule_case), edition_(std::move(edition)), rules_(edition_), setup_(setup_of(rule_case)) {}

  CaseFacts play() {
    if (std::holds_alternative<SetupEvent>(case_.event)) return judge_setup();
    const chess::Position position = position_of(case_);
    facts_.start = game::diagram(position);
    facts_.start_fen = chess::to_fen(position);
    std::visit([&](const auto& event) { (*this)(event, position); }, case_.event);
    return std::move(facts_);
  }

 private:
  using Position = chess::Position;

  static game::GameSetup setup_of(const RuleCase& rule_case) {
    game::GameSetup setup;
    if (const auto start = start_of(rule_case)) setup.start = start.position();
    setup.chess960 = rule_case.chess960;
    setup.opening_moves = rule_case.moves;
    setup.category = rule_case.category;
    if (!rule_case.category && !rule_case.time_control) setup.category = laws::Category::standard;
    setup.supervision = rule_case.supervision.value_or(laws::Supervision::adequate);
    // A case is about what the rule says; whether an event had announced the guidelines is taken for granted.
    setup.guidelines_iii = true;
    if (rule_case.time_control) {
      for (const Color side : {Color::white, Color::black}) {
        setup.time_control[chess::index(side)] = after_moves(*rule_case.time_control, moves_of(rule_case, side));
      }
    }
    if (rule_case.clocks) setup.initial_clock = {rule_case.clocks->white, rule_case.clocks->black};
    return setup;
  }

  /// Moves that a side has completed before the event.
  static std::size_t moves_of(const RuleCase& rule_case, Color side) {
    const auto start = start_of(rule_case);
    const bool first = !start || start.position().side_to_move() == side;
    return (rule_case.moves.size() + (first ? 1 : 0)) / 2;
  }

  // Words to play with ---------------------------------------------------------------------------------------------------

  /// A single period for all moves where the case gives no time control.
  void set_increment(Duration increment) {
    if (case_.time_control) return;
    for (std::size_t side = 0; side < 2; ++side) {
      const Duration base = setup_.initial_clock[side].value_or(plenty);
      setup_.time_control[side] = {clock::Mode::increment, {{0, std::max(base, Duration(1)), increment, {}}}};
      setup_.initial_clock[side] = base;
    }
  }
  template <class Change>
  void change_edition(Change change) {
    laws::Edition copy = *edition_;
    change(copy);
    rules_ = std::make_shared<const laws::Edition>(std::move(copy));
  }
  void sit_down() {
    if (setup_.time_control[0].periods.empty()) set_increment({});
    if (case_.initial_increment) change_edition([&](laws::Edition& e) { e.clock.initial_increment = *case_.initial_increment; });
    if (case_.time_control) {
      // The whole of it says what it is, not what is left.
      if (!setup_.category) setup_.category = laws::categorize(*rules_, *case_.time_control);
      for (const Color side : {Color::white, Color::black}) {
        auto& display = setup_.initial_clock[chess::index(side)];
        if (!display) display = untouched(*case_.time_control, rules_->clock, moves_of(case_, side));
      }
    }
    game_ = std::make_unique<Game>(setup_, rules_);
    if (game_->outcome()) facts_.steps.push_back({"the set-up position and the moves are judged", {words_of(*game_->outcome())}});
    look_deeper();
  }
  /// What a match finds out in the background: a position that is dead for reasons too deep for the path of an answer.
  void look_deeper() {
    if (game_->outcome() || rules_->dead_position != laws::DeadPositionTest::fide) return;
    std::array<game::WinnabilityVerdict, 2> verdicts;
    for (const Color side : {Color::white, Color::black}) {
      const laws::Winnability found = laws::can_mate(game_->position(), side, laws::WinnabilityBudget::verdict());
      if (found.verdict != laws::CanMate::no) return;
      verdicts[chess::index(side)] = {static_cast<int>(game_->moves().size()), side, game::Verdict::cannot_mate, found.nodes};
    }
    game::Rulings before = last_;
    for (const auto& verdict : verdicts) apply(verdict);
    stand_behind(std::move(before));
  }
  /// The last rulings come after those of the same act that were there before them.
  void stand_behind(game::Rulings before) {
    for (game::Ruling& ruling : last_) before.push_back(std::move(ruling));
    last_ = std::move(before);
  }
  static std::string words_of(const game::Outcome& outcome) {
    return game::describe(game::Ruling{game::GameOver{outcome}, outcome.article, {}});
  }
  void apply(EventBody body) {
    CaseStep step{"at " + game::describe_time(at_) + ": " + game::describe(body), {}};
    last_ = game_->apply({at_, std::move(body)});
    for (const game::Ruling& ruling : last_) step.rulings.push_back(game::describe(ruling));
    facts_.steps.push_back(std::move(step));
    for (const game::Ruling& ruling : last_) note(ruling);
  }
  void note(const game::Ruling& ruling) {
    if (const auto* rejected = std::get_if<game::MoveRejected>(&ruling.body)) {
      facts_.offender = rejected->side;
      facts_.replacements.emplace();
      for (const chess::Move move : rejected->replacements) {
        facts_.replacements->push_back(chess::to_uci(game_->position(), move, castling_of(case_)));
        facts_.touched = chess::to_string(move.from());
      }
      if (rejected->replacements.empty() && chess::parse_square(std::string_view(rejected->text).substr(0, 2))) {
        facts_.touched = rejected->text.substr(0, 2);
      }
    }
    if (const auto* wrong = std::get_if<game::ClaimRejected>(&ruling.body)) {
      facts_.must_play = wrong->must_play;
      facts_.counts_as_draw_offer = game_->edition().claim_is_offer;
    }
    if (const auto* none = std::get_if<game::ClaimInadmissible>(&ruling.body)) facts_.counts_as_draw_offer = none->counts_as_offer;
  }
  void start_turn() {
    if (!game_->outcome() && game_->phase() == game::Phase::playing && !game_->running()) {
      apply(game::TurnStarted{game_->position().side_to_move()});
    }
  }
  void order(game::OrderKind kind, std::optional<Color> side = {}, Duration time = {}, std::string text = {}, bool flag = false) {
    apply(game::ArbiterOrder{kind, side, time, 0, 0, std::move(text), flag, "arbiter", {}});
  }
  void collect() {
    const auto& outcome = game_->outcome();
    facts_.outcome = outcome ? (outcome->annulled ? CaseOutcome::annulled : CaseOutcome::game_over) : CaseOutcome::play_on;
    if (outcome) {
      facts_.result = game::result_text(*outcome);
      facts_.reason = outcome->reason;
      facts_.article = outcome->article;
    }
    for (const game::Ruling& ruling : last_) {
      if (!ruling.decision.empty()) facts_.decisions.push_back(ruling.decision);
      if (facts_.article.empty()) facts_.article = ruling.article;
    }
    if (!outcome) facts_.decisions.emplace_back("game_continues");
    facts_.clocks = ClockTimes{game_->clocks()[Color::white].remaining(), game_->clocks()[Color::black].remaining()};
    facts_.fen = chess::to_fen(game_->position());
    facts_.draw_offer = game_->draw_offer();
    facts_.occurrences = game_->occurrences();
    facts_.to_move = game_->position().side_to_move();
    facts_.running = game_->running();
    facts_.illegal_counts = {game_->illegal_moves(Color::white), game_->illegal_moves(Color::black)};
    facts_.increment = game_->clocks()[Color::white].increment();
    facts_.end = facts_.fen == facts_.start_fen ? "" : game::diagram(game_->position());
  }
  void one_event(EventBody body) {
    sit_down();
    start_turn();
    apply(std::move(body));
    collect();
  }

  // Kinds that look at a position or at the edition alone ------------------------------------------------------------------

  CaseFacts judge_setup() {
    const chess::FenResult start = start_of(case_);
    facts_.start_fen = case_.start_fen.value_or("startpos");
    facts_.outcome = start ? CaseOutcome::play_on : CaseOutcome::refused;
    if (start) {
      facts_.start = game::diagram(start.position());
    } else {
      facts_.steps.push_back(
          {"the position is set up", {"refused: " + std::string(chess::name(start.error().field)) + ": " + start.error().message}});
    }
    return std::move(facts_);
  }
  void operator()(const SetupEvent&, const Position&) {}

  void operator()(const LegalityEvent& event, const Position& position) {
    const chess::MoveText read = chess::read_uci(position, event.uci, castling_of(case_));
    const auto* found = std::get_if<chess::ReadMove>(&read);
    facts_.legal = found != nullptr;
    facts_.steps.push_back({"is " + event.uci + " legal?", {found != nullptr ? "legal" : std::get<chess::MoveTextError>(read).message}});
    if (found == nullptr) return;
    const Position after = position.after(found->move);
    facts_.fen = chess::to_fen(after);
    facts_.end = game::diagram(after);
  }

  void operator()(const ClockRunEvent& event, const Position&) {
    clock::ClockRules rules = edition_->clock;
    rules.initial_increment = case_.initial_increment.value_or(false);
    clock::Clocks clocks{{clock::PlayerClock(*case_.time_control, rules), clock::PlayerClock(*case_.time_control, rules)}};
    for (const auto& [side, used] : event.think) {
      CaseStep step{std::string(chess::name(side)) + " thinks " + game::describe_time(used), {}};
      if (clocks[side].flag_falls(used)) {
        facts_.remaining_after_each.emplace_back(std::nullopt);
        step.rulings.emplace_back("the flag falls");
        facts_.steps.push_back(std::move(step));
        return;
      }
      clocks[side].complete_move(used);
      if (case_.time_control->mode == clock::Mode::hourglass) clocks[opposite(side)].gain(used);
      facts_.remaining_after_each.emplace_back(clocks[side].remaining());
      step.rulings.push_back(game::describe_time(clocks[side].remaining()) + " left");
      facts_.steps.push_back(std::move(step));
    }
  }

  void operator()(const ClassifyEvent& event, const Position&) {
    const clock::TimeControl control{clock::Mode::increment, {{0, event.base, event.increment, {}}}};
    facts_.category = laws::categorize(*edition_, control);
    facts_.article = laws::article(*edition_, *facts_.category == laws::Category::blitz ? "category_blitz" : "category_rapid");
    facts_.steps.push_back({"category of " + clock::to_text(control), {std::string(clock::name(*facts_.category))}});
  }

  void operator()(const NotationEvent& event, const Position& position) {
    const auto language = chess::parse_language(event.language);
    if (!language) throw std::runtime_error("there is no language '" + event.language + "'");
    const chess::MoveText read = chess::read_san(position, event.text, *language);
    if (const auto* found = std::get_if<chess::ReadMove>(&read)) {
      facts_.uci = chess::to_uci(position, found->move, castling_of(case_));
      facts_.san = chess::to_san(position, found->move);
      facts_.steps.push_back({"\"" + event.text + "\" is read", {facts_.uci + ", " + facts_.san}});
      return;
    }
    const auto& error = std::get<chess::MoveTextError>(read);
    switch (error.fault) {
      case chess::MoveTextFault::malformed:
        facts_.error = "malformed";
        break;
      case chess::MoveTextFault::illegal:
        facts_.error = "illegal";
        break;
      case chess::MoveTextFault::ambiguous:
        facts_.error = "ambiguous";
        break;
      case chess::MoveTextFault::promotion_missing:
        facts_.error = "promotion_missing";
        break;
    }
    facts_.steps.push_back({"\"" + event.text + "\" is read", {error.message}});
  }

  // Kinds that are played ----------------------------------------------------------------------------------------------------

  void operator()(const StatusEvent&, const Position&) {
    sit_down();
    collect();
  }

  void operator()(const MoveEvent& event, const Position&) {
    set_increment(event.increment.value_or(Duration::zero()));
    setup_.margin = {event.margin, event.margin};
    sit_down();
    play_move(event);
    collect();
  }
  void play_move(const MoveEvent& event) {
    start_turn();
    at_ += event.used;
    apply(game::MoveReceived{event.side, event.uci});
    look_deeper();
    if (!event.offer_draw || game_->outcome()) return;
    game::Rulings ruled = last_;
    apply(game::DrawOffered{event.side});
    stand_behind(std::move(ruled));
  }

  void operator()(const IllegalMoveEvent& event, const Position&) {
    set_increment(event.increment);
    setup_.illegal_moves = {event.prior.white, event.prior.black};
    if (!event.claimed_before_reply) change_edition([](laws::Edition& e) { e.auto_claim = false; });
    sit_down();
    play_illegal(event);
    collect();
  }
  void play_illegal(const IllegalMoveEvent& event) {
    start_turn();
    at_ += event.used;
    apply(game::MoveReceived{event.side, event.text, game::MoveNotation::uci, event.kind == "two_hands"});
  }

  void operator()(const ClaimEvent& event, const Position&) { one_event(claim(event)); }
  static game::DrawClaimed claim(const ClaimEvent& event) {
    return {event.side, event.rule, event.mode == ClaimMode::intended ? event.uci : std::string()};
  }

  void operator()(const FlagFallEvent& event, const Position&) {
    sit_down();
    let_flag_fall(event.side);
    collect();
  }
  void let_flag_fall(Color side) {
    start_turn();
    if (game_->running() == side) at_ = game_->flag_at().value_or(at_);
    apply(game::TimeExpired{side});
  }

  void operator()(const FlagClaimEvent& event, const Position&) {
    one_event(game::FlagClaimed{event.claimant, event.white_flag_down, event.black_flag_down});
  }

  void operator()(const BothFlagsEvent& event, const Position&) {
    if (!event.last_period && !case_.time_control) {
      const clock::TimeControl two_periods{clock::Mode::increment, {{40, plenty, {}, {}}, {0, plenty, {}, {}}}};
      setup_.time_control = {two_periods, two_periods};
    }
    sit_down();
    start_turn();
    if (event.first_known) at_ = game_->flag_at().value_or(at_);
    apply(game::BothFlagsDown{event.first_known});
    collect();
  }

  void operator()(const ResignEvent& event, const Position&) { one_event(game::Resigned{event.side}); }

  void operator()(const ArbiterEvent& event, const Position&) { one_event(order_of(event)); }
  static game::ArbiterOrder order_of(const ArbiterEvent& event) {
    game::ArbiterOrder order{event.command, event.side, event.time, event.white_score, event.black_score,
                             event.text,    false,      "arbiter",  event.reason};
    // Scores beside a declaration are the arbiter's own (12.8).
    order.flag = event.white_score != 0 || event.black_score != 0;
    if (order.why.empty()) order.why = "the case says so";
    return order;
  }

  void operator()(const SequenceEvent& event, const Position&) {
    set_increment(event.increment.value_or(Duration::zero()));
    sit_down();
    int number = 0;
    for (const SequenceStep& step : event.steps) {
      const bool over = game_->outcome().has_value();
      const game::Rulings before = last_;
      ++number;
      std::visit(Overloaded{
                     [&](const MoveEvent& body) { play_move(body); },
                     [&](const IllegalMoveEvent& body) { play_illegal(body); },
                     [&](const ClaimEvent& body) {
                       start_turn();
                       apply(claim(body));
                     },
                     [&](const OfferDraw& body) { apply(game::DrawOffered{body.side}); },
                     [&](const AcceptDraw& body) { apply(game::DrawAccepted{body.side}); },
                     [&](const DeclineDraw& body) { apply(game::DrawDeclined{body.side}); },
                     [&](const FlagFallEvent& body) { let_flag_fall(body.side); },
                     [&](const ResignEvent& body) { apply(game::Resigned{body.side}); },
                     [&](const ArbiterEvent& body) { apply(order_of(body)); },
                 },
                 step.body);
      if (!over && game_->outcome()) facts_.ends_at_step = number;
      // After the end only an arbiter decides anything; what others do is taken notice of and changes nothing.
      if (over && !std::holds_alternative<ArbiterEvent>(step.body)) last_ = before;
    }
    collect();
  }

  void operator()(const QuickplayClaimEvent& event, const Position&) {
    sit_down();
    start_turn();
    apply(game::QuickplayClaimed{event.side});
    if (game_->phase() != game::Phase::awaiting_arbiter) return collect();  // there is nothing to answer
    switch (event.ruling) {
      case QuickplayClaimEvent::Answer::none:
        return collect();
      case QuickplayClaimEvent::Answer::accept:
        order(game::OrderKind::accept);
        break;
      case QuickplayClaimEvent::Answer::reject:
        order(game::OrderKind::reject);
        break;
      case QuickplayClaimEvent::Answer::postpone:
        order(game::OrderKind::postpone, {}, {}, {}, event.award);
        break;
    }
    if (event.later && !game_->outcome()) {
      if (!game_->position().has_legal_move()) return collect();
      play_until_turn_of(event.later->flag);
      let_flag_fall(event.later->flag);
      order(event.later->final == QuickplayClaimEvent::Later::Final::draw ? game::OrderKind::accept : game::OrderKind::reject);
    }
    collect();
  }
  /// The flag of a side falls on its own turn: the other one makes any move first.
  void play_until_turn_of(Color side) {
    if (game_->position().side_to_move() == side) return;
    start_turn();
    const chess::MoveList moves = game_->position().legal_moves();
    apply(game::MoveReceived{opposite(side), chess::to_uci(game_->position(), moves[0], castling_of(case_))});
  }

  void operator()(const IncrementRequestEvent& event, const Position&) {
    sit_down();
    start_turn();
    apply(game::IncrementRequested{event.side});
    if (event.opponent_accepts_draw) {
      apply(game::DrawAccepted{opposite(event.side)});
    } else if (event.granted && game_->phase() == game::Phase::awaiting_arbiter) {
      order(*event.granted ? game::OrderKind::grant_increment : game::OrderKind::reject);
    }
    collect();
  }

  void operator()(const ResumeEvent& event, const Position& position) {
    if (position.side_to_move() != event.sealed_by) throw std::runtime_error("sealed_by: the side to move seals");
    sit_down();
    start_turn();
    order(game::OrderKind::adjourn);
    const bool lost = event.sealed.empty() && event.sealed_text.empty();
    const bool as_written = event.sealed.empty();
    apply(game::MoveReceived{event.sealed_by, as_written ? event.sealed_text : event.sealed,
                             as_written ? game::MoveNotation::san : game::MoveNotation::uci});
    if (game_->outcome()) return collect();
    if (lost) {
      order(game::OrderKind::annul_and_replay);  // A11b
    } else if (event.white_present && event.black_present) {
      order(game::OrderKind::open_envelope);
    } else if (event.white_present || event.black_present) {
      order(game::OrderKind::open_envelope, event.white_present ? Color::black : Color::white, event.late, {}, true);
    } else {
      order(game::OrderKind::open_envelope, {}, event.late, {}, true);
    }
    look_deeper();
    const game::Rulings ruled = last_;
    start_turn();
    last_ = ruled;
    collect();
  }

  void operator()(const ArrivalEvent& event, const Position&) {
    setup_.event_default_time = event.event_default;
    sit_down();
    apply(game::PlayerArrived{event.side, event.late});
    collect();
  }
  void operator()(const ArrivalsEvent& event, const Position&) {
    setup_.event_default_time = event.event_default;
    sit_down();
    const auto limit = event.event_default ? event.event_default : edition_->default_time;
    const auto beyond = [&](const std::optional<Duration>& late) { return !late || (limit && *late > *limit); };
    if (beyond(event.white_late) && beyond(event.black_late)) {
      apply(game::PlayerLate{Color::white, event.white_late.value_or(Duration::zero()), true});
      return collect();
    }
    std::vector<std::pair<Color, std::optional<Duration>>> arrivals{{Color::white, event.white_late}, {Color::black, event.black_late}};
    std::stable_sort(arrivals.begin(), arrivals.end(),
                     [](const auto& a, const auto& b) { return a.second.value_or(Duration::max()) < b.second.value_or(Duration::max()); });
    for (const auto& [side, late] : arrivals) {
      at_ = std::max(at_, late.value_or(limit.value_or(Duration::zero())));
      if (late) {
        apply(game::PlayerArrived{side, *late});
      } else {
        apply(game::PlayerLate{side, limit.value_or(Duration::zero())});
      }
    }
    collect();
  }
  void operator()(const EngineStartEvent& event, const Position&) {
    sit_down();
    if (event.ready_after) {
      apply(game::PlayerArrived{event.side, *event.ready_after});
    } else {
      apply(game::PlayerLate{event.side, edition_->default_time.value_or(Duration::zero())});
    }
    collect();
  }

  void operator()(const IrregularityEvent& event, const Position& position) {
    // So many moves were made before the position in which it is found: its move number tells.
    if (event.moves_each != position.fullmove_number() - 1) {
      std::string fen = chess::to_fen(position);
      fen.replace(fen.rfind(' ') + 1, std::string::npos, std::to_string(event.moves_each + 1));
      setup_.start = chess::parse_fen(fen).position();
      setup_.opening_moves.clear();
    }
    const bool reversed = event.kind == IrregularityEvent::Kind::colours_reversed;
    sit_down();
    order(reversed ? game::OrderKind::report_colours_reversed : game::OrderKind::report_wrong_start);
    collect();
  }

  const RuleCase& case_;
  std::shared_ptr<const laws::Edition> edition_;
  std::shared_ptr<const laws::Edition> rules_;  // the edition with the case's own switches
  game::GameSetup setup_;
  std::unique_ptr<Game> game_;
  Duration at_{};
  game::Rulings last_;
  CaseFacts facts_;
};

}  // namespace

CaseFacts play_rule_case(const RuleCase& rule_case, std::shared_ptr<const laws::Edition> edition) {
  return CasePlayer(rule_case, std::move(edition)).play();
}

}  // namespace referee::config
