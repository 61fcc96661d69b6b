#include "referee/game/game.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "referee/game/words.hpp"
#include "referee/laws/event_rules.hpp"
#include "referee/laws/mating.hpp"

namespace referee::game {

using chess::index;
using chess::opposite;

namespace {

clock::PlayerClock make_clock(const GameSetup& setup, const laws::Edition& edition, Color side) {
  clock::ClockRules rules = edition.clock;
  if (rules.flag == clock::FlagRule::elapsed_exceeds_remaining_margin) rules.margin += setup.margin[index(side)];
  clock::PlayerClock clock(setup.time_control[index(side)], rules);
  if (const auto& given = setup.initial_clock[index(side)]) clock.set_remaining(*given);
  return clock;
}

laws::Category category_of(const GameSetup& setup, const laws::Edition& edition) {
  return setup.category ? *setup.category : laws::categorize(edition, setup.time_control[index(Color::white)]);
}

}  // namespace

Game::Game(GameSetup setup, std::shared_ptr<const laws::Edition> edition)
    : setup_(std::move(setup)),
      edition_(std::move(edition)),
      position_(setup_.start),
      history_(setup_.start),
      clocks_{{make_clock(setup_, *edition_, Color::white), make_clock(setup_, *edition_, Color::black)}},
      category_(category_of(setup_, *edition_)),
      illegal_moves_(setup_.illegal_moves) {
  constexpr std::size_t usual_length = 160;  // half-moves
  moves_.reserve(usual_length);
  Rulings unheard;  // nobody is listening yet; the outcome tells
  bool over = judge_board(unheard);
  for (const std::string& text : setup_.opening_moves) {
    if (over) return;
    const chess::MoveText read_text = read(text, MoveNotation::uci);
    const auto* found = std::get_if<chess::ReadMove>(&read_text);
    if (found == nullptr) throw std::invalid_argument("opening move " + text + ": " + std::get<chess::MoveTextError>(read_text).message);
    play(found->move, {found->move, chess::to_uci(position_, found->move, castling()), chess::to_san(position_, found->move)});
    ++opening_plies_;
    over = judge_board(unheard);
  }
  if (!over) claim_by_policy(unheard);
}

Rulings Game::apply(const Event& event) {
  Rulings out;
  const bool report = std::holds_alternative<EvaluationReported>(event.body) || std::holds_alternative<WinnabilityVerdict>(event.body);
  if (!report) now_ = std::max(now_, event.at);
  if (phase_ == Phase::over && !std::holds_alternative<WinnabilityVerdict>(event.body) &&
      !std::holds_alternative<ArbiterOrder>(event.body)) {
    ignore(out, "the game is over");
    return out;
  }
  if (settles_flag(event.body)) {
    settle_flag(out);
    if (!out.empty() && (phase_ == Phase::over || phase_ == Phase::awaiting_arbiter)) {
      // The move or claim comes too late; an order of the arbiter still stands for itself.
      if (const auto* order = std::get_if<ArbiterOrder>(&event.body)) on(out, *order);
      return out;
    }
  }
  std::visit([&](const auto& body) { on(out, body); }, event.body);
  return out;
}

std::optional<Color> Game::draw_offer() const noexcept {
  const Color side = position_.side_to_move();
  if (offers_[index(opposite(side))]) return opposite(side);
  if (offers_[index(side)]) return side;
  return std::nullopt;
}

std::optional<Duration> Game::flag_at() const noexcept {
  if (!running_) return std::nullopt;
  const auto after = clocks_[*running_].flag_after();
  if (!after) return std::nullopt;
  // Longer than any time that can be given, increments may add up to more than can be told.
  return running_since_ + std::clamp(*after - for_clock(*running_, Duration::zero()), Duration::zero(), clock::longest_time);
}

bool Game::claimable(ClaimRule claim) const noexcept {
  const auto draw_rule = claim == ClaimRule::threefold ? laws::DrawRule::repetition : laws::DrawRule::no_progress;
  return laws::claim_holds(*edition_, draw_rule, position_, history_);
}

bool Game::claimable(ClaimRule claim, chess::Move intended) const noexcept {
  const auto draw_rule = claim == ClaimRule::threefold ? laws::DrawRule::repetition : laws::DrawRule::no_progress;
  return laws::claim_holds_after(*edition_, draw_rule, position_, history_, intended);
}

std::optional<EnvelopeNotes> Game::envelope() const {
  if (phase_ != Phase::adjourned || !envelope_) return std::nullopt;
  return EnvelopeNotes{envelope_->sealer, position_.fullmove_number(), clocks_[Color::white].remaining(), clocks_[Color::black].remaining(),
                       draw_offer(),      envelope_->resumption};
}

bool operator==(const Game& a, const Game& b) {
  const auto state = [](const Game& game) {
    return std::tie(game.setup_, game.category_, game.position_, game.history_, game.clocks_, game.moves_, game.opening_plies_, game.plies_,
                    game.phase_, game.outcome_, game.now_, game.running_, game.running_since_, game.charged_, game.refusals_, game.touched_,
                    game.sealing_, game.required_moves_, game.offers_, game.illegal_moves_, game.unclaimed_illegal_move_, game.flag_down_,
                    game.lateness_waived_, game.exempt_in_period_, game.question_, game.claimant_, game.postponed_claim_,
                    game.postponed_bonus_given_, game.fallen_flag_, game.envelope_, game.adjudicator_, game.cannot_mate_since_,
                    game.undecided_);
  };
  return a.edition_->id == b.edition_->id && state(a) == state(b);
}

bool Game::recording_exempt(Color side) const noexcept {
  return exempt_in_period_[index(side)] == clocks_[side].period() || laws::recording_exempt(*edition_, clocks_[side]);
}

// The clock ------------------------------------------------------------------------------------------------------------

bool Game::settles_flag(const EventBody& body) const noexcept {
  if (!running_) return false;
  return !std::holds_alternative<EvaluationReported>(body) && !std::holds_alternative<WinnabilityVerdict>(body) &&
         !std::holds_alternative<FlagClaimed>(body) && !std::holds_alternative<BothFlagsDown>(body);
}

void Game::settle_flag(Rulings& out) {
  const Color side = *running_;
  if (!clocks_[side].flag_falls(for_clock(side, elapsed()))) return;
  const bool players_call = edition_->flag_called_by[static_cast<std::size_t>(category_)] == laws::FlagCaller::player_only;
  if (players_call && !edition_->auto_claim) {
    flag_down_[index(side)] = true;  // B7: the arbiter must not signal it
    return;
  }
  flag_fell(out, side);
}

void Game::start_clock(Color side) noexcept {
  running_ = side;
  running_since_ = now_;
}

Duration Game::elapsed() const noexcept { return running_ ? now_ - running_since_ : Duration::zero(); }

// A simple delay runs once in a turn: what earlier parts of the turn used of it is not granted again.
Duration Game::for_clock(Color side, Duration elapsed) const noexcept {
  const clock::PlayerClock& clock = clocks_[side];
  if (clock.control().mode != clock::Mode::delay || !has_move(side)) return elapsed;
  return elapsed + std::min(charged_, clock.delay());
}

void Game::stop_clock() noexcept {
  if (!running_) return;
  const Color side = *running_;
  const Duration used = elapsed();
  clocks_[side].charge(for_clock(side, used));
  if (clocks_[side].control().mode == clock::Mode::hourglass) clocks_[opposite(side)].gain(used);
  if (has_move(side)) charged_ += used;
  show_fallen_flag(side);
  note_recording(side);
  running_.reset();
}

// A display whose flag is down shows no less than nothing.
void Game::show_fallen_flag(Color side) noexcept {
  if (flag_down_[index(side)] && clocks_[side].remaining() < Duration::zero()) clocks_[side].set_remaining(Duration::zero());
}

void Game::note_recording(Color side) noexcept {
  if (laws::recording_exempt(*edition_, clocks_[side])) exempt_in_period_[index(side)] = clocks_[side].period();
}

// Words ----------------------------------------------------------------------------------------------------------------

int Game::moves_each() const noexcept {
  // Black's moves are the fewer ones: the number of the move to be made counts White's.
  return position_.fullmove_number() - 1;
}

bool Game::may_agree() const noexcept {
  const int moves = moves_each();
  return laws::agreement_allowed(*edition_, setup_.agreement_forbidden || moves < setup_.agreement_min_moves, moves);
}

chess::CastlingText Game::castling() const noexcept {
  return setup_.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
}

chess::MoveText Game::read(std::string_view text, MoveNotation notation) const {
  switch (notation) {
    case MoveNotation::uci:
      return chess::read_uci(position_, text, castling());
    case MoveNotation::san:
      return chess::read_san(position_, text);
    case MoveNotation::xboard:
      break;
  }
  return chess::read_xboard(position_, text, castling());
}

void Game::rule(Rulings& out, RulingBody body, std::string_view subject, std::string_view decision) const {
  std::string article(subject.empty() ? std::string_view{} : laws::article(*edition_, subject));
  out.push_back({std::move(body), std::move(article), std::string(decision)});
}

void Game::rule_clocks(Rulings& out, std::string_view subject, std::string_view decision) const {
  rule(out, ClocksChanged{clocks_[Color::white].remaining(), clocks_[Color::black].remaining(), running_}, subject, decision);
}

void Game::ignore(Rulings& out, std::string why) const { rule(out, Ignored{std::move(why)}, {}, "ignored"); }

// The end --------------------------------------------------------------------------------------------------------------

void Game::end(Rulings& out, Score score, Reason reason, std::string_view subject, std::string detail) {
  Outcome outcome;
  outcome.score = score;
  outcome.reason = reason;
  outcome.article = laws::article(*edition_, subject);
  outcome.detail = std::move(detail);
  publish(out, std::move(outcome));
}

void Game::end_annulled(Rulings& out, Reason reason, std::string_view subject, std::string detail) {
  Outcome outcome;
  outcome.reason = reason;
  outcome.article = laws::article(*edition_, subject);
  outcome.detail = std::move(detail);
  outcome.annulled = true;
  publish(out, std::move(outcome));
}

void Game::publish(Rulings& out, Outcome outcome) {
  stop_clock();
  phase_ = Phase::over;
  outcome_ = std::move(outcome);
  required_moves_.clear();
  offers_ = {};
  question_ = Question::none;
  sealing_ = false;
  out.push_back({GameOver{*outcome_}, outcome_->article, std::string(code(outcome_->reason))});
}

laws::CanMate Game::can_mate(Color side) const {
  const auto& since = cannot_mate_since_[index(side)];
  if (since && *since <= static_cast<int>(moves_.size())) return laws::CanMate::no;
  return laws::can_mate_under(edition_->timeout_draw, position_, side, {setup_.verdict_nodes});
}

bool Game::proven_dead() const { return edition_->dead_position == laws::DeadPositionTest::fide && nobody_can_mate(); }

bool Game::nobody_can_mate() const {
  const auto proven = [this](Color side) {
    const auto& since = cannot_mate_since_[index(side)];
    if (since && *since <= static_cast<int>(moves_.size())) return true;
    return laws::can_mate(position_, side, {setup_.verdict_nodes}).verdict == laws::CanMate::no;
  };
  return proven(position_.side_to_move()) && proven(opposite(position_.side_to_move()));
}

void Game::lose(Rulings& out, const Forfeit& forfeit, std::string detail) {
  if (proven_dead()) return end(out, draw, Reason::dead_position, "dead_position", "neither side could mate any more; " + detail);
  if (forfeit.unwinnable_is_draw) {
    const Color winner = opposite(forfeit.loser);
    const laws::CanMate verdict = can_mate(winner);
    if (verdict == laws::CanMate::no) {
      return end(out, draw, forfeit.drawn, forfeit.subject,
                 detail + ", but " + std::string(title(winner)) + " cannot mate by any series of legal moves");
    }
    if (verdict == laws::CanMate::undecided) {
      end(out, win_for(winner), forfeit.lost, forfeit.subject,
          detail + "; whether " + std::string(title(winner)) + " could mate was not decided");
      outcome_->undecided = true;
      std::get<GameOver>(out.back().body).outcome = *outcome_;
      undecided_ = forfeit;
      return;
    }
  }
  end(out, win_for(opposite(forfeit.loser)), forfeit.lost, forfeit.subject, std::move(detail));
}

}  // namespace referee::game
