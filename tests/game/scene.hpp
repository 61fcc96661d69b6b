// A game set up in a line, and words to play it: what the tests of the judge are written in.
#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/game/game.hpp"

namespace referee::game::test {

using namespace std::chrono_literals;
using chess::Color;

inline constexpr Color white = Color::white;
inline constexpr Color black = Color::black;

inline std::shared_ptr<const laws::Edition> edition(const std::string& id) { return config::load_edition(id); }

/// The edition with something changed.
template <class Change>
std::shared_ptr<const laws::Edition> edition_with(const std::string& id, Change change) {
  laws::Edition copy = *config::load_edition(id);
  change(copy);
  return std::make_shared<const laws::Edition>(std::move(copy));
}

inline clock::TimeControl sudden_death(Duration base, Duration increment = {}) {
  return {clock::Mode::increment, {{0, base, increment, {}}}};
}

inline chess::Position position(std::string_view fen) {
  const auto read = chess::parse_fen(fen);
  if (!read) throw std::invalid_argument(read.error().message);
  return read.position();
}

/// Ten minutes each, nothing on top, unless told otherwise.
struct Table {
  std::string_view fen = "startpos";
  std::vector<std::string> moves;
  Duration white_clock = 600s;
  Duration black_clock = 600s;
  Duration increment{};
  laws::Category category = laws::Category::standard;
  laws::Supervision supervision = laws::Supervision::adequate;

  [[nodiscard]] GameSetup setup() const {
    GameSetup setup;
    setup.start = position(fen);
    setup.opening_moves = moves;
    setup.time_control = {sudden_death(white_clock, increment), sudden_death(black_clock, increment)};
    setup.initial_clock = {white_clock, black_clock};
    setup.category = category;
    setup.supervision = supervision;
    return setup;
  }
};

class Scene {
 public:
  Scene(const std::string& edition_id, const Table& table) : game(table.setup(), edition(edition_id)) {}
  Scene(std::shared_ptr<const laws::Edition> rules, const Table& table) : game(table.setup(), std::move(rules)) {}
  Scene(std::shared_ptr<const laws::Edition> rules, GameSetup setup) : game(std::move(setup), std::move(rules)) {}

  Rulings apply(EventBody body) { return last = game.apply({at, std::move(body)}); }
  /// The side's clock is started now.
  Rulings start(Color side) { return apply(TurnStarted{side}); }
  /// Thinks for so long, then sends the text.
  Rulings move(std::string text, Duration used = 1s, MoveNotation notation = MoveNotation::uci) {
    const Color side = game.position().side_to_move();
    start(side);
    at += used;
    return apply(MoveReceived{side, std::move(text), notation});
  }
  void moves(std::initializer_list<const char*> texts) {
    for (const char* text : texts) move(text);
  }
  Rulings order(OrderKind kind, std::optional<Color> side = std::nullopt, Duration time = {}, std::string text = {}) {
    ArbiterOrder order{kind, side, time, 0, 0, std::move(text), false, "arbiter", "seen"};
    return apply(std::move(order));
  }
  Rulings order(ArbiterOrder order) { return apply(std::move(order)); }

  [[nodiscard]] bool over() const { return game.outcome().has_value(); }
  [[nodiscard]] Reason reason() const { return game.outcome() ? game.outcome()->reason : Reason::none; }
  [[nodiscard]] std::string result() const { return game.outcome() ? result_text(*game.outcome()) : "-"; }
  [[nodiscard]] std::string article() const { return game.outcome() ? game.outcome()->article : "-"; }
  [[nodiscard]] Duration clock(Color side) const { return game.clocks()[side].remaining(); }
  /// Did the last event lead to this decision word?
  [[nodiscard]] bool ruled(std::string_view decision) const {
    for (const Ruling& ruling : last) {
      if (ruling.decision == decision) return true;
    }
    return false;
  }
  template <class Body>
  [[nodiscard]] const Body* said() const {
    for (const Ruling& ruling : last) {
      if (const auto* body = std::get_if<Body>(&ruling.body)) return body;
    }
    return nullptr;
  }

  Game game;
  Duration at{};
  Rulings last;
};

inline constexpr const char* all_editions[] = {"fide-2005", "fide-2009", "fide-2014",      "fide-2017",
                                               "fide-2018", "fide-2023", "engine-practice"};
inline constexpr const char* fide_editions[] = {"fide-2005", "fide-2009", "fide-2014", "fide-2017", "fide-2018", "fide-2023"};

}  // namespace referee::game::test
