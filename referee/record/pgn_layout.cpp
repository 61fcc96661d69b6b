#include "referee/record/pgn_layout.hpp"

#include "referee/game/printable.hpp"

namespace referee::record {

namespace {

constexpr std::size_t line_width = 79;
constexpr std::size_t longest_word = 72;

// The next word of a comment, blanks taken off; a command with its argument is one word.
std::string_view take_word(std::string_view& text) {
  const std::size_t start = text.find_first_not_of(' ');
  if (start == std::string_view::npos) {
    text = {};
    return {};
  }
  text.remove_prefix(start);
  std::size_t end = std::string_view::npos;
  if (text.starts_with("[%")) {
    end = text.find(']');
    if (end != std::string_view::npos) end = text.find(' ', end);
    if (std::min(end, text.size()) > longest_word) end = text.find(' ');
  } else {
    end = text.find(' ');
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(word.size());
  return word;
}

// Braces end a comment, control characters break lines.
std::string clean(std::string_view text) {
  std::string out = game::printable(text);
  for (char& c : out) {
    if (c == '{') c = '(';
    if (c == '}') c = ')';
  }
  return out;
}
bool is_clean(std::string_view text) {
  unsigned odd = 0;  // without a branch: every comment is looked at
  for (const char c : text) odd |= static_cast<unsigned>((c == '{') | (c == '}') | (c < 0x20) | (c >= 0x7F));
  if (odd == 0) return true;
  return text.find_first_of("{}") == std::string_view::npos && game::is_printable(text);
}

}  // namespace

void Movetext::begin_token(std::size_t size) {
  if (column_ > 0 && column_ + 1 + size > line_width) end_line();
  if (column_ > 0) {
    out_ += ' ';
    ++column_;
  }
  column_ += size;
}

void Movetext::token(std::string_view token) {
  begin_token(token.size());
  out_ += token;
}

void Movetext::comment(std::string_view text) {
  if (!is_clean(text)) return comment(clean(text));
  std::string_view word = take_word(text);
  if (word.empty()) return token("{}");
  for (bool first = true; !word.empty(); first = false) {
    const std::string_view next = take_word(text);
    const std::string_view begin = first ? "{" : word.front() == '%' ? "_" : "";  // a line that begins with % is an escape line to a reader
    const std::string_view cut = word.size() > longest_word ? "..." : "";
    const std::string_view end = next.empty() ? "}" : "";
    if (!cut.empty()) word = word.substr(0, longest_word - cut.size());
    begin_token(begin.size() + word.size() + cut.size() + end.size());
    out_.append(begin).append(word).append(cut).append(end);
    word = next;
  }
}

void Movetext::end_line() {
  out_ += '\n';
  column_ = 0;
}

}  // namespace referee::record
