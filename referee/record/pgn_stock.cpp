#include "referee/record/pgn_stock.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "referee/game/printable.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/fact.hpp"

namespace referee::record {

namespace {

constexpr std::uint64_t longest_record = 32U << 20U;  // of a game of ours
constexpr std::string_view blanks = " \t\r\n";

/// Names no other game: what PgnComposer writes into these tags.
std::string identity(std::string_view round, std::string_view white, std::string_view black, std::string_view date, std::string_view time) {
  std::string text;
  for (const std::string_view part : {round, white, black, date, time}) {
    text += game::printable(part);
    text += '\n';
  }
  return text;
}

std::string identity_of(const GameRow& row) {
  const auto known = [](const std::string& name) { return name.empty() ? std::string("?") : name; };
  std::string at;
  append_time(at, row.started);  // 2026-11-30T04:30:20.123Z
  std::string date = at.substr(0, 10);
  std::replace(date.begin(), date.end(), '-', '.');
  return identity(std::to_string(row.round) + "." + std::to_string(row.game), known(row.white), known(row.black), date, at.substr(11, 8));
}

std::string identity_of(const PgnGame& game) {
  const auto tag = [&game](std::string_view name) { return game.tag(name).value_or(std::string_view()); };
  return identity(tag("Round"), tag("White"), tag("Black"), tag("UTCDate"), tag("UTCTime"));
}

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
  /// Bytes at which these lines, in order, begin.
  [[nodiscard]] std::vector<std::uint64_t> offsets_of(const std::vector<std::size_t>& lines) {
    in_.clear();
    in_.seekg(0);
    std::vector<std::uint64_t> offsets;
    std::uint64_t at = 0;
    std::size_t line = 1;
    std::string block(std::size_t{1} << 16U, '\0');
    for (const std::size_t wanted : lines)
      if (wanted <= 1) offsets.push_back(0);
    while (offsets.size() < lines.size() && in_) {
      in_.read(block.data(), static_cast<std::streamsize>(block.size()));
      const auto got = static_cast<std::size_t>(in_.gcount());
      for (std::size_t i = 0; i < got; ++i, ++at) {
        if (block[i] != '\n') continue;
        ++line;
        while (offsets.size() < lines.size() && lines[offsets.size()] == line) offsets.push_back(at + 1);
      }
    }
    offsets.resize(lines.size(), size_);
    return offsets;
  }

 private:
  std::string path_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

bool ends_in_result(std::string_view text) {
  const std::size_t last = text.find_last_not_of(blanks);
  if (last == std::string_view::npos) return true;
  text = text.substr(0, last + 1);
  return text.ends_with("1-0") || text.ends_with("0-1") || text.ends_with("1/2-1/2") || text.ends_with("*");
}

/// Is this what a crash left of a game that the journal has, and the file has not?
bool begins_a_missing_game(std::string_view fragment, const Journal& journal, const std::vector<GameRow>& attempts, const PgnStock& stock,
                           const PgnStyle& style) {
  for (const GameRow& row : attempts) {
    if (!row.outcome || stock.present.contains({row.game, row.attempt})) continue;
    const auto game = journal.game(row.game, row.attempt);
    if (game && to_pgn(*game, style).starts_with(fragment)) return true;
  }
  return false;
}

}  // namespace

PgnStock take_stock(const std::string& path, const Journal& journal, const PgnStyle& style) {
  PgnStock stock;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return stock;
  File file(path);
  if (file.size() == 0) return stock;
  const std::vector<GameRow> attempts = journal.attempts();
  // Attempts of one game may begin in the same second: each takes its turn.
  std::unordered_map<std::string, std::vector<const GameRow*>> ours;
  for (const GameRow& row : attempts)
    if (!row.outcome || row.counted) ours[identity_of(row)].push_back(&row);

  std::vector<std::size_t> lines;
  std::vector<const GameRow*> rows;  // of each game of the file; nullptr: somebody else's
  bool cut_off = false;
  {
    std::ifstream in(path, std::ios::binary);
    PgnReader reader(in);
    PgnGame game;
    while (reader.next(game)) {
      const GameRow* row = nullptr;
      if (const auto found = ours.find(identity_of(game)); found != ours.end()) {
        row = found->second.back();
        for (const GameRow* attempt : found->second) {
          if (!stock.present.insert({attempt->game, attempt->attempt}).second) continue;
          row = attempt;
          break;
        }
      }
      lines.push_back(game.line);
      rows.push_back(row);
      cut_off = game.cut_off;
    }
  }
  std::vector<std::uint64_t> begins = file.offsets_of(lines);

  // What a crash left of our last game, and what somebody else left.
  std::uint64_t end = file.size();
  const std::string tail = file.text(end - std::min(end, longest_record), end);
  if (cut_off && rows.back() != nullptr) {
    stock.torn_at = begins.back();
    stock.present.erase({rows.back()->game, rows.back()->attempt});
  } else if (cut_off || !ends_in_result(tail)) {
    const std::size_t blank_line = tail.rfind("\n\n[");
    const std::size_t start = blank_line == std::string::npos ? 0 : blank_line + 2;
    const bool whole = blank_line != std::string::npos || tail.size() == end;
    if (whole && begins_a_missing_game(std::string_view(tail).substr(start), journal, attempts, stock, style)) {
      stock.torn_at = end - tail.size() + start;
    } else if (cut_off) {
      const std::size_t opened = tail.rfind('{');
      const bool in_comment = opened != std::string::npos && tail.find('}', opened) == std::string::npos;
      stock.missing_end = std::string(in_comment ? "}" : "") + "\n* {this record was cut off here}";
    }
  }
  if (stock.torn_at) end = *stock.torn_at;
  while (!begins.empty() && begins.back() >= end) {
    begins.pop_back();
    rows.pop_back();
  }

  const std::string head = file.text(0, begins.empty() ? end : begins.front());
  stock.others = head.find_first_not_of(blanks) != std::string::npos;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PgnStock::Range range{begins[i], i + 1 < begins.size() ? begins[i + 1] : end};
    if (rows[i] == nullptr)
      stock.others = true;
    else
      stock.own.push_back(range);
  }
  return stock;
}

void take_out_of_pgn(const std::string& path, const Journal& journal, const PgnStyle& style) {
  const PgnStock stock = take_stock(path, journal, style);
  if (stock.own.empty() && !stock.torn_at) return;
  std::string rest;
  if (stock.others) {
    File file(path);
    std::uint64_t at = 0;
    for (const PgnStock::Range& own : stock.own) {
      rest += file.text(at, own.begin);
      at = own.end;
    }
    rest += file.text(at, std::max(at, stock.torn_at.value_or(file.size())));
  }
  std::error_code error;
  const auto behind_links = std::filesystem::canonical(path, error);
  replace_file(error ? path : behind_links.string(), rest);
}

}  // namespace referee::record
