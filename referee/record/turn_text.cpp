#include "referee/record/turn_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "referee/record/json.hpp"

namespace referee::record {

namespace {

using chess::Color;

constexpr std::string_view plain_decision = "move_accepted";
constexpr std::string_view null = "null";

// Printable ASCII that stands for itself in JSON.
bool stands_for_itself(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }
bool stands_for_itself(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return stands_for_itself(c); });
}

/// Coordinates, king takes rook for castling, and a letter: c = castling, e = en passant; "" for moves whose UCI text says all.
std::string special(chess::Move move) {
  const char letter = move.kind() == chess::MoveKind::castling ? 'c' : move.kind() == chess::MoveKind::en_passant ? 'e' : '\0';
  if (letter == '\0') return {};
  return chess::to_string(move.from()) + chess::to_string(move.to()) + letter;
}

/// A line of known bounds is put together here, and appended at once.
class Line {
 public:
  void put(char c) { *at_++ = c; }
  void put(std::string_view text) { at_ = std::copy(text.begin(), text.end(), at_); }
  template <class Integer>
  void number(Integer value) {
    put(',');
    at_ = std::to_chars(at_, text_.data() + text_.size(), value).ptr;
  }
  template <class Integer>
  void number(const std::optional<Integer>& value) {
    if (value) return number(*value);
    put(',');
    put(null);
  }
  void time(game::Duration time) {
    if (time != game::Duration::max()) return number(time.count());
    put(',');
    put(null);
  }
  [[nodiscard]] char* place() const { return at_; }
  void back_to(char* place) { at_ = place; }
  [[nodiscard]] std::string_view text() const { return {text_.data(), static_cast<std::size_t>(at_ - text_.data())}; }

 private:
  static constexpr std::size_t longest = 20 * 21 + 3 * 16;  // numbers of 20 digits, texts below
  std::array<char, longest> text_;                          // written before it is read
  char* at_ = text_.data();
};

void put_search(Line& line, const SearchReport& search) {
  // What is known last ends the report.
  char* end = line.place();
  const auto known = [&](const auto& value) {
    line.number(value);
    if (value) end = line.place();
  };
  line.number(search.depth);
  end = line.place();  // an empty report is one all the same
  known(search.selective_depth);
  known(search.centipawns);
  known(search.mate);
  known(search.nodes);
  known(search.nodes_per_second);
  known(search.tablebase_hits);
  known(search.time ? std::optional(search.time->count()) : std::nullopt);
  if (search.pv.empty()) line.back_to(end);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool take(std::string_view literal) {
    if (static_cast<std::size_t>(end_ - at_) < literal.size() || !std::equal(literal.begin(), literal.end(), at_)) return false;
    at_ += literal.size();
    return true;
  }
  [[nodiscard]] bool quoted(std::string_view& out) {
    if (!take('"')) return false;
    const char* const start = at_;
    while (at_ != end_ && stands_for_itself(*at_)) ++at_;
    out = {start, static_cast<std::size_t>(at_ - start)};
    return take('"');
  }
  template <class Integer>
  [[nodiscard]] bool number(Integer& out) {
    const auto [end, error] = std::from_chars(at_, end_, out);
    if (error != std::errc{}) return false;
    at_ = end;
    return true;
  }
  template <class Integer>
  [[nodiscard]] bool maybe(std::optional<Integer>& out) {
    if (take(null)) return true;
    return number(out.emplace());
  }
  [[nodiscard]] bool maybe(std::optional<game::Duration>& out) {
    std::optional<game::Duration::rep> count;
    if (!maybe(count)) return false;
    if (count) out = game::Duration(*count);
    return true;
  }
  [[nodiscard]] bool time(game::Duration& out) {
    std::optional<game::Duration> known;
    if (!maybe(known)) return false;
    out = known.value_or(game::Duration::max());
    return true;
  }

 private:
  const char* at_;
  const char* end_;
};

bool read_squares(std::string_view text, chess::Square& from, chess::Square& to) {
  const auto first = chess::parse_square(text.substr(0, 2));
  const auto second = chess::parse_square(text.substr(2, 2));
  if (!first || !second) return false;
  from = *first;
  to = *second;
  return true;
}

std::optional<chess::Role> promotion_role(char letter) {
  switch (letter) {
    case 'n':
      return chess::Role::knight;
    case 'b':
      return chess::Role::bishop;
    case 'r':
      return chess::Role::rook;
    case 'q':
      return chess::Role::queen;
    default:
      return std::nullopt;
  }
}

/// "e2e4", "e7e8q", "e1g1 e1h1c".
bool read_move(std::string_view text, game::MoveAccepted& out) {
  const std::string_view uci = text.substr(0, text.find(' '));
  if (uci.size() < 4 || uci.size() > 5) return false;
  out.uci = uci;
  chess::Square from{};
  chess::Square to{};
  if (text.size() == uci.size()) {
    if (!read_squares(uci, from, to)) return false;
    if (uci.size() == 4) {
      out.move = chess::Move::plain(from, to);
      return true;
    }
    const auto role = promotion_role(uci[4]);
    if (role) out.move = chess::Move::promotion(from, to, *role);
    return role.has_value();
  }
  const std::string_view exact = text.substr(uci.size() + 1);
  if (exact.size() != 5 || !read_squares(exact, from, to)) return false;
  if (exact[4] == 'c') out.move = chess::Move::castling(from, to);
  if (exact[4] == 'e') out.move = chess::Move::en_passant(from, to);
  return exact[4] == 'c' || exact[4] == 'e';
}

bool read_search(Reader& in, SearchReport& out) {
  if (!in.maybe(out.depth)) return false;
  if (in.take(',') && !in.maybe(out.selective_depth)) return false;
  if (in.take(',') && !in.maybe(out.centipawns)) return false;
  if (in.take(',') && !in.maybe(out.mate)) return false;
  if (in.take(',') && !in.maybe(out.nodes)) return false;
  if (in.take(',') && !in.maybe(out.nodes_per_second)) return false;
  if (in.take(',') && !in.maybe(out.tablebase_hits)) return false;
  if (in.take(',') && !in.maybe(out.time)) return false;
  std::string_view pv;
  if (in.take(',') && !in.quoted(pv)) return false;
  out.pv = pv;
  return true;
}

}  // namespace

bool append_turn(std::string& out, const EventJudged& judged) {
  Line line;
  if (const auto* started = std::get_if<game::TurnStarted>(&judged.event.body)) {
    if (!judged.rulings.empty() || judged.search || judged.referee_lag || judged.book) return false;
    line.put(started->side == Color::white ? R"(["w")" : R"(["b")");
    line.number(judged.event.at.count());
    line.put(']');
    out += line.text();
    return true;
  }
  const auto* received = std::get_if<game::MoveReceived>(&judged.event.body);
  if (received == nullptr || received->notation == game::MoveNotation::san || received->two_hands || judged.book) return false;
  if (judged.rulings.size() != 1) return false;
  const game::Ruling& ruling = *judged.rulings.begin();
  const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body);
  if (accepted == nullptr || !accepted->note.empty() || !ruling.article.empty() || ruling.decision != plain_decision) return false;
  if (accepted->side != received->side || accepted->uci != received->text || accepted->san.size() > 12 || accepted->uci.size() > 5)
    return false;
  if (accepted->used == game::Duration::max() || (judged.search && !stands_for_itself(judged.search->pv))) return false;

  line.put(received->side == Color::white ? R"(["w)" : R"(["b)");
  if (received->notation == game::MoveNotation::xboard) line.put('x');
  line.put('"');
  line.number(judged.event.at.count());
  line.put(",\"");
  line.put(accepted->uci);
  if (const std::string exact = special(accepted->move); !exact.empty()) {
    line.put(' ');
    line.put(exact);
  }
  line.put("\",\"");
  line.put(accepted->san);
  line.put('"');
  line.number(accepted->used.count());
  line.time(accepted->remaining);
  line.number(judged.referee_lag ? std::optional(judged.referee_lag->count()) : std::nullopt);
  if (judged.search) put_search(line, *judged.search);
  out += line.text();
  if (judged.search && !judged.search->pv.empty()) {
    out += ",\"";
    out += judged.search->pv;
    out += '"';
  }
  out += ']';
  return true;
}

bool read_turn(std::string_view text, EventJudged& out) {
  Reader in(text);
  if (!in.take("[\"")) return false;
  const bool white = in.take('w');
  if (!white && !in.take('b')) return false;
  const Color side = white ? Color::white : Color::black;
  const bool xboard = in.take('x');
  game::Duration::rep at{};
  if (!in.take("\",") || !in.number(at)) return false;
  out.event.at = game::Duration(at);
  if (in.take(']')) {
    out.event.body = game::TurnStarted{side};
    return !xboard && in.done();
  }
  std::string_view move;
  std::string_view san;
  if (!in.take(',') || !in.quoted(move) || !in.take(',') || !in.quoted(san)) return false;
  game::Ruling& ruling = out.rulings.emplace_back();
  auto& accepted = ruling.body.emplace<game::MoveAccepted>();
  accepted.side = side;
  accepted.san = san;
  if (!read_move(move, accepted)) return false;
  game::Duration::rep used{};
  if (!in.take(',') || !in.number(used) || !in.take(',') || !in.time(accepted.remaining)) return false;
  accepted.used = game::Duration(used);
  if (!in.take(',') || !in.maybe(out.referee_lag)) return false;
  if (in.take(',') && !read_search(in, out.search.emplace())) return false;
  ruling.decision = plain_decision;
  auto& received = out.event.body.emplace<game::MoveReceived>();
  received.side = side;
  received.text = accepted.uci;
  received.notation = xboard ? game::MoveNotation::xboard : game::MoveNotation::uci;
  return in.take(']') && in.done();
}

}  // namespace referee::record
