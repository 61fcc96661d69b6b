// Signs and marks that annotators print beside moves, and what only looks like one.
#pragma once

#include <string_view>

namespace referee::record {

/// A sign that annotators print behind a move, and its number (PGN 10); 0 where the number depends on the side that is meant, or none says
/// it.
struct Sign {
  std::string_view text;
  int nag = 0;
};
/// The sign at the end of a token, nullptr if there is none. The plain ones stand alone only: behind a move "=" and "+" may be its own.
[[nodiscard]] const Sign* sign_at_end(std::string_view token) noexcept;
/// Judgements that are no sign of the list ("+/--", "=="); "--" is ChessBase's null move and stays one.
[[nodiscard]] bool is_judgement(std::string_view token) noexcept;

/// The glyph of a novelty (PGN 10).
inline constexpr int novelty = 146;
/// What ChessBase writes where its board shows a novelty or a diagram: "N", "D".
[[nodiscard]] bool is_mark(std::string_view token) noexcept;
/// Is what follows a lone letter the rest of a piece's move, which a line end or a blank has torn off: "N", "f3"?
[[nodiscard]] bool goes_on_as_move(std::string_view text) noexcept;

}  // namespace referee::record
