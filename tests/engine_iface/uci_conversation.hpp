// UCI engines that have come so far.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conversation.hpp"

namespace referee::engine::test {

inline ProtocolSettings with_options(std::vector<EngineOption> options) {
  ProtocolSettings settings;
  settings.options = std::move(options);
  return settings;
}

/// An engine that has said uciok and readyok.
inline Conversation greeted(ProtocolSettings settings = {}, const std::vector<std::string>& declarations = {}) {
  Conversation engine(make_uci_protocol(std::move(settings)));
  engine.start();
  engine.says("id name Probe 1");
  for (const auto& line : declarations) engine.says(line);
  engine.says("uciok");
  engine.says("readyok");
  return engine;
}

inline Conversation in_game(const NewGame& game = new_game(), const std::vector<std::string>& declarations = {}) {
  auto engine = greeted({}, declarations);
  engine.new_game(game);
  engine.says("readyok");
  engine.clear();
  return engine;
}

}  // namespace referee::engine::test
