#include "referee/record/views.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "referee/record/append_file.hpp"
#include "referee/record/draft.hpp"
#include "referee/record/file_guard.hpp"
#include "referee/record/pgn_stock.hpp"

namespace referee::record {

struct PgnView::Impl {
  Impl(std::string path, PgnStyle chosen, const Journal& journal, Existing existing) : file(std::move(path)), style(chosen) {
    const PgnStock stock = prepare(journal, existing);
    for (const GameRow& row : journal.attempts()) {
      if (row.voided || (row.outcome && (!row.counted || stock.present.contains({row.game, row.attempt})))) continue;
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

  /// Games of the journal that stand there and stay; behind what is there, an empty line.
  PgnStock prepare(const Journal& journal, Existing existing) {
    const AppendFile::Hold held(file);
    PgnStock stock;
    if (existing == Existing::replace) {
      stock = take_out_of_pgn(file, journal, style);
      stock.present.clear();
    } else {
      stock = take_stock(file.path(), journal, style);
      file.take_out(stock.stale);
    }
    if (stock.missing_end) file.append(*stock.missing_end);
    const std::string tail = file.tail(2);
    if (!tail.empty() && tail != "\n\n") file.append(tail.ends_with('\n') ? "\n" : "\n\n");
    return stock;
  }

  void see(const Fact& fact) {
    if (const auto* judged = std::get_if<EventJudged>(&fact)) {
      if (const auto found = running.find(judged->game); found != running.end()) found->second.add(*judged);
    } else if (const auto* started = std::get_if<GameStarted>(&fact)) {
      running.insert_or_assign(started->game, PgnComposer(*started, style));
    } else if (const auto* ended = std::get_if<GameEnded>(&fact)) {
      const auto found = running.find(ended->game);
      if (found == running.end()) return;
      if (ended->counted) append(found->second.text(ended));
      running.erase(found);
    }
  }

  /// Another writer may have been killed in the midst of its record since the last one of ours.
  void append(const std::string& game) {
    constexpr std::size_t looked_at = 65536;
    const AppendFile::Hold held(file);
    if (const std::string last = file.tail(1); !last.empty() && last != "\n") file.append(missing_end_of(file.tail(looked_at)));
    file.append(game);
  }

  AppendFile file;
  PgnStyle style;
  std::unordered_map<int, PgnComposer> running;
};

PgnView::PgnView(std::string path, PgnStyle style, const Journal& journal, Existing existing)
    : impl_(std::make_unique<Impl>(std::move(path), style, journal, existing)) {}
PgnView::~PgnView() = default;
void PgnView::see(const Fact& fact) { impl_->see(fact); }

void rewrite_pgn(const std::string& path, const PgnStyle& style, const Journal& journal) {
  AppendFile file(path);
  const AppendFile::Hold held(file);  // others may write into it, too
  const std::string target = behind_links(path);
  Draft draft(target);
  file.copy_to(draft);
  { const PgnView written(draft.path(), style, journal, PgnView::Existing::replace); }
  draft.make_durable();
  ::close(draft.take_place());
  sync_folder_of(target);
}

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
    replace_file(path, text, Durability::in_time);
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
    const AppendFile::Hold held(file);
    mend_last_line();
    if (journal != nullptr) add_missing(*journal);
  }

  /// Half a line of a crash would make the next one unreadable; what somebody else wrote gets its line's end.
  void mend_last_line() {
    constexpr std::size_t first_step = 65536;
    for (std::size_t step = first_step;; step *= 2) {
      const std::string tail = file.tail(step);
      if (tail.empty() || tail.back() == '\n') return;
      const std::size_t line_end = tail.rfind('\n');
      if (line_end == std::string::npos && tail.size() < file.size()) continue;
      constexpr std::string_view every_line = R"({"fact":")";
      const std::size_t begin = line_end == std::string::npos ? 0 : line_end + 1;
      const std::string_view line = std::string_view(tail).substr(begin, every_line.size());
      if (line == every_line.substr(0, line.size()))
        file.cut(file.size() - tail.size() + begin);
      else
        file.append("\n");
      return;
    }
  }

  /// Up to its instant: `{"fact":"game_ended","game":3,"at":"..."`, which names no other end.
  static std::string_view end_told_by(std::string_view line) {
    if (!line.starts_with(R"({"fact":"game_ended","game":)")) return {};
    std::size_t comma = 0;
    for (int members = 0; members < 3 && comma != std::string_view::npos; ++members) comma = line.find(',', comma + 1);
    return line.substr(0, comma);
  }

  /// What a kill between the journal and this file has kept out of it: ends of games, then the facts outside games but starts.
  void add_missing(const Journal& journal) {
    std::vector<std::string> matters;
    for (const Fact& fact : journal.matters()) {
      if (!std::holds_alternative<MatchStarted>(fact)) append_json(matters.emplace_back(), fact);
    }
    std::unordered_map<std::string_view, int> matters_told;  // how often
    for (const std::string& matter : matters) matters_told[matter] = 0;
    std::set<std::string, std::less<>> told;
    {
      std::ifstream in(file.path(), std::ios::binary);
      for (std::string line; std::getline(in, line);) {
        if (const auto found = matters_told.find(line); found != matters_told.end()) ++found->second;
        if (const std::string_view end = end_told_by(line); !end.empty()) told.emplace(end);
      }
    }
    for (const GameRow& row : journal.attempts()) {
      if (!row.outcome) continue;
      std::string line;
      append_json(line, GameEnded{.game = row.game,
                                  .at = row.ended.value_or(row.started),
                                  .outcome = *row.outcome,
                                  .plies = row.plies,
                                  .duration = row.duration,
                                  .counted = row.counted});
      if (!told.contains(end_told_by(line))) lines.append(line).append(1, '\n');
    }
    for (const std::string& matter : matters) {
      if (matters_told[matter]-- <= 0) lines.append(matter).append(1, '\n');
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
  if (impl_->lines.empty()) return;
  const AppendFile::Hold held(impl_->file);
  impl_->mend_last_line();  // another writer may have been killed in the midst of it
  impl_->file.append(impl_->lines);
  impl_->lines.clear();
}
std::chrono::milliseconds EventStreamView::patience() const noexcept { return std::chrono::milliseconds{200}; }

}  // namespace referee::record
