// Algebraic notation with the piece letters of 18 languages (FIDE Laws appendix C.2, C.3; 2005 text: E2, E3). The same letter means
// different pieces in different languages (L is the Estonian queen and the German bishop), so the language is always given, never guessed.
//
//   read_san(position, "Lb3", Language::et);   // queen to b3
//   to_san(position, move, Language::ru);      // "Крf1"
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "referee/chess/notation.hpp"
#include "referee/chess/types.hpp"

namespace referee::chess {

/// Named by their ISO 639-1 codes.
enum class Language { en, et, de, fr, nl, es, it, pt, pl, cs, hu, sv, da, nb, fi, lv, lt, ru };

inline constexpr std::array<Language, 18> all_languages{Language::en, Language::et, Language::de, Language::fr, Language::nl, Language::es,
                                                        Language::it, Language::pt, Language::pl, Language::cs, Language::hu, Language::sv,
                                                        Language::da, Language::nb, Language::fi, Language::lv, Language::lt, Language::ru};

[[nodiscard]] std::string_view code(Language language) noexcept;
[[nodiscard]] std::optional<Language> parse_language(std::string_view code) noexcept;

/// UTF-8; one letter, or two ("Кр"). Empty for a pawn (C.4).
[[nodiscard]] std::string_view piece_letter(Role role, Language language) noexcept;

/// Reads what read_san (notation.hpp) reads, with this language's letters and no others.
[[nodiscard]] MoveText read_san(const Position& position, std::string_view text, Language language);

/// The form of appendix C, as on a scoresheet: promotion letter right after the square ("d8L"), castling with zeros ("0-0"),
/// "exd6 e.p.", + and #. Needs: move is legal in position.
[[nodiscard]] std::string to_san(const Position& position, Move move, Language language);

}  // namespace referee::chess
