// The judge. A value: copyable, comparable, deterministic; it reads no clock, no file and no socket.
//
//   Game game(setup, edition);
//   Rulings r = game.apply({at, TurnStarted{Color::white}});
//   r = game.apply({at + 2s, MoveReceived{Color::white, "e2e4"}});
//   if (game.outcome()) ...
//
// On the arrival of a move: flag of the mover, legality, checkmate, stalemate, dead position, automatic repetition, automatic move count,
// host adjudication, offers and claims, clocks. A flag that had fallen by the time stamp of any event of a player or arbiter is settled
// before that event.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/chess/notation.hpp"
#include "referee/chess/position.hpp"
#include "referee/clock/clock.hpp"
#include "referee/game/adjudication.hpp"
#include "referee/game/event.hpp"
#include "referee/game/outcome.hpp"
#include "referee/game/ruling.hpp"
#include "referee/laws/claims.hpp"
#include "referee/laws/edition.hpp"
#include "referee/laws/endings.hpp"
#include "referee/laws/repetition.hpp"
#include "referee/laws/winnability.hpp"

namespace referee::game {

struct GameSetup {
  chess::Position start = chess::Position::initial();
  bool chess960 = false;                                 // castling is read and written as king takes rook
  std::vector<std::string> opening_moves;                // UCI text, already on the board before anybody is asked; no time charged
  std::array<clock::TimeControl, 2> time_control;        // by colour (odds)
  std::array<Duration, 2> margin{};                      // by colour; added to the edition's own, where the edition knows a margin
  std::array<std::optional<Duration>, 2> initial_clock;  // a game that goes on from given clocks
  std::array<int, 2> illegal_moves{};                    // by colour: counted before, in a game that goes on
  std::optional<laws::Category> category;                // default: from White's time control by the edition
  laws::Supervision supervision = laws::Supervision::adequate;
  std::optional<Duration> event_default_time;  // overrides the edition's
  bool guidelines_iii = false;                 // quickplay finish announced for the event
  bool agreement_forbidden = false;            // event rule 9.1.1
  int agreement_min_moves = 0;                 // the same until both sides have made so many moves
  Adjudication adjudication;
  /// Work allowed, in positions looked at, for the question who can still mate when a game is about to end otherwise. Bounded so that a
  /// referee of many games is not held up; what stays open is decided later by a WinnabilityVerdict.
  std::uint64_t verdict_nodes = 200'000;
  friend bool operator==(const GameSetup&, const GameSetup&) = default;
};

enum class Phase { playing, awaiting_arbiter, paused, adjourned, over };

/// What appendix A2 writes on the envelope; the move inside stays secret until it is opened.
struct EnvelopeNotes {
  Color sealer;
  int move_number = 1;
  Duration white_remaining{};
  Duration black_remaining{};
  std::optional<Color> draw_offer;
  Duration resumption{};  // as ordered; zero if none was named
  friend bool operator==(const EnvelopeNotes&, const EnvelopeNotes&) = default;
};

class Game {
 public:
  /// Judges the set-up position too: an opening may already be over (then outcome() is set and opening moves after it are not played).
  /// Throws std::invalid_argument if an opening move is not legal.
  Game(GameSetup setup, std::shared_ptr<const laws::Edition> edition);

  /// The only way a game changes. After the end only a proven dead position and orders about the result change anything; all else gives
  /// Ignored. Event times never run backwards (a smaller time counts as the last one); reports of scores and verdicts stand outside time.
  Rulings apply(const Event& event);

  [[nodiscard]] const GameSetup& setup() const noexcept { return setup_; }
  [[nodiscard]] const laws::Edition& edition() const noexcept { return *edition_; }
  [[nodiscard]] laws::Category category() const noexcept { return category_; }
  [[nodiscard]] const chess::Position& position() const noexcept { return position_; }
  /// As the displays stand; a running clock shows what it showed when it was started.
  [[nodiscard]] const clock::Clocks& clocks() const noexcept { return clocks_; }
  [[nodiscard]] const std::optional<Outcome>& outcome() const noexcept { return outcome_; }
  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  /// Moves accepted so far, opening included; what PGN and the engines see.
  struct PlayedMove {
    chess::Move move;
    std::string uci;
    std::string san;
    friend bool operator==(const PlayedMove&, const PlayedMove&) = default;
  };
  [[nodiscard]] const std::vector<PlayedMove>& moves() const noexcept { return moves_; }
  [[nodiscard]] std::size_t opening_plies() const noexcept { return opening_plies_; }
  /// Half-moves of moves() that belong to the game. Less than all of them only when a late verdict proved that the game had ended before
  /// (the rest is comment); position() then is the one in which it ended.
  [[nodiscard]] std::size_t plies() const noexcept { return plies_; }
  /// Whose clock runs, and since when (event time).
  [[nodiscard]] std::optional<Color> running() const noexcept { return running_; }
  [[nodiscard]] bool sealing() const noexcept { return sealing_; }  // the next move goes into the envelope
  [[nodiscard]] Duration running_since() const noexcept { return running_since_; }
  [[nodiscard]] std::optional<Color> draw_offer() const noexcept;                    // side whose offer is pending
  [[nodiscard]] int occurrences() const noexcept { return history_.occurrences(); }  // of the position on the board, start included
  [[nodiscard]] int illegal_moves(Color side) const noexcept { return illegal_moves_[chess::index(side)]; }
  /// Moves that count as an answer now (touch-move on a replacement, an announced move after a wrong claim); empty = any legal move.
  [[nodiscard]] const std::vector<chess::Move>& required_moves() const noexcept { return required_moves_; }
  /// Event time at which the running clock's flag falls if nothing happens; nullopt when none runs or it has no limit.
  [[nodiscard]] std::optional<Duration> flag_at() const noexcept;
  /// Would a claim of a draw by the side to move be right: on the board, or with `intended` (legal) about to be played?
  [[nodiscard]] bool claimable(ClaimRule rule) const noexcept;
  [[nodiscard]] bool claimable(ClaimRule rule, chess::Move intended) const noexcept;
  /// Set while the game is adjourned.
  [[nodiscard]] std::optional<EnvelopeNotes> envelope() const;
  /// 8.4: the player need not record; from the first time it holds for the rest of the period. Read when the clock stops.
  [[nodiscard]] bool recording_exempt(Color side) const noexcept;

  /// Same setup, same edition (by id) and the same state in every respect.
  friend bool operator==(const Game& a, const Game& b);

 private:
  /// Why a player has lost, and what it becomes if the opponent cannot mate.
  struct Forfeit {
    Color loser;
    Reason lost;
    Reason drawn;
    std::string_view subject;  // key of the edition's articles
    bool unwinnable_is_draw = false;
    friend bool operator==(const Forfeit&, const Forfeit&) = default;
  };
  enum class Question { none, quickplay, increment, fallen_flag };
  struct Envelope {
    Color sealer;
    std::string text;
    MoveNotation notation;
    Duration resumption;
    friend bool operator==(const Envelope&, const Envelope&) = default;
  };
  enum class Credit { increment, none };
  enum class Consequence { reinstated, queen_placed, move_stands };  // of an illegal move, for the board
  struct Action {
    Consequence consequence;
    std::optional<chess::Move> move;  // that stands
  };

  // game.cpp: the frame
  bool settles_flag(const EventBody& body) const noexcept;
  void settle_flag(Rulings& out);
  void start_clock(Color side) noexcept;
  [[nodiscard]] Duration elapsed() const noexcept;
  [[nodiscard]] Duration for_clock(Color side, Duration elapsed) const noexcept;
  void stop_clock() noexcept;
  void show_fallen_flag(Color side) noexcept;
  void note_recording(Color side) noexcept;
  [[nodiscard]] bool has_move(Color side) const noexcept { return side == position_.side_to_move(); }
  [[nodiscard]] int moves_each() const noexcept;
  [[nodiscard]] bool may_agree() const noexcept;
  [[nodiscard]] chess::CastlingText castling() const noexcept;
  [[nodiscard]] chess::MoveText read(std::string_view text, MoveNotation notation) const;
  void rule(Rulings& out, RulingBody body, std::string_view subject = {}, std::string_view decision = {}) const;
  void rule_clocks(Rulings& out, std::string_view subject = {}, std::string_view decision = {}) const;
  void ignore(Rulings& out, std::string why) const;
  void end(Rulings& out, Score score, Reason reason, std::string_view subject, std::string detail);
  void end_annulled(Rulings& out, Reason reason, std::string_view subject, std::string detail);
  void publish(Rulings& out, Outcome outcome);
  void lose(Rulings& out, const Forfeit& forfeit, std::string detail);
  [[nodiscard]] laws::CanMate can_mate(Color side) const;
  [[nodiscard]] bool nobody_can_mate() const;
  [[nodiscard]] bool proven_dead() const;  // and the edition ends the game with it

  // game_moves.cpp: moves, legal and illegal
  void on(Rulings& out, const TurnStarted& event);
  void on(Rulings& out, const MoveReceived& event);
  void on(Rulings& out, const TimeExpired& event);
  void on(Rulings& out, const IllegalMoveClaimed& event);
  void accept(Rulings& out, chess::Move move, std::string note, Credit credit);
  /// On the board, unjudged.
  void carry_out(Rulings& out, chess::Move move, std::string note, Credit credit);
  void complete_clock(Color mover, Credit credit) noexcept;
  void play(chess::Move move, PlayedMove played);
  [[nodiscard]] bool judge_board(Rulings& out);
  [[nodiscard]] bool judge_scores(Rulings& out, Color mover, bool zeroing);
  void claim_by_policy(Rulings& out);
  void reject(Rulings& out, Color side, std::string_view text, IllegalKind kind);
  void refuse_uncounted(Rulings& out, Color side, std::string_view text, IllegalKind kind, std::string_view subject,
                        std::string_view decision);
  void penalise_illegal_move(Rulings& out, Color side, std::string_view text, IllegalKind kind, const Action& action);
  void place_queen(Rulings& out, Color side, std::string_view text, chess::Move move);
  void accept_two_hands(Rulings& out, const MoveReceived& event, chess::Move move);
  void touch(std::string_view text);
  void end_right_to_claim(Color replier) noexcept;
  void flag_fell(Rulings& out, Color side);

  // game_claims.cpp: offers, claims, resignation, flags that players call
  void on(Rulings& out, const DrawOffered& event);
  void on(Rulings& out, const DrawAccepted& event);
  void on(Rulings& out, const DrawDeclined& event);
  void on(Rulings& out, const DrawClaimed& event);
  void on(Rulings& out, const FlagClaimed& event);
  void on(Rulings& out, const BothFlagsDown& event);
  void on(Rulings& out, const QuickplayClaimed& event);
  void on(Rulings& out, const IncrementRequested& event);
  void on(Rulings& out, const Resigned& event);
  void on(Rulings& out, const ResultClaimed& event);
  void offer(Rulings& out, Color side, std::string_view subject);
  void accept_offer(Rulings& out, Color side);
  void withdraw_offer(Rulings& out, Color side);
  void uphold(Rulings& out, Color side, ClaimRule rule);
  void reject_claim(Rulings& out, Color side, const chess::Move* must_play, std::string_view touched);
  void claim_inadmissible(Rulings& out, Color side, std::string why);
  void both_flags_down(Rulings& out);
  void judge_result_claim(Rulings& out, Color side);
  /// A claim or request of the quickplay finish: true if the arbiter has it now, else it is inadmissible.
  bool heard_by_arbiter(Rulings& out, Color claimant, Question question, std::string text);
  [[nodiscard]] std::string_view why_unheard(Color claimant, Question question) const;  // empty: nothing stands against it
  void ask_arbiter(Rulings& out, Color claimant, Question question, std::string text);
  [[nodiscard]] std::optional<ClaimRule> draw_due(Color claimant) const;

  // game_reports.cpp: arrival, failure, scores, verdicts
  void on(Rulings& out, const PlayerArrived& event);
  void on(Rulings& out, const PlayerReady& event);
  void on(Rulings& out, const PlayerLate& event);
  void on(Rulings& out, const EngineFailed& event);
  void on(Rulings& out, const EvaluationReported& event);
  void on(Rulings& out, const TablebaseReported& event);
  void on(Rulings& out, const WinnabilityVerdict& event);
  void on(Rulings& out, const Aborted& event);
  [[nodiscard]] bool too_late(Color side, Duration late) const noexcept;
  void default_loss(Rulings& out, Color side, Duration late);
  struct Board {
    chess::Position position;
    laws::RepetitionHistory history;
  };
  [[nodiscard]] Board board_after(std::size_t ply) const;
  void end_at(Rulings& out, std::size_t ply);

  // game_orders.cpp: the arbiter
  void on(Rulings& out, const ArbiterOrder& order);
  void answer(Rulings& out, const ArbiterOrder& order);
  void change_time(Rulings& out, const ArbiterOrder& order);
  void declare(Rulings& out, const ArbiterOrder& order);
  void set_scores(Rulings& out, const ArbiterOrder& order);
  void interrupt(Rulings& out, const ArbiterOrder& order);
  void report_irregularity(Rulings& out, const ArbiterOrder& order);
  void refuse(Rulings& out, std::string why, std::string_view subject) const;
  // game_adjournment.cpp
  void adjourn(Rulings& out, const ArbiterOrder& order);
  void seal(Rulings& out, Color side, std::string text, MoveNotation notation);
  void open_envelope(Rulings& out, const ArbiterOrder& order);

  GameSetup setup_;
  std::shared_ptr<const laws::Edition> edition_;

  chess::Position position_;
  laws::RepetitionHistory history_;
  clock::Clocks clocks_;
  std::vector<PlayedMove> moves_;
  std::size_t opening_plies_ = 0;
  std::size_t plies_ = 0;
  Phase phase_ = Phase::playing;
  laws::Category category_ = laws::Category::standard;
  std::optional<Outcome> outcome_;
  Duration now_{};

  // The turn of the side to move.
  std::optional<Color> running_;
  Duration running_since_{};
  Duration charged_{};    // thinking time of this turn that its clock has already paid (illegal move, claim, interruption)
  int refusals_ = 0;      // answers refused without being counted
  bool touched_ = false;  // a piece was touched by an illegal move
  bool sealing_ = false;  // the next move goes into the envelope
  std::vector<chess::Move> required_moves_;

  std::array<int, 2> illegal_moves_{};
  std::array<bool, 2> offers_{};
  std::optional<Color> unclaimed_illegal_move_;  // by whom; the opponent may still claim it (B6, C3 of 2005)
  std::array<bool, 2> flag_down_{};              // fallen, and nobody entitled has called it yet
  std::array<bool, 2> lateness_waived_{};
  std::array<std::optional<std::size_t>, 2> exempt_in_period_;  // 8.4

  Question question_ = Question::none;
  std::optional<Color> claimant_;         // of the question
  std::optional<Color> postponed_claim_;  // quickplay claim that the arbiter has not decided yet
  bool postponed_bonus_given_ = false;
  std::optional<Color> fallen_flag_;  // behind a postponed claim
  std::optional<Envelope> envelope_;

  Adjudicator adjudicator_;
  std::array<std::optional<int>, 2> cannot_mate_since_;  // by side: first ply it was proven for; permanent from then on
  std::optional<Forfeit> undecided_;                     // the loss that an open question of winnability may still turn into a draw
};

}  // namespace referee::game
