#include "engine_iface/xboard.hpp"

#include <algorithm>
#include <utility>

#include "engine_iface/nudge.hpp"
#include "engine_iface/text.hpp"
#include "engine_iface/told_clock.hpp"
#include "engine_iface/xboard_setup.hpp"
#include "referee/chess/fen.hpp"

namespace referee::engine {

namespace {

/// How many of the first `plies` of the line are one side's.
int moves_among(std::size_t plies, const GameLine& line, chess::Color side) noexcept {
  return static_cast<int>((plies + (line.start.side_to_move() == side ? 1 : 0)) / 2);
}

}  // namespace

std::unique_ptr<Protocol> make_xboard_protocol(ProtocolSettings settings) { return std::make_unique<XboardProtocol>(std::move(settings)); }

XboardProtocol::XboardProtocol(ProtocolSettings settings) : ProtocolBase(std::move(settings)), infos_(&speech::parse_thinking) {}

std::string XboardProtocol::occupation() const {
  switch (state_) {
    case State::fresh:
    case State::listening:
      return last_words_.empty() ? "before its features" : "before its features; it said: " + last_words_;
    case State::fenced:
      return fence_ == Fence::start ? "at the start" : fence_ == Fence::game ? "before it was ready for the game" : "after force";
    case State::idle:
      return "while it had nothing to do";
    case State::searching:
      return "while it thought";
  }
  return {};
}

void XboardProtocol::protocol_limit_expired(Limit limit, Instant at, Effects& out) {
  if (limit == Limit::start && state_ == State::listening) {
    if (extended_wait_) {
      return fail(FailureKind::stall, "no feature done=1 within " + describe(settings_.timeouts.features_extended) + " of done=0", at, out);
    }
    if (version_ == 1 && at < features_due_) {
      const std::string lines = nudge(++nudges_);
      empty_lines_ += lines.size();
      out.to_send += lines;
      return set_limit(Limit::start, std::min(at + settings_.timeouts.nudge, features_due_), out);
    }
    if (version_ == 1 && refused_greeting_) {
      return fail(FailureKind::protocol_error, "does not know the commands xboard and protover: " + last_words_, at, out);
    }
    if (at < features_due_)
      return fail(FailureKind::stall, "says features without end: no done=1 within " + describe(settings_.timeouts.start), at, out);
    // Silence: a version 1 engine, or one that forgot done=1.
    if (version_ == 2) lenient("no feature done=1", "", out);
    return greeted(at, out);
  }
  if (limit == Limit::ready && state_ == State::fenced) {
    if (!ping_due_) return fence_passed(at, out);
    fail(FailureKind::stall, "no pong within " + describe(settings_.timeouts.ready), at, out);
  }
}

// Start -------------------------------------------------------------------------------------------------------------------

void XboardProtocol::start(Instant now, Effects& out) {
  if (state_ != State::fresh || over()) return;
  state_ = State::listening;
  out.to_send += "xboard\nprotover 2\n";
  features_due_ = now + settings_.timeouts.features;
  handshake_due_ = extended_wait_ ? now + settings_.timeouts.features_extended : std::max(now + settings_.timeouts.start, features_due_);
  const Instant silent_until = version_ == 1 ? std::min(now + settings_.timeouts.nudge, features_due_) : features_due_;
  set_limit(Limit::start, extended_wait_ ? handshake_due_ : silent_until, out);
}

void XboardProtocol::hear(const speech::Feature& feature, std::string_view line, Instant at, Effects& out) {
  version_ = 2;
  const auto settings = parse_features(feature.settings);
  if (settings.empty()) lenient("feature line without NAME=VALUE", line, out);
  bool done = false;
  for (const auto& setting : settings) {
    bool accepted = true;
    if (setting.name == "done") {
      done = setting.value == "1";
      if (!done && !extended_wait_ && in_handshake()) {
        extended_wait_ = true;
        handshake_due_ = at + settings_.timeouts.features_extended;
      }
    } else if (setting.name == "myname") {
      if (!setting.value.empty()) identity_.name = setting.value;
    } else if (setting.name == "option") {
      accepted = takes_option(setting, line, out);
    } else {
      accepted = features_.set(setting);
      if (!accepted) lenient("features that are not known", line, out);
    }
    if (accepted && setting.name != "option") identity_.features[setting.name] = setting.value;
    out.to_send.append(accepted ? "accepted " : "rejected ").append(setting.name);
    if (!accepted && setting.name == "option" && in_handshake()) out.to_send.append(" ").append(setting.value);
    out.to_send += '\n';
  }
  if (state_ != State::listening) return;
  if (done) return greeted(at, out);
  // However much it goes on saying, the end of the handshake stays where it is.
  features_due_ = at + settings_.timeouts.features;
  set_limit(Limit::start, extended_wait_ ? handshake_due_ : std::min(features_due_, handshake_due_), out);
}

bool XboardProtocol::takes_option(const XboardSetting& setting, std::string_view line, Effects& out) {
  // The user's options are set by now, and nothing else is done with them.
  if (!in_handshake()) {
    lenient("option feature behind the handshake", line, out);
    return false;
  }
  auto option = parse_xboard_option(setting.value);
  if (!option) {
    lenient("option feature in no known form", line, out);
    return false;
  }
  if (option->type == "reset") {
    forget_options();
    return true;
  }
  declare(std::move(*option), Redeclared::last_counts, out);
  return true;
}

void XboardProtocol::greeted(Instant at, Effects& out) {
  clear_limit(Limit::start, out);
  extended_wait_ = false;
  send_user_options(out);
  fence(Fence::start, at, out);
}

// Orders ------------------------------------------------------------------------------------------------------------------

void XboardProtocol::new_game(const NewGame& game, Instant now, Effects& out) {
  if (over() || quitting()) return;
  held_.reset();
  if (state_ == State::searching) stop(now, out);
  if (state_ == State::idle) return begin_game(game, now, out);
  waiting_game_ = game;
}

void XboardProtocol::begin_game(const NewGame& game, Instant now, Effects& out) {
  side_ = game.side;
  chess960_ = game.line.chess960;
  ponders_ = game.ponder;
  to_move_ = game.line.current.side_to_move();
  last_move_sent_.clear();
  time_control_ = game.time_control;
  opening_plies_ = game.opening_plies;
  moves_to_go_.reset();
  is_level_known_ = false;

  out.to_send += "new\n";
  if (chess960_) {
    if (!supports_chess960()) complain("the engine does not list the variant fischerandom", out);
    out.to_send += "variant fischerandom\n";
  }
  append_limits(game, out);
  out.to_send += "post\n";
  // "easy" is a toggle in GNU Chess 4 and "hard" an absolute on, hence both where version 1 leaves it in doubt.
  out.to_send += ponders_ ? "hard\n" : version_ == 1 ? "hard\neasy\n" : "easy\n";
  if (features_.ics) out.to_send += "ics -\n";
  if (game.rating && game.opponent_rating) {
    out.to_send.append("rating ")
        .append(std::to_string(*game.rating))
        .append(" ")
        .append(std::to_string(*game.opponent_rating))
        .append("\n");
  }
  if (features_.name && !game.opponent_name.empty()) out.to_send.append("name ").append(game.opponent_name).append("\n");
  if (game.opponent_is_computer) out.to_send += "computer\n";
  out.to_send += "force\n";
  forced_ = true;
  set_up(game.line, out);
  fence(Fence::game, now, out);
}

void XboardProtocol::append_limits(const NewGame& game, Effects& out) {
  const auto& control = game.time_control;
  const auto& limits = game.limits;
  seconds_limit_ = limits.move_time;
  if (!seconds_limit_ && control.mode == clock::Mode::move_time && !control.periods.empty()) seconds_limit_ = control.periods.front().base;
  depth_limit_ = limits.depth;

  const bool has_clock = has_running_clock(control);
  if (has_clock) {
    const auto& period = control.periods.front();
    // Engines count the moves of a period from the first move of the game, forced ones too; the clock from the first that is played on it.
    const int moves = period.moves == 0 ? 0 : period.moves + moves_among(game.opening_plies, game.line, game.side);
    // A delay has no word: it is told as the increment that it amounts to, as in every report of the clocks.
    append_level(out.to_send, moves, period.base, period.increment + period.delay);
  }
  if (limits.nodes && features_.nps.value_or(false)) {
    // The engine counts its time in nodes: one second at N nodes a second is N nodes.
    out.to_send += "st 1\nnps ";
    append_number(out.to_send, std::max<std::uint64_t>(*limits.nodes, 1));
    out.to_send += '\n';
  } else if (seconds_limit_) {
    if (level_for_seconds_)
      out.to_send += level_of_seconds(*seconds_limit_);
    else
      append_seconds_per_move(out.to_send, *seconds_limit_);
  } else if (!has_clock) {
    // Without any command the engine would keep to a time control of its own; it is given up where no clock runs for longer than that.
    const Duration patience = settings_.timeouts.think;
    append_seconds_per_move(out.to_send, patience - patience / 10);
  }
  if (limits.nodes && !features_.nps.value_or(false))
    complain("a node limit cannot be told to an XBoard engine without feature nps=1", out);
  if (limits.mate) complain("a mate limit cannot be told to an XBoard engine", out);
  if (depth_limit_) {
    out.to_send += depth_command_ ? "depth\n" : "sd ";
    append_number(out.to_send, std::max(*depth_limit_, 1));
    out.to_send += '\n';
  }
}

void XboardProtocol::set_up(const GameLine& line, Effects& out) {
  // `new` means the standard start of standard chess only (CECP: an engine may shuffle on variant fischerandom).
  position_sent_ = line.chess960 || !(line.start == chess::Position::initial());
  if (position_sent_) {
    if (features_.setboard) {
      out.to_send.append("setboard ").append(chess::to_fen(line.start)).append("\n");
    } else {
      if (const auto lost = lost_in_edit(line.start); !lost.empty()) {
        complain("the engine has no setboard, and edit cannot say " + lost + " of the start position", out);
      }
      append_edit(out.to_send, line.start, features_.usermove ? "usermove " : "");
    }
  }
  for (const auto& ply : line.plies) append_move(ply, line.chess960, out);
  engine_plies_ = line.plies.size();
}

void XboardProtocol::think(const ThinkRequest& request, Instant now, Effects& out) {
  if (over() || quitting()) return;
  if (state_ == State::searching) stop(now, out);
  if (state_ == State::idle) return begin_search(request, now, out);
  held_.emplace(HeldThink{*request.line, request});
}

void XboardProtocol::ponder(const ThinkRequest&, std::string_view, Instant, Effects&) {}

void XboardProtocol::ponder_hit(const ThinkRequest& request, Instant now, Effects& out) { think(request, now, out); }

void XboardProtocol::begin_search(const ThinkRequest& request, Instant, Effects& out) {
  const auto& line = *request.line;
  const auto plies = line.plies.size();
  to_move_ = line.current.side_to_move();
  side_ = to_move_;

  if (engine_plies_ > plies) {
    // A move of its own that came too late or was taken back.
    force(out);
    for (; engine_plies_ > plies; --engine_plies_) out.to_send += "undo\n";
  }
  const auto missing = plies - engine_plies_;
  if (!forced_ && missing != 1) force(out);
  renew_level(request, out);

  // The last move of the opponent comes after the clocks and the offer; what lies before it is only recorded.
  for (std::size_t i = engine_plies_; i + 1 < plies; ++i) append_move(line.plies[i], line.chess960, out);
  if (!forced_) {
    append_clocks(request, out);
    if (request.draw_offered && features_.draw) out.to_send += "draw\n";
    append_move(line.plies.back(), line.chess960, out);
  } else {
    if (missing > 0) append_move(line.plies.back(), line.chess960, out);
    // The stylised sequences of colors=1 (CECP section 13): the other colour first, so that the clocks go where they belong.
    const bool white = to_move_ == chess::Color::white;
    if (features_.colors) out.to_send += white ? "black\n" : "white\n";
    append_clocks(request, out);
    if (features_.colors) out.to_send += white ? "white\n" : "black\n";
    if (request.draw_offered && features_.draw) out.to_send += "draw\n";
    out.to_send += "go\n";
    forced_ = false;
  }
  engine_plies_ = plies;
  state_ = State::searching;
  infos_.begin_search();
  statements_ = 0;
  out.go_sent = true;
}

void XboardProtocol::append_clocks(const ThinkRequest& request, Effects& out) {
  const bool of_each_move = time_control_.mode == clock::Mode::move_time && !time_control_.periods.empty();
  if (!features_.time || (!request.clocks.has_clock && !of_each_move)) return;
  const auto centiseconds = [](Duration left) { return std::max<long long>(left / std::chrono::milliseconds(10), 1); };
  const bool white = to_move_ == chess::Color::white;
  // A time for each move stands on the clock anew at each move; `st` says it in whole seconds only.
  const Duration own = of_each_move ? time_control_.periods.front().base : white ? request.clocks.white : request.clocks.black;
  const Duration other = of_each_move ? time_control_.periods.front().base : white ? request.clocks.black : request.clocks.white;
  out.to_send += "time ";
  append_number(out.to_send, centiseconds(own));
  out.to_send += "\notim ";
  append_number(out.to_send, centiseconds(other));
  out.to_send += '\n';
}

/// `level` is said once a game; a control of several periods needs a new one at each switch, with the moves and the time it has then. So
/// does one that repeats, when its first period was told with the moves of an opening.
void XboardProtocol::renew_level(const ThinkRequest& request, Effects& out) {
  if (!request.clocks.has_clock || (time_control_.periods.size() < 2 && opening_plies_ == 0)) return;
  const auto now_to_go = request.clocks.moves_to_go;
  // A game that goes on may stand in another period than the first, which begin_game has told.
  const std::size_t on_the_clock = request.line->plies.size() - std::min(opening_plies_, request.line->plies.size());
  const bool beyond_first = on_the_clock / 2 >= static_cast<std::size_t>(time_control_.periods.front().moves);
  const bool switched = is_level_known_ ? moves_to_go_ && (!now_to_go || *now_to_go > *moves_to_go_) : beyond_first;
  is_level_known_ = true;
  moves_to_go_ = now_to_go;
  if (!switched) return;
  const bool white = to_move_ == chess::Color::white;
  const int made = now_to_go && opening_plies_ > 0 ? moves_among(request.line->plies.size(), *request.line, to_move_) : 0;
  append_level(out.to_send, made + now_to_go.value_or(0), white ? request.clocks.white : request.clocks.black,
               white ? request.clocks.white_increment : request.clocks.black_increment);
}

void XboardProtocol::append_move(const GameLine::Ply& ply, bool chess960, Effects& out) {
  if (features_.usermove) out.to_send += "usermove ";
  const auto begin = out.to_send.size();
  append_xboard_move(out.to_send, ply, chess960, features_.san);
  last_move_sent_.assign(out.to_send, begin);
  out.to_send += '\n';
}

void XboardProtocol::force(Effects& out) {
  if (forced_) return;
  out.to_send += "force\n";
  forced_ = true;
}

/// SIGINT reaches engines that do not read while they think (CECP section 7).
void XboardProtocol::interrupt_search(Effects& out) {
  const bool may_think = state_ == State::searching || (ponders_ && in_game_ && !forced_ && state_ == State::idle);
  if (features_.sigint && may_think) out.interrupt = true;
}

void XboardProtocol::stop(Instant now, Effects& out) {
  if (over() || quitting()) return;
  held_.reset();
  if (state_ != State::searching) return;
  interrupt_search(out);
  force(out);
  stopped_search_ = true;
  fence(Fence::stop, now, out);
}

void XboardProtocol::offer_draw(Instant, Effects& out) {
  if (over() || quitting() || !features_.draw) return;
  if (held_)
    held_->request.draw_offered = true;
  else if (state_ == State::searching)
    out.to_send += "draw\n";
}

void XboardProtocol::notify_result(std::string_view result, std::string_view comment, Instant now, Effects& out) {
  if (over() || quitting() || !in_game_) return;
  in_game_ = false;
  held_.reset();
  interrupt_search(out);
  out.to_send.append("result ").append(result).append(" {");
  for (const char c : comment) {
    if (c != '{' && c != '}' && static_cast<unsigned char>(c) >= ' ') out.to_send += c;
  }
  out.to_send += "}\n";
  const bool was_searching = state_ == State::searching;
  if (forced_) forced_ = false;  // said again, as the protocol asks for it at every end
  force(out);
  if (state_ == State::idle || was_searching) fence(Fence::end, now, out);
}

void XboardProtocol::fence(Fence purpose, Instant now, Effects& out) {
  state_ = State::fenced;
  fence_ = purpose;
  ping_due_ = features_.ping;
  if (ping_due_) {
    out.to_send += "ping ";
    append_number(out.to_send, ++ping_);
    out.to_send += '\n';
  }
  set_limit(Limit::ready, now + (ping_due_ ? settings_.timeouts.ready : settings_.timeouts.settle), out);
}

void XboardProtocol::fence_passed(Instant now, Effects& out) {
  clear_limit(Limit::ready, out);
  ping_due_ = false;
  stopped_search_ = false;
  state_ = State::idle;
  if (fence_ == Fence::start) started();
  if (fence_ == Fence::game) in_game_ = true;
  if (fence_ == Fence::start || fence_ == Fence::game) out.messages.emplace_back(Ready{});
  if (waiting_game_) {
    const NewGame game = *std::exchange(waiting_game_, std::nullopt);
    return begin_game(game, now, out);
  }
  if (held_) {
    HeldThink held = *std::exchange(held_, std::nullopt);
    held.request.line = &held.line;
    begin_search(held.request, now, out);
  }
}

}  // namespace referee::engine
