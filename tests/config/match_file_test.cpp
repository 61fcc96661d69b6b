#include "config/match_file.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "config/command_path.hpp"
#include "tests/config/scene.hpp"

using namespace referee;
using namespace std::chrono_literals;
using config::Duration;
using config::MatchFile;
using test::Scene;
using test::two_engines;
namespace fs = std::filesystem;

TEST_CASE("the date of an event is kept as the PGN tag has it", "[match_file]") {
  const Scene scene("date");
  const auto date = [&](const std::string& text) {
    return scene.read("engines: [engines/alpha, engines/beta]\ndate: '" + text + "'\n").date;
  };
  CHECK(date("2026-12-24") == "2026.12.24");
  CHECK(date("2026.12.??") == "2026.12.??");
  CHECK(date("????.??.??") == "????.??.??");
  CHECK(date("2028.02.29") == "2028.02.29");
}

TEST_CASE("Everything has a default but the engines") {
  const Scene scene("defaults");
  const MatchFile match = scene.read(two_engines);
  CHECK(match.path == scene.path("m.yaml"));
  CHECK(match.event == "?");
  CHECK(match.edition == "engine-practice");
  CHECK(clock::to_text(match.time_control) == "10+0.1");
  CHECK(match.schedule.kind == config::ScheduleKind::round_robin);
  CHECK(match.schedule.games_per_pairing == 2);
  CHECK(match.openings.file.empty());
  CHECK(match.openings.repeat);
  CHECK_FALSE(match.concurrency.has_value());
  CHECK(match.faults.withdraw_after == 5);
  CHECK(match.on_interrupt == config::OnInterrupt::replay);
  CHECK(match.output.folder == scene.path("results/m"));
  CHECK(match.output.pgn == "games.pgn");
  CHECK(match.output.live.empty());
  REQUIRE(match.engines.size() == 2);
  CHECK(match.engines[0].name == "A");
  CHECK(match.engines[0].command == scene.path("engines/alpha"));
  CHECK(match.engines[0].folder == scene.path("engines"));
  CHECK(match.engines[0].time_margin == 0ms);
  CHECK(match.engines[1].place.line == 3);
}

TEST_CASE("Every key of the match file") {
  const Scene scene("every-key");
  const MatchFile match = scene.read(R"(event: Spring rapid
site: 'Tartu, Estonia'
date: 2026.04.01
edition: fide-2023
supervision: inadequate
time_control: 40/5400+30:1800+30
schedule: {kind: gauntlet, cycles: 3, games_per_pairing: 4, seeds: [A]}
openings: {file: book.epd, format: epd, order: random, seed: 42, start: 7, plies: 16, repeat: false}
chess960: true
adjudication:
  draw:   {move_number: 40, move_count: 8, score: 10, reset_on_zeroing: true}
  resign: {move_count: 4, score: 600, two_sided: true}
  max_moves: 200
  trusted_mates: true
faults: {crash: replay_once, hang: lose, time: lose, illegal: replay_once, withdraw_after: null, void: all}
on_interrupt: continue
concurrency: 3
wait_between_games: 250ms
defaults:
  options: {Hash: 16, Threads: 1, Book: off}
  environment: {LANG: C}
  time_margin: 20ms
  isolation: strict
  limits: {nodes: 5000}
engines:
  - name: A
    command: ./engines/alpha
    arguments: [--net, nets/a b.bin, 7]
    folder: engines/nets
    protocol: xboard
    options: {hash: 128, Style: "Risky play", Ponder: true, Empty: ''}
    environment: {LANG: et, OMP_NUM_THREADS: 1}
    time_control: 20+0.2
    limits: {depth: 12, movetime: 500ms, mate: 3}
    time_margin: 0ms
    ponder: true
    restart: on
    timeouts: {start: 1m, ready: 10s, stop: 2s, quit: 500ms, write: 3s, features: 4s, loading: 2m}
    memory: 2GB
    processes: 40
    readable: [engines/nets, book.epd]
    clock_stamp: kernel
    isolation: none
  - {name: B, command: engines/beta}
output: {folder: out/spring, pgn: g.pgn, journal: j.sqlite, live: live.pgn, events: e.jsonl, comments: engine, depth: false, nodes: true, pv: true, protocol_log: true}
)");
  CHECK(match.event == "Spring rapid");
  CHECK(match.site == "Tartu, Estonia");
  CHECK(match.date == "2026.04.01");
  CHECK(match.edition == "fide-2023");
  CHECK(match.supervision == laws::Supervision::inadequate);
  CHECK(match.time_control.periods.size() == 2);
  CHECK(match.schedule.kind == config::ScheduleKind::gauntlet);
  CHECK(match.schedule.cycles == 3);
  CHECK(match.schedule.games_per_pairing == 4);
  CHECK(match.schedule.seeds == std::vector<std::string>{"A"});
  CHECK(match.openings.file == scene.path("book.epd"));
  CHECK(match.openings.format == config::OpeningFormat::epd);
  CHECK(match.openings.order == config::OpeningOrder::random);
  CHECK(match.openings.seed == 42);
  CHECK(match.openings.start == 7);
  CHECK(match.openings.plies == 16);
  CHECK_FALSE(match.openings.repeat);
  CHECK(match.chess960);
  CHECK(match.adjudication.draw == game::Adjudication::DrawRule{40, 8, 10, true});
  CHECK(match.adjudication.resign == game::Adjudication::ResignRule{4, 600, true});
  CHECK(match.adjudication.max_moves == 200);
  CHECK(match.adjudication.trusted_mates);
  CHECK(match.faults.crash == config::OnFault::replay_once);
  CHECK(match.faults.illegal == config::OnFault::replay_once);
  CHECK_FALSE(match.faults.withdraw_after.has_value());
  CHECK(match.faults.void_scope == config::VoidScope::all);
  CHECK(match.on_interrupt == config::OnInterrupt::resume);
  CHECK(match.concurrency == 3);
  CHECK(match.wait_between_games == 250ms);
  const config::EngineEntry& a = match.engines.at(0);
  CHECK(a.arguments == std::vector<std::string>{"--net", "nets/a b.bin", "7"});
  CHECK(a.folder == scene.path("engines/nets"));
  CHECK(a.protocol == engine::ProtocolKind::xboard);
  // Options are merged name by name, whatever their case; values stay as they are written.
  REQUIRE(a.options.size() == 6);
  const auto option = [](const config::EngineEntry& engine, const std::string& name) {
    for (const auto& entry : engine.options) {
      if (entry.name == name) return entry.value;
    }
    return std::string("absent");
  };
  CHECK(option(a, "hash") == "128");
  CHECK(option(a, "Hash") == "absent");
  CHECK(option(a, "Threads") == "1");
  CHECK(option(a, "Book") == "off");
  CHECK(option(a, "Style") == "Risky play");
  CHECK(option(a, "Ponder") == "true");
  CHECK(option(a, "Empty").empty());
  CHECK(a.environment == std::vector<std::pair<std::string, std::string>>{{"LANG", "et"}, {"OMP_NUM_THREADS", "1"}});
  REQUIRE(a.time_control.has_value());
  CHECK(clock::to_text(*a.time_control) == "20+0.2");
  CHECK(a.limits.depth == 12);
  CHECK(a.limits.move_time == Duration(500ms));
  CHECK(a.limits.mate == 3);
  CHECK_FALSE(a.limits.nodes.has_value());  // the engine's own key wins
  CHECK(a.time_margin == 0ms);
  CHECK(a.ponder);
  CHECK(a.restart == config::Restart::on);
  CHECK(a.timeouts.start == 1min);
  CHECK(a.timeouts.ready == 10s);
  CHECK(a.timeouts.stop == 2s);
  CHECK(a.timeouts.quit == 500ms);
  CHECK(a.timeouts.write == 3s);
  CHECK(a.timeouts.features == 4s);
  CHECK(a.timeouts.features_extended == 2min);
  CHECK(a.memory_bytes == 2ULL << 30U);
  CHECK(a.processes == 40U);
  CHECK(a.readable == std::vector<std::string>{scene.path("engines/nets"), scene.path("book.epd")});
  CHECK(a.clock_stamp == engine::ClockStamp::kernel);
  CHECK(a.isolation == engine::Isolation::none);
  const config::EngineEntry& b = match.engines.at(1);
  CHECK(option(b, "Hash") == "16");
  CHECK(b.time_margin == 20ms);
  CHECK(b.isolation == engine::Isolation::strict);
  CHECK(b.limits.nodes == 5000);
  CHECK_FALSE(b.time_control.has_value());
  CHECK(match.output.folder == scene.path("out/spring"));
  CHECK(match.output.pgn == "g.pgn");
  CHECK(match.output.journal == "j.sqlite");
  CHECK(match.output.live == "live.pgn");
  CHECK(match.output.events == "e.jsonl");
  CHECK(match.output.comments == config::PgnComments::engine);
  CHECK_FALSE(match.output.depth);
  CHECK(match.output.nodes);
  CHECK(match.output.pv);
  CHECK(match.output.protocol_log);
}

TEST_CASE("Names of the old tools, short forms and periods in a list") {
  const Scene scene("short");
  const MatchFile match = scene.read(R"(time_control: [40/90m+30s, {moves: 20, time: 1h}, {time: '15:00', increment: 30}]
schedule: match
openings: book.epd
concurrency: auto
adjudication: {draw: {movenumber: 34, movecount: 8, score: 20}, resign: {movecount: 3, score: 600, twosided: true}}
engines: [engines/alpha, {command: engines/beta}]
)");
  CHECK(clock::to_pgn_tag(match.time_control) == "40/5400+30:20/3600:900+30");
  CHECK(match.schedule.kind == config::ScheduleKind::match);
  CHECK(match.openings.file == scene.path("book.epd"));
  CHECK(match.adjudication.draw == game::Adjudication::DrawRule{34, 8, 20, false});
  CHECK(match.adjudication.resign == game::Adjudication::ResignRule{3, 600, true});
  CHECK(match.engines.at(0).name == "alpha");
  CHECK(match.engines.at(1).name == "beta");
  CHECK(match.engines.at(0).folder == scene.path("engines"));
}

TEST_CASE("A bare command comes from PATH, then from /usr/games, and runs in a private folder") {
  const Scene scene("bare");
  const config::CommandPath shell = config::find_command("sh", "/");
  REQUIRE(shell.problem.empty());
  CHECK(shell.path.front() == '/');
  CHECK(config::find_command("no-such-program-anywhere", "/").problem ==
        "there is no program 'no-such-program-anywhere' in PATH or /usr/games");
  const MatchFile match = scene.read("engines: [{command: sh}, {name: other, command: sh, folder: engines}]\n");
  CHECK(match.engines.at(0).command == shell.path);
  CHECK(match.engines.at(0).folder.empty());
  CHECK(match.engines.at(1).folder == scene.path("engines"));
}

TEST_CASE("Errors of the match file name file, line, column and what was expected") {
  const Scene scene("errors");
  const auto engines_and = [](const std::string& text) { return two_engines + text; };
  struct Row {
    std::string text;
    std::string begins;
    std::string says;
  };
  const Row rows[] = {
      {"", "m.yaml: the match file is empty", "a map"},
      {"event: x\n", "m.yaml:1:1: the match file has no 'engines'", "engines"},
      {"engines: []\n", "m.yaml:1:10: 'engines' is a list", "at least one engine"},
      {"engines: stockfish\n", "m.yaml:1:10: 'engines' is 'stockfish'", "a list"},
      {engines_and("time_contol: 5\n"), "m.yaml:4:1: unknown key 'time_contol' in the match file", "'time_control'"},
      {engines_and("time_control: 40/240:60\n"), "m.yaml:4:21: time control '40/240:60'", "'40/240s:60s'"},
      {engines_and("time_control: '5:61'\n"), "m.yaml:4:18: time control '5:61'", "00 to 59"},
      {engines_and("time_control: [60, 5]\n"), "m.yaml:4:20: a period after one", "moves in every period"},
      {engines_and("time_control: [{time: 0}]\n"), "m.yaml:4:23: the period has no time", "above zero"},
      {engines_and("schedule: {kind: roundrobin}\n"), "m.yaml:4:18: 'roundrobin'", "'round-robin'"},
      {engines_and("schedule: {kind: gauntlet, seeds: [C]}\n"), "m.yaml:4:11: the seed 'C' is no engine", "engines"},
      {engines_and("schedule: {seeds: [A]}\n"), "m.yaml:4:19: 'seeds' belong to a gauntlet", "kind: gauntlet"},
      {engines_and("schedule: {games: 10, games_per_pairing: 2}\n"), "m.yaml:4:19: 'games' and 'games_per_pairing' together",
       "one of them"},
      {engines_and("schedule: {cycles: 0}\n"), "m.yaml:4:20: '0' is out of range", "from 1"},
      {engines_and("openings: {file: nowhere.epd}\n"), "m.yaml:4:18: there is no file nowhere.epd", ".epd, .fen, .pgn or .bin"},
      {engines_and("openings: {seed: -1}\n"), "m.yaml:4:18: '-1'", "a whole number from 0"},
      {engines_and("edition: fide-2032\n"), "m.yaml:4:10: there is no edition 'fide-2032'", "fide-2023"},
      {engines_and("edition: ./my.yaml\n"), "m.yaml:4:10: there is no file my.yaml", ".yaml file"},
      {engines_and("adjudication: {draw: {score: 5}}\n"), "m.yaml:4:22: 'draw' has no 'move_count'", "move_count"},
      {engines_and("adjudication: {draw: {movecount: 1, move_count: 2, score: 5}}\n"),
       "m.yaml:4:34: 'move_count' and 'movecount' mean the same", "one"},
      {engines_and("adjudication: {resign: {move_count: 3, score: 0}}\n"), "m.yaml:4:47: '0' is out of range", "from 1"},
      {engines_and("adjudication: {max_moves: many}\n"), "m.yaml:4:27: 'many'", "a whole number"},
      {engines_and("adjudication: {syzygy: {path: no-such-tables}}\n"), "m.yaml:4:31: there is no folder ", "a folder of .rtbw tables"},
      {engines_and("schedule: {kind: round-robin, rounds: 3}\n"), "m.yaml:4:39: 'rounds' belongs to another kind", "kind: swiss"},
      {engines_and("schedule: {kind: knockout, tie_breaks: {then: dice}}\n"), "m.yaml:4:47: ", "armageddon"},
      {engines_and("stop_at: noon\n"), "m.yaml:4:10: ", "18:00 or 2026-12-24 18:00"},
      {engines_and("stop_at: '99:99'\n"), "m.yaml:4:10: there is no time 99:99", "00:00 to 23:59"},
      {engines_and("stop_at: '2027-02-29 18:00'\n"), "m.yaml:4:10: there is no day 2027-02-29", "a day of the calendar"},
      {engines_and("date: 24.12.2026\n"), "m.yaml:4:7: '24.12.2026' is no date", "YYYY.MM.DD or YYYY-MM-DD"},
      {engines_and("date: 2026/12/24\n"), "m.yaml:4:7: '2026/12/24' is no date", "YYYY.MM.DD"},
      {engines_and("date: 2026.12-24\n"), "m.yaml:4:7: '2026.12-24' is no date", "YYYY.MM.DD"},
      {engines_and("date: '2026.1?.01'\n"), "m.yaml:4:7: '2026.1?.01' is no date", "?? for what is not known"},
      {engines_and("date: nan\n"), "m.yaml:4:7: 'nan' is no date", "YYYY.MM.DD"},
      {engines_and("date: '????.02.30'\n"), "m.yaml:4:7: there is no day ????.02.30", "a day of the calendar"},
      {engines_and("date: 2026-99-99\n"), "m.yaml:4:7: there is no day 2026-99-99", "a day of the calendar"},
      {engines_and("output: {pgn: games.pgn.gz}\n"), "m.yaml:4:15: 'games.pgn.gz' is the name of an archive", "without .gz"},
      {engines_and("openings: {file: engines}\n"), "m.yaml:4:18: engines is a folder", ".epd"},
      {engines_and("time_control: \"\\0\"\n"), "m.yaml:4:16: time control '\\0'", "(expected "},
      {engines_and("pin: sometimes\n"), "m.yaml:4:6: ", "auto"},
      {engines_and("scale: {reference_nps: 1000000, bench: Nobody}\n"), "m.yaml:4:8: 'Nobody' is no engine", "bench: a name"},
      {engines_and("sprt: {elo0: 5, elo1: 0}\n"), "m.yaml:4:7: elo0 is not below elo1", "elo0 < elo1"},
      {engines_and("sprt: {alpha: 0}\n"), "m.yaml:4:15: '0'", "a number from"},
      {engines_and("sprt: {model: pentanomial}\n"), "m.yaml:4:15: 'pentanomial'", "normalized, logistic, bayesian"},
      {engines_and("faults: {crash: loose}\n"), "m.yaml:4:17: 'loose'", "'lose'"},
      {engines_and("faults: {withdraw_after: 0}\n"), "m.yaml:4:26: '0' is out of range", "from 1"},
      {engines_and("on_interrupt: resume\n"), "m.yaml:4:15: 'resume'", "replay, continue"},
      {engines_and("concurrency: 0\n"), "m.yaml:4:14: '0' is out of range", "from 1"},
      {engines_and("wait_between_games: 5\n"), "m.yaml:4:22: '5': a number without its unit", "20ms, 5s or 2m"},
      {engines_and("output: {pgn: same, journal: same}\n"), "m.yaml:4:15: 'same' is named twice", "of its own"},
      {engines_and("output: {journal: null}\n"), "m.yaml:4:19: empty", "a file's name"},
      {engines_and("event: [a]\n"), "m.yaml:4:8: a list", "a text"},
      {engines_and("event: \"two\\nlines\"\n"), "m.yaml:4:8: not a text for a PGN tag", "one line"},
      {engines_and("chess960: yes\n"), "m.yaml:4:11: 'yes'", "true or false"},
      {engines_and("defaults: {name: X}\n"), "m.yaml:4:12: unknown key 'name' in 'defaults'", ""},
      {"engines: [{name: A}]\n", "m.yaml:1:11: the engine has no 'command'", "a path with a slash"},
      {"engines: [{command: engines/gamma}]\n", "m.yaml:1:21: there is no file engines/gamma", "a path"},
      {"engines: [{command: engines/readme.txt}]\n", "m.yaml:1:21: engines/readme.txt is not executable", "a path"},
      {"engines: [{command: ./engines}]\n", "m.yaml:1:21: engines is a folder", "a path"},
      {"engines: [{command: no-such-engine-here}]\n", "m.yaml:1:21: there is no program 'no-such-engine-here'", "PATH"},
      {"engines: [{command: ''}]\n", "m.yaml:1:21: the command is empty", "a path"},
      {"engines: [{command: engines/alpha, folder: nowhere}]\n", "m.yaml:1:44: there is no folder nowhere", "working folder"},
      {"engines: [engines/alpha, engines/alpha]\n", "m.yaml:1:26: two engines are named 'alpha', the first at line 1", "of its own"},
      {"engines: [{command: engines/alpha, name: ''}]\n", "m.yaml:1:42: the engine's name is empty", "1 to 100"},
      {"engines: [{command: engines/alpha, name: \"x\\e[2J\"}]\n", "m.yaml:1:42: the engine's name has a control character", "one line"},
      {"engines: [{command: engines/alpha, name: \"a\\x9bb\"}]\n", "m.yaml:1:42: the engine's name has a control character", "one line"},
      {"event: \"a\\u202eb\"\nengines: [{command: engines/alpha}]\n", "m.yaml:1:8: not a text for a PGN tag", "control"},
      {"engines: [{command: engines/alpha, protocol: usi}]\n", "m.yaml:1:46: 'usi'", "'uci'"},
      {"engines: [{command: engines/alpha, option: {Hash: 1}}]\n", "m.yaml:1:36: unknown key 'option' in the engine", "'options'"},
      {"engines: [{command: engines/alpha, options: {Hash: [1]}}]\n", "m.yaml:1:52: a list", "value"},
      {"engines: [{command: engines/alpha, options: {A: \"x\\ny\"}}]\n", "m.yaml:1:49: the option's value has a line end", "one line"},
      {"engines: [{command: engines/alpha, environment: {'A=B': 1}}]\n", "m.yaml:1:50: not a name of a variable", "without '='"},
      {"engines: [{command: engines/alpha, arguments: --uci}]\n", "m.yaml:1:47: '--uci'", "a list"},
      {"engines: [{command: engines/alpha, limits: {depth: 0}}]\n", "m.yaml:1:52: '0' is out of range", "from 1"},
      {"engines: [{command: engines/alpha, limits: {movetime: 500}}]\n", "m.yaml:1:58: '500': a number without its unit", "20ms"},
      {"engines: [{command: engines/alpha, time_margin: -5ms}]\n", "m.yaml:1:49: '-5ms'", "20ms"},
      {"engines: [{command: engines/alpha, timeouts: {start: 0s}}]\n", "m.yaml:1:54: a time limit of zero", "above zero"},
      {"engines: [{command: engines/alpha, timeouts: {begin: 5s}}]\n", "m.yaml:1:47: unknown key 'begin' in 'timeouts'", "start"},
      {"engines: [{command: engines/alpha, memory: 1KB}]\n", "m.yaml:1:44: too little memory", "1MB"},
      {"engines: [{command: engines/alpha, processes: 0}]\n", "m.yaml:1:47: '0' is out of range", "from 1"},
      {"engines: [{command: engines/alpha, readable: engines}]\n", "m.yaml:1:46: 'engines'", "a list of files and folders"},
      {"engines: [{command: engines/alpha, readable: [nets]}]\n", "m.yaml:1:47: there is no nets", "a list of files and folders"},
      {"engines: [{command: engines/alpha, book: own.bin}]\n", "m.yaml:1:42: there is no file own.bin", "Polyglot"},
      {"engines: [engines/alpha]\nschedule: match\n", "m.yaml:2:11: a match is for two engines, this file has 1", "two engines"},
      {"engines: [engines/alpha]\nschedule: {games: 4}\n", "m.yaml:2:11: 'games' is for two engines, this file has 1", "games_per_pairing"},
      {"engines: [{command: engines/alpha, name: \"Latin \xE4\"}]\n", "m.yaml:", ""},
      {"engines: [{command: engines/alpha, name: 'A '}]\n", "m.yaml:1:42: the engine's name begins or ends with a blank", "without"},
      {"engines: [{command: engines/alpha, options: {Hash: 16, hash: 32}}]\n", "m.yaml:1:56: 'Hash' and 'hash' are one option",
       "one value"},
      {engines_and("schedule: {kind: match, games: 4, cycles: 2}\n"), "m.yaml:4:32: 'games' and 'cycles' together", "one of them"},
      {engines_and("sprt: {}\nschedule: {kind: match, cycles: 2}\n"), "m.yaml:5:25: 'cycles' beside 'sprt'", "games:"},
      {engines_and("sprt: {}\nschedule: {kind: match, games_per_pairing: 4}\n"), "m.yaml:5:25: 'games_per_pairing' beside 'sprt'",
       "games:"},
      {engines_and("output: {folder: ., pgn: m.yaml}\n"), "m.yaml:4:9: 'm.yaml' is the match file", "of its own"},
      {engines_and("output: {folder: ., live: match.sqlite-wal}\n"), "m.yaml:4:9: 'match.sqlite-wal' is a part of the journal",
       "of its own"},
      {engines_and("output: {folder: ., pgn: control}\n"), "m.yaml:4:9: 'control' is the PGN of the games", "of its own"},
      {engines_and("output: {folder: ., events: faults}\n"), "m.yaml:4:9: 'faults' is the stream of events", "of its own"},
      {engines_and("output: {folder: ., journal: b.sqlite, pgn: protocol-b.sqlite}\n"),
       "m.yaml:4:9: 'protocol-b.sqlite' is the PGN of the games", "of its own"},
      {engines_and("output: {folder: ., events: engines/alpha}\n"), "m.yaml:4:9: 'engines/alpha' is the program of A", "of its own"},
      {"engines: [engines/alpha]\nsprt: {}\n", "m.yaml:2:7: 'sprt' is for two engines, this file has 1", "two engines"},
      {"engines: [engines/alpha\n", "m.yaml:2:1: ", "YAML"},
      {"engines: [engines/alpha]\nengines: []\n", "m.yaml:2:1: 'engines' is given twice", "once"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const std::string message = scene.refusal(row.text);
    CHECK_THAT(message, Catch::StartsWith(row.begins));
    CHECK_THAT(message, Catch::Contains(row.says));
  }
  CHECK_THROWS_WITH(config::read_match_file(scene.path("none.yaml")), Catch::Contains("none.yaml: cannot be opened"));
  CHECK_THROWS_WITH(config::read_match_file(scene.path("engines")), Catch::Contains("cannot be"));
}

TEST_CASE("What is written is read back to the same match") {
  const Scene scene("round-trip");
  const std::string texts[] = {two_engines,
                               "engines: [{command: sh, name: 'Odd: \"name\", #1'}, {command: engines/alpha, folder: null}]\n",
                               R"(event: 'A "quoted" name: with # signs'
time_control: 40/240s:60s
schedule: {kind: match, games: 2000}
openings: {file: book.epd, order: random, seed: 18446744073709551615, start: 3, plies: 8}
adjudication: {draw: {move_number: 34, move_count: 8, score: 20}, resign: {move_count: 3, score: 600, two_sided: true}, max_moves: 300}
sprt: {elo0: -1.75, elo1: 0.1, alpha: 0.05, beta: 0.1, model: logistic}
faults: {crash: replay_once, withdraw_after: null, void: all}
on_interrupt: continue
concurrency: 7
defaults: {options: {Hash: 16, 'Clear Hash': , Path: 'C:\x "y"'}, time_margin: 20ms, environment: {A: 'b c'}}
engines:
  - {name: A, command: engines/alpha, arguments: ['', '-x', 'two words', "tab\there"], limits: {nodes: 10000, movetime: 1500ms}, ponder: true}
  - {name: B, command: engines/beta, folder: engines/nets, protocol: xboard, restart: off, time_control: '300 delay 5', memory: 512MB, processes: 900, processors: 3,
     readable: [engines/nets], timeouts: {start: 90s, quit: 1500ms, loading: 1h}, clock_stamp: kernel, isolation: none}
output: {folder: out, live: live.pgn, comments: none, pv: true}
)",
                               R"(schedule: {kind: knockout, draw: drawn, tie_breaks: {pairs: 4, then: lot}, seed: 7, ratings: book.epd}
adjudication: {syzygy: {path: engines, pieces: 5, ignore_50: true}}
stop_at: '2026-12-24 18:00'
pin: [2, 4, 5]
scale: {reference_nps: 1500000, bench: A}
engines: [{name: A, command: engines/alpha}, {name: B, command: engines/beta}]
)",
                               R"(schedule: {kind: gauntlet, seeds: [B], ratings: book.epd, nearest: 3}
pin: auto
engines: [{name: A, command: engines/alpha}, {name: B, command: engines/beta}]
)",
                               R"(schedule: {kind: swiss, rounds: 5, seed: 3}
engines: [{name: A, command: engines/alpha}, {name: B, command: engines/beta}]
)"};
  for (const std::string& text : texts) {
    const MatchFile match = scene.read(text);
    const std::string written = config::to_yaml(match);
    INFO(written);
    const MatchFile again = scene.read(written);
    CHECK(config::to_yaml(again) == written);
    CHECK(again.event == match.event);
    CHECK(again.time_control == match.time_control);
    CHECK(again.schedule.games == match.schedule.games);
    CHECK(again.openings.file == match.openings.file);
    CHECK(again.openings.seed == match.openings.seed);
    CHECK(again.adjudication == match.adjudication);
    REQUIRE(again.sprt.has_value() == match.sprt.has_value());
    if (match.sprt) {
      CHECK(again.sprt->elo0 == match.sprt->elo0);
      CHECK(again.sprt->elo1 == match.sprt->elo1);
      CHECK(again.sprt->model == match.sprt->model);
    }
    CHECK(again.faults.withdraw_after == match.faults.withdraw_after);
    CHECK(again.output.folder == match.output.folder);
    REQUIRE(again.engines.size() == match.engines.size());
    for (std::size_t i = 0; i < match.engines.size(); ++i) {
      const auto& one = match.engines[i];
      const auto& two = again.engines[i];
      CHECK(two.name == one.name);
      CHECK(two.command == one.command);
      CHECK(two.folder == one.folder);
      CHECK(two.arguments == one.arguments);
      CHECK(two.environment == one.environment);
      CHECK(two.time_control == one.time_control);
      CHECK(two.limits == one.limits);
      CHECK(two.time_margin == one.time_margin);
      CHECK(two.memory_bytes == one.memory_bytes);
      CHECK(two.processes == one.processes);
      CHECK(two.processors == one.processors);
      CHECK(two.readable == one.readable);
      CHECK(two.timeouts.start == one.timeouts.start);
      CHECK(two.timeouts.features_extended == one.timeouts.features_extended);
      CHECK(two.timeouts.quit == one.timeouts.quit);
      REQUIRE(two.options.size() == one.options.size());
      for (std::size_t j = 0; j < one.options.size(); ++j) {
        CHECK(two.options[j].name == one.options[j].name);
        CHECK(two.options[j].value == one.options[j].value);
      }
    }
  }
}

namespace referee::config {

TEST_CASE("rules of the event") {
  const auto with = [](const std::string& rules) {
    return parse_match_file("rules: " + rules + "\nengines:\n  - {command: /bin/true, name: A}\n  - {command: /bin/true, name: B}\n",
                            "/tmp/rules.yaml");
  };
  const MatchFile file = with("{default_time: 15m, guidelines_iii: true, agreement_min_moves: 30}");
  CHECK(file.rules.default_time == std::chrono::minutes(15));
  CHECK(file.rules.guidelines_iii);
  CHECK_FALSE(file.rules.agreement_forbidden);
  CHECK(file.rules.agreement_min_moves == 30);
  CHECK(parse_match_file(to_yaml(file), "/tmp/rules.yaml").rules == file.rules);
  CHECK(with("{agreement: forbidden}").rules.agreement_forbidden);
  CHECK(with("{default_time: 0s}").rules.default_time == std::chrono::seconds(0));
  CHECK(with("{}").rules == EventRules{});

  const auto place = [&](const std::string& rules) {
    try {
      static_cast<void>(with(rules));
    } catch (const ConfigException& problem) { return std::to_string(problem.error().line) + ":" + std::to_string(problem.error().column); }
    return std::string("read");
  };
  CHECK(place("{default_time: 15}") == "1:25");  // where the unit is missing
  CHECK(place("{agreement: never}") == "1:20");
  CHECK(place("{agreement_min_moves: 0}") == "1:30");
  CHECK(place("{agreement: forbidden, agreement_min_moves: 30}") == "1:52");
  CHECK(place("{default_tme: 15m}") == "1:9");
}

}  // namespace referee::config

TEST_CASE("matches/README.md has every key that the match file knows") {
  const auto read = [](const std::string& path) {
    std::ifstream in(std::string(REFEREE_SOURCE_FOLDER) + "/" + path, std::ios::binary);
    REQUIRE(in);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  std::set<std::string> keys;
  for (const char* source : {"config/match_file.cpp", "config/engine_entry.cpp"}) {
    const std::string text = read(source);
    const std::regex asked(R"re((?:find|need)\(\s*"([A-Za-z0-9_]+)")re");
    for (std::sregex_iterator it(text.begin(), text.end(), asked), end; it != end; ++it) keys.insert((*it)[1]);
  }
  CHECK(keys.size() > 80);  // the sources were found
  std::set<std::string> words;
  const std::string document = read("matches/README.md");
  const std::regex word("[A-Za-z0-9_]+");
  for (std::sregex_iterator it(document.begin(), document.end(), word), end; it != end; ++it) words.insert(it->str());
  for (const std::string& key : keys) {
    INFO(key);
    CHECK(words.contains(key));
  }
}

TEST_CASE("a knockout's deciding game may have times of its own, written and read back") {
  const std::string head = "schedule: {kind: knockout, tie_breaks: {pairs: 1, then: ";
  const std::string engines = "engines:\n  - {name: A, command: /bin/true}\n  - {name: B, command: /bin/true}\n";
  const MatchFile match =
      config::parse_match_file(head + "armageddon, armageddon: {white: 5m, black: 4m+1s}}}\n" + engines, "/there/m.yaml");
  REQUIRE(match.schedule.deciding_time);
  CHECK((*match.schedule.deciding_time)[0].periods.front().base == 5min);
  CHECK((*match.schedule.deciding_time)[1].periods.front().base == 4min);
  CHECK((*match.schedule.deciding_time)[1].periods.front().increment == 1s);
  const MatchFile again = config::parse_match_file(config::to_yaml(match), "/there/m.yaml");
  CHECK(again.schedule.deciding_time == match.schedule.deciding_time);
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{{"lot, armageddon: {white: 5m, black: 4m}}}\n", "a game that is not played"},
                                                        {"armageddon, armageddon: {white: 5m}}}\n", "black"},
                                                        {"armageddon, armageddon: {white: 5m, black: 4q}}}\n", "m.yaml:1:"}}) {
    std::string said;
    try {
      (void)config::parse_match_file(head + text + engines, "/there/m.yaml");
    } catch (const config::ConfigException& error) { said = error.what(); }
    INFO(text);
    CHECK(said.find(expected) != std::string::npos);
  }
}
