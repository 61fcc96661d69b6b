// One game being played: the only place where an engine's message becomes an Event. engine::Message -> game::Event -> Game::apply ->
// Rulings -> the next think, or the end. Callbacks on one io_context; nothing here blocks.
//
// The path from an answer to the other side's `go` is: parse, legality, clock, one write. Everything else (the record, checks of the
// search output) is handed on after that write.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/engine.hpp"
#include "referee/game/game.hpp"
#include "referee/match/host_watch.hpp"
#include "referee/match/lateness.hpp"
#include "referee/match/plan.hpp"
#include "referee/match/pulse.hpp"
#include "referee/match/search_checks.hpp"
#include "referee/match/tablebase.hpp"
#include "referee/match/worker.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/recorder.hpp"

namespace referee::match {

/// Is there somebody who decides what the Laws leave to an arbiter? Without one such a question is answered with no, and play that was
/// stopped ends.
enum class Arbiter { none, at_hand };

/// What a session needs from its match; outlives it.
struct SessionContext {
  boost::asio::io_context& io;
  const MatchPlan& plan;
  engine::DeadlineQueue& deadlines;
  record::Recorder& recorder;
  Worker& worker;
  Arbiter arbiter = Arbiter::none;
  const Tablebase* tables = nullptr;  // games they know are ended
  const HostWatch* watch = nullptr;   // a host that was too busy is told of
  Pulse* pulse = nullptr;             // asked before anything is decided: a pause of the referee's own ends the game without a result
};

/// The engine's part in how the game ended.
struct SeatReport {
  std::optional<game::Reason> fault;  // what it did wrong in this game, if anything
  std::string detail;
  bool unusable = false;  // its process is gone or may not be asked again
};
struct SessionResult {
  game::Outcome outcome;
  int plies = 0;
  game::Duration duration{};
  std::array<SeatReport, 2> seats;     // by colour
  bool aborted = false;                // the match ended it, nobody lost
  bool replay = false;                 // it does not count and is played once more: after an engine's fault if the match file says so, or
                                       // (aborted too) because the referee itself could have decided it
  bool annulled_for_lateness = false;  // the referee's, in reading an answer
  bool adjourned = false;              // no end: the engines are given back, and the session waits for play() once more
};

/// Has the game its one replay after a fault (`faults: {crash: replay_once}`) still before it?
enum class FaultReplay { available, spent };

/// Which of the attempts at a game this is.
struct Attempt {
  int number = 1;
  FaultReplay replay = FaultReplay::available;
  int annulled_for_lateness = 0;  // of those before
};

class GameSession {
 public:
  using Done = std::function<void(SessionResult)>;

  /// Throws std::invalid_argument if the opening is not legal.
  GameSession(SessionContext context, const PlannedGame& planned, Attempt attempt, Done done);
  ~GameSession();
  GameSession(const GameSession&) = delete;
  GameSession& operator=(const GameSession&) = delete;

  /// Goes on with a game that an earlier run left in the middle: its events are applied again, the clocks stand meanwhile.
  void restore(const record::RecordedGame& recorded);

  /// The opening ends the game (or the restored events did): no engine is needed, record_at_once() tells it.
  [[nodiscard]] bool over_already() const noexcept { return game_.outcome().has_value(); }
  void record_at_once();

  /// `engines`: by colour, started and idle; they and their listeners are the session's until it is done. Prepares both, then plays.
  /// `done` is called once, on the io_context's thread, never from inside an order to the session.
  void play(std::array<engine::Engine*, 2> engines);
  /// The match stops: result "*", to be replayed by its next run; or left as it stands in the journal, to be continued; or the match goes
  /// on, and the game is annulled and played again.
  enum class Abort { replay, leave_running, play_again };
  void abort(std::string why, Abort how);

  /// An order of an arbiter or operator, or what a player says through one: judged at this instant, and acted upon. An adjournment ends
  /// with `done` and a result that says so; when an order has the game resumed, phase() is playing and play() may be called again.
  /// Needs: not finished().
  game::Rulings order(game::EventBody body);

  [[nodiscard]] const game::Game& game() const noexcept { return game_; }
  [[nodiscard]] const PlannedGame& planned() const noexcept { return planned_; }
  [[nodiscard]] bool finished() const noexcept { return stage_ == Stage::finished; }

 private:
  /// Facts that are handed to the recorder at once.
  static constexpr std::size_t facts_a_post = 32;

  enum class Stage { waiting, preparing, playing, finished };
  struct Seat {
    engine::Engine* engine = nullptr;
    const config::EngineEntry* entry = nullptr;
    game::MoveNotation notation = game::MoveNotation::uci;
    bool ready = false;
    bool pondering = false;
    bool unusable = false;
    std::string guess;                       // UCI text of the reply it ponders on
    std::optional<std::string> ponder_wish;  // of its last answer
    std::vector<engine::SearchInfo> infos;   // of the running think
    std::string failure;                     // in the engine's or the system's words
    std::optional<game::Reason> fault;
  };

  /// The wait for a move while no clock runs: as long for each search that the engine is asked for, and nothing it says during one makes
  /// it longer.
  struct ClocklessWait {
    bool sealing = false;
    engine::Instant until{};
  };

  void start_record();
  void hear(chess::Color side, engine::Message& message);
  void on(chess::Color side, const engine::Ready& message);
  void on(chess::Color side, const engine::GoSent& message);
  void on(chess::Color side, const engine::Answer& message);
  void on(chess::Color side, engine::Info& message);
  void on(chess::Color side, const engine::DrawOffer& message);
  void on(chess::Color side, const engine::Resignation& message);
  void on(chess::Color side, const engine::ResultClaim& message);
  void on(chess::Color side, const engine::IllegalMoveClaim& message);
  void on(chess::Color side, const engine::Failure& message);
  void on(chess::Color side, const engine::Leniency& message);
  void on(chess::Color side, const engine::Complaint& message);
  void on(chess::Color side, const engine::Bye& message);

  game::Rulings& judge(engine::Instant at, game::EventBody body);
  void claim(chess::Color side, engine::Instant at, game::EventBody body);
  [[nodiscard]] Doubt doubt_about(chess::Color side, engine::Instant answered) const;
  void annul_for_lateness(chess::Color side, const engine::Answer& message);
  void ask_tables(engine::Instant at);
  void claim_with_move(chess::Color side, const engine::Answer& message);
  void on_silence_after_claim();
  void next_turn();
  void halt();
  void adjourn();
  void begin_time();
  /// begin_time() of a game that goes on: what passed since it was interrupted is nobody's time, its clock stands until the engines are
  /// ready.
  void hold_clock();
  /// The instant at which its flag falls, or until which it is waited for.
  void limit_turn(chess::Color side, engine::Instant at);
  /// It goes on thinking after what was judged: a clock that was stopped runs again, and the flag may fall at another instant.
  void think_on(engine::Instant at);
  /// Plays the move that the engine's own book has here, if any.
  bool play_book_move(chess::Color side);
  void measure_lag(engine::Instant at);
  void turn_started(chess::Color side, engine::Instant at);
  void start_pondering(chess::Color side);
  void on_flag(engine::Instant now);
  void finish();
  void warn_of_busy_host();
  /// Fills in what the seats are to blame for, and says it as facts.
  [[nodiscard]] std::vector<record::Fact> faults_of(SessionResult& result);
  void hand_on();
  void post_held();
  void check_search(chess::Color side, bool was_played);
  void warn(chess::Color side, std::string kind, std::string text, std::string line);
  [[nodiscard]] engine::ClockReport clock_report(chess::Color side) const;
  [[nodiscard]] engine::ThinkRequest think_request(chess::Color side) const;
  [[nodiscard]] game::Duration event_time(engine::Instant at) const noexcept { return at - began_ + restored_; }
  [[nodiscard]] engine::Instant instant_of(game::Duration at) const noexcept { return began_ + (at - restored_); }
  [[nodiscard]] engine::Instant last_instant() const noexcept { return began_ + (std::max(last_event_, restored_) - restored_); }
  [[nodiscard]] Seat& seat(chess::Color side) noexcept { return seats_[chess::index(side)]; }
  [[nodiscard]] const Seat& seat(chess::Color side) const noexcept { return seats_[chess::index(side)]; }
  void follow_moves();

  SessionContext context_;
  PlannedGame planned_;
  Attempt attempt_;
  Done done_;
  game::Game game_;
  engine::GameLine line_;
  std::array<Seat, 2> seats_;
  std::shared_ptr<SearchChecks> checks_;  // touched by the worker alone
  Stage stage_ = Stage::waiting;
  std::optional<HostDelays> host_before_;
  engine::Instant began_{};
  bool timed_ = false;         // began_ is set
  bool held_ = false;          // the clock stands since the game was interrupted
  game::Duration restored_{};  // event time at which a restored game goes on
  bool recorded_ = false;      // GameStarted is in the journal
  std::optional<chess::Color> thinking_;
  std::optional<chess::Color> awaiting_go_;
  std::optional<engine::Instant> answered_at_;  // of the move before the turn that is being started
  std::size_t lag_fact_ = 0;                    // place in unposted_ of the fact that gets the lag
  bool lag_due_ = false;
  bool left_running_ = false;
  bool play_again_ = false;  // annulled for a reason of the referee's own
  bool annulled_for_lateness_ = false;
  std::vector<record::Fact> unposted_;
  game::Duration last_event_{};
  std::vector<SearchOutput> unchecked_;
  std::optional<ClocklessWait> wait_;
  std::size_t claims_at_ply_ = 0;
  int claims_instead_of_move_ = 0;
  engine::Deadline flag_;
  engine::Deadline hold_;         // until then what the game has to tell waits for more
  engine::Deadline after_claim_;  // a claim that did not end the game: is its move still coming?
};

}  // namespace referee::match
