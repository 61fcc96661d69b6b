#include "engine_iface/stub_player.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine_iface/text.hpp"
#include "engine_iface/xboard_speech.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"

namespace referee::engine {

namespace {

chess::CastlingText castling_text(bool chess960) noexcept {
  return chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
}

}  // namespace

std::optional<std::string> StubPlayer::first_move() const {
  std::optional<std::string> first;
  for (const auto move : position_.legal_moves()) {
    auto text = chess::to_uci(position_, move, castling_text(chess960_));
    if (!first || text < *first) first = std::move(text);
  }
  return first;
}

void StubPlayer::set_up(std::string_view fen) {
  // A position that cannot be read leaves the board as it was: the stub is no judge.
  if (const auto read = chess::parse_fen(fen, chess::FenReading::lenient)) position_ = read.position();
  history_.clear();
}

bool StubPlayer::follow(std::string_view line) { return protocol_ == ProtocolKind::uci ? follow_uci(line) : follow_xboard(line); }

std::string StubPlayer::reply(std::string_view line, bool asked) {
  return protocol_ == ProtocolKind::uci ? reply_uci(line, asked) : reply_xboard(line, asked);
}

// UCI -----------------------------------------------------------------------------------------------------------------------

bool StubPlayer::follow_uci(std::string_view line) {
  Words words(line);
  const auto command = words.next();
  if (command == "go") return true;
  if (command == "setoption" && line.find("UCI_Chess960") != std::string_view::npos) chess960_ = line.ends_with("true");
  if (command != "position") return false;
  const auto rest = words.rest();
  const auto moves_at = rest.find("moves");
  const auto start = trimmed(rest.substr(0, moves_at));
  set_up(start.starts_with("fen ") ? trimmed(start.substr(4)) : start);
  if (moves_at == std::string_view::npos) return false;
  Words moves(rest.substr(moves_at + 5));
  for (auto text = moves.next(); !text.empty(); text = moves.next()) {
    const auto read = chess::read_uci(position_, text, castling_text(chess960_));
    const auto* move = std::get_if<chess::ReadMove>(&read);
    if (move == nullptr) break;
    position_.play(move->move);
  }
  return false;
}

std::string StubPlayer::reply_uci(std::string_view line, bool asked) {
  Words words(line);
  const auto command = words.next();
  if (command == "uci") {
    return "id name Stub\nid author referee\noption name Hash type spin default 16 min 1 max 1024\noption name Ponder type check default "
           "false\n"
           "option name UCI_Chess960 type check default false\nuciok\n";
  }
  if (command == "isready") return "readyok\n";
  const bool later = asked && (line.find(" ponder") != std::string_view::npos || line.find(" infinite") != std::string_view::npos);
  if (later) owed_ = true;
  const bool due = (asked && !later) || (owed_ && (command == "stop" || command == "ponderhit"));
  if (!due) return {};
  owed_ = false;
  return "bestmove " + first_move().value_or("(none)") + '\n';
}

// XBoard --------------------------------------------------------------------------------------------------------------------

bool StubPlayer::follow_xboard(std::string_view line) {
  if (editing_) {
    follow_edit(line);
    return false;
  }
  Words words(line);
  auto command = words.next();
  if (command == "new") {
    set_up("startpos");
    chess960_ = false;
    forced_ = false;
    own_ = chess::Color::black;
  } else if (command == "variant") {
    chess960_ = words.rest() == "fischerandom";
  } else if (command == "force" || command == "result") {
    forced_ = true;
  } else if (command == "setboard") {
    set_up(words.rest());
  } else if (command == "edit") {
    editing_ = std::string(64, '.');
    for (int square = 0; square < 64; ++square) {
      if (const auto piece = position_.piece_at(static_cast<chess::Square>(square)))
        (*editing_)[static_cast<std::size_t>(square)] = chess::letter(*piece);
    }
    editing_black_ = false;
  } else if (command == "undo") {
    if (!history_.empty()) {
      position_ = history_.back();
      history_.pop_back();
    }
  } else if (command == "go") {
    forced_ = false;
    own_ = position_.side_to_move();
    return true;
  } else {
    if (command == "usermove") command = words.next();
    if (command.size() < 2) return false;
    const auto read = chess::read_xboard(position_, command, castling_text(chess960_));
    const auto* move = std::get_if<chess::ReadMove>(&read);
    if (move == nullptr) return false;
    history_.push_back(position_);
    position_.play(move->move);
    return !forced_ && position_.side_to_move() == own_;
  }
  return false;
}

void StubPlayer::follow_edit(std::string_view line) {
  auto& board = *editing_;
  if (line == "#") board.assign(64, '.');
  if (line == "c") editing_black_ = !editing_black_;
  if (line.size() == 3) {
    if (const auto square = chess::parse_square(line.substr(1))) {
      board[chess::index(*square)] = line[0] == 'x' ? '.' : editing_black_ ? lower(line[0]) : line[0];
    }
  }
  if (line != ".") return;
  std::string fen;
  for (std::size_t rank = 8; rank-- > 0;) {
    for (std::size_t file = 0; file < 8; ++file) {
      const char piece = board[rank * 8 + file];
      fen += piece == '.' ? '1' : piece;
    }
    if (rank > 0) fen += '/';
  }
  fen += position_.side_to_move() == chess::Color::white ? " w " : " b ";
  // Kings and rooks on their home squares may castle.
  std::string rights;
  if (board[4] == 'K' && board[7] == 'R') rights += 'K';
  if (board[4] == 'K' && board[0] == 'R') rights += 'Q';
  if (board[60] == 'k' && board[63] == 'r') rights += 'k';
  if (board[60] == 'k' && board[56] == 'r') rights += 'q';
  set_up(fen + (rights.empty() ? "-" : rights) + " - 0 1");
  editing_.reset();
}

std::string StubPlayer::reply_xboard(std::string_view line, bool asked) {
  Words words(line);
  const auto command = words.next();
  if (command == "protover") {
    return "feature done=0\nfeature ping=1 setboard=1 usermove=1 san=0 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=0 colors=0 name=1\n"
           "feature myname=\"Stub\" variants=\"normal,fischerandom\" done=1\n";
  }
  if (command == "ping") return "pong " + std::string(words.rest()) + '\n';
  if (!asked) return {};
  const auto text = first_move();
  if (!text) return {};
  const auto read = chess::read_uci(position_, *text, castling_text(chess960_));
  const auto move = std::get<chess::ReadMove>(read).move;
  std::string said = *text;
  if (chess960_ && move.kind() == chess::MoveKind::castling)
    said = chess::file_of(move.to()) > chess::file_of(move.from()) ? "O-O" : "O-O-O";
  history_.push_back(position_);
  position_.play(move);
  return "move " + said + '\n';
}

void StubPlayer::printed_by_script(std::string_view bytes) {
  if (protocol_ != ProtocolKind::xboard) return;
  constexpr std::size_t longest_move_line = 256;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    if (printed_.size() < longest_move_line) printed_.append(bytes.substr(0, end).substr(0, longest_move_line));
    if (end == bytes.size()) return;
    bytes.remove_prefix(end + 1);
    go_on_by(std::exchange(printed_, {}));
  }
}

/// Read as the referee reads it.
void StubPlayer::go_on_by(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || static_cast<unsigned char>(line.front()) < 0x20)) line.remove_prefix(1);
  const auto said = speech::classify(trimmed(line));
  const auto* move_said = std::get_if<speech::Move>(&said);
  if (move_said == nullptr) return;
  const auto read = chess::read_xboard(position_, move_said->text, castling_text(chess960_));
  const auto* move = std::get_if<chess::ReadMove>(&read);
  if (move == nullptr) return;
  history_.push_back(position_);
  position_.play(move->move);
}

}  // namespace referee::engine
