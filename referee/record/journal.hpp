// The journal: one SQLite file a match (WAL), the single source of truth. It carries a schema version from the first day
// (schema.hpp lists the tables a user may query).
//
//   auto journal = Journal::open("match.sqlite", Journal::Mode::open_or_create);
//   journal->write_plan(plan);
//   journal->write(facts);                       // durable when it returns
//   for (const GameRow& row : journal->games()) ...
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "referee/record/fact.hpp"

namespace referee::record {

class JournalError : public std::exception {  // message names the file, what failed and what to do
 public:
  enum class Cause {
    other,
    no_room,  // the disk or the quota is full: the same may succeed later
  };
  explicit JournalError(std::string text, Cause cause = Cause::other) : text_(std::move(text)), cause_(cause) {}
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] Cause cause() const noexcept { return cause_; }
  /// What an error number of the system means for a record.
  [[nodiscard]] static Cause cause_of(int system_error) noexcept;

 private:
  std::string text_;
  Cause cause_;
};

/// What the match consists of, as recorded at its start: compared on resume, item by item.
struct PlanRecord {
  std::string match_file_text;
  std::string digest;  // of everything that decides a game
  /// What must not change between runs, by a name people understand: "engine Stockfish: binary" -> SHA-256, "openings" -> SHA-256, "plan"
  /// -> ..., options as text.
  std::map<std::string, std::string> fingerprints;
  int planned_games = 0;
  std::string edition_text = {};  // YAML of the whole edition, so that a replay needs nothing else; "" in journals of before
};

inline constexpr int most_games = 10'000'000;  // that a match may have

struct GameRow {
  int game = 0, attempt = 1, round = 1, pair = 1;
  std::string white, black, opening;
  WallTime started{};
  std::optional<WallTime> ended;
  std::optional<game::Outcome> outcome;  // nullopt: was running
  int plies = 0;
  game::Duration duration{};
  bool counted = true;
  bool voided = false;
  /// Does its result stand in the tables and statistics? Needs: the row of the attempt that stands.
  [[nodiscard]] bool counts() const noexcept { return outcome && counted && !voided && !outcome->annulled; }
  friend bool operator==(const GameRow&, const GameRow&) = default;
};

/// What else a game's record is known by.
struct GameHeading {
  int game = 0, attempt = 1;
  std::string event, site;
};

/// A whole game read back: enough to replay it event by event, and to write it as PGN.
struct RecordedGame {
  GameRow row;
  GameStarted started;
  std::vector<EventJudged> events;  // in order
  std::vector<EngineWarning> warnings;
  std::vector<EngineFault> faults;
};

class Journal {
 public:
  enum class Mode {
    create_new,  // refuses a file that is there
    open_existing,
    open_or_create,
    replace,  // a journal that is there is kept beside as *.old, *.old.2 ...
    read_only,
  };
  /// Throws JournalError. A second writer on the same file is refused with the owner (process id, host, since) named; readers are
  /// welcome while a match runs. A file of a newer schema, a damaged one and one of another program are refused, each with its own words.
  static std::unique_ptr<Journal> open(const std::string& path, Mode mode);
  virtual ~Journal() = default;

  /// Replaces the plan (a change that was accepted, cycles that were added). Durable on return.
  virtual void write_plan(const PlanRecord& plan) = 0;
  [[nodiscard]] virtual std::optional<PlanRecord> plan() const = 0;
  /// One transaction: all or nothing, durable (synchronous=FULL) on return. Facts of one game go to its last attempt that was started.
  /// Throws JournalError.
  virtual void write_all(std::span<const std::vector<Fact>> parts) = 0;
  void write(const std::vector<Fact>& facts) { write_all({&facts, 1}); }

  /// The last attempt of each game, by number; one at a time, where all at once would be too much.
  virtual void each_game(const std::function<void(GameRow)>& see) const = 0;
  [[nodiscard]] std::vector<GameRow> games() const;  // all at once
  /// Every attempt, in the order in which they ended; those still running last.
  [[nodiscard]] virtual std::vector<GameRow> attempts() const = 0;
  /// Of every attempt, in no order.
  virtual void each_heading(const std::function<void(GameHeading)>& see) const;
  [[nodiscard]] virtual std::optional<RecordedGame> game(int number) const = 0;  // last attempt
  [[nodiscard]] virtual std::optional<RecordedGame> game(int number, int attempt) const = 0;
  /// What views of many games need: start and events of the attempt that `row` tells, without its warnings and faults.
  [[nodiscard]] virtual std::optional<RecordedGame> moves_of(const GameRow& row) const { return game(row.game, row.attempt); }
  [[nodiscard]] std::vector<EngineFault> faults() const { return faults(0, count_faults()); }  // as they were recorded
  [[nodiscard]] virtual std::vector<EngineFault> faults(std::size_t after, std::size_t at_most) const = 0;
  [[nodiscard]] virtual std::size_t count_faults() const = 0;
  [[nodiscard]] virtual std::vector<EngineWarning> warnings() const = 0;
  [[nodiscard]] virtual std::vector<EngineWithdrawn> withdrawals() const = 0;
  /// Facts outside games in order: MatchStarted, EngineWithdrawn, ChangeAccepted, GameVoided, MatchPaused, MatchFinished.
  [[nodiscard]] virtual std::vector<Fact> matters() const = 0;
  [[nodiscard]] virtual int schema_version() const = 0;
  [[nodiscard]] virtual const std::string& path() const noexcept = 0;
};

}  // namespace referee::record
