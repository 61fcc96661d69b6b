// The lenient reader. Structure first: tags, then movetext up to a result, the next game's tags or the end of the text. Whether the moves
// are legal is not asked here.
#include <algorithm>
#include <array>
#include <limits>

#include "referee/record/latin_text.hpp"
#include "referee/record/pgn.hpp"
#include "referee/record/pgn_signs.hpp"
#include "referee/record/pgn_source.hpp"

namespace referee::record {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What a symbol token may hold (PGN 7), and what lies outside ASCII (figurines, other languages).
constexpr std::array<bool, 256> symbol_table = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    table[c] = letter || c >= 0x80 || c == '_' || c == '+' || c == '#' || c == '=' || c == ':' || c == '-' || c == '/';
  }
  return table;
}();
bool is_symbol(char c) noexcept { return symbol_table[static_cast<unsigned char>(c)]; }

std::string_view as_result(std::string_view token) noexcept {
  if (token == "1-0" || token == "0-1" || token == "1/2-1/2") return token;
  if (token == "1/2" || token == "\xC2\xBD-\xC2\xBD" || token == "\xBD-\xBD") return "1/2-1/2";
  return {};
}

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t start = text.find_first_not_of(' ');
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(' ') - start + 1);
}

}  // namespace

std::optional<std::string_view> PgnGame::tag(std::string_view name) const {
  for (const auto& [key, value] : tags)
    if (key == name) return value;
  return std::nullopt;
}

struct PgnReader::Impl {
  Impl(std::istream& in, PgnLimits chosen, std::size_t first_line) : source(in, first_line), limits(chosen) {}

  bool next(PgnGame& into) {
    game = &into;
    clear();
    while (step()) {}
    if (!begun()) return false;
    into.number = ++count;
    return true;
  }

 private:
  void clear() {
    game->line = game->column = game->end_line = game->end_column = 0;
    game->tags.clear();
    game->moves.clear();
    game->variations = 0;
    game->comments_before.clear();
    game->result.clear();
    game->cut_off = false;
    game->problems.clear();
    text_bytes = 0;
    depth = 0;
    blank_line = false;
    behind_move = false;
    too_many = false;
  }

  [[nodiscard]] bool begun() const { return game->line != 0; }
  void begin() {
    if (game->line != 0) return;
    game->line = source.line();
    game->column = source.column();
  }
  [[nodiscard]] bool in_movetext() const { return !game->moves.empty() || depth > 0; }

  void problem(std::string text) {
    if (game->problems.size() < limits.problems) game->problems.push_back({source.line(), source.column(), std::move(text)});
  }

  /// One token; false when the game is complete.
  bool step() {
    const char c = source.peek();
    if (c == '\0' && source.at_end()) return finish_cut_off();
    if (is_blank(c)) {
      skip_blanks();
      return true;
    }
    if (c == '%' && source.at_line_start()) {
      source.skip_to_line_end();
      return true;
    }
    switch (c) {
      case '[':
        return tag_or_stray();
      case '{':
        read_comment();
        return true;
      case ';':
        read_line_comment();
        return true;
      case '(':
        open_variation();
        return true;
      case ')':
        close_variation();
        return true;
      case '$':
        read_nag();
        return true;
      case '!':
      case '?':
        read_suffix();
        return true;
      case '.':
        source.skip(1);
        return true;
      case '*':
        if (depth > 0) {
          source.skip(1);
          return true;
        }
        return complete("*", 1);
      case '<':
        skip_expansion();
        return true;
      default:
        break;
    }
    source.look_ahead(8);
    if (c == '\xEF' && source.rest().starts_with("\xEF\xBB\xBF")) {  // byte order mark, also where files were joined
      source.skip(3);
      return true;
    }
    if (is_symbol(c)) return read_symbol();
    if (depth == 0)
      problem(c > ' ' && c < 0x7F ? std::string("unexpected character '") + c + "'" : std::string("unexpected control character"));
    source.skip(1);
    return true;
  }

  void skip_blanks() {
    bool line_end = false;
    while (true) {
      const std::string_view text = source.rest();
      if (text.empty() || !is_blank(text.front())) return;
      if (text.front() == '\n') {
        blank_line = blank_line || line_end;
        line_end = true;
        source.skip_any();
      } else {
        source.skip(1);
      }
    }
  }

  /// `length`: of the marker as it is written.
  bool complete(std::string_view result, std::size_t length) {
    begin();
    game->result = result;
    source.skip(length);
    game->end_line = source.line();
    game->end_column = source.column();
    read_tail();
    return false;
  }

  /// What stands behind the marker on its line is said of this game: "1-0 {White mates}", "1-0 ; Black resigned".
  void read_tail() {
    for (;;) {
      source.look_ahead(8);
      switch (source.peek()) {
        case ' ':
        case '\t':
        case '\r':
        case '.':
          source.skip(1);
          break;
        case '{':
          read_comment();
          break;
        case ';':
          read_line_comment();
          return;
        case '$':
          read_nag();
          break;
        case '!':
        case '?':
          read_suffix();
          break;
        case '(':
          open_variation();
          while (depth > 0 && step()) {}
          if (depth > 0) return;
          break;
        default:
          return;
      }
    }
  }

  bool finish_cut_off() {
    if (depth > 0) problem("variation not closed");
    game->cut_off = begun() && game->result.empty();
    return false;
  }

  // --- tags --------------------------------------------------------------------------------------------------------------

  bool tag_or_stray() {
    source.look_ahead(PgnSource::widest_look);
    const std::string_view text = source.rest().substr(0, PgnSource::widest_look);
    std::size_t name_start = 1;
    // In import format the tokens of a tag may stand in lines of their own (PGN standard 8.1.1).
    while (name_start < text.size() && is_blank(text[name_start])) ++name_start;
    std::size_t name_end = name_start;
    while (name_end < text.size() && (is_letter(text[name_end]) || is_digit(text[name_end]) || text[name_end] == '_')) ++name_end;
    std::size_t quote = name_end;
    while (quote < text.size() && is_blank(text[quote])) ++quote;
    const bool named = name_end > name_start && name_end - name_start <= limits.token;
    const std::string_view name = text.substr(name_start, name_end - name_start);
    const bool well_formed = named && quote < text.size() && text[quote] == '"';
    if (!well_formed) {
      if (in_movetext() && !source.at_line_start()) {
        skip_brackets("'[' in the moves");
        return true;
      }
      begin();
      skip_brackets("tag not understood: [NAME \"VALUE\"] expected");
      return true;
    }
    // A tag after moves, or a second Event, belongs to the next game: this one was cut off.
    const bool repeated = game->tag(name).has_value();
    if (in_movetext() || (repeated && (name == "Event" || blank_line))) return finish_cut_off();
    begin();
    blank_line = false;
    if (repeated) problem("tag " + std::string(name) + " is given twice, the first is kept");
    std::string value;
    const std::string key(name);
    for (std::size_t i = 0; i <= quote; ++i) source.skip_any();
    read_tag_value(text.substr(quote + 1), key, value);
    if (repeated) return true;
    if (game->tags.size() < limits.tags)
      game->tags.emplace_back(key, std::move(value));
    else if (game->tags.size() == limits.tags)
      problem("more than " + std::to_string(limits.tags) + " tags");
    return true;
  }

  void skip_brackets(std::string_view why) {
    problem(std::string(why));
    const std::string_view text = source.rest().substr(0, 1024);
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::size_t close = text.substr(0, line_end).find(']');
    source.skip(close == std::string_view::npos ? line_end : close + 1);
  }

  // `text` is the window behind the opening quote.
  void read_tag_value(std::string_view text, const std::string& name, std::string& value) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    std::size_t i = 0;
    bool closed = false;
    for (; i < line_end; ++i) {
      const char c = text[i];
      if (c == '\\' && i + 1 < line_end && (text[i + 1] == '"' || text[i + 1] == '\\')) {
        value += text[++i];
      } else if (c == '"') {
        std::size_t after = i + 1;
        while (after < line_end && is_blank(text[after])) ++after;
        if (after < line_end && text[after] == ']') {
          i = after + 1;
          closed = true;
          break;
        }
        if (after >= line_end) {
          problem("tag " + name + ": ']' is missing");
          i = line_end;
          closed = true;
          break;
        }
        problem("tag " + name + ": a quote in the value should be written \\\"");
        value += c;
      } else {
        value += c;
      }
    }
    if (!closed) {
      // An unescaped backslash before the last quote hides it: C:\engines\"]
      std::string_view rest = text.substr(0, line_end);
      while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
      if (rest.ends_with("\"]")) value = rest.substr(0, rest.size() - 2);
      problem("tag " + name + ": the closing quote is missing");
      i = line_end;
    }
    if (!is_utf8(value)) value = to_utf8(value);
    if (value.size() > limits.tag_value) {
      value.resize(limits.tag_value);
      problem("tag " + name + " is longer than " + std::to_string(limits.tag_value) + " bytes and was cut");
    }
    source.skip(i);
    // A line wider than the window: its rest is no part of the game.
    if (!closed && !source.at_end() && source.peek() != '\n') source.skip_to_line_end();
  }

  // --- comments ----------------------------------------------------------------------------------------------------------

  void append_text(std::string& comment, std::string_view piece, bool& full) {
    const std::size_t room =
        std::min(limits.comment - std::min(limits.comment, comment.size()), limits.game_text - std::min(limits.game_text, text_bytes));
    if (piece.size() > room) {
      if (!full) problem("comment is too long and was cut");
      full = true;
      piece = piece.substr(0, room);
    }
    comment += piece;
    text_bytes += piece.size();
  }

  void keep_comment(std::string& comment) {
    if (depth > 0) return;
    const std::string_view text = trimmed(comment);
    auto& comments = game->moves.empty() ? game->comments_before : game->moves.back().comments;
    if (!text.empty()) comments.push_back(to_utf8(text));
  }

  void read_comment() {
    const std::size_t opened_at = source.line();
    source.skip(1);
    std::string comment;
    bool full = false;
    bool closed = false;
    bool last_blank = true;
    while (!closed) {
      source.look_ahead(16);
      const std::string_view text = source.rest();
      if (text.empty()) {
        problem("comment opened on line " + std::to_string(opened_at) + " is not closed");
        break;
      }
      if (source.at_line_start() && text.starts_with("[Event \"")) {
        problem("comment opened on line " + std::to_string(opened_at) + " is not closed");
        break;
      }
      std::size_t end = 0;
      while (end < text.size() && text[end] != '}' && text[end] != '\n' && text[end] != '\r') ++end;
      if (depth == 0 && end > 0) {
        append_text(comment, text.substr(0, end), full);
        last_blank = text[end - 1] == ' ';
      }
      source.skip(end);
      if (end == text.size()) continue;
      closed = text[end] == '}';
      if (closed) {
        source.skip(1);
        break;
      }
      if (text[end] == '\n' && !last_blank && depth == 0) append_text(comment, " ", full);
      last_blank = last_blank || text[end] == '\n';
      source.skip_any();
    }
    keep_comment(comment);
  }

  void read_line_comment() {
    source.skip(1);
    std::string comment;
    bool full = false;
    for (;;) {
      const std::string_view text = source.rest();
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (depth == 0) append_text(comment, text.substr(0, end), full);
      source.skip(end);
      if (end < text.size() || text.empty()) break;
    }
    if (!comment.empty() && comment.back() == '\r') comment.pop_back();
    keep_comment(comment);
  }

  // --- movetext ----------------------------------------------------------------------------------------------------------

  void open_variation() {
    begin();
    source.look_ahead(3);
    if (depth == 0 && source.rest().starts_with("(=)")) {  // an offer of a draw as players note it (C.12), no variation
      source.skip(3);
      std::string offer = "(=)";
      return keep_comment(offer);
    }
    source.skip(1);
    if (depth == 0) ++game->variations;
    if (depth < std::numeric_limits<std::size_t>::max()) ++depth;
  }

  void close_variation() {
    source.skip(1);
    if (depth > 0)
      --depth;
    else
      problem("')' without '('");
  }

  void skip_expansion() {  // reserved by the standard (PGN 7): "<...>" has no meaning yet
    if (depth == 0) problem("'<' in the moves");
    source.skip(1);
  }

  void add_nag(int nag) {
    if (depth > 0) return;
    if (!game->moves.empty() && game->moves.back().nags.size() < 16) game->moves.back().nags.push_back(nag);
  }

  void read_nag() {
    source.look_ahead(8);
    source.skip(1);
    int nag = 0;
    int digits = 0;
    while (is_digit(source.peek())) {
      if (++digits <= 4) nag = nag * 10 + (source.peek() - '0');
      source.skip(1);
    }
    if (digits == 0 || digits > 3)
      problem("number of a glyph expected after '$'");
    else
      add_nag(nag);
  }

  void read_suffix() {
    source.look_ahead(4);
    const std::string_view text = source.rest();
    const std::size_t length = text.size() > 1 && (text[1] == '!' || text[1] == '?') ? 2 : 1;
    const std::string_view sign = text.substr(0, length);
    add_nag(sign == "!" ? 1 : sign == "?" ? 2 : sign == "!!" ? 3 : sign == "??" ? 4 : sign == "!?" ? 5 : 6);
    source.skip(length);
    while (source.peek() == '!' || source.peek() == '?') source.skip(1);
  }

  bool read_symbol() {
    source.look_ahead(limits.token + 16);
    const std::string_view text = source.rest();
    std::size_t length = 1;
    const std::size_t longest = std::min(text.size(), limits.token);
    while (length < longest && is_symbol(text[length])) ++length;
    const std::string_view token = text.substr(0, length);
    if (length == limits.token) {
      if (depth == 0) problem("token longer than " + std::to_string(limits.token - 1) + " bytes");
      skip_symbol();
      return true;
    }
    if (depth > 0) {
      source.skip(length);
      return true;
    }
    if (const std::string_view result = as_result(token); !result.empty()) { return complete(result, length); }
    const std::size_t number = std::min(token.find_first_not_of("0123456789"), token.size());
    if (number == token.size()) {  // a move number; its dots are passed over where they stand
      begin();
      source.skip(length);
      behind_move = false;
      return true;
    }
    std::array<int, 4> nags{};
    std::size_t count_of_nags = 0;
    std::string_view move = token;
    while (const Sign* sign = sign_at_end(move)) {
      if (sign->nag != 0 && count_of_nags < nags.size()) nags[count_of_nags++] = sign->nag;
      move.remove_suffix(sign->text.size());
    }
    if (!move.empty() && !is_judgement(move) && !(is_mark(move) && behind_move && !goes_on_as_move(text.substr(length)))) {
      // "1e4" for "1.e4"; zeros of castling are no number.
      const bool glued = number > 0 && number < move.size() && is_letter(move[number]);
      read_move(text, glued ? number : 0, move.size());
      source.skip(token.size() - move.size());
      behind_move = true;
    } else {
      source.skip(length);
      if (move == "N") add_nag(novelty);
    }
    while (count_of_nags > 0) add_nag(nags[--count_of_nags]);
    return true;
  }

  void skip_symbol() {
    for (;;) {
      const std::string_view text = source.rest();
      std::size_t length = 0;
      while (length < text.size() && is_symbol(text[length])) ++length;
      source.skip(length);
      if (length < text.size() || text.empty()) return;
    }
  }

  void read_move(std::string_view text, std::size_t start, std::size_t end) {
    const std::size_t column = source.column() + start;
    std::string_view token = text.substr(start, end - start);
    const std::string_view after = text.substr(end);
    std::size_t passed = end;
    if (after.starts_with(".p")) {  // "exd6e.p." and "exd6 e.p."
      if (token.ends_with('e')) token.remove_suffix(1);
      passed += after.starts_with(".p.") ? 3 : 2;
    } else if (after.size() >= 3 && after[0] == '(' && std::string_view("QRBN").find(after[1]) != std::string_view::npos &&
               after[2] == ')') {
      token = text.substr(start, end - start + 3);  // "e8(Q)"
      passed += 3;
    }
    if (!token.empty() && token != "ep") {
      begin();
      if (game->moves.size() < limits.moves) {
        PgnMove& move = game->moves.emplace_back();
        move.san = token;
        move.line = source.line();
        move.column = column;
      } else if (game->moves.size() == limits.moves && !too_many) {
        too_many = true;
        problem("more than " + std::to_string(limits.moves) + " half-moves");
      }
    }
    source.skip(passed);
  }

  PgnSource source;
  PgnLimits limits;
  PgnGame* game = nullptr;
  std::size_t count = 0;
  std::size_t depth = 0;       // of variations
  std::size_t text_bytes = 0;  // of comments kept in this game
  bool blank_line = false;     // since the last tag
  bool behind_move = false;    // no move number has come since
  bool too_many = false;
};

PgnReader::PgnReader(std::istream& in, PgnLimits limits, std::size_t first_line) : impl_(std::make_unique<Impl>(in, limits, first_line)) {}
PgnReader::~PgnReader() = default;
PgnReader::PgnReader(PgnReader&&) noexcept = default;
PgnReader& PgnReader::operator=(PgnReader&&) noexcept = default;

bool PgnReader::next(PgnGame& game) { return impl_->next(game); }

std::optional<PgnGame> PgnReader::next() {
  PgnGame game;
  if (!impl_->next(game)) return std::nullopt;
  return game;
}

}  // namespace referee::record
