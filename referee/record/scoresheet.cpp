#include "referee/record/scoresheet.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/pgn_annotate.hpp"
#include "referee/record/pgn_check.hpp"

namespace referee::record {

namespace {

using chess::Color;
using chess::Language;
using chess::Position;

/// Appendix C names ++ and # for mate; the first is what Estonian players write.
std::string written(const Position& position, chess::Move move, Language language) {
  std::string text = chess::to_san(position, move, language);
  if (language == Language::et && text.ends_with('#')) text.replace(text.size() - 1, 1, "++");
  return text;
}

/// Writes moves down as they are played.
class Writer {
 public:
  Writer(Scoresheet& sheet, Position start) : sheet_(sheet), position_(start) {}
  [[nodiscard]] const Position& position() const noexcept { return position_; }

  void move(chess::Move move, std::optional<game::Duration> clock) {
    const Color mover = position_.side_to_move();
    sheet_.moves.push_back({position_.fullmove_number(), mover, written(position_, move, sheet_.language),
                            std::exchange(offered_[chess::index(mover)], false), clock});
    position_.play(move);
  }
  /// 9.1.2.1: made before the opponent's clock is started, so it belongs to the move just made or, by the side to move, the one to come.
  void offer(Color side) {
    if (side != position_.side_to_move() && !sheet_.moves.empty()) {
      sheet_.moves.back().offer = true;
    } else {
      offered_[chess::index(side)] = true;
    }
  }
  void note(const std::string& text) {
    if (!text.empty()) sheet_.notes.push_back({sheet_.moves.size(), game::printable(text)});
  }
  /// No move came any more with which it could have been written.
  void end() {
    for (const Color side : {Color::white, Color::black}) {
      if (offered_[chess::index(side)]) note(std::string(side == Color::white ? "White" : "Black") + " offered a draw (=)");
    }
  }

 private:
  Scoresheet& sheet_;
  Position position_;
  std::array<bool, 2> offered_{};
};

std::string date_of(WallTime at) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
  std::tm local{};
  ::localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &local)};
}

std::string control_text(const std::array<clock::TimeControl, 2>& controls) {
  std::string white = clock::to_pgn_tag(controls[0]);
  if (controls[0] == controls[1]) return white;
  return "White " + white + ", Black " + clock::to_pgn_tag(controls[1]);
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n;");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n;") - first + 1));
}

/// An engine's score and time ("+0.30/13 0.28s", "-M5/20 1.2s", "book") is no part of a scoresheet.
bool engine_comment(std::string_view text) {
  if (text == "book") return true;
  const std::size_t score = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  const std::size_t letters = text.substr(score).starts_with('M') ? score + 1 : score;
  if (letters >= text.size() || text[letters] < '0' || text[letters] > '9') return false;
  const std::size_t end = text.find_first_of(" ,");
  return text.substr(0, end).find_first_not_of("+-M./0123456789s") == std::string_view::npos;
}

/// What of a comment a player would have noted: commands are taken out, an offer is told apart.
struct Remark {
  std::string text;
  bool offer = false;
};
Remark remark(const std::string& comment) {
  Remark found;
  std::string rest;
  for (std::size_t at = 0; at < comment.size();) {
    if (comment.compare(at, 2, "[%") == 0) {
      const std::size_t end = comment.find(']', at);
      at = end == std::string::npos ? comment.size() : end + 1;
    } else if (comment.compare(at, 3, "(=)") == 0) {
      found.offer = true;
      at += 3;
    } else {
      rest += comment[at++];
    }
  }
  found.text = trimmed(rest);
  if (engine_comment(found.text)) found.text.clear();
  return found;
}

std::string value_of(const PgnGame& game, std::string_view name) {
  const auto value = game.tag(name);
  return value && *value != "?" ? game::printable(*value) : std::string();
}

}  // namespace

Scoresheet scoresheet(const RecordedGame& game, Language language) {
  const GameStarted& started = game.started;
  Scoresheet sheet;
  sheet.language = language;
  sheet.event = started.event;
  sheet.site = started.site;
  sheet.date = started.date.empty() ? date_of(started.at) : started.date;
  sheet.round = std::to_string(started.round) + "." + std::to_string(started.game);
  sheet.white = started.white;
  sheet.black = started.black;
  sheet.time_control = control_text(started.setup.time_control);
  sheet.edition = started.edition;
  if (!(started.setup.start == Position::initial())) sheet.start = chess::to_fen(started.setup.start);

  Writer writer(sheet, started.setup.start);
  const auto castling = started.setup.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  for (const std::string& text : started.setup.opening_moves) {
    const auto read = chess::read_uci(writer.position(), text, castling);
    const auto* move = std::get_if<chess::ReadMove>(&read);
    if (move == nullptr) break;
    writer.move(move->move, std::nullopt);
  }
  // What was played after the proven end of the game is no part of it.
  const std::size_t plies = game.row.outcome ? static_cast<std::size_t>(std::max(game.row.plies, 0)) : ~std::size_t{0};
  for (const EventJudged& judged : game.events) {
    writer.note(annotate_order(judged.event));
    for (const game::Ruling& ruling : judged.rulings) {
      if (const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body)) {
        if (sheet.moves.size() >= plies || !writer.position().is_legal(accepted->move)) continue;
        const bool limited = accepted->remaining != game::Duration::max();
        writer.move(accepted->move, limited ? std::optional(accepted->remaining) : std::nullopt);
      }
      const auto* offer = std::get_if<game::OfferPending>(&ruling.body);
      if (offer != nullptr && std::holds_alternative<game::DrawOffered>(judged.event.body)) {
        writer.offer(offer->side);
      } else {
        writer.note(annotate_ruling(judged.event, ruling));
      }
    }
  }
  writer.end();
  if (game.row.outcome) {
    sheet.result = game::result_text(*game.row.outcome);
    sheet.ending = words(*game.row.outcome);
  }
  return sheet;
}

Scoresheet scoresheet(const PgnGame& game, Language language, Language written_in) {
  Scoresheet sheet;
  sheet.language = language;
  sheet.event = value_of(game, "Event");
  sheet.site = value_of(game, "Site");
  sheet.date = value_of(game, "Date");
  sheet.round = value_of(game, "Round");
  sheet.white = value_of(game, "White");
  sheet.black = value_of(game, "Black");
  sheet.time_control = value_of(game, "TimeControl");
  sheet.edition = value_of(game, "Edition");

  Position start = Position::initial();
  if (const auto fen = game.tag("FEN")) {
    const auto read = chess::parse_fen(*fen, chess::FenReading::lenient);
    if (!read) throw ScoresheetError(game.line, "the FEN tag cannot be read: " + read.error().message);
    start = read.position();
    if (!(start == Position::initial())) sheet.start = chess::to_fen(start);
  }
  Writer writer(sheet, start);
  const auto keep = [&writer](const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
      const Remark found = remark(comment);
      if (found.offer) writer.offer(chess::opposite(writer.position().side_to_move()));
      // Our own words for an offer add nothing to its sign.
      if (!found.offer || found.text.find(';') != std::string::npos || found.text.find("offers a draw") == std::string::npos) {
        writer.note(found.text);
      }
    }
  };
  keep(game.comments_before);
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const PgnMove& move = game.moves[i];
    const auto read = chess::read_san(writer.position(), move.san, written_in);
    const auto* found = std::get_if<chess::ReadMove>(&read);
    if (found == nullptr) {
      throw ScoresheetError(move.line,
                            "half-move " + std::to_string(i + 1) + ", '" + move.san + "': " + std::get<chess::MoveTextError>(read).message);
    }
    const auto shown = comment_time(move, "clk");
    writer.move(found->move, shown ? std::optional(shown->time) : std::nullopt);
    keep(move.comments);
  }
  writer.end();
  const std::string result = game.result.empty() ? value_of(game, "Result") : game.result;
  if (result != "*") sheet.result = result;
  if (const std::string termination = value_of(game, "Termination"); termination != "normal") sheet.ending = termination;
  return sheet;
}

}  // namespace referee::record
