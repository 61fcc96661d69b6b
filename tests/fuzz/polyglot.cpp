// Polyglot books: any bytes are a book or one clear refusal; what a book offers is legal, and its lines can be played.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "referee/match/polyglot_lines.hpp"

namespace {

using namespace referee;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const match::PolyglotBook& book) {
  for (const auto order : {config::OpeningOrder::sequential, config::OpeningOrder::random}) {
    const match::PolyglotLines found = match::polyglot_lines(book, order, 7, 6, 50);
    require(found.lines.size() <= 50);
    for (const auto& line : found.lines) {
      require(!line.empty() && line.size() <= 6);
      chess::Position position = chess::Position::initial();
      for (const std::uint16_t raw : line) {
        const chess::Move move = chess::Move::from_raw(raw);
        require(position.is_legal(move));
        position.play(move);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<match::PolyglotBook> book;
  try {
    book = match::PolyglotBook::parse(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const std::runtime_error& error) { require(!std::string_view(error.what()).empty()); }
  if (book) check(*book);
  return 0;
}
