#include "referee/record/pgn_said.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace referee::record {

namespace {

using chess::Color;

/// What may stand behind "Draw by", "White wins by", or alone in a tag. A reason that can only be a draw makes one by itself.
struct ReasonWords {
  std::string_view words;
  SaidReason reason;
  bool only_draw = false;
};
constexpr ReasonWords reason_words[] = {
    {"checkmate", SaidReason::checkmate},
    {"mate", SaidReason::checkmate},
    {"stalemate", SaidReason::stalemate, true},
    {"repetition", SaidReason::repetition, true},  // alone the word of annotators too: in tags only
    {"3 fold repetition", SaidReason::repetition, true},
    {"three fold repetition", SaidReason::repetition, true},
    {"threefold repetition", SaidReason::repetition, true},
    {"threefold", SaidReason::repetition, true},
    {"fivefold repetition", SaidReason::repetition, true},
    {"5 fold repetition", SaidReason::repetition, true},
    {"fifty moves rule", SaidReason::no_progress, true},
    {"fifty move rule", SaidReason::no_progress, true},
    {"50 moves rule", SaidReason::no_progress, true},
    {"50 move rule", SaidReason::no_progress, true},
    {"75 move rule", SaidReason::no_progress, true},
    {"75 moves rule", SaidReason::no_progress, true},
    {"insufficient material", SaidReason::insufficient_material, true},
    {"insufficient mating material", SaidReason::insufficient_material, true},
    {"dead position", SaidReason::dead_position, true},
    {"agreement", SaidReason::agreement, true},
    {"mutual agreement", SaidReason::agreement, true},
    {"timeout vs insufficient material", SaidReason::time, true},
    {"both flags down", SaidReason::both_flags, true},
    {"loss on time", SaidReason::time},
    {"time", SaidReason::time},
    {"timeout", SaidReason::time},
    {"resignation", SaidReason::resignation},
    {"adjudication", SaidReason::adjudication},
    {"tablebase adjudication", SaidReason::adjudication},
    {"illegal move", SaidReason::forfeit},
    {"false claim", SaidReason::forfeit},
    {"invalid sealed move", SaidReason::forfeit},
    {"disconnection", SaidReason::forfeit},
    {"stall", SaidReason::forfeit},
    {"crash of opponent's engine", SaidReason::forfeit},
    {"disconnection of opponent's engine", SaidReason::forfeit},
    {"silence of opponent's engine", SaidReason::forfeit},
    {"protocol error of opponent's engine", SaidReason::forfeit},
    {"failure to start in time", SaidReason::forfeit},
};

/// What may stand behind a player, who has won or lost by it.
struct DeedWords {
  std::string_view words;
  SaidReason reason;
  bool wins = false;
};
constexpr DeedWords deed_words[] = {
    {"mates", SaidReason::checkmate, true},
    {"is checkmated", SaidReason::checkmate},
    {"checkmated", SaidReason::checkmate},
    {"wins on time", SaidReason::time, true},
    {"won on time", SaidReason::time, true},
    {"loses on time", SaidReason::time},
    {"lost on time", SaidReason::time},
    {"forfeits on time", SaidReason::time},
    {"forfeited on time", SaidReason::time},
    {"resigns", SaidReason::resignation},
    {"resigned", SaidReason::resignation},
    {"makes an illegal move", SaidReason::forfeit},
    {"made an illegal move", SaidReason::forfeit},
    {"disconnects", SaidReason::forfeit},
    {"'s connection stalls", SaidReason::forfeit},
    {"'s flag fell", SaidReason::time},
    {"ran out of time", SaidReason::time},
    {"runs out of time", SaidReason::time},
    {"forfeits by disconnection", SaidReason::forfeit},
    {"won game abandoned", SaidReason::forfeit, true},  // "A won - game abandoned"
};

bool is_latin_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// In small letters, hyphens as blanks, without articles: so that one spelling stands for several.
std::string plain_words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '-' || c == '\n' || c == '\t' ? ' ' : c;
    if (small == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += small;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.' || out.back() == '!')) out.pop_back();
  for (std::size_t at = out.find("the "); at != std::string::npos; at = out.find("the ", at)) {
    if (at == 0 || out[at - 1] == ' ')
      out.erase(at, 4);
    else
      at += 4;
  }
  return out;
}

bool take_words(std::string_view& text, std::string_view beginning) {
  if (beginning.empty() || !text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

/// Figures of a search, which programs put beside the words; not a sentence, which may speak of what did not happen.
bool is_prose(std::string_view text) {
  std::size_t letters = 0;
  for (const char c : text) {
    letters = is_latin_letter(c) ? letters + 1 : 0;
    if (letters > 4) return true;
  }
  return false;
}

/// `words` and then nothing, or what programs add to them.
bool are(std::string_view text, std::string_view words) {
  if (!take_words(text, words)) return false;
  if (text.empty() || text.front() == ':' || text.starts_with(" (article")) return true;
  return (text.front() == ',' || text.front() == ';') && !is_prose(text);
}

const ReasonWords* reason_in(std::string_view text) {
  const auto found = std::ranges::find_if(reason_words, [text](const ReasonWords& entry) { return are(text, entry.words); });
  return found == std::end(reason_words) ? nullptr : &*found;
}

enum class SaidPlace { tag, comment };

class SaidReading {
 public:
  SaidReading(const PgnGame& game, SaidPlace place) : place_(place) {
    for (const Color side : {Color::white, Color::black}) {
      const auto name = game.tag(side == Color::white ? "White" : "Black");
      names_[chess::index(side)] = name ? plain_words(*name) : "";
    }
    const auto is_colour = [](const std::string& name) { return name == "white" || name == "black"; };
    named_as_colours_ = std::ranges::any_of(names_, is_colour);
    if (names_[0] == names_[1]) names_ = {};
  }

  [[nodiscard]] std::optional<SaidEnd> read(std::string_view original) const {
    const std::string text = plain_words(original);
    std::string_view rest = text;
    const bool as_sites_say = take_words(rest, "game ");
    if (take_words(rest, "draw by ") || take_words(rest, "drawn by ")) {
      const ReasonWords* reason = reason_in(rest);
      if (reason == nullptr || (place_ == SaidPlace::comment && !as_sites_say && reason->words == "repetition")) return std::nullopt;
      // The others are drawn against a player who cannot mate.
      if (!reason->only_draw && reason->reason != SaidReason::adjudication && reason->reason != SaidReason::time) return std::nullopt;
      return SaidEnd{reason->reason, std::nullopt, true, std::string(original)};
    }
    rest = text;
    if (const auto side = player(rest)) return deed(*side, rest, original);
    if (const ReasonWords* reason = place_ == SaidPlace::tag ? reason_in(text) : nullptr) {
      if (reason->only_draw || reason->reason == SaidReason::checkmate)
        return SaidEnd{reason->reason, std::nullopt, reason->only_draw, std::string(original)};
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<Color> player(std::string_view& text) const {
    if (place_ == SaidPlace::tag && named_as_colours_) return std::nullopt;  // the player or the side?
    for (const Color side : {Color::white, Color::black}) {
      std::string_view rest = text;
      const std::string_view colour = side == Color::white ? "white" : "black";
      if (!take_words(rest, colour) && !(place_ == SaidPlace::tag && take_words(rest, names_[chess::index(side)]))) continue;
      if (!rest.starts_with("'s ") && !take_words(rest, " ")) continue;
      text = rest;
      return side;
    }
    return std::nullopt;
  }

  static std::optional<SaidEnd> deed(Color side, std::string_view rest, std::string_view original) {
    for (const DeedWords& entry : deed_words)
      if (are(rest, entry.words)) return SaidEnd{entry.reason, entry.wins ? side : chess::opposite(side), false, std::string(original)};
    if (!take_words(rest, "wins by ") && !take_words(rest, "won by ")) return std::nullopt;
    const ReasonWords* reason = reason_in(rest);
    if (reason == nullptr || reason->only_draw) return std::nullopt;
    return SaidEnd{reason->reason, side, false, std::string(original)};
  }

  SaidPlace place_;
  std::array<std::string, 2> names_;
  bool named_as_colours_ = false;
};

}  // namespace

std::optional<SaidEnd> said_in_termination(const PgnGame& game) {
  const auto tag = game.tag("Termination");
  return tag ? SaidReading(game, SaidPlace::tag).read(*tag) : std::nullopt;
}

std::optional<SaidEnd> said_in_last_comment(const PgnGame& game) {
  const std::vector<std::string>& comments = game.moves.empty() ? game.comments_before : game.moves.back().comments;
  if (comments.empty()) return std::nullopt;
  const std::string_view comment = comments.back();
  const SaidReading reading(game, SaidPlace::comment);
  for (std::size_t from = 0; from <= comment.size();) {
    if (auto said = reading.read(comment.substr(from))) return said;
    const std::size_t end = comment.find_first_of(",;", from);
    if (end == std::string_view::npos || is_prose(comment.substr(from, end - from))) return std::nullopt;
    from = std::min(comment.find_first_not_of(" \n", end + 1), comment.size());
    if (from == comment.size()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace referee::record
