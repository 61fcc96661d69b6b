// Move text: any text is answered, what is read is legal, and every legal move reads back from each text it is written as.
// Input: a line with a position, then words, each tried as a move and played if it is one.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/chess/notation_languages.hpp"

namespace {

using namespace referee::chess;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The move, or a null move when the text was refused.
Move judged(const Position& position, const MoveText& read) {
  if (const auto* error = std::get_if<MoveTextError>(&read)) {
    require(!error->message.empty() && error->message.size() < 300);
    return Move();
  }
  const Move move = std::get<ReadMove>(read).move;
  require(position.is_legal(move));
  return move;
}

void check_round_trips(const Position& position) {
  for (const Move move : position.legal_moves()) {
    require(judged(position, read_san(position, to_san(position, move))) == move);
    require(judged(position, read_san(position, to_long_algebraic(position, move))) == move);
    for (const CastlingText castling : {CastlingText::king_two_squares, CastlingText::king_takes_rook}) {
      require(judged(position, read_uci(position, to_uci(position, move, castling), castling)) == move);
      require(judged(position, read_xboard(position, to_uci(position, move, castling), castling)) == move);
    }
    const Language language = all_languages[move.raw() % all_languages.size()];
    require(judged(position, read_san(position, to_san(position, move, language), language)) == move);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const FenResult read = parse_fen(text.substr(0, line), FenReading::lenient);
  Position position = read ? read.position() : Position::initial();
  check_round_trips(position);
  if (line == std::string_view::npos) return 0;
  text.remove_prefix(line + 1);

  for (int word = 0; word < 64 && !text.empty(); ++word) {
    const std::size_t end = text.find('\n');
    const std::string_view move_text = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const Move moves[] = {judged(position, read_san(position, move_text)),
                          judged(position, read_san(position, move_text, all_languages[move_text.size() % all_languages.size()])),
                          judged(position, read_uci(position, move_text, CastlingText::king_two_squares)),
                          judged(position, read_uci(position, move_text, CastlingText::king_takes_rook)),
                          judged(position, read_xboard(position, move_text, CastlingText::king_two_squares))};
    for (const Move move : moves) {
      if (move == Move()) continue;
      position.play(move);
      check_round_trips(position);
      break;
    }
  }
  return 0;
}
