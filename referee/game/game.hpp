// The judge. A value: copyable, comparable, deterministic; it reads no clock, no file and no socket.
//
//   Game game(setup, edition);
//   Rulings r = game.apply({at, TurnStarted{Color::white}});
//   r = game.apply({at + 2s, MoveReceived{Color::white, "e2e4"}});
//   if (game.outcome()) ...
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/chess/notation.hpp"
#include "referee/chess/position.hpp"
#include "referee/clock/clock.hpp"
#include "referee/game/event.hpp"
#include "referee/game/outcome.hpp"
#include "referee/game/ruling.hpp"
#include "referee/laws/edition.hpp"

namespace referee::game {

/// Host rules, after every rule of the board (DESIGN section 2, "order on arrival of a move"). All off by default.
struct Adjudication {
  struct DrawRule { int move_number = 0; int move_count = 0; int score = 0; bool reset_on_zeroing = false; };  // full moves of both sides; centipawns
  struct ResignRule { int move_count = 0; int score = 0; bool two_sided = false; };
  std::optional<DrawRule> draw;
  std::optional<ResignRule> resign;
  std::optional<int> max_moves;  // full-move number after which the game is drawn
};

struct GameSetup {
  chess::Position start = chess::Position::initial();
  bool chess960 = false;                        // castling is read and written as king takes rook
  std::vector<std::string> opening_moves;       // UCI text, already on the board before anybody is asked; no time charged
  std::array<clock::TimeControl, 2> time_control;   // by colour (odds)
  std::array<Duration, 2> margin{};             // by colour; added to the edition's own
  std::array<std::optional<Duration>, 2> initial_clock; // a game that goes on from given clocks
  std::optional<laws::Category> category;       // default: from White's time control by the edition
  laws::Supervision supervision = laws::Supervision::adequate;
  std::optional<Duration> event_default_time;   // overrides the edition's
  bool guidelines_iii = false;                  // quickplay finish announced for the event
  bool agreement_forbidden = false;             // event rule 9.1.1
  Adjudication adjudication;
};

enum class Phase { playing, awaiting_arbiter, paused, adjourned, over };

class Game {
 public:
  /// Judges the set-up position too: an opening may already be over (then outcome() is set and opening moves after it are not played).
  Game(GameSetup setup, std::shared_ptr<const laws::Edition> edition);

  /// The only way a game changes. Events after the end give Ignored. Event times never run backwards (a smaller time counts as the last one).
  Rulings apply(const Event& event);

  [[nodiscard]] const GameSetup& setup() const noexcept;
  [[nodiscard]] const laws::Edition& edition() const noexcept;
  [[nodiscard]] const chess::Position& position() const noexcept;
  [[nodiscard]] const clock::Clocks& clocks() const noexcept;
  [[nodiscard]] const std::optional<Outcome>& outcome() const noexcept;
  [[nodiscard]] Phase phase() const noexcept;
  /// Moves accepted so far, opening included; what PGN and the engines see.
  struct PlayedMove { chess::Move move; std::string uci; std::string san; };
  [[nodiscard]] const std::vector<PlayedMove>& moves() const noexcept;
  [[nodiscard]] std::size_t opening_plies() const noexcept;
  /// Whose clock runs, and since when (event time).
  [[nodiscard]] std::optional<Color> running() const noexcept;
  [[nodiscard]] Duration running_since() const noexcept;
  [[nodiscard]] std::optional<Color> draw_offer() const noexcept;   // side whose offer is pending
  [[nodiscard]] int occurrences() const noexcept;                   // of the position on the board, start included
  [[nodiscard]] int illegal_moves(Color side) const noexcept;
  /// Moves that count as an answer now (touch-move on a replacement, an announced move after a wrong claim); empty = any legal move.
  [[nodiscard]] const std::vector<chess::Move>& required_moves() const noexcept;
  /// Event time at which the running clock's flag falls if nothing happens; nullopt when none runs or it has no limit.
  [[nodiscard]] std::optional<Duration> flag_at() const noexcept;

  friend bool operator==(const Game&, const Game&);

 private:
  // filled in by the owner of game/
};

}  // namespace referee::game
