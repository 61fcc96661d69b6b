#include "referee/match/opening_suite.hpp"

#include <algorithm>
#include <unordered_map>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/game/game.hpp"
#include "referee/match/random.hpp"
#include "referee/record/epd_write.hpp"
#include "referee/record/pgn.hpp"
#include "referee/record/pgn_layout.hpp"

namespace referee::match {

namespace {

SuiteOpening looked_at(const std::string& file, Opening opening, bool chess960, const std::shared_ptr<const laws::Edition>& edition) {
  SuiteOpening line;
  line.file = file;
  line.end = opening.start;
  const auto castling = chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  for (const std::string& text : opening.moves) {
    const chess::Move move = std::get<chess::ReadMove>(chess::read_uci(line.end, text, castling)).move;
    line.moves.push_back(move);
    line.end.play(move);
  }
  if (!chess960) {
    if (const record::OpeningName* name = record::built_in_openings().name_of(opening.start, line.moves)) line.name = *name;
  }
  game::GameSetup setup;
  setup.start = opening.start;
  setup.chess960 = chess960;
  setup.opening_moves = opening.moves;
  for (auto& control : setup.time_control) control.periods = {{0, std::chrono::hours(1), {}, {}}};
  const game::Game game(setup, edition);
  if (game.outcome()) line.over = game.outcome()->reason;
  line.opening = std::move(opening);
  return line;
}

void append_pgn(std::string& out, const SuiteOpening& line) {
  const auto tag = [&out](std::string_view name, std::string_view value) {
    out += record::pgn_tag(name, value);
    out += '\n';
  };
  tag("Event", "Opening line");
  tag("Site", "?");
  tag("Date", "????.??.??");
  tag("Round", "-");
  tag("White", "?");
  tag("Black", "?");
  tag("Result", "*");
  if (line.name) tag("ECO", line.name->eco);
  const chess::Position& start = line.opening.start;
  const bool set_up = !(start == chess::Position::initial());
  if (set_up) tag("FEN", chess::to_fen(start));
  if (line.name) tag("Opening", line.name->opening);
  if (set_up) tag("SetUp", "1");
  if (line.name && !line.name->variation.empty()) tag("Variation", line.name->variation);
  out += '\n';
  record::Movetext text(out);
  chess::Position position = start;
  for (const chess::Move move : line.moves) {
    if (position.side_to_move() == chess::Color::white)
      text.token(std::to_string(position.fullmove_number()) + ".");
    else if (move == line.moves.front() && position == start)
      text.token(std::to_string(position.fullmove_number()) + "...");
    text.token(chess::to_san(position, move));
    position.play(move);
  }
  text.token("*");
  text.end_line();
  out += '\n';
}

std::string title(const SuiteOpening& line) {
  if (!line.name) return line.opening.name;
  std::string text = line.name->eco + " " + line.name->opening;
  if (!line.name->variation.empty()) text += ", " + line.name->variation;
  return text;
}

}  // namespace

std::vector<SuiteOpening> read_suite(const SuiteRequest& request, const std::shared_ptr<const laws::Edition>& edition,
                                     std::vector<std::string>& notes) {
  std::vector<SuiteOpening> suite;
  std::vector<std::string> problems;
  for (const std::string& file : request.files) {
    config::Openings openings;
    openings.file = file;
    openings.format = request.format;
    openings.plies = request.plies;
    try {
      const OpeningBook book = OpeningBook::read(openings, request.chess960);
      notes.insert(notes.end(), book.notes().begin(), book.notes().end());
      suite.reserve(suite.size() + book.size());
      for (std::size_t i = 0; i < book.size(); ++i) suite.push_back(looked_at(file, book.at(i), request.chess960, edition));
    } catch (const BookException& error) { problems.insert(problems.end(), error.problems().begin(), error.problems().end()); }
  }
  if (!problems.empty()) throw BookException(std::move(problems));
  std::unordered_map<std::uint64_t, std::size_t> first;
  for (std::size_t i = 0; i < suite.size(); ++i) {
    const auto [there, added] = first.try_emplace(suite[i].end.key(), i);
    if (!added) suite[i].same_as = there->second;
  }
  return suite;
}

std::vector<SuiteOpening> sample(std::vector<SuiteOpening> suite, std::size_t count, std::uint64_t seed) {
  if (count >= suite.size()) return suite;
  std::vector<std::size_t> order(suite.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Random(seed).shuffle(order);
  order.resize(count);
  std::ranges::sort(order);
  std::vector<SuiteOpening> drawn;
  drawn.reserve(count);
  for (const std::size_t i : order) drawn.push_back(std::move(suite[i]));
  return drawn;
}

void append_opening(std::string& out, const SuiteOpening& opening, SuiteForm form) {
  switch (form) {
    case SuiteForm::pgn:
      return append_pgn(out, opening);
    case SuiteForm::epd:
      return record::append_epd(out, opening.end, {{"id", title(opening)}});
    case SuiteForm::fen:
      out += chess::to_fen(opening.end) + "\n";
      return;
  }
}

}  // namespace referee::match
