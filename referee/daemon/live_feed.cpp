#include "referee/daemon/live_feed.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "referee/daemon/envelope.hpp"

namespace referee::daemon {

namespace {

/// More than a batch of the recorder can lag behind the clock of the facts in it.
constexpr std::chrono::seconds one_batch{30};
constexpr std::size_t lines_at_once = 4096;

bool is_turning_point(const record::Fact& fact) {
  return !std::holds_alternative<record::EventJudged>(fact) && !std::holds_alternative<record::EngineWarning>(fact);
}

bool concerns_the_desk(const record::Fact& fact) {
  if (std::holds_alternative<record::GameEnded>(fact)) return true;
  const auto* judged = std::get_if<record::EventJudged>(&fact);
  if (judged == nullptr) return false;
  if (std::holds_alternative<game::ArbiterOrder>(judged->event.body)) return true;
  return std::ranges::any_of(judged->rulings, [](const game::Ruling& ruling) {
    return std::holds_alternative<game::AwaitingArbiter>(ruling.body) || std::holds_alternative<game::Adjourned>(ruling.body);
  });
}

void append_line(std::string& lines, const record::Fact& fact) {
  record::append_json(lines, fact);
  lines += '\n';
}

/// The lines are our own, so the place of the first members is known: {"fact":"event","game":12,
std::string_view fact_of(std::string_view line) {
  constexpr std::string_view start = R"({"fact":")";
  if (!line.starts_with(start)) return {};
  line.remove_prefix(start.size());
  return line.substr(0, line.find('"'));
}
int number_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  int number = 0;
  if (at != std::string_view::npos) std::from_chars(line.data() + at + key.size(), line.data() + line.size(), number);
  return number;
}

/// What the log knows of one game's last attempt.
struct Told {
  int attempt = 0;
  std::size_t events = 0;
  bool ended = false;
};

}  // namespace

LiveBatch make_batch(int match, std::uint64_t first, const std::vector<std::string>& lines) {
  std::size_t size = 64;
  for (const std::string& line : lines) size += line.size() + 1;
  auto message = std::make_shared<std::string>();
  message->reserve(size);
  *message += R"({"match":)" + std::to_string(match) + R"(,"first":)" + std::to_string(first) + R"(,"events":[)";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) *message += ',';
    *message += lines[i];
  }
  *message += "]}";
  return {.match = match, .first = first, .count = lines.size(), .message = std::move(message)};
}

LiveFeed::LiveFeed(int match, std::shared_ptr<LiveLog> log, std::shared_ptr<MatchBoard> board, Hooks hooks)
    : match_(match), log_(std::move(log)), board_(std::move(board)), hooks_(std::move(hooks)) {}

void LiveFeed::see(const record::Fact& whole) {
  const auto* judged = std::get_if<record::EventJudged>(&whole);
  if (judged != nullptr && seals_a_move(*judged)) return tell(with_closed_envelope(*judged));
  tell(whole);
}

void LiveFeed::tell(const record::Fact& fact) {
  board_->see(fact);
  record::append_json(lines_.emplace_back(), fact);
  if (is_turning_point(fact)) turning_points_.push_back(fact);
  desk_changed_ = desk_changed_ || concerns_the_desk(fact);
}

void LiveFeed::batch_done() {
  if (lines_.empty()) return;
  std::string text;
  for (const std::string& line : lines_) {
    text += line;
    text += '\n';
  }
  const std::uint64_t first = log_->append(text, lines_.size());
  hooks_.on_batch(make_batch(match_, first, lines_));
  lines_.clear();
  for (const record::Fact& fact : turning_points_) hooks_.on_turning_point(fact);
  turning_points_.clear();
  if (std::exchange(desk_changed_, false)) hooks_.on_desk();
}

std::size_t catch_up(LiveLog& log, const record::Journal& journal) {
  std::map<int, Told> told;
  std::size_t matters_told = 0;
  record::WallTime last_told{};
  for (std::uint64_t number = log.first(); number < log.next();) {
    const LiveLog::Slice slice = log.read(number, lines_at_once);
    if (slice.lines.empty()) break;
    for (const std::string& line : slice.lines) {
      const std::string_view fact = fact_of(line);
      if (fact == "event") {
        ++told[number_after(line, R"("game":)")].events;
      } else if (fact == "game_started") {
        Told& game = told[number_after(line, R"("game":)")];
        game = {};
        game.attempt = number_after(line, R"("attempt":)");
        constexpr std::string_view at = R"("at":")";
        const std::size_t place = line.find(at);
        if (place != std::string::npos)
          last_told = std::max(last_told, record::parse_time(std::string_view(line).substr(place + at.size(), 24)));
      } else if (fact == "game_ended") {
        told[number_after(line, R"("game":)")].ended = true;
      } else if (fact != "warning" && fact != "fault") {
        ++matters_told;
      }
    }
    number = slice.first + slice.lines.size();
  }
  const bool whole = log.first() == 1;

  std::string lines;
  std::size_t missing = 0;
  const auto add = [&](const record::Fact& fact) {
    append_line(lines, fact);
    ++missing;
  };
  if (whole) {
    const std::vector<record::Fact> matters = journal.matters();
    for (std::size_t i = matters_told; i < matters.size(); ++i) add(matters[i]);
  }
  for (const record::GameRow& row : journal.attempts()) {
    const auto found = told.find(row.game);
    const bool known = found != told.end() && found->second.attempt == row.attempt;
    const bool later_attempt_known = found != told.end() && found->second.attempt > row.attempt;
    if (later_attempt_known || (known && found->second.ended)) continue;
    // Told of in a part of the log that is gone, or never? What is never told of began after the last that was.
    if (!known && !whole && row.started + one_batch < last_told) continue;
    const auto recorded = journal.game(row.game, row.attempt);
    if (!recorded) continue;
    if (!known) add(recorded->started);
    for (std::size_t i = known ? found->second.events : 0; i < recorded->events.size(); ++i) add(with_closed_envelope(recorded->events[i]));
    if (!row.ended) continue;
    if (!known) {
      for (const record::EngineFault& fault : recorded->faults) add(fault);
    }
    add(record::GameEnded{.game = row.game,
                          .at = *row.ended,
                          .outcome = row.outcome.value_or(game::Outcome{}),
                          .plies = row.plies,
                          .duration = row.duration,
                          .counted = row.counted});
  }
  if (missing > 0) log.append(lines, missing);
  return missing;
}

}  // namespace referee::daemon
