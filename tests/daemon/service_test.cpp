// The daemon as its users meet it: the built program, its socket, its API.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <optional>
#include <set>

#include "referee/record/journal.hpp"
#include "referee/record/schema.hpp"
#include "referee/record/sqlite.hpp"
#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;
namespace json = boost::json;

TEST_CASE("a submitted match is played to its end, and its games, standings and PGN can be had", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "2"});
  const int id = submit(daemon, match_file(4, 3, 5));
  REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
  const json::value summary = match_of_daemon(daemon, id);
  CHECK(summary.at("finished").as_int64() == 4);
  CHECK(summary.at("standings").as_array().size() == 2);
  const Answer games = ask(daemon, "GET", "/api/v1/matches/1/games");
  REQUIRE(games.json.as_array().size() == 4);
  CHECK(text(games.json.as_array()[0], "reason") == "max_moves");
  CHECK(text(games.json.as_array()[1], "white") == "B");
  const json::value game = game_of(daemon, id, 2);
  CHECK(game.at("events").as_array().size() > 6);
  CHECK(text(game.at("binaries"), "A").size() == 64);
  CHECK(ask(daemon, "GET", "/api/v1/matches/1/pgn").text.find("[Result \"1/2-1/2\"]") != std::string::npos);
  CHECK(ask(daemon, "GET", "/api/v1/matches/1/games/1/pgn").text.find("[Round \"1") != std::string::npos);
  const Answer statistics = ask(daemon, "GET", "/api/v1/matches/1/statistics");
  CHECK(statistics.json.at("games").as_int64() == 4);
  CHECK(statistics.json.at("elo").at("pairs").as_int64() == 2);
  CHECK(ask(daemon, "GET", "/api/v1/matches/1/crosstable").json.as_array().size() == 2);
  CHECK(ask(daemon, "GET", "/metrics").text.find("referee_matches{state=\"finished\"} 1") != std::string::npos);
  CHECK(replay_of(folder, id) == 0);
  CHECK(daemon.end(SIGTERM) == 0);
}

TEST_CASE("what cannot be done is refused with its status and one clear message", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder);
  const auto refused = [&](const char* method, const std::string& path, const json::value& body, int status, const std::string& words) {
    const Answer answer = ask(daemon, method, path, body);
    INFO(path << " " << answer.text);
    CHECK(answer.status == status);
    REQUIRE(answer.json.is_object());
    CHECK(text(answer.json, "error").find(words) != std::string::npos);
  };
  refused("GET", "/api/v1/matches/7", nullptr, 404, "no match 7");
  refused("GET", "/api/v1/matches/x", nullptr, 404, "no match x");
  refused("GET", "/api/v1/nothing", nullptr, 404, "nothing at");
  refused("DELETE", "/api/v1/matches", nullptr, 405, "expected GET, POST");
  refused("POST", "/api/v1/matches", json::object{{"match", 3}}, 400, "'match' is no text");
  refused("POST", "/api/v1/matches", json::object{}, 400, "no match file");
  refused("POST", "/api/v1/matches", json::object{{"match", "event: x\nengines: 3\n"}}, 400, "match:2:");
  refused("POST", "/api/v1/matches", json::object{{"match", match_file(2, 3, 5)}, {"priority", 5000}}, 400, "priority");
  refused("POST", "/api/v1/matches/7/pause", nullptr, 404, "no match 7");
  refused("POST", "/api/v1/engines", json::object{{"name", "X"}}, 400, "no command");
  for (const char* name : {"", ".", "..", "a/b", "/", "\xEF\x9F\xBF", "a\nb", "\x1b[2J", "\xc2\x9b", "\xe2\x80\xae"}) {  // U+009B, U+202E
    refused("POST", "/api/v1/engines", json::object{{"name", name}, {"command", "/bin/true"}}, 400, "the name");
    refused("POST", "/api/v1/tokens", json::object{{"name", name}, {"role", "viewer"}}, 400, "the name");
  }
  CHECK(ask(daemon, "POST", "/api/v1/engines", json::object{{"name", "a..b c"}, {"command", "/bin/true"}}).status == 201);
  CHECK(ask(daemon, "DELETE", "/api/v1/engines/a..b%20c").status == 200);
  refused("POST", "/api/v1/engines", json::object{{"name", "X"}, {"command", "/nowhere/x"}}, 400, "/nowhere/x");
  CHECK(ask(daemon, "GET", "/api/v1/matches").json.as_array().empty());
}

TEST_CASE("every command that gives an order is understood by the daemon", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(50, 200, 100));
  REQUIRE(eventually([&] { return count(daemon, id, "running") == 1; }));
  const auto gives = [&](const std::string& command, const std::string& words) {
    const std::string line = program + " " + command + " --socket " + daemon.socket() + " " + words + " > " + folder.file("out") + " 2> " +
                             folder.file("errors");
    INFO(line);
    const int code = std::system(line.c_str());
    INFO(folder.read("out") << folder.read("errors"));
    CHECK(code == 0);
  };
  gives("arbiter", "1 1 warn");
  std::ofstream(folder.file("second.yaml")) << match_file(2, 3, 5);
  gives("submit", "--priority 3 " + folder.file("second.yaml"));
  gives("status", "");
  gives("pause", "1");
  CHECK(eventually([&] { return state(daemon, id) == "paused"; }));
  gives("resume", "1");
  CHECK(eventually([&] { return state(daemon, id) != "paused"; }));
  gives("priority", "1 7");
  CHECK(match_of_daemon(daemon, id).at("priority").as_int64() == 7);
  gives("stop", "--now 1");
  CHECK(eventually([&] { return state(daemon, id) == "stopped"; }));
  REQUIRE(eventually([&] { return count(daemon, id, "running") == 0; }));
}

TEST_CASE("more urgent matches are served first, and orders about a match are obeyed", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int slow = submit(daemon, match_file(50, 100, 50));
  REQUIRE(eventually([&] { return count(daemon, slow, "running") == 1; }));
  const int urgent = submit(daemon, match_file(2, 2, 5), 10);
  CHECK(state(daemon, urgent) == "active");
  CHECK(ask(daemon, "POST", "/api/v1/matches/1/stop", json::object{{"at_once", true}}).status == 200);
  REQUIRE(eventually([&] { return state(daemon, urgent) == "finished"; }));
  CHECK(state(daemon, slow) == "stopped");
  CHECK(count(daemon, slow, "finished") == 0);
  CHECK(ask(daemon, "POST", "/api/v1/matches/2/pause").status == 409);
  CHECK(ask(daemon, "POST", "/api/v1/matches/1/resume").status == 200);
  REQUIRE(eventually([&] { return count(daemon, slow, "running") == 1; }));
  CHECK(ask(daemon, "POST", "/api/v1/matches/1/pause").status == 200);
  CHECK(state(daemon, slow) == "paused");
  CHECK(ask(daemon, "PATCH", "/api/v1/matches/1", json::object{{"priority", -3}}).json.at("priority").as_int64() == -3);
  const auto audit = ask(daemon, "GET", "/api/v1/audit").json.as_array();
  std::set<std::string> done;
  for (const json::value& entry : audit) done.insert(text(entry, "what"));
  CHECK(done.count("submit") + done.count("stop") + done.count("resume") + done.count("pause") + done.count("priority") == 5);
}

TEST_CASE("a match whose file was broken while it waited stays as it was, and the daemon goes on", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int playing = submit(daemon, match_file(50, 100, 50), 5);
  const int waiting = submit(daemon, match_file(2, 2, 5));
  REQUIRE(eventually([&] { return count(daemon, playing, "running") == 1; }));
  const std::string file = "data/matches/" + std::to_string(waiting) + "/match.yaml", path = "/api/v1/matches/" + std::to_string(waiting);
  const std::string whole = folder.read(file);
  folder.write(file, "engines: [\n");
  CHECK(ask(daemon, "POST", path + "/resume").status == 400);
  CHECK(state(daemon, waiting) == "active");
  CHECK(ask(daemon, "PATCH", "/api/v1/matches/1", json::object{{"priority", 3}}).status == 200);  // the cores are dealt anew
  CHECK(count(daemon, playing, "running") == 1);
  folder.write(file, whole);
  CHECK(ask(daemon, "POST", path + "/resume").status == 200);
  CHECK(ask(daemon, "POST", "/api/v1/matches/1/stop", json::object{{"at_once", true}}).status == 200);
  REQUIRE(eventually([&] { return state(daemon, waiting) == "finished"; }));
}

TEST_CASE("a match that its own stop_at has ended is stopped, not begun again", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(4, 2, 5, "stop_at: '2020-01-01 00:00'\n"));
  REQUIRE(eventually([&] { return state(daemon, id) == "stopped"; }));
  CHECK(count(daemon, id, "finished") == 0);
}

TEST_CASE("a match whose games follow from its results is played to its end", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "2"});
  const std::string field = "engines:\n" + test::engine("A", 2) + test::engine("B", 2) + test::engine("C", 2) + test::engine("D", 2);
  const std::string head = "event: Test\ntime_control: 60+1\nadjudication: {max_moves: 2}\n";
  submit(daemon, head + "schedule: {kind: swiss, rounds: 3, games_per_pairing: 2}\n" + field);
  // A test without a number of games: this one is not decided soon, for all games are drawn.
  submit(daemon, "event: Test\ntime_control: 60+1\nadjudication: {max_moves: 1}\nsprt: {elo0: 0, elo1: 1}\nengines:\n" +
                     test::engine("A", 0) + test::engine("B", 0));
  CHECK(count(daemon, 1, "planned") == 12);
  CHECK(count(daemon, 2, "planned") == 0);
  REQUIRE(eventually([&] { return state(daemon, 1) == "finished"; }));
  CHECK(count(daemon, 1, "finished") == 12);
  REQUIRE(eventually([&] { return count(daemon, 2, "finished") > 110; }));
  CHECK(state(daemon, 2) == "active");
  // Nor does a sweep make numbers that JSON cannot write.
  CHECK(ask(daemon, "GET", "/api/v1/matches/2/statistics").json.is_object());
  CHECK(ask(daemon, "POST", "/api/v1/matches/2/stop", json::object{{"at_once", true}}).status == 200);
}

TEST_CASE("a knockout and a Swiss tournament stand in the daemon as `run` prints them", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "2"});
  // Weak ones lose every game. Four in a knockout: A beats D, C beats B; the final is drawn and goes to the better seed, A.
  const std::string weak = folder.write("weak.txt", "# protocol uci\n> go\n! exit 1\n");
  const auto good = [](const char* name) { return test::engine(name, 2); };
  const auto bad = [&](const char* name) {
    return std::string("  - {name: ") + name + ", command: " + program + ", arguments: [stub, " + weak + "]}\n";
  };
  const std::string head = "event: Test\ntime_control: 60+1\nadjudication: {max_moves: 2}\nfaults: {withdraw_after: null}\n";
  const std::string cup = head + "schedule: {kind: knockout, tie_breaks: {pairs: 0, then: higher_seed}}\nengines:\n" + good("A") +
                          bad("B") + good("C") + bad("D");
  const int knockout = submit(daemon, cup);
  // Three in a Swiss tournament of three rounds, one game each: everybody has the bye once, a whole point (FIDE Handbook C.04.1).
  const std::string open = head + "schedule: {kind: swiss, rounds: 3, games_per_pairing: 1}\nengines:\n" + good("A") + bad("B") + good("C");
  const int swiss = submit(daemon, open);
  REQUIRE(eventually([&] { return state(daemon, knockout) == "finished" && state(daemon, swiss) == "finished"; }));

  const auto check = [&] {
    const json::value shown = match_of_daemon(daemon, knockout);
    CHECK(text(shown, "winner") == "A");
    const auto& bracket = shown.at("bracket").as_array();
    REQUIRE(bracket.size() == 3);
    CHECK((text(bracket[0], "first") == "A" && text(bracket[0], "second") == "D" && text(bracket[0], "winner") == "A"));
    CHECK((bracket[0].at("first_points").to_number<double>() == 2 && bracket[0].at("second_points").to_number<double>() == 0));
    CHECK((text(bracket[1], "first") == "B" && text(bracket[1], "winner") == "C" && text(bracket[1], "by") == "points"));
    CHECK((bracket[2].at("round").as_int64() == 2 && text(bracket[2], "winner") == "A" && text(bracket[2], "by") == "seed"));
    std::vector<std::pair<std::string, std::int64_t>> ranks;
    for (const json::value& row : shown.at("standings").as_array()) ranks.emplace_back(text(row, "engine"), row.at("rank").as_int64());
    // A and C have the same points from the same games: the final decides.
    CHECK(ranks == std::vector<std::pair<std::string, std::int64_t>>{{"A", 1}, {"C", 2}, {"B", 3}, {"D", 3}});

    const json::value table = match_of_daemon(daemon, swiss);
    CHECK_FALSE(table.as_object().contains("winner"));
    REQUIRE(table.at("byes").as_array().size() == 3);
    std::set<std::string> with_bye;
    for (const json::value& bye : table.at("byes").as_array()) {
      with_bye.insert(text(bye, "engine"));
      CHECK((text(bye, "why") == "bye" && bye.at("points").as_int64() == 1));
    }
    CHECK(with_bye == std::set<std::string>{"A", "B", "C"});
    double points = 0;
    for (const json::value& row : table.at("standings").as_array()) {
      CHECK((row.at("games").as_int64() == 2 && row.at("unplayed").as_int64() == 1));
      points += row.at("points").to_number<double>();
    }
    CHECK(points == 3 + 3);  // of three games and three byes
    CHECK(text(table.at("standings").as_array()[2], "engine") == "B");
    CHECK(table.at("standings").as_array()[2].at("points").to_number<double>() == 1);  // its bye
  };
  check();
  // `run` in the foreground says the same of the same match, and `status` prints the same words.
  const auto run = [&](const std::string& words) {
    return std::system((program + " " + words + " > " + folder.file("out") + " 2> /dev/null").c_str());
  };
  const auto said = [&](const std::string& words) {
    INFO(words);
    CHECK(run(words) == 0);
    return folder.read("out");
  };
  for (const auto& [id, file] : {std::pair{knockout, cup}, {swiss, open}}) {
    const std::string path = folder.write("alone.yaml", file + "output: {folder: alone-" + std::to_string(id) + "}\n");
    const json::value alone = json::parse(said("run --json " + path));
    const json::value shown = match_of_daemon(daemon, id);
    for (const char* member : {"standings", "byes", "bracket", "winner"}) {
      const json::value* one = alone.as_object().if_contains(member);
      const json::value* other = shown.as_object().if_contains(member);
      INFO(member);
      REQUIRE((one == nullptr) == (other == nullptr));
      if (one != nullptr) CHECK(json::serialize(*one) == json::serialize(*other));
    }
  }
  // Who begins to watch in the middle sees the table of all that was played.
  const int long_one = submit(daemon, head + "schedule: {kind: match, games: 120}\nengines:\n" + test::engine("A", 60) + bad("B"));
  const std::string path = "/api/v1/matches/" + std::to_string(long_one);
  REQUIRE(eventually([&] { return count(daemon, long_one, "finished") >= 2; }));
  CHECK(ask(daemon, "POST", path + "/pause").status == 200);
  REQUIRE(eventually([&] { return count(daemon, long_one, "running") == 0; }));
  const auto before = count(daemon, long_one, "finished");
  int watch_status = -1;  // checks are the main thread's
  std::thread watcher([&] { watch_status = run("watch --socket " + daemon.socket() + " " + std::to_string(long_one)); });
  CHECK(eventually([&] { return ask(daemon, "GET", "/api/v1").json.at("viewers").as_int64() == 1; }));
  CHECK(ask(daemon, "POST", path + "/resume").status == 200);
  watcher.join();
  CHECK(watch_status == 0);
  const std::string watched = folder.read("out");
  INFO(watched);
  const std::size_t head_of_table = watched.find(" of 120 games");  // the table comes every tenth of the match
  REQUIRE(head_of_table != std::string::npos);
  const std::size_t number = watched.find_last_of(" \n", head_of_table - 1) + 1;
  const std::string games = watched.substr(number, head_of_table - number);
  CHECK(std::stoll(games) >= before + 4);  // those that were played before it began are in it
  CHECK(watched.find("A" + std::string(12 - games.size(), ' ') + games + std::string(7 - games.size(), ' ') + games + "      0      0") !=
        std::string::npos);
  const std::string lines = said("status --socket " + daemon.socket() + " 1");
  CHECK(lines.find("  final\n    A - C  1 - 1  A wins as the better seed\n  winner: A\n") != std::string::npos);
  CHECK(said("status --socket " + daemon.socket() + " 2").find("unplayed") != std::string::npos);
  // And once more when the daemon has read it all back.
  CHECK(daemon.end(SIGTERM) == 0);
  DaemonProcess again(folder, {"--cores", "2"});
  CHECK(text(match_of_daemon(again, knockout), "winner") == "A");
  CHECK(match_of_daemon(again, swiss).at("byes").as_array().size() == 3);
}

TEST_CASE("a daemon that was killed goes on with its matches; nothing is lost and nobody misses an event", "[service]") {
  const ScratchFolder folder;
  constexpr int games = 30;
  std::vector<std::string> events;
  std::uint64_t next = 1;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "3"});
  const int id = submit(*daemon, match_file(games, 4, 10, "concurrency: 3\n"));
  const auto watch = [&](const std::function<bool(const std::string&)>& enough) {
    daemon::Client client({.socket = folder.file("data") + "/socket", .address = "", .token = ""});
    return client.watch("/api/v1/live?match=" + std::to_string(id) + "&from=" + std::to_string(next), [&](const std::string& message) {
      const json::value value = json::parse(message);
      if (!value.as_object().contains("events")) return daemon::Client::Watch::more;
      CHECK(value.at("first").to_number<std::uint64_t>() == next);
      bool done = false;
      for (const json::value& event : value.at("events").as_array()) {
        events.push_back(json::serialize(event));
        ++next;
        done = done || enough(events.back());
      }
      return done ? daemon::Client::Watch::enough : daemon::Client::Watch::more;
    });
  };
  for (const int kill_after : {3, 9, 16}) {
    int ended = 0;
    (void)watch([&](const std::string& event) {
      ended += event.find("\"game_ended\"") != std::string::npos ? 1 : 0;
      return ended >= 4 || static_cast<int>(events.size()) > 100 * kill_after;
    });
    daemon->end(SIGKILL);
    daemon.emplace(folder, std::vector<std::string>{"--cores", "3"});
  }
  REQUIRE(watch([](const std::string& event) { return event.find("\"match_finished\"") != std::string::npos; }));
  CHECK(count(*daemon, id, "finished") == games);
  // Every fact of the journal was told exactly once: game by game, attempt by attempt.
  std::map<std::pair<int, int>, int> told;
  std::map<int, int> attempt;
  std::map<int, int> ends;
  for (const std::string& event : events) {
    const json::value fact = json::parse(event);
    const std::string kind = text(fact, "fact");
    if (kind == "game_started") attempt[static_cast<int>(fact.at("game").as_int64())] = static_cast<int>(fact.at("attempt").as_int64());
    if (kind == "game_ended") ++ends[static_cast<int>(fact.at("game").as_int64())];
    if (kind == "event") {
      const int game = static_cast<int>(fact.at("game").as_int64());
      ++told[{game, attempt[game]}];
    }
  }
  const auto journal = record::Journal::open(folder.file("data/matches/1/match.sqlite"), record::Journal::Mode::read_only);
  int counted = 0;
  for (const record::GameRow& row : journal->attempts()) {
    const auto recorded = journal->game(row.game, row.attempt);
    INFO("game " << row.game << " attempt " << row.attempt);
    CHECK(told[{row.game, row.attempt}] == static_cast<int>(recorded->events.size()));
    counted += row.outcome && row.counted ? 1 : 0;
  }
  CHECK(counted == games);
  for (int game = 1; game <= games; ++game) CHECK(ends[game] >= 1);
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("watch --from shows what comes from an event on, or says why nothing does", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  struct Said {
    int code = 0;
    std::string out, err;
  };
  const auto watch = [&](const std::string& words, const std::string& name) {
    const std::string command =
        program + " watch --socket " + daemon.socket() + " " + words + " > " + folder.file(name) + " 2> " + folder.file(name + ".err");
    Said said;
    said.code = std::system(command.c_str());
    said.out = folder.read(name);
    said.err = folder.read(name + ".err");
    return said;
  };
  const auto events_from = [&](int id, long long from) {
    return ask(daemon, "GET", "/api/v1/matches/" + std::to_string(id) + "/events?limit=10000&from=" + std::to_string(from)).text;
  };
  submit(daemon, match_file(20, 2, 2, "concurrency: 1\n"));
  REQUIRE(eventually([&] { return state(daemon, 1) == "finished"; }));
  const std::string all = events_from(1, 1);
  const long long last = std::count(all.begin(), all.end(), '\n');
  const std::string end = "match 1 is finished after " + std::to_string(last) + " events\n";
  for (const long long beyond : {last + 1, last + 500}) {
    for (const char* form : {"", " --json"}) {
      const Said said = watch("1 --from " + std::to_string(beyond) + form, "beyond");
      CHECK((said.code == 0 && said.out.empty()));
      CHECK(said.err == end);
    }
  }
  CHECK(watch("1 --json --from " + std::to_string(last - 2), "three").out == events_from(1, last - 2));
  // The table stands upon all that was played before: it comes every second game, and ten had ended.
  const std::size_t eleventh = all.find(R"({"fact":"game_started","game":11,)");
  REQUIRE(eleventh != std::string::npos);
  const auto place = 1 + std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(eleventh), '\n');
  const std::string half = watch("1 --from " + std::to_string(place), "half").out;
  INFO(half);
  CHECK(half.starts_with("game 11 of 20 started"));
  CHECK(half.find("\n12 of 20 games") != std::string::npos);
  CHECK(half.find("\n2 of 20 games") == std::string::npos);

  submit(daemon, match_file(8, 4, 20, "concurrency: 1\n"));
  REQUIRE(eventually([&] { return count(daemon, 2, "finished") >= 1; }));
  CHECK(ask(daemon, "POST", "/api/v1/matches/2/pause").status == 200);
  REQUIRE(eventually([&] { return count(daemon, 2, "running") == 0; }));
  const long long from = count(daemon, 2, "next_event") + 30;
  Said waited;
  Said in_vain;
  std::thread one([&] { waited = watch("2 --json --from " + std::to_string(from), "waited"); });
  std::thread other([&] { in_vain = watch("2 --from 1000000", "in_vain"); });
  CHECK(eventually([&] { return ask(daemon, "GET", "/api/v1").json.at("viewers").as_int64() == 2; }));
  CHECK(ask(daemon, "POST", "/api/v1/matches/2/resume").status == 200);
  one.join();
  other.join();
  CHECK(waited.code == 0);
  CHECK(waited.err.starts_with("match 2 is paused, event "));
  CHECK(waited.err.find("; waiting for event " + std::to_string(from) + "\n") != std::string::npos);
  const std::string rest = events_from(2, from);
  CHECK_FALSE(rest.empty());
  CHECK(waited.out == rest);
  CHECK((in_vain.code == 0 && in_vain.out.empty()));
  CHECK(in_vain.err.find("match 2 has ended after " + std::to_string(from - 1 + std::count(rest.begin(), rest.end(), '\n')) +
                         " events\n") != std::string::npos);
}

TEST_CASE("a graceful stop leaves games to be continued from where they were", "[service]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  const int id = submit(*daemon, match_file(1, 20, 40, "on_interrupt: continue\n"));
  REQUIRE(eventually([&] { return has_plies(*daemon, id, 1, 6); }));
  CHECK(daemon->end(SIGTERM) == 0);
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  const json::value game = game_of(*daemon, id, 1);
  CHECK(game.at("attempt").as_int64() == 1);
  CHECK(game.at("plies").as_int64() == 40);
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("a daemon that is asked to the last stops as if it were not", "[service]") {
  const ScratchFolder folder;
  for (int round = 0; round < 3; ++round) {
    DaemonProcess daemon(folder, {"--cores", "1"});
    std::atomic<int> answered{0};
    std::vector<std::thread> askers;
    for (const char* path : {"/api/v1/matches", "/metrics", "/api/v1/ratings", "/api/v1/matches/1"}) {
      askers.emplace_back([&, path] {
        try {
          for (;; ++answered) (void)daemon::Client({.socket = daemon.socket(), .address = "", .token = ""}).request("GET", path);
        } catch (const daemon::ClientError&) {  // nobody listens any more
        }
      });
    }
    CHECK(eventually([&] { return answered > 20; }));
    CHECK(daemon.end(SIGTERM) == 0);
    for (std::thread& asker : askers) asker.join();
  }
}

TEST_CASE("journals of an earlier version are brought up to date, those of a later one are left alone", "[service]") {
  const ScratchFolder folder;
  const std::string journal = folder.file("data/matches/1/match.sqlite");
  {
    DaemonProcess daemon(folder);
    submit(daemon, match_file(2, 2, 2));
    submit(daemon, match_file(2, 2, 2));
    REQUIRE(eventually([&] { return state(daemon, 1) == "finished" && state(daemon, 2) == "finished"; }));
    CHECK(daemon.end(SIGTERM) == 0);
  }
  const auto sql = [](const std::string& path, const std::string& text) {
    record::sqlite::Connection(path, record::sqlite::Access::read_write).execute(text);
  };
  sql(journal, "ALTER TABLE plan DROP COLUMN edition; PRAGMA user_version = 1");
  sql(folder.file("data/matches/2/match.sqlite"), "PRAGMA user_version = 999");
  DaemonProcess daemon(folder);
  CHECK(ask(daemon, "GET", "/api/v1/matches/1/games").json.as_array().size() == 2);
  CHECK(game_of(daemon, 1, 2).at("events").as_array().size() > 2);
  CHECK_FALSE(record::is_of_older_schema(journal));
  const json::value later = match_of_daemon(daemon, 2);
  CHECK(text(later, "problem").find("newer version") != std::string::npos);
}

TEST_CASE("one daemon a data folder, and a socket that is left over is taken", "[service]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder);
  const std::string command = program + " serve --data " + folder.file("data") + " 2> " + folder.file("second");
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 2);
  CHECK(folder.read("second").find(folder.file("data")) != std::string::npos);
  daemon->end(SIGKILL);
  daemon.emplace(folder);
  CHECK(ask(*daemon, "GET", "/api/v1").status == 200);
}

TEST_CASE("an address that is taken is told before a match is taken up", "[service]") {
  const ScratchFolder folder;
  std::string taken;
  {
    DaemonProcess first(folder, {"--cores", "1"});
    const int id = submit(first, match_file(50, 100, 50));
    REQUIRE(eventually([&] { return count(first, id, "running") == 1; }));
    CHECK(first.end(SIGTERM) == 0);
  }
  const ScratchFolder other;
  DaemonProcess holder(other, {"--listen", "127.0.0.1:0"});
  taken = holder.address();
  const std::string command =
      program + " serve --data " + folder.file("data") + " --listen " + taken + " > " + folder.file("said") + " 2>&1";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 2);
  const std::string said = folder.read("said");
  CHECK(said.find(taken + ": cannot be listened on") != std::string::npos);
  CHECK(said.find("match 1") == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.file("data") + "/socket"));
}

TEST_CASE("engines probe waits for the report and sums it up", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder);
  const auto script = folder.write("s.txt", "# protocol uci\n");
  const auto engines = [&](const std::string& words) {
    const std::string command =
        program + " engines --socket " + daemon.socket() + " " + words + " > " + folder.file("said") + " 2>/dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  };
  REQUIRE(engines("add Stub -- " + program + " stub " + script) == 0);
  CHECK(folder.read("said").find("Stub  ") == 0);
  REQUIRE(engines("probe Stub") == 0);
  CHECK(folder.read("said").find("  compliance: ") != std::string::npos);
  CHECK(folder.read("said").find(", 0 fail") != std::string::npos);
  REQUIRE(engines("remove Stub") == 0);
  CHECK(folder.read("said") == "Stub is no longer registered\n");
}

TEST_CASE("a match file that is gone from the daemon's folder is missed there, wherever it once came from", "[service]") {
  const ScratchFolder folder;
  const std::string own = folder.file("data/matches/1/match.yaml");
  {
    DaemonProcess daemon(folder);
    const Answer answer = ask(daemon, "POST", "/api/v1/matches", {{"match", match_file(2, 2, 5)}, {"path", "/somewhere/spring.yaml"}});
    REQUIRE(answer.status == 201);
    REQUIRE(eventually([&] { return state(daemon, 1) == "finished"; }));
    CHECK(daemon.end(SIGTERM) == 0);
  }
  std::filesystem::remove(own);
  DaemonProcess daemon(folder);
  const json::value match = match_of_daemon(daemon, 1);
  CHECK(text(match, "problem").find(own) != std::string::npos);
  CHECK(text(match, "problem").find("spring.yaml") == std::string::npos);
  const Answer file = ask(daemon, "GET", "/api/v1/matches/1/file");
  CHECK(file.status == 500);
  CHECK(text(file.json, "error").find(own) != std::string::npos);
}

TEST_CASE("a finished match can be watched by whoever comes first after a restart", "[service]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder);
  submit(*daemon, match_file(2, 2, 5));
  REQUIRE(eventually([&] { return state(*daemon, 1) == "finished"; }));
  CHECK(daemon->end(SIGTERM) == 0);
  daemon.emplace(folder);
  std::string events;
  (void)daemon::Client({.socket = daemon->socket(), .address = "", .token = ""})
      .watch("/api/v1/live?match=1&from=1", [&](const std::string& message) {
        events += message;
        return message.find("match_finished") != std::string::npos ? daemon::Client::Watch::enough : daemon::Client::Watch::more;
      });
  CHECK(events.find("\"first\":1,") != std::string::npos);
}
