#include "engine_iface/uci.hpp"

#include <algorithm>
#include <utility>

#include "engine_iface/text.hpp"
#include "engine_iface/uci_info.hpp"
#include "engine_iface/uci_option.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"

namespace referee::engine {

namespace {

long long to_milliseconds(Duration duration) noexcept { return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count(); }

/// Engines are not built for zero or negative numbers (TC-03).
void append_at_least_one(std::string& out, std::string_view keyword, long long value) {
  out += keyword;
  append_number(out, std::max(value, 1LL));
}

bool is_null_move(std::string_view move) noexcept {
  return move.empty() || move == "0000" || move == "(none)" || equal_ignoring_case(move, "none") || equal_ignoring_case(move, "null") ||
         (move.size() == 4 && move.substr(0, 2) == move.substr(2));
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  return lowered;
}

}  // namespace

std::unique_ptr<Protocol> make_uci_protocol(ProtocolSettings settings) { return std::make_unique<UciProtocol>(std::move(settings)); }

UciProtocol::UciProtocol(ProtocolSettings settings) : ProtocolBase(std::move(settings)), infos_(&parse_uci_info) {}

bool UciProtocol::supports_chess960() const noexcept { return find_option(identity_, "UCI_Chess960") != nullptr; }
bool UciProtocol::supports_pondering() const noexcept { return find_option(identity_, "Ponder") != nullptr; }

std::string UciProtocol::occupation() const {
  switch (state_) {
    case State::fresh:
    case State::greeting:
      return last_words_.empty() ? "before uciok" : "before uciok; it said: " + last_words_;
    case State::syncing:
      return "before readyok";
    case State::idle:
      return "while it had nothing to do";
    case State::searching:
      return "while it thought";
    case State::pondering:
      return "while it pondered";
    case State::stopping:
      return "after stop, before bestmove";
  }
  return {};
}

void UciProtocol::protocol_limit_expired(Limit limit, Instant at, Effects& out) {
  const auto& timeouts = settings_.timeouts;
  if (limit == Limit::start && state_ == State::greeting) {
    fail(FailureKind::stall, "no uciok within " + describe(timeouts.start) + ", " + occupation(), at, out);
  } else if (limit == Limit::ready && state_ == State::syncing) {
    fail(FailureKind::stall, "no readyok within " + describe(timeouts.ready), at, out);
  } else if (limit == Limit::stop && state_ == State::stopping) {
    fail(FailureKind::stall, "no bestmove within " + describe(timeouts.stop) + " of stop", at, out);
  }
}

// Orders ------------------------------------------------------------------------------------------------------------------

void UciProtocol::start(Instant now, Effects& out) {
  if (state_ != State::fresh || over()) return;
  state_ = State::greeting;
  out.to_send += "uci\n";
  set_limit(Limit::start, now + settings_.timeouts.start, out);
}

void UciProtocol::new_game(const NewGame& game, Instant now, Effects& out) {
  if (over() || quitting()) return;
  held_.reset();
  if (state_ == State::searching || state_ == State::pondering) stop(now, out);
  if (state_ == State::stopping || !greeted_) {
    waiting_game_ = game;
    return;
  }
  begin_game(game, now, out);
}

void UciProtocol::begin_game(const NewGame& game, Instant now, Effects& out) {
  waiting_game_.reset();
  position_.clear();
  position_plies_ = 0;

  limits_.clear();
  const auto& limits = game.limits;
  if (limits.depth) append_at_least_one(limits_, " depth ", *limits.depth);
  if (limits.nodes) {
    limits_ += " nodes ";
    append_number(limits_, std::max<std::uint64_t>(*limits.nodes, 1));
  }
  if (limits.mate) append_at_least_one(limits_, " mate ", *limits.mate);
  std::optional<Duration> move_time = limits.move_time;
  if (!move_time && game.time_control.mode == clock::Mode::move_time && !game.time_control.periods.empty())
    move_time = game.time_control.periods.front().base;
  if (move_time) append_at_least_one(limits_, " movetime ", to_milliseconds(*move_time));

  if (game.line.chess960 && !supports_chess960())
    complain("the engine does not announce UCI_Chess960; it is not told that the game is Chess960", out);
  set_if_changed("UCI_Chess960", game.line.chess960 ? "true" : "false", out);
  if (game.ponder && !supports_pondering()) complain("the engine does not announce Ponder; it does not ponder", out);
  set_if_changed("Ponder", game.ponder ? "true" : "false", out);
  if (!game.opponent_name.empty()) {
    std::string opponent = "none ";
    opponent += game.opponent_rating ? std::to_string(*game.opponent_rating) : "none";
    opponent += game.opponent_is_computer ? " computer " : " human ";
    opponent += game.opponent_name;
    set_if_changed("UCI_Opponent", opponent, out);
  }
  out.to_send += "ucinewgame\n";
  announce_ready_ = true;
  sync(now, out);
}

void UciProtocol::sync(Instant now, Effects& out) {
  out.to_send += "isready\n";
  ++ready_due_;
  state_ = State::syncing;
  set_limit(Limit::ready, now + settings_.timeouts.ready, out);
}

void UciProtocol::think(const ThinkRequest& request, Instant now, Effects& out) { begin_search(Search::plain, request, {}, now, out); }

void UciProtocol::ponder(const ThinkRequest& request, std::string_view guess, Instant now, Effects& out) {
  begin_search(Search::ponder, request, guess, now, out);
}

void UciProtocol::begin_search(Search search, const ThinkRequest& request, std::string_view guess, Instant now, Effects& out) {
  if (over() || quitting()) return;
  if (state_ == State::searching || state_ == State::pondering) stop(now, out);
  early_answer_.reset();
  update_position(*request.line);
  const bool held_back = state_ != State::idle || !trusts_order_;
  if (held_back) held_.emplace(HeldSearch{search, {}, {}});
  std::string& position = held_back ? held_->position : out.to_send;
  std::string& go = held_back ? held_->go : out.to_send;

  position += position_;
  if (!guess.empty()) {
    if (position_plies_ == 0) position += " moves";
    position += ' ';
    position += guess;
  }
  position += '\n';
  append_go(go, search, request);
  if (!held_back) {
    search_left(search, out);
  } else if (state_ == State::idle) {
    send_held(now, out);
  }
}

void UciProtocol::search_left(Search search, Effects& out) {
  state_ = search == Search::ponder ? State::pondering : State::searching;
  infos_.begin_search();
  out.go_sent = true;
}

/// Needs: idle and a held search. Sends it, or first the barrier if the engine needs one: alone, for an engine that knew the position could
/// think about it while it owes readyok, on nobody's clock.
void UciProtocol::send_held(Instant now, Effects& out) {
  if (trusts_order_) return release_held(out);
  announce_ready_ = false;
  sync(now, out);
}

void UciProtocol::release_held(Effects& out) {
  out.to_send += held_->position;
  out.to_send += held_->go;
  const auto search = held_->search;
  held_.reset();
  search_left(search, out);
}

void UciProtocol::ponder_hit(const ThinkRequest& request, Instant now, Effects& out) {
  if (over() || quitting()) return;
  if (early_answer_) {
    const std::string text = *std::exchange(early_answer_, std::nullopt);
    out.go_sent = true;
    Words words(text);
    const auto move = words.next();
    const auto keyword = words.next();
    state_ = State::idle;
    return answer(move, keyword == "ponder" ? words.next() : std::string_view{}, now, out);
  }
  if (state_ == State::pondering) {
    out.to_send += "ponderhit\n";
    out.go_sent = true;
    state_ = State::searching;
    return;
  }
  if (held_ && held_->search == Search::ponder) {
    // The ponder search has not left yet: its position is the right one, an ordinary search takes its place.
    update_position(*request.line);
    held_->search = Search::plain;
    held_->go.clear();
    append_go(held_->go, Search::plain, request);
    return;
  }
  think(request, now, out);
}

void UciProtocol::stop(Instant now, Effects& out) {
  if (over() || quitting()) return;
  held_.reset();
  early_answer_.reset();
  if (state_ != State::searching && state_ != State::pondering) return;
  out.to_send += "stop\n";
  state_ = State::stopping;
  set_limit(Limit::stop, now + settings_.timeouts.stop, out);
}

void UciProtocol::notify_result(std::string_view, std::string_view, Instant now, Effects& out) {
  // UCI has no words for a result; what matters is that the engine does not go on thinking.
  stop(now, out);
}

// What the engine says ------------------------------------------------------------------------------------------------------

void UciProtocol::line(std::string_view text, Instant at, Effects& out) {
  if (over()) return;
  text = without_line_end(text, out);
  if (text.starts_with("info ") || text.starts_with("info\t")) return read_info(text, out);
  text = tidy(text, out);
  if (text.empty()) return;
  if (is_blank(text.front())) {
    lenient("blanks in front of a line", text, out);
    text = trimmed(text);
  }
  if (text.find('\t') != std::string_view::npos) lenient("tabs between words", text, out);

  Words words(text);
  const auto first = words.next();
  if (first == "bestmove") return read_best_move(words.rest(), at, out);
  if (first == "info") return read_info(text, out);
  if (first == "readyok") return read_ready(at, out);
  if (first == "registration") return read_registration(words.rest(), out);
  if (first == "copyprotection") return read_copy_protection(words.rest(), at, out);
  if (state_ == State::greeting) return read_handshake(text, at, out);
  if (ready_due_ > 0 && text.ends_with("readyok")) {
    lenient("text glued to readyok", text, out);
    return read_ready(at, out);
  }
  if (first == "id" || first == "option" || first == "uciok") return lenient("id, option or uciok outside the handshake", text, out);
  lenient("lines that are not UCI", text, out);
}

void UciProtocol::read_handshake(std::string_view text, Instant at, Effects& out) {
  // Banners and prompts may stand before the word that counts.
  Words words(text);
  auto word = words.next();
  const auto known = [](std::string_view w) { return w == "id" || w == "option" || w == "uciok"; };
  if (text.starts_with("Error (unknown command): uci") || text.starts_with("Illegal move: uci")) {
    return fail(FailureKind::protocol_error, "does not know the command uci: " + excerpt(text), at, out);
  }
  if (!known(word) && text.ends_with("uciok")) {
    lenient("text glued to uciok", text, out);
    return greeted(at, out);
  }
  if (!known(word)) {
    Words later = words;
    for (auto next = later.next(); !next.empty(); next = later.next()) {
      Words after = later;
      const auto follower = after.next();
      if ((next == "id" && (follower == "name" || follower == "author")) || (next == "option" && follower == "name")) {
        lenient("text in front of a command", text, out);
        word = next;
        words = later;
        break;
      }
    }
  }
  if (word == "uciok") return greeted(at, out);
  if (word == "id") {
    const auto what = words.next();
    if (what == "name" && !words.rest().empty()) identity_.name = words.rest();
    if (what == "author") identity_.author = words.rest();
    return;
  }
  if (word == "option") {
    auto declared = parse_uci_option(words.rest());
    if (!declared) return lenient("option without a name", text, out);
    if (declared->oddity != nullptr) lenient(declared->oddity, text, out);
    return declare(std::move(declared->option), Redeclared::first_counts, out);
  }
  last_words_ = excerpt(text);
  lenient("lines that are not UCI", text, out);
}

void UciProtocol::greeted(Instant at, Effects& out) {
  clear_limit(Limit::start, out);
  send_user_options(out);
  set_if_changed("UCI_AnalyseMode", "false", out);
  announce_ready_ = true;
  sync(at, out);
}

void UciProtocol::send_user_options(Effects& out) {
  // Hash first: engines size their tables by it when other options arrive.
  std::vector<const EngineOption*> ordered;
  for (const auto& option : settings_.options) ordered.push_back(&option);
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const EngineOption* option) { return equal_ignoring_case(option->name, "Hash"); });
  std::vector<std::string> unknown;
  for (const auto* wanted : ordered) {
    const auto* declared = find_option(identity_, wanted->name);
    if (declared == nullptr) {
      unknown.push_back(wanted->name);
      continue;
    }
    const auto checked = checked_option_value(*declared, wanted->value);
    if (const auto* refused = std::get_if<RefusedValue>(&checked)) {
      complain("option " + declared->name + " = " + wanted->value + " " + refused->reason + "; it is not set", out);
      continue;
    }
    send_option(*declared, std::get<std::string>(checked), out);
  }
  complain_of_options(unknown, out);
}

void UciProtocol::set_if_changed(std::string_view name, std::string_view value, Effects& out) {
  const auto* declared = find_option(identity_, name);
  if (declared == nullptr) return;
  const auto known = set_values_.find(lower_case(name));
  if ((known != set_values_.end() ? std::string_view(known->second) : std::string_view(declared->default_value)) == value) return;
  send_option(*declared, value, out);
}

void UciProtocol::send_option(const EngineIdentity::DeclaredOption& option, std::string_view value, Effects& out) {
  set_values_[lower_case(option.name)] = value;
  out.to_send.append("setoption name ").append(option.name);
  if (option.type != "button") {
    out.to_send += " value ";
    if (!value.empty()) {
      out.to_send += value;
    } else if (settings_.empty_value == EmptyValue::marker) {
      out.to_send += "<empty>";
    }
  }
  out.to_send += '\n';
}

void UciProtocol::read_ready(Instant at, Effects& out) {
  if (ready_due_ == 0) return lenient("readyok that was not asked for", "readyok", out);
  if (--ready_due_ > 0 || state_ != State::syncing) return;
  clear_limit(Limit::ready, out);
  started();
  greeted_ = true;
  state_ = State::idle;
  if (waiting_game_) {
    if (std::exchange(announce_ready_, false)) out.messages.emplace_back(Ready{});
    const NewGame game = *std::exchange(waiting_game_, std::nullopt);
    return begin_game(game, at, out);
  }
  if (std::exchange(announce_ready_, false)) {
    out.messages.emplace_back(Ready{});
    if (held_) send_held(at, out);
    return;
  }
  // The barrier before a search of an engine that has sent surplus answers.
  if (held_) release_held(out);
}

void UciProtocol::read_registration(std::string_view text, Effects& out) {
  if (text != "error") return;
  lenient("asks for registration", "registration error", out);
  out.to_send += "register later\n";
}

void UciProtocol::read_copy_protection(std::string_view text, Instant at, Effects& out) {
  if (text == "error") fail(FailureKind::protocol_error, "copyprotection error: the engine refuses to be used", at, out);
}

void UciProtocol::read_info(std::string_view text, Effects& out) {
  if (state_ != State::searching && state_ != State::pondering) return;
  const auto glance = glance_at_uci_info(text);
  if (!glance.wanted) return;
  if (text.size() > InfoKeeper::longest_line) lenient("very long info lines", text, out);
  infos_.take(text, glance.depth, interest_, out);
}

void UciProtocol::read_best_move(std::string_view text, Instant at, Effects& out) {
  switch (state_) {
    case State::searching:
      break;
    case State::pondering:
      lenient("bestmove before ponderhit or stop", text, out);
      early_answer_ = text;
      state_ = State::idle;
      return;
    case State::stopping:
      clear_limit(Limit::stop, out);
      return now_idle(at, out);
    default:
      lenient("a bestmove that answers no go", text, out);
      trusts_order_ = false;
      return;
  }
  Words words(text);
  const auto move = words.next();
  const auto keyword = words.next();
  state_ = State::idle;
  answer(move, keyword == "ponder" ? words.next() : std::string_view{}, at, out);
}

void UciProtocol::answer(std::string_view move, std::string_view ponder_move, Instant at, Effects& out) {
  infos_.tell(out);
  if (equal_ignoring_case(move, "resign")) {
    lenient("bestmove resign", move, out);
    out.messages.emplace_back(Resignation{at});
    return;
  }
  Answer message{std::string(move), std::nullopt, at};
  if (!is_null_move(ponder_move)) message.ponder.emplace(ponder_move);
  out.messages.emplace_back(std::move(message));
}

void UciProtocol::now_idle(Instant now, Effects& out) {
  state_ = State::idle;
  if (waiting_game_) {
    const NewGame game = *std::exchange(waiting_game_, std::nullopt);
    begin_game(game, now, out);
  } else if (held_) {
    send_held(now, out);
  }
}

// The text of a search --------------------------------------------------------------------------------------------------------

/// Appends what is new; two hundred moves are not written again each turn.
void UciProtocol::update_position(const GameLine& line) {
  const auto& plies = line.plies;
  const bool grows = !position_.empty() && position_plies_ <= plies.size() &&
                     (position_plies_ == 0 || plies[position_plies_ - 1].move == position_last_move_);
  if (!grows) {
    position_ = "position ";
    if (line.start == chess::Position::initial()) {
      position_ += "startpos";
    } else {
      position_.append("fen ").append(chess::to_fen(line.start));
    }
    position_plies_ = 0;
  }
  for (; position_plies_ < plies.size(); ++position_plies_) {
    position_ += position_plies_ == 0 ? " moves " : " ";
    position_ += plies[position_plies_].uci;
  }
  if (!plies.empty()) position_last_move_ = plies.back().move;
}

void UciProtocol::append_go(std::string& out, Search search, const ThinkRequest& request) const {
  out += "go";
  if (search == Search::ponder) out += " ponder";
  const auto& clocks = request.clocks;
  if (clocks.has_clock) {
    append_at_least_one(out, " wtime ", to_milliseconds(clocks.white));
    append_at_least_one(out, " btime ", to_milliseconds(clocks.black));
    if (clocks.white_increment > Duration::zero()) append_at_least_one(out, " winc ", to_milliseconds(clocks.white_increment));
    if (clocks.black_increment > Duration::zero()) append_at_least_one(out, " binc ", to_milliseconds(clocks.black_increment));
    if (clocks.moves_to_go) append_at_least_one(out, " movestogo ", *clocks.moves_to_go);
  }
  out += limits_;
  if (!clocks.has_clock && limits_.empty()) out += " infinite";
  if (!request.search_moves.empty()) {
    const auto castling = request.line->chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
    out += " searchmoves";  // last: a list has no end mark
    for (const auto move : request.search_moves) {
      out += ' ';
      chess::append_uci(out, request.line->current, move, castling);
    }
  }
  out += '\n';
}

}  // namespace referee::engine
