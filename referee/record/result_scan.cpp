#include "referee/record/result_scan.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "referee/record/latin_text.hpp"

namespace referee::record {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t\r\v\f";

[[nodiscard]] bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
[[nodiscard]] bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// What ends its lines: a text without any line feed may have carriage returns alone.
[[nodiscard]] char line_break_of(std::string_view text) noexcept { return text.find('\n') == std::string_view::npos ? '\r' : '\n'; }

/// Offset of the line end at or after `from`, or the text's size.
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t from, char line_break) noexcept {
  const void* found = from < text.size() ? std::memchr(text.data() + from, line_break, text.size() - from) : nullptr;
  return found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// `[Name "` at the start of what is left of a line; the tag's parts, and what follows it.
struct Tag {
  std::string_view name, value;
  std::size_t length = 0;  // 0: no tag
};
[[nodiscard]] Tag tag_at(std::string_view line) noexcept {
  Tag tag;
  if (line.size() < 5 || line[0] != '[') return tag;
  const std::size_t name_at = std::min(line.find_first_not_of(" \t", 1), line.size());
  std::size_t at = name_at;
  if (at == line.size() || !is_letter(line[at])) return tag;
  while (at < line.size() && (is_letter(line[at]) || is_digit(line[at]) || line[at] == '_')) ++at;
  const std::string_view name = line.substr(name_at, at - name_at);
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  if (at >= line.size() || line[at] != '"') return tag;
  const std::size_t begin = ++at;
  std::size_t quote = begin;
  for (;; ++quote) {
    quote = line.find('"', quote);
    if (quote == std::string_view::npos) {
      // Never closed: the value ends with the line, or before its bracket.
      quote = line.find_last_not_of(blanks);
      quote = quote == std::string_view::npos || quote < begin ? begin : line[quote] == ']' ? quote : quote + 1;
      break;
    }
    std::size_t slashes = 0;
    while (quote - slashes > begin && line[quote - slashes - 1] == '\\') ++slashes;
    if (slashes % 2 == 0) break;
  }
  tag.name = name;
  tag.value = line.substr(begin, quote - begin);
  const std::size_t bracket = line.find(']', quote);
  tag.length = bracket == std::string_view::npos ? line.size() : bracket + 1;
  return tag;
}

void keep(ScannedGame& game, const Tag& tag) noexcept {
  struct Place {
    std::string_view name;
    std::string_view ScannedGame::*field;
  };
  static constexpr std::array<Place, 12> places{{{"White", &ScannedGame::white},
                                                 {"Black", &ScannedGame::black},
                                                 {"Result", &ScannedGame::result},
                                                 {"Event", &ScannedGame::event},
                                                 {"Site", &ScannedGame::site},
                                                 {"Date", &ScannedGame::date},
                                                 {"Round", &ScannedGame::round},
                                                 {"FEN", &ScannedGame::fen},
                                                 {"Termination", &ScannedGame::termination},
                                                 {"ECO", &ScannedGame::eco},
                                                 {"Opening", &ScannedGame::opening},
                                                 {"Variation", &ScannedGame::variation}}};
  for (const Place& place : places) {
    if (place.name.size() == tag.name.size() && place.name == tag.name) {
      if ((game.*place.field).data() == nullptr) game.*place.field = tag.value;  // the first one counts
      return;
    }
  }
}

/// Follows braces: is the text so far inside a comment? Linear, however many questions are asked.
class CommentTracker {
 public:
  void pass(std::string_view text) noexcept {
    if (text.empty()) return;
    const void* open = memrchr(text.data(), '{', text.size());
    const void* close = memrchr(text.data(), '}', text.size());
    if (open != nullptr || close != nullptr) inside_ = open > close;
  }
  [[nodiscard]] bool inside() const noexcept { return inside_; }

 private:
  bool inside_ = false;
};

[[nodiscard]] ScannedResult result_word(std::string_view word) noexcept {
  if (word == "1-0") return ScannedResult::white_wins;
  if (word == "0-1") return ScannedResult::black_wins;
  if (word == "1/2-1/2" || word == "1/2" || word == "\xC2\xBD-\xC2\xBD" || word == "\xBD-\xBD") return ScannedResult::draw;
  if (word == "0-0") return ScannedResult::both_lost;
  return ScannedResult::none;
}

[[nodiscard]] std::string_view without_blanks(std::string_view text) noexcept {
  constexpr std::string_view white = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

[[nodiscard]] std::string_view tagged_result(const ScannedGame& game) noexcept { return without_blanks(game.result); }

/// The last word, where the line it ends and the braces before it say that it is one of the moves: so it is nearly always. Else empty.
[[nodiscard]] std::string_view plain_last_word(std::string_view moves) noexcept {
  moves = without_blanks(moves);
  const std::size_t open = moves.rfind('{');
  if (open != std::string_view::npos && moves.find('}', open) == std::string_view::npos) return {};
  const std::string_view line = moves.substr(moves.rfind('\n') + 1);  // npos + 1 = 0
  if (line.starts_with('%') || line.find(';') != std::string_view::npos) return {};
  const std::size_t variation = moves.rfind('(');
  if (variation != std::string_view::npos && moves.find(')', variation) == std::string_view::npos) return {};
  const std::size_t before = line.find_last_of(" \t\r\v\f");
  return before == std::string_view::npos ? line : line.substr(before + 1);
}

/// What is no part of the main line, from its first byte on: a comment, a line that is one, a glyph's number; not a variation. 0 for
/// anything else.
[[nodiscard]] std::size_t aside_length(std::string_view text, std::size_t at, char line_break) noexcept {
  const char c = text[at];
  if (c == '{') return std::min(text.find('}', at), text.size() - 1) + 1 - at;
  if (c == ';' || (c == '%' && (at == 0 || text[at - 1] == line_break))) return line_end(text, at, line_break) - at;
  if (c == '$') return std::min(text.find_first_not_of("0123456789", at + 1), text.size()) - at;
  return 0;
}

/// Of the moves: there, 0-0 is somebody's castling.
[[nodiscard]] bool is_end_of_moves(std::string_view word) noexcept {
  const ScannedResult result = result_word(word);
  return word == "*" || (result != ScannedResult::none && result != ScannedResult::both_lost);
}

/// How the moves end, as the reader of games sees it (pgn.hpp): the first result of the main line.
struct EndOfMoves {
  std::string_view word;   // empty: there is none
  bool has_moves = false;  // in front of it
};
[[nodiscard]] EndOfMoves end_of(std::string_view moves) noexcept {
  const auto is_symbol = [](char c) {
    return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 || (c != '\0' && std::strchr("-=+#/:_", c) != nullptr);
  };
  EndOfMoves end;
  const char line_break = line_break_of(moves);
  int depth = 0;
  for (std::size_t at = 0; at < moves.size();) {
    const char c = moves[at];
    if (const std::size_t length = aside_length(moves, at, line_break); length > 0) {
      at += length;
      continue;
    }
    depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
    std::size_t next = at + 1;
    if (is_symbol(c)) {
      while (next < moves.size() && is_symbol(moves[next])) ++next;
    }
    const std::string_view word = moves.substr(at, next - at);
    at = next;
    if (depth > 0) continue;
    if (is_end_of_moves(word)) {
      end.word = word;
      return end;
    }
    end.has_moves = end.has_moves || is_letter(c) || word.starts_with("0-0");
  }
  return end;
}

/// Feeds the main line's moves to `see(word, comment)`, comment being the first one behind the move; stops when it returns false.
template <class See>
void each_move(std::string_view text, See see) {
  const char line_break = line_break_of(text);
  std::size_t at = 0;
  std::string_view pending;
  const auto flush = [&](std::string_view comment) {
    if (pending.empty()) return true;
    const std::string_view word = pending;
    pending = {};
    return see(word, comment);
  };
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '{') {
      const std::size_t end = std::min(text.find('}', at), text.size());
      if (depth == 0 && !flush(text.substr(at + 1, end - at - 1))) return;
      at = end + 1;
    } else if (const std::size_t length = aside_length(text, at, line_break); length > 0) {
      at += length;
    } else if (c == '(') {
      ++depth;
      ++at;
    } else if (c == ')') {
      depth -= depth > 0 ? 1 : 0;
      ++at;
    } else if (is_letter(c) || is_digit(c)) {
      const std::size_t begin = at;
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || std::strchr("-=+#/", text[at]) != nullptr) &&
             text[at] != '\0')
        ++at;
      const std::string_view word = text.substr(begin, at - begin);
      if (depth > 0) continue;
      const bool number = word.find_first_not_of("0123456789") == std::string_view::npos;
      if (number || is_end_of_moves(word)) continue;
      if (!flush({})) return;
      pending = word;
    } else {
      ++at;
    }
  }
  (void)flush({});
}

}  // namespace

ResultScanner::ResultScanner(std::string_view text) noexcept : text_(text), line_break_(line_break_of(text)) {
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

bool ResultScanner::next(ScannedGame& game) noexcept {
  game = ScannedGame{};
  const bool any = read_tags(game);
  if (at_ >= text_.size()) {
    at_ = text_.size();
    return any;
  }
  if (!ends_in_tags_) read_moves(game);
  return true;
}

bool ResultScanner::read_tags(ScannedGame& game) noexcept {
  ends_in_tags_ = false;
  bool any = false;
  while (at_ < text_.size()) {
    const std::size_t end = line_end(text_, at_, line_break_);
    std::size_t from = at_;
    while (from < end && blanks.find(text_[from]) != std::string_view::npos) ++from;
    if (from == end || text_[at_] == '%') {
      at_ = end + 1;
      continue;
    }
    Tag tag = tag_at(text_.substr(from, end - from));
    if (tag.length == 0) {
      if (any || !is_comment(from)) break;
      at_ = past_comment(from);
      continue;
    }
    if (!any) game.offset = from;
    for (; tag.length > 0; tag = tag_at(text_.substr(from, end - from))) {
      // A second Event tag before any move: a game without movetext.
      if (any && tag.name == "Event" && game.event.data() != nullptr) {
        at_ = from;
        ends_in_tags_ = true;
        return true;
      }
      any = true;
      keep(game, tag);
      from = std::min(text_.find_first_not_of(blanks, from + tag.length), end);
    }
    at_ = std::min(from < end ? from : end + 1, text_.size());
    if (from < end) break;  // the moves begin in the same line
  }
  if (!any) game.offset = at_;
  return any;
}

bool ResultScanner::is_comment(std::size_t at) const noexcept { return text_[at] == ';' || text_[at] == '{'; }

std::size_t ResultScanner::past_comment(std::size_t at) noexcept {
  if (text_[at] == ';') return line_end(text_, at, line_break_);
  return std::min({text_.find('}', at), text_.size() - 1, event_from(at) - 1}) + 1;
}

std::size_t ResultScanner::event_from(std::size_t at) noexcept {
  if (event_ < at || event_ == 0) event_ = std::min(text_.find("[Event \"", at), text_.size());
  return event_;
}

void ResultScanner::read_moves(ScannedGame& game) noexcept {
  const std::size_t begin = at_;
  CommentTracker comments;
  std::size_t passed = begin;
  const auto is_inside_comment = [&](std::size_t at) {
    comments.pass(text_.substr(passed, at - passed));
    passed = at;
    return comments.inside();
  };
  std::size_t line = begin;
  while (line < text_.size()) {
    const std::size_t end = line_end(text_, line, line_break_);
    // Of an Event tag in the midst of a line: games that were joined to one line.
    for (std::size_t event = event_from(line + 1); event < end && event > begin; event = event_from(event + 1)) {
      if (is_inside_comment(event)) continue;
      game.movetext = text_.substr(begin, event - begin);
      at_ = event;
      return;
    }
    line = std::min(text_.find_first_not_of(blanks, end + 1), text_.size());
    if (line >= text_.size() || text_[line] != '[') continue;
    const Tag tag = tag_at(text_.substr(line, line_end(text_, line, line_break_) - line));
    if (tag.length == 0) continue;
    if (is_inside_comment(line) && tag.name != "Event") continue;
    game.movetext = text_.substr(begin, line - begin);
    at_ = line;
    return;
  }
  game.movetext = text_.substr(begin);
  at_ = text_.size();
}

ScannedResult result_of(const ScannedGame& game) noexcept {
  const ScannedResult told = result_word(tagged_result(game));
  return told != ScannedResult::none ? told : result_word(end_of(game.movetext).word);
}

ResultPlaces result_places(const ScannedGame& game) noexcept {
  const ScannedResult told = result_word(tagged_result(game));
  if (told == ScannedResult::none || result_word(plain_last_word(game.movetext)) == told) return ResultPlaces::agree;
  const EndOfMoves end = end_of(game.movetext);
  if (end.word.empty()) return end.has_moves ? ResultPlaces::tag_only : ResultPlaces::agree;
  return result_word(end.word) == told ? ResultPlaces::agree : ResultPlaces::differ;
}

std::string tag_text(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    char c = raw[i];
    if (c == '\\' && i + 1 < raw.size() && (raw[i + 1] == '"' || raw[i + 1] == '\\')) c = raw[++i];
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  if (!is_utf8(out)) out = to_utf8(out);
  const std::size_t first = out.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return out.substr(first, out.find_last_not_of(' ') - first + 1);
}

std::size_t last_game_start(std::string_view text) noexcept {
  constexpr std::string_view mark = "[Event \"";
  for (std::size_t found = text.rfind(mark); found != std::string_view::npos && found > 0; found = text.rfind(mark, found - 1)) {
    // At the start of its line, and behind moves only: behind other tags it may belong to them.
    const std::size_t last = text.substr(0, found).find_last_not_of(" \t\r\v\f\n");
    if (last == std::string_view::npos || text.substr(last, found - last).find('\n') == std::string_view::npos) continue;
    const std::size_t line = text.rfind('\n', last) + 1;  // npos + 1 = 0
    const std::size_t first =
        text.find_first_not_of(blanks, line == 0 && text.starts_with(byte_order_mark) ? byte_order_mark.size() : line);
    if (first > last) continue;  // nothing but the mark
    if (text[first] != '[' && text[first] != '%' && text[line] != '%') return found;
  }
  return 0;
}

std::uint64_t digest_moves(std::string_view movetext, DigestOf what) noexcept {
  std::uint64_t digest = 0;
  each_move(movetext, [&](std::string_view word, std::string_view comment) {
    if (what == DigestOf::book_moves) {
      comment.remove_prefix(std::min(comment.find_first_not_of(" \t\r\n"), comment.size()));
      if (!comment.starts_with("book")) return false;
    }
    std::uint64_t move = 1469598103934665603ULL;
    for (char c : word) {
      if (c == '0' && word.starts_with("0-0")) c = 'O';
      if (c == 'x' || !(is_letter(c) || is_digit(c))) continue;
      move = (move ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
    digest = (digest + move) * 0x9e3779b97f4a7c15ULL;
    digest ^= digest >> 32U;
    return true;
  });
  return digest;
}

}  // namespace referee::record
