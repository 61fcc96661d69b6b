#include "referee/chess/notation_languages.hpp"

#include "referee/chess/san.hpp"

namespace referee::chess {

namespace {

struct Entry {
  std::string_view code;
  std::array<std::string_view, 6> letters;  // by Role: pawn knight bishop rook queen king
};

// In the order of Language.
constexpr std::array<Entry, 18> entries{{
    {"en", {"", "N", "B", "R", "Q", "K"}},
    {"et", {"", "R", "O", "V", "L", "K"}},
    {"de", {"", "S", "L", "T", "D", "K"}},
    {"fr", {"", "C", "F", "T", "D", "R"}},
    {"nl", {"", "P", "L", "T", "D", "K"}},
    {"es", {"", "C", "A", "T", "D", "R"}},
    {"it", {"", "C", "A", "T", "D", "R"}},
    {"pt", {"", "C", "B", "T", "D", "R"}},
    {"pl", {"", "S", "G", "W", "H", "K"}},
    {"cs", {"", "J", "S", "V", "D", "K"}},
    {"hu", {"", "H", "F", "B", "V", "K"}},
    {"sv", {"", "S", "L", "T", "D", "K"}},
    {"da", {"", "S", "L", "T", "D", "K"}},
    {"nb", {"", "S", "L", "T", "D", "K"}},
    {"fi", {"", "R", "L", "T", "D", "K"}},
    {"lv", {"", "Z", "L", "T", "D", "K"}},
    {"lt", {"", "Ž", "R", "B", "V", "K"}},
    {"ru", {"", "К", "С", "Л", "Ф", "Кр"}},
}};

[[nodiscard]] const Entry& entry(Language language) noexcept { return entries[static_cast<std::size_t>(language)]; }

}  // namespace

std::string_view code(Language language) noexcept { return entry(language).code; }

std::optional<Language> parse_language(std::string_view text) noexcept {
  for (const Language language : all_languages) {
    if (code(language) == text) return language;
  }
  return std::nullopt;
}

std::string_view piece_letter(Role role, Language language) noexcept { return entry(language).letters[index(role)]; }

MoveText read_san(const Position& position, std::string_view text, Language language) {
  return read_algebraic(position, text, entry(language).letters);
}

std::string to_san(const Position& position, Move move, Language language) {
  std::string out;
  append_algebraic(out, position, move, {entry(language).letters, "0-0", "0-0-0", "", " e.p."});
  return out;
}

}  // namespace referee::chess
