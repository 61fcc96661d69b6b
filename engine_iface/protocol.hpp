// The two engine protocols as pure state machines: lines, ends of file, exits and expired limits go in with their time; lines to send,
// limits to set and messages come out (DESIGN section 3). UciProtocol and XboardProtocol are peers behind this interface.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/clock/time_control.hpp"

namespace referee::engine {

using Duration = std::chrono::nanoseconds;
/// CLOCK_MONOTONIC in nanoseconds. The pure machines only compare and pass on.
using Instant = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;

enum class ProtocolKind { uci, xboard };
[[nodiscard]] std::string_view name(ProtocolKind kind) noexcept;

/// Every wait has a name, a limit and a default that real engines meet.
enum class Limit {
  start,  // uciok, the end of XBoard's features
  ready,  // readyok, pong
  stop,   // bestmove after stop
  quit,   // exit after quit
  write,  // the engine reads what it is sent (kept by the byte layer, answered here)
  exit,   // exit status after end of file, or end of file after exit
};
struct Timeouts {
  Duration start = std::chrono::seconds(35);
  Duration ready = std::chrono::seconds(35);
  Duration stop = std::chrono::seconds(5);
  Duration quit = std::chrono::seconds(5);
  Duration write = std::chrono::seconds(15);
  Duration think = std::chrono::hours(1);  // a turn without a clock; kept by the game
  Duration exit = std::chrono::seconds(1);
  Duration features = std::chrono::seconds(5);          // XBoard: silence this long means version 1
  Duration nudge = std::chrono::milliseconds(400);      // XBoard: silence this long during the greeting is met with a nudge
  Duration features_extended = std::chrono::hours(1);   // XBoard: after done=0
  Duration terminate = std::chrono::milliseconds(500);  // XBoard: from quit to SIGTERM
  Duration settle = std::chrono::milliseconds(100);     // XBoard without ping: what arrives this soon after a barrier is stale
};

struct EngineOption {
  std::string name;
  std::string value;
};

struct SearchLimits {
  std::optional<int> depth;
  std::optional<std::uint64_t> nodes;
  std::optional<Duration> move_time;
  std::optional<int> mate;
  /// Is there one that every search reaches? A mate of that length may not be there.
  [[nodiscard]] bool end_every_search() const noexcept { return depth || nodes || move_time; }
  friend bool operator==(const SearchLimits&, const SearchLimits&) = default;
};

/// What the clocks show when the turn starts; the protocol writes them in its own units, never below 1.
struct ClockReport {
  bool has_clock = false;
  Duration white{}, black{};
  Duration white_increment{}, black_increment{};
  std::optional<int> moves_to_go;  // of the side to move
};

/// The game so far, for an engine: start position and the moves in both notations. Moves only grow within one game.
struct GameLine {
  chess::Position start = chess::Position::initial();
  bool chess960 = false;
  struct Ply {
    std::string uci;
    std::string san;
    chess::Move move;
  };
  std::vector<Ply> plies;
  chess::Position current = chess::Position::initial();  // after all plies
};

struct NewGame {
  GameLine line;                            // with the opening moves already in it
  std::size_t opening_plies = 0;            // of them: forced ones, for which no clock runs
  chess::Color side = chess::Color::white;  // this engine's colour
  clock::TimeControl time_control;          // this engine's (XBoard level/st)
  SearchLimits limits;
  std::string opponent_name;
  bool opponent_is_computer = true;
  std::optional<int> rating, opponent_rating;
  bool ponder = false;
};

struct ThinkRequest {
  const GameLine* line = nullptr;  // never null; alive until think() returns
  ClockReport clocks;
  std::vector<chess::Move> search_moves;  // empty = all
  bool draw_offered = false;              // the opponent's offer is pending (XBoard: `draw`)
};

struct Score {
  std::optional<int> centipawns;  // from the engine's own point of view, side to move
  std::optional<int> mate;        // moves, negative = being mated
  enum class Bound : std::uint8_t { exact, lower, upper } bound = Bound::exact;
};
/// One thinking line, as reported (UCI `info`, XBoard thinking output).
struct SearchInfo {
  std::optional<int> depth, selective_depth;
  std::optional<Score> score;
  std::optional<std::uint64_t> nodes, nodes_per_second, tablebase_hits;
  std::optional<Duration> time;
  std::optional<int> hash_full_permille;
  std::optional<int> multipv;
  std::string pv;   // move texts, blank-separated, unchecked
  std::string raw;  // the line itself
};

// Messages: what the engine did, for GameSession.
struct Ready {};  // handshake done / new game prepared: may be asked to think
struct GoSent {
  Instant at;
};                   // a search that had to be held back has left (said by Engine, see Effects::go_sent)
struct Answer {      // exactly one for each think
  std::string move;  // text as received
  std::optional<std::string> ponder;
  Instant at;  // its bytes were readable
};
struct Info {
  SearchInfo info;
};
struct DrawOffer {
  Instant at;
};
struct Resignation {
  Instant at;
};
struct ResultClaim {
  int white_score = 0, black_score = 0;
  std::string text;
  Instant at;
};  // hundredths
struct IllegalMoveClaim {
  std::string text;
  Instant at;
};  // engine refuses a move of the opponent's
enum class FailureKind {
  not_executed,  // the program itself did not come to run
  crash,
  disconnect,
  stall,
  protocol_error,
};
struct Failure {
  FailureKind kind;
  std::string detail;
  Instant at;
};
struct Leniency {
  std::string what;
  std::string line;
};  // logged once each, shown in the compliance report
struct Complaint {
  std::string what;
};              // option unknown or out of range, XBoard Error line ...: warned of at start
struct Bye {};  // engine ended after quit, as it should
using Message =
    std::variant<Ready, GoSent, Answer, Info, DrawOffer, Resignation, ResultClaim, IllegalMoveClaim, Failure, Leniency, Complaint, Bye>;

/// How the process ended.
struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;
};

/// What a step of the machine wants done. The caller empties it (clear() keeps the memory).
struct Effects {
  std::string to_send;     // whole lines, each ends in \n
  bool interrupt = false;  // XBoard sigint=1: SIGINT before to_send
  bool terminate = false;  // XBoard sigterm=1: SIGTERM
  bool kill = false;       // give up on the process
  bool go_sent = false;    // to_send starts a search, or is the ponderhit: the clock runs from its leaving
  struct LimitChange {
    Limit limit;
    std::optional<Instant> deadline;
  };  // nullopt = clear
  std::vector<LimitChange> limits;
  std::vector<Message> messages;
  void clear() {
    to_send.clear();
    interrupt = terminate = kill = go_sent = false;
    limits.clear();
    messages.clear();
  }
};

/// What the engine said of itself in the handshake.
struct EngineIdentity {
  std::string name, author;
  struct DeclaredOption {
    std::string name, type, default_value;
    std::optional<long long> min, max;
    std::vector<std::string> choices;
  };
  std::vector<DeclaredOption> options;
  std::map<std::string, std::string> features;  // XBoard
};

/// Which thinking lines become Info messages. A line that is not wanted is never parsed.
enum class InfoInterest : std::uint8_t {
  last,        // the last one with a score, just before the Answer
  each_depth,  // and, as the search goes on, the last one of each finished depth
  every_line,  // all of them, at once (a line that XBoard engines continue in the next is told without its end)
};

/// UCI cannot write an empty string value in one way that all engines read.
enum class EmptyValue : std::uint8_t { marker /* value <empty> */, blank /* value and nothing */ };

struct ProtocolSettings {
  std::vector<EngineOption> options;  // sent after the handshake, Hash first
  Timeouts timeouts;
  std::string fallback_name;  // until the engine names itself
  bool strict_move_text = false;
  EmptyValue empty_value = EmptyValue::marker;
};

class Protocol {
 public:
  virtual ~Protocol() = default;
  [[nodiscard]] virtual ProtocolKind kind() const noexcept = 0;
  [[nodiscard]] virtual const EngineIdentity& identity() const noexcept = 0;

  // Orders. Each may be given only in the state its comment names; what the engine is not ready for is held back inside the machine.
  virtual void start(Instant now, Effects& out) = 0;                          // once; ends in Ready or Failure
  virtual void new_game(const NewGame& game, Instant now, Effects& out) = 0;  // idle; ends in Ready or Failure
  /// Ready; ends in exactly one Answer (or claim, resignation, Failure). Usually out.go_sent is set at once; it is held back, and comes out
  /// of a later step, while the answer to a stop or a barrier is outstanding.
  virtual void think(const ThinkRequest& request, Instant now, Effects& out) = 0;
  virtual void ponder(const ThinkRequest& request, std::string_view guess, Instant now,
                      Effects& out) = 0;  // after own Answer; guess = expected reply, UCI text
  virtual void ponder_hit(const ThinkRequest& request, Instant now, Effects& out) = 0;  // the guess was played: the clock runs from now
  virtual void stop(Instant now, Effects& out) = 0;        // a ponder miss or an aborted think: its answer is swallowed
  virtual void offer_draw(Instant now, Effects& out) = 0;  // the opponent's, while this engine thinks
  virtual void notify_result(std::string_view result, std::string_view comment, Instant now, Effects& out) = 0;  // game over: idle again
  virtual void quit(Instant now, Effects& out) = 0;  // any state; ends in Bye or kill

  // What happens.
  virtual void line(std::string_view text, Instant at, Effects& out) = 0;  // without its line end
  virtual void end_of_file(Instant at, Effects& out) = 0;
  virtual void exited(const ExitStatus& status, Instant at, Effects& out) = 0;
  virtual void limit_expired(Limit limit, Instant at, Effects& out) = 0;

  virtual void set_info_interest(InfoInterest interest) noexcept = 0;  // each_depth until told otherwise

  /// May the engine be used for another game (XBoard reuse=0, v1)?
  [[nodiscard]] virtual bool reusable() const noexcept = 0;
  /// Plays Chess960 (UCI_Chess960 option, variants feature)?
  [[nodiscard]] virtual bool supports_chess960() const noexcept = 0;
  /// It may be asked to think while its opponent does.
  [[nodiscard]] virtual bool supports_pondering() const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<Protocol> make_uci_protocol(ProtocolSettings settings);
[[nodiscard]] std::unique_ptr<Protocol> make_xboard_protocol(ProtocolSettings settings);

}  // namespace referee::engine
