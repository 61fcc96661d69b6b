// The UCI protocol as a referee speaks it (PROTOCOLS 2): a pure state machine.
//
//   fresh -> greeting -> syncing <-> idle -> searching | pondering -> idle
//                                      ^        | stop
//                                      +-- stopping (its bestmove is swallowed)
//
// One `go` has exactly one `bestmove`. What arrives when none is due is surplus and dropped; an engine that has sent one is not trusted
// again: from then on `isready` stands before each `go`, so that everything written earlier is known to be stale (IL-03 in the cases).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine_iface/info_keeper.hpp"
#include "engine_iface/protocol_base.hpp"

namespace referee::engine {

class UciProtocol final : public ProtocolBase {
 public:
  explicit UciProtocol(ProtocolSettings settings);

  [[nodiscard]] ProtocolKind kind() const noexcept override { return ProtocolKind::uci; }

  void start(Instant now, Effects& out) override;
  void new_game(const NewGame& game, Instant now, Effects& out) override;
  void think(const ThinkRequest& request, Instant now, Effects& out) override;
  void ponder(const ThinkRequest& request, std::string_view guess, Instant now, Effects& out) override;
  void ponder_hit(const ThinkRequest& request, Instant now, Effects& out) override;
  void stop(Instant now, Effects& out) override;
  void offer_draw(Instant, Effects&) override {}  // UCI has no word for it
  void notify_result(std::string_view result, std::string_view comment, Instant now, Effects& out) override;
  void line(std::string_view text, Instant at, Effects& out) override;

  [[nodiscard]] bool reusable() const noexcept override { return true; }
  [[nodiscard]] bool supports_chess960() const noexcept override;
  [[nodiscard]] bool supports_pondering() const noexcept override;

 private:
  enum class State : std::uint8_t { fresh, greeting, syncing, idle, searching, pondering, stopping };
  enum class Search : std::uint8_t { plain, ponder };
  /// A search that waits for a bestmove or a readyok.
  struct HeldSearch {
    Search search;
    std::string position, go;
  };

  [[nodiscard]] std::string occupation() const override;
  void protocol_limit_expired(Limit limit, Instant at, Effects& out) override;

  // What the engine says.
  void read_handshake(std::string_view text, Instant at, Effects& out);
  void read_info(std::string_view text, Effects& out);
  void read_best_move(std::string_view text, Instant at, Effects& out);
  void read_ready(Instant at, Effects& out);
  void read_registration(std::string_view text, Effects& out);
  void read_copy_protection(std::string_view text, Instant at, Effects& out);

  // What is said to it.
  void greeted(Instant at, Effects& out);
  void send_user_options(Effects& out);
  void set_if_changed(std::string_view name, std::string_view value, Effects& out);
  void send_option(const EngineIdentity::DeclaredOption& option, std::string_view value, Effects& out);
  void begin_game(const NewGame& game, Instant now, Effects& out);
  void sync(Instant now, Effects& out);
  void begin_search(Search search, const ThinkRequest& request, std::string_view guess, Instant now, Effects& out);
  void send_held(Instant now, Effects& out);
  void release_held(Effects& out);
  void search_left(Search search, Effects& out);
  void now_idle(Instant now, Effects& out);
  void update_position(const GameLine& line);
  void append_go(std::string& out, Search search, const ThinkRequest& request) const;
  void answer(std::string_view move, std::string_view ponder_move, Instant at, Effects& out);

  State state_ = State::fresh;
  bool greeted_ = false;
  bool announce_ready_ = false;                                 // the sync under way ends in Ready
  bool trusts_order_ = true;                                    // no surplus bestmove so far
  int ready_due_ = 0;                                           // readyoks outstanding
  std::string last_words_;                                      // of an engine that never says uciok
  std::map<std::string, std::string, std::less<>> set_values_;  // options that the referee changes between games

  std::optional<NewGame> waiting_game_;  // ordered while a stop was outstanding
  std::optional<HeldSearch> held_;
  std::optional<std::string> early_answer_;  // the bestmove of a ponder search that ended by itself

  std::string position_;  // "position startpos moves e2e4 ...", grows with the game
  std::size_t position_plies_ = 0;
  chess::Move position_last_move_;
  std::string limits_;  // " depth 12 nodes 5000", fixed for a game

  InfoKeeper infos_;
};

}  // namespace referee::engine
