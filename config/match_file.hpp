// The match file (DESIGN section 6) as typed values. Reading reports file:line:column; unknown keys are refused with a suggestion.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/error.hpp"
#include "engine_iface/engine.hpp"
#include "referee/clock/time_control.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/edition.hpp"

namespace referee::config {

using clock::Duration;

enum class ScheduleKind { match, round_robin, gauntlet, swiss, knockout, pyramid };
enum class KnockoutDraw { seeded /* first against last, as the file or the ratings rank them */, drawn };
/// What decides a knockout encounter that is still level after its extra pairs.
enum class LastResort { armageddon /* one game, a draw counts for Black */, lot, higher_seed };
struct Schedule {
  ScheduleKind kind = ScheduleKind::round_robin;
  int cycles = 1;
  int games_per_pairing = 2;
  std::optional<int> games;        // two engines
  std::vector<std::string> seeds;  // gauntlet: the engines that meet all others (default: the first)
  std::optional<int> nearest;      // gauntlet: a seed meets this many others, those nearest to it in `ratings`
  std::string ratings;             // rating list, CSV or JSON; absolute; ranks a Swiss or knockout field
  std::optional<int> rounds;       // Swiss; default: as many as a knockout would need
  KnockoutDraw draw = KnockoutDraw::seeded;
  int extra_pairs = 2;  // knockout: further pairs of games while an encounter is level
  LastResort last_resort = LastResort::armageddon;
  /// Of the deciding game, White's and Black's, whoever they are; else each engine's own.
  std::optional<std::array<clock::TimeControl, 2>> deciding_time;
  std::uint64_t seed = 1;  // of lots: the knockout's draw, the colours of a Swiss first round
  Place place;
};
enum class OpeningOrder { sequential, random };
/// What has an opening of its own: each pair of games; all games of two engines in a round; a whole round.
enum class OpeningPolicy { pairing, encounter, round };
enum class OpeningFormat { epd /* FEN lists too */, pgn, polyglot };
struct Openings {
  std::string file;                     // absolute after reading; empty = the initial position
  std::optional<OpeningFormat> format;  // default from the name
  OpeningOrder order = OpeningOrder::sequential;
  std::uint64_t seed = 1;
  int start = 1;  // 1-based line
  std::optional<int> plies;
  bool repeat = true;  // each opening twice, colours swapped
  OpeningPolicy policy = OpeningPolicy::pairing;
  Place place;
};
enum class OnFault { lose, replay_once };
enum class VoidScope { remaining, all };
struct Faults {
  OnFault crash = OnFault::lose, hang = OnFault::lose, time = OnFault::lose, illegal = OnFault::lose;
  std::optional<int> withdraw_after = 5;
  VoidScope void_scope = VoidScope::remaining;
};
enum class OnInterrupt { replay, resume };
enum class Restart { automatic, on, off };
/// Games that the tables know are ended, once at most `pieces` men (kings included) are on the board and nobody may castle.
struct Syzygy {
  std::string path;        // folders with .rtbw files, absolute, ':' between
  int pieces = 7;          // at most; the tables may end earlier
  bool ignore_50 = false;  // wins and losses that the fifty-move rule spoils count as such, and not as draws
  friend bool operator==(const Syzygy&, const Syzygy&) = default;
};
/// Time controls are stretched by reference_nps / the speed of `bench` measured before the start.
struct Scale {
  std::uint64_t reference_nps = 0;
  std::string bench;  // name of the engine that is measured
  friend bool operator==(const Scale&, const Scale&) = default;
};
enum class Pinning { off, automatic, listed };
struct Sprt {
  double elo0 = 0, elo1 = 2, alpha = 0.05, beta = 0.05;
  std::string model = "normalized";
};

/// A Polyglot book from which the referee plays an engine's first moves: they take no time.
struct EngineBook {
  std::string file;  // absolute
  int plies = 20;    // of the game, the match's opening included
};

/// Keys an engine may have; those under `defaults` apply where the engine's own is absent.
struct EngineEntry {
  std::string name;
  std::string command;  // as resolved: absolute
  std::vector<std::string> arguments;
  std::string folder;                            // absolute or empty (private)
  std::optional<engine::ProtocolKind> protocol;  // default uci
  std::vector<engine::EngineOption> options;
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<clock::TimeControl> time_control;
  engine::SearchLimits limits;
  Duration time_margin{};
  bool ponder = false;
  Restart restart = Restart::automatic;
  engine::Timeouts timeouts;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> processors;  // that it uses at a time, under strict; default: one more than the threads its options name
  std::optional<std::uint64_t> processes;   // and threads, at most; default: the launcher's
  std::vector<std::string> readable;        // absolute: what `isolation: strict` shows it besides what it is known to need
  std::optional<EngineBook> book;
  engine::ClockStamp clock_stamp = engine::ClockStamp::arrival;
  engine::Isolation isolation = engine::Isolation::basic;
  Place place;
};

/// What the Laws leave to the event.
struct EventRules {
  std::optional<Duration> default_time;  // later than this loses (6.7), zero included; default: the edition's
  bool guidelines_iii = false;           // quickplay finish without increments (guidelines III)
  bool agreement_forbidden = false;      // 9.1.1
  int agreement_min_moves = 0;           // no draw is agreed before both sides have made so many moves (9.1.1)
  friend bool operator==(const EventRules&, const EventRules&) = default;
};

enum class PgnComments { none, tags /* [%eval] [%clk] [%emt] */, engine /* +0.30/13 0.28s */ };
struct Output {
  std::string folder;                                                     // absolute
  std::string pgn = "games.pgn", journal = "match.sqlite", live, events;  // relative to folder; live, events: empty = none
  PgnComments comments = PgnComments::tags;
  bool depth = true, nodes = false, pv = false;
  bool openings = true;  // ECO, Opening and Variation tags
  bool protocol_log = false;
  std::vector<std::string> also_hidden;  // not of the file: what a service keeps beside it, hidden from engines as the records are
};

struct MatchFile {
  std::string path;                           // absolute; where relative paths start
  std::string event = "?", site = "?", date;  // date: "2026.12.24", "2026.12.??"; empty: the day of each game
  std::string edition = "engine-practice";    // id or path, resolved by editions.hpp
  std::optional<laws::Supervision> supervision;
  EventRules rules;
  clock::TimeControl time_control;  // default 10+0.1
  Schedule schedule;
  Openings openings;
  bool chess960 = false;
  game::Adjudication adjudication;
  std::optional<Syzygy> syzygy;
  std::optional<Sprt> sprt;
  Faults faults;
  OnInterrupt on_interrupt = OnInterrupt::replay;
  std::optional<int> concurrency;  // nullopt = auto
  Duration wait_between_games{};
  std::string stop_at;  // local time, "2026-12-24 18:00" or "18:00": no game starts after it
  Pinning pin = Pinning::off;
  std::vector<int> cpus;  // with Pinning::listed
  std::optional<Scale> scale;
  std::vector<EngineEntry> engines;  // at least one; names differ; defaults already merged
  Output output;
};

/// Throws ConfigException. Relative paths (`folder` of the output and of an engine, `openings.file`, an edition's file, a `command` with a
/// slash) start at the match file's folder; a bare `command` is looked up in PATH, then in /usr/games. Engines, books and editions that
/// do not exist are errors here.
[[nodiscard]] MatchFile read_match_file(const std::string& path);
/// The same for a text that stands, or will stand, at `path`.
[[nodiscard]] MatchFile parse_match_file(const std::string& text, const std::string& path);
/// YAML that read_match_file reads back to the same value (referee match --save), with absolute paths; keys with their default are left
/// out.
[[nodiscard]] std::string to_yaml(const MatchFile& file);

}  // namespace referee::config
