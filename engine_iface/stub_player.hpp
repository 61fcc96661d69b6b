// The board of a stub engine and the moves it plays when its script has nothing to say: always the legal move whose UCI text comes first in
// the alphabet. Speaks enough UCI and XBoard to get through any game.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

class StubPlayer {
 public:
  explicit StubPlayer(ProtocolKind protocol) noexcept : protocol_(protocol) {}

  /// Keeps the board up to date. True if the line asks for a move, now or (go ponder, go infinite) later.
  bool follow(std::string_view line);
  /// What the stub says to the line by itself; empty = nothing.
  [[nodiscard]] std::string reply(std::string_view line, bool asked);
  /// The script has answered in its place: the move asked for is not owed any more.
  void answered_by_script() noexcept { owed_ = false; }
  /// What the script has printed, in pieces as it likes: an XBoard engine's board goes on by the moves in it.
  void printed_by_script(std::string_view bytes);

  [[nodiscard]] std::optional<std::string> first_move() const;

 private:
  bool follow_uci(std::string_view line);
  bool follow_xboard(std::string_view line);
  void follow_edit(std::string_view line);
  [[nodiscard]] std::string reply_uci(std::string_view line, bool asked);
  [[nodiscard]] std::string reply_xboard(std::string_view line, bool asked);
  void go_on_by(std::string_view line);
  void set_up(std::string_view fen);

  ProtocolKind protocol_;
  chess::Position position_ = chess::Position::initial();
  bool chess960_ = false;
  bool owed_ = false;  // a search that waits for stop or ponderhit
  // XBoard
  bool forced_ = false;
  chess::Color own_ = chess::Color::black;
  std::vector<chess::Position> history_;
  std::optional<std::string> editing_;  // 64 letters, a1 first
  bool editing_black_ = false;
  std::string printed_;  // the line that is not ended yet
};

}  // namespace referee::engine
