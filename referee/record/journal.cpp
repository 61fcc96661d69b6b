#include "referee/record/journal.hpp"

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "referee/record/json.hpp"
#include "referee/record/owner_lock.hpp"
#include "referee/record/schema.hpp"
#include "referee/record/sqlite.hpp"
#include "referee/record/turn_text.hpp"

namespace referee::record {

namespace {

using sqlite::Connection;
using sqlite::Statement;

constexpr std::uintmax_t quick_check_up_to_bytes = std::uintmax_t{256} << 20U;

constexpr std::string_view row_columns =
    "SELECT game, attempt, round, pair, white, black, opening, started, ended, white_score, black_score, reason, article, detail, "
    "undecided, annulled, plies, duration_ns, counted, voided, id, start FROM games AS g ";

std::string json_of(const Fact& fact) {
  std::string text;
  append_json(text, fact);
  return text;
}

/// An attempt that is being written: its row, and its events of the transaction at work.
struct RunningGame {
  std::int64_t id = 0;
  int next_part = 0;
  int count = 0;
  std::string chunk;  // JSON array, open
};

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(std::unique_ptr<OwnerLock> lock, std::unique_ptr<Connection> connection)
      : lock_(std::move(lock)), connection_(std::move(connection)) {}

  void prepare_writing();
  void write_plan(const PlanRecord& plan) override;
  void write_all(std::span<const std::vector<Fact>> parts) override;

  [[nodiscard]] std::optional<PlanRecord> plan() const override;
  void each_game(const std::function<void(GameRow)>& see) const override;
  [[nodiscard]] std::vector<GameRow> attempts() const override;
  void each_heading(const std::function<void(GameHeading)>& see) const override;
  [[nodiscard]] std::optional<RecordedGame> game(int number) const override;
  [[nodiscard]] std::optional<RecordedGame> game(int number, int attempt) const override;
  [[nodiscard]] std::optional<RecordedGame> moves_of(const GameRow& row) const override;
  [[nodiscard]] std::vector<EngineFault> faults(std::size_t after, std::size_t at_most) const override;
  [[nodiscard]] std::size_t count_faults() const override;
  [[nodiscard]] std::vector<EngineWarning> warnings() const override;
  [[nodiscard]] std::vector<EngineWithdrawn> withdrawals() const override;
  [[nodiscard]] std::vector<Fact> matters() const override;
  [[nodiscard]] int schema_version() const override { return static_cast<int>(connection_->integer("PRAGMA user_version")); }
  [[nodiscard]] const std::string& path() const noexcept override { return connection_->path(); }

 private:
  struct Writing {  // statements of write(), prepared once
    explicit Writing(Connection& c);
    Statement begin, commit, rollback, find_game, next_part, start_game, end_game, void_game, add_events, add_warning, add_fault,
        add_matter;
  };

  void write_fact(const Fact& fact);
  void start(const GameStarted& started);
  void end(const GameEnded& ended);
  void store_chunk(RunningGame& running);
  RunningGame& running(int game);
  [[nodiscard]] std::optional<std::int64_t> find(int game) const;

  [[nodiscard]] GameRow readable(const Statement& row) const;
  [[nodiscard]] std::optional<RecordedGame> read_game(Statement& row) const;

  std::unique_ptr<OwnerLock> lock_;  // given back after the connection has closed
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Writing> writing_;
  struct Reading {  // statements of moves_of(), prepared once
    explicit Reading(Connection& c)
        : start(c, "SELECT id, start FROM games WHERE game = ? AND attempt = ?"),
          events(c, "SELECT facts FROM events WHERE game_id = ? ORDER BY part") {}
    Statement start, events;
  };
  mutable std::mutex reading_mutex_;  // guards reading_
  mutable std::unique_ptr<Reading> reading_;
  std::unordered_map<int, RunningGame> running_;
  std::string spare_chunk_;  // empty, with the room of one that was written
  std::int64_t ended_ = 0;
};

SqliteJournal::Writing::Writing(Connection& c)
    : begin(c, "BEGIN IMMEDIATE"),
      commit(c, "COMMIT"),
      rollback(c, "ROLLBACK"),
      find_game(c, "SELECT id FROM games WHERE game = ? ORDER BY attempt DESC LIMIT 1"),
      next_part(c, "SELECT coalesce(max(part) + 1, 0) FROM events WHERE game_id = ?"),
      start_game(c,
                 "INSERT INTO games (game, attempt, round, pair, white, black, opening, edition, started, start) "
                 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      end_game(
          c,
          "UPDATE games SET ended = ?, end_order = ?, result = ?, white_score = ?, black_score = ?, reason = ?, article = ?, detail = ?, "
          "undecided = ?, annulled = ?, plies = ?, duration_ns = ?, counted = ? WHERE id = ?"),
      void_game(c, "UPDATE games SET voided = 1 WHERE id = ?"),
      add_events(c, "INSERT INTO events (game_id, part, count, facts) VALUES (?, ?, ?, ?)"),
      add_warning(c, "INSERT INTO warnings (game_id, game, ply, engine, kind, text, line) VALUES (?, ?, ?, ?, ?, ?, ?)"),
      add_fault(c, "INSERT INTO faults (game_id, game, engine, reason, detail, log) VALUES (?, ?, ?, ?, ?, ?)"),
      add_matter(c, "INSERT INTO matters (fact) VALUES (?)") {}

void SqliteJournal::prepare_writing() {
  writing_ = std::make_unique<Writing>(*connection_);
  ended_ = connection_->integer("SELECT coalesce(max(end_order), 0) FROM games");
}

void SqliteJournal::write_plan(const PlanRecord& plan) {
  sqlite::Transaction transaction(*connection_);
  connection_->execute("DELETE FROM plan; DELETE FROM fingerprints");
  Statement row(*connection_, "INSERT INTO plan (id, match_file, digest, planned_games, edition) VALUES (1, ?, ?, ?, ?)");
  row.bind(1, plan.match_file_text).bind(2, plan.digest).bind(3, plan.planned_games).bind(4, plan.edition_text).run();
  Statement fingerprint(*connection_, "INSERT INTO fingerprints (name, value) VALUES (?, ?)");
  for (const auto& [name, value] : plan.fingerprints) fingerprint.bind(1, name).bind(2, value).run();
  transaction.commit();
}

void SqliteJournal::write_all(std::span<const std::vector<Fact>> parts) {
  if (writing_ == nullptr) throw JournalError(path() + ": opened for reading only");
  writing_->begin.run();
  const std::int64_t ended_before = ended_;
  try {
    for (const auto& facts : parts) {
      for (const Fact& fact : facts) write_fact(fact);
    }
    for (auto& [number, game] : running_) store_chunk(game);
    writing_->commit.run();
  } catch (...) {
    running_.clear();  // read again from the file when needed
    ended_ = ended_before;
    try {
      writing_->rollback.run();
    } catch (const JournalError&) {
      // SQLite has rolled back by itself (disk full, I/O error): the first error is the one to tell.
    }
    throw;
  }
}

void SqliteJournal::write_fact(const Fact& fact) {
  if (const auto* judged = std::get_if<EventJudged>(&fact)) {
    RunningGame& game = running(judged->game);
    game.chunk += game.count++ == 0 ? "[" : ",\n";
    if (!append_turn(game.chunk, *judged)) append_event(game.chunk, *judged);
  } else if (const auto* started = std::get_if<GameStarted>(&fact)) {
    start(*started);
  } else if (const auto* ended = std::get_if<GameEnded>(&fact)) {
    end(*ended);
  } else if (const auto* warning = std::get_if<EngineWarning>(&fact)) {
    Statement& row = writing_->add_warning;
    row.bind(1, find(warning->game)).bind(2, warning->game).bind(3, warning->ply).bind_bytes(4, warning->engine);
    row.bind_bytes(5, warning->kind).bind_bytes(6, warning->text).bind_bytes(7, warning->line).run();
  } else if (const auto* fault = std::get_if<EngineFault>(&fact)) {
    Statement& row = writing_->add_fault;
    row.bind(1, find(fault->game)).bind(2, fault->game).bind_bytes(3, fault->engine).bind(4, game::code(fault->reason));
    row.bind_bytes(5, fault->detail).bind_bytes(6, fault->log).run();
  } else {
    if (const auto* voided = std::get_if<GameVoided>(&fact)) {
      if (const auto id = find(voided->game)) writing_->void_game.bind(1, *id).run();
    }
    writing_->add_matter.bind(1, json_of(fact)).run();
  }
}

void SqliteJournal::start(const GameStarted& started) {
  std::string at;
  append_time(at, started.at);
  const std::string json = json_of(started);
  running_.erase(started.game);
  Statement& row = writing_->start_game;
  row.bind(1, started.game).bind(2, started.attempt).bind(3, started.round).bind(4, started.pair).bind_bytes(5, started.white);
  row.bind_bytes(6, started.black).bind_bytes(7, started.opening).bind_bytes(8, started.edition).bind(9, at).bind(10, json).run();
  RunningGame& game = running_[started.game];
  game.id = connection_->last_row_id();
  game.chunk = std::exchange(spare_chunk_, {});
}

void SqliteJournal::end(const GameEnded& ended) {
  RunningGame& game = running(ended.game);
  store_chunk(game);
  std::string at;
  append_time(at, ended.at);
  const game::Outcome& outcome = ended.outcome;
  const std::string result = game::result_text(outcome);
  Statement& row = writing_->end_game;
  row.bind(1, at).bind(2, ++ended_).bind(3, result).bind_real(4, outcome.score.white / 100.0).bind_real(5, outcome.score.black / 100.0);
  row.bind(6, game::code(outcome.reason)).bind_bytes(7, outcome.article).bind_bytes(8, outcome.detail).bind(9, outcome.undecided ? 1 : 0);
  row.bind(10, outcome.annulled ? 1 : 0).bind(11, ended.plies).bind(12, ended.duration.count()).bind(13, ended.counted ? 1 : 0);
  row.bind(14, game.id).run();
  spare_chunk_ = std::move(game.chunk);
  running_.erase(ended.game);
}

void SqliteJournal::store_chunk(RunningGame& running) {
  if (running.count == 0) return;
  running.chunk += ']';
  writing_->add_events.bind(1, running.id).bind(2, running.next_part).bind(3, running.count).bind(4, running.chunk).run();
  ++running.next_part;
  running.count = 0;
  running.chunk.clear();
}

RunningGame& SqliteJournal::running(int game) {
  const auto found = running_.find(game);
  if (found != running_.end()) return found->second;
  const auto id = find(game);
  if (!id) throw JournalError(path() + ": a fact of game " + std::to_string(game) + ", which was never started");
  RunningGame& entry = running_[game];
  entry.id = *id;
  Statement& part = writing_->next_part;
  part.bind(1, *id);
  if (part.step()) entry.next_part = static_cast<int>(part.integer(0));
  part.reset();
  return entry;
}

std::optional<std::int64_t> SqliteJournal::find(int game) const {
  const auto found = running_.find(game);
  if (found != running_.end()) return found->second.id;
  Statement& statement = writing_->find_game;
  statement.bind(1, game);
  std::optional<std::int64_t> id;
  if (statement.step()) id = statement.integer(0);
  statement.reset();
  return id;
}

std::optional<PlanRecord> SqliteJournal::plan() const {
  // A journal opened for reading stays as it was written.
  const bool has_edition = schema_version() >= 2;
  Statement row(*connection_, has_edition ? "SELECT match_file, digest, planned_games, edition FROM plan"
                                          : "SELECT match_file, digest, planned_games FROM plan");
  if (!row.step()) return std::nullopt;
  PlanRecord plan;
  plan.match_file_text = row.text(0);
  plan.digest = row.text(1);
  plan.planned_games = static_cast<int>(row.integer(2));
  if (has_edition) plan.edition_text = row.text(3);
  Statement fingerprint(*connection_, "SELECT name, value FROM fingerprints");
  while (fingerprint.step()) plan.fingerprints.emplace(fingerprint.text(0), fingerprint.text(1));
  return plan;
}

GameRow read_row(const Statement& row) {
  GameRow game;
  const auto integer = [&](int column) { return static_cast<int>(row.integer(column)); };
  if (row.integer(0) < 1 || row.integer(0) > most_games)
    throw FactError("its number is " + std::to_string(row.integer(0)) + " (expected 1 to " + std::to_string(most_games) + ")");
  game.game = integer(0);
  game.attempt = integer(1);
  game.round = integer(2);
  game.pair = integer(3);
  game.white = row.bytes(4);
  game.black = row.bytes(5);
  game.opening = row.bytes(6);
  game.started = parse_time(row.text(7));
  if (!row.is_null(8)) {
    game.ended = parse_time(row.text(8));
    game::Outcome outcome;
    outcome.score = {static_cast<int>(std::lround(row.real(9) * 100)), static_cast<int>(std::lround(row.real(10) * 100))};
    outcome.reason = game::parse_reason(row.text(11));
    outcome.article = row.bytes(12);
    outcome.detail = row.bytes(13);
    outcome.undecided = integer(14) != 0;
    outcome.annulled = integer(15) != 0;
    game.outcome = std::move(outcome);
  }
  game.plies = integer(16);
  game.duration = game::Duration(row.integer(17));
  game.counted = integer(18) != 0;
  game.voided = integer(19) != 0;
  return game;
}

GameRow SqliteJournal::readable(const Statement& row) const {
  try {
    return read_row(row);
  } catch (const FactError& error) { throw JournalError(path() + ": a line of the table of games cannot be read: " + error.what()); }
}

void SqliteJournal::each_game(const std::function<void(GameRow)>& see) const {
  Statement row(*connection_,
                std::string(row_columns) + "WHERE attempt = (SELECT max(attempt) FROM games WHERE game = g.game) ORDER BY game");
  while (row.step()) see(readable(row));
}

std::vector<GameRow> SqliteJournal::attempts() const {
  Statement row(*connection_, std::string(row_columns) + "ORDER BY end_order IS NULL, end_order, id");
  std::vector<GameRow> games;
  while (row.step()) games.push_back(readable(row));
  return games;
}

void SqliteJournal::each_heading(const std::function<void(GameHeading)>& see) const {
  Statement row(*connection_, "SELECT game, attempt, json_extract(start, '$.event'), json_extract(start, '$.site') FROM games");
  while (row.step()) see({static_cast<int>(row.integer(0)), static_cast<int>(row.integer(1)), row.bytes(2), row.bytes(3)});
}

std::optional<RecordedGame> SqliteJournal::game(int number) const {
  Statement row(*connection_, std::string(row_columns) + "WHERE game = ? ORDER BY attempt DESC LIMIT 1");
  row.bind(1, number);
  return read_game(row);
}

std::optional<RecordedGame> SqliteJournal::game(int number, int attempt) const {
  Statement row(*connection_, std::string(row_columns) + "WHERE game = ? AND attempt = ?");
  row.bind(1, number).bind(2, attempt);
  return read_game(row);
}

std::vector<EngineWarning> read_warnings(Statement& row) {
  std::vector<EngineWarning> warnings;
  while (row.step())
    warnings.push_back(
        {static_cast<int>(row.integer(0)), static_cast<int>(row.integer(1)), row.bytes(2), row.bytes(3), row.bytes(4), row.bytes(5)});
  return warnings;
}
constexpr std::string_view warning_columns = "SELECT game, ply, engine, kind, text, line FROM warnings ";

std::vector<EngineFault> read_faults(Statement& row) {
  std::vector<EngineFault> faults;
  while (row.step())
    faults.push_back({static_cast<int>(row.integer(0)), row.bytes(1), game::parse_reason(row.text(2)), row.bytes(3), row.bytes(4)});
  return faults;
}
constexpr std::string_view fault_columns = "SELECT game, engine, reason, detail, log FROM faults ";

std::optional<RecordedGame> SqliteJournal::read_game(Statement& row) const {
  if (!row.step()) return std::nullopt;
  RecordedGame recorded;
  try {
    recorded.row = read_row(row);
    const std::int64_t id = row.integer(20);
    recorded.started = std::get<GameStarted>(parse_fact(row.text(21)));
    Statement chunk(*connection_, "SELECT facts FROM events WHERE game_id = ? ORDER BY part");
    chunk.bind(1, id);
    while (chunk.step()) {
      std::vector<EventJudged> events = parse_events(chunk.text(0), recorded.row.game);
      recorded.events.insert(recorded.events.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    }
    Statement warnings(*connection_, std::string(warning_columns) + "WHERE game_id = ? ORDER BY id");
    warnings.bind(1, id);
    recorded.warnings = read_warnings(warnings);
    Statement faults(*connection_, std::string(fault_columns) + "WHERE game_id = ? ORDER BY id");
    faults.bind(1, id);
    recorded.faults = read_faults(faults);
  } catch (const FactError& error) {
    throw JournalError(path() + ": game " + std::to_string(recorded.row.game) + " cannot be read: " + error.what());
  } catch (const std::bad_variant_access&) {
    throw JournalError(path() + ": game " + std::to_string(recorded.row.game) + " cannot be read: its start is another fact");
  }
  return recorded;
}

std::optional<RecordedGame> SqliteJournal::moves_of(const GameRow& row) const {
  const std::lock_guard lock(reading_mutex_);
  if (reading_ == nullptr) reading_ = std::make_unique<Reading>(*connection_);
  Statement& start = reading_->start;
  start.reset();
  start.bind(1, row.game).bind(2, row.attempt);
  if (!start.step()) return std::nullopt;
  RecordedGame recorded;
  recorded.row = row;
  try {
    recorded.started = std::get<GameStarted>(parse_fact(start.text(1)));
    Statement& events = reading_->events;
    events.reset();
    events.bind(1, start.integer(0));
    while (events.step()) {
      std::vector<EventJudged> part = parse_events(events.text(0), row.game);
      if (recorded.events.empty())
        recorded.events = std::move(part);
      else
        recorded.events.insert(recorded.events.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    }
    events.reset();
  } catch (const FactError& error) {
    throw JournalError(path() + ": game " + std::to_string(row.game) + " cannot be read: " + error.what());
  } catch (const std::bad_variant_access&) {
    throw JournalError(path() + ": game " + std::to_string(row.game) + " cannot be read: its start is another fact");
  }
  start.reset();
  return recorded;
}

std::vector<EngineFault> SqliteJournal::faults(std::size_t after, std::size_t at_most) const {
  Statement row(*connection_, std::string(fault_columns) + "ORDER BY id LIMIT ? OFFSET ?");
  row.bind(1, static_cast<std::int64_t>(at_most)).bind(2, static_cast<std::int64_t>(after));
  return read_faults(row);
}

std::size_t SqliteJournal::count_faults() const { return static_cast<std::size_t>(connection_->integer("SELECT count(*) FROM faults")); }

std::vector<EngineWarning> SqliteJournal::warnings() const {
  Statement row(*connection_, std::string(warning_columns) + "ORDER BY id");
  return read_warnings(row);
}

std::vector<Fact> SqliteJournal::matters() const {
  Statement row(*connection_, "SELECT fact FROM matters ORDER BY id");
  std::vector<Fact> facts;
  try {
    while (row.step()) facts.push_back(parse_fact(row.text(0)));
  } catch (const FactError& error) { throw JournalError(path() + ": a matter cannot be read: " + error.what()); }
  return facts;
}

std::vector<EngineWithdrawn> SqliteJournal::withdrawals() const {
  std::vector<EngineWithdrawn> found;
  for (Fact& fact : matters())
    if (auto* withdrawn = std::get_if<EngineWithdrawn>(&fact)) found.push_back(std::move(*withdrawn));
  return found;
}

bool holds_nothing(Connection& connection) {
  return connection.integer("PRAGMA application_id") == 0 && connection.integer("SELECT count(*) FROM sqlite_master") == 0;
}

void refuse_damage(Connection& connection, const std::string& path) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) > quick_check_up_to_bytes || error) return;
  Statement check(connection, "PRAGMA quick_check(1)");
  if (check.step() && check.text(0) != "ok")
    throw JournalError(path + ": damaged (" + std::string(check.text(0)) + "); restore it from a copy, or start anew with --fresh");
}

/// Beside, under the first name that is free: *.old, *.old.2, *.old.3 ...
void keep_old(const std::string& path) {
  std::error_code error;
  std::string beside = path + ".old";
  for (int number = 2; std::filesystem::exists(beside, error); ++number) beside = path + ".old." + std::to_string(number);
  for (const char* part : {"", "-wal", "-shm"}) {
    std::filesystem::rename(path + part, beside + part, error);
    if (error && error != std::errc::no_such_file_or_directory)
      throw JournalError(path + part + ": cannot be moved aside: " + error.message());
    if (error) std::filesystem::remove(beside + part, error);
  }
}

}  // namespace

JournalError::Cause JournalError::cause_of(int system_error) noexcept {
  return system_error == ENOSPC || system_error == EDQUOT ? Cause::no_room : Cause::other;
}

std::unique_ptr<Journal> Journal::open(const std::string& given_path, Mode mode) {
  std::error_code error;
  const bool exists = std::filesystem::exists(given_path, error);
  if (std::filesystem::is_directory(given_path, error)) throw JournalError(given_path + ": a folder, not a journal");
  const bool must_exist = mode == Mode::read_only || mode == Mode::open_existing;
  if (!exists && must_exist) throw JournalError(given_path + ": no such journal");
  if (mode == Mode::read_only) {
    auto connection = std::make_unique<Connection>(given_path, sqlite::Access::read_only);
    if (holds_nothing(*connection)) throw JournalError(given_path + ": holds no journal yet");
    (void)check_schema(*connection);  // what earlier versions wrote is read as it is
    return std::make_unique<SqliteJournal>(nullptr, std::move(connection));
  }

  if (const auto folder = std::filesystem::path(given_path).parent_path(); !folder.empty()) {
    std::filesystem::create_directories(folder, error);
    if (error) throw JournalError(folder.string() + ": cannot be made: " + error.message());
  }
  // One journal has one lock, by whatever name it is reached.
  const auto canonical = std::filesystem::weakly_canonical(given_path, error);
  const std::string path = error ? given_path : canonical.string();
  auto lock = std::make_unique<OwnerLock>(path);
  if (mode == Mode::replace) keep_old(path);
  auto connection = std::make_unique<Connection>(path, must_exist ? sqlite::Access::read_write : sqlite::Access::create);
  const bool fresh = holds_nothing(*connection);
  if (fresh && must_exist) throw JournalError(path + ": holds no journal yet");
  if (!fresh && mode == Mode::create_new) throw JournalError(path + ": exists already");
  const int version = fresh ? 0 : check_schema(*connection);
  if (!fresh) refuse_damage(*connection, path);
  if (fresh) connection->execute("PRAGMA page_size = 16384");  // a game's events fill a page: fewer, larger writes
  connection->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000; PRAGMA foreign_keys = ON");
  migrate(*connection, version);
  auto journal = std::make_unique<SqliteJournal>(std::move(lock), std::move(connection));
  journal->prepare_writing();
  return journal;
}

void Journal::each_heading(const std::function<void(GameHeading)>& see) const {
  for (const GameRow& row : attempts()) {
    if (auto recorded = game(row.game, row.attempt)) {
      see({row.game, row.attempt, std::move(recorded->started.event), std::move(recorded->started.site)});
    }
  }
}

std::vector<GameRow> Journal::games() const {
  std::vector<GameRow> games;
  each_game([&games](GameRow row) { games.push_back(std::move(row)); });
  return games;
}

}  // namespace referee::record
