#include "referee/match/polyglot.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "referee/match/polyglot_random.hpp"

namespace referee::match {

namespace {

// Where each part's numbers begin in the table (section "key" of the specification).
constexpr std::size_t castling_numbers = 768;
constexpr std::size_t en_passant_numbers = 772;
constexpr std::size_t turn_number = 780;

// The book's order of men: black pawn, white pawn, black knight ... white king.
std::size_t kind_of(chess::Color color, chess::Role role) { return chess::index(role) * 2 + (color == chess::Color::white ? 1 : 0); }

chess::Bitboard beside(int file, int rank) {
  chess::Bitboard squares = 0;
  if (file > 0) squares |= chess::bit(chess::make_square(file - 1, rank));
  if (file < 7) squares |= chess::bit(chess::make_square(file + 1, rank));
  return squares;
}

std::uint64_t castling_key(const chess::Position& position) {
  constexpr std::array<std::pair<int, int>, 4> corners{{{7, 0}, {0, 0}, {7, 7}, {0, 7}}};  // white short, long, black short, long
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const chess::Bitboard rook = chess::bit(chess::make_square(corners[i].first, corners[i].second));
    if ((position.castling_rooks() & rook) != 0) key ^= polyglot_random[castling_numbers + i];
  }
  return key;
}

/// The legal move that a book's move says here.
std::optional<chess::Move> meaning(const chess::MoveList& legal, unsigned code) {
  const chess::Square to = chess::make_square(static_cast<int>(code & 7U), static_cast<int>(code >> 3U & 7U));
  const chess::Square from = chess::make_square(static_cast<int>(code >> 6U & 7U), static_cast<int>(code >> 9U & 7U));
  const unsigned promotion = code >> 12U & 7U;
  for (const chess::Move move : legal) {
    if (move.from() != from) continue;
    const bool promotes = move.kind() == chess::MoveKind::promotion;
    if (promotes ? promotion != chess::index(move.promotion_role()) : promotion != 0) continue;
    if (move.to() == to) return move;
    // Some programs write castling as a king's step of two squares.
    if (move.kind() == chess::MoveKind::castling && chess::file_of(from) == 4 && chess::rank_of(from) == chess::rank_of(to) &&
        chess::file_of(to) == (chess::index(move.to()) > chess::index(from) ? 6 : 2))
      return move;
  }
  return std::nullopt;
}

}  // namespace

PolyglotPlace::PolyglotPlace(const chess::Position& position) : position_(position) {
  if (const auto passed = position.en_passant()) double_step_ = chess::file_of(*passed);
}

void PolyglotPlace::play(chess::Move move) noexcept {
  const bool pawn = position_.role_at(move.from()) == chess::Role::pawn;
  const int ranks = chess::rank_of(move.to()) - chess::rank_of(move.from());
  position_.play(move);
  double_step_.reset();
  if (!pawn || (ranks != 2 && ranks != -2)) return;
  const chess::Bitboard capturers = position_.pieces(position_.side_to_move(), chess::Role::pawn);
  const int file = chess::file_of(move.to());
  if ((capturers & beside(file, chess::rank_of(move.to()))) != 0) double_step_ = file;
}

std::uint64_t PolyglotPlace::key() const noexcept {
  std::uint64_t key = castling_key(position_);
  for (const chess::Color color : {chess::Color::white, chess::Color::black}) {
    for (std::size_t role = 0; role < 6; ++role) {
      const std::size_t kind = kind_of(color, static_cast<chess::Role>(role));
      for (chess::Bitboard men = position_.pieces(color, static_cast<chess::Role>(role)); men != 0; men &= men - 1)
        key ^= polyglot_random[64 * kind + static_cast<std::size_t>(__builtin_ctzll(men))];
    }
  }
  if (double_step_) key ^= polyglot_random[en_passant_numbers + static_cast<std::size_t>(*double_step_)];
  if (position_.side_to_move() == chess::Color::white) key ^= polyglot_random[turn_number];
  return key;
}

PolyglotBook PolyglotBook::read(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw std::runtime_error("cannot be read: " + error.message());
  if (size > largest_bytes) throw std::runtime_error("larger than 1 GiB (expected a Polyglot book)");
  std::ifstream in(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!in || !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error(std::string("cannot be read: ") + std::strerror(errno));
  return parse(std::move(bytes));
}

PolyglotBook PolyglotBook::parse(std::string bytes) {
  if (bytes.empty()) throw std::runtime_error("an empty file (expected a Polyglot book)");
  if (bytes.size() % entry_bytes != 0)
    throw std::runtime_error(std::to_string(bytes.size()) +
                             " bytes are no whole number of 16-byte entries (expected a Polyglot book; cut off?)");
  PolyglotBook book(std::move(bytes));
  for (std::size_t entry = 1; entry < book.size(); ++entry) {
    if (book.key_at(entry) < book.key_at(entry - 1))
      throw std::runtime_error("entry " + std::to_string(entry + 1) + " (byte " + std::to_string(entry * entry_bytes) +
                               "): its key is smaller than the one before (expected a Polyglot book, sorted by key)");
  }
  return book;
}

std::uint64_t PolyglotBook::number(std::size_t at, std::size_t count) const noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8U | static_cast<unsigned char>(bytes_[at + i]);
  return value;
}

std::vector<PolyglotMove> PolyglotBook::moves(const PolyglotPlace& place, std::size_t* illegal) const {
  const std::uint64_t key = place.key();
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (key_at(middle) < key)
      low = middle + 1;
    else
      high = middle;
  }
  std::vector<PolyglotMove> found;
  if (low == size() || key_at(low) != key) return found;
  const chess::MoveList legal = place.position().legal_moves();
  // A position has at most 218 moves; a damaged book may hold one key a million times.
  const std::size_t end = std::min(size(), low + chess::MoveList::capacity);
  for (std::size_t entry = low; entry < end && key_at(entry) == key; ++entry) {
    const auto code = static_cast<unsigned>(number(entry * entry_bytes + 8, 2));
    const auto weight = static_cast<std::uint16_t>(number(entry * entry_bytes + 10, 2));
    if (code == 0 || weight == 0) continue;
    const auto move = meaning(legal, code);
    if (!move) {
      if (illegal != nullptr) ++*illegal;
      continue;
    }
    const auto same = std::find_if(found.begin(), found.end(), [&](const PolyglotMove& other) { return other.move == *move; });
    if (same == found.end()) found.push_back({*move, weight});
  }
  std::stable_sort(found.begin(), found.end(), [](const PolyglotMove& a, const PolyglotMove& b) { return a.weight > b.weight; });
  return found;
}

chess::Move draw_by_weight(const std::vector<PolyglotMove>& choices, Random& random) {
  std::uint64_t total = 0;
  for (const PolyglotMove& choice : choices) total += choice.weight;
  std::uint64_t drawn = random.below(total);
  for (const PolyglotMove& choice : choices) {
    if (drawn < choice.weight) return choice.move;
    drawn -= choice.weight;
  }
  return choices.back().move;
}

std::optional<chess::Move> PolyglotBook::draw(const PolyglotPlace& place, Random& random) const {
  const std::vector<PolyglotMove> choices = moves(place);
  if (choices.empty()) return std::nullopt;
  return draw_by_weight(choices, random);
}

}  // namespace referee::match
