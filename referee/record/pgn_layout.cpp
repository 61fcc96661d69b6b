#include "referee/record/pgn_layout.hpp"

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

std::string clean(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '{') c = '(';
    if (c == '}') c = ')';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return out;
}

}  // namespace

void Movetext::token(std::string_view token) {
  if (column_ > 0 && column_ + 1 + token.size() > line_width) end_line();
  if (column_ > 0) {
    out_ += ' ';
    ++column_;
  }
  out_ += token;
  column_ += token.size();
}

void Movetext::comment(std::string_view text) {
  const std::string cleaned = clean(text);
  std::string_view rest = cleaned;
  std::string piece = "{";
  for (std::string_view word = take_word(rest); !word.empty();) {
    const std::string_view next = take_word(rest);
    // A line that begins with % is an escape line to a reader.
    if (piece.empty() && word.front() == '%') piece += '_';
    if (word.size() > longest_word) {
      piece.append(word.substr(0, longest_word - 3)).append("...");
    } else {
      piece += word;
    }
    if (next.empty()) piece += '}';
    token(piece);
    piece.clear();
    word = next;
  }
  if (!piece.empty()) token("{}");
}

void Movetext::end_line() {
  out_ += '\n';
  column_ = 0;
}

}  // namespace referee::record
