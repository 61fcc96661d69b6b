#include "referee/daemon/submission.hpp"

#include <catch2/catch.hpp>

#include "config/error.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using daemon::read_submission;
using daemon::SubmissionContext;
using daemon::Trust;

namespace {

SubmissionContext context_of(const test::ScratchFolder& folder, Trust trust) {
  SubmissionContext context;
  context.trust = trust;
  context.engines = {{"Alpha", "command: /bin/true\narguments: [--quiet]\noptions: {Hash: 64, Threads: 1}\n"},
                     {"Beta", "{\"command\": \"/bin/false\", \"protocol\": \"xboard\"}"}};
  context.folder = folder.file("match");
  context.openings_folder = folder.file("openings");
  return context;
}
const std::string head = "event: E\ntime_control: 10+0.1\n";

}  // namespace

TEST_CASE("registered engines are put in by name, their own keys on top", "[submission]") {
  const test::ScratchFolder folder;
  for (const Trust trust : {Trust::local, Trust::network}) {
    const auto submission = read_submission(
        head +
            "engines:\n  - Alpha\n  - {name: Beta, options: {Hash: 32}}\n  - {engine: Alpha, name: 'Alpha: big', options: {Hash: 128}}\n",
        context_of(folder, trust));
    const auto& engines = submission.file.engines;
    REQUIRE(engines.size() == 3);
    CHECK(engines[0].name == "Alpha");
    CHECK(engines[0].command == "/bin/true");
    CHECK(engines[0].arguments == std::vector<std::string>{"--quiet"});
    CHECK(engines[1].command == "/bin/false");
    CHECK(engines[1].protocol == engine::ProtocolKind::xboard);
    CHECK(engines[2].name == "Alpha: big");
    CHECK(engines[2].command == "/bin/true");
    const auto hash = std::find_if(engines[2].options.begin(), engines[2].options.end(), [](const auto& o) { return o.name == "Hash"; });
    REQUIRE(hash != engines[2].options.end());
    CHECK(hash->value == "128");
    CHECK(engines[2].options.size() == 2);  // Threads of the registered one stays
    // What is stored reads back to the same.
    CHECK(read_submission(submission.text, context_of(folder, Trust::local)).file.engines.size() == 3);
  }
}

TEST_CASE("a match file from the network can start and touch nothing that the operator did not offer", "[submission]") {
  const test::ScratchFolder folder;
  const std::string engines = "engines: [Alpha, Beta]\n";
  const auto context = context_of(folder, Trust::network);
  CHECK_NOTHROW(read_submission(head + engines, context));
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {head + "engines:\n  - {name: X, command: /bin/sh}\n  - Alpha\n", "match:4:15: 'command' of an engine cannot be given"},
           {head + "engines: [/bin/sh, Alpha]\n", "no engine '/bin/sh' is registered"},
           {head + "engines: [Gamma, Alpha]\n", "one of Alpha, Beta"},
           {head + "engines:\n  - {name: Alpha, arguments: [-x]}\n  - Beta\n", "'arguments'"},
           {head + "engines:\n  - {name: Alpha, environment: {LD_PRELOAD: x}}\n  - Beta\n", "'environment'"},
           {head + "engines:\n  - {name: Alpha, folder: /}\n  - Beta\n", "'folder'"},
           {head + "engines:\n  - {name: Alpha, options: {Debug Log File: x}}\n  - Beta\n", "may name a file"},
           {head + "engines:\n  - {name: Alpha, options: {Style: ../../x}}\n  - Beta\n", "may name a file"},
           {head + "defaults: {command: /bin/sh}\n" + engines, "'command'"},
           {head + "openings: {file: /etc/passwd}\n" + engines, "no opening suite"},
           {head + "openings: {file: ../x.epd}\n" + engines, "no opening suite"},
           {head + "openings: /etc/passwd\n" + engines, "no opening suite"},
           {"edition: ./evil.yaml\n" + head + engines, "an edition's file"},
           {head + "schedule: {kind: swiss, ratings: /etc/passwd}\n" + engines, "match:3:34: no rating list '/etc/passwd' is offered"},
           {head + "schedule: {kind: knockout, ratings: ../x.csv}\n" + engines, "no rating list"},
           {head + "schedule: {kind: gauntlet, nearest: 1, ratings: .x.csv}\n" + engines, "no rating list"},
           {head + "schedule: {kind: swiss, ratings: [/etc/passwd]}\n" + engines, "no rating list"},
           {head + "adjudication: {syzygy: {path: /x}}\n" + engines, "tablebases"},
           {head + "output: {protocol_log: true}\n" + engines, "protocol log"},
           {head + "something_new: 1\n" + engines, "'something_new' cannot be given"}}) {
    INFO(text);
    CHECK_THROWS_WITH(read_submission(text, context), Catch::Contains(expected));
  }
}

TEST_CASE("a book in the operator's folder may be named by the network", "[submission]") {
  const test::ScratchFolder folder;
  std::filesystem::create_directories(folder.file("openings"));
  folder.write("openings/small.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
  const auto submission =
      read_submission(head + "openings: {file: small.epd}\nengines: [Alpha, Beta]\n", context_of(folder, Trust::network));
  CHECK(submission.file.openings.file == folder.file("openings/small.epd"));
}

TEST_CASE("a rating list in the operator's folder may be named by the network", "[submission]") {
  const test::ScratchFolder folder;
  std::filesystem::create_directories(folder.file("openings"));
  folder.write("openings/list.csv", "engine,rating\nAlpha,3000\nBeta,2900\n");
  const std::string text = head + "schedule: {kind: swiss, rounds: 1, ratings: list.csv}\nengines: [Alpha, Beta]\n";
  CHECK(read_submission(text, context_of(folder, Trust::network)).file.schedule.ratings == folder.file("openings/list.csv"));
}

TEST_CASE("over the network a match has so many games and no more", "[submission]") {
  const test::ScratchFolder folder;
  const auto network = context_of(folder, Trust::network);
  const std::string two = "engines: [Alpha, Beta]\n";
  const std::string three = "engines: [Alpha, Beta, {engine: Alpha, name: C}]\n";
  CHECK_NOTHROW(read_submission(head + "schedule: {kind: match, games: 100000}\n" + two, network));
  for (const std::string schedule :
       {"{kind: match, games: 100001}", "{kind: match, games: 10000000}", "{kind: match, cycles: 10000000, games_per_pairing: 10000000}"}) {
    INFO(schedule);
    CHECK_THROWS_WITH(read_submission(head + "schedule: " + schedule + "\n" + two, network),
                      Catch::Contains("match:3:11: ") && Catch::Contains("at most 100000"));
  }
  // On the machine itself a million, which is drawn up in a moment.
  const auto local = context_of(folder, Trust::local);
  CHECK_NOTHROW(read_submission(head + "schedule: {kind: match, games: 1000000}\n" + two, local));
  CHECK_THROWS_WITH(read_submission(head + "schedule: {kind: match, games: 1000001}\n" + two, local),
                    Catch::Contains("1000001 games") && Catch::Contains("at most 1000000 in a match of the daemon's"));
  // Three pairings each; a knockout has two encounters, a Swiss round of three one.
  for (const std::string schedule : {"{games_per_pairing: 33334}", "{kind: pyramid, cycles: 33334, games_per_pairing: 1}",
                                     "{kind: gauntlet, cycles: 50001, games_per_pairing: 1}", "{kind: knockout, games_per_pairing: 50002}",
                                     "{kind: swiss, rounds: 3, games_per_pairing: 33334}"}) {
    INFO(schedule);
    CHECK_THROWS_WITH(read_submission(head + "schedule: " + schedule + "\n" + three, network), Catch::Contains("at most 100000"));
  }
}

TEST_CASE("a sequential test from the network ends with its games if nothing else ends it", "[submission]") {
  const test::ScratchFolder folder;
  const auto network = context_of(folder, Trust::network);
  const std::string two = "engines: [Alpha, Beta]\n";
  for (const std::string test : {"sprt: {elo0: 0, elo1: 2}\n", "sprt: {elo0: 0, elo1: 0.0001}\n"}) {
    for (const std::string schedule : {"", "schedule: match\n", "schedule: {kind: match}\n", "schedule: {}\n"}) {
      INFO(test << schedule);
      const auto submission = read_submission(head + test + schedule + two, network);
      CHECK(submission.file.schedule.games == 100'000);
      // So it is stored, and so it is played.
      CHECK(read_submission(submission.text, context_of(folder, Trust::local)).file.schedule.games == 100'000);
      CHECK_FALSE(read_submission(head + test + schedule + two, context_of(folder, Trust::local)).file.schedule.games);
    }
    CHECK(read_submission(head + test + "schedule: {kind: match, games: 500}\n" + two, network).file.schedule.games == 500);
    CHECK_THROWS_WITH(read_submission(head + test + "schedule: {games: 100001}\n" + two, network), Catch::Contains("at most 100000"));
    CHECK_THROWS_WITH(
        read_submission(head + test + "schedule: {games_per_pairing: 4}\n" + two, network),
        Catch::Contains("match:4:31: 'games_per_pairing' does not end a sequential test") && Catch::Contains("'games', at most 100000"));
  }
}

TEST_CASE("what is wrong is named with its place in the file that was handed in, whatever was put in", "[submission]") {
  const test::ScratchFolder folder;
  auto context = context_of(folder, Trust::local);
  context.path = folder.file("spring.yaml");
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      (void)read_submission(text, context);
    } catch (const config::ConfigException& error) { return error.what(); }
    return "";
  };
  CHECK(refusal("event: [1,\n").starts_with(context.path + ":2:1: "));
  CHECK(refusal("hello").starts_with(context.path + ":1:1: "));
  // Alpha is replaced by its registered keys, which take more lines; the next engine's place stays.
  const std::string wrong = refusal(head + "engines:\n  - Alpha\n\n  - {name: X, command: /bin/true,\n     poner: true}\n");
  CHECK(wrong.starts_with(context.path + ":7:6: unknown key 'poner'"));
}
