// What the tests of record/ share: a folder that goes away, games that were really judged, a deterministic source of chance.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "referee/chess/notation.hpp"
#include "referee/game/game.hpp"
#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::record::testing {

class TempFolder {
 public:
  TempFolder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() / ("referee-test-record-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

class Chance {  // xorshift64*
 public:
  explicit Chance(std::uint64_t seed) : state_(seed * 2654435761U + 88172645463325252U) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 2685821657736338717U;
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

inline std::shared_ptr<const laws::Edition> plain_edition() {
  auto edition = std::make_shared<laws::Edition>();
  edition->id = "test";
  edition->clock.initial_increment = false;
  return edition;
}

inline clock::TimeControl seconds_per_game(int base, int increment_ms) {
  clock::TimeControl control;
  control.periods = {{0, std::chrono::seconds(base), std::chrono::milliseconds(increment_ms), {}}};
  return control;
}

inline WallTime wall(int second) {
  return WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 30).time_since_epoch() + std::chrono::seconds(second));
}

inline GameStarted started(int number, int attempt = 1) {
  GameStarted start;
  start.game = number;
  start.attempt = attempt;
  start.at = wall(number);
  start.white = "Anand";
  start.black = "Bronstein";
  start.round = (number + 1) / 2;
  start.pair = (number + 1) / 2;
  start.event = "Test";
  start.site = "Here";
  start.edition = "test";
  start.setup.time_control = {seconds_per_game(60, 100), seconds_per_game(60, 100)};
  return start;
}

/// Facts of one game in which `moves` (UCI) are played and then the side to move resigns; the judge has ruled on every event.
inline std::vector<Fact> played(const GameStarted& start, const std::vector<std::string>& moves, bool with_search = false) {
  std::vector<Fact> facts{start};
  game::Game game(start.setup, plain_edition());
  game::Duration now{};
  const auto feed = [&](game::EventBody body, std::optional<SearchReport> search = {}) {
    EventJudged judged;
    judged.game = start.game;
    judged.event = {now, std::move(body)};
    judged.rulings = game.apply(judged.event);
    judged.search = std::move(search);
    facts.emplace_back(std::move(judged));
  };
  int ply = 0;
  for (const std::string& move : moves) {
    if (game.outcome()) break;
    const chess::Color side = game.position().side_to_move();
    feed(game::TurnStarted{side});
    now += std::chrono::nanoseconds(123456789 + ply * 37000);
    std::optional<SearchReport> search;
    if (with_search) {
      search.emplace();
      search->depth = 10 + ply % 5;
      search->centipawns = ply % 2 == 0 ? 31 : -29;
      search->nodes = 100000U + static_cast<std::uint64_t>(ply);
      search->pv = move;
    }
    feed(game::MoveReceived{side, move}, std::move(search));
    ++ply;
  }
  if (!game.outcome()) feed(game::Resigned{game.position().side_to_move()});
  GameEnded ended;
  ended.game = start.game;
  ended.at = start.at + std::chrono::seconds(60);
  ended.outcome = *game.outcome();
  ended.plies = static_cast<int>(game.plies());
  ended.duration = now;
  facts.emplace_back(ended);
  return facts;
}

/// The facts of one game as a journal gives them back.
inline RecordedGame recorded(const std::vector<Fact>& facts) {
  RecordedGame game;
  for (const Fact& fact : facts) {
    if (const auto* start = std::get_if<GameStarted>(&fact)) game.started = *start;
    if (const auto* judged = std::get_if<EventJudged>(&fact)) game.events.push_back(*judged);
    if (const auto* ended = std::get_if<GameEnded>(&fact)) {
      game.row.outcome = ended->outcome;
      game.row.ended = ended->at;
      game.row.plies = ended->plies;
    }
  }
  game.row.game = game.started.game;
  return game;
}

inline std::vector<std::string> random_moves(std::uint64_t seed, std::size_t plies, chess::Position position = chess::Position::initial()) {
  Chance chance(seed);
  std::vector<std::string> moves;
  while (moves.size() < plies) {
    const chess::MoveList legal = position.legal_moves();
    if (legal.empty()) break;
    const chess::Move move = legal[chance.below(legal.size())];
    moves.push_back(chess::to_uci(position, move, chess::CastlingText::king_two_squares));
    position.play(move);
  }
  return moves;
}

}  // namespace referee::record::testing
