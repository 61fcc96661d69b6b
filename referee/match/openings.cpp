#include "referee/match/openings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <variant>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/match/polyglot_lines.hpp"
#include "referee/match/random.hpp"
#include "referee/match/text_input.hpp"
#include "referee/record/pgn.hpp"

namespace referee::match {

namespace {

constexpr std::size_t most_named = 20;
constexpr std::size_t largest_book = std::size_t{50'000'000};

/// Keeps the first twenty and counts the rest.
class Complaints {
 public:
  void add(std::string text) {
    if (texts_.size() < most_named)
      texts_.push_back(std::move(text));
    else
      ++more_;
  }
  [[nodiscard]] bool empty() const noexcept { return texts_.empty(); }
  [[nodiscard]] std::vector<std::string> take(std::string_view what) {
    if (more_ > 0) texts_.push_back("and " + std::to_string(more_) + " more " + std::string(what));
    return std::move(texts_);
  }

 private:
  std::vector<std::string> texts_;
  std::size_t more_ = 0;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

constexpr std::size_t polyglot_plies = 16;
constexpr std::size_t most_polyglot_lines = 50'000;

}  // namespace

BookException::BookException(std::vector<std::string> problems) : problems_(std::move(problems)) {
  for (const std::string& problem : problems_) {
    if (!text_.empty()) text_ += '\n';
    text_ += problem;
  }
}

/// Reads one book; what is wrong is collected, so that all of it is said at once.
class OpeningBook::Reader {
 public:
  Reader(OpeningBook& book, const config::Openings& openings) : book_(book), openings_(openings) {}

  void read() {
    const std::string& path = openings_.file;
    const auto format = format_of(openings_);
    if (!format)
      throw BookException({path +
                           ": what kind of book is this? (expected .epd, .fen, .pgn, also .gz, or .bin; or openings: {format: epd | pgn | "
                           "polyglot})"});
    if (*format == config::OpeningFormat::polyglot) return read_polyglot();
    std::optional<TextInput> input;
    try {
      input.emplace(path);
    } catch (const std::runtime_error& error) { throw BookException({path + ": " + error.what() + " (expected an opening book)"}); }
    *format == config::OpeningFormat::epd ? read_epd(*input) : read_pgn(*input);
    if (const std::string failure = input->failure(); !failure.empty()) problems_.add(path + ": " + failure);
    if (!problems_.empty()) throw BookException(problems_.take("bad lines"));
    if (book_.entries_.empty()) throw BookException({path + ": holds no opening"});
    book_.notes_ = notes_.take("notes on the book");
  }

 private:
  [[nodiscard]] std::string place(std::size_t line, std::size_t column = 1) const {
    return openings_.file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
  }

  void read_polyglot() {
    const std::string& path = openings_.file;
    if (book_.chess960_) throw BookException({path + ": a Polyglot book is of standard chess (expected an EPD or PGN book for chess960)"});
    std::optional<PolyglotBook> polyglot;
    try {
      polyglot = PolyglotBook::read(path);
    } catch (const std::runtime_error& error) { throw BookException({path + ": " + error.what()}); }
    const std::size_t plies = openings_.plies ? static_cast<std::size_t>(*openings_.plies) : polyglot_plies;
    const PolyglotLines found = polyglot_lines(*polyglot, openings_.order, openings_.seed, plies, most_polyglot_lines);
    if (found.lines.empty())
      throw BookException({path + ": holds no move for the initial position (expected a Polyglot book of standard chess)"});
    for (const std::vector<std::uint16_t>& line : found.lines) add(book_.entries_.size() + 1, chess::Position::initial(), {}, line);
    if (found.illegal > 0)
      notes_.add(path + ": " + std::to_string(found.illegal) +
                 (found.illegal == 1 ? " entry is no legal move" : " entries are no legal moves") +
                 " where it would be played, and left out");
    if (found.bounded) notes_.add(path + ": has more lines, the first " + std::to_string(most_polyglot_lines) + " are used");
    book_.notes_ = notes_.take("notes on the book");
  }

  void read_epd(TextInput& input) {
    std::string line;
    while (input.next_line(line)) {
      const std::string_view text = trimmed(line);
      if (text.empty() || text.front() == '#') continue;
      const auto read = chess::parse_epd(text);
      if (const auto* error = std::get_if<chess::FenError>(&read)) {
        const auto indent = static_cast<std::size_t>(text.data() - line.data());
        problems_.add(place(input.line_number(), error->column + indent) + std::string(chess::name(error->field)) + ": " + error->message);
        continue;
      }
      const auto& epd = std::get<chess::EpdLine>(read);
      for (const std::string& assumption : epd.assumptions) {
        if (!assumption.starts_with("counters")) notes_.add(place(input.line_number()) + assumption);
      }
      std::string name;
      for (const auto& [opcode, operand] : epd.operations) {
        if (opcode == "id") name = operand;
      }
      add(input.line_number(), epd.position, name, {});
    }
  }

  void read_pgn(TextInput& input) {
    record::PgnReader reader(input.stream());
    const std::size_t most_plies = openings_.plies ? static_cast<std::size_t>(*openings_.plies) : SIZE_MAX;
    while (const auto game = reader.next()) {
      chess::Position start = chess::Position::initial();
      if (const auto fen = game->tag("FEN")) {
        const chess::FenResult read = chess::parse_fen(trimmed(*fen), chess::FenReading::lenient);
        if (!read) {
          problems_.add(place(game->line) + "FEN tag: " + std::string(chess::name(read.error().field)) + ": " + read.error().message);
          continue;
        }
        for (const std::string& assumption : read.assumptions()) notes_.add(place(game->line) + "FEN tag: " + assumption);
        start = read.position();
      }
      if (read_moves(*game, start, most_plies)) add(game->line, start, title(*game), raw_moves_);
    }
  }

  bool read_moves(const record::PgnGame& game, const chess::Position& start, std::size_t most_plies) {
    raw_moves_.clear();
    chess::Position position = start;
    for (const record::PgnMove& move : game.moves) {
      if (raw_moves_.size() == most_plies) break;
      const chess::MoveText read = chess::read_san(position, move.san);
      if (const auto* error = std::get_if<chess::MoveTextError>(&read)) {
        problems_.add(place(move.line, move.column) + "move " + std::to_string(position.fullmove_number()) +
                      (position.side_to_move() == chess::Color::white ? ". " : "... ") + move.san + ": " + error->message);
        return false;
      }
      const chess::Move played = std::get<chess::ReadMove>(read).move;
      raw_moves_.push_back(played.raw());
      position.play(played);
    }
    return true;
  }

  [[nodiscard]] static std::string title(const record::PgnGame& game) {
    std::string title;
    for (const std::string_view tag : {"ECO", "Opening", "Variation"}) {
      const auto value = game.tag(tag);
      if (!value || value->empty() || *value == "?") continue;
      if (!title.empty()) title += tag == "Variation" ? ", " : " ";
      title += *value;
    }
    return title;
  }

  void add(std::size_t line, const chess::Position& start, const std::string& name, const std::vector<std::uint16_t>& moves) {
    if (!book_.chess960_ && !chess::castles_as_standard(start)) {
      problems_.add(place(line) +
                    "castling: a Chess960 position (expected standard castling, or chess960: true in the match file, --chess960 of a match "
                    "without one)");
      return;
    }
    if (book_.entries_.size() == largest_book)
      throw BookException({openings_.file + ": more than " + std::to_string(largest_book) + " openings"});
    const std::string fen = chess::to_fen(start);
    Entry entry{.line = line,
                .fen = last_fen_at_,
                .name = 0,
                .first_move = book_.moves_.size(),
                .fen_size = static_cast<std::uint32_t>(fen.size()),
                .name_size = static_cast<std::uint32_t>(name.size()),
                .moves = static_cast<std::uint32_t>(moves.size())};
    if (fen != last_fen_) {  // books of move lines share their start
      last_fen_ = fen;
      entry.fen = last_fen_at_ = book_.texts_.size();
      book_.texts_ += fen;
    }
    entry.name = book_.texts_.size();
    book_.texts_ += name;
    book_.moves_.insert(book_.moves_.end(), moves.begin(), moves.end());
    book_.entries_.push_back(entry);
  }

  OpeningBook& book_;
  const config::Openings& openings_;
  Complaints problems_;
  Complaints notes_;
  std::vector<std::uint16_t> raw_moves_;
  std::string last_fen_;
  std::size_t last_fen_at_ = 0;
};

OpeningBook OpeningBook::read(const config::Openings& openings, bool chess960) {
  OpeningBook book;
  book.chess960_ = chess960;
  if (!openings.file.empty()) {
    book.label_ = std::filesystem::path(openings.file).filename().string();
    Reader(book, openings).read();
    return book;
  }
  const auto add = [&book](std::size_t line, std::string_view fen, std::string_view name) {
    book.entries_.push_back({.line = line,
                             .fen = book.texts_.size(),
                             .name = book.texts_.size() + fen.size(),
                             .first_move = 0,
                             .fen_size = static_cast<std::uint32_t>(fen.size()),
                             .name_size = static_cast<std::uint32_t>(name.size()),
                             .moves = 0});
    book.texts_.append(fen).append(name);
  };
  if (!chess960) {
    add(0, chess::to_fen(chess::Position::initial()), "startpos");
    return book;
  }
  for (int number = 0; number < 960; ++number) add(0, chess960_start(number), "chess960 start " + std::to_string(number));
  return book;
}

Opening OpeningBook::at(std::size_t index) const {
  const Entry& entry = entries_[index];
  Opening opening;
  opening.line = entry.line;
  const std::string_view texts = texts_;
  opening.start = chess::parse_fen(texts.substr(entry.fen, entry.fen_size)).position();
  const std::string_view name = texts.substr(entry.name, entry.name_size);
  if (entry.line != 0) {
    opening.name = label_ + ":" + std::to_string(entry.line);
    if (!name.empty()) opening.name += ' ';
  }
  opening.name += name;
  const auto castling = chess960_ ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  chess::Position position = opening.start;
  for (std::size_t ply = 0; ply < entry.moves; ++ply) {
    const chess::MoveList legal = position.legal_moves();
    const auto* found = std::ranges::find(legal, moves_[entry.first_move + ply], &chess::Move::raw);
    opening.moves.push_back(chess::to_uci(position, *found, castling));
    position.play(*found);
  }
  return opening;
}

OpeningOrder::OpeningOrder(const config::Openings& openings, std::size_t lines)
    : lines_(lines), first_(static_cast<std::size_t>(openings.start > 0 ? openings.start - 1 : 0) % lines) {
  // A Polyglot book's lines have been drawn with the seed already.
  if (openings.order != config::OpeningOrder::random || (!openings.file.empty() && format_of(openings) == config::OpeningFormat::polyglot))
    return;
  shuffled_.resize(lines);
  std::iota(shuffled_.begin(), shuffled_.end(), std::uint32_t{0});
  Random(openings.seed).shuffle(shuffled_);
}

std::size_t OpeningOrder::line_for(std::size_t k) const noexcept {
  const std::size_t place = (first_ + k % lines_) % lines_;
  return shuffled_.empty() ? place : shuffled_[place];
}

std::size_t OpeningCount::of(int game, int pair, int round, std::size_t low, std::size_t high) {
  switch (policy_) {
    case config::OpeningPolicy::pairing:
      break;
    case config::OpeningPolicy::encounter:
      return encounters_.try_emplace({round, low, high}, encounters_.size()).first->second;
    case config::OpeningPolicy::round:
      return static_cast<std::size_t>(round) - 1;
  }
  return static_cast<std::size_t>(repeat_ ? pair : game) - 1;
}

std::optional<config::OpeningFormat> format_of(const config::Openings& openings) {
  if (openings.format) return openings.format;
  std::filesystem::path name = std::filesystem::path(openings.file).filename();
  if (name.extension() == ".gz") name = name.stem();
  std::string ending = name.extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (ending == ".pgn") return config::OpeningFormat::pgn;
  if (ending == ".epd" || ending == ".fen" || ending == ".txt") return config::OpeningFormat::epd;
  if (ending == ".bin") return config::OpeningFormat::polyglot;
  return std::nullopt;
}

std::string chess960_start(int number) {
  std::array<char, 8> rank{};
  const auto put_on_free = [&rank](int nth, char piece) {
    for (char& square : rank) {
      if (square == '\0' && nth-- == 0) {
        square = piece;
        return;
      }
    }
  };
  rank[static_cast<std::size_t>(number % 4 * 2 + 1)] = 'b';
  number /= 4;
  rank[static_cast<std::size_t>(number % 4 * 2)] = 'b';
  number /= 4;
  put_on_free(number % 6, 'q');
  number /= 6;
  constexpr std::array<std::pair<int, int>, 10> knights{{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
  const auto [first, second] = knights[static_cast<std::size_t>(number)];
  put_on_free(first, 'n');
  put_on_free(second - 1, 'n');
  for (const char piece : {'r', 'k', 'r'}) put_on_free(0, piece);
  const std::string black(rank.begin(), rank.end());
  std::string white = black;
  for (char& piece : white) piece = static_cast<char>(piece - 'a' + 'A');
  return black + "/pppppppp/8/8/8/8/PPPPPPPP/" + white + " w KQkq - 0 1";
}

}  // namespace referee::match
