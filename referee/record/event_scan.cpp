#include "referee/record/event_scan.hpp"

#include <charconv>

namespace referee::record {

namespace {

using chess::Color;

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }
  bool color(Color& out) {
    if (take("\"white\"")) {
      out = Color::white;
      return true;
    }
    out = Color::black;
    return take("\"black\"");
  }
  /// Text in quotes that stands for itself: ASCII, no escapes.
  bool plain(std::string_view& out) {
    if (rest_.empty() || rest_.front() != '"') return false;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (c == '"') {
        out = rest_.substr(1, i - 1);
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (c == '\\' || static_cast<unsigned char>(c) >= 0x80 || static_cast<unsigned char>(c) < 0x20) return false;
    }
    return false;
  }
  bool plain(std::string& out) {
    std::string_view text;
    if (!plain(text)) return false;
    out = text;
    return true;
  }
  template <class Integer>
  bool integer(std::optional<Integer>& out) {
    Integer value{};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (!rest_.empty() && (rest_.front() == '.' || rest_.front() == 'e' || rest_.front() == 'E')) return false;
    out = value;
    return true;
  }
  /// Milliseconds with at most six decimals, below 2^48 ns; null is no limit.
  bool duration(game::Duration& out) {
    if (take("null")) {
      out = game::Duration::max();
      return true;
    }
    constexpr std::int64_t bound = std::int64_t{1} << 48U;
    std::int64_t value = 0;
    std::size_t i = 0;
    const bool negative = !rest_.empty() && rest_[0] == '-';
    if (negative) ++i;
    const std::size_t first = i;
    const auto digit = [&] { return i < rest_.size() && rest_[i] >= '0' && rest_[i] <= '9'; };
    for (; digit() && value < bound; ++i) value = value * 10 + (rest_[i] - '0');
    if (i == first) return false;
    int decimals = 0;
    if (i < rest_.size() && rest_[i] == '.')
      for (++i; digit() && decimals < 6 && value < bound; ++i, ++decimals) value = value * 10 + (rest_[i] - '0');
    for (; decimals < 6 && value < bound; ++decimals) value *= 10;
    if (value >= bound || digit() || (i < rest_.size() && (rest_[i] == 'e' || rest_[i] == 'E'))) return false;
    out = game::Duration(negative ? -value : value);
    rest_.remove_prefix(i);
    return true;
  }
  bool maybe_duration(std::optional<game::Duration>& out) {
    game::Duration value{};
    if (!duration(value)) return false;
    out = value;
    return true;
  }

 private:
  std::string_view rest_;
};

bool scan_move(std::string_view text, chess::Move& out) {
  if (text.size() != 4 && text.size() != 5) return false;
  const auto from = chess::parse_square(text.substr(0, 2));
  const auto to = chess::parse_square(text.substr(2, 2));
  if (!from || !to) return false;
  if (text.size() == 4) {
    out = chess::Move::plain(*from, *to);
    return true;
  }
  switch (text[4]) {
    case 'c':
      out = chess::Move::castling(*from, *to);
      return true;
    case 'e':
      out = chess::Move::en_passant(*from, *to);
      return true;
    case 'n':
      out = chess::Move::promotion(*from, *to, chess::Role::knight);
      return true;
    case 'b':
      out = chess::Move::promotion(*from, *to, chess::Role::bishop);
      return true;
    case 'r':
      out = chess::Move::promotion(*from, *to, chess::Role::rook);
      return true;
    case 'q':
      out = chess::Move::promotion(*from, *to, chess::Role::queen);
      return true;
    default:
      return false;
  }
}

bool scan_accepted(Scanner& in, game::Ruling& out) {
  game::MoveAccepted accepted{};
  if (!in.take("{\"ruling\":\"move_accepted\",\"side\":") || !in.color(accepted.side)) return false;
  if (!in.take(",\"uci\":") || !in.plain(accepted.uci)) return false;
  std::string_view move = accepted.uci;
  if (in.take(",\"move\":") && !in.plain(move)) return false;
  if (!scan_move(move, accepted.move)) return false;
  if (!in.take(",\"san\":") || !in.plain(accepted.san)) return false;
  if (!in.take(",\"used_ms\":") || !in.duration(accepted.used)) return false;
  if (!in.take(",\"remaining_ms\":") || !in.duration(accepted.remaining)) return false;
  if (in.take(",\"note\":") && !in.plain(accepted.note)) return false;
  if (in.take(",\"article\":") && !in.plain(out.article)) return false;
  if (in.take(",\"decision\":") && !in.plain(out.decision)) return false;
  out.body = std::move(accepted);
  return in.take("}");
}

bool scan_search(Scanner& in, SearchReport& out) {
  if (!in.take("{")) return false;
  bool first = true;
  const auto key = [&](std::string_view name) {
    Scanner ahead = in;
    if (!first && !ahead.take(",")) return false;
    if (!ahead.take("\"") || !ahead.take(name) || !ahead.take("\":")) return false;
    in = ahead;
    first = false;
    return true;
  };
  if (key("depth") && !in.integer(out.depth)) return false;
  if (key("selective_depth") && !in.integer(out.selective_depth)) return false;
  if (key("centipawns") && !in.integer(out.centipawns)) return false;
  if (key("mate") && !in.integer(out.mate)) return false;
  if (key("nodes") && !in.integer(out.nodes)) return false;
  if (key("nodes_per_second") && !in.integer(out.nodes_per_second)) return false;
  if (key("tablebase_hits") && !in.integer(out.tablebase_hits)) return false;
  if (key("time_ms") && !in.maybe_duration(out.time)) return false;
  if (key("pv") && !in.plain(out.pv)) return false;
  return in.take("}");
}

}  // namespace

bool scan_event(std::string_view json, EventJudged& out) {
  Scanner in(json);
  if (!in.take("{\"at_ms\":") || !in.duration(out.event.at)) return false;
  Color side{};
  if (in.take(",\"event\":\"turn_started\",\"side\":")) {
    if (!in.color(side) || !in.take("}")) return false;
    out.event.body = game::TurnStarted{side};
    return in.done();
  }
  game::MoveReceived move{};
  if (!in.take(",\"event\":\"move_received\",\"side\":") || !in.color(move.side)) return false;
  if (!in.take(",\"text\":") || !in.plain(move.text)) return false;
  out.event.body = std::move(move);
  if (!in.take(",\"rulings\":[") || !scan_accepted(in, out.rulings.emplace_back()) || !in.take("]")) return false;
  if (in.take(",\"search\":") && !scan_search(in, out.search.emplace())) return false;
  if (in.take(",\"referee_lag_ms\":") && !in.maybe_duration(out.referee_lag)) return false;
  out.book = in.take(",\"book\":true");
  return in.take("}") && in.done();
}

}  // namespace referee::record
