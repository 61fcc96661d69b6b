// FEN and EPD readers: any text is answered, and what was read is written and read again as the same position.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "referee/chess/fen.hpp"

namespace {

using namespace referee::chess;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Position& position, FenReading reading) {
  const FenResult again = parse_fen(to_fen(position), reading);
  require(again && again.position() == position && again.position().key() == position.key());
  const FenResult shredder = parse_fen(to_shredder_fen(position), reading);
  require(shredder && shredder.position() == position);
  const Color us = position.side_to_move();
  require(position.attackers(position.king(opposite(us)), us, position.occupied()) == 0);
  const MoveList moves = position.legal_moves();
  require(moves.size() == position.count_legal_moves());
  require(moves.empty() != position.has_legal_move());
  for (const Move move : moves) {
    const Position next = position.after(move);
    require(next.attackers(next.king(us), opposite(us), next.occupied()) == 0);
  }
}

void check(const FenError& error, std::string_view text) {
  require(error.column >= 1 && error.column <= text.size() + 1);
  require(!error.message.empty() && error.message.size() < 300);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const FenResult strict = parse_fen(text, FenReading::strict);
  const FenResult lenient = parse_fen(text, FenReading::lenient);
  strict ? check(strict.position(), FenReading::strict) : check(strict.error(), text);
  lenient ? check(lenient.position(), FenReading::lenient) : check(lenient.error(), text);
  if (strict) require(lenient && lenient.position() == strict.position());

  for (const FenReading reading : {FenReading::strict, FenReading::lenient}) {
    const auto epd = parse_epd(text, reading);
    if (const auto* line = std::get_if<EpdLine>(&epd)) {
      check(line->position, reading);
    } else {
      check(std::get<FenError>(epd), text);
    }
  }
  return 0;
}
