// A protocol machine, a clock that only the test moves, and everything the machine wanted done.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine_iface/protocol.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"

namespace referee::engine::test {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

/// A game line from a FEN (or startpos) and UCI moves, SAN filled in.
inline GameLine game_line(std::string_view fen, const std::vector<std::string>& moves, bool chess960 = false) {
  const auto start = chess::parse_fen(fen);
  GameLine line;
  line.start = start.position();
  line.chess960 = chess960;
  auto position = line.start;
  const auto castling = chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  for (const auto& text : moves) {
    const auto move = std::get<chess::ReadMove>(chess::read_uci(position, text, castling)).move;
    line.plies.push_back({text, chess::to_san(position, move), move});
    position.play(move);
  }
  line.current = position;
  return line;
}

inline NewGame new_game(std::string_view fen = "startpos", const std::vector<std::string>& moves = {}) {
  NewGame game;
  game.line = game_line(fen, moves);
  game.side = game.line.current.side_to_move();
  return game;
}

inline ClockReport clocks(Duration white, Duration black, Duration increment = {}) {
  ClockReport report;
  report.has_clock = true;
  report.white = white;
  report.black = black;
  report.white_increment = report.black_increment = increment;
  return report;
}

class Conversation {
 public:
  explicit Conversation(std::unique_ptr<Protocol> machine) : protocol(std::move(machine)) {}

  /// What was sent since the last call.
  std::string sent() { return std::exchange(sent_, {}); }
  /// How many messages of the type came since the last clear().
  template <class M>
  [[nodiscard]] std::size_t count() const {
    std::size_t n = 0;
    for (const auto& message : messages) n += std::holds_alternative<M>(message);
    return n;
  }
  /// The latest message of the type; default-made when there is none (tests ask count() first where it matters).
  template <class M>
  [[nodiscard]] M last() const {
    M found{};
    for (const auto& message : messages) {
      if (const auto* m = std::get_if<M>(&message)) found = *m;
    }
    return found;
  }
  [[nodiscard]] bool lenient_about(std::string_view what) const {
    for (const auto& message : messages) {
      if (const auto* m = std::get_if<Leniency>(&message); m != nullptr && m->what.find(what) != std::string::npos) return true;
    }
    return false;
  }
  void clear() {
    messages.clear();
    sent_.clear();
    go_sent = interrupted = terminated = killed = false;
  }

  void start() {
    step([&](Effects& out) { protocol->start(now, out); });
  }
  void new_game(const NewGame& game) {
    step([&](Effects& out) { protocol->new_game(game, now, out); });
  }
  void think(const GameLine& line, const ClockReport& clock = {}) {
    ThinkRequest request;
    request.line = &line;
    request.clocks = clock;
    think(request);
  }
  void think(const ThinkRequest& request) {
    step([&](Effects& out) { protocol->think(request, now, out); });
  }
  void ponder(const GameLine& line, std::string_view guess, const ClockReport& clock = {}) {
    ThinkRequest request;
    request.line = &line;
    request.clocks = clock;
    step([&](Effects& out) { protocol->ponder(request, guess, now, out); });
  }
  void ponder_hit(const GameLine& line) {
    ThinkRequest request;
    request.line = &line;
    step([&](Effects& out) { protocol->ponder_hit(request, now, out); });
  }
  void stop() {
    step([&](Effects& out) { protocol->stop(now, out); });
  }
  void offer_draw() {
    step([&](Effects& out) { protocol->offer_draw(now, out); });
  }
  void notify_result(std::string_view result, std::string_view comment) {
    step([&](Effects& out) { protocol->notify_result(result, comment, now, out); });
  }
  void quit() {
    step([&](Effects& out) { protocol->quit(now, out); });
  }
  void says(std::string_view line) {
    step([&](Effects& out) { protocol->line(line, now, out); });
  }
  void ends_output() {
    step([&](Effects& out) { protocol->end_of_file(now, out); });
  }
  void exits(int code) {
    step([&](Effects& out) { protocol->exited(ExitStatus{code, std::nullopt}, now, out); });
  }
  void dies_of(int signal) {
    step([&](Effects& out) { protocol->exited(ExitStatus{std::nullopt, signal}, now, out); });
  }
  /// The byte layer's limit on writing.
  void does_not_read() {
    step([&](Effects& out) { protocol->limit_expired(Limit::write, now, out); });
  }

  /// Lets time go by; limits that fall due expire in their order.
  void wait(Duration duration) {
    const auto until = now + duration;
    while (true) {
      auto due = deadlines.end();
      for (auto it = deadlines.begin(); it != deadlines.end(); ++it) {
        if (it->second <= until && (due == deadlines.end() || it->second < due->second)) due = it;
      }
      if (due == deadlines.end()) break;
      now = due->second;
      const auto limit = due->first;
      deadlines.erase(due);
      step([&](Effects& out) { protocol->limit_expired(limit, now, out); });
    }
    now = until;
  }

  std::unique_ptr<Protocol> protocol;
  Instant now{seconds(1000)};
  std::vector<Message> messages;
  std::map<Limit, Instant> deadlines;
  bool go_sent = false, interrupted = false, terminated = false, killed = false;

 private:
  template <class F>
  void step(F order) {
    effects_.clear();
    order(effects_);
    sent_ += effects_.to_send;
    for (auto& message : effects_.messages) messages.push_back(std::move(message));
    for (const auto& change : effects_.limits) {
      if (change.deadline) {
        deadlines[change.limit] = *change.deadline;
      } else {
        deadlines.erase(change.limit);
      }
    }
    go_sent |= effects_.go_sent;
    interrupted |= effects_.interrupt;
    terminated |= effects_.terminate;
    killed |= effects_.kill;
  }

  Effects effects_;
  std::string sent_;
};

}  // namespace referee::engine::test
