#include "referee/match/game_session.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine_iface/told_clock.hpp"
#include "referee/chess/notation.hpp"
#include "referee/match/game_faults.hpp"
#include "referee/match/search_report.hpp"
#include "referee/match/wall_clock.hpp"

namespace referee::match {

using chess::Color;
using chess::index;
using chess::opposite;

namespace {

constexpr std::size_t most_lines_a_move = 512;

engine::Instant now() { return std::chrono::steady_clock::now(); }

/// What passed while the match stood still is nobody's time: the clock is stopped where it stood, and started again with the turn.
game::ArbiterOrder interruption(game::OrderKind kind) {
  game::ArbiterOrder order{};
  order.kind = kind;
  order.who = "referee";
  order.why = kind == game::OrderKind::pause ? "the match was interrupted" : "the match goes on";
  return order;
}

/// The interruption of an earlier run that nothing has ended yet.
void note_interruption(const game::EventBody& body, bool& held) {
  const auto* order = std::get_if<game::ArbiterOrder>(&body);
  if (order == nullptr) return;
  const auto same = [order](const game::ArbiterOrder& other) {
    return order->kind == other.kind && order->who == other.who && order->why == other.why;
  };
  if (same(interruption(game::OrderKind::pause))) held = true;
  if (order->kind == game::OrderKind::resume) held = false;
}

bool uses_scores(const game::Adjudication& rules) { return rules.draw || rules.resign || rules.trusted_mates; }

}  // namespace

GameSession::GameSession(SessionContext context, const PlannedGame& planned, Attempt attempt, Done done)
    : context_(context),
      planned_(planned),
      attempt_(attempt),
      done_(std::move(done)),
      game_(context.plan.setup(planned), context.plan.shared_edition()),
      flag_(context.deadlines, [this](engine::Instant at) { on_flag(at); }),
      hold_(context.deadlines,
            [this](engine::Instant /*at*/) {
              if (!lag_due_) post_held();
            }),
      after_claim_(context.deadlines, [this](engine::Instant /*at*/) { on_silence_after_claim(); }) {
  seat(Color::white).entry = &context.plan.white(planned);
  seat(Color::black).entry = &context.plan.black(planned);
  for (Seat& side : seats_) {
    side.notation = side.entry->protocol == engine::ProtocolKind::xboard ? game::MoveNotation::xboard : game::MoveNotation::uci;
  }
}

GameSession::~GameSession() {
  for (Seat& side : seats_) {
    if (side.engine != nullptr) side.engine->set_listener([](const engine::Message& /*message*/) {});
  }
}

void GameSession::restore(const record::RecordedGame& recorded) {
  game_ = game::Game(recorded.started.setup, context_.plan.shared_edition());
  attempt_.number = recorded.row.attempt;
  recorded_ = true;
  for (const record::EventJudged& judged : recorded.events) {
    (void)game_.apply(judged.event);
    note_interruption(judged.event.body, held_);
    restored_ = std::max(restored_, judged.event.at);
  }
}

void GameSession::start_record() {
  if (recorded_) return;
  recorded_ = true;
  const config::MatchFile& file = context_.plan.file();
  record::GameStarted started;
  started.game = planned_.number;
  started.attempt = attempt_.number;
  started.at = wall_now();
  started.white = seat(Color::white).entry->name;
  started.black = seat(Color::black).entry->name;
  started.round = planned_.round;
  started.pair = planned_.pair;
  started.opening = context_.plan.opening(planned_).name;
  started.event = file.event;
  started.site = file.site;
  started.date = file.date;
  started.edition = context_.plan.edition().id;
  started.setup = game_.setup();
  context_.recorder.post(std::move(started));
}

void GameSession::begin_time() {
  if (timed_) return;
  timed_ = true;
  began_ = now();
}

void GameSession::hold_clock() {
  if (timed_) return;
  begin_time();
  if (!game_.running()) return;
  judge(began_, interruption(game::OrderKind::pause));
  held_ = true;
}

void GameSession::record_at_once() {
  start_record();
  begin_time();
  finish();
}

void GameSession::play(std::array<engine::Engine*, 2> engines) {
  stage_ = Stage::preparing;
  wait_.reset();
  start_record();
  game::GameSetup so_far = game_.setup();
  so_far.opening_moves.clear();
  for (const game::Game::PlayedMove& move : game_.moves()) so_far.opening_moves.push_back(move.uci);
  std::array<std::string, 2> names;
  std::array<engine::ProtocolKind, 2> protocols{};
  for (const Color side : {Color::white, Color::black}) {
    names[index(side)] = seat(side).entry->name;
    protocols[index(side)] = seat(side).entry->protocol.value_or(engine::ProtocolKind::uci);
  }
  checks_ = std::make_shared<SearchChecks>(planned_.number, so_far, context_.plan.shared_edition(), std::move(names), protocols);

  line_.plies.clear();
  line_.start = game_.setup().start;
  line_.current = line_.start;
  line_.chess960 = game_.setup().chess960;
  line_.plies.reserve(256);
  unposted_.reserve(facts_a_post);
  follow_moves();
  for (const Color side : {Color::white, Color::black}) {
    Seat& own = seat(side);
    own.engine = engines[index(side)];
    own.engine->set_listener([this, side](engine::Message& message) { hear(side, message); });
  }
  for (const Color side : {Color::white, Color::black}) {
    const Seat& own = seat(side);
    engine::NewGame request;
    request.line = line_;
    request.opening_plies = game_.opening_plies();
    request.side = side;
    request.time_control = game_.setup().time_control[index(side)];
    request.limits = own.entry->limits;
    request.opponent_name = seat(opposite(side)).entry->name;
    request.ponder = own.entry->ponder;
    own.engine->new_game(request);
  }
}

void GameSession::abort(std::string why, Abort how) {
  if (stage_ == Stage::finished) return;
  left_running_ = how == Abort::leave_running;
  play_again_ = how == Abort::play_again;
  begin_time();
  // What passed unwatched is nobody's time: by the clock of the game nothing has happened since its last event.
  if (!left_running_) judge(play_again_ ? last_instant() : now(), game::Aborted{std::move(why)});
  finish();
}

// What engines say -------------------------------------------------------------------------------------------------------

void GameSession::hear(Color side, engine::Message& message) {
  if (context_.pulse != nullptr && !std::holds_alternative<engine::Info>(message)) {
    if (std::holds_alternative<engine::Failure>(message)) seat(side).unusable = true;
    context_.pulse->look();
  }
  if (stage_ == Stage::finished || stage_ == Stage::waiting) {
    if (std::holds_alternative<engine::Failure>(message) || std::holds_alternative<engine::Bye>(message)) seat(side).unusable = true;
    return;
  }
  std::visit([this, side](auto& said) { on(side, said); }, message);
}

void GameSession::on(Color side, const engine::Ready& /*message*/) {
  if (stage_ != Stage::preparing) return;
  seat(side).ready = true;
  if (!seat(opposite(side)).ready) return;
  stage_ = Stage::playing;
  if (context_.watch != nullptr && !host_before_) host_before_ = context_.watch->delays();
  hold_clock();
  if (std::exchange(held_, false) && game_.phase() == game::Phase::paused) judge(now(), interruption(game::OrderKind::resume));
  ask_tables(began_);
  next_turn();
}

void GameSession::on(Color side, const engine::GoSent& message) {
  if (awaiting_go_ != side) return;
  awaiting_go_.reset();
  turn_started(side, message.at);
}

void GameSession::on(Color side, const engine::Answer& message) {
  if (thinking_ != side) return;
  if (const Doubt doubt = doubt_about(side, message.at); doubt != Doubt::none) {
    warn(side, "referee_late", "answered behind its flag, as read by a referee that was itself late", message.move);
    if (doubt == Doubt::annulled) return annul_for_lateness(side, message);
  }
  Seat& own = seat(side);
  flag_.clear();
  after_claim_.clear();
  thinking_.reset();
  if (awaiting_go_ == side) {  // it cannot answer what was never asked; yet no order of messages may break the game
    awaiting_go_.reset();
    judge(message.at, game::TurnStarted{side});
  }
  const engine::SearchInfo* info = telling(own.infos);
  if (info != nullptr && info->score && uses_scores(game_.setup().adjudication)) {
    judge(message.at, game::EvaluationReported{side, info->score->centipawns, info->score->mate});
  }
  claim_with_move(side, message);
  if (game_.outcome()) return finish();
  judge(message.at, game::MoveReceived{side, message.move, own.notation});
  auto& fact = std::get<record::EventJudged>(unposted_.back());
  if (info != nullptr) fact.search = report_of(*info);
  lag_fact_ = unposted_.size() - 1;
  lag_due_ = true;
  answered_at_ = message.at;
  if (own.entry->ponder && own.engine->supports_pondering()) own.ponder_wish = message.ponder;
  const std::size_t before = line_.plies.size();
  follow_moves();
  check_search(side, line_.plies.size() > before);
  if (line_.current.halfmove_clock() == 0) ask_tables(message.at);
  if (game_.outcome()) {
    if (is_fault(game_.outcome()->reason)) own.fault = game_.outcome()->reason;
    return finish();
  }
  next_turn();
}

Doubt GameSession::doubt_about(Color side, engine::Instant answered) const {
  std::optional<engine::Instant> falls;
  if (const auto flag = game_.flag_at(); flag && awaiting_go_ != side) falls = instant_of(*flag);
  const auto stamp = seat(side).engine->stamped_by_kernel() ? AnswerStamp::by_kernel : AnswerStamp::by_referee;
  return doubt_of(answered, stamp, falls, attempt_.annulled_for_lateness);
}

void GameSession::annul_for_lateness(Color side, const engine::Answer& message) {
  const auto late =
      std::chrono::duration_cast<std::chrono::microseconds>(message.at - instant_of(game_.flag_at().value_or(game::Duration::zero())));
  play_again_ = annulled_for_lateness_ = true;
  judge(last_instant(), game::Aborted{"the referee read the answer of " + seat(side).entry->name + " " + std::to_string(late.count()) +
                                      " microseconds behind its flag, and was itself late by as much"});
  std::get<record::EventJudged>(unposted_.back()).referee_lag = late;
  finish();
}

void GameSession::on(Color side, engine::Info& message) {
  Seat& own = seat(side);
  if (thinking_ != side && !own.pondering) return;
  if (own.infos.size() < most_lines_a_move)
    own.infos.push_back(std::move(message.info));
  else
    own.infos.back() = std::move(message.info);
}

void GameSession::on(Color side, const engine::Failure& message) {
  Seat& own = seat(side);
  own.unusable = true;
  own.failure = message.detail;
  own.fault = reason_of(message.kind);
  if (!timed_) {
    timed_ = true;
    began_ = message.at;
  }
  judge(message.at, game::EngineFailed{side, kind_of(message.kind), message.detail});
  // Its flag, or the opponent's, may have fallen before: then that is what ended the game.
  if (const auto& outcome = game_.outcome(); outcome && outcome->reason != *own.fault && is_fault(outcome->reason))
    seat(at_fault(*outcome, game_.position().side_to_move())).fault = outcome->reason;
  if (!game_.outcome()) judge(message.at, game::Aborted{own.entry->name + " cannot go on: " + message.detail});
  finish();
}

void GameSession::on(Color side, const engine::Leniency& message) { warn(side, "leniency", message.what, message.line); }

void GameSession::on(Color side, const engine::Complaint& message) { warn(side, "complaint", message.what, {}); }

void GameSession::on(Color side, const engine::Bye& /*message*/) {
  on(side, engine::Failure{engine::FailureKind::disconnect, "ended in the middle of a game", now()});
}

// The judge and the turns ------------------------------------------------------------------------------------------------

game::Rulings& GameSession::judge(engine::Instant at, game::EventBody body) {
  auto& judged = std::get<record::EventJudged>(unposted_.emplace_back(std::in_place_type<record::EventJudged>));
  judged.game = planned_.number;
  judged.event.at = event_time(at);
  judged.event.body = std::move(body);
  last_event_ = judged.event.at;
  judged.rulings = game_.apply(judged.event);
  return judged.rulings;
}

void GameSession::limit_turn(Color side, engine::Instant at) {
  if (const auto flag = game_.flag_at()) return flag_.set(instant_of(*flag) + after_the_flag);
  // No clock runs: as long as it has left on the one that was stopped, or as is waited for an engine without a clock.
  if (!wait_ || wait_->sealing != game_.sealing()) {
    const game::Duration patience = seat(side).entry->timeouts.think;
    const game::Duration left = game_.sealing() ? std::min<game::Duration>(game_.clocks()[side].remaining(), patience) : patience;
    wait_.emplace(ClocklessWait{.sealing = game_.sealing(), .until = at + left});
  }
  flag_.set(wait_->until);
}

void GameSession::think_on(engine::Instant at) {
  // Who seals at the end of a session at his leisure was charged the rest of it when he asked (A1b).
  if (!game_.running() && !game_.sealing()) judge(at, game::TurnStarted{*thinking_});
  limit_turn(*thinking_, at);
  hand_on();
}

void GameSession::follow_moves() {
  const auto& moves = game_.moves();
  for (std::size_t ply = line_.plies.size(); ply < moves.size(); ++ply) {
    line_.plies.push_back({moves[ply].uci, moves[ply].san, moves[ply].move});
    line_.current.play(moves[ply].move);
  }
}

engine::ClockReport GameSession::clock_report(Color side) const {
  const clock::Clocks& clocks = game_.clocks();
  engine::ClockReport report;
  const clock::PlayerClock& own = clocks[side];
  report.has_clock = engine::has_running_clock(own.control());
  if (!report.has_clock) return report;
  const clock::PlayerClock& other = clocks[opposite(side)];
  const bool other_has_clock = engine::has_running_clock(other.control());
  // A delay has no word in either protocol: it is reported as the increment that it amounts to.
  const auto increment = [](const clock::PlayerClock& clock) { return clock.increment() + clock.delay(); };
  const game::Duration own_left = own.remaining();
  const game::Duration other_left = other_has_clock ? other.remaining() : own_left;
  const game::Duration other_increment = other_has_clock ? increment(other) : increment(own);
  const bool white = side == Color::white;
  report.white = white ? own_left : other_left;
  report.black = white ? other_left : own_left;
  report.white_increment = white ? increment(own) : other_increment;
  report.black_increment = white ? other_increment : increment(own);
  report.moves_to_go = own.moves_to_go();
  return report;
}

engine::ThinkRequest GameSession::think_request(Color side) const {
  engine::ThinkRequest request;
  request.line = &line_;
  request.clocks = clock_report(side);
  request.search_moves = game_.required_moves();
  request.draw_offered = game_.draw_offer() == opposite(side);
  return request;
}

game::Rulings GameSession::order(game::EventBody body) {
  start_record();
  hold_clock();
  const engine::Instant at = now();
  game::Rulings rulings = judge(at, std::move(body));
  if (game_.outcome()) {
    finish();
  } else if (stage_ != Stage::playing) {
    hand_on();
  } else if (game_.phase() != game::Phase::playing) {
    halt();
  } else if (!thinking_) {
    next_turn();
  } else if (!awaiting_go_ || game_.running()) {
    think_on(at);
  }
  return rulings;
}

/// What the tables know of the position on the board ends the game. Asked where the fifty-move count starts anew, and at the beginning.
void GameSession::ask_tables(engine::Instant at) {
  if (context_.tables == nullptr || game_.outcome() || game_.phase() != game::Phase::playing) return;
  if (const auto score = context_.tables->probe(line_.current, *context_.plan.file().syzygy))
    judge(at, game::TablebaseReported{score->white, score->black});
}

void GameSession::next_turn() {
  if (context_.arbiter == Arbiter::at_hand && !game_.outcome() && game_.phase() != game::Phase::playing) return halt();
  if (game_.phase() == game::Phase::awaiting_arbiter) {
    game::ArbiterOrder order{};
    order.kind = game::OrderKind::reject;
    order.who = "referee";
    order.why = "no arbiter is at hand";
    judge(now(), order);
  }
  if (game_.outcome()) return finish();
  if (game_.phase() != game::Phase::playing) {
    judge(now(), game::Aborted{"play is stopped and nobody is there to resume it"});
    return finish();
  }
  const Color side = game_.position().side_to_move();
  if (play_book_move(side)) return next_turn();  // not deeper than a book may be
  Seat& own = seat(side);
  const engine::ThinkRequest request = think_request(side);
  std::optional<engine::Instant> left;
  thinking_ = side;
  wait_.reset();
  if (own.pondering && !line_.plies.empty() && line_.plies.back().uci == own.guess && request.search_moves.empty()) {
    own.pondering = false;
    left = own.engine->ponder_hit(request);
  } else {
    if (own.pondering) {
      own.pondering = false;
      own.engine->stop();
    }
    own.infos.clear();
    left = own.engine->think(request);
  }
  if (left)
    turn_started(side, *left);
  else
    awaiting_go_ = side;
}

bool GameSession::play_book_move(Color side) {
  const std::size_t engine = side == Color::white ? planned_.white : planned_.black;
  if (!context_.plan.has_book(engine) || !game_.required_moves().empty()) return false;
  PolyglotPlace place(line_.start);
  for (const auto& ply : line_.plies) place.play(ply.move);
  const auto move = context_.plan.book_move(planned_, engine, place, line_.plies.size());
  if (!move) return false;
  Seat& own = seat(side);
  if (own.pondering) {
    own.pondering = false;
    own.engine->stop();
  }
  own.infos.clear();
  const engine::Instant at = now();
  measure_lag(at);
  judge(at, game::TurnStarted{side});
  judge(at, game::MoveReceived{side, chess::to_uci(line_.current, *move, chess::CastlingText::king_two_squares), game::MoveNotation::uci});
  std::get<record::EventJudged>(unposted_.back()).book = true;
  follow_moves();
  check_search(side, true);
  return true;
}

void GameSession::measure_lag(engine::Instant at) {
  if (!lag_due_) return;
  lag_due_ = false;
  std::get<record::EventJudged>(unposted_[lag_fact_]).referee_lag = at - *answered_at_;
}

void GameSession::turn_started(Color side, engine::Instant at) {
  measure_lag(at);
  if (!game_.running()) judge(at, game::TurnStarted{side});
  limit_turn(side, at);
  start_pondering(opposite(side));
  hand_on();
}

void GameSession::start_pondering(Color side) {
  Seat& own = seat(side);
  if (!own.ponder_wish || own.unusable) return;
  const std::string wish = std::move(*own.ponder_wish);
  own.ponder_wish.reset();
  const auto castling = line_.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  const chess::MoveText read = own.notation == game::MoveNotation::uci ? chess::read_uci(line_.current, wish, castling)
                                                                       : chess::read_xboard(line_.current, wish, castling);
  const auto* move = std::get_if<chess::ReadMove>(&read);
  if (move == nullptr) return;  // missing, null or illegal: dropped (PROTOCOLS 2.3)
  chess::Position guessed = line_.current;
  guessed.play(move->move);
  if (!guessed.has_legal_move()) return;  // nor is an engine asked about a game that is over
  own.guess = chess::to_uci(line_.current, move->move, castling);
  own.infos.clear();
  own.pondering = true;
  (void)own.engine->ponder(think_request(side), own.guess);
}

void GameSession::on_flag(engine::Instant at) {
  if (stage_ != Stage::playing || !thinking_) return;
  if (context_.pulse != nullptr) context_.pulse->look();
  if (stage_ != Stage::playing) return;
  const Color side = *thinking_;
  const engine::Instant due = instant_of(game_.flag_at().value_or(game::Duration::zero()));
  // What was readable in time counts; the time stamps decide, not which of timer and pipe was served first.
  if (seat(side).engine->drain_now()) return;
  if (stage_ != Stage::playing || thinking_ != side) return;
  if (!game_.flag_at() && wait_ && at < wait_->until) return flag_.set(wait_->until);
  if (!game_.flag_at())
    return on(side, engine::Failure{engine::FailureKind::stall, game_.sealing() ? "has sealed no move" : "thinks without end", at});
  // It was gone before its flag fell: the failure that follows says how.
  if (const auto ended = seat(side).engine->ended_at(); ended && *ended <= due) return;
  judge(at, game::TimeExpired{side});
  std::get<record::EventJudged>(unposted_.back()).referee_lag = at - due;
  if (game_.outcome()) {
    seat(side).fault = game_.outcome()->reason;
    check_search(side, false);
    return finish();
  }
  const auto flag = game_.flag_at();
  const engine::Instant next = flag ? instant_of(*flag) + after_the_flag : at;
  if (next > at) flag_.set(next);
}

void GameSession::check_search(Color side, bool was_played) {
  Seat& own = seat(side);
  SearchOutput output;
  output.was_played = was_played;
  output.ply = static_cast<int>(line_.plies.size()) + (was_played ? 0 : 1);
  if (was_played) {
    output.played = line_.plies.back().move;
    output.played_uci = line_.plies.back().uci;
  }
  output.lines = std::move(own.infos);
  own.infos.clear();
  unchecked_.push_back(std::move(output));
}

void GameSession::warn(Color side, std::string kind, std::string text, std::string line) {
  record::EngineWarning warning;
  warning.game = planned_.number;
  warning.ply = static_cast<int>(line_.plies.size());
  warning.engine = seat(side).entry->name;
  warning.kind = std::move(kind);
  warning.text = std::move(text);
  warning.line = std::move(line);
  context_.recorder.post(std::move(warning));
}

}  // namespace referee::match
