#include "referee/match/game_session.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>
#include <variant>

#include "referee/chess/notation.hpp"
#include "referee/laws/claims.hpp"
#include "referee/match/engine_log.hpp"

namespace referee::match {

using chess::Color;
using chess::index;
using chess::opposite;

namespace {

/// Search outputs that are handed to the worker at once.
constexpr std::size_t outputs_a_job = 32;
/// Facts that are handed to the recorder at once, and how long the first of them may wait for the others.
constexpr std::size_t facts_a_post = 32;
constexpr std::chrono::milliseconds longest_hold{50};
constexpr std::size_t most_lines_a_move = 512;
constexpr std::chrono::milliseconds move_behind_a_claim{200};

record::WallTime wall_now() { return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()); }
engine::Instant now() { return std::chrono::steady_clock::now(); }

game::FailureKind kind_of(engine::FailureKind kind) {
  switch (kind) {
    case engine::FailureKind::crash:
      return game::FailureKind::crash;
    case engine::FailureKind::stall:
      return game::FailureKind::stall;
    case engine::FailureKind::protocol_error:
      return game::FailureKind::protocol_error;
    case engine::FailureKind::disconnect:
    case engine::FailureKind::start_failed:
      break;
  }
  return game::FailureKind::disconnect;
}

/// Endings that are somebody's fault, whatever the score became.
bool is_fault(game::Reason reason) {
  switch (reason) {
    case game::Reason::crash:
    case game::Reason::disconnect:
    case game::Reason::stall:
    case game::Reason::protocol_error:
    case game::Reason::illegal_move_forfeit:
    case game::Reason::illegal_move_unwinnable:
    case game::Reason::false_claim_forfeit:
    case game::Reason::flag_fall:
    case game::Reason::flag_fall_unwinnable:
    case game::Reason::start_timeout:
    case game::Reason::default_time:
      return true;
    default:
      return false;
  }
}

/// What the match file lets happen after a fault, by the kind of fault.
config::OnFault policy_for(const config::Faults& faults, game::Reason reason) {
  switch (reason) {
    case game::Reason::crash:
    case game::Reason::disconnect:
    case game::Reason::protocol_error:
      return faults.crash;
    case game::Reason::stall:
    case game::Reason::start_timeout:
      return faults.hang;
    case game::Reason::flag_fall:
    case game::Reason::flag_fall_unwinnable:
      return faults.time;
    case game::Reason::illegal_move_forfeit:
    case game::Reason::illegal_move_unwinnable:
    case game::Reason::false_claim_forfeit:
      return faults.illegal;
    default:
      return config::OnFault::lose;
  }
}

game::Reason reason_of(engine::FailureKind kind) {
  switch (kind_of(kind)) {
    case game::FailureKind::crash:
      return game::Reason::crash;
    case game::FailureKind::stall:
      return game::Reason::stall;
    case game::FailureKind::protocol_error:
      return game::Reason::protocol_error;
    case game::FailureKind::disconnect:
      break;
  }
  return game::Reason::disconnect;
}

/// The last line that tells a score, else the last one.
const engine::SearchInfo* telling(const std::vector<engine::SearchInfo>& infos) {
  const engine::SearchInfo* found = infos.empty() ? nullptr : &infos.back();
  for (auto info = infos.rbegin(); info != infos.rend(); ++info) {
    if (!info->score || info->multipv.value_or(1) != 1) continue;
    if (info->score->bound == engine::Score::Bound::exact) return &*info;
    if (!found->score) found = &*info;
  }
  return found;
}

record::SearchReport report_of(const engine::SearchInfo& info) {
  record::SearchReport report;
  report.depth = info.depth;
  report.selective_depth = info.selective_depth;
  if (info.score) {
    report.centipawns = info.score->centipawns;
    report.mate = info.score->mate;
  }
  report.nodes = info.nodes;
  report.nodes_per_second = info.nodes_per_second;
  report.tablebase_hits = info.tablebase_hits;
  report.time = info.time;
  report.pv = info.pv;
  return report;
}

bool uses_scores(const game::Adjudication& rules) { return rules.draw || rules.resign || rules.trusted_mates; }

}  // namespace

GameSession::GameSession(SessionContext context, const PlannedGame& planned, int attempt, FaultReplay replay, Done done)
    : context_(context),
      planned_(planned),
      attempt_(attempt),
      replay_(replay),
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
  attempt_ = recorded.row.attempt;
  recorded_ = true;
  for (const record::EventJudged& judged : recorded.events) {
    (void)game_.apply(judged.event);
    restored_ = std::max(restored_, judged.event.at);
  }
}

void GameSession::start_record() {
  if (recorded_) return;
  recorded_ = true;
  const config::MatchFile& file = context_.plan.file();
  record::GameStarted started;
  started.game = planned_.number;
  started.attempt = attempt_;
  started.at = wall_now();
  started.white = seat(Color::white).entry->name;
  started.black = seat(Color::black).entry->name;
  started.round = planned_.round;
  started.pair = planned_.pair;
  started.opening = context_.plan.opening(planned_).name;
  started.event = file.event;
  started.site = file.site;
  started.edition = context_.plan.edition().id;
  started.setup = game_.setup();
  context_.recorder.post(std::move(started));
}

void GameSession::begin_time() {
  if (timed_) return;
  timed_ = true;
  began_ = now();
}

void GameSession::record_at_once() {
  start_record();
  begin_time();
  finish();
}

void GameSession::play(std::array<engine::Engine*, 2> engines) {
  stage_ = Stage::preparing;
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
    own.engine->set_listener([this, side](const engine::Message& message) { hear(side, message); });
  }
  for (const Color side : {Color::white, Color::black}) {
    const Seat& own = seat(side);
    engine::NewGame request;
    request.line = line_;
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

void GameSession::hear(Color side, const engine::Message& message) {
  if (context_.pulse != nullptr && !std::holds_alternative<engine::Info>(message)) {
    if (std::holds_alternative<engine::Failure>(message)) seat(side).unusable = true;
    context_.pulse->look();
  }
  if (stage_ == Stage::finished || stage_ == Stage::waiting) {
    if (std::holds_alternative<engine::Failure>(message) || std::holds_alternative<engine::Bye>(message)) seat(side).unusable = true;
    return;
  }
  std::visit([this, side](const auto& said) { on(side, said); }, message);
}

void GameSession::on(Color side, const engine::Ready& /*message*/) {
  if (stage_ != Stage::preparing) return;
  seat(side).ready = true;
  if (!seat(opposite(side)).ready) return;
  stage_ = Stage::playing;
  if (context_.watch != nullptr && !host_before_) host_before_ = context_.watch->delays();
  const bool interrupted = !timed_;
  begin_time();
  if (interrupted && game_.running()) {
    // The interruption is nobody's time: the clock is stopped where it stood, and started again with the turn.
    game::ArbiterOrder order{};
    order.kind = game::OrderKind::pause;
    order.who = "referee";
    order.why = "the match was interrupted";
    judge(began_, order);
    order.kind = game::OrderKind::resume;
    order.why = "the match goes on";
    judge(began_, order);
  }
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
  if (own.entry->ponder) own.ponder_wish = message.ponder;
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
  if (const auto flag = game_.flag_at(); flag && awaiting_go_ != side) falls = began_ + (*flag - restored_);
  const auto stamp = seat(side).engine->stamped_by_kernel() ? AnswerStamp::by_kernel : AnswerStamp::by_referee;
  return doubt_of(answered, stamp, falls, attempt_);
}

void GameSession::annul_for_lateness(Color side, const engine::Answer& message) {
  const auto late = std::chrono::duration_cast<std::chrono::microseconds>(
      message.at - (began_ + (game_.flag_at().value_or(game::Duration::zero()) - restored_)));
  play_again_ = true;
  judge(last_instant(), game::Aborted{"the referee read the answer of " + seat(side).entry->name + " " + std::to_string(late.count()) +
                                      " microseconds behind its flag, and was itself late by as much"});
  std::get<record::EventJudged>(unposted_.back()).referee_lag = late;
  finish();
}

void GameSession::on(Color side, const engine::Info& message) {
  Seat& own = seat(side);
  if (thinking_ != side && !own.pondering) return;
  if (own.infos.size() < most_lines_a_move)
    own.infos.push_back(message.info);
  else
    own.infos.back() = message.info;
}

void GameSession::on(Color side, const engine::DrawOffer& message) {
  if (stage_ != Stage::playing) return;
  if (game_.draw_offer() == opposite(side))
    claim(side, message.at, game::DrawAccepted{side});
  else
    claim(side, message.at, game::DrawOffered{side});
}

void GameSession::on(Color side, const engine::Resignation& message) {
  if (stage_ == Stage::playing) claim(side, message.at, game::Resigned{side});
}

void GameSession::on(Color side, const engine::ResultClaim& message) {
  if (stage_ != Stage::playing) return;
  claim(side, message.at, game::ResultClaimed{side, message.white_score, message.black_score, message.text});
  // The claim did not end the game: a move is still due. It may stand right behind the claim, or the engine has stopped thinking.
  if (stage_ == Stage::playing && thinking_ == side && !awaiting_go_) after_claim_.set(now() + move_behind_a_claim);
}

void GameSession::on_silence_after_claim() {
  if (stage_ != Stage::playing || !thinking_ || awaiting_go_) return;
  const Color side = *thinking_;
  if (seat(side).engine->drain_now()) return;
  if (stage_ != Stage::playing || thinking_ != side) return;
  flag_.clear();
  thinking_.reset();
  seat(side).engine->stop();
  next_turn();
}

/// XBoard: an offer made before a move that brings about a claimable draw is the claim of it.
void GameSession::claim_with_move(Color side, const engine::Answer& message) {
  const Seat& own = seat(side);
  if (own.notation != game::MoveNotation::xboard || game_.draw_offer() != side) return;
  const auto castling = line_.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  const chess::MoveText read = chess::read_xboard(line_.current, message.move, castling);
  const auto* move = std::get_if<chess::ReadMove>(&read);
  if (move == nullptr) return;
  for (const auto& [rule, law] : {std::pair{game::ClaimRule::threefold, laws::DrawRule::repetition},
                                  std::pair{game::ClaimRule::fifty, laws::DrawRule::no_progress}}) {
    if (!laws::claim_exists(game_.edition(), law) || !game_.claimable(rule, move->move)) continue;
    judge(message.at, game::DrawClaimed{side, rule, message.move, own.notation});
    return;
  }
}

void GameSession::on(Color side, const engine::IllegalMoveClaim& message) {
  if (stage_ == Stage::playing) claim(side, message.at, game::IllegalMoveClaimed{side, message.text});
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
  record::EventJudged judged;
  judged.game = planned_.number;
  judged.event.at = event_time(at);
  judged.event.body = std::move(body);
  last_event_ = judged.event.at;
  judged.rulings = game_.apply(judged.event);
  unposted_.emplace_back(std::move(judged));
  return std::get<record::EventJudged>(unposted_.back()).rulings;
}

void GameSession::claim(Color side, engine::Instant at, game::EventBody body) {
  judge(at, std::move(body));
  if (game_.outcome()) {
    if (is_fault(game_.outcome()->reason) && !seat(side).fault) seat(side).fault = game_.outcome()->reason;
    return finish();
  }
  if (!awaiting_go_) hand_on();
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
  report.has_clock = own.control().mode != clock::Mode::infinite;
  if (!report.has_clock) return report;
  const clock::PlayerClock& other = clocks[opposite(side)];
  const bool other_has_clock = other.control().mode != clock::Mode::infinite;
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
  begin_time();
  game::Rulings rulings = judge(now(), std::move(body));
  if (game_.outcome()) {
    finish();
  } else if (stage_ != Stage::playing) {
    hand_on();
  } else if (game_.phase() != game::Phase::playing) {
    halt();
  } else if (!thinking_) {
    next_turn();
  } else if (!awaiting_go_) {
    // It thinks on; only the instant at which its flag falls may have changed.
    if (const auto flag = game_.flag_at())
      flag_.set(began_ + (*flag - restored_) + after_the_flag);
    else
      flag_.clear();
    hand_on();
  }
  return rulings;
}

void GameSession::halt() {
  flag_.clear();
  for (const Color side : {Color::white, Color::black}) {
    Seat& own = seat(side);
    if (thinking_ == side || own.pondering) own.engine->stop();
    own.pondering = false;
    own.ponder_wish.reset();
  }
  thinking_.reset();
  awaiting_go_.reset();
  lag_due_ = false;
  hand_on();
  if (game_.phase() == game::Phase::adjourned) adjourn();
}

void GameSession::adjourn() {
  stage_ = Stage::waiting;
  SessionResult result;
  result.adjourned = true;
  for (Seat& own : seats_) {
    result.seats[static_cast<std::size_t>(&own - seats_.data())].unusable = own.unusable;
    own.engine = nullptr;
    own.ready = false;
  }
  context_.worker.post([checks = checks_, outputs = std::move(unchecked_), &recorder = context_.recorder] {
    for (const SearchOutput& output : outputs) {
      for (record::EngineWarning& warning : checks->move(output)) recorder.post(std::move(warning));
    }
    for (record::EngineWarning& warning : checks->finish()) recorder.post(std::move(warning));
  });
  unchecked_ = {};
  boost::asio::post(context_.io, [done = done_, result = std::move(result)]() mutable { done(std::move(result)); });
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
  judge(at, game::TurnStarted{side});
  if (const auto flag = game_.flag_at()) flag_.set(began_ + (*flag - restored_) + after_the_flag);
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
  own.guess = chess::to_uci(line_.current, move->move, castling);
  own.infos.clear();
  own.pondering = true;
  (void)own.engine->ponder(think_request(side), own.guess);
}

void GameSession::on_flag(engine::Instant at) {
  if (stage_ != Stage::playing || !thinking_ || awaiting_go_) return;
  if (context_.pulse != nullptr) context_.pulse->look();
  if (stage_ != Stage::playing) return;
  const Color side = *thinking_;
  const engine::Instant due = began_ + (game_.flag_at().value_or(game::Duration::zero()) - restored_);
  // What was readable in time counts; the time stamps decide, not which of timer and pipe was served first.
  if (seat(side).engine->drain_now()) return;
  if (stage_ != Stage::playing || thinking_ != side) return;
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
  const engine::Instant next = flag ? began_ + (*flag - restored_) + after_the_flag : at;
  if (next > at) flag_.set(next);
}

// The end ----------------------------------------------------------------------------------------------------------------

void GameSession::finish() {
  if (stage_ == Stage::finished) return;
  const bool played = stage_ == Stage::playing || stage_ == Stage::preparing;
  stage_ = Stage::finished;
  flag_.clear();
  after_claim_.clear();
  thinking_.reset();
  awaiting_go_.reset();

  SessionResult result;
  result.replay = play_again_;
  result.aborted = left_running_ || (game_.outcome() && game_.outcome()->reason == game::Reason::aborted);
  if (game_.outcome())
    result.outcome = *game_.outcome();
  else {
    result.outcome.reason = game::Reason::aborted;
    result.outcome.annulled = true;
  }
  result.plies = static_cast<int>(game_.plies());
  result.duration = std::max(last_event_, restored_);
  if (played) {
    const std::string text = game::result_text(result.outcome);
    const std::string comment = result.outcome.detail.empty() ? std::string(game::code(result.outcome.reason)) : result.outcome.detail;
    for (Seat& side : seats_) {
      if (side.engine != nullptr && !side.unusable && side.ready)
        side.engine->notify_result(text, comment);
      else
        side.unusable = true;
    }
  }
  hand_on();
  warn_of_busy_host();
  report_faults(result);
  if (!left_running_) {
    record::GameEnded ended;
    ended.game = planned_.number;
    ended.at = wall_now();
    ended.outcome = result.outcome;
    ended.plies = result.plies;
    ended.duration = result.duration;
    ended.counted = !result.outcome.annulled && !result.replay;
    // Findings on the last moves stand in the journal before the end does.
    context_.worker.post(
        [checks = checks_, outputs = std::move(unchecked_), ended = std::move(ended), &recorder = context_.recorder]() mutable {
          if (checks) {
            for (const SearchOutput& output : outputs) {
              for (record::EngineWarning& warning : checks->move(output)) recorder.post(std::move(warning));
            }
            for (record::EngineWarning& warning : checks->finish()) recorder.post(std::move(warning));
          }
          recorder.post(std::move(ended));
        },
        Worker::When::now);
  }
  boost::asio::post(context_.io, [done = std::move(done_), result = std::move(result)]() mutable { done(std::move(result)); });
}

void GameSession::warn_of_busy_host() {
  if (!host_before_) return;
  auto text = busy_host(*host_before_, context_.watch->delays());
  if (!text) return;
  record::EngineWarning warning;
  warning.game = planned_.number;
  warning.kind = "host_busy";
  warning.text = std::move(*text);
  context_.recorder.post(std::move(warning));
}

void GameSession::report_faults(SessionResult& result) {
  for (const Color color : {Color::white, Color::black}) {
    Seat& side = seat(color);
    SeatReport& report = result.seats[index(color)];
    report.unusable = side.unusable;
    if (!side.fault || result.aborted) continue;
    report.fault = side.fault;
    report.detail = side.failure.empty() ? result.outcome.detail : side.failure;
    if (replay_ == FaultReplay::available && policy_for(context_.plan.file().faults, *side.fault) == config::OnFault::replay_once)
      result.replay = true;
    record::EngineFault fault;
    fault.game = planned_.number;
    fault.engine = side.entry->name;
    fault.reason = *side.fault;
    fault.detail = report.detail;
    if (seats_[0].engine != nullptr && seats_[1].engine != nullptr) fault.log = merged_lines({seats_[0].engine, seats_[1].engine});
    context_.recorder.post(std::move(fault));
  }
}

void GameSession::hand_on() {
  // A fast game tells of many moves at once, a slow one of each within the hold.
  if (stage_ == Stage::finished || unposted_.size() >= facts_a_post)
    post_held();
  else if (!hold_.pending())
    hold_.set(now() + longest_hold);
  if (unchecked_.size() < outputs_a_job || stage_ == Stage::finished) return;
  context_.worker.post([checks = checks_, outputs = std::move(unchecked_), &recorder = context_.recorder] {
    for (const SearchOutput& output : outputs) {
      for (record::EngineWarning& warning : checks->move(output)) recorder.post(std::move(warning));
    }
  });
  unchecked_ = {};
  unchecked_.reserve(outputs_a_job);
}

void GameSession::post_held() {
  hold_.clear();
  if (unposted_.empty()) return;
  context_.recorder.post(std::move(unposted_));
  unposted_ = {};
  unposted_.reserve(facts_a_post);
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
