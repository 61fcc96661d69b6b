#include "engine_iface/xboard_speech.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine_iface/text.hpp"

namespace referee::engine::speech {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool contains(std::string_view text, std::string_view part) noexcept { return text.find(part) != std::string_view::npos; }

/// "12", "12.", "3+", "4&": the number, and whether a mark is glued to it.
struct Ply {
  std::optional<int> number;
  bool marked = false;
};
Ply read_ply(std::string_view word) noexcept {
  std::size_t digits = 0;
  while (digits < word.size() && is_digit(word[digits])) ++digits;
  if (digits == 0 || word.size() - digits > 2) return {};
  const auto marks = word.substr(digits);
  if (std::any_of(marks.begin(), marks.end(), [](char c) { return (c >= 'a' && c <= 'h') || c == '-'; }) && marks != "-")
    return {};  // 1-0, 8a
  return {parse_integer<int>(word.substr(0, digits)), !marks.empty()};
}

/// Four numbers, the first perhaps with a mark: ply score time nodes.
bool is_thinking(std::string_view line) noexcept {
  Words words(line);
  if (!read_ply(words.next()).number) return false;
  for (int i = 0; i < 3; ++i) {
    if (!parse_integer<long long>(words.next())) return false;
  }
  return true;
}

/// "N ... M" or "N. ... M".
std::string_view numbered_move(std::string_view line) noexcept {
  Words words(line);
  auto number = words.next();
  if (number.ends_with('.')) number.remove_suffix(1);
  if (number.empty() || !std::all_of(number.begin(), number.end(), is_digit)) return {};
  if (words.next() != "...") return {};
  return words.next();
}

std::string_view after_reason(std::string_view rest, std::string_view& reason) noexcept {
  rest = trimmed(rest);
  if (rest.starts_with('(')) {
    const auto end = std::min(rest.find(')'), rest.size());
    reason = rest.substr(1, end - 1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    rest = trimmed(rest);
  }
  if (rest.starts_with(':')) rest = trimmed(rest.substr(1));
  return rest;
}

bool comment_resigns(std::string_view comment, std::string_view loser) noexcept {
  for (std::size_t at = 0; at + loser.size() <= comment.size(); ++at) {
    if (!equal_ignoring_case(comment.substr(at, loser.size()), loser)) continue;
    const auto after = trimmed(comment.substr(at + loser.size()));
    if (after.size() >= 6 && equal_ignoring_case(after.substr(0, 6), "resign")) return true;
  }
  return false;
}

bool begins(std::string_view line, std::string_view phrase) noexcept { return line.starts_with(phrase); }

/// The phrase is all that is said, or its sentence ends there: "checkmate!", not "checkmate in 3".
bool says(std::string_view line, std::string_view phrase) noexcept {
  if (!begins(line, phrase)) return false;
  const auto rest = trimmed(line.substr(phrase.size()));
  return rest.empty() || contains("!.,;({", rest.substr(0, 1));
}

Speech legacy_prose(std::string_view line) noexcept {
  if (says(line, "White resigns") || says(line, "White resign")) return Result{0, 100, true, true};
  if (says(line, "Black resigns") || says(line, "Black resign")) return Result{100, 0, true, true};
  // The bare colour, or a verb of victory: other sentences that begin with a colour are talk.
  if (line == "White" || says(line, "White mates") || says(line, "White wins")) return Result{100, 0, false, true};
  if (line == "Black" || says(line, "Black mates") || says(line, "Black wins")) return Result{0, 100, false, true};
  for (const std::string_view draw : {"Draw", "game is a draw", "Game is a draw"}) {
    if (says(line, draw) || (begins(line, draw) && begins(line.substr(draw.size()), " by "))) return Result{50, 50, false, true};
  }
  if (says(line, "computer mates")) return MateClaim{Mates::engine};
  if (says(line, "opponent mates")) return MateClaim{Mates::opponent};
  if (says(line, "computer resigns")) return Resign{};
  if (says(line, "checkmate") || says(line, "Checkmate")) return MateClaim{Mates::side_to_move_is_mated};
  if (says(line, "stalemate") || says(line, "Stalemate")) return Result{50, 50, false, true};
  return Noise{};
}

/// Both words, and not of an offer that is no more (PROTOCOLS 1.7).
bool offers_draw(std::string_view text) noexcept {
  if (!contains(text, "offer") || !contains(text, "draw")) return false;
  constexpr std::array<std::string_view, 6> gone{"declin", "refus", "reject", "not accept", "withdr", "no draw"};
  return std::none_of(gone.begin(), gone.end(), [&](std::string_view word) { return contains(text, word); });
}

}  // namespace

Speech classify(std::string_view line) noexcept {
  const auto text = trimmed(line);
  if (text.empty() || text.front() == '#') return Ignored{};
  if (is_digit(text.front())) {
    if (is_thinking(text)) return Thinking{};
    if (const auto move = numbered_move(text); !move.empty()) return Move{move, MoveForm::numbered};
    if (begins(text, "1-0")) return Result{100, 0, comment_resigns(text, "black"), false};
    if (begins(text, "0-1")) return Result{0, 100, comment_resigns(text, "white"), false};
    if (begins(text, "1/2-1/2")) return Result{50, 50, false, false};
  }
  Words words(text);
  const auto first = words.next();
  constexpr std::array<std::string_view, 4> answers{"move", "feature", "pong", "resign"};
  if (line.starts_with("    ") && std::find(answers.begin(), answers.end(), first) == answers.end()) return Continuation{};
  if (first == "move") return Move{Words(words.rest()).next(), MoveForm::command};
  if (first == "feature") return Feature{words.rest()};
  if (first == "pong") return Pong{words.rest()};
  if (first == "resign") return Resign{};
  if (first == "*") return NoResult{};
  if (first == "tellusererror") return UserError{words.rest()};
  constexpr std::array<std::string_view, 18> talk{"tellopponent", "tellothers", "tellall", "telluser", "tellics", "tellicsnoalias",
                                                  "askuser",      "kibitz",     "whisper", "setup",    "piece",   "highlight",
                                                  "choice",       "click",      "Hint:",   "hint",     "debug",   "accepted"};
  if (std::find(talk.begin(), talk.end(), first) != talk.end()) return Ignored{};

  std::string_view reason;
  if (begins(text, "Illegal move") || begins(text, "illegal move")) return IllegalMove{after_reason(text.substr(12), reason)};
  if (begins(text, "Error")) {
    const auto command = after_reason(text.substr(5), reason);
    return Error{reason, command};
  }
  if (text == "offer draw") return DrawOffer{false};
  if (offers_draw(text)) return DrawOffer{true};
  return legacy_prose(text);
}

std::optional<int> thinking_depth(std::string_view line) noexcept { return read_ply(Words(line).next()).number; }

SearchInfo parse_thinking(std::string_view line) {
  SearchInfo info;
  info.raw = line;
  Words words(line);
  const auto ply = read_ply(words.next());
  info.depth = ply.number;
  if (const auto value = parse_integer<int>(words.next())) {
    constexpr int mate_base = 100000;
    constexpr int longest_mate = 1000;  // what lies beyond has a scale of its own, as Sjeng's
    Score score;
    if (*value > mate_base && *value <= mate_base + longest_mate) {
      score.mate = *value - mate_base;
    } else if (*value < -mate_base && *value >= -mate_base - longest_mate) {
      score.mate = *value + mate_base;
    } else {
      score.centipawns = *value;
    }
    info.score = score;
  }
  if (const auto time = parse_integer<long long>(words.next())) {
    // Centiseconds; old GNU Chess, which glues a mark to the ply, counts whole seconds.
    const long long unit = ply.marked ? 1'000'000'000 : 10'000'000;
    info.time = Duration(std::clamp(*time, 0LL, std::numeric_limits<Duration::rep>::max() / unit) * unit);
  }
  info.nodes = parse_integer<std::uint64_t>(words.next());

  auto rest = words.rest();
  // Extra numbers exist only when a tab stands before the line of play: first depth, second speed, last tablebase hits.
  if (const auto tab = line.rfind('\t'); tab != std::string_view::npos) {
    const auto pv = trimmed(line.substr(tab + 1));
    if (pv.size() <= rest.size()) {
      Words extras(rest.substr(0, rest.size() - pv.size()));
      int count = 0;
      std::optional<std::uint64_t> last;
      for (auto word = extras.next(); !word.empty(); word = extras.next(), ++count) {
        last = parse_integer<std::uint64_t>(word);
        if (!last) break;
        if (count == 0) info.selective_depth = parse_integer<int>(word);
        if (count == 1) info.nodes_per_second = last;
      }
      if (count > 2) info.tablebase_hits = last;
      rest = pv;
    }
  }
  if (!rest.empty() && info.score) {
    if (rest.back() == '?') info.score->bound = Score::Bound::upper;
    if (rest.back() == '!') info.score->bound = Score::Bound::lower;
  }
  if (rest.starts_with('(')) return info;  // a book move
  Words moves(rest);
  for (auto word = moves.next(); !word.empty(); word = moves.next()) {
    while (!word.empty() && (word.back() == '?' || word.back() == '!')) word.remove_suffix(1);
    if (word.empty() || word == "..." || (is_digit(word.front()) && word.back() == '.')) continue;  // fail marks and move numbers
    if (!info.pv.empty()) info.pv += ' ';
    info.pv += word;
  }
  return info;
}

}  // namespace referee::engine::speech
