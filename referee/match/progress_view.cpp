#include "referee/match/progress_view.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <variant>

#include "referee/match/text_width.hpp"

namespace referee::match {

namespace {

constexpr std::chrono::milliseconds between_redraws{200};
constexpr int warnings_told = 2;  // of an engine and kind; the summary counts all
constexpr std::size_t standings_shown = 12;
constexpr std::size_t number_columns = 6;
constexpr std::string_view complaint_kind = "complaint";

std::string display(game::Duration left) {
  if (left == game::Duration::max()) return "-";
  const auto tenths = std::max<long long>(0, left.count() / 100'000'000);
  std::array<char, 40> text{};
  if (tenths >= 36'000) {
    (void)std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld", tenths / 36'000, tenths / 600 % 60, tenths / 10 % 60);
  } else {
    (void)std::snprintf(text.data(), text.size(), "%lld:%02lld.%lld", tenths / 600, tenths / 10 % 60, tenths % 10);
  }
  return text.data();
}

std::string evaluation(const record::SearchReport& report) {
  std::array<char, 40> text{};
  std::string out;
  if (report.mate) {
    out = (*report.mate < 0 ? "-M" : "+M") + std::to_string(std::abs(*report.mate));
  } else if (report.centipawns) {
    (void)std::snprintf(text.data(), text.size(), "%+.2f", *report.centipawns / 100.0);
    out = text.data();
  }
  if (report.depth) out += "/" + std::to_string(*report.depth);
  return out;
}

std::string time_left(std::chrono::seconds left) {
  const auto s = left.count();
  std::array<char, 40> text{};
  if (s >= 86'400)
    (void)std::snprintf(text.data(), text.size(), "%lld d %lld h", static_cast<long long>(s / 86'400),
                        static_cast<long long>(s / 3600 % 24));
  else if (s >= 3600)
    (void)std::snprintf(text.data(), text.size(), "%lld h %02lld min", static_cast<long long>(s / 3600),
                        static_cast<long long>(s / 60 % 60));
  else if (s >= 60)
    (void)std::snprintf(text.data(), text.size(), "%lld min %02lld s", static_cast<long long>(s / 60), static_cast<long long>(s % 60));
  else
    (void)std::snprintf(text.data(), text.size(), "%lld s", static_cast<long long>(s));
  return text.data();
}

/// Room for each name: with everything behind the names, if that leaves them enough, else with the last move, else as it comes.
std::size_t name_columns(std::size_t columns, std::size_t longest) {
  constexpr std::size_t around_names = number_columns + 2 + 3;
  constexpr std::size_t last_move = 2 + 14;
  constexpr std::size_t clocks = 2 * (2 + 9 + 1 + 10);
  const std::size_t most = std::min<std::size_t>(longest, 18);
  const auto room = [columns](std::size_t rest) { return columns > around_names + rest ? (columns - around_names - rest) / 2 : 0; };
  for (const auto& [rest, enough] : {std::pair{last_move + clocks, std::size_t{8}}, {last_move, 5}}) {
    if (room(rest) >= std::min(most, enough)) return std::min(most, room(rest));
  }
  return std::clamp<std::size_t>(room(0), 3, std::max<std::size_t>(most, 3));
}

}  // namespace

ProgressView::ProgressView(Console& console, ProgressStart start)
    : console_(console),
      now_(std::move(start.now)),
      planned_(start.planned),
      engines_(start.engines),
      standings_(std::move(start.engines), start.by),
      began_(now_()) {
  for (const record::GameRow& row : start.played) {
    standings_.set(row);
    count_pair(row);
    if (row.counts() && first_time(row.game)) ++finished_before_;
  }
  for (const record::PointsGiven& gift : start.given) standings_.give(gift);
  test_ = std::move(start.test);
  next_standings_at_ = between_standings();
}

int ProgressView::between_standings() const noexcept { return planned_ == 0 ? 20 : std::max(2, planned_ / 10); }

bool ProgressView::first_time(int game) {
  const auto place = static_cast<std::size_t>(game);
  if (place >= counted_.size()) counted_.resize(place + 1);
  const bool first = !counted_[place];
  counted_[place] = true;
  return first;
}

void ProgressView::count_pair(const record::GameRow& row) {
  if (engines_.size() != 2 || !row.counts()) return;
  const int points = row.white == engines_.front() ? row.outcome->score.white : row.outcome->score.black;
  if (test_) test_->set(row.game, points);
  const int partner = row.game % 2 == 1 ? row.game + 1 : row.game - 1;
  const auto other = half_pairs_.find(partner);
  if (other == half_pairs_.end()) {
    half_pairs_[row.game] = points;
    return;
  }
  add_pair(pairs_, other->second, points);
  half_pairs_.erase(other);
}

std::string ProgressView::elo_line() const {
  if (test_) return to_text(*test_) + (test_->pairs() > 0 ? "; " + elo_text(test_->counts()) : "");
  return elo_text(pairs_);
}

std::chrono::milliseconds ProgressView::patience() const noexcept {
  return console_.kind() == Console::Kind::terminal ? between_redraws : std::chrono::milliseconds{1000};
}

std::string ProgressView::of_planned(int game) const {
  return std::to_string(game) + (planned_ > 0 ? " of " + std::to_string(planned_) : "");
}

void ProgressView::see(const record::Fact& fact) {
  std::visit(
      [this](const auto& known) {
        if constexpr (requires { this->on(known); }) this->on(known);
      },
      fact);
  changed_ = true;
}

void ProgressView::on(const record::GameStarted& fact) {
  Running running;
  running.white = fact.white;
  running.black = fact.black;
  running.move_number = fact.setup.start.fullmove_number();
  running_[fact.game] = std::move(running);
  record::GameRow row;
  row.game = fact.game;
  row.attempt = fact.attempt;
  row.white = fact.white;
  row.black = fact.black;
  started_[fact.game] = std::move(row);
  if (console_.kind() == Console::Kind::terminal) return;
  std::string text = "game " + of_planned(fact.game) + " started: " + fact.white + " - " + fact.black;
  if (fact.attempt > 1) text += " (attempt " + std::to_string(fact.attempt) + ")";
  if (!fact.opening.empty()) text += ", " + fact.opening;
  console_.line(text);
}

void ProgressView::on(const record::EventJudged& fact) {
  if (console_.kind() == Console::Kind::plain) return;
  const auto found = running_.find(fact.game);
  if (found == running_.end()) return;
  Running& game = found->second;
  for (const game::Ruling& ruling : fact.rulings) {
    const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body);
    if (accepted == nullptr) continue;
    const std::size_t side = chess::index(accepted->side);
    ++game.plies;
    if (side == 0 && game.black_moved) ++game.move_number;
    game.black_moved = side == 1;
    game.last_move = std::to_string(game.move_number) + (side == 0 ? ". " : "... ") + accepted->san;
    game.clock[side] = display(accepted->remaining);
    if (fact.search) game.evaluation[side] = evaluation(*fact.search);
  }
}

void ProgressView::on(const record::EngineWarning& fact) {
  if (fact.kind == leniency_kind) return;
  // What an engine could not be told is said once for each start anyway, and each is another thing.
  const bool is_complaint = fact.kind == complaint_kind && fact.game == 0;
  const int count = is_complaint ? 0 : ++warnings_[{fact.engine, fact.kind}];
  if (count > warnings_told) return;
  std::string text = "warning: " + (fact.engine.empty() ? "the match" : fact.engine);
  if (fact.game != 0) text += " in game " + std::to_string(fact.game);
  if (fact.ply != 0) text += " at ply " + std::to_string(fact.ply);
  text += ": " + fact.text;
  if (!fact.line.empty()) text += ": " + fact.line.substr(0, 160);
  if (count == warnings_told) text += " (more of this kind are only counted)";
  console_.line(text);
}

void ProgressView::on(const record::EngineFault& fact) {
  std::string text = "fault: " + fact.engine;
  if (fact.game != 0) text += " in game " + std::to_string(fact.game);
  text += ": " + std::string(game::code(fact.reason));
  if (!fact.detail.empty()) text += ": " + fact.detail;
  console_.line(text);
}

void ProgressView::on(const record::GameEnded& fact) {
  const auto started = started_.find(fact.game);
  if (started == started_.end()) return;
  record::GameRow row = started->second;
  row.outcome = fact.outcome;
  row.counted = fact.counted;
  started_.erase(started);
  running_.erase(fact.game);
  standings_.set(row);
  // Who begins to watch in the middle may have counted it already: what has ended is told a little later than it is known.
  if (fact.counted && first_time(fact.game)) {
    count_pair(row);
    ++finished_;
  }
  std::string text = "game " + of_planned(fact.game) + " ended: " + row.white + " - " + row.black + " " + game::result_text(fact.outcome) +
                     " (" + std::string(game::code(fact.outcome.reason)) + ", " + std::to_string(fact.plies) +
                     (fact.plies == 1 ? " ply)" : " plies)");
  if (!fact.counted && fact.outcome.reason != game::Reason::aborted) text += ", to be played once more";
  console_.line(text);
  if (console_.kind() == Console::Kind::plain && finished_ >= next_standings_at_ && (planned_ == 0 || standings_.games() < planned_)) {
    next_standings_at_ = finished_ + between_standings();
    say_standings();
  }
}

void ProgressView::on(const record::GameVoided& fact) {
  running_.erase(fact.game);
  started_.erase(fact.game);
  standings_.remove(fact.game);
  if (++voided_ == 1) console_.line("game " + of_planned(fact.game) + " is void: " + fact.why + " (more are only counted)");
}

void ProgressView::on(const record::EngineWithdrawn& fact) { console_.line(fact.engine + " is withdrawn: " + fact.why); }

void ProgressView::on(const record::PlanExtended& fact) { planned_ = fact.expected_games; }

void ProgressView::on(const record::SprtStanding& fact) {
  if (fact.state != stats::name(stats::SprtState::undecided) && test_) console_.line("the sequential test is decided: " + to_text(*test_));
}

void ProgressView::on(const record::PointsGiven& fact) {
  standings_.give(fact);
  if (fact.why == "bye") console_.line("round " + std::to_string(fact.round) + ": " + fact.engine + " has the bye");
}

void ProgressView::say_standings() {
  console_.line(progress_line());
  if (const std::string elo = elo_line(); !elo.empty()) console_.line(elo);
  for (const std::string& line : to_lines(standings_.rows())) console_.line(line);
}

std::string ProgressView::progress_line() const {
  const int done = finished_before_ + finished_ + voided_;
  const int left = std::max(0, planned_ - done);
  std::string text = std::to_string(done) + (planned_ > 0 ? " of " + std::to_string(planned_) : "") + " games";
  const auto elapsed = now_() - began_;
  if (finished_ > 0 && left > 0) {
    text += ", " + time_left(std::chrono::duration_cast<std::chrono::seconds>(elapsed / finished_ * left)) + " left";
  }
  return text;
}

void ProgressView::batch_done() {
  if (console_.kind() == Console::Kind::plain || !changed_) return;
  const auto now = now_();
  if (now < next_draw_ && !running_.empty()) return;
  next_draw_ = now + between_redraws;
  changed_ = false;
  redraw();
}

std::string ProgressView::game_line(int number, const Running& game, std::size_t names) const {
  const auto clock = [&game](std::size_t side) {
    return fitted(game.clock[side], 9, Side::right) + " " + fitted(game.evaluation[side], 10, Side::left);
  };
  return fitted(std::to_string(number), number_columns, Side::right) + "  " + fitted(game.white, names, Side::right) + " - " +
         fitted(game.black, names, Side::left) + "  " + fitted(game.last_move, 14, Side::left) + "  " + clock(0) + "  " + clock(1);
}

void ProgressView::redraw() {
  const Console::Size size = console_.size();
  std::vector<std::string> block;
  const std::size_t for_games = size.rows > standings_shown + 8 ? size.rows - standings_shown - 6 : 3;
  std::size_t longest = 4;
  for (const auto& [number, game] : running_) longest = std::max({longest, columns_of(game.white), columns_of(game.black)});
  const std::size_t names = name_columns(size.columns - 1, longest);
  for (const auto& [number, game] : running_) {
    if (block.size() == for_games) {
      block.push_back("and " + std::to_string(running_.size() - for_games) + " more games");
      break;
    }
    block.push_back(game_line(number, game, names));
  }
  const int done = finished_before_ + finished_ + voided_;
  const std::size_t width = std::min<std::size_t>(40, size.columns / 3);
  const std::size_t filled =
      planned_ > 0 ? width * static_cast<std::size_t>(std::min(done, planned_)) / static_cast<std::size_t>(planned_) : width;
  if (const std::string elo = elo_line(); !elo.empty()) block.push_back(elo);
  // The words are worth more than the bar.
  const std::string words = progress_line();
  const bool bar = planned_ > 0 && width + 3 + words.size() < size.columns;
  block.push_back(bar ? "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " + words : words);
  const auto table = to_lines(standings_.rows());
  for (std::size_t i = 0; i < std::min(table.size(), standings_shown + 1); ++i) block.push_back(table[i]);
  console_.block(std::move(block));
}

}  // namespace referee::match
