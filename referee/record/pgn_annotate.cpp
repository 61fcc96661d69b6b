#include "referee/record/pgn_annotate.hpp"

#include <array>
#include <cstdlib>

#include "referee/record/json.hpp"

namespace referee::record {

namespace {

using chess::Color;

std::string title(Color side) { return side == Color::white ? "White" : "Black"; }
std::string title(const std::optional<Color>& side) { return side ? title(*side) : "both players"; }

std::string clock_text(game::Duration time) {
  std::string text;
  append_clock_time(text, time);
  return text;
}

std::string shown(std::string_view text) {
  std::string out = "'" + std::string(text.substr(0, 40));
  return out + (text.size() > 40 ? "...'" : "'");
}

void append_pawns(std::string& out, std::int64_t centipawns) {
  const std::int64_t magnitude = std::abs(centipawns);
  if (centipawns < 0) out += '-';
  append_integer(out, magnitude / 100);
  const std::array<char, 3> fraction{'.', static_cast<char>('0' + magnitude / 10 % 10), static_cast<char>('0' + magnitude % 10)};
  out.append(fraction.data(), fraction.size());
}

// [%eval] is from White's point of view, a report from the mover's.
void append_eval(std::string& out, const SearchReport& search, Color mover, bool depth) {
  if (!search.mate && !search.centipawns) return;
  const int sign = mover == Color::white ? 1 : -1;
  out += "[%eval ";
  if (search.mate) {
    out += '#';
    append_integer(out, std::int64_t{sign} * *search.mate);
  } else {
    append_pawns(out, std::int64_t{sign} * *search.centipawns);
  }
  if (depth && search.depth && *search.depth >= 0) {
    out += ',';
    append_integer(out, std::int64_t{*search.depth});
  }
  out += ']';
}

/// A comment at the end of a longer text.
class Comment {
 public:
  explicit Comment(std::string& out) : out_(out), start_(out.size()) {}
  [[nodiscard]] bool empty() const { return out_.size() == start_; }
  void separate(std::string_view separator) {
    if (!empty()) out_ += separator;
  }

 private:
  std::string& out_;
  std::size_t start_;
};

void append_tags(std::string& out, const game::MoveAccepted& move, const std::optional<SearchReport>& search, const PgnStyle& style) {
  Comment comment(out);
  if (search && style.eval) append_eval(out, *search, move.side, style.depth);
  if (style.clock && move.remaining != game::Duration::max()) {
    comment.separate(" ");
    out += "[%clk ";
    append_clock_time(out, move.remaining);
    out += ']';
  }
  if (style.used) {
    comment.separate(" ");
    out += "[%emt ";
    append_clock_time(out, move.used);
    out += ']';
  }
  if (search && style.nodes && search->nodes) {
    comment.separate(" ");
    out += "n=";
    append_integer(out, *search->nodes);
  }
  if (search && style.pv && !search->pv.empty()) {
    comment.separate(" ");
    out += "pv ";
    out += search->pv;
  }
}

void append_seconds(std::string& out, game::Duration time) {
  const auto ms = time.count() / 1'000'000;
  append_integer(out, std::int64_t{ms / 1000});
  out += '.';
  const auto fraction = static_cast<int>(ms % 1000);
  out += static_cast<char>('0' + fraction / 100);
  out += static_cast<char>('0' + fraction / 10 % 10);
  if (fraction % 10 != 0) out += static_cast<char>('0' + fraction % 10);
  out += 's';
}

void append_engine_form(std::string& out, const game::MoveAccepted& move, const std::optional<SearchReport>& search,
                        const PgnStyle& style) {
  Comment comment(out);
  if (search && style.eval && search->mate) {
    // In half-moves, as the readers of this form expect: +M5 is mate with the mover's third move from here.
    const std::int64_t mate = *search->mate;
    out += mate > 0 ? "+M" : "-M";
    append_integer(out, mate > 0 ? mate * 2 - 1 : -mate * 2);
  } else if (search && style.eval && search->centipawns) {
    if (*search->centipawns >= 0) out += '+';
    append_pawns(out, *search->centipawns);
  }
  if (!comment.empty() && style.depth && search->depth) {
    out += '/';
    append_integer(out, std::int64_t{*search->depth});
  }
  if (style.used) {
    comment.separate(" ");
    append_seconds(out, move.used);
  }
  if (search && style.nodes && search->nodes) {
    comment.separate(", ");
    out += "n=";
    append_integer(out, *search->nodes);
  }
  if (search && style.pv && !search->pv.empty()) {
    comment.separate(", ");
    out += "pv=\"";
    out += search->pv;
    out += '"';
  }
}

std::string ordinal(int number) {
  const int tens = number % 100;
  const int ones = number % 10;
  if (tens >= 11 && tens <= 13) return std::to_string(number) + "th";
  return std::to_string(number) + (ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}

struct RulingWords {
  const game::Event& event;

  std::string operator()(const game::MoveAccepted&) const {
    // A move that no player has just made: the sealed one.
    return std::holds_alternative<game::MoveReceived>(event.body) ? "" : "sealed move";
  }
  std::string operator()(const game::MoveRejected& r) const {
    std::string text = title(r.side) + " answered " + shown(r.text) + ": ";
    switch (r.kind) {
      case game::IllegalKind::malformed:
        text += "no move";
        break;
      case game::IllegalKind::illegal:
        text += "illegal";
        break;
      case game::IllegalKind::promotion_missing:
        text += "no piece named for the promotion";
        break;
      case game::IllegalKind::null_move:
        text += "no move made";
        break;
      case game::IllegalKind::out_of_turn:
        text += "out of turn";
        break;
      case game::IllegalKind::not_the_touched_piece:
        text += "not with the touched piece";
        break;
      case game::IllegalKind::two_hands:
        text += "made with two hands";
        break;
    }
    if (r.count > 0) text += ", " + ordinal(r.count) + " illegal move";
    if (r.queen_placed) text += ", a queen is placed";
    if (r.opponent_bonus.count() > 0) text += ", " + title(chess::opposite(r.side)) + " is given " + clock_text(r.opponent_bonus);
    return text;
  }
  std::string operator()(const game::ClocksChanged& r) const {
    // Clocks that change with a claim or an illegal move are told there.
    if (!std::holds_alternative<game::ArbiterOrder>(event.body)) return "";
    std::string text = "clocks: ";
    if (r.white != game::Duration::max()) text += "White " + clock_text(r.white);
    if (r.black != game::Duration::max()) text += ", Black " + clock_text(r.black);
    return text;
  }
  std::string operator()(const game::ClaimUpheld& r) const { return "claim of " + title(r.side) + " upheld"; }
  std::string operator()(const game::ClaimRejected& r) const {
    std::string text = "claim of " + title(r.side) + " rejected";
    if (r.opponent_bonus.count() > 0) text += ", the opponent is given " + clock_text(r.opponent_bonus);
    if (r.claimant_deduction.count() > 0) text += ", " + clock_text(r.claimant_deduction) + " taken from the claimant";
    if (!r.must_play.empty()) text += ", " + r.must_play + " must be played";
    return text;
  }
  std::string operator()(const game::ClaimInadmissible& r) const {
    return "claim of " + title(r.side) + " inadmissible" + (r.counts_as_offer ? ", counts as an offer of a draw" : "");
  }
  std::string operator()(const game::OfferPending& r) const { return "(=) " + title(r.side) + " offers a draw"; }  // C.12
  std::string operator()(const game::OfferLapsed&) const { return ""; }  // a move says so by itself
  std::string operator()(const game::OfferRefused& r) const { return "offer of " + title(r.side) + " not allowed"; }
  std::string operator()(const game::Warned& r) const { return "warning to " + title(r.side) + (r.text.empty() ? "" : ": " + r.text); }
  std::string operator()(const game::AwaitingArbiter& r) const { return title(r.claimant) + " calls the arbiter: " + r.question; }
  std::string operator()(const game::Adjourned& r) const { return "adjourned, " + title(r.sealer) + " sealed the move"; }
  std::string operator()(const game::Resumed&) const { return "resumed"; }
  std::string operator()(const game::Paused&) const { return "paused"; }
  std::string operator()(const game::Ignored&) const { return ""; }
  std::string operator()(const game::OrderRefused& r) const { return "order refused: " + r.why; }
  std::string operator()(const game::GameOver&) const { return ""; }  // the last comment of the game
};

}  // namespace

void append_clock_time(std::string& out, game::Duration time) {
  const std::int64_t ns = std::max<std::int64_t>(time.count(), 0);
  const std::int64_t seconds = ns / 1'000'000'000;
  append_integer(out, seconds / 3600);
  const auto minute = static_cast<int>(seconds / 60 % 60);
  const auto second = static_cast<int>(seconds % 60);
  const auto ms = static_cast<int>(ns / 1'000'000 % 1000);
  const auto digit = [](int value) { return static_cast<char>('0' + value % 10); };
  const std::array<char, 10> text{':', digit(minute / 10), digit(minute),  ':',      digit(second / 10), digit(second),
                                  '.', digit(ms / 100),    digit(ms / 10), digit(ms)};
  // Without zeros at the end.
  const std::size_t decimals = ms == 0 ? 0 : ms % 100 == 0 ? 2 : ms % 10 == 0 ? 3 : 4;
  out.append(text.data(), 6 + decimals);
}

void annotate_move(std::string& out, const game::MoveAccepted& move, const std::optional<SearchReport>& search, const PgnStyle& style) {
  switch (style.comments) {
    case PgnComments::none:
      return;
    case PgnComments::tags:
      return append_tags(out, move, search, style);
    case PgnComments::engine:
      return append_engine_form(out, move, search, style);
  }
}

std::string annotate_ruling(const game::Event& event, const game::Ruling& ruling) {
  std::string text = std::visit(RulingWords{event}, ruling.body);
  if (!text.empty() && !ruling.article.empty()) text += " (article " + ruling.article + ")";
  return text;
}

std::string annotate_order(const game::Event& event) {
  const auto* order = std::get_if<game::ArbiterOrder>(&event.body);
  if (order == nullptr) return {};
  std::string text = order->who.empty() ? "Arbiter" : "Arbiter " + order->who;
  text += ": " + std::string(game::name(order->kind));
  if (order->side) text += " " + title(*order->side);
  if (order->time.count() != 0) text += " " + clock_text(order->time);
  if (!order->why.empty()) text += " (" + order->why + ")";
  return text;
}

}  // namespace referee::record
