#include "referee/record/pgn_normalise.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/record/opening_table.hpp"
#include "referee/record/pgn_annotate.hpp"
#include "referee/record/pgn_layout.hpp"

namespace referee::record {

namespace {

constexpr std::array<std::string_view, 7> roster{"Event", "Site", "Date", "Round", "White", "Black", "Result"};

/// Takes a number off the front; nullopt leaves the text as it was.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// "+0.30", "-M6", "M5", "0.00"; false if it is no score.
bool take_score(std::string_view& text, EngineComment& out) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (take(text, 'M')) {
    const auto plies = take_number<int>(text);
    if (!plies || *plies < 0 || *plies > 10'000) return false;
    out.mate = negative ? -(*plies / 2) : (*plies + 1) / 2;
    return true;
  }
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  const auto pawns = take_number<double>(text);
  if (!pawns || *pawns > 1e6) return false;
  out.centipawns = static_cast<int>(std::lround(*pawns * 100)) * (negative ? -1 : 1);
  return true;
}

bool take_seconds(std::string_view& text, EngineComment& out) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  const auto seconds = take_number<double>(text);
  if (!seconds || *seconds > 1e8 || !take(text, 's')) return false;
  out.used = std::chrono::duration_cast<game::Duration>(std::chrono::duration<double>(*seconds));
  return true;
}

std::string_view without_separators(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == ',' || text.front() == ';')) text.remove_prefix(1);
  return text;
}

std::string as_commands(const EngineComment& said, chess::Color mover, const PgnStyle& style) {
  game::MoveAccepted move{};
  move.side = mover;
  move.remaining = game::Duration::max();
  move.used = said.used.value_or(game::Duration{});
  PgnStyle chosen = style;
  chosen.comments = PgnComments::tags;
  chosen.used = style.used && said.used;
  std::optional<SearchReport> search;
  if (said.centipawns || said.mate) {
    search.emplace();
    search->centipawns = said.centipawns;
    search->mate = said.mate;
    search->depth = said.depth;
  }
  std::string text;
  annotate_move(text, move, search, chosen);
  return text;
}

std::string comment_of(const PgnMove& move, chess::Color mover, const PgnStyle& style) {
  std::string text;
  for (const std::string& comment : move.comments) {
    std::string said = comment;
    if (const auto engine = read_engine_comment(comment); engine && style.comments == PgnComments::tags) {
      said = as_commands(*engine, mover, style);
      if (!engine->rest.empty()) said += (said.empty() ? "" : " ") + engine->rest;
    }
    if (said.empty() || style.comments == PgnComments::none) continue;
    if (!text.empty()) text += "; ";
    text += said;
  }
  return text;
}

/// Termination in the standard's words, as the programs write it.
std::string termination(std::string_view value) {
  std::string word(value);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  if (word == "illegal move" || word == "illegal_move") return "rules infraction";
  if (word == "stalled connection" || word == "stall" || word == "disconnect" || word == "crash") return "abandoned";
  return std::string(value);
}

void append_tags(std::string& out, const PgnGame& game, const OpeningName* opening, const PgnStyle& style) {
  std::map<std::string, std::string> others;
  std::map<std::string_view, std::string> seven;
  for (const auto& [name, value] : game.tags) {
    const auto known = std::find(roster.begin(), roster.end(), name);
    if (known != roster.end())
      seven[*known] = value;
    else
      others[name] = value;
  }
  seven["Result"] = game.result.empty() ? "*" : game.result;
  if (others.contains("FEN")) others["SetUp"] = "1";
  others["PlyCount"] = std::to_string(game.moves.size());
  if (const auto way = others.find("Termination"); way != others.end()) way->second = termination(way->second);
  if (style.openings && opening != nullptr) {
    others["ECO"] = opening->eco;
    others["Opening"] = opening->opening;
    others.erase("Variation");
    if (!opening->variation.empty()) others["Variation"] = opening->variation;
  }
  for (const std::string_view name : roster) {
    const std::string& value = seven[name];
    out += pgn_tag(name, !value.empty() ? value : name == "Date" ? "????.??.??" : "?") + "\n";
  }
  for (const auto& [name, value] : others) out += pgn_tag(name, value) + "\n";
  out += '\n';
}

}  // namespace

std::optional<EngineComment> read_engine_comment(std::string_view comment) {
  EngineComment out;
  std::string_view text = without_separators(comment);
  if (text == "book" || text.starts_with("book,")) {
    out.book = true;
    out.rest = without_separators(text.substr(4));
    return out;
  }
  std::string_view scored = text;
  std::string_view timed = text;
  if (take_seconds(timed, out)) {
    text = timed;
  } else if (take_score(scored, out)) {
    text = scored;
    if (take(text, '/')) out.depth = take_number<int>(text);
    std::string_view after = text;
    if (take(after, ' ') && take_seconds(after, out)) text = after;
    if (!out.depth && !out.used) return std::nullopt;  // a number alone may mean anything
  } else {
    return std::nullopt;
  }
  if (!text.empty() && text.front() != ' ' && text.front() != ',') return std::nullopt;
  out.rest = without_separators(text);
  return out;
}

NormalisedGame normalise(const PgnGame& game, const PgnStyle& style) {
  NormalisedGame out;
  chess::Position position = chess::Position::initial();
  if (const auto fen = game.tag("FEN")) {
    const auto read = chess::parse_fen(*fen, chess::FenReading::lenient);
    if (!read) {
      out.problem = {game.line, 1, "FEN: " + std::string(chess::name(read.error().field)) + ": " + read.error().message};
      return out;
    }
    position = read.position();
  }
  const chess::Position start = position;
  std::vector<chess::Move> moves;
  std::string movetext;
  Movetext writer(movetext);
  for (const std::string& comment : game.comments_before)
    if (style.comments != PgnComments::none) writer.comment(comment);
  bool numbered = false;
  const auto castling = chess::CastlingText::king_takes_rook;
  for (const PgnMove& written : game.moves) {
    const auto read = chess::read_san(position, written.san);
    if (const auto* error = std::get_if<chess::MoveTextError>(&read)) {
      out.problem = {written.line, written.column, "move " + written.san + ": " + error->message};
      return out;
    }
    const chess::Move move = std::get<chess::ReadMove>(read).move;
    const chess::Color mover = position.side_to_move();
    const std::string number = std::to_string(position.fullmove_number());
    if (mover == chess::Color::white)
      writer.token(number + ".");
    else if (!numbered)
      writer.token(number + "...");
    writer.token(style.notation == PgnNotation::san   ? chess::to_san(position, move)
                 : style.notation == PgnNotation::lan ? chess::to_long_algebraic(position, move)
                                                      : chess::to_uci(position, move, castling));
    numbered = true;
    for (const int nag : written.nags) writer.token("$" + std::to_string(nag));
    if (const std::string comment = comment_of(written, mover, style); !comment.empty()) {
      writer.comment(comment);
      numbered = false;
    }
    moves.push_back(move);
    position.play(move);
  }
  writer.token(game.result.empty() ? "*" : game.result);
  writer.end_line();
  append_tags(out.text, game, built_in_openings().name_of(start, moves), style);
  out.text += movetext + "\n";
  return out;
}

}  // namespace referee::record
