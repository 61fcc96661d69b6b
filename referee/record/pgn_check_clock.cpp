// Times in comments against the TimeControl tags.
#include <array>
#include <charconv>
#include <utility>

#include "referee/record/pgn_annotate.hpp"
#include "referee/record/pgn_check.hpp"

namespace referee::record {

namespace {

using game::Duration;
using namespace std::chrono_literals;

std::string shown(Duration time) {
  std::string text = time < Duration::zero() ? "-" : "";
  append_clock_time(text, time < Duration::zero() ? -time : time);
  return text;
}

std::optional<CommentTime> parse_time_text(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  CommentTime read;
  read.unit = 1s;
  std::int64_t seconds = 0;
  int fields = 0;
  for (;;) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value < 0 || value > 1'000'000'000 || ++fields > 4) return std::nullopt;
    seconds = seconds * 60 + value;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with(':')) break;
    text.remove_prefix(1);
  }
  if (seconds > 4'000'000'000) return std::nullopt;
  std::int64_t fraction = 0;
  std::int64_t unit = 1'000'000'000;
  if (text.starts_with('.') || text.starts_with(',')) {
    text.remove_prefix(1);
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9' && unit > 1; text.remove_prefix(1)) {
      unit /= 10;
      fraction += unit * (text[0] - '0');
    }
  }
  if (!text.empty()) return std::nullopt;
  read.time = std::chrono::seconds(seconds) + Duration(fraction);
  if (negative) read.time = -read.time;
  read.unit = Duration(unit);
  return read;
}

/// What one side's clock may show, as its moves go by.
class Allowance {
 public:
  /// `known`: the clock starts with the base of the first period. Otherwise the first time shown is taken as it is.
  Allowance(clock::TimeControl control, bool known) : control_(std::move(control)) {
    if (known) shown_ = {control_.periods[0].base, Duration::zero()};
    credit_ = increment();  // some add the first one before the first move
    if (!known && control_.periods[0].moves > 0) any_base_ = true;
  }

  /// Increment, and the base of the next period once its moves are made; clocks differ in when they add that, so it stays to be had.
  void move_made() {
    credit_ += increment();
    const clock::Period& period = control_.periods[period_];
    if (period.moves == 0 || ++moves_ < period.moves) return;
    moves_ = 0;
    if (period_ + 1 < control_.periods.size()) ++period_;  // a last period with a number of moves repeats
    base_ += control_.periods[period_].base;
  }
  /// How much more the clock shows than can be explained; zero or less: nothing to say.
  [[nodiscard]] Duration unexplained(const CommentTime& now) {
    Duration over = Duration::zero();
    if (shown_) {
      over = now.time - shown_->time - credit_ - (shown_->unit + now.unit);
      if (over > Duration::zero()) over = any_base_ ? Duration::zero() : over - std::exchange(base_, Duration::zero());
    }
    shown_ = now;
    credit_ = Duration::zero();
    return over;
  }
  /// Something was done to the clock: what it shows next is taken as it is.
  void forget() { shown_.reset(); }

 private:
  [[nodiscard]] Duration increment() const { return control_.periods[period_].increment + control_.periods[period_].delay; }

  clock::TimeControl control_;
  std::optional<CommentTime> shown_;
  Duration credit_{};
  Duration base_{};
  bool any_base_ = false;
  std::size_t period_ = 0;
  int moves_ = 0;
};

/// Words outside commands that speak of the clock: a penalty, an arbiter's order.
bool speaks_of_time(const PgnMove& move) {
  for (const std::string& comment : move.comments) {
    std::string words;
    for (std::size_t at = 0; at < comment.size();) {
      if (comment.compare(at, 2, "[%") == 0) {
        at = std::min(comment.find(']', at), comment.size() - 1) + 1;
        continue;
      }
      words += static_cast<char>(comment[at] >= 'A' && comment[at] <= 'Z' ? comment[at] + 32 : comment[at]);
      ++at;
    }
    for (const std::string_view word : {"given", "taken", "clock", "time", "minute", "second", "bonus", "penalty"})
      if (words.find(word) != std::string::npos) return true;
  }
  return false;
}

class ClockCheck {
 public:
  ClockCheck(const PgnGame& game, std::vector<CheckProblem>& problems) : game_(game), problems_(problems) {
    const bool known = !game.tag("FEN");
    for (const auto color : {chess::Color::white, chess::Color::black}) {
      const std::string_view own = color == chess::Color::white ? "WhiteTimeControl" : "BlackTimeControl";
      const std::string_view name = game.tag(own) ? own : std::string_view("TimeControl");
      const auto text = game.tag(name);
      if (!text || text->empty() || *text == "?") continue;
      auto read = clock::parse_pgn_time_control(*text);
      if (const auto* error = std::get_if<clock::TimeControlError>(&read)) {
        if (name == own || color == chess::Color::white)
          report(0, game.line,
                 std::string(name) + " \"" + std::string(*text) + "\": " + error->message + ", " + error->expected + " expected");
        continue;
      }
      auto& control = std::get<clock::TimeControl>(read);
      const bool counts_down =
          control.mode == clock::Mode::increment || control.mode == clock::Mode::delay || control.mode == clock::Mode::bronstein;
      if (counts_down && !control.periods.empty()) side(color).emplace(std::move(control), known);
    }
  }

  void move(chess::Color mover, std::size_t index) {
    const PgnMove& move = game_.moves[index];
    auto& allowance = side(mover);
    if (allowance) allowance->move_made();
    const auto shown_time = comment_time(move, "clk");
    if (shown_time && !told_[chess::index(mover)]) {
      const Duration over = allowance ? allowance->unexplained(*shown_time) : Duration::zero();
      if (shown_time->time < Duration::zero()) {
        told_[chess::index(mover)] = true;
        report(index + 1, move.line, who(mover) + " has less than no time: " + shown(shown_time->time));
      } else if (over > Duration::zero()) {
        told_[chess::index(mover)] = true;
        report(index + 1, move.line,
               who(mover) + "'s clock shows " + shown(shown_time->time) + ", " + shown(over) + " more than the time control explains");
      }
    }
    if (speaks_of_time(move))
      for (auto& either : sides_)
        if (either) either->forget();
  }

 private:
  [[nodiscard]] static std::string who(chess::Color color) { return color == chess::Color::white ? "White" : "Black"; }
  [[nodiscard]] std::optional<Allowance>& side(chess::Color color) { return sides_[chess::index(color)]; }
  void report(std::size_t ply, std::size_t line, std::string text) {
    problems_.push_back({game_.number, line, static_cast<int>(ply), CheckKind::clock, std::move(text), {}, {}, {}});
  }

  const PgnGame& game_;
  std::vector<CheckProblem>& problems_;
  std::array<std::optional<Allowance>, 2> sides_;
  std::array<bool, 2> told_{};  // one finding a side is enough
};

}  // namespace

std::optional<CommentTime> comment_time(const PgnMove& move, std::string_view command) {
  for (const std::string& comment : move.comments) {
    for (std::size_t at = comment.find("[%"); at != std::string::npos; at = comment.find("[%", at + 2)) {
      const std::size_t end = comment.find(']', at);
      if (end == std::string::npos) break;
      std::string_view inside = std::string_view(comment).substr(at + 2, end - at - 2);
      if (!inside.starts_with(command)) continue;
      inside.remove_prefix(command.size());
      if (!inside.starts_with(' ')) continue;
      inside.remove_prefix(std::min(inside.find_first_not_of(' '), inside.size()));
      if (const std::size_t last = inside.find_last_not_of(' '); last != std::string_view::npos) inside = inside.substr(0, last + 1);
      return parse_time_text(inside);
    }
  }
  return std::nullopt;
}

void check_clocks(const PgnGame& game, bool white_begins, std::vector<CheckProblem>& problems) {
  ClockCheck check(game, problems);
  chess::Color mover = white_begins ? chess::Color::white : chess::Color::black;
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    check.move(mover, i);
    mover = chess::opposite(mover);
  }
}

}  // namespace referee::record
