// Forsyth-Edwards notation. Read: FEN, X-FEN and Shredder-FEN castling letters; strict or lenient. Written: X-FEN.
//
//   auto read = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//   if (read) use(read.position()); else complain(read.error().field, read.error().message);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::chess {

/// Field at fault. `position`: each field reads, but the whole is no position (opponent in check, adjacent kings, triple check).
enum class FenField { placement, side, castling, en_passant, halfmove, fullmove, position };
[[nodiscard]] std::string_view name(
    FenField field) noexcept;  // "placement" "side" "castling" "en-passant" "halfmove" "fullmove" "position"

struct FenError {
  FenField field;
  std::string message;  // what is wrong, what was expected, with rank or character
  std::size_t column;   // 1-based, in the text given
};

enum class FenReading {
  strict,   // six fields, or four (EPD: counters 0 and 1 assumed and said); nothing repaired
  lenient,  // repairs what other tools write: drops impossible castling letters and en passant squares, odd blanks, missing fields;
            // plays on from two checks on one line; says each
};

class FenResult {
 public:
  FenResult(Position position, std::vector<std::string> assumptions) : value_(position), assumptions_(std::move(assumptions)) {}
  explicit FenResult(FenError error) : value_(std::move(error)) {}
  explicit operator bool() const noexcept { return std::holds_alternative<Position>(value_); }
  [[nodiscard]] const Position& position() const { return std::get<Position>(value_); }
  [[nodiscard]] const FenError& error() const { return std::get<FenError>(value_); }
  /// What the reader took for granted ("counters missing: 0 1 assumed"), and what no game leads to but a composed position may show
  /// (too many promoted men, two checks that no single move gives); empty when the text was complete.
  [[nodiscard]] const std::vector<std::string>& assumptions() const noexcept { return assumptions_; }

 private:
  std::variant<Position, FenError> value_;
  std::vector<std::string> assumptions_;
};

/// "startpos" is read as the initial position. Standard and Chess960 positions are the same type: KQkq mean the outermost rook.
[[nodiscard]] FenResult parse_fen(std::string_view text, FenReading reading = FenReading::strict);

/// Castling rights that standard chess knows: king on the e file, rooks on the a and h files (Laws 3.8).
[[nodiscard]] bool castles_as_standard(const Position& position) noexcept;
/// As parse_fen, for standard chess: rights that only Chess960 knows are a fault of the castling field.
[[nodiscard]] FenResult parse_standard_fen(std::string_view text, FenReading reading = FenReading::strict);

/// X-FEN: six fields, KQkq unless the right belongs to an inner rook; en passant only if a legal capture exists.
[[nodiscard]] std::string to_fen(const Position& position);
/// Castling rights always as file letters, for engines and tools that want Shredder-FEN.
[[nodiscard]] std::string to_shredder_fen(const Position& position);

/// One line of an EPD or FEN list. Two bare numbers after the four fields are counters; opcodes are kept (hmvc and fmvn set the counters).
struct EpdLine {
  Position position;
  std::vector<std::pair<std::string, std::string>> operations;  // opcode, operand with quotes taken off
  std::vector<std::string> assumptions;
};
[[nodiscard]] std::variant<EpdLine, FenError> parse_epd(std::string_view line, FenReading reading = FenReading::lenient);

}  // namespace referee::chess
