// Opening books: EPD or FEN lists and PGN files, plain or .gz, and Polyglot books (.bin). Every line is judged before the match starts.
//
//   OpeningBook book = OpeningBook::read(file.openings, chess960);      // throws BookException with every bad line named
//   OpeningOrder order(file.openings, book.size());
//   Opening opening = book.at(order.line_for(0));                       // the first pair's
//
// Order: sequential, or a Fisher-Yates shuffle over random.hpp with the file's seed; `start` counts from 1 in that order; both wrap round
// at the end of the book. A line may occur twice: it is then used twice. A Polyglot book is drawn from by weight with the seed, or listed
// with the heaviest moves first (polyglot_lines.hpp); without `plies` its lines have 16.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "config/match_file.hpp"
#include "referee/chess/position.hpp"

namespace referee::match {

struct Opening {
  std::string name;      // "book.epd:12 Sicilian, Najdorf"; "startpos" without a book
  std::size_t line = 0;  // in the book, from 1; 0 without one
  chess::Position start = chess::Position::initial();
  std::vector<std::string> moves;  // UCI text
};

/// `file:line:column: what is wrong` for each bad line, at most twenty of them and a count of the rest.
class BookException : public std::exception {
 public:
  explicit BookException(std::vector<std::string> problems);
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<std::string> problems_;
  std::string text_;
};

class OpeningBook {
 public:
  /// Without a file: the initial position alone, or all 960 starting positions of Chess960 by their number.
  static OpeningBook read(const config::Openings& openings, bool chess960);

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  /// Needs: index < size().
  [[nodiscard]] Opening at(std::size_t index) const;
  /// What the lenient readers took for granted, with its place; at most twenty and a count of the rest.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  struct Entry {  // into the shared stores: a book of a million lines stays small
    std::size_t line, fen, name, first_move;
    std::uint32_t fen_size, name_size, moves;
  };
  class Reader;
  std::string texts_;
  std::vector<std::uint16_t> moves_;
  std::vector<Entry> entries_;
  std::vector<std::string> notes_;
  std::string label_;  // the book's name without its folders
  bool chess960_ = false;
};

/// Which line of the book the k-th opening is.
class OpeningOrder {
 public:
  /// Needs: lines > 0.
  OpeningOrder(const config::Openings& openings, std::size_t lines);
  /// Index into the book of opening k = 0, 1, 2, ...
  [[nodiscard]] std::size_t line_for(std::size_t k) const noexcept;

 private:
  std::vector<std::uint32_t> shuffled_;  // empty: sequential
  std::size_t lines_;
  std::size_t first_;
};

/// Which of the book's openings, from 0, a game has by the policy. Games are asked for in the order of the plan.
class OpeningCount {
 public:
  explicit OpeningCount(const config::Openings& openings) : policy_(openings.policy), repeat_(openings.repeat) {}
  /// `game`, `pair`, `round` from 1; `low` and `high` name the two engines.
  [[nodiscard]] std::size_t of(int game, int pair, int round, std::size_t low, std::size_t high);

 private:
  config::OpeningPolicy policy_;  // by value: the plan that counts may be moved, with its file
  bool repeat_;
  std::map<std::tuple<int, std::size_t, std::size_t>, std::size_t> encounters_;
};

/// By the key `format`, else by the name; nullopt when it tells nothing.
[[nodiscard]] std::optional<config::OpeningFormat> format_of(const config::Openings& openings);

/// A starting position of Chess960 by its number (Scharnagl), 0..959; 518 is the usual one.
[[nodiscard]] std::string chess960_start(int number);

}  // namespace referee::match
