#include "referee/daemon/match_board.hpp"

#include <algorithm>
#include <variant>

#include "referee/chess/notation.hpp"
#include "referee/daemon/envelope.hpp"
#include "referee/match/bracket.hpp"

namespace referee::daemon {

using chess::index;

namespace {

constexpr std::size_t just_ended_shown = 8;

std::vector<std::string> names_of(const config::MatchFile& file) {
  std::vector<std::string> names;
  for (const config::EngineEntry& engine : file.engines) names.push_back(engine.name);
  return names;
}

}  // namespace

MatchBoard::MatchBoard(const config::MatchFile& file, int planned)
    : engines_(names_of(file)),
      kind_(file.schedule.kind),
      planned_(planned),
      standings_(engines_, match::standings_by(file.schedule.kind)) {}

void MatchBoard::set_planned(int planned) {
  const std::lock_guard lock(mutex_);
  planned_ = planned;
}

void MatchBoard::load(const record::Journal& journal) {
  std::vector<int> unfinished;
  journal.each_game([&](const record::GameRow& row) {
    if (!row.outcome && !row.voided) {
      unfinished.push_back(row.game);
      return;
    }
    const std::lock_guard lock(mutex_);
    put(row);
    standings_.set(row);
    ++results_version_;
  });
  for (const int number : unfinished) {
    const auto recorded = journal.game(number);
    if (!recorded) continue;
    see(recorded->started);
    for (const record::EventJudged& event : recorded->events) see(with_closed_envelope(event));
  }
  for (const record::Fact& fact : journal.matters()) {
    if (std::holds_alternative<record::GameVoided>(fact) || std::holds_alternative<record::PlanExtended>(fact) ||
        std::holds_alternative<record::PointsGiven>(fact))
      see(fact);
  }
  stand_still();
  const std::lock_guard lock(mutex_);
  faults_ = static_cast<int>(journal.count_faults());
}

void MatchBoard::stand_still() {
  const std::lock_guard lock(mutex_);
  for (auto& [number, live] : live_) live.game.running.reset();
}

void MatchBoard::put(const record::GameRow& row) {
  if (const EndedGame* before = games_.find(row.game)) tally(*before, Tally::out);
  games_.put(row);
  tally(*games_.find(row.game), Tally::in);
}

void MatchBoard::take_out(int game) {
  const EndedGame* before = games_.find(game);
  if (before == nullptr) return;
  tally(*before, Tally::out);
  games_.take_out(game);
}

void MatchBoard::tally(const EndedGame& game, Tally way) {
  if (game.voided())
    voided_ += static_cast<int>(way);
  else if (game.counts())
    finished_ += static_cast<int>(way);
}

void MatchBoard::see(const record::Fact& fact) {
  const std::lock_guard lock(mutex_);
  std::visit(
      [this](const auto& known) {
        if constexpr (requires { this->on(known); }) this->on(known);
      },
      fact);
}

void MatchBoard::follow(const match::MatchPlan& plan) {
  const std::lock_guard lock(mutex_);
  course_ = plan.course();
  for (const match::Gift& gift : course_.gifts) standings_.give(match::given_by(gift, plan.file()));
  std::vector<record::GameRow> nameless;
  games_.each([&nameless](const EndedGame& game) {
    if (game.white().empty()) nameless.push_back(game.row());
  });
  for (record::GameRow& row : nameless) {
    if (static_cast<std::size_t>(row.game) > plan.games().size()) continue;
    const match::PlannedGame& game = plan.game(row.game);
    row.round = game.round;
    row.pair = game.pair;
    row.white = plan.white(game).name;
    row.black = plan.black(game).name;
    row.opening = plan.opening(game).name;
    put(row);
  }
}

bool MatchBoard::needs_plan() const {
  const std::lock_guard lock(mutex_);
  if (kind_ == config::ScheduleKind::swiss || kind_ == config::ScheduleKind::knockout) return true;
  bool nameless = false;
  games_.each([&nameless](const EndedGame& game) { nameless = nameless || game.white().empty(); });
  return nameless;
}

void MatchBoard::on(const record::GameStarted& fact) {
  if (games_.find(fact.game) != nullptr) ++results_version_;
  take_out(fact.game);
  standings_.remove(fact.game);
  BoardGame game;
  game.started = fact;
  game.position = fact.setup.start;
  const auto castling = fact.setup.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  for (const std::string& text : fact.setup.opening_moves) {
    const chess::MoveText read = chess::read_uci(game.position, text, castling);
    const auto* move = std::get_if<chess::ReadMove>(&read);
    if (move == nullptr) break;
    game.last_move = text;
    game.position.play(move->move);
    ++game.plies;
  }
  for (const chess::Color side : {chess::Color::white, chess::Color::black}) {
    const clock::TimeControl& control = fact.setup.time_control[index(side)];
    const bool none = control.mode == clock::Mode::infinite || control.periods.empty();
    game.clock[index(side)] = fact.setup.initial_clock[index(side)].value_or(none ? game::Duration::max() : control.periods.front().base);
  }
  game.told = std::chrono::steady_clock::now();
  live_.erase(fact.game);
  live_.emplace(fact.game, Live{std::move(game), record::PgnComposer(fact, {})});
}

void MatchBoard::on(const record::EventJudged& fact) {
  const auto found = live_.find(fact.game);
  if (found == live_.end()) return;
  found->second.pgn.add(fact);
  BoardGame& game = found->second.game;
  game.at = std::max(game.at, fact.event.at);
  game.told = std::chrono::steady_clock::now();
  if (const auto* turn = std::get_if<game::TurnStarted>(&fact.event.body)) game.running = turn->side;
  for (const game::Ruling& ruling : fact.rulings) {
    if (const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body)) {
      game.position.play(accepted->move);
      game.last_move = accepted->uci;
      game.last_san = accepted->san;
      ++game.plies;
      game.clock[index(accepted->side)] = accepted->remaining;
      game.running.reset();
      game.claimant.reset();
      if (fact.search) game.search[index(accepted->side)] = fact.search;
    } else if (const auto* clocks = std::get_if<game::ClocksChanged>(&ruling.body)) {
      game.clock = {clocks->white, clocks->black};
      game.running = clocks->running;
      if (game.phase == game::Phase::awaiting_arbiter && std::holds_alternative<game::ArbiterOrder>(fact.event.body)) {
        game.phase = game::Phase::playing;
        game.claimant.reset();
        game.question.clear();
      }
    } else if (const auto* awaiting = std::get_if<game::AwaitingArbiter>(&ruling.body)) {
      game.phase = game::Phase::awaiting_arbiter;
      game.claimant = awaiting->claimant;
      game.question = awaiting->question;
      game.article = ruling.article;
      game.running.reset();
    } else if (std::holds_alternative<game::Paused>(ruling.body)) {
      game.phase = game::Phase::paused;
      game.question = "play is interrupted";
      game.article = ruling.article;
      game.running.reset();
    } else if (std::holds_alternative<game::Adjourned>(ruling.body)) {
      game.phase = game::Phase::adjourned;
      game.question = "adjourned, a move is sealed";
      game.article = ruling.article;
      game.running.reset();
    } else if (std::holds_alternative<game::Resumed>(ruling.body)) {
      game.phase = game::Phase::playing;
      game.question.clear();
    } else if (std::holds_alternative<game::GameOver>(ruling.body)) {
      game.phase = game::Phase::over;
      game.running.reset();
    }
  }
}

void MatchBoard::on(const record::GameEnded& fact) {
  record::GameRow row;
  if (const auto live = live_.find(fact.game); live != live_.end()) {
    const record::GameStarted& started = live->second.game.started;
    row.game = fact.game;
    row.attempt = started.attempt;
    row.round = started.round;
    row.pair = started.pair;
    row.white = started.white;
    row.black = started.black;
    row.opening = started.opening;
    row.started = started.at;
    std::erase_if(just_ended_, [&fact](const auto& ended) { return ended.first == fact.game; });  // an earlier attempt
    just_ended_.emplace_back(fact.game, live->second.pgn.text(&fact));
    if (just_ended_.size() > just_ended_shown) just_ended_.pop_front();
    live_.erase(live);
  } else if (const EndedGame* before = games_.find(fact.game)) {
    row = before->row();  // the result of a finished game was changed
  } else {
    return;
  }
  row.ended = fact.at;
  row.outcome = fact.outcome;
  row.plies = fact.plies;
  row.duration = fact.duration;
  row.counted = fact.counted;
  standings_.set(row);
  put(row);
  ++results_version_;
}

void MatchBoard::on(const record::GameVoided& fact) {
  live_.erase(fact.game);
  standings_.remove(fact.game);
  ++results_version_;
  const EndedGame* before = games_.find(fact.game);
  record::GameRow row = before == nullptr ? record::GameRow{} : before->row();
  row.game = fact.game;
  row.voided = true;
  put(row);
}

void MatchBoard::on(const record::EngineFault& /*fact*/) { ++faults_; }

void MatchBoard::on(const record::PlanExtended& fact) { planned_ = fact.expected_games; }

MatchBoard::Counts MatchBoard::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts;
  counts.planned = planned_;
  counts.faults = faults_;
  counts.finished = finished_;
  counts.voided = voided_;
  for (const auto& [number, live] : live_) {
    if (live.game.phase == game::Phase::adjourned)
      ++counts.halted;
    else
      ++counts.running;
  }
  return counts;
}

EndedGames MatchBoard::games() const {
  const std::lock_guard lock(mutex_);
  return games_;
}

std::uint64_t MatchBoard::results_version() const {
  const std::lock_guard lock(mutex_);
  return results_version_;
}

std::vector<match::StandingsRow> MatchBoard::standings() const {
  const std::lock_guard lock(mutex_);
  std::vector<match::StandingsRow> rows = standings_.rows();
  if (kind_ == config::ScheduleKind::knockout) match::rank_by_rounds(rows, course_, engines_);
  return rows;
}

match::Course MatchBoard::course() const {
  const std::lock_guard lock(mutex_);
  return course_;
}

std::vector<BoardGame> MatchBoard::running() const {
  const std::lock_guard lock(mutex_);
  std::vector<BoardGame> games;
  for (const auto& [number, live] : live_) games.push_back(live.game);
  return games;
}

std::optional<BoardGame> MatchBoard::running(int game) const {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(game);
  if (found == live_.end()) return std::nullopt;
  return found->second.game;
}

std::string MatchBoard::live_pgn() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [number, pgn] : just_ended_) text += pgn;
  for (const auto& [number, live] : live_) text += live.pgn.text(nullptr);
  return text;
}

}  // namespace referee::daemon
