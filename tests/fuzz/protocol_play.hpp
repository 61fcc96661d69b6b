// A protocol machine under any order of orders, lines, ends and expired limits. Input: one step a line; a line that begins with '@' is an
// order or an event (its second character says which), any other line comes from the engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "engine_iface/protocol.hpp"
#include "referee/chess/notation.hpp"

namespace referee::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

class ProtocolPlay {
 public:
  explicit ProtocolPlay(std::unique_ptr<engine::Protocol> machine) : machine_(std::move(machine)) {
    game_.line.chess960 = false;
    game_.opponent_name = "Other";
  }

  void play(std::string_view text) {
    step([&](engine::Effects& out) { machine_->start(now_, out); });
    std::size_t count = 0;
    while (!text.empty() && ++count <= 2000) {
      const auto end = std::min(text.find('\n'), text.size());
      const auto line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      now_ += std::chrono::milliseconds(1);
      if (line.size() >= 2 && line[0] == '@') {
        order(line[1], line.substr(2));
      } else {
        step([&](engine::Effects& out) { machine_->line(line, now_, out); });
      }
    }
  }

 private:
  void order(char what, std::string_view rest) {
    using namespace referee::engine;
    ThinkRequest request;
    request.line = &game_.line;
    request.clocks.has_clock = rest.empty();
    request.draw_offered = rest == "d";
    switch (what) {
      case 'n':
        game_.line.plies.clear();
        game_.line.current = game_.line.start;
        game_.ponder = rest == "p";
        game_.line.chess960 = rest == "9";
        if (rest == "d") game_.limits.depth = 3;
        step([&](Effects& out) { machine_->new_game(game_, now_, out); });
        break;
      case 't':
        ++thinks_;
        step([&](Effects& out) { machine_->think(request, now_, out); });
        break;
      case 'm':
        add_first_move();
        break;
      case 'u':
        if (!game_.line.plies.empty()) {
          game_.line.plies.pop_back();
          game_.line.current = game_.line.start;
          for (const auto& ply : game_.line.plies) game_.line.current.play(ply.move);
        }
        break;
      case 'p':
        step([&](Effects& out) { machine_->ponder(request, "a2a3", now_, out); });
        break;
      case 'h':
        ++thinks_;
        step([&](Effects& out) { machine_->ponder_hit(request, now_, out); });
        break;
      case 's':
        step([&](Effects& out) { machine_->stop(now_, out); });
        break;
      case 'r':
        step([&](Effects& out) { machine_->notify_result("1-0", rest, now_, out); });
        break;
      case 'q':
        step([&](Effects& out) { machine_->quit(now_, out); });
        break;
      case 'e':
        step([&](Effects& out) { machine_->end_of_file(now_, out); });
        break;
      case 'x':
        step([&](Effects& out) { machine_->exited(ExitStatus{static_cast<int>(rest.size() % 3), std::nullopt}, now_, out); });
        break;
      case 'k':
        step([&](Effects& out) { machine_->exited(ExitStatus{std::nullopt, 11}, now_, out); });
        break;
      case 'l':
        for (const auto limit : {Limit::start, Limit::ready, Limit::stop, Limit::quit, Limit::write, Limit::exit}) {
          if (!rest.empty() && rest[0] == static_cast<char>('0' + static_cast<int>(limit))) {
            step([&](Effects& out) { machine_->limit_expired(limit, now_, out); });
          }
        }
        break;
      case 'i':
        machine_->set_info_interest(static_cast<InfoInterest>(rest.size() % 3));
        break;
      default:
        break;
    }
  }

  void add_first_move() {
    auto& line = game_.line;
    if (!line.current.has_legal_move()) return;
    const auto move = line.current.legal_moves()[0];
    line.plies.push_back(
        {chess::to_uci(line.current, move, chess::CastlingText::king_two_squares), chess::to_san(line.current, move), move});
    line.current.play(move);
  }

  template <class F>
  void step(F act) {
    using namespace referee::engine;
    effects_.clear();
    act(effects_);
    const bool was_over = over_;
    for (const auto& message : effects_.messages) {
      require(!over_);  // nothing is said after the end
      if (std::holds_alternative<Answer>(message)) require(++answers_ <= thinks_);
      if (std::holds_alternative<Failure>(message)) {
        require(!std::get<Failure>(message).detail.empty());
        require(effects_.kill);
        over_ = true;
      }
      if (std::holds_alternative<Bye>(message)) over_ = true;
      if (const auto* leniency = std::get_if<Leniency>(&message)) require(leniency->line.size() < 300 && ++leniencies_ < 64);
    }
    require(effects_.messages.size() < 100 + 2 * 2000);
    if (was_over) require(effects_.to_send.empty() && !effects_.go_sent && !effects_.kill);
    if (!effects_.to_send.empty()) {
      require(effects_.to_send.back() == '\n');
      require(effects_.to_send.find_first_of(std::string_view("\r\0", 2)) == std::string::npos);
      // An engine that hangs at its start is nudged by empty lines; no other words hold one.
      const bool nudge = effects_.to_send.find_first_not_of('\n') == std::string::npos;
      require(nudge || effects_.to_send.find("\n\n") == std::string::npos);
    }
  }

  std::unique_ptr<engine::Protocol> machine_;
  engine::Effects effects_;
  engine::Instant now_{std::chrono::seconds(1)};
  engine::NewGame game_;
  int thinks_ = 0, answers_ = 0, leniencies_ = 0;
  bool over_ = false;
};

}  // namespace referee::fuzz
