// XboardProtocol's ears: what each kind of line means in the state the game is in.
#include <algorithm>
#include <array>
#include <utility>

#include "engine_iface/text.hpp"
#include "engine_iface/xboard.hpp"
#include "engine_iface/xboard_setup.hpp"

namespace referee::engine {

namespace {

/// Commands we send: an engine that calls one of them an illegal move does not know it.
bool is_command(std::string_view word) noexcept {
  constexpr std::array<std::string_view, 36> commands{
      "xboard", "protover", "accepted", "rejected", "new",  "variant", "quit", "random", "force",    "go",     "playother", "white",
      "black",  "level",    "st",       "sd",       "nps",  "time",    "otim", "ping",   "draw",     "result", "setboard",  "edit",
      "undo",   "hard",     "easy",     "post",     "name", "rating",  "ics",  "memory", "computer", "cores",  "option",    "depth"};
  return std::find(commands.begin(), commands.end(), word) != commands.end();
}

/// The first word with quotes and punctuation taken off.
std::string_view command_word(std::string_view text) noexcept {
  auto word = Words(text).next();
  while (!word.empty() && (word.front() == '\'' || word.front() == '"' || word.front() == '`')) word.remove_prefix(1);
  while (!word.empty() && std::string_view("'\".,;:").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return word;
}

bool mentions_unknown_command(std::string_view line, std::string_view command) noexcept {
  return line.find("nknown command") != std::string_view::npos && line.find(command) != std::string_view::npos;
}

/// One word, written as moves are: coordinates, SAN, castling.
bool is_a_move(std::string_view text) noexcept {
  Words words(text);
  const auto word = words.next();
  constexpr std::size_t longest = 8;
  if (word.size() < 2 || word.size() > longest || !words.next().empty()) return false;
  const bool castles = word.starts_with("O-O") || word.starts_with("0-0");
  return castles || (word.find_first_not_of("abcdefghKQRBNknqr12345678x=+#-") == std::string_view::npos &&
                     word.find_first_of("12345678") != std::string_view::npos);
}

}  // namespace

void XboardProtocol::line(std::string_view text, Instant at, Effects& out) {
  if (over()) return;
  text = tidy(without_line_end(text, out), out);
  if (text.empty()) return;
  std::visit([&](const auto& said) { hear(said, text, at, out); }, speech::classify(text));
}

void XboardProtocol::hear(const speech::Pong& pong, std::string_view line, Instant at, Effects& out) {
  const auto number = parse_integer<int>(pong.number);
  if (!ping_due_ || number != ping_) {
    // An earlier fence may have been given up for a later one; only a number that was never sent is odd.
    if (!number || *number < 1 || *number > ping_) lenient("pong that answers no ping", line, out);
    return;
  }
  empty_lines_ = 0;
  fence_passed(at, out);
}

bool XboardProtocol::is_about_a_nudge(std::string_view subject) noexcept {
  if (!trimmed(subject).empty() || empty_lines_ == 0) return false;
  --empty_lines_;
  return true;
}

void XboardProtocol::hear(const speech::Move& move, std::string_view line, Instant at, Effects& out) {
  if (move.form == speech::MoveForm::numbered) lenient("move in the old numbered form", line, out);
  if (state_ == State::searching) {
    state_ = State::idle;
    ++engine_plies_;
    statements_ = 0;
    infos_.tell(out);
    out.messages.emplace_back(Answer{std::string(move.text), std::nullopt, at});
    return;
  }
  // It was made before the engine read `force`: it stands on its board and nowhere else.
  if (state_ == State::fenced && std::exchange(stopped_search_, false)) {
    ++engine_plies_;
    return;
  }
  lenient("move that was not asked for", line, out);
}

void XboardProtocol::hear(const speech::Thinking&, std::string_view line, Instant, Effects& out) {
  if (state_ != State::searching) return;
  if (line.size() > InfoKeeper::longest_line) lenient("very long thinking lines", line, out);
  infos_.take(line, speech::thinking_depth(line), interest_, out);
}

void XboardProtocol::hear(const speech::Continuation&, std::string_view line, Instant, Effects&) {
  if (state_ == State::searching) infos_.extend(trimmed(line));
}

// Results, offers, claims -------------------------------------------------------------------------------------------------

void XboardProtocol::claim_result(int white, int black, std::string_view line, Instant at, Effects& out) {
  if (!still_heard()) return;
  infos_.tell(out);
  out.messages.emplace_back(ResultClaim{white, black, excerpt(line), at});
}

void XboardProtocol::hear(const speech::Result& result, std::string_view line, Instant at, Effects& out) {
  if (!in_game_) return;  // the echo of a result
  if (result.legacy) lenient("a result in prose", line, out);
  const bool own_loss = side_ == chess::Color::white ? result.white_score == 0 : result.black_score == 0;
  if (result.loser_resigns && own_loss) {
    if (!still_heard()) return;
    infos_.tell(out);
    out.messages.emplace_back(Resignation{at});
    return;
  }
  claim_result(result.white_score, result.black_score, line, at, out);
}

void XboardProtocol::hear(const speech::MateClaim& claim, std::string_view line, Instant at, Effects& out) {
  if (!in_game_) return;
  lenient("a result in prose", line, out);
  // After its own move the opponent is to move, although no move has been sent since.
  const auto to_move = state_ == State::searching ? side_ : chess::opposite(side_);
  const auto winner = claim.who == speech::Mates::engine     ? side_
                      : claim.who == speech::Mates::opponent ? chess::opposite(side_)
                                                             : chess::opposite(to_move);
  const bool white_wins = winner == chess::Color::white;
  claim_result(white_wins ? 100 : 0, white_wins ? 0 : 100, line, at, out);
}

void XboardProtocol::hear(const speech::NoResult&, std::string_view line, Instant, Effects& out) {
  if (in_game_) lenient("a game given up without a result (*)", line, out);
}

void XboardProtocol::hear(const speech::Resign&, std::string_view line, Instant at, Effects& out) {
  if (!in_game_) return;
  if (trimmed(line) != "resign") lenient("a result in prose", line, out);
  if (!still_heard()) return;
  infos_.tell(out);
  out.messages.emplace_back(Resignation{at});
}

void XboardProtocol::hear(const speech::DrawOffer& offer, std::string_view line, Instant at, Effects& out) {
  if (!in_game_) return;
  if (offer.in_prose) lenient("a draw offer in prose", line, out);
  if (still_heard()) out.messages.emplace_back(DrawOffer{at});
}

void XboardProtocol::hear(const speech::IllegalMove& claim, std::string_view line, Instant at, Effects& out) {
  if (is_about_a_nudge(claim.move)) return;
  const auto word = command_word(claim.move);
  if (is_command(word)) return command_unknown(word, line, at, out);
  move_refused(claim.move, line, at, out);
}

void XboardProtocol::hear(const speech::Error& error, std::string_view line, Instant at, Effects& out) {
  if (is_about_a_nudge(error.command)) return;
  const auto word = command_word(error.command);
  const auto last = command_word(error.command.substr(error.command.find_last_of(" \t") + 1));
  const bool about_move = !last_move_sent_.empty() && (word == last_move_sent_ || last == last_move_sent_);
  if (about_move) return move_refused(last_move_sent_, line, at, out);
  command_unknown(word, line, at, out);
}

void XboardProtocol::hear(const speech::UserError& error, std::string_view line, Instant at, Effects& out) {
  const bool about_position = error.text.find("osition") != std::string_view::npos;
  if (about_position && position_sent_ && state_ == State::fenced && fence_ == Fence::game) {
    return fail(FailureKind::protocol_error, "refuses the start position: " + excerpt(error.text), at, out);
  }
  if (still_heard()) complain("the engine reports: " + excerpt(line), out);
}

void XboardProtocol::move_refused(std::string_view move, std::string_view line, Instant at, Effects& out) {
  if (state_ == State::fenced && fence_ == Fence::game && !last_move_sent_.empty()) {
    return fail(FailureKind::protocol_error, "refuses a move of the opening: " + excerpt(line), at, out);
  }
  if (!in_game_ || last_move_sent_.empty()) return lenient("illegal-move report outside a game", line, out);
  // What names no move is talk (PROTOCOLS 1.6): "Illegal move in book: e2e4". A move that was not sent is named by who does not know it.
  if (!move.empty() && move.find(last_move_sent_) == std::string_view::npos && !is_a_move(move)) {
    if (still_heard()) complain("the engine reports: " + excerpt(line), out);
    return;
  }
  if (still_heard()) out.messages.emplace_back(IllegalMoveClaim{move.empty() ? excerpt(line) : std::string(move), at});
}

void XboardProtocol::command_unknown(std::string_view command, std::string_view line, Instant at, Effects& out) {
  if (command == "protover" && state_ == State::listening) {
    lenient("protocol version 1", line, out);
    if (version_ == 1 && !extended_wait_ && !refused_greeting_) greeted(at, out);
    return;
  }
  if (command == "xboard" && state_ == State::listening) {
    refused_greeting_ = true;
    last_words_ = excerpt(line);
    return;
  }
  if (command == "time" || command == "otim") {
    features_.time = false;
    return lenient("does not know time and otim", line, out);
  }
  if (command == "st" && seconds_limit_ && !level_for_seconds_) {
    level_for_seconds_ = true;
    out.to_send += level_of_seconds(*seconds_limit_);
    return lenient("does not know st: told by level", line, out);
  }
  if (command == "sd" && depth_limit_ && !depth_command_) {
    depth_command_ = true;
    out.to_send += "depth\n";
    append_number(out.to_send, std::max(*depth_limit_, 1));
    out.to_send += '\n';
    return lenient("does not know sd: told by depth", line, out);
  }
  if (command == "ping" && ping_due_) {
    features_.ping = false;
    ping_due_ = false;
    set_limit(Limit::ready, at + settings_.timeouts.settle, out);
    return lenient("asks for ping and does not know it", line, out);
  }
  if ((command == "setboard" || command == "edit") && state_ == State::fenced && fence_ == Fence::game) {
    return fail(FailureKind::protocol_error, "cannot set up a position: " + excerpt(line), at, out);
  }
  lenient("commands it does not know", line, out);
}

void XboardProtocol::hear(const speech::Noise&, std::string_view line, Instant at, Effects& out) {
  if (state_ == State::listening) {
    // A UCI engine answers in its own words; so does a shell that finds no engine.
    if (mentions_unknown_command(line, "xboard")) return command_unknown("xboard", line, at, out);
    if (mentions_unknown_command(line, "protover")) return command_unknown("protover", line, at, out);
    last_words_ = excerpt(line);
    return;
  }
  // GNU Chess of a command that it does not know.
  constexpr std::string_view invalid = "Invalid move: ";
  if (line.starts_with(invalid)) {
    if (const auto word = command_word(line.substr(invalid.size())); is_command(word)) return command_unknown(word, line, at, out);
  }
  lenient("lines that are not of the protocol", line, out);
}

}  // namespace referee::engine
