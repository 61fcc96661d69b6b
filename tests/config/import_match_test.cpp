#include "config/import_match.hpp"

#include <catch2/catch.hpp>

#include "referee/clock/time_control.hpp"

using namespace referee;
using namespace referee::config;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

std::string import_refusal(const std::string& text) {
  try {
    (void)import_match(text, "/there/x.json");
  } catch (const ConfigException& error) { return error.what(); }
  return {};
}

std::string option(const EngineEntry& engine, std::string_view name) {
  for (const auto& each : engine.options)
    if (each.name == name) return each.value;
  return "(none)";
}

}  // namespace

TEST_CASE("cutechess' list of engines becomes a match file", "[import]") {
  const ImportedMatch imported = import_match(R"([
    {
        "command": "./stockfish",
        "name": "Stockfish 16",
        "protocol": "uci",
        "workingDirectory": "/engines/sf",
        "stderrFile": "",
        "ponder": true,
        "restart": "on",
        "initStrings": ["setoption name Clear Hash value x", "isready"],
        "options": [
            {"name": "Hash", "type": "spin", "value": 128, "default": 16, "min": 1, "max": 1024},
            {"name": "Threads", "type": "spin", "value": 1, "default": 1, "min": 1, "max": 8},
            {"name": "UCI_Chess960", "type": "check", "value": true, "default": false},
            {"name": "SyzygyPath", "type": "text", "value": "C:\\tb", "default": "<empty>"}
        ]
    },
    {"command": "gnuchess --xboard", "name": "GNU", "protocol": "xboard", "workingDirectory": "", "whitepov": true}
])",
                                              "/there/engines.json");
  const auto& engines = imported.match.engines;
  REQUIRE(engines.size() == 2);
  CHECK(engines[0].name == "Stockfish 16");
  CHECK(engines[0].command == "/engines/sf/stockfish");
  CHECK(engines[0].folder == "/engines/sf");
  CHECK(engines[0].protocol == engine::ProtocolKind::uci);
  CHECK(engines[0].ponder);
  CHECK(engines[0].restart == Restart::on);
  CHECK(option(engines[0], "Hash") == "128");
  CHECK(option(engines[0], "Threads") == "(none)");  // as the engine has it anyway
  CHECK(option(engines[0], "UCI_Chess960") == "true");
  CHECK(option(engines[0], "SyzygyPath") == "C:\\tb");
  CHECK(option(engines[0], "Clear Hash") == "x");
  CHECK(engines[1].command == "gnuchess");
  CHECK(engines[1].arguments == std::vector<std::string>{"--xboard"});
  CHECK(engines[1].protocol == engine::ProtocolKind::xboard);
  std::string notes;
  for (const std::string& note : imported.notes) notes += note + "\n";
  CHECK_THAT(notes, Contains("whitepov") && Contains("'isready' is not sent") && Contains("/there/engines.json:18:"));
}

TEST_CASE("fastchess' configuration becomes a match file", "[import]") {
  const ImportedMatch imported = import_match(R"({
    "resign": {"move_count": 3, "score": 400, "twosided": true, "enabled": true},
    "draw": {"move_number": 40, "move_count": 8, "score": 10, "enabled": true},
    "maxmoves": {"move_count": 100, "enabled": false},
    "opening": {"file": "books/uho.epd", "format": "EPD", "order": "RANDOM", "plies": -1, "start": 5},
    "pgn": {"event_name": "Fastchess Tournament", "site": "?", "file": "out.pgn", "notation": "SAN", "track_nodes": true},
    "sprt": {"alpha": 0.05, "beta": 0.1, "elo0": 0.0, "elo1": 2.5, "model": "normalized", "enabled": true},
    "seed": 123456789, "variant": "STANDARD", "type": "ROUNDROBIN", "games": 2, "rounds": 500, "concurrency": 6, "wait": 20,
    "engines": [
        {"name": "new", "dir": "", "cmd": "./build/new", "args": "bench \"two words\"", "options": [["Hash", "16"], ["Threads", "1"]],
         "limit": {"tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 0, "timemargin": 20}, "nodes": 0, "plies": 0},
         "variant": "STANDARD"},
        {"name": "old", "dir": "/opt/old", "cmd": "engine", "args": "", "options": [],
         "limit": {"tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 0, "timemargin": 0}, "nodes": 5000, "plies": 9},
         "variant": "STANDARD"}
    ],
    "stats": {}
})",
                                              "/there/config.json");
  const MatchFile& match = imported.match;
  REQUIRE(match.engines.size() == 2);
  CHECK(match.engines[0].command == "/there/build/new");
  CHECK(match.engines[0].arguments == std::vector<std::string>{"bench", "two words"});
  CHECK(option(match.engines[0], "Hash") == "16");
  CHECK(match.engines[0].time_margin == 20ms);
  CHECK(match.engines[1].folder == "/opt/old");
  CHECK(match.engines[1].limits.nodes == 5000U);
  CHECK(match.engines[1].limits.depth == 9);
  CHECK_FALSE(match.engines[0].time_control);  // both engines' own: the match's
  CHECK(clock::to_text(match.time_control) == "8+0.08");
  CHECK(match.openings.file == "/there/books/uho.epd");
  CHECK(match.openings.format == OpeningFormat::epd);
  CHECK(match.openings.order == OpeningOrder::random);
  CHECK(match.openings.start == 5);
  CHECK(match.openings.seed == 123456789U);
  CHECK_FALSE(match.openings.plies);
  CHECK(match.schedule.cycles == 500);
  CHECK(match.schedule.games_per_pairing == 2);
  CHECK(match.schedule.games == 1000);  // the test ends there at the latest
  CHECK(match.concurrency == 6);
  CHECK(match.wait_between_games == 20ms);
  REQUIRE(match.sprt);
  CHECK(match.sprt->elo1 == 2.5);
  CHECK(match.sprt->beta == 0.1);
  REQUIRE(match.adjudication.draw);
  CHECK(match.adjudication.draw->move_number == 40);
  REQUIRE(match.adjudication.resign);
  CHECK(match.adjudication.resign->two_sided);
  CHECK_FALSE(match.adjudication.max_moves);
  CHECK(match.output.nodes);
}

TEST_CASE("enums of fastchess' configuration may be numbers", "[import]") {
  const ImportedMatch imported = import_match(
      R"({"engines": [{"name": "a", "cmd": "a", "variant": 1, "limit": {"tc": {"fixed_time": 250}}}, {"name": "a", "cmd": "b"}],
          "opening": {"file": "x.pgn", "format": 1, "order": 1, "plies": 16, "start": 1}, "variant": 1})",
      "/there/config.json");
  CHECK(imported.match.chess960);
  CHECK(imported.match.openings.format == OpeningFormat::pgn);
  CHECK(imported.match.openings.order == OpeningOrder::sequential);
  CHECK(imported.match.openings.plies == 16);
  CHECK(imported.match.engines[1].name == "a 2");  // names differ in a match
  REQUIRE(imported.match.engines[0].time_control);
  CHECK(imported.match.engines[0].time_control->mode == clock::Mode::move_time);
}

TEST_CASE("what is no configuration is refused with its place", "[import]") {
  CHECK_THAT(import_refusal("[]"), Contains("no engines"));
  CHECK_THAT(import_refusal("3"), Contains("/there/x.json:1:1: neither a list"));
  CHECK_THAT(import_refusal("{\"rounds\": 3}"), Contains("no 'engines'"));
  CHECK_THAT(import_refusal("[{\"name\": \"x\"}]"), Contains("/there/x.json:1:2: an engine without a command"));
  CHECK_THAT(import_refusal("[\n{\"command\": \"x\",\n \"protocol\": \"winboard\"}]"),
             Contains("/there/x.json:3:") && Contains("uci or xboard"));
  CHECK_THAT(import_refusal("{\"engines\": [{\"cmd\": \"x\", \"limit\": {\"nodes\": \"many\"}}]}"), Contains("/there/x.json:1:"));
  CHECK_THAT(import_refusal("[{\"command\": "), Contains("/there/x.json:1:"));
}

TEST_CASE("imported engines get names that a match file may have", "[import]") {
  const std::string longest(120, 'x');
  const ImportedMatch imported = import_match(R"([{"command": "/e/a", "name": " A\u001b[2J "}, {"command": "/e/b", "name": ")" + longest +
                                                  R"("}, {"command": "/e/c", "name": ")" + longest +
                                                  R"("}, {"command": "/e/d", "name": "  "}, {"command": "/e/e", "name": "plain"}])",
                                              "/there/engines.json");
  REQUIRE(imported.match.engines.size() == 5);
  CHECK(imported.match.engines[0].name == "A [2J");
  CHECK(imported.match.engines[3].name == "engine");
  CHECK(imported.match.engines[4].name == "plain");
  CHECK(imported.match.engines[1].name != imported.match.engines[2].name);
  for (const EngineEntry& engine : imported.match.engines) CHECK((!engine.name.empty() && engine.name.size() <= 100));
  CHECK(imported.notes.size() >= 4);
}
