// The XBoard protocol (CECP, versions 1 and 2) as a referee speaks it (PROTOCOLS 1): a pure state machine.
//
//   fresh -> listening (features) -> fenced -> idle -> searching -> idle
//                                      ^________________| stop, end of game
//
// A fence is `ping`, or a short silence where there is no ping: every move that comes before its end is stale. The engine's own board is
// counted in plies, so that a move it made too late, or one that was taken back, is undone before the next search.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine_iface/info_keeper.hpp"
#include "engine_iface/protocol_base.hpp"
#include "engine_iface/xboard_feature.hpp"
#include "engine_iface/xboard_speech.hpp"

namespace referee::engine {

class XboardProtocol final : public ProtocolBase {
 public:
  explicit XboardProtocol(ProtocolSettings settings);

  [[nodiscard]] ProtocolKind kind() const noexcept override { return ProtocolKind::xboard; }

  void start(Instant now, Effects& out) override;
  void new_game(const NewGame& game, Instant now, Effects& out) override;
  void think(const ThinkRequest& request, Instant now, Effects& out) override;
  /// Nothing is sent: an engine told `hard` ponders by itself.
  void ponder(const ThinkRequest& request, std::string_view guess, Instant now, Effects& out) override;
  void ponder_hit(const ThinkRequest& request, Instant now, Effects& out) override;
  void stop(Instant now, Effects& out) override;
  void offer_draw(Instant now, Effects& out) override;
  void notify_result(std::string_view result, std::string_view comment, Instant now, Effects& out) override;
  void line(std::string_view text, Instant at, Effects& out) override;

  [[nodiscard]] bool reusable() const noexcept override { return version_ == 2 && features_.reuse; }
  [[nodiscard]] bool supports_pondering() const noexcept override { return true; }  // hard is known to all
  [[nodiscard]] bool supports_chess960() const noexcept override { return version_ == 2 && features_.plays("fischerandom"); }

 private:
  enum class State : std::uint8_t { fresh, listening, fenced, idle, searching };
  enum class Fence : std::uint8_t { start, game, stop, end };
  struct HeldThink {
    GameLine line;
    ThinkRequest request;
  };

  [[nodiscard]] std::string occupation() const override;
  void protocol_limit_expired(Limit limit, Instant at, Effects& out) override;
  [[nodiscard]] bool terminate_after_quit() const noexcept override { return features_.sigterm; }
  void prepare_quit(Effects& out) override { interrupt_search(out); }

  // What the engine says.
  void hear(const speech::Feature& feature, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Pong& pong, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Move& move, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Result& result, std::string_view line, Instant at, Effects& out);
  void hear(const speech::MateClaim& claim, std::string_view line, Instant at, Effects& out);
  void hear(const speech::NoResult& none, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Resign& resign, std::string_view line, Instant at, Effects& out);
  void hear(const speech::DrawOffer& offer, std::string_view line, Instant at, Effects& out);
  void hear(const speech::IllegalMove& claim, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Error& error, std::string_view line, Instant at, Effects& out);
  void hear(const speech::UserError& error, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Thinking& thinking, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Continuation& continuation, std::string_view line, Instant at, Effects& out);
  void hear(const speech::Ignored&, std::string_view, Instant, Effects&) {}
  void hear(const speech::Noise& noise, std::string_view line, Instant at, Effects& out);
  void claim_result(int white, int black, std::string_view line, Instant at, Effects& out);
  void command_unknown(std::string_view command, std::string_view line, Instant at, Effects& out);
  [[nodiscard]] bool is_about_a_nudge(std::string_view subject) noexcept;
  void move_refused(std::string_view move, std::string_view line, Instant at, Effects& out);
  /// Offers, claims and complaints are counted: an engine that repeats them for ever is heard a few times a turn.
  [[nodiscard]] bool still_heard() noexcept { return ++statements_ <= 8; }
  /// Some engines say their features before they are greeted.
  [[nodiscard]] bool in_handshake() const noexcept { return state_ == State::fresh || state_ == State::listening; }
  [[nodiscard]] bool takes_option(const XboardSetting& setting, std::string_view line, Effects& out);

  // What is said to it.
  void greeted(Instant at, Effects& out);
  void send_user_options(Effects& out);
  [[nodiscard]] bool send_option(const EngineOption& wanted, Effects& out);
  void begin_game(const NewGame& game, Instant now, Effects& out);
  void append_limits(const NewGame& game, Effects& out);
  void set_up(const GameLine& line, Effects& out);
  void fence(Fence purpose, Instant now, Effects& out);
  void fence_passed(Instant now, Effects& out);
  void begin_search(const ThinkRequest& request, Instant now, Effects& out);
  void append_clocks(const ThinkRequest& request, Effects& out);
  void append_move(const GameLine::Ply& ply, bool chess960, Effects& out);
  void renew_level(const ThinkRequest& request, Effects& out);
  void force(Effects& out);
  void interrupt_search(Effects& out);

  State state_ = State::fresh;
  Fence fence_ = Fence::start;
  int version_ = 1;
  XboardFeatures features_;
  bool extended_wait_ = false;     // done=0
  Instant features_due_{};         // silence until then ends the handshake
  Instant handshake_due_{};        // whatever it says meanwhile
  int nudges_ = 0;                 // that it was sent before
  std::size_t empty_lines_ = 0;    // of them, that it may still complain of
  bool refused_greeting_ = false;  // it does not know the command xboard
  std::string last_words_;

  int ping_ = 0;
  bool ping_due_ = false;        // else the fence is a silence
  bool stopped_search_ = false;  // the fence follows a search: a stale move is on the engine's board

  bool depth_command_ = false;      // `depth` instead of `sd`
  bool level_for_seconds_ = false;  // `level 1 N` instead of `st N`
  std::optional<int> depth_limit_;
  std::optional<Duration> seconds_limit_;

  bool in_game_ = false;
  bool chess960_ = false;
  bool ponders_ = false;
  chess::Color side_ = chess::Color::white;
  chess::Color to_move_ = chess::Color::white;
  bool forced_ = true;            // the engine is in force mode
  std::size_t engine_plies_ = 0;  // on the engine's own board
  bool position_sent_ = false;    // of this game: setboard or edit, not only new
  std::string last_move_sent_;
  int statements_ = 0;
  clock::TimeControl time_control_;
  std::size_t opening_plies_ = 0;
  std::optional<int> moves_to_go_;  // as last told
  bool is_level_known_ = false;     // to be that of the period in which the game stands

  std::optional<NewGame> waiting_game_;
  std::optional<HeldThink> held_;
  InfoKeeper infos_;
};

}  // namespace referee::engine
