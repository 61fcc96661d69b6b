// Polyglot opening books (.bin): a sorted list of position keys with moves and weights, as its format specification tells.
//
//   PolyglotBook book = PolyglotBook::read("varied.bin");                 // throws std::runtime_error with the place of a fault
//   for (const PolyglotMove& choice : book.moves(place)) ...              // legal ones, heaviest first
//   while (auto move = book.draw(place, random)) place.play(*move);       // a line by weight and seed
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/chess/position.hpp"
#include "referee/match/random.hpp"

namespace referee::match {

/// A position as these books tell it apart: after a double step the file is part of the key wherever an enemy pawn stands beside the
/// pawn, also if it may not capture (it is pinned). A Position alone knows only of captures that are legal.
class PolyglotPlace {
 public:
  /// Of a position that was set up: the en passant square of the position is all there is.
  explicit PolyglotPlace(const chess::Position& position);
  void play(chess::Move move) noexcept;
  [[nodiscard]] const chess::Position& position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t key() const noexcept;

 private:
  chess::Position position_;
  std::optional<int> double_step_;  // file
};

struct PolyglotMove {
  chess::Move move;
  std::uint16_t weight = 0;
};

class PolyglotBook {
 public:
  static constexpr std::size_t largest_bytes = std::size_t{1} << 30U;

  /// Throws std::runtime_error: cannot be read, no whole number of entries, entries out of order (named by number), larger than 1 GiB.
  static PolyglotBook read(const std::string& path);
  static PolyglotBook parse(std::string bytes);

  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() / entry_bytes; }
  /// Legal moves of the book here, heaviest first, then as they stand in the book. Moves of weight 0 are not for playing and left out;
  /// what is not legal here (a damaged entry, another position of the same key) is left out and counted in `illegal` if given.
  [[nodiscard]] std::vector<PolyglotMove> moves(const PolyglotPlace& place, std::size_t* illegal = nullptr) const;
  /// One of them, by weight; nullopt where the book ends.
  [[nodiscard]] std::optional<chess::Move> draw(const PolyglotPlace& place, Random& random) const;

 private:
  static constexpr std::size_t entry_bytes = 16;
  explicit PolyglotBook(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t key_at(std::size_t entry) const noexcept { return number(entry * entry_bytes, 8); }
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t count) const noexcept;

  std::string bytes_;
};

/// One of `choices` by weight. Needs: not empty.
[[nodiscard]] chess::Move draw_by_weight(const std::vector<PolyglotMove>& choices, Random& random);

}  // namespace referee::match
