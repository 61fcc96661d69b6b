// The arbiter's desk of the running daemon: orders, claims, adjournment, results changed afterwards.
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <optional>
#include <set>

#include "referee/match/match_run.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/sqlite.hpp"
#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;
namespace json = boost::json;

namespace {

Answer order(const DaemonProcess& daemon, int id, int game, json::object body) {
  return ask(daemon, "POST", "/api/v1/matches/" + std::to_string(id) + "/games/" + std::to_string(game) + "/orders", body);
}
std::string phase_of(const DaemonProcess& daemon, int id, int game) {
  const json::value board = board_of(daemon, id, game);
  return board.is_null() ? "none" : text(board, "phase");
}
bool has_ruling(const Answer& answer, const std::string& name) {
  if (!answer.json.is_object() || !answer.json.as_object().contains("rulings")) return false;
  const auto& rulings = answer.json.at("rulings").as_array();
  return std::any_of(rulings.begin(), rulings.end(), [&](const json::value& ruling) { return text(ruling, "ruling") == name; });
}

}  // namespace

TEST_CASE("an arbiter changes clocks, interrupts and resumes play, and the replay agrees", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(1, 20, 60));
  REQUIRE(eventually([&] { return has_plies(daemon, id, 1, 2); }));
  CHECK(has_ruling(order(daemon, id, 1, {{"order", "set_clock"}, {"side", "black"}, {"time_ms", 500'000}, {"why", "wrong setting"}}),
                   "clocks_changed"));
  CHECK(has_ruling(order(daemon, id, 1, {{"order", "pause"}, {"why", "fire alarm"}}), "paused"));
  REQUIRE(eventually([&] { return phase_of(daemon, id, 1) == "paused"; }));
  const auto desk = ask(daemon, "GET", "/api/v1/desk").json.as_array();
  REQUIRE(desk.size() == 1);
  CHECK(text(desk[0], "phase") == "paused");
  CHECK(desk[0].at("clocks").at("black_ms").to_number<double>() > 450'000);
  const auto plies = board_of(daemon, id, 1).at("plies").as_int64();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(board_of(daemon, id, 1).at("plies").as_int64() == plies);
  const Answer twice = order(daemon, id, 1, {{"order", "pause"}});
  CHECK(twice.status == 409);
  CHECK(has_ruling(twice, "order_refused"));
  CHECK(has_ruling(order(daemon, id, 1, {{"order", "resume"}}), "resumed"));
  REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
  CHECK(text(game_of(daemon, id, 1), "reason") == "max_moves");
  CHECK(replay_of(folder, id) == 0);
  CHECK(folder.read("replay").find("identical") != std::string::npos);
}

TEST_CASE("a game is adjourned with a sealed move, the daemon restarts, and it is played to the end", "[arbiter]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  const int id = submit(*daemon, match_file(2, 8, 60, "edition: fide-2005\n"));
  REQUIRE(eventually([&] { return has_plies(*daemon, id, 1, 3); }));
  CHECK(has_ruling(order(*daemon, id, 1, {{"order", "adjourn"}}), "warned"));  // the next move is to be sealed
  REQUIRE(eventually([&] { return phase_of(*daemon, id, 1) == "adjourned"; }));
  // Its place is free for the next game meanwhile.
  REQUIRE(eventually([&] { return count(*daemon, id, "finished") == 1; }));
  CHECK(daemon->end(SIGTERM) == 0);
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  CHECK(phase_of(*daemon, id, 1) == "adjourned");
  CHECK(state(*daemon, id) == "active");
  const auto before = board_of(*daemon, id, 1).at("plies").as_int64();
  Answer opened;
  REQUIRE(eventually([&] {
    opened = order(*daemon, id, 1, {{"order", "open_envelope"}});
    return opened.status == 200;
  }));
  CHECK(has_ruling(opened, "move_accepted"));  // the sealed move
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  const json::value game = game_of(*daemon, id, 1);
  CHECK(game.at("attempt").as_int64() == 1);
  CHECK(game.at("plies").as_int64() > before);
  CHECK(text(game, "reason") == "max_moves");
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("real engines seal a move; nobody reads it before the envelope is opened; they play on to the end", "[arbiter]") {
  for (const char* command : {"/usr/games/stockfish", "/usr/games/gnuchess"}) {
    if (::access(command, X_OK) == 0) continue;
    WARN("not tried: " << command << " is not installed");
    return;
  }
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  // One speaks UCI, the other XBoard; both think long enough to be interrupted.
  const int id = submit(*daemon,
                        "event: Test\nedition: fide-2005\ntime_control: 120+1\nschedule: {kind: match, games: 2}\n"
                        "adjudication: {max_moves: 14}\ndefaults: {limits: {movetime: 100ms}, time_margin: 500ms}\nengines:\n"
                        "  - {name: Stockfish, command: stockfish}\n"
                        "  - {name: GNU Chess, command: gnuchess, arguments: [--xboard], protocol: xboard}\n");
  for (const int game : {1, 2}) {  // either engine seals
    REQUIRE(eventually([&] { return has_plies(*daemon, id, game, 4); }));
    CHECK(order(*daemon, id, game, {{"order", "adjourn"}}).status == 200);
    REQUIRE(eventually([&] { return phase_of(*daemon, id, game) == "adjourned"; }));
  }
  const std::string journal = folder.file("data/matches/1/match.sqlite");
  const auto sealed_move = [&](int game) {
    const auto recorded = record::Journal::open(journal, record::Journal::Mode::read_only)->game(game);
    REQUIRE(recorded);
    for (const record::EventJudged& event : recorded->events) {
      const auto* move = std::get_if<game::MoveReceived>(&event.event.body);
      if (move == nullptr) continue;
      for (const game::Ruling& ruling : event.rulings) {
        if (std::holds_alternative<game::Adjourned>(ruling.body)) return move->text;
      }
    }
    FAIL("no move was sealed");
    return std::string();
  };
  CHECK(daemon->end(SIGTERM) == 0);
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  for (const int game : {1, 2}) {
    const std::string move = sealed_move(game);
    REQUIRE(move.size() >= 2);
    INFO("game " << game << ", sealed: " << move);
    // Whatever is told of the last move stands before the one that was sealed.
    const json::value told = game_of(*daemon, id, game);
    const auto& events = told.at("events").as_array();
    bool found = false;
    for (const json::value& event : events) {
      if (!event.as_object().contains("text")) continue;
      found = found || text(event, "text") == "sealed";
      if (text(event, "text") == "sealed") CHECK_FALSE(event.as_object().contains("search"));
    }
    CHECK(found);
    CHECK(text(board_of(*daemon, id, game), "last_move") != move);
  }
  // The stream that viewers follow: as many moves as were accepted, and the one in the envelope is not among them.
  const std::string stream = ask(*daemon, "GET", "/api/v1/matches/1/events?limit=10000").text;
  std::size_t hidden = 0;
  for (std::size_t place = stream.find("\"text\":\"sealed\""); place != std::string::npos;
       place = stream.find("\"text\":\"sealed\"", place + 1))
    ++hidden;
  CHECK(hidden == 2);
  const std::string first = sealed_move(1);
  for (const int game : {2, 1}) {
    Answer opened;
    REQUIRE(eventually([&] {
      opened = order(*daemon, id, game, {{"order", "open_envelope"}});
      return opened.status == 200;
    }));
    CHECK(has_ruling(opened, "move_accepted"));
    if (game == 1) CHECK(opened.text.find(first) != std::string::npos);  // now everybody may know
  }
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  for (const int game : {1, 2}) {
    const json::value over = game_of(*daemon, id, game);
    CHECK(over.at("attempt").as_int64() == 1);
    CHECK(text(over, "result") != "*");
    CHECK(over.at("plies").as_int64() > 6);
  }
  CHECK(match_of_daemon(*daemon, id).at("faults").as_int64() == 0);
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("a claim waits for the arbiter, whose answer is played on", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  // Article 10.2 of 2005: less than two minutes left of a game that has no increment and is no blitz.
  std::string file = match_file(1, 10, 60, "edition: fide-2005\n");
  file.replace(file.find("60+1"), 4, "7200");
  const int id = submit(daemon, file);
  REQUIRE(eventually([&] { return has_plies(daemon, id, 1, 2); }));
  CHECK(has_ruling(order(daemon, id, 1, {{"order", "set_clock"}, {"side", "white"}, {"time_ms", 100'000}}), "clocks_changed"));
  Answer claim;
  REQUIRE(eventually([&] {  // only the player to move may claim
    claim = order(daemon, id, 1, {{"order", "claim_quickplay"}, {"side", "white"}});
    return has_ruling(claim, "awaiting_arbiter");
  }));
  REQUIRE(eventually([&] { return phase_of(daemon, id, 1) == "awaiting_arbiter"; }));
  const auto desk = ask(daemon, "GET", "/api/v1/desk").json.as_array();
  REQUIRE(desk.size() == 1);
  CHECK(text(desk[0], "claimant") == "white");
  CHECK(text(desk[0], "article").substr(0, 4) == "10.2");
  CHECK(order(daemon, id, 1, {{"order", "reject"}, {"why", "still winning chances"}}).status == 200);
  REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("the result of a finished game is overridden, and an annulled game is played anew", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(2, 2, 5));
  REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
  CHECK(order(daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 0}}).status == 400);  // no reason
  const Answer done =
      order(daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 0}, {"why", "misread scoresheet"}});
  CHECK(has_ruling(done, "game_over"));
  CHECK(text(game_of(daemon, id, 1), "result") == "1-0");
  CHECK(text(game_of(daemon, id, 1), "reason") == "result_overridden");
  const auto standings = match_of_daemon(daemon, id).at("standings").as_array();
  CHECK(text(standings[0], "engine") == "A");
  CHECK(standings[0].at("points").to_number<double>() == 1.5);
  CHECK(ask(daemon, "GET", "/api/v1/matches/1/pgn").text.find("1-0") != std::string::npos);
  CHECK(order(daemon, id, 2, {{"order", "annul_and_replay"}, {"why", "wrong book"}}).status == 200);
  REQUIRE(eventually([&] { return state(daemon, id) == "finished" && game_of(daemon, id, 2).at("attempt").as_int64() == 2; }));
  CHECK(count(daemon, id, "finished") == 2);
  CHECK(order(daemon, id, 9, {{"order", "warn"}}).status == 404);
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("a game that is annulled while its match goes on is played once more in the same run", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(8, 4, 50));
  REQUIRE(eventually([&] { return count(daemon, id, "finished") >= 1; }));
  REQUIRE(order(daemon, id, 1, {{"order", "annul_and_replay"}, {"why", "wrong book"}}).status == 200);
  REQUIRE(eventually([&] { return state(daemon, id) == "finished" && count(daemon, id, "finished") == 8; }));
  const auto journal = record::Journal::open(folder.file("data/matches/1/match.sqlite"), record::Journal::Mode::read_only);
  std::vector<std::pair<int, int>> ended;
  for (const record::GameRow& row : journal->attempts()) ended.emplace_back(row.game, row.attempt);
  CHECK(std::ranges::count(ended, std::pair{1, 2}) == 1);
  CHECK(ended.back() == std::pair{8, 1});  // not at the end of the match
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("the PGN that is written anew after an order has the form that its match file asks for", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  for (const auto& [more, tagged] : std::vector<std::pair<std::string, bool>>{{"", true}, {"output: {openings: false}\n", false}}) {
    const int id = submit(daemon, match_file(1, 4, 5, more));
    REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
    const std::string path = "/api/v1/matches/" + std::to_string(id) + "/pgn";
    CHECK((ask(daemon, "GET", path).text.find("[ECO ") != std::string::npos) == tagged);
    REQUIRE(order(daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 0}, {"why", "misread"}}).status == 200);
    const std::string pgn = ask(daemon, "GET", path).text;
    CHECK(pgn.find("[Result \"1-0\"]") != std::string::npos);
    CHECK((pgn.find("[ECO ") != std::string::npos) == tagged);
  }
}

TEST_CASE("a result that was changed while others played reaches the PGN, whatever becomes of the daemon", "[arbiter]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "2"});
  const int id = submit(*daemon, match_file(2, 100, 300, "concurrency: 2\n"));  // of a minute, were it not for the arbiter
  const auto end_by_order = [&](int game) {
    return eventually([&] {
      return order(*daemon, id, game, {{"order", "declare_lost"}, {"side", "white"}, {"why", "late"}}).status == 200;
    });
  };
  REQUIRE(end_by_order(1));
  REQUIRE(eventually([&] { return count(*daemon, id, "finished") == 1; }));
  const std::string pgn = "/api/v1/matches/" + std::to_string(id) + "/pgn";
  REQUIRE(order(*daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 0}, {"why", "misread"}}).status == 200);
  daemon->end(SIGKILL);
  CHECK(folder.read("data/matches/1/games.pgn").find("[Result \"1-0\"]") == std::string::npos);  // it had no time to
  daemon.emplace(folder, std::vector<std::string>{"--cores", "2"});
  CHECK(ask(*daemon, "GET", pgn).text.find("[Result \"1-0\"]") != std::string::npos);
  REQUIRE(end_by_order(2));
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  const std::string text = ask(*daemon, "GET", pgn).text;
  CHECK(text.find("[Result \"1-0\"]") != std::string::npos);
  const std::string tag = "[Result ";
  int games = 0;
  for (std::size_t at = 0; (at = text.find(tag, at)) != std::string::npos; at += tag.size()) ++games;
  CHECK(games == 2);
  CHECK_FALSE(std::filesystem::exists(folder.file("data/matches/1/games.pgn.stale")));
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("an order about a match that is being set up is to be given again", "[arbiter]") {
  const ScratchFolder folder;
  const std::string text = match_file(1, 2, 5);
  std::FILE* const null = std::fopen("/dev/null", "w");
  match::Console console(null, match::Console::Kind::plain);
  {
    match::MatchRun run(config::parse_match_file(text, folder.file("m.yaml")), text, {}, console);
    std::optional<match::OrderAnswer> answer;
    game::ArbiterOrder pause{};
    pause.kind = game::OrderKind::pause;
    run.order(1, pause, [&](match::OrderAnswer given) { answer = std::move(given); });
    REQUIRE(answer.has_value());
    CHECK(answer->status == match::OrderAnswer::Status::not_yet);
    CHECK_FALSE(run.settle());
  }
  (void)std::fclose(null);
}

TEST_CASE("at whatever moment an order comes, it is judged on the attempt that it is recorded with", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(2, 3, 2));
  std::set<int> answers;
  int taken = 0;
  for (int attempt = 1; attempt <= 4; ++attempt) {
    while (state(daemon, id) != "finished" || game_of(daemon, id, 1).at("attempt").as_int64() < attempt) {
      const Answer answer = order(daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 0}, {"why", "test"}});
      INFO(answer.text);
      answers.insert(answer.status);
      taken += answer.status == 200 ? 1 : 0;
      CHECK((answer.status == 200 || answer.status == 409 || answer.status == 503 || (answer.status == 404 && attempt == 1)));
      REQUIRE(taken < 10'000);
    }
    if (attempt < 4) REQUIRE(order(daemon, id, 1, {{"order", "annul_and_replay"}, {"why", "again"}}).status == 200);
  }
  CHECK(taken > 0);
  CHECK(replay_of(folder, id) == 0);
  CHECK(folder.read("replay").find("identical") != std::string::npos);
}

TEST_CASE("a claim that is rejected gives the player no time without a clock", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  // It never answers within its four seconds: what stops the clock for a moment must not stop it for good (article 6.11, 9.5.3).
  std::string file = match_file(1, 10, 600'000, "edition: fide-2023\n");
  file.replace(file.find("60+1"), 4, "4");
  const int id = submit(daemon, file);
  Answer claim;
  REQUIRE(eventually([&] {
    claim = order(daemon, id, 1, {{"order", "claim_threefold"}, {"side", "white"}});
    return claim.status == 200;
  }));
  CHECK(has_ruling(claim, "claim_rejected"));
  REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
  CHECK(text(game_of(daemon, id, 1), "reason") == "flag_fall");
  CHECK(text(game_of(daemon, id, 1), "result") == "0-1");
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("engines that start for a game that goes on are nobody's time, whatever is ordered meanwhile", "[arbiter]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  // Each start takes longer than the whole clock of a player.
  const std::string slow_start = folder.write("start.sh", "#!/bin/sh\nsleep 3\nexec " + slow_engine + " \"$@\"\n");
  REQUIRE(::chmod(slow_start.c_str(), 0755) == 0);
  const auto slow_starter = [&slow_start](const std::string& name) {
    return "  - {name: " + name + ", command: " + slow_start + ", arguments: ['20']}\n";
  };
  const int id = submit(*daemon,
                        "event: Test\nedition: fide-2023\ntime_control: 2+1\non_interrupt: continue\n"
                        "schedule: {kind: match, games: 1}\nadjudication: {max_moves: 40}\nengines:\n" +
                            slow_starter("A") + slow_starter("B"));
  REQUIRE(eventually([&] { return has_plies(*daemon, id, 1, 4); }));
  CHECK(daemon->end(SIGTERM) == 0);
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  Answer warned;
  REQUIRE(eventually([&] {
    warned = order(*daemon, id, 1, {{"order", "warn"}, {"why", "a test"}});
    return warned.status == 200;
  }));
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  CHECK(text(game_of(*daemon, id, 1), "reason") == "max_moves");
  CHECK(game_of(*daemon, id, 1).at("attempt").as_int64() == 1);
  CHECK(replay_of(folder, id) == 0);
}

TEST_CASE("a Swiss tournament goes on after the result of an earlier round was changed", "[arbiter]") {
  for (const std::string word : {"override_result", "annul_and_replay"}) {
    const ScratchFolder folder;
    std::optional<DaemonProcess> daemon;
    daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
    std::string file =
        "event: Test\ntime_control: 60+1\nschedule: {kind: swiss, rounds: 3, games_per_pairing: 1}\nadjudication: {max_moves: "
        "4}\nengines:\n";
    for (const char* name : {"A", "B", "C", "D"}) file += test::engine(name, 40);
    const int id = submit(*daemon, file);
    REQUIRE(eventually([&] { return has_plies(*daemon, id, 3, 1) || has_plies(*daemon, id, 4, 1); }));  // the second round
    json::object change{{"order", word}, {"why", "a wrong report"}};
    if (word == "override_result") {
      change["white_score"] = 0;
      change["black_score"] = 1;
    }
    REQUIRE(eventually([&] { return order(*daemon, id, 1, change).status == 200; }));
    CHECK(daemon->end(SIGTERM) == 0);
    daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
    REQUIRE(eventually([&] { return state(*daemon, id) != "active"; }));
    CHECK(state(*daemon, id) == "finished");
    CHECK(count(*daemon, id, "finished") == 6);
    CHECK(text(game_of(*daemon, id, 1), "result") == (word == "override_result" ? "0-1" : "1/2-1/2"));
    CHECK(replay_of(folder, id) == 0);
  }
}

TEST_CASE("a game that was annulled before a kill is played again, whatever the registry has kept of it", "[arbiter]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  const int id = submit(*daemon, match_file(2, 2, 5));
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  CHECK(ask(*daemon, "POST", "/api/v1/matches/1/resume").status == 409);
  const auto annul = [&](int game) {
    daemon->end(SIGKILL);
    const auto journal = record::Journal::open(folder.file("data/matches/1/match.sqlite"), record::Journal::Mode::open_existing);
    const auto recorded = journal->game(game);
    REQUIRE(recorded);
    record::GameEnded ended{.game = game, .at = recorded->row.started, .outcome = *recorded->row.outcome, .counted = false};
    ended.outcome.annulled = true;
    journal->write({ended});
  };
  annul(2);
  folder.write("data/matches/1/games.pgn.stale", "");  // which is there before the journal has an order
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished" && count(*daemon, id, "finished") == 2; }));
  CHECK(game_of(*daemon, id, 2).at("attempt").as_int64() == 2);
  annul(1);
  daemon.emplace(folder, std::vector<std::string>{"--cores", "1"});
  CHECK(state(*daemon, id) == "finished");
  CHECK(ask(*daemon, "POST", "/api/v1/matches/1/resume").status == 200);
  REQUIRE(eventually([&] { return state(*daemon, id) == "finished" && game_of(*daemon, id, 1).at("attempt").as_int64() == 2; }));
}

TEST_CASE("a PGN that is a link stays one, with its rights and what others wrote there, when it is written anew", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(1, 2, 5));
  REQUIRE(eventually([&] { return state(daemon, id) == "finished"; }));
  const std::filesystem::path own = folder.file("data/matches/1/games.pgn");
  const std::string foreign = "[Event \"Elsewhere\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n";
  folder.write("list.pgn", foreign + folder.read("data/matches/1/games.pgn"));
  REQUIRE(::chmod(folder.file("list.pgn").c_str(), 0664) == 0);
  std::filesystem::remove(own);
  std::filesystem::create_symlink(folder.file("list.pgn"), own);
  CHECK(order(daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 1}, {"why", "both"}}).status == 400);
  REQUIRE(order(daemon, id, 1, {{"order", "override_result"}, {"white_score", 1}, {"black_score", 0}, {"why", "misread"}}).status == 200);
  CHECK(std::filesystem::is_symlink(own));
  struct stat found {};
  REQUIRE(::stat(folder.file("list.pgn").c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0664);
  const std::string list = folder.read("list.pgn");
  CHECK(list.starts_with(foreign));
  CHECK(list.find("[Result \"1-0\"]") != std::string::npos);
}

TEST_CASE("a request that the disk refuses changes nothing", "[arbiter]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1"});
  const int id = submit(daemon, match_file(1, 40, 300));
  REQUIRE(eventually([&] { return has_plies(daemon, id, 1, 1); }));
  {
    record::sqlite::Connection other(folder.file("data/referee.sqlite"), record::sqlite::Access::create);
    other.execute("CREATE TRIGGER full BEFORE UPDATE ON matches BEGIN SELECT RAISE(ABORT, 'no room'); END");
  }
  CHECK(ask(daemon, "POST", "/api/v1/matches/1/stop", json::object{{"at_once", true}}).status == 500);
  CHECK(ask(daemon, "PATCH", "/api/v1/matches/1", json::object{{"priority", 5}}).status == 500);
  const Answer slip = ask(daemon, "POST", "/api/v1/matches/1/stop", json::object{{"now", true}});
  CHECK(slip.status == 400);
  CHECK(slip.text.find("'now' says nothing here (expected at_once)") != std::string::npos);
  CHECK(ask(daemon, "POST", "/api/v1/matches/1/pause").status == 500);
  CHECK(match_of_daemon(daemon, id).at("priority").as_int64() == 0);
  CHECK(state(daemon, id) == "active");
  const auto plies = board_of(daemon, id, 1).at("plies").as_int64();
  CHECK(eventually([&] { return has_plies(daemon, id, 1, static_cast<int>(plies) + 1); }));
  CHECK(ask(daemon, "GET", "/api/v1/audit").text.find("\"stop\"") == std::string::npos);
}

TEST_CASE("one match that cannot be read does not take the rating list of the others away", "[arbiter]") {
  const ScratchFolder folder;
  std::optional<DaemonProcess> daemon;
  daemon.emplace(folder, std::vector<std::string>{"--cores", "2"});
  for (int id = 1; id <= 4; ++id) {
    (void)submit(*daemon, match_file(2, 2, 5));
    REQUIRE(eventually([&] { return state(*daemon, id) == "finished"; }));
  }
  daemon->end(SIGTERM);
  folder.write("data/matches/2/match.sqlite", "This is no journal, and longer than its head. " + std::string(200, '.'));
  std::filesystem::rename(folder.file("data/matches/3/match.sqlite"), folder.file("lost"));
  std::filesystem::remove_all(folder.file("data/matches/4/events"));
  folder.write("data/matches/4/events", "no folder");
  daemon.emplace(folder, std::vector<std::string>{"--cores", "2"});
  const Answer list = ask(*daemon, "GET", "/api/v1/ratings");
  REQUIRE(list.status == 200);
  CHECK(list.json.at("games").as_int64() == 4);  // of matches 1 and 4
  const std::string notes = json::serialize(list.json.at("notes"));
  CHECK(notes.find("match 2 is left out: ") != std::string::npos);
  CHECK(notes.find("match 3 is left out: ") != std::string::npos);
  CHECK(notes.find("holds no games") != std::string::npos);
  CHECK(notes.find("match 4 is rated, yet: ") != std::string::npos);
  const Answer page = ask(*daemon, "GET", "/api/v1/ratings.html");
  CHECK(page.status == 200);
  CHECK(page.text.find("match 2 is left out: ") != std::string::npos);
  const Answer all = ask(*daemon, "GET", "/api/v1/matches");
  REQUIRE(all.status == 200);
  for (const json::value& match : all.json.as_array()) CHECK(match.as_object().contains("problem") == (match.at("id").as_int64() != 1));
  CHECK(json::serialize(ask(*daemon, "GET", "/api/v1/ratings?match=1&match=3").json.at("notes")).find("match 3 is left out: ") !=
        std::string::npos);

  // What was seen is gone with what was wrong, and nothing of it was stored.
  CHECK(ask(*daemon, "PATCH", "/api/v1/matches/3", json::object{{"priority", 5}}).status == 200);
  std::filesystem::rename(folder.file("lost"), folder.file("data/matches/3/match.sqlite"));
  CHECK_FALSE(match_of_daemon(*daemon, 3).as_object().contains("problem"));
  const Answer again = ask(*daemon, "GET", "/api/v1/ratings");
  CHECK(again.json.at("games").as_int64() == 6);
  CHECK(json::serialize(again.json.at("notes")).find("match 3") == std::string::npos);
  daemon->end(SIGTERM);
  {
    record::sqlite::Connection registry(folder.file("data/referee.sqlite"), record::sqlite::Access::create);
    record::sqlite::Statement stored(registry, "SELECT count(*) FROM matches WHERE problem <> ''");
    REQUIRE(stored.step());
    CHECK(stored.integer(0) == 0);
    registry.execute("UPDATE matches SET problem = 'seen by an earlier version' WHERE id = 3");
  }
  daemon.emplace(folder, std::vector<std::string>{"--cores", "2"});
  CHECK_FALSE(match_of_daemon(*daemon, 3).as_object().contains("problem"));
}
