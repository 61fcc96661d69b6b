#include "referee/match/game_results.hpp"
#include "config/yaml.hpp"
#include "referee/match/text_input.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <system_error>

#include "referee/record/journal.hpp"
#include "referee/record/latin_text.hpp"
#include "referee/record/pgn.hpp"

namespace referee::match {

namespace {

constexpr std::size_t block_bytes = std::size_t{4} << 20U;
constexpr std::size_t longest_game = std::size_t{64} << 20U;
constexpr std::size_t longest_name = 1024;
constexpr std::size_t longest_detail = 256;

[[nodiscard]] std::uint64_t mix(std::uint64_t digest, std::uint64_t value) noexcept {
  digest = (digest ^ value) * 0x9e3779b97f4a7c15ULL;
  return digest ^ (digest >> 32U);
}
[[nodiscard]] std::uint64_t digest_of(std::string_view text) noexcept {
  std::uint64_t digest = 1469598103934665603ULL;
  for (const char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return mix(digest, text.size());
}

/// At most so many bytes, no character of UTF-8 cut in two.
[[nodiscard]] std::string_view head_of(std::string_view text, std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  for (int steps = 0; steps < 3 && bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U; ++steps) --bytes;
  return text.substr(0, bytes);
}

/// A file's bytes in large blocks, decompressed where need be.
class BlockReader {
 public:
  explicit BlockReader(const std::string& path) : path_(path), file_(path == "-" ? gzdopen(0, "rb") : gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) throw ResultsError(path + ": cannot be read: " + std::generic_category().message(errno));
    gzbuffer(file_, 128U * 1024U);
  }
  ~BlockReader() { gzclose(file_); }
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// Appends up to `bytes`; false at the end.
  bool append(std::string& text, std::size_t bytes) {
    const std::size_t before = text.size();
    text.resize(before + bytes);
    const int count = gzread(file_, text.data() + before, static_cast<unsigned>(bytes));
    text.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count <= 0) {
      int code = Z_OK;
      const char* words = gzerror(file_, &code);
      if (code == Z_ERRNO) throw ResultsError(path_ + ": cannot be read: " + std::generic_category().message(errno));
      if (code == Z_BUF_ERROR) throw ResultsError(path_ + ": the compressed data ends too early");
      if (code != Z_OK) throw ResultsError(path_ + ": the compressed data is damaged (" + words + ")");
    }
    return count > 0;
  }

 private:
  std::string path_;
  gzFile file_;
};

/// What a thread makes of one block: games with names by their number in the block's own table.
struct ScannedBlock {
  std::vector<std::string> names;
  std::vector<ListedGame> games;
};

class BlockScanner {
 public:
  BlockScanner(const ResultsOptions& options, bool identities) : options_(options), identities_(identities) {}

  [[nodiscard]] ScannedBlock scan(const std::string& text) const {
    ScannedBlock block;
    std::unordered_map<std::string_view, stats::PlayerId> ids;
    const auto id = [&](std::string_view raw) {
      if (raw.size() > longest_name) raw = raw.substr(0, longest_name);
      const auto [found, is_new] = ids.try_emplace(raw, static_cast<stats::PlayerId>(block.names.size()));
      if (is_new) block.names.push_back(record::tag_text(raw));
      return found->second;
    };
    record::ResultScanner scanner(text);
    record::ScannedGame scanned;
    while (scanner.next(scanned)) {
      ListedGame& game = block.games.emplace_back();
      game.white = id(scanned.white);
      game.black = id(scanned.black);
      const record::ScannedResult result = record::result_of(scanned);
      game.ended = result != record::ScannedResult::none;
      game.places = record::result_places(scanned);
      game.white_score = result == record::ScannedResult::white_wins ? 100 : result == record::ScannedResult::draw ? 50 : 0;
      game.black_score = result == record::ScannedResult::black_wins ? 100 : result == record::ScannedResult::draw ? 50 : 0;
      if (options_.pairs) game.pair = pair_of(scanned);
      if (identities_) game.identity = identity_of(scanned);
      if (options_.details) add_details(game, scanned);
    }
    return block;
  }

 private:
  /// The opening where the text tells it (a set-up position, book moves), else the round up to its first dot.
  [[nodiscard]] static std::uint64_t pair_of(const record::ScannedGame& game) {
    std::uint64_t opening = 0;
    if (game.movetext.find("{book") != std::string_view::npos) opening = record::digest_moves(game.movetext, record::DigestOf::book_moves);
    if (!game.fen.empty()) opening = mix(opening, digest_of(game.fen));
    if (opening != 0) return opening | 1U;
    const std::string_view round = game.round.substr(0, std::min(game.round.find('.'), game.round.size()));
    if (round.empty() || round == "?" || round == "-") return 0;
    return digest_of(round) | 1U;
  }

  [[nodiscard]] static std::uint64_t identity_of(const record::ScannedGame& game) {
    const std::uint64_t moves = record::digest_moves(game.movetext, record::DigestOf::all_moves);
    std::uint64_t digest = mix(mix(moves, digest_of(game.date)), digest_of(game.round));
    digest = mix(mix(digest, digest_of(game.fen)), static_cast<std::uint64_t>(record::result_of(game)));
    // Without moves the tags are all there is.
    return moves != 0 ? digest : mix(mix(digest, digest_of(game.event)), digest_of(game.site));
  }

  static void add_details(ListedGame& game, const record::ScannedGame& scanned) {
    const auto text = [](std::string_view raw) { return record::tag_text(head_of(raw, longest_detail)); };
    game.round = text(scanned.round);
    game.reason = text(scanned.termination);
    game.opening = text(scanned.eco);
    for (const std::string_view part : {scanned.opening, scanned.variation}) {
      if (part.empty()) continue;
      if (!game.opening.empty()) game.opening += ' ';
      game.opening += text(part);
    }
    if (game.opening.empty()) game.opening = text(scanned.fen);
  }

  ResultsOptions options_;
  bool identities_;
};

/// Drops games that were there before, and hands the others on.
class Sink {
 public:
  Sink(const ResultsOptions& options, NameTable& names, const std::function<void(ListedGame&)>& see)
      : options_(options), names_(names), see_(see) {}

  void take(ScannedBlock& block, std::uint32_t file) {
    FileSummary& of_file = summary.files[file];
    std::vector<std::optional<stats::PlayerId>> ids(block.names.size());
    const auto id = [&](stats::PlayerId local) {
      if (!ids[local]) ids[local] = names_.id(block.names[local]);
      return *ids[local];
    };
    for (ListedGame& game : block.games) {
      ++of_file.records;
      if (block.names[game.white].empty() || block.names[game.black].empty()) {
        ++summary.nameless;
        continue;
      }
      game.white = id(game.white);
      game.black = id(game.black);
      game.file = file;
      if (game.white == game.black) {
        ++summary.nameless;
        continue;
      }
      if (game.places == record::ResultPlaces::differ) {
        note(of_file.contradictory, of_file.records);
        continue;
      }
      if (game.places == record::ResultPlaces::tag_only) {
        note(of_file.cut_off, of_file.records);
        continue;
      }
      if (game.identity != 0 && game.ended && is_duplicate(game)) {
        ++of_file.duplicates;
        continue;
      }
      ++summary.games;
      see_(game);
    }
  }

  void take(const record::PointsGiven& gift) {
    summary.gifts.push_back(
        {.player = names_.id(gift.engine), .round = gift.round, .points = gift.points, .games = gift.games, .why = gift.why});
  }

  ResultsSummary summary;

 private:
  static void note(RecordCount& kind, std::int64_t number) noexcept {
    if (kind.count++ == 0) kind.first = number;
  }

  struct Known {
    std::uint32_t kept = 0, here = 0, file = 0;
  };
  /// A game counts as often as the file has it that has it most often.
  [[nodiscard]] bool is_duplicate(const ListedGame& game) {
    Known& known = known_[mix(mix(game.identity, game.white), game.black)];
    if (known.file != game.file + 1) {
      known.file = game.file + 1;
      known.here = 0;
    }
    ++known.here;
    if (known.here <= known.kept || (options_.duplicates == Duplicates::all && known.kept > 0)) return true;
    ++known.kept;
    return false;
  }

  const ResultsOptions& options_;
  NameTable& names_;
  const std::function<void(ListedGame&)>& see_;
  std::unordered_map<std::uint64_t, Known> known_;
};

void read_pgn(const std::string& path, std::uint32_t file, const BlockScanner& scanner, int threads, Sink& sink) {
  BlockReader reader(path);
  std::deque<std::future<ScannedBlock>> working;
  const auto finish_one = [&] {
    ScannedBlock block = working.front().get();
    working.pop_front();
    sink.take(block, file);
  };
  std::string text;
  bool at_start = true;
  bool more = true;
  while (more) {
    more = reader.append(text, block_bytes);
    if (std::exchange(at_start, false) && is_utf16(text)) throw ResultsError(path + ": is UTF-16 (expected UTF-8 or Latin-1)");
    std::string rest;
    if (more) {
      const std::size_t cut = record::last_game_start(text);
      if (cut == 0) {
        if (text.size() > longest_game)
          throw ResultsError(path + ": no game begins within " + std::to_string(longest_game >> 20U) +
                             " MiB (expected PGN, each game with an Event tag)");
        continue;
      }
      rest = text.substr(cut);
      text.resize(cut);
    }
    if (threads <= 1) {
      ScannedBlock block = scanner.scan(text);
      sink.take(block, file);
    } else {
      working.push_back(std::async(std::launch::async, [&scanner, block = std::move(text)] { return scanner.scan(block); }));
      if (working.size() >= static_cast<std::size_t>(threads)) finish_one();
    }
    text = std::move(rest);
  }
  while (!working.empty()) finish_one();
}

[[nodiscard]] bool is_journal(const std::string& path) {
  if (path == "-") return false;
  std::ifstream in(path, std::ios::binary);
  std::string head(15, '\0');
  in.read(head.data(), 15);
  return in.gcount() == 15 && head == "SQLite format 3";
}

/// Of the match file that the journal keeps.
[[nodiscard]] bool is_knockout(const record::Journal& journal) {
  const auto plan = journal.plan();
  if (!plan) return false;
  try {
    const config::YamlValue text = config::parse_yaml(plan->match_file_text, journal.path());
    for (const config::YamlValue::Entry& entry : text.entries) {
      if (entry.key != "schedule") continue;
      for (const config::YamlValue::Entry& part : entry.value.entries)
        if (part.key == "kind") return part.value.text == "knockout";
    }
  } catch (const config::ConfigException&) {
    // Another program wrote the plan: its games are read all the same.
  }
  return false;
}

void read_journal(const std::string& path, std::uint32_t file, const ResultsOptions& options, const BlockScanner& scanner, bool identities,
                  Sink& sink) {
  try {
    const auto journal = record::Journal::open(path, record::Journal::Mode::read_only);
    ScannedBlock block;
    std::unordered_map<std::string, stats::PlayerId> ids;
    const auto id = [&](const std::string& name) {
      const auto [found, is_new] = ids.try_emplace(name, static_cast<stats::PlayerId>(block.names.size()));
      if (is_new) block.names.push_back(name);
      return found->second;
    };
    for (const record::GameRow& row : journal->games()) {
      if (row.outcome ? !row.counts() : row.voided) continue;  // one that runs is listed without a result
      ListedGame& game = block.games.emplace_back();
      game.white = id(row.white);
      game.black = id(row.black);
      game.ended = row.outcome.has_value();
      if (row.outcome) {
        game.white_score = row.outcome->score.white;
        game.black_score = row.outcome->score.black;
      }
      game.pair = static_cast<std::uint64_t>(row.pair) + 1;
      game.pair_is_planned = true;
      if (options.details) {
        game.round = std::to_string(row.round);
        game.opening = row.opening;
        if (row.outcome) game.reason = std::string(game::code(row.outcome->reason));
      }
      if (identities && row.outcome) {
        // As its PGN would be recognised.
        if (const auto recorded = journal->game(row.game)) {
          const ScannedBlock as_text = scanner.scan(record::to_pgn(*recorded, {record::PgnComments::none, false, false, false}));
          if (!as_text.games.empty()) game.identity = as_text.games[0].identity;
        }
      }
    }
    sink.take(block, file);
    if (is_knockout(*journal)) ++sink.summary.knockouts;
    for (const record::Fact& fact : journal->matters()) {
      if (const auto* gift = std::get_if<record::PointsGiven>(&fact)) sink.take(*gift);
    }
  } catch (const record::JournalError& error) { throw ResultsError(error.what()); }
}

}  // namespace

std::optional<stats::GameResult> ListedGame::result() const noexcept {
  if (!ended) return std::nullopt;
  if (white_score == 100 && black_score == 0) return stats::GameResult::white_wins;
  if (white_score == 0 && black_score == 100) return stats::GameResult::black_wins;
  if (white_score == 50 && black_score == 50) return stats::GameResult::draw;
  return std::nullopt;
}

stats::PlayerId NameTable::id(const std::string& name) {
  const auto [found, is_new] = ids_.try_emplace(name, static_cast<stats::PlayerId>(names_.size()));
  if (is_new) {
    if (names_.size() >= most_names) throw ResultsError("more than " + std::to_string(most_names) + " different names (are these games?)");
    names_.push_back(name);
  }
  return found->second;
}

std::optional<stats::PlayerId> NameTable::find(const std::string& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

void NameTable::add_alias(const std::string& name, const std::string& alias) { ids_.insert_or_assign(alias, id(name)); }

namespace {

struct CsvRow {
  std::size_t line = 0;
  std::vector<std::string> cells;
};

std::vector<CsvRow> csv_rows(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw ResultsError(path + ": is a folder (expected a file, CSV)");
  std::ifstream in(path);
  if (!in) throw ResultsError(path + ": cannot be read: " + std::generic_category().message(errno));
  std::vector<CsvRow> rows;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    line = record::to_utf8(line);  // as the names of games are read
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#') continue;
    std::vector<std::string> row;
    std::size_t at = 0;
    while (at <= line.size()) {
      while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
      std::string cell;
      if (at < line.size() && line[at] == '"') {
        for (++at;; ++at) {
          if (at >= line.size())
            throw ResultsError(path + ":" + std::to_string(number) + ":" + std::to_string(line.size()) +
                               ": a quote is not closed (expected \")");
          if (line[at] == '"' && at + 1 < line.size() && line[at + 1] == '"') {
            cell += line[at++];
          } else if (line[at] == '"') {
            break;
          } else {
            cell += line[at];
          }
        }
        const std::size_t behind = std::min(line.find_first_not_of(" \t", at + 1), line.size());
        if (behind < line.size() && line[behind] != ',')
          throw ResultsError(path + ":" + std::to_string(number) + ":" + std::to_string(behind + 1) +
                             ": text behind a closing quote (expected a comma, or the end of the line)");
        at = behind;
      } else {
        const std::size_t end = std::min(line.find(',', at), line.size());
        cell = line.substr(at, end - at);
        while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.pop_back();
        at = end;
      }
      row.push_back(std::move(cell));
      if (at >= line.size()) break;
      ++at;
    }
    rows.push_back({number, std::move(row)});
  }
  if (in.bad()) throw ResultsError(path + ": cannot be read: " + std::generic_category().message(errno));
  return rows;
}

}  // namespace

std::vector<std::vector<std::string>> read_csv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  for (CsvRow& row : csv_rows(path)) rows.push_back(std::move(row.cells));
  return rows;
}

std::vector<std::vector<std::string>> read_name_groups(const std::string& path, GroupTitle title) {
  struct Membership {
    std::string group;
    std::size_t line;
  };
  std::map<std::string, Membership> memberships;
  std::vector<std::vector<std::string>> groups;
  for (CsvRow& row : csv_rows(path)) {
    if (row.cells.size() < 2)
      throw ResultsError(path + ":" + std::to_string(row.line) +
                         ":1: one name alone (expected a name, a comma, and the names that belong to it)");
    for (std::size_t i = title == GroupTitle::is_a_name ? 0 : 1; i < row.cells.size(); ++i) {
      if (row.cells[i].empty() || row.cells[0].empty()) continue;
      const auto [known, is_new] = memberships.try_emplace(row.cells[i], Membership{row.cells[0], row.line});
      if (is_new || known->second.group == row.cells[0]) continue;
      throw ResultsError(path + ":" + std::to_string(row.line) + ":1: '" + row.cells[i] + "' belongs to '" + row.cells[0] +
                         "' here and to '" + known->second.group + "' in line " + std::to_string(known->second.line) +
                         " (expected each name in one group)");
    }
    groups.push_back(std::move(row.cells));
  }
  return groups;
}

void read_aliases(const std::string& path, NameTable& names) {
  for (const auto& row : read_name_groups(path, GroupTitle::is_a_name))
    for (std::size_t i = 1; i < row.size(); ++i)
      if (!row[i].empty() && !row[0].empty()) names.add_alias(row[0], row[i]);
}

ResultsSummary read_results(const std::vector<std::string>& files, NameTable& names, const ResultsOptions& options,
                            const std::function<void(ListedGame&)>& see) {
  // One file has no duplicates across files: its moves need not be looked at.
  const bool identities = options.duplicates == Duplicates::all || (options.duplicates == Duplicates::across && files.size() > 1);
  const BlockScanner scanner(options, identities);
  Sink sink(options, names, see);
  sink.summary.files.resize(files.size());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const std::int64_t nameless = sink.summary.nameless;
    if (is_journal(files[i]))
      read_journal(files[i], i, options, scanner, identities, sink);
    else
      read_pgn(files[i], i, scanner, options.threads, sink);
    if (sink.summary.files[i].records == sink.summary.nameless - nameless)
      throw ResultsError(files[i] + ": no games in it (expected PGN, plain or .gz, or a journal)");
  }
  return std::move(sink.summary);
}

void PairFinder::grow() {
  std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.key == 0) continue;
    std::size_t at = slot.key & (slots_.size() - 1);
    while (slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

PairFinder::Slot& PairFinder::slot(std::uint64_t key) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::size_t at = key & (slots_.size() - 1);
  while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].key == 0) {
    slots_[at].key = key;
    ++used_;
  }
  return slots_[at];
}

std::optional<PairFinder::Partner> PairFinder::match(const ListedGame& game, std::uint64_t order) {
  const auto result = game.result();
  if (game.pair == 0 || !result) return std::nullopt;
  const std::uint64_t low = std::min(game.white, game.black);
  const std::uint64_t high = std::max(game.white, game.black);
  Slot& waiting = slot(mix(mix(game.pair, (low << 32U) | high), game.file + 1) | 1U);
  if (waiting.first != nobody && nodes_[waiting.first].partner.white == game.black) {
    const std::uint32_t taken = waiting.first;
    waiting.first = nodes_[taken].next;
    nodes_[taken].next = free_;
    free_ = taken;
    return nodes_[taken].partner;
  }
  std::uint32_t place = free_;
  if (place == nobody) {
    place = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[place].next;
  }
  nodes_[place] = {{game.white, game.black, *result, order}, nobody};
  if (waiting.first == nobody)
    waiting.first = place;
  else
    nodes_[waiting.last].next = place;
  waiting.last = place;
  return std::nullopt;
}

}  // namespace referee::match
