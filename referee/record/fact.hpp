// The facts of a match, as a closed variant: what the referee thread hands to the recorder, what the journal stores, what every view
// (PGN, live PGN, event stream, standings, page) is made from. Facts of one game are in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/game/event.hpp"
#include "referee/game/game.hpp"
#include "referee/game/ruling.hpp"

namespace referee::record {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// A search's last word before its move, for annotations and statistics. From the mover's point of view.
struct SearchReport {
  std::optional<int> depth, selective_depth;
  std::optional<int> centipawns, mate;
  std::optional<std::uint64_t> nodes, nodes_per_second, tablebase_hits;
  std::optional<game::Duration> time;
  std::string pv;  // UCI or SAN as the engine wrote it
};

struct MatchStarted {
  WallTime at;
  std::string plan_digest;
  bool resumed = false;
};
struct GameStarted {
  int game = 0;     // plan number, from 1
  int attempt = 1;  // replayed games count up
  WallTime at;
  std::string white, black;  // engine names of the match file
  int round = 1, pair = 1;
  std::string opening;  // name or EPD id of the line, for people
  std::string event, site;
  std::string date = {};  // of the event, as a PGN tag has it; empty: the day of the game
  std::string edition;    // id
  game::GameSetup setup;
};
struct EventJudged {
  int game = 0;
  game::Event event;
  game::Rulings rulings;
  std::optional<SearchReport> search;         // with a move
  bool book = false;                          // a move of the engine's own book, played for it
  std::optional<game::Duration> referee_lag;  // the referee's own lateness on this move
};
struct EngineWarning {
  int game = 0;
  int ply = 0;
  std::string engine;
  std::string kind;
  std::string text;
  std::string line;
};
struct EngineFault {
  int game = 0;
  std::string engine;
  game::Reason reason;
  std::string detail;
  std::string log; /* last lines of both sides */
};
struct GameEnded {
  int game = 0;
  WallTime at;
  game::Outcome outcome;
  int plies = 0;
  game::Duration duration{};
  bool counted = true;
};
struct GameVoided {
  int game = 0;
  std::string why;
};
struct EngineWithdrawn {
  std::string engine;
  std::string why;
  int planned_games = 0;  // that the plan had then: rounds drawn up later are without it
};
/// A new engine has taken another's place in the plan; the old one's games are void.
struct EngineReplaced {
  std::string engine;
  std::string by;
};
/// A plan that grows with its results has grown.
struct PlanExtended {
  int planned_games = 0;   // now
  int expected_games = 0;  // of the whole match, as far as it can be told
};
/// A finished game has another result now. Rounds that were drawn up before, until `planned_games` stood, used the old one, and stand.
struct ResultChanged {
  int game = 0;
  game::Score was;
  int planned_games = 0;
};
/// A Swiss schedule gives points without play: the bye, or what a withdrawn opponent leaves.
struct PointsGiven {
  int round = 1;
  std::string engine;
  int points = 0;   // in hundredths
  int games = 1;    // that they stand for
  std::string why;  // bye, walkover
};
/// How a sequential test stands, each time a pair has counted.
struct SprtStanding {
  int pairs = 0;
  double llr = 0, lower = 0, upper = 0;
  std::string state;  // continue accept_h0 accept_h1
};
struct ChangeAccepted {
  std::string what;
};
struct MatchPaused {
  WallTime at;
  std::string why;
};
struct MatchFinished {
  WallTime at;
  bool complete = true;
};

using Fact =
    std::variant<MatchStarted, GameStarted, EventJudged, EngineWarning, EngineFault, GameEnded, GameVoided, EngineWithdrawn, ChangeAccepted,
                 MatchPaused, MatchFinished, EngineReplaced, PlanExtended, SprtStanding, PointsGiven, ResultChanged>;

/// One JSON object, no newline. What `output.events` holds a line of, and what the journal stores of events and rulings.
/// Times are milliseconds with the decimals that make them exact to the nanosecond (`*_ms`; as a string from 2^48 ns on, where a
/// double would round), instants UTC in ISO 8601, positions X-FEN, moves UCI text. What is empty or default is left out.
void append_json(std::string& out, const Fact& fact);
/// The same without the name of the fact and the number of the game: what the journal keeps of events that turn_text.hpp has no short form
/// for.
void append_event(std::string& out, const EventJudged& judged);
/// The array under its key "rulings".
void append_rulings(std::string& out, const game::Rulings& rulings);

/// Text that is not a fact: says what and where.
class FactError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The exact inverse of append_json. Throws FactError.
[[nodiscard]] Fact parse_fact(std::string_view json);
/// A JSON array of append_event objects and of append_turn arrays, all of one game. Throws FactError.
[[nodiscard]] std::vector<EventJudged> parse_events(std::string_view json, int game);

/// "2026-11-30T04:30:20.123Z"
void append_time(std::string& out, WallTime time);
/// Throws FactError.
[[nodiscard]] WallTime parse_time(std::string_view text);

/// Somebody who is told each fact once it is durable, on the recorder's thread. Facts of one game come in order.
class View {
 public:
  virtual ~View() = default;
  virtual void see(const Fact& fact) = 0;
  /// After each durable batch (flush files, redraw).
  virtual void batch_done() {}
  /// Every few milliseconds while the match is busy, for views that limit their own rate.
  virtual void tick() {}
  /// The longest this view likes to wait for events of a running game; ended games come at once.
  [[nodiscard]] virtual std::chrono::milliseconds patience() const noexcept { return std::chrono::milliseconds{1000}; }
};

}  // namespace referee::record
