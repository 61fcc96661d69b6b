#include "referee/cli/case_from_game.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/cli/command.hpp"
#include "referee/clock/time_control.hpp"
#include "referee/game/game.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/pgn.hpp"

namespace referee::cli {

namespace {

using clock::Duration;

record::PgnGame find_game(const CaseFromGame& request) {
  std::ifstream file(request.path, std::ios::binary);
  if (!file) throw UsageError(request.path + ": cannot be read");
  record::PgnReader reader(file);
  std::size_t number = 0;
  while (auto game = reader.next()) {
    if (++number == request.game) return std::move(*game);
  }
  throw UsageError(request.path + ": there is no game " + std::to_string(request.game) + ", the file has " + std::to_string(number));
}

/// "1:02:03.5" in a [%clk ...] comment.
std::optional<Duration> clock_in(const std::vector<std::string>& comments) {
  for (const std::string& comment : comments) {
    const std::size_t tag = comment.find("[%clk ");
    if (tag == std::string::npos) continue;
    const std::size_t end = comment.find(']', tag);
    if (end == std::string::npos) continue;
    double seconds = 0;
    std::string part;
    const std::string text = comment.substr(tag + 6, end - tag - 6) + ":";
    bool good = true;
    for (const char letter : text) {
      if (letter != ':') {
        part += letter;
        continue;
      }
      char* rest = nullptr;
      const double value = std::strtod(part.c_str(), &rest);
      good = good && !part.empty() && *rest == '\0' && value >= 0 && value < 1e6;
      seconds = seconds * 60 + value;
      part.clear();
    }
    if (good) return std::chrono::milliseconds(std::llround(seconds * 1000));
  }
  return std::nullopt;
}

std::string yaml_text(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20) continue;
    out += letter;
    if (letter == '\'') out += '\'';
  }
  return out + "'";
}

struct Situation {
  chess::Position start = chess::Position::initial();
  chess::Position position = chess::Position::initial();
  bool has_fen = false;
  bool chess960 = false;
  std::vector<std::string> moves;
  std::array<std::optional<Duration>, 2> clocks;
  std::size_t book = 0;  // half-moves told to be the opening's
};

Situation reach(const record::PgnGame& game, const CaseFromGame& request) {
  const std::string place = request.path + ":";
  Situation situation;
  if (const auto fen = game.tag("FEN")) {
    const auto read = chess::parse_fen(std::string(*fen), chess::FenReading::lenient);
    if (!read) throw UsageError(place + std::to_string(game.line) + ": the FEN tag cannot be read: " + read.error().message);
    situation.start = situation.position = read.position();
    situation.has_fen = true;
  }
  if (const auto variant = game.tag("Variant")) situation.chess960 = variant->find("960") != std::string_view::npos;
  const auto castling = situation.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  if (game.moves.size() < request.ply) {
    throw UsageError(place + std::to_string(game.line) + ": the game has " + std::to_string(game.moves.size()) +
                     " half-moves, --ply asks for " + std::to_string(request.ply));
  }
  for (std::size_t i = 0; i < request.ply; ++i) {
    const record::PgnMove& move = game.moves[i];
    const chess::MoveText read = chess::read_san(situation.position, move.san);
    const auto* found = std::get_if<chess::ReadMove>(&read);
    if (found == nullptr) throw UsageError(place + std::to_string(move.line) + ": " + std::get<chess::MoveTextError>(read).message);
    situation.moves.push_back(chess::to_uci(situation.position, found->move, castling));
    if (situation.book == i && std::find(move.comments.begin(), move.comments.end(), "book") != move.comments.end()) ++situation.book;
    if (const auto left = clock_in(move.comments)) situation.clocks[chess::index(situation.position.side_to_move())] = left;
    situation.position.play(found->move);
  }
  return situation;
}

std::string tag_or(const record::PgnGame& game, std::string_view name, std::string otherwise) {
  const auto tag = game.tag(name);
  return tag ? std::string(*tag) : std::move(otherwise);
}

/// Both sides' time control, where the game tells one; the category follows from it by the edition.
std::string time_control_lines(const record::PgnGame& game, const Situation& situation) {
  const auto tag = game.tag("TimeControl");
  const bool odds = game.tag("BlackTimeControl") || game.tag("WhiteTimeControl");
  if (odds) return "    # time_control: the players have each their own\n";
  if (!tag || tag->empty() || *tag == "?" || *tag == "-") return {};
  const auto read = clock::parse_pgn_time_control(*tag);
  const auto* control = std::get_if<clock::TimeControl>(&read);
  if (control == nullptr) return "    # time_control: the game's cannot be read\n";
  std::string out = "    time_control: " + yaml_text(clock::to_text(*control)) + "\n";
  if (situation.book > 0 && control->periods.front().moves > 0) {
    out += "    # The first " + std::to_string(situation.book) +
           " half-moves are the opening's, which the game's clocks did not count; the case counts all moves towards the period.\n";
  }
  return out;
}

std::string edition_of(const record::PgnGame& game, const CaseFromGame& request) {
  if (!request.edition.empty()) return request.edition;
  const std::string tag = tag_or(game, "Edition", "");
  const auto& ids = config::edition_ids();
  return std::find(ids.begin(), ids.end(), tag) != ids.end() ? tag : "fide-2023";
}

std::string ruling_lines(const Situation& situation, const std::string& edition) {
  game::GameSetup setup;
  setup.start = situation.start;
  setup.chess960 = situation.chess960;
  setup.opening_moves = situation.moves;
  const game::Game judged(setup, config::load_edition(edition));
  if (!judged.outcome()) return "        outcome: continue\n        result: '*'\n";
  return "        outcome: game_over\n        result: " + game::result_text(*judged.outcome()) +
         "\n        reason: " + std::string(game::code(judged.outcome()->reason)) + "\n";
}

}  // namespace

std::string write_case_from_game(const CaseFromGame& request) {
  const record::PgnGame game = find_game(request);
  const Situation situation = reach(game, request);
  const std::string side(chess::name(situation.position.side_to_move()));
  std::string moves;
  for (const std::string& move : situation.moves) moves += (moves.empty() ? "" : " ") + move;

  std::string out = "# " + std::filesystem::path(request.path).filename().string() + ", game " + std::to_string(request.game) +
                    ", after half-move " + std::to_string(request.ply) + ". Run it with: referee case FILE --explain\n";
  out += "schema: 1\ncases:\n";
  out += "  - id: GAME-" + std::to_string(request.game) + "-PLY-" + std::to_string(request.ply) + "\n";
  out += "    title: " +
         yaml_text(
             game::printable(tag_or(game, "White", "?") + " - " + tag_or(game, "Black", "?") + ", " + tag_or(game, "Date", "????.??.??"))) +
         "\n";
  if (situation.chess960) out += "    chess960: true\n";
  if (situation.has_fen) out += "    start_fen: " + chess::to_fen(situation.start) + "\n";
  out += "    moves: " + yaml_text(moves) + "\n";
  out += "    fen_after_moves: " + chess::to_fen(situation.position) + "\n";
  out += time_control_lines(game, situation);
  const auto milliseconds = [](Duration time) { return std::to_string(time / std::chrono::milliseconds(1)); };
  if (situation.clocks[0] && situation.clocks[1]) {
    out += "    clocks: {white_ms: " + milliseconds(*situation.clocks[0]) + ", black_ms: " + milliseconds(*situation.clocks[1]) + "}\n";
  } else {
    out += "    # clocks: {white_ms: 600000, black_ms: 600000}   # the game gives no times for both sides\n";
  }
  out += "    # What happens now? Choose one; `status` asks only what the position is.\n";
  out += "    event: {type: status}\n";
  out += "    # event: {type: claim, side: " + side + ", rule: threefold, mode: on_board}\n";
  out += "    # event: {type: claim, side: " + side + ", rule: fifty, mode: intended, uci: e2e4}\n";
  out += "    # event: {type: flag_fall, side: " + side + "}\n";
  out += "    # event: {type: resign, side: " + side + "}\n";
  out += "    # event: {type: illegal_move, side: " + side + ", text: e2e5, used_ms: 1000, increment_ms: 0, prior: {white: 0, black: 0}}\n";
  out += "    expect:\n      # What the judge rules; correct it to what is right.\n";
  const std::string edition = edition_of(game, request);
  out += "      - editions: [" + edition + "]\n" + ruling_lines(situation, edition);
  return out;
}

}  // namespace referee::cli
