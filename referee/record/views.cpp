#include "referee/record/views.hpp"

#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "referee/record/append_file.hpp"

namespace referee::record {

namespace {

// "3.17" -> 17: what PgnComposer writes as Round.
std::optional<int> game_number(const PgnGame& game) {
  const auto round = game.tag("Round");
  if (!round) return std::nullopt;
  const std::size_t point = round->rfind('.');
  if (point == std::string_view::npos) return std::nullopt;
  int number = 0;
  const char* const end = round->data() + round->size();
  const auto read = std::from_chars(round->data() + point + 1, end, number);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

std::uint64_t offset_of_line(const std::string& path, std::size_t line) {
  std::ifstream in(path, std::ios::binary);
  std::uint64_t offset = 0;
  std::string text;
  for (std::size_t i = 1; i < line && std::getline(in, text); ++i) offset += text.size() + 1;
  return offset;
}

bool ends_in_result(std::string_view tail) {
  const std::size_t last = tail.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return true;
  tail = tail.substr(0, last + 1);
  return tail.ends_with("1-0") || tail.ends_with("0-1") || tail.ends_with("1/2-1/2") || tail.ends_with("*");
}

}  // namespace

struct PgnView::Impl {
  Impl(std::string path, PgnStyle chosen, const Journal& journal, Existing existing) : file(std::move(path)), style(chosen) {
    std::set<int> present;
    if (existing == Existing::replace)
      file.cut(0);
    else
      present = take_stock();
    for (const GameRow& row : journal.attempts()) {
      if (row.voided || (row.outcome && (!row.counted || present.contains(row.game)))) continue;
      const auto recorded = journal.game(row.game, row.attempt);
      if (!recorded) continue;
      if (row.outcome) {
        file.append(to_pgn(*recorded, style));
      } else {  // may go on from where it stood
        PgnComposer composer(recorded->started, style);
        for (const EventJudged& judged : recorded->events) composer.add(judged);
        running.insert_or_assign(row.game, std::move(composer));
      }
    }
  }

  // Numbers of the games in the file; what a crash left of the last record is cut away.
  std::set<int> take_stock() {
    std::set<int> present;
    if (file.size() == 0) return present;
    std::optional<std::size_t> broken_at;
    {
      std::ifstream in(file.path(), std::ios::binary);
      PgnReader reader(in);
      PgnGame game;
      while (reader.next(game)) {
        broken_at = game.cut_off ? std::optional(game.line) : std::nullopt;
        if (!game.cut_off)
          if (const auto number = game_number(game)) present.insert(*number);
        last_line = game.line;
        last_number = game_number(game);
      }
    }
    if (!broken_at && !ends_in_result(file.tail(64))) {
      broken_at = last_line;
      if (last_number) present.erase(*last_number);
    }
    if (broken_at) file.cut(offset_of_line(file.path(), *broken_at));
    const std::string tail = file.tail(2);
    if (!tail.empty() && tail != "\n\n") file.append(tail.ends_with('\n') ? "\n" : "\n\n");
    return present;
  }

  void see(const Fact& fact) {
    if (const auto* judged = std::get_if<EventJudged>(&fact)) {
      if (const auto found = running.find(judged->game); found != running.end()) found->second.add(*judged);
    } else if (const auto* started = std::get_if<GameStarted>(&fact)) {
      running.insert_or_assign(started->game, PgnComposer(*started, style));
    } else if (const auto* ended = std::get_if<GameEnded>(&fact)) {
      const auto found = running.find(ended->game);
      if (found == running.end()) return;
      if (ended->counted) file.append(found->second.text(ended));
      running.erase(found);
    }
  }

  AppendFile file;
  PgnStyle style;
  std::size_t last_line = 0;
  std::optional<int> last_number;
  std::unordered_map<int, PgnComposer> running;
};

PgnView::PgnView(std::string path, PgnStyle style, const Journal& journal, Existing existing)
    : impl_(std::make_unique<Impl>(std::move(path), style, journal, existing)) {}
PgnView::~PgnView() = default;
void PgnView::see(const Fact& fact) { impl_->see(fact); }

struct LivePgnView::Impl {
  struct Board {
    PgnComposer composer;
    std::optional<GameEnded> ended;
    std::string text;
    bool changed = true;
  };

  Impl(std::string where, PgnStyle chosen, std::chrono::milliseconds pause) : path(std::move(where)), style(chosen), interval(pause) {}

  void see(const Fact& fact) {
    if (const auto* judged = std::get_if<EventJudged>(&fact)) {
      if (const auto found = boards.find(judged->game); found != boards.end()) {
        found->second.composer.add(*judged);
        found->second.changed = true;
        dirty = true;
      }
    } else if (const auto* started = std::get_if<GameStarted>(&fact)) {
      const auto over = std::find_if(boards.begin(), boards.end(), [](const auto& entry) { return entry.second.ended.has_value(); });
      if (over != boards.end()) boards.erase(over);
      boards.insert_or_assign(started->game, Board{PgnComposer(*started, style), std::nullopt, {}, true});
      dirty = true;
    } else if (const auto* ended = std::get_if<GameEnded>(&fact)) {
      if (const auto found = boards.find(ended->game); found != boards.end()) {
        found->second.ended = *ended;
        found->second.changed = true;
        dirty = true;
      }
    }
  }

  void write_if_due() {
    if (!dirty) return;
    const auto now = std::chrono::steady_clock::now();
    if (written && now - *written < interval) return;
    write();
    written = now;
  }

  void write() {
    std::string text;
    for (auto& [number, board] : boards) {
      if (board.changed) board.text = board.composer.text(board.ended ? &*board.ended : nullptr);
      board.changed = false;
      text += board.text;
    }
    replace_file(path, text);
    dirty = false;
  }

  std::string path;
  PgnStyle style;
  std::chrono::milliseconds interval;
  std::map<int, Board> boards;  // by game number
  std::optional<std::chrono::steady_clock::time_point> written;
  bool dirty = true;  // an empty file tells a poller that the match has begun
};

LivePgnView::LivePgnView(std::string path, PgnStyle style, std::chrono::milliseconds interval)
    : impl_(std::make_unique<Impl>(std::move(path), style, interval)) {
  impl_->write_if_due();
}
LivePgnView::~LivePgnView() {
  try {
    if (impl_->dirty) impl_->write();
  } catch (const std::exception&) {
    // The journal has everything; a destructor has nobody to tell.
  }
}
void LivePgnView::see(const Fact& fact) { impl_->see(fact); }
void LivePgnView::batch_done() { impl_->write_if_due(); }
void LivePgnView::tick() { impl_->write_if_due(); }
std::chrono::milliseconds LivePgnView::patience() const noexcept { return impl_->interval; }

struct EventStreamView::Impl {
  Impl(const std::string& path, const Journal* journal) : file(path) {
    // Half a line of a crash would make the next one unreadable.
    constexpr std::size_t step = 65536;
    for (std::string tail = file.tail(step); !tail.empty() && tail.back() != '\n'; tail = file.tail(step)) {
      const std::size_t line_end = tail.rfind('\n');
      file.cut(file.size() - tail.size() + (line_end == std::string::npos ? 0 : line_end + 1));
    }
    if (journal != nullptr) add_missing_ends(*journal);
  }

  void add_missing_ends(const Journal& journal) {
    std::map<int, int> told;  // by game: how many of its attempts have ended
    {
      constexpr std::string_view start = R"({"fact":"game_ended","game":)";
      std::ifstream in(file.path(), std::ios::binary);
      for (std::string line; std::getline(in, line);) {
        int game = 0;
        if (line.starts_with(start) && std::from_chars(line.data() + start.size(), line.data() + line.size(), game).ec == std::errc{})
          ++told[game];
      }
    }
    for (const GameRow& row : journal.attempts()) {
      if (!row.outcome || --told[row.game] >= 0) continue;
      append_json(lines, GameEnded{.game = row.game,
                                   .at = row.ended.value_or(row.started),
                                   .outcome = *row.outcome,
                                   .plies = row.plies,
                                   .duration = row.duration,
                                   .counted = row.counted});
      lines += '\n';
    }
    file.append(lines);
    lines.clear();
  }

  AppendFile file;
  std::string lines;
};

EventStreamView::EventStreamView(const std::string& path, const Journal* journal) : impl_(std::make_unique<Impl>(path, journal)) {}
EventStreamView::~EventStreamView() = default;
void EventStreamView::see(const Fact& fact) {
  append_json(impl_->lines, fact);
  impl_->lines += '\n';
}
void EventStreamView::batch_done() {
  impl_->file.append(impl_->lines);
  impl_->lines.clear();
}
std::chrono::milliseconds EventStreamView::patience() const noexcept { return std::chrono::milliseconds{200}; }

}  // namespace referee::record
