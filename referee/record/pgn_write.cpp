#include <ctime>
#include <optional>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/opening_table.hpp"
#include "referee/record/pgn.hpp"
#include "referee/record/pgn_annotate.hpp"
#include "referee/record/pgn_layout.hpp"

namespace referee::record {

namespace {

/// A move's text and the comment behind it, in one string for all moves.
struct WrittenMove {
  std::size_t start;
  std::size_t size;
  std::size_t comment_size = 0;
};

struct LocalTime {
  std::string date, time;
};

void add_digits(std::string& out, int value, int width) {
  const std::string digits = std::to_string(value);
  out.append(static_cast<std::size_t>(width) - std::min(digits.size(), static_cast<std::size_t>(width)), '0');
  out += digits;
}

LocalTime broken_down(const std::tm& parts) {
  LocalTime text;
  add_digits(text.date, parts.tm_year + 1900, 4);
  text.date += '.';
  add_digits(text.date, parts.tm_mon + 1, 2);
  text.date += '.';
  add_digits(text.date, parts.tm_mday, 2);
  add_digits(text.time, parts.tm_hour, 2);
  text.time += ':';
  add_digits(text.time, parts.tm_min, 2);
  text.time += ':';
  add_digits(text.time, parts.tm_sec, 2);
  return text;
}

// "?" stands for an unknown value of the seven tags (PGN 8.1.1).
std::string_view known(std::string_view value) { return value.empty() ? std::string_view("?") : value; }

}  // namespace

std::string pgn_tag(std::string_view name, std::string_view value) {
  std::string out = "[";
  out += name;
  out += " \"";
  for (const char c : game::is_printable(value) ? std::string(value) : game::printable(value)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += "\"]";
  return out;
}

struct PgnComposer::Impl {
  Impl(const GameStarted& start, PgnStyle chosen) : started(start), style(chosen) {
    constexpr std::size_t usual_length = 128;  // half-moves
    constexpr std::size_t usual_comment = 56;
    moves.reserve(usual_length);
    texts.reserve(usual_length * usual_comment);
    chess::Position position = started.setup.start;
    name_opening(position);
    const auto castling = started.setup.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
    for (const std::string& text : started.setup.opening_moves) {
      const auto read = chess::read_uci(position, text, castling);
      const auto* move = std::get_if<chess::ReadMove>(&read);
      if (move == nullptr) break;  // the judge refuses such a set-up; a journal from elsewhere still gets its text
      begin_move(written(position, move->move, castling));
      if (style.comments == PgnComments::engine) add_comment("book");
      position.play(move->move);
      name_opening(position);
    }
    follow(position);
  }

  [[nodiscard]] std::string written(const chess::Position& position, chess::Move move, chess::CastlingText castling) const {
    switch (style.notation) {
      case PgnNotation::san:
        break;
      case PgnNotation::lan:
        return chess::to_long_algebraic(position, move);
      case PgnNotation::uci:
        return chess::to_uci(position, move, castling);
    }
    return chess::to_san(position, move);
  }

  [[nodiscard]] bool names_openings() const { return style.openings && !started.setup.chess960; }
  void name_opening(const chess::Position& position) {
    if (!names_openings()) return;
    if (const OpeningName* known = built_in_openings().find(position)) opening = known;
  }
  /// Keeps the board as long as something is asked of it.
  void follow(const chess::Position& position) {
    const bool opening_phase = names_openings() && moves.size() < built_in_openings().horizon();
    if (opening_phase || style.notation == PgnNotation::lan)
      board = position;
    else
      board.reset();
  }

  void begin_move(std::string_view text) {
    moves.push_back({texts.size(), text.size()});
    texts += text;
  }
  /// To the last move, or before the first.
  void add_comment(std::string_view text) {
    if (text.empty()) return;
    std::string& out = moves.empty() ? comment_before : texts;
    const std::size_t before = out.size();
    if (moves.empty() ? !out.empty() : moves.back().comment_size != 0) out += "; ";
    out += text;
    if (!moves.empty()) moves.back().comment_size += out.size() - before;
  }

  void add(const game::MoveAccepted& accepted, const EventJudged& judged) {
    if (board && style.notation == PgnNotation::lan)
      begin_move(chess::to_long_algebraic(*board, accepted.move));
    else
      begin_move(style.notation == PgnNotation::uci ? accepted.uci : accepted.san);
    if (board) {
      board->play(accepted.move);
      name_opening(*board);
    }
    if (judged.book && style.comments != PgnComments::none) {
      add_comment("book");
    } else {
      annotate_move(texts, accepted, judged.search, style);
      moves.back().comment_size = texts.size() - moves.back().start - moves.back().size;
    }
    if (board && style.notation != PgnNotation::lan && moves.size() >= built_in_openings().horizon()) board.reset();
  }

  void add(const EventJudged& judged) {
    add_comment(annotate_order(judged.event));
    for (const game::Ruling& ruling : judged.rulings) {
      if (const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body)) add(*accepted, judged);
      add_comment(annotate_ruling(judged.event, ruling));
    }
  }

  [[nodiscard]] std::string_view move_text(std::size_t move) const {
    return std::string_view(texts).substr(moves[move].start, moves[move].size);
  }
  [[nodiscard]] std::string_view comment(std::size_t move) const {
    return std::string_view(texts).substr(moves[move].start + moves[move].size, moves[move].comment_size);
  }

  void append_tags(std::string& out, const GameEnded* ended, std::size_t plies) const {
    const auto tag = [&](std::string_view name, std::string_view value) {
      out += pgn_tag(name, value);
      out += '\n';
    };
    const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(started.at.time_since_epoch()).count();
    std::tm local{};
    std::tm utc{};
    ::localtime_r(&seconds, &local);
    ::gmtime_r(&seconds, &utc);
    const LocalTime here = broken_down(local);
    const LocalTime universal = broken_down(utc);
    const game::GameSetup& setup = started.setup;

    tag("Event", known(started.event));
    tag("Site", known(started.site));
    tag("Date", started.date.empty() ? here.date : started.date);
    tag("Round", std::to_string(started.round) + "." + std::to_string(started.game));
    tag("White", known(started.white));
    tag("Black", known(started.black));
    tag("Result", ended == nullptr ? "*" : game::pgn_result(ended->outcome));
    // The others in ASCII order of their names (PGN 8.1).
    const bool odds = setup.time_control[0] != setup.time_control[1];
    if (odds) tag("BlackTimeControl", clock::to_pgn_tag(setup.time_control[1]));
    tag("BlackType", "program");
    if (opening != nullptr) tag("ECO", opening->eco);
    if (!started.edition.empty()) tag("Edition", started.edition);
    const bool set_up = setup.chess960 || !(setup.start == chess::Position::initial());
    if (set_up) tag("FEN", chess::to_fen(setup.start));
    if (opening != nullptr) tag("Opening", opening->opening);
    tag("PlyCount", std::to_string(plies));
    if (set_up) tag("SetUp", "1");
    tag("Termination", ended == nullptr ? "unterminated" : pgn_termination(ended->outcome.reason));
    tag("Time", here.time);
    tag("TimeControl", odds ? std::string("?") : clock::to_pgn_tag(setup.time_control[0]));
    tag("UTCDate", universal.date);
    tag("UTCTime", universal.time);
    if (setup.chess960) tag("Variant", "Chess960");
    if (opening != nullptr && !opening->variation.empty()) tag("Variation", opening->variation);
    if (odds) tag("WhiteTimeControl", clock::to_pgn_tag(setup.time_control[0]));
    tag("WhiteType", "program");
    out += '\n';
  }

  [[nodiscard]] std::string text(const GameEnded* ended) const {
    // A verdict may have proved that the game was over before its last moves: these are comment then.
    const std::size_t plies = ended == nullptr ? moves.size() : std::min(moves.size(), static_cast<std::size_t>(std::max(ended->plies, 0)));
    std::string out;
    out.reserve(1024 + texts.size() + moves.size() * 16);
    append_tags(out, ended, plies);
    Movetext movetext(out);
    if (!comment_before.empty()) movetext.comment(comment_before);
    int number = started.setup.start.fullmove_number();
    bool white = started.setup.start.side_to_move() == chess::Color::white;
    bool numbered = false;  // does the last token leave the number of Black's move clear
    for (std::size_t i = 0; i < plies; ++i) {
      if (white)
        movetext.token(std::to_string(number) + ".");
      else if (!numbered)
        movetext.token(std::to_string(number) + "...");
      movetext.token(move_text(i));
      numbered = comment(i).empty();
      if (!numbered) movetext.comment(comment(i));
      if (!white) ++number;
      white = !white;
    }
    if (plies < moves.size()) movetext.comment(played_on(plies, number, white));
    if (ended != nullptr) movetext.comment(words(ended->outcome));
    movetext.token(ended == nullptr ? "*" : game::pgn_result(ended->outcome));
    movetext.end_line();
    out += '\n';
    return out;
  }

  [[nodiscard]] std::string played_on(std::size_t from, int number, bool white) const {
    std::string text = "Played after the end:";
    for (std::size_t i = from; i < moves.size(); ++i) {
      if (white || i == from) text += " " + std::to_string(number) + (white ? "." : "...");
      text.append(" ").append(move_text(i));
      if (!white) ++number;
      white = !white;
    }
    return text;
  }

  GameStarted started;
  PgnStyle style;
  std::string comment_before;
  std::string texts;
  std::vector<WrittenMove> moves;
  std::optional<chess::Position> board;  // after the moves so far
  const OpeningName* opening = nullptr;
};

PgnComposer::PgnComposer(const GameStarted& started, PgnStyle style) : impl_(std::make_unique<Impl>(started, style)) {}
PgnComposer::~PgnComposer() = default;
PgnComposer::PgnComposer(PgnComposer&&) noexcept = default;
PgnComposer& PgnComposer::operator=(PgnComposer&&) noexcept = default;
void PgnComposer::add(const EventJudged& judged) { impl_->add(judged); }
std::string PgnComposer::text(const GameEnded* ended) const { return impl_->text(ended); }

std::string to_pgn(const RecordedGame& game, const PgnStyle& style) {
  PgnComposer composer(game.started, style);
  for (const EventJudged& judged : game.events) composer.add(judged);
  if (!game.row.outcome) return composer.text(nullptr);
  const GameEnded ended{game.row.game,   game.row.ended.value_or(game.row.started), *game.row.outcome, game.row.plies, game.row.duration,
                        game.row.counted};
  return composer.text(&ended);
}

}  // namespace referee::record
