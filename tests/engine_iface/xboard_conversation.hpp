// XBoard engines that have come so far.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conversation.hpp"

namespace referee::engine::test {

inline constexpr std::string_view modern =
    "feature ping=1 setboard=1 usermove=1 sigint=0 sigterm=0 colors=0 name=1 reuse=1 myname=\"Modern 1.0\" done=1";

inline Conversation listening(ProtocolSettings settings = {}) {
  Conversation engine(make_xboard_protocol(std::move(settings)));
  engine.start();
  return engine;
}

/// Past the features and the first ping or silence.
inline Conversation xboard_greeted(std::string_view features = modern, ProtocolSettings settings = {}) {
  auto engine = listening(std::move(settings));
  engine.says(features);
  if (engine.sent().find("ping 1\n") != std::string::npos) {
    engine.says("pong 1");
  } else {
    engine.wait(milliseconds(200));
  }
  REQUIRE(engine.count<Ready>() == 1);
  engine.clear();
  return engine;
}

inline void answer_ping(Conversation& engine) {
  const auto text = engine.sent();
  const auto at = text.rfind("ping ");
  if (at == std::string::npos) {
    engine.wait(milliseconds(200));
  } else {
    engine.says("pong " + text.substr(at + 5, text.size() - at - 6));
  }
}

inline NewGame timed_game(std::string_view control, std::string_view fen = "startpos", const std::vector<std::string>& moves = {}) {
  auto game = new_game(fen, moves);
  game.time_control = std::get<clock::TimeControl>(clock::parse_time_control(control));
  return game;
}

inline Conversation xboard_in_game(const NewGame& game = timed_game("60+1"), std::string_view features = modern) {
  auto engine = xboard_greeted(features);
  engine.new_game(game);
  answer_ping(engine);
  REQUIRE(engine.count<Ready>() == 1);
  engine.clear();
  return engine;
}

/// A game in which it is the engine's turn, with White, at the start position.
inline Conversation thinking(std::string_view features = modern) {
  auto engine = xboard_in_game(timed_game("60+1"), features);
  engine.think(game_line("startpos", {}), clocks(seconds(60), seconds(60), seconds(1)));
  engine.clear();
  return engine;
}

}  // namespace referee::engine::test
