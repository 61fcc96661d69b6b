#include "referee/record/pgn_stock.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "referee/game/printable.hpp"
#include "referee/record/fact.hpp"

namespace referee::record {

namespace {

constexpr std::uint64_t longest_record = 32U << 20U;  // of a game of ours
constexpr std::string_view cut_off_mark = " {this record was cut off here}";
constexpr std::size_t most_fragments = 64;  // that are compared with games which the file lacks

bool comes_before(const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; }

/// Names no other game: what PgnComposer writes into these tags.
std::string identity(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += game::printable(part);
    text += '\n';
  }
  return text;
}

std::string identity_of(const GameRow& row, const GameHeading& heading) {
  const auto known = [](const std::string& name) { return name.empty() ? std::string("?") : name; };
  std::string at;
  append_time(at, row.started);  // 2026-11-30T04:30:20.123Z
  std::string date = at.substr(0, 10);
  std::replace(date.begin(), date.end(), '-', '.');
  return identity({known(heading.event), known(heading.site), std::to_string(row.round) + "." + std::to_string(row.game), known(row.white),
                   known(row.black), date, at.substr(11, 8)});
}

std::string identity_of(const PgnGame& game) {
  const auto tag = [&game](std::string_view name) { return game.tag(name).value_or(std::string_view()); };
  return identity({tag("Event"), tag("Site"), tag("Round"), tag("White"), tag("Black"), tag("UTCDate"), tag("UTCTime")});
}

/// Does it belong into a file of the games? One that was made void later may still stand there.
bool belongs(const GameRow& row) { return !row.voided && (!row.outcome || row.counted); }

/// Attempts that may stand in a file, by identity. Those of one game may begin in the same second: each takes its turn.
using Attempts = std::unordered_map<std::string, std::vector<const GameRow*>>;

Attempts attempts_in(const Journal& journal, const std::vector<GameRow>& rows) {
  std::map<std::pair<int, int>, GameHeading> headings;
  journal.each_heading([&headings](GameHeading heading) {
    const std::pair key{heading.game, heading.attempt};
    headings.insert_or_assign(key, std::move(heading));
  });
  Attempts found;
  for (const GameRow& row : rows) found[identity_of(row, headings[{row.game, row.attempt}])].push_back(&row);
  return found;
}

/// Are all its moves there, and is it the result that it says itself?
bool is_whole(const PgnGame& game) {
  if (game.cut_off || game.tag("Result") != std::string_view(game.result)) return false;
  const auto plies = game.tag("PlyCount");  // in every record of ours; another program may have left it out since
  return !plies || *plies == std::to_string(game.moves.size()) || game.moves.size() == PgnLimits{}.moves;
}

bool tells_the_result(const PgnGame& game, const GameRow& row) { return !row.outcome || game.result == game::pgn_result(*row.outcome); }

struct Place {
  std::size_t line = 0, column = 0;
};

class File {
 public:
  explicit File(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    in_.seekg(0, std::ios::end);
    size_ = in_ ? static_cast<std::uint64_t>(in_.tellg()) : 0;
    if (!in_) throw JournalError(path + ": cannot be read");
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::string text(std::uint64_t begin, std::uint64_t end) {
    std::string text(static_cast<std::size_t>(end - begin), '\0');
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(begin));
    in_.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!in_) throw JournalError(path_ + ": cannot be read");
    return text;
  }
  /// Bytes at which these places are, which come in order.
  [[nodiscard]] std::vector<std::uint64_t> offsets_of(const std::vector<Place>& places) {
    in_.clear();
    in_.seekg(0);
    std::vector<std::uint64_t> offsets;
    std::uint64_t at = 0;
    std::size_t line = 1;
    std::string block(std::size_t{1} << 16U, '\0');
    const auto line_begins = [&](std::uint64_t begin) {
      while (offsets.size() < places.size() && places[offsets.size()].line == line)
        offsets.push_back(begin + places[offsets.size()].column - 1);
    };
    line_begins(0);
    while (offsets.size() < places.size() && in_) {
      in_.read(block.data(), static_cast<std::streamsize>(block.size()));
      const auto got = static_cast<std::size_t>(in_.gcount());
      for (std::size_t i = 0; i < got; ++i, ++at) {
        if (block[i] != '\n') continue;
        ++line;
        line_begins(at + 1);
      }
    }
    offsets.resize(places.size(), size_);
    return offsets;
  }
  /// Behind the line's end and the empty line that a record has after its last token, if they are there.
  [[nodiscard]] std::uint64_t behind_record(std::uint64_t end) {
    constexpr std::uint64_t longest = 4;  // \r\n\r\n
    const std::string after = text(end, std::min(end + longest, size_));
    std::string_view rest = after;
    for (int line_ends = 0; line_ends < 2; ++line_ends) {
      const std::size_t length = rest.starts_with("\r\n") ? 2 : rest.starts_with('\n') ? 1 : 0;
      rest.remove_prefix(length);
    }
    return end + after.size() - rest.size();
  }
  [[nodiscard]] bool has_at(std::uint64_t begin, std::string_view wanted) {
    return begin + wanted.size() <= size_ && text(begin, begin + wanted.size()) == wanted;
  }

 private:
  std::string path_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

/// A game of the file.
struct Found {
  const GameRow* row = nullptr;  // nullptr: somebody else's
  bool sound = false;            // whole, the journal says the same, and the game is not void
  bool cut_off = false;
  bool unended = false;  // "*", which may be what closed a record that was cut off
  std::uint64_t begin = 0, end = 0;
};

std::vector<Found> games_of(const std::string& path, const Attempts& ours, PgnStock& stock, File& file) {
  std::vector<Found> games;
  std::vector<Place> places;  // of beginning and end
  std::ifstream in(path, std::ios::binary);
  PgnReader reader(in);
  PgnGame game;
  std::set<const GameRow*> gone;  // void games whose record was found
  while (reader.next(game)) {
    Found& found = games.emplace_back();
    found.cut_off = game.cut_off;
    found.unended = game.result == "*";
    if (const auto same = ours.find(identity_of(game)); same != ours.end()) {
      const bool whole = is_whole(game);
      for (const GameRow* attempt : same->second) {
        if (gone.contains(attempt) || stock.present.contains({attempt->game, attempt->attempt})) continue;
        found.row = attempt;
        found.sound = whole && belongs(*attempt) && tells_the_result(game, *attempt);
        if (found.sound) break;
      }
      if (found.sound)
        stock.present.insert({found.row->game, found.row->attempt});
      else if (found.row != nullptr && !belongs(*found.row))
        gone.insert(found.row);
    }
    places.push_back({game.line, game.column});
    if (!game.cut_off) places.push_back({game.end_line, game.end_column});
  }
  const std::vector<std::uint64_t> offsets = file.offsets_of(places);
  std::size_t next = 0;
  for (Found& found : games) {
    // Of two matches that cannot be told apart, one has the sound record and the other this one.
    if (found.row != nullptr && !found.sound && stock.present.contains({found.row->game, found.row->attempt})) found.row = nullptr;
    found.begin = offsets[next++];
    if (!found.cut_off)
      found.end = offsets[next++];
    else
      found.end = next < offsets.size() ? offsets[next] : file.size();
  }
  return games;
}

/// What a crash may have left of a record so short that its tags do not tell whose it is.
struct Fragment {
  ByteRange range;
  std::string text;
  bool closed = false;  // by another match, which perhaps ended a comment first
  bool ours = false;

  [[nodiscard]] bool begins(std::string_view record) const {
    const std::string_view all = text;
    return record.starts_with(all) || (closed && all.ends_with('}') && record.starts_with(all.substr(0, all.size() - 1)));
  }
};

std::optional<Fragment> fragment_of(const Found& found, bool closed, std::uint64_t end, File& file) {
  if (!(found.cut_off || (closed && found.unended)) || found.end - found.begin > longest_record) return std::nullopt;
  Fragment fragment{.range = {found.begin, end}, .text = file.text(found.begin, found.end), .closed = closed};
  if (closed) {
    if (!fragment.text.ends_with("\n*")) return std::nullopt;
    fragment.text.resize(fragment.text.size() - 2);
  }
  constexpr std::string_view every_record = "[Event \"";
  const std::size_t length = std::min(fragment.text.size(), every_record.size());
  if (std::string_view(fragment.text).substr(0, length) != every_record.substr(0, length)) return std::nullopt;
  return fragment;
}

/// Which of them are the beginning of a game that the journal has, and the file has not?
void find_ours(std::vector<Fragment>& fragments, const Journal& journal, const std::vector<GameRow>& rows, const PgnStock& stock,
               const PgnStyle& style) {
  auto left = static_cast<std::ptrdiff_t>(fragments.size());
  for (const GameRow& row : rows) {
    if (left == 0) return;
    if (!row.outcome || stock.present.contains({row.game, row.attempt})) continue;
    const auto game = journal.game(row.game, row.attempt);
    if (!game) continue;
    const std::string record = to_pgn(*game, style);
    for (Fragment& fragment : fragments) {
      if (fragment.ours || !fragment.begins(record)) continue;
      fragment.ours = true;
      --left;
    }
  }
}

std::string end_of(std::string_view text) {
  const std::size_t opened = text.rfind('{');
  const bool in_comment = opened != std::string_view::npos && text.find('}', opened) == std::string_view::npos;
  return std::string(in_comment ? "}" : "") + "\n*" + std::string(cut_off_mark);
}

}  // namespace

std::string missing_end_of(std::string_view text) {
  if (text.empty() || text.ends_with('\n')) return {};
  const std::string_view word = text.substr(text.find_last_of(" \t\r\n") + 1);  // npos + 1 = 0
  const bool has_result = word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*";
  return (has_result ? std::string() : end_of(text)) + "\n\n";
}

PgnStock take_stock(const std::string& path, const Journal& journal, const PgnStyle& style) {
  PgnStock stock;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return stock;
  File file(path);
  if (file.size() == 0) return stock;
  const std::vector<GameRow> rows = journal.attempts();
  const std::vector<Found> games = games_of(path, attempts_in(journal, rows), stock, file);
  std::vector<Fragment> fragments;
  for (const Found& found : games) {
    // A record that ends in 1/2 is readable too, and was cut off.
    const std::string_view wanted = found.sound && found.row->outcome ? game::pgn_result(*found.row->outcome) : std::string_view();
    if (found.sound && (wanted.empty() || (found.end - found.begin >= wanted.size() && file.has_at(found.end - wanted.size(), wanted)))) {
      stock.own.push_back({found.begin, file.behind_record(found.end)});
      continue;
    }
    const bool closed = !found.cut_off && file.has_at(found.end, cut_off_mark);
    const std::uint64_t end = found.cut_off ? found.end : file.behind_record(found.end + (closed ? cut_off_mark.size() : 0));
    if (found.row != nullptr) {
      if (found.sound) stock.present.erase({found.row->game, found.row->attempt});
      stock.stale.push_back({found.begin, end});
    } else if (auto fragment = fragment_of(found, closed, end, file)) {
      if (fragments.size() == most_fragments) fragments.pop_back();
      fragments.push_back(std::move(*fragment));
    }
  }
  find_ours(fragments, journal, rows, stock, style);
  for (const Fragment& fragment : fragments)
    if (fragment.ours) stock.stale.push_back(fragment.range);
  std::sort(stock.stale.begin(), stock.stale.end(), comes_before);
  if (!games.empty() && games.back().cut_off && (stock.stale.empty() || stock.stale.back().end < file.size()))
    stock.missing_end = end_of(file.text(std::max(games.back().begin, file.size() - std::min(file.size(), longest_record)), file.size()));
  return stock;
}

PgnStock take_out_of_pgn(AppendFile& file, const Journal& journal, const PgnStyle& style) {
  const AppendFile::Hold held(file);
  PgnStock stock = take_stock(file.path(), journal, style);
  std::vector<ByteRange> out;
  std::merge(stock.own.begin(), stock.own.end(), stock.stale.begin(), stock.stale.end(), std::back_inserter(out), comes_before);
  file.take_out(out);
  return stock;
}

void take_out_of_pgn(const std::string& path, const Journal& journal, const PgnStyle& style) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  AppendFile file(path);
  (void)take_out_of_pgn(file, journal, style);
}

}  // namespace referee::record
