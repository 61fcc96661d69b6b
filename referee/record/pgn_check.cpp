#include "referee/record/pgn_check.hpp"

#include <algorithm>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/endings.hpp"
#include "referee/laws/repetition.hpp"
#include "referee/laws/winnability.hpp"
#include "referee/record/pgn_said.hpp"

namespace referee::record {

namespace {

using chess::Color;
using chess::Position;
using laws::Ending;

constexpr std::string_view draw_text = "1/2-1/2";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

std::string side_title(Color color) { return color == Color::white ? "White" : "Black"; }

enum class Variant { standard, chess960, other };

Variant variant_of(const PgnGame& game) {
  const auto tag = game.tag("Variant");
  if (!tag) return Variant::standard;
  const std::string text = lower(*tag);
  for (const std::string_view usual : {"", "?", "standard", "normal", "chess", "from position", "orthodox"})
    if (text == usual) return Variant::standard;
  for (const std::string_view fischer :
       {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "fischer random chess", "freestyle"})
    if (text == fischer) return Variant::chess960;
  return Variant::other;
}

bool is_result(std::string_view text) { return text == "1-0" || text == "0-1" || text == draw_text || text == "*"; }

std::optional<Color> winner_of(std::string_view result) {
  if (result == "1-0") return Color::white;
  if (result == "0-1") return Color::black;
  return std::nullopt;
}

/// How the record says that the game ended.
enum class Way { unsaid, normal, time_forfeit, rules_infraction, abandoned, adjudication, unterminated };

Way way_of(const PgnGame& game) {
  const auto tag = game.tag("Termination");
  if (!tag) return Way::unsaid;
  const std::string text = lower(*tag);
  if (text == "normal") return Way::normal;
  if (text == "time forfeit") return Way::time_forfeit;
  if (text == "rules infraction") return Way::rules_infraction;
  if (text == "abandoned") return Way::abandoned;
  if (text == "adjudication") return Way::adjudication;
  if (text == "unterminated") return Way::unterminated;
  return Way::unsaid;
}

std::string_view words_of(Way way) {
  switch (way) {
    case Way::unsaid:
      return "";
    case Way::normal:
      return "normal";
    case Way::time_forfeit:
      return "time forfeit";
    case Way::rules_infraction:
      return "rules infraction";
    case Way::abandoned:
      return "abandoned";
    case Way::adjudication:
      return "adjudication";
    case Way::unterminated:
      return "unterminated";
  }
  return "";
}

/// One game under inspection.
class Inspection {
 public:
  Inspection(const PgnGame& game, const std::shared_ptr<const laws::Edition>& edition, const laws::Edition& on_moves)
      : game_(game), edition_(edition), on_moves_(on_moves) {}

  CheckedGame run() {
    for (const PgnProblem& problem : game_.problems) report(CheckKind::unreadable, problem.line, 0, problem.text);
    check_result_tag();
    if (game_.cut_off) report_cut_off();
    const Variant variant = variant_of(game_);
    if (variant == Variant::other) {
      out_.not_checked = "variant " + std::string(*game_.tag("Variant"));
      return std::move(out_);
    }
    const auto start = starting_position(variant);
    if (!start) return std::move(out_);
    start_ = *start;
    check_clocks(game_, start_->side_to_move() == Color::white, out_.problems);
    if (!play_moves() || game_.cut_off) return std::move(out_);
    find_dead_position();
    if (ended_at_)
      check_board_result();
    else
      check_open_result();
    check_termination();
    check_said();
    return std::move(out_);
  }

 private:
  void report(CheckKind kind, std::size_t line, std::size_t ply, std::string text, std::string by_law = {}, std::string article = {}) {
    CheckProblem problem{game_.number, line, static_cast<int>(ply), kind, std::move(text), {}, std::move(by_law), std::move(article)};
    if (kind == CheckKind::result_mismatch) problem.result_in_file = game_.result;
    out_.problems.push_back(std::move(problem));
  }
  [[nodiscard]] std::size_t last_line() const { return game_.moves.empty() ? game_.line : game_.moves.back().line; }
  [[nodiscard]] bool chess960() const { return variant_of(game_) == Variant::chess960; }

  void report_cut_off() {
    const auto tag = game_.tag("Result");
    std::string text = "the moves end without a result";
    if (tag && *tag != "*") text += "; the tag's " + std::string(*tag) + " is not to be counted";
    report(CheckKind::cut_off, last_line(), game_.moves.size(), text);
  }

  void check_result_tag() {
    const auto tag = game_.tag("Result");
    if (!tag) return;
    if (!is_result(*tag))
      report(CheckKind::result_mismatch, game_.line, 0, "Result \"" + std::string(*tag) + "\" is none of 1-0, 0-1, 1/2-1/2, *");
    else if (!game_.result.empty() && *tag != game_.result)
      report(CheckKind::result_mismatch, last_line(), 0, "the tag says " + std::string(*tag) + ", the moves end with " + game_.result);
  }

  std::optional<Position> starting_position(Variant variant) {
    const auto fen = game_.tag("FEN");
    const auto set_up = game_.tag("SetUp");
    if (!fen) {
      if (set_up == "1") report(CheckKind::setup, game_.line, 0, "SetUp is 1, but there is no FEN");
      if (variant == Variant::chess960) report(CheckKind::setup, game_.line, 0, "a Chess960 game needs its FEN");
      return Position::initial();
    }
    if (set_up != "1")
      report(CheckKind::setup, game_.line, 0,
             set_up ? "there is a FEN, but SetUp is " + std::string(*set_up) : "there is a FEN without SetUp \"1\"");
    auto read = chess::parse_fen(*fen);
    if (read) return read.position();
    report(CheckKind::setup, game_.line, 0, "FEN: " + std::string(chess::name(read.error().field)) + ": " + read.error().message);
    auto lenient = chess::parse_fen(*fen, chess::FenReading::lenient);
    if (lenient) return lenient.position();
    return std::nullopt;
  }

  /// Plays the record; false if it cannot be played to its end.
  bool play_moves() {
    position_ = start_;
    history_.emplace(*position_);
    find_ending(0);
    for (std::size_t i = 0; i < game_.moves.size(); ++i) {
      const PgnMove& move = game_.moves[i];
      auto read = chess::read_san(*position_, move.san);
      if (const auto* error = std::get_if<chess::MoveTextError>(&read)) {
        const bool torn = game_.cut_off && i + 1 == game_.moves.size();
        played_ = i;
        if (!torn) find_dead_position();
        if (!torn) report_move(i, *error);
        return false;
      }
      const chess::Move legal = std::get<chess::ReadMove>(read).move;
      const bool zeroing = position_->is_zeroing(legal);
      if (!ended_at_) before_ = *position_;
      position_->play(legal);
      history_->record(*position_, zeroing);
      find_ending(i + 1);
    }
    played_ = game_.moves.size();
    return true;
  }

  void report_move(std::size_t index, const chess::MoveTextError& error) {
    const PgnMove& move = game_.moves[index];
    const bool readable = error.fault == chess::MoveTextFault::illegal || error.fault == chess::MoveTextFault::promotion_missing ||
                          move.san == "--" || move.san == "Z0";
    std::string text = error.message;
    if (ended_at_)
      text += "; the game was over after half-move " + std::to_string(*ended_at_) + " by " + std::string(game::code(outcome_->reason));
    report(readable ? CheckKind::illegal_move : CheckKind::unreadable, move.line, index + 1, std::move(text));
  }

  /// If the Laws end the game here, the judge is asked, with everything that was played.
  void find_ending(std::size_t ply) {
    // Asked again only where the judge sees no end (a bound on the work).
    if (ended_at_ || asked_ == 3 || laws::ending_on_board(on_moves_, *position_, *history_) == Ending::none) return;
    ++asked_;
    game::Game judge(setup_from(*start_), edition_);
    for (std::size_t i = 0; i < ply && !judge.outcome(); ++i) {
      const Color side = judge.position().side_to_move();
      judge.apply({game::Duration::zero(), game::TurnStarted{side}});
      judge.apply({game::Duration::zero(), game::MoveReceived{side, game_.moves[i].san, game::MoveNotation::san}});
    }
    if (!judge.outcome() || judge.moves().size() != ply) return;
    ended_at_ = ply;
    outcome_ = judge.outcome();
    dead_ = *position_;
  }

  /// A dead position stays dead, so the last one before what else ended the game tells whether there is anything to look for, and the
  /// first is found by halving.
  void find_dead_position() {
    if (edition_->dead_position != laws::DeadPositionTest::fide) return;
    if (ended_at_ && (*ended_at_ == 0 || outcome_->reason == game::Reason::checkmate)) return;
    if (!nobody_can_mate(ended_at_ ? *before_ : *position_)) return;
    const std::size_t last = ended_at_ ? *ended_at_ - 1 : played_;
    std::vector<Position> positions{*start_};
    for (std::size_t ply = 0; ply < last; ++ply)
      positions.push_back(positions.back().after(std::get<chess::ReadMove>(chess::read_san(positions.back(), game_.moves[ply].san)).move));
    const auto first =
        std::partition_point(positions.begin(), positions.end(), [](const Position& position) { return !nobody_can_mate(position); });
    ended_at_ = static_cast<std::size_t>(first - positions.begin());
    outcome_ =
        game::Outcome{game::draw, game::Reason::dead_position, std::string(laws::article(*edition_, "dead_position")), {}, false, false};
    dead_ = *first;
  }
  [[nodiscard]] static laws::Winnability asked_deeply(const Position& position, Color winner) {
    return laws::can_mate(position, winner, {game::GameSetup{}.verdict_nodes});
  }
  [[nodiscard]] static bool nobody_can_mate(const Position& position) {
    for (const Color side : {position.side_to_move(), chess::opposite(position.side_to_move())})
      if (asked_deeply(position, side).verdict != laws::CanMate::no) return false;
    return true;
  }
  [[nodiscard]] static std::string proof_that_cannot(const Position& position, Color winner) {
    return side_title(winner) + ": " + std::string(laws::name(asked_deeply(position, winner).proof));
  }
  void add_proof_of_death() {
    if (outcome_->reason != game::Reason::dead_position || out_.problems.empty() || !dead_) return;
    out_.problems.back().proof = proof_that_cannot(*dead_, Color::white) + "; " + proof_that_cannot(*dead_, Color::black);
  }

  [[nodiscard]] game::GameSetup setup_from(const Position& position) const {
    game::GameSetup setup;
    setup.start = position;
    setup.chess960 = chess960();
    for (auto& control : setup.time_control) control.periods = {{0, think_limit, {}, {}}};
    return setup;
  }
  static constexpr game::Duration think_limit = std::chrono::hours(1000);

  void check_board_result() {
    const std::string lawful(game::pgn_result(*outcome_));
    for (CheckProblem& problem : out_.problems) {  // where tag and end mark differ, the board decides between them
      if (problem.kind != CheckKind::result_mismatch) continue;
      problem.result_by_law = lawful;
      problem.article = outcome_->article;
    }
    const std::size_t line = *ended_at_ == 0 ? game_.line : game_.moves[*ended_at_ - 1].line;
    const std::string ending = std::string(game::code(outcome_->reason));
    const bool played_on = *ended_at_ < game_.moves.size();
    if (game_.result != lawful) {
      std::string text = "the game ended by " + ending + " with " + lawful + ", the record says " + game_.result;
      if (played_on) text += " after " + std::to_string(game_.moves.size() - *ended_at_) + " more half-moves";
      report(CheckKind::result_mismatch, line, *ended_at_, std::move(text), lawful, outcome_->article);
      add_proof_of_death();
    } else if (played_on) {
      report(CheckKind::termination, line, *ended_at_, "the game ended by " + ending + " here, but play went on", lawful,
             outcome_->article);
      add_proof_of_death();
    } else if (const Way way = way_of(game_);
               way == Way::time_forfeit || way == Way::rules_infraction || way == Way::abandoned || way == Way::unterminated) {
      report(CheckKind::termination, line, *ended_at_,
             "the game ended by " + ending + " on the board, Termination says " + std::string(words_of(way)), lawful, outcome_->article);
    }
  }

  /// A result that the board does not give: what the Laws say to a lost flag and to a resignation.
  void check_open_result() {
    const auto winner = winner_of(game_.result);
    if (!winner) return;
    const Way way = way_of(game_);
    const Color loser = chess::opposite(*winner);
    game::Game judge(setup_from(*position_), edition_);
    if (way == Way::time_forfeit) {
      // It may have moved and not yet pressed the clock. Who is on turn then is no matter to who can mate.
      if (loser != position_->side_to_move()) return check_flag_behind_a_move(*winner);
      judge.apply({game::Duration::zero(), game::TurnStarted{loser}});
      judge.apply({2 * think_limit, game::TimeExpired{loser}});
    } else if ((way == Way::normal || way == Way::unsaid) && asked_deeply(*position_, *winner).verdict == laws::CanMate::no) {
      // Nobody is mated, so the loser gave up.
      judge.apply({game::Duration::zero(), game::Resigned{loser}});
    }
    if (!judge.outcome() || judge.outcome()->score != game::draw) return;
    const bool flag = way == Way::time_forfeit;
    report(CheckKind::result_mismatch, last_line(), game_.moves.size(),
           side_title(loser) + (flag ? " lost on time, but " : " gave up, but ") + side_title(*winner) +
               " could not mate by any series of legal moves: a draw",
           std::string(draw_text), judge.outcome()->article);
    out_.problems.back().proof = proof_that_cannot(*position_, *winner);
  }

  /// A flag that fell behind the last move on the board (6.2.1).
  void check_flag_behind_a_move(Color winner) {
    if (!edition_->flag_unwinnable_is_draw || edition_->timeout_draw != laws::DeadPositionTest::fide) return;
    if (asked_deeply(*position_, winner).verdict != laws::CanMate::no) return;
    report(CheckKind::result_mismatch, last_line(), game_.moves.size(),
           side_title(chess::opposite(winner)) + " lost on time, but " + side_title(winner) +
               " could not mate by any series of legal moves: a draw",
           std::string(draw_text), std::string(laws::article(*edition_, "flag")));
    out_.problems.back().proof = proof_that_cannot(*position_, winner);
  }

  void check_termination() {
    const Way way = way_of(game_);
    if (way == Way::unterminated && game_.result != "*")
      report(CheckKind::termination, last_line(), 0, "Termination says unterminated, the result is " + game_.result);
    if (way == Way::normal && game_.result == "*")
      report(CheckKind::termination, last_line(), 0, "Termination says normal, but there is no result");
    // Many organisers draw such games against minor pieces alone, though they could mate with help.
    if (way == Way::time_forfeit && game_.result == draw_text && !ended_at_ && has_major_or_pawn(Color::white) &&
        has_major_or_pawn(Color::black) && can_mate(Color::white) && can_mate(Color::black)) {
      const auto said = said_in_last_comment(game_);
      if (!said || (said->reason != SaidReason::both_flags && said->reason != SaidReason::time))
        report(CheckKind::termination, last_line(), 0, "Termination says time forfeit, but the result is a draw and both players can mate");
    }
    if (way == Way::time_forfeit && game_.tag("TimeControl") == "-")
      report(CheckKind::termination, last_line(), 0, "Termination says time forfeit, but there was no clock (TimeControl \"-\")");
  }

  void check_said() {
    const auto in_tag = said_in_termination(game_);
    if (in_tag && !said_holds(*in_tag)) return;
    if (const auto in_comment = said_in_last_comment(game_)) (void)said_holds(*in_comment);
  }
  /// False when there was something to report.
  bool said_holds(const SaidEnd& said) {
    const std::size_t before = out_.problems.size();
    if (!fits_result(said)) {
      report(CheckKind::result_mismatch, last_line(), game_.moves.size(),
             "the end is said to be \"" + said.words + "\", the result is " + game_.result);
    } else {
      check_said_on_board(said.reason);
    }
    return out_.problems.size() == before;
  }
  [[nodiscard]] bool fits_result(const SaidEnd& said) const {
    const auto known = [](const CheckProblem& problem) { return problem.kind == CheckKind::result_mismatch; };
    if (std::ranges::any_of(out_.problems, known)) return true;
    if (const auto winner = winner_of(game_.result)) return !said.is_draw && said.winner.value_or(*winner) == *winner;
    if (game_.result != draw_text || !said.winner) return true;
    // What loses otherwise is a draw against a player who cannot mate.
    const bool by_loser = said.reason == SaidReason::time || said.reason == SaidReason::resignation || said.reason == SaidReason::forfeit;
    return by_loser && asked_deeply(*position_, *said.winner).verdict != laws::CanMate::yes;
  }
  void check_said_on_board(SaidReason reason) {
    switch (reason) {
      case SaidReason::checkmate:
        if (!position_->is_checkmate()) report_said("checkmate", "the position is none");
        return;
      case SaidReason::stalemate:
        if (!position_->is_stalemate()) report_said("stalemate", "the position is none");
        return;
      case SaidReason::repetition:
        if (!threefold_possible())
          report_said("a threefold repetition", "the position has stood on the board " + times(history_->occurrences()), "threefold");
        return;
      case SaidReason::no_progress:
        if (!fifty_possible())
          report_said("the fifty-move rule",
                      "the last " + std::to_string(position_->halfmove_clock()) + " half-moves were without pawn move or capture", "fifty");
        return;
      case SaidReason::insufficient_material:
      case SaidReason::dead_position: {
        const auto who = who_can_mate();
        // Programs draw the line between minor pieces in their own ways.
        if (who && (reason == SaidReason::dead_position || has_major_or_pawn()))
          report_said(reason == SaidReason::dead_position ? "a dead position" : "insufficient material",
                      side_title(*who) + " can still mate");
        return;
      }
      case SaidReason::agreement:
      case SaidReason::time:
      case SaidReason::both_flags:
      case SaidReason::resignation:
      case SaidReason::forfeit:
      case SaidReason::adjudication:
        return;
    }
  }
  [[nodiscard]] bool can_mate(Color side) const { return asked_deeply(*position_, side).verdict == laws::CanMate::yes; }
  [[nodiscard]] std::optional<Color> who_can_mate() const {
    for (const Color side : {Color::white, Color::black})
      if (can_mate(side)) return side;
    return std::nullopt;
  }
  [[nodiscard]] bool has_major_or_pawn() const { return has_major_or_pawn(Color::white) || has_major_or_pawn(Color::black); }
  [[nodiscard]] bool has_major_or_pawn(Color side) const {
    const auto any = [&](chess::Role role) { return (position_->pieces(role) & position_->pieces(side)) != 0; };
    return any(chess::Role::pawn) || any(chess::Role::rook) || any(chess::Role::queen);
  }
  void report_said(std::string_view reason, const std::string& but, std::string_view subject = {}) {
    report(CheckKind::termination, last_line(), game_.moves.size(), "the end is said to be by " + std::string(reason) + ", but " + but, {},
           subject.empty() ? std::string() : std::string(laws::article(*edition_, subject)));
  }
  [[nodiscard]] static std::string times(int number) {
    return number == 1 ? "once" : number == 2 ? "twice" : std::to_string(number) + " times";
  }

  // Also with a move that was only announced, and so is not in the record (9.2a, 9.3a).
  [[nodiscard]] bool threefold_possible() const {
    if (history_->occurrences() >= 3) return true;
    for (const chess::Move move : position_->legal_moves())
      if (!position_->is_zeroing(move) && history_->occurrences_with(position_->after(move)) >= 3) return true;
    return false;
  }
  [[nodiscard]] bool fifty_possible() const {
    if (position_->halfmove_clock() >= 100) return true;
    if (position_->halfmove_clock() < 99) return false;
    const chess::MoveList moves = position_->legal_moves();
    return std::any_of(moves.begin(), moves.end(), [&](chess::Move move) { return !position_->is_zeroing(move); });
  }

  const PgnGame& game_;
  const std::shared_ptr<const laws::Edition>& edition_;
  const laws::Edition& on_moves_;  // what is asked after every move
  CheckedGame out_;
  std::optional<Position> start_;
  std::optional<Position> position_;
  std::optional<Position> before_;  // the last move that did not come after an end
  std::size_t played_ = 0;          // moves that could be
  std::optional<laws::RepetitionHistory> history_;
  std::optional<std::size_t> ended_at_;  // half-moves
  std::optional<game::Outcome> outcome_;
  std::optional<Position> dead_;  // where it ended
  int asked_ = 0;
};

}  // namespace

std::string_view name(CheckKind kind) noexcept {
  switch (kind) {
    case CheckKind::unreadable:
      return "unreadable";
    case CheckKind::illegal_move:
      return "illegal_move";
    case CheckKind::cut_off:
      return "cut_off";
    case CheckKind::result_mismatch:
      return "result_mismatch";
    case CheckKind::termination:
      return "termination";
    case CheckKind::clock:
      return "clock";
    case CheckKind::setup:
      return "setup";
  }
  return "";
}

PgnChecker::PgnChecker(const std::shared_ptr<const laws::Edition>& edition) {
  // Draws that a host claims for its players are no law that a record could break.
  auto adapted = std::make_shared<laws::Edition>(*edition);
  adapted->auto_claim_draws = laws::AutoClaimDraws::never;
  // Whether a position is dead is asked once a game, at its end.
  auto on_moves = std::make_shared<laws::Edition>(*adapted);
  if (on_moves->dead_position == laws::DeadPositionTest::fide) on_moves->dead_position = laws::DeadPositionTest::off;
  on_moves_ = std::move(on_moves);
  edition_ = std::move(adapted);
}

CheckedGame PgnChecker::check(const PgnGame& game) const { return Inspection(game, edition_, *on_moves_).run(); }

}  // namespace referee::record
