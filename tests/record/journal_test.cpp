#include <sqlite3.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

#include "referee/record/journal.hpp"
#include "referee/record/schema.hpp"
#include "referee/record/sqlite.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Mode = Journal::Mode;

namespace {

std::string written(const Fact& fact) {
  std::string text;
  append_json(text, fact);
  return text;
}

void execute(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  char* error = nullptr;
  const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error);
  INFO(sql << ": " << (error == nullptr ? "" : error));
  sqlite3_free(error);
  sqlite3_close(handle);
  REQUIRE(code == SQLITE_OK);
}

std::string ask(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  std::string out;
  const auto row = [](void* to, int columns, char** values, char**) {
    auto& text = *static_cast<std::string*>(to);
    for (int i = 0; i < columns; ++i) text += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "null" : values[i]);
    text += "\n";
    return 0;
  };
  char* error = nullptr;
  const int code = sqlite3_exec(handle, sql.c_str(), row, &out, &error);
  INFO(sql << ": " << (error == nullptr ? "" : error));
  sqlite3_free(error);
  sqlite3_close(handle);
  REQUIRE(code == SQLITE_OK);
  return out;
}

std::string refusal(const std::string& path, Mode mode) {
  try {
    static_cast<void>(Journal::open(path, mode));
  } catch (const JournalError& error) { return error.what(); }
  return "";
}

}  // namespace

TEST_CASE("a plan comes back, and can be replaced") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  PlanRecord plan{"event: x\nengines: []\n", "d1", {{"engine A: binary", "00ff"}, {"openings", "aa"}}, 20};
  {
    const auto journal = Journal::open(path, Mode::create_new);
    CHECK_FALSE(journal->plan());
    journal->write_plan(plan);
  }
  plan.planned_games = 40;
  plan.edition_text = "id: own\n";
  plan.fingerprints.erase("openings");
  {
    const auto journal = Journal::open(path, Mode::open_existing);
    CHECK(journal->plan()->planned_games == 20);
    journal->write_plan(plan);
  }
  const auto read = Journal::open(path, Mode::read_only)->plan();
  REQUIRE(read);
  CHECK((read->match_file_text == plan.match_file_text && read->edition_text == "id: own\n" && read->digest == "d1" &&
         read->fingerprints == plan.fingerprints && read->planned_games == 40));
}

TEST_CASE("a game written in parts over two openings of the journal comes back whole") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  const std::vector<Fact> facts = played(started(5), random_moves(3, 60), true);
  const std::size_t cut = facts.size() / 2;
  {
    const auto journal = Journal::open(path, Mode::create_new);
    for (std::size_t i = 0; i < cut; i += 7)
      journal->write({facts.begin() + static_cast<long>(i), facts.begin() + static_cast<long>(std::min(i + 7, cut))});
    const auto rows = journal->games();
    REQUIRE(rows.size() == 1);
    CHECK_FALSE(rows[0].outcome);
    CHECK_FALSE(rows[0].ended);
  }
  {
    const auto journal = Journal::open(path, Mode::open_existing);
    journal->write({facts.begin() + static_cast<long>(cut), facts.end()});
  }
  const auto journal = Journal::open(path, Mode::read_only);
  const auto game = journal->game(5);
  REQUIRE(game);
  const auto& ended = std::get<GameEnded>(facts.back());
  CHECK(written(game->started) == written(facts.front()));
  REQUIRE(game->events.size() == facts.size() - 2);
  for (std::size_t i = 0; i < game->events.size(); ++i) REQUIRE(written(game->events[i]) == written(facts[i + 1]));
  CHECK(game->row.outcome == ended.outcome);
  CHECK((game->row.plies == ended.plies && game->row.duration == ended.duration && game->row.ended == ended.at && game->row.counted &&
         !game->row.voided));
  CHECK(journal->games() == std::vector<GameRow>{game->row});
  CHECK_FALSE(journal->game(6));
}

TEST_CASE("attempts, void games, warnings, faults, withdrawals and other matters") {
  const TempFolder folder;
  const auto journal = Journal::open(folder.file("m.sqlite"), Mode::create_new);
  journal->write({MatchStarted{wall(0), "d", false}});
  std::vector<Fact> first = played(started(1), {"e2e4", "e7e5"});
  std::get<GameEnded>(first.back()).counted = false;
  first.insert(first.end() - 1, EngineWarning{1, 2, "Anand", "pv", "illegal", "info \xFF"});
  first.emplace_back(EngineFault{1, "Anand", game::Reason::crash, "signal 11", "> go\n< \xC3"});
  journal->write(first);
  journal->write(played(started(1, 2), {"d2d4"}));
  journal->write(played(started(2), {"c2c4", "c7c5"}));
  journal->write(
      {GameVoided{2, "withdrawn"}, EngineWithdrawn{"Anand", "5 faults"}, EngineWarning{0, 0, "Anand", "option", "unknown Hash", ""}});
  journal->write({GameStarted(started(3))});
  journal->write({ChangeAccepted{"net"}, MatchPaused{wall(9), "SIGINT"}, MatchFinished{wall(10), false}});

  const auto games = journal->games();
  REQUIRE(games.size() == 3);
  CHECK((games[0].attempt == 2 && games[0].outcome && games[0].counted && games[0].plies == 1));
  CHECK((games[1].voided && games[1].outcome));
  CHECK((!games[2].outcome && games[2].game == 3));
  const auto attempts = journal->attempts();
  REQUIRE(attempts.size() == 4);
  CHECK((attempts[0].attempt == 1 && !attempts[0].counted && attempts[0].plies == 2));
  CHECK((attempts[3].game == 3 && !attempts[3].ended));
  const auto old = journal->game(1, 1);
  REQUIRE(old);
  REQUIRE(old->warnings.size() == 1);
  CHECK(old->warnings[0].line == "info \xFF");
  REQUIRE(old->faults.size() == 1);
  CHECK((old->faults[0].reason == game::Reason::crash && old->faults[0].log == "> go\n< \xC3"));
  CHECK(journal->game(1)->faults.empty());
  CHECK(journal->warnings().size() == 2);
  CHECK(journal->faults().size() == 1);
  REQUIRE(journal->withdrawals().size() == 1);
  CHECK(journal->withdrawals()[0].why == "5 faults");
  CHECK(journal->matters().size() == 6);
  // What the user sees with a client of his own.
  CHECK(ask(journal->path(), "SELECT game, result, plies FROM results") == "1|" + game::result_text(*games[0].outcome) + "|1\n");
  CHECK(ask(journal->path(), "SELECT attempt, ply, side, san FROM moves WHERE game = 1 ORDER BY attempt, ply") ==
        "1|1|white|e4\n1|2|black|e5\n2|1|white|d4\n");
  CHECK(ask(journal->path(), "SELECT count(*) FROM warnings WHERE engine = 'Anand'") == "2\n");
}

TEST_CASE("a batch that fails leaves nothing behind, and the journal goes on") {
  const TempFolder folder;
  const auto journal = Journal::open(folder.file("m.sqlite"), Mode::create_new);
  const auto first = played(started(1), {"e2e4"});
  const auto stranger = played(started(9), {"e2e4"});
  auto mixed = first;
  mixed.push_back(stranger[1]);  // an event of a game that was never started
  CHECK_THROWS_WITH(journal->write(mixed), Contains("game 9"));
  CHECK(journal->games().empty());
  journal->write(first);
  CHECK(journal->games().size() == 1);
  CHECK_THROWS_AS(journal->write(first), JournalError);  // the same attempt twice
  CHECK(journal->game(1)->events.size() == first.size() - 2);
}

TEST_CASE("a second writer is refused with the owner named; readers are welcome") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  auto journal = Journal::open(path, Mode::create_new);
  for (const Mode mode : {Mode::open_existing, Mode::open_or_create, Mode::replace}) {
    CHECK_THAT(refusal(path, mode), Contains("process " + std::to_string(::getpid())) && Contains("since 20") && Contains(path));
  }
  std::filesystem::create_symlink(path, folder.file("alias.sqlite"));
  CHECK_THAT(refusal(folder.file("alias.sqlite"), Mode::open_existing), Contains("process "));
  CHECK(Journal::open(path, Mode::read_only)->games().empty());
  journal.reset();
  CHECK(refusal(path, Mode::open_existing).empty());
  write_file(path + ".lock", "process 1 on elsewhere since long ago\n");  // left by a power cut
  CHECK(refusal(path, Mode::open_existing).empty());
}

TEST_CASE("which files are opened") {
  const TempFolder folder;
  const std::string path = folder.file("deep/er/m.sqlite");
  CHECK_THAT(refusal(path, Mode::open_existing), Contains("no such journal"));
  CHECK_THAT(refusal(path, Mode::read_only), Contains("no such journal"));
  CHECK(refusal(path, Mode::open_or_create).empty());
  CHECK(refusal(path, Mode::open_or_create).empty());
  CHECK_THAT(refusal(path, Mode::create_new), Contains("exists already"));
  CHECK_THAT(refusal(folder.path().string(), Mode::open_or_create), Contains("folder"));

  Journal::open(path, Mode::open_existing)->write(played(started(1), {"e2e4"}));
  CHECK(Journal::open(path, Mode::replace)->games().empty());
  CHECK(Journal::open(path + ".old", Mode::read_only)->games().size() == 1);
  // A second time does not take the place of the first.
  Journal::open(path, Mode::open_existing)->write(played(started(1), {"d2d4"}));
  Journal::open(path, Mode::open_existing)->write(played(started(2), {"d2d4"}));
  CHECK(Journal::open(path, Mode::replace)->games().empty());
  CHECK(Journal::open(path + ".old", Mode::read_only)->games().size() == 1);
  CHECK(Journal::open(path + ".old.2", Mode::read_only)->games().size() == 2);
}

TEST_CASE("files that are no journal of ours are refused, each with its own words, and stay as they are") {
  const TempFolder folder;
  const std::string text = folder.file("notes.sqlite");
  write_file(text, std::string(5000, 'x'));
  const std::string foreign = folder.file("foreign.sqlite");
  execute(foreign, "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const std::string newer = folder.file("newer.sqlite");
  Journal::open(newer, Mode::create_new)->write(played(started(1), {"e2e4"}));
  execute(newer, "PRAGMA user_version = 999");
  for (const Mode mode : {Mode::open_existing, Mode::open_or_create, Mode::read_only}) {
    CHECK_THAT(refusal(text, mode), Contains("not a journal"));
    CHECK_THAT(refusal(foreign, mode), Contains("another program"));
    CHECK_THAT(refusal(newer, mode), Contains("newer version") && Contains("999") && Contains(std::to_string(newest_schema_version())));
  }
  CHECK(read_file(text) == std::string(5000, 'x'));
  CHECK(ask(foreign, "SELECT a FROM t") == "1\n");
}

TEST_CASE("a journal of the first schema is read as it is, and brought up to date by whoever continues the match") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  PlanRecord plan;
  plan.match_file_text = "event: Old\n";
  plan.digest = "d";
  plan.planned_games = 2;
  {
    const auto journal = Journal::open(path, Mode::create_new);
    journal->write_plan(plan);
    journal->write(played(started(1), {"e2e4", "e7e5"}));
  }
  CHECK_FALSE(is_of_older_schema(path));
  const std::string columns = ask(path, "SELECT group_concat(name) FROM pragma_table_info('plan')");
  // What later schemas added, taken away: the file is as the first version of the program left it.
  std::string facts;
  for (const Fact& fact : played(started(1), {"e2e4", "e7e5"}, true)) {
    const auto* judged = std::get_if<EventJudged>(&fact);
    if (judged == nullptr) continue;
    facts += facts.empty() ? "[" : ",\n";
    append_event(facts, *judged);
  }
  execute(path, "ALTER TABLE plan DROP COLUMN edition; UPDATE events SET facts = '" + facts + "]'; PRAGMA user_version = 1");
  CHECK(ask(path, "SELECT group_concat(name) FROM pragma_table_info('plan')") == "id,match_file,digest,planned_games\n");
  CHECK(is_of_older_schema(path));
  {
    const auto old = Journal::open(path, Mode::read_only);
    CHECK(old->schema_version() == 1);
    REQUIRE(old->plan());
    CHECK(old->plan()->match_file_text == plan.match_file_text);
    REQUIRE(old->game(1));
    CHECK(old->game(1)->row.plies == 2);
    CHECK(old->matters().empty());
  }
  CHECK(is_of_older_schema(path));  // reading changes nothing
  {
    const auto journal = Journal::open(path, Mode::open_existing);
    CHECK(journal->schema_version() == newest_schema_version());
    REQUIRE(journal->plan());
    CHECK(journal->plan()->match_file_text == plan.match_file_text);
    CHECK(journal->plan()->edition_text.empty());
    REQUIRE(journal->game(1));
    CHECK(journal->game(1)->row.plies == 2);
    CHECK(journal->game(1)->events.size() == 5);
    journal->write(played(started(2), {"d2d4"}, true));
  }
  CHECK_FALSE(is_of_older_schema(path));
  // A client of the user's own sees no difference.
  CHECK(
      ask(path, "SELECT game, ply, side, san, uci, used_ms, remaining_ms, centipawns, depth, nodes, mate FROM moves ORDER BY game, ply") ==
      "1|1|white|e4|e2e4|123.456789|59976.543211|31|10|100000|null\n"
      "1|2|black|e5|e7e5|123.493789|59976.506211|-29|11|100001|null\n"
      "2|1|white|d4|d2d4|123.456789|59976.543211|31|10|100000|null\n");
  CHECK(ask(path, "SELECT group_concat(name) FROM pragma_table_info('plan')") == columns);
  CHECK(Journal::open(path, Mode::read_only)->games().size() == 2);
}

TEST_CASE("an empty file is no journal to read, and becomes one when a match begins") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  write_file(path, "");  // what a process killed at its first step leaves
  CHECK_THAT(refusal(path, Mode::read_only), Contains("no journal yet"));
  CHECK_THAT(refusal(path, Mode::open_existing), Contains("no journal yet"));
  const auto journal = Journal::open(path, Mode::open_or_create);
  CHECK(journal->schema_version() == newest_schema_version());
}

TEST_CASE("damage is told, not guessed around") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  {
    const auto journal = Journal::open(path, Mode::create_new);
    for (int i = 1; i <= 40; ++i) journal->write(played(started(i), random_moves(static_cast<std::uint64_t>(i), 40)));
  }
  std::string bytes = read_file(path);
  REQUIRE(bytes.size() > 100'000);
  for (std::size_t i = 8192; i < bytes.size() - 8192; ++i) bytes[i] = static_cast<char>(i * 37);
  write_file(path, bytes);
  CHECK_THAT(refusal(path, Mode::open_existing), Contains("damaged") && Contains(path));
  CHECK_THROWS_AS(
      [&] {
        const auto journal = Journal::open(path, Mode::read_only);
        for (const GameRow& row : journal->games()) static_cast<void>(journal->game(row.game));
      }(),
      JournalError);
}

TEST_CASE("a row that does not read names the game") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  Journal::open(path, Mode::create_new)->write(played(started(17), {"e2e4"}));
  execute(path, "UPDATE events SET facts = replace(facts, 'resigned', 'redesigned')");
  CHECK_THROWS_WITH(Journal::open(path, Mode::read_only)->game(17), Contains("game 17") && Contains("\"event\""));
}

TEST_CASE("kill -9 of the writer at any instant loses no game it had acknowledged") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  Chance chance(7);
  int number = 0;
  for (int round = 0; round < 12; ++round) {
    int pipe_ends[2];
    REQUIRE(::pipe(pipe_ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(pipe_ends[0]);
      try {
        const auto journal = Journal::open(path, Mode::open_or_create);
        for (int game = number + 1;; ++game) {
          const auto facts = played(started(game, round + 1), random_moves(static_cast<std::uint64_t>(game), 12));
          journal->write({facts.begin(), facts.begin() + 5});
          journal->write({facts.begin() + 5, facts.end()});
          if (::write(pipe_ends[1], &game, sizeof game) != sizeof game) ::_exit(1);
        }
      } catch (const std::exception&) { ::_exit(2); }
    }
    ::close(pipe_ends[1]);
    int acknowledged = number;
    int game = 0;
    // At least one game, then a random while.
    REQUIRE(::read(pipe_ends[0], &game, sizeof game) == sizeof game);
    acknowledged = game;
    std::this_thread::sleep_for(std::chrono::microseconds(chance.below(15'000)));
    REQUIRE(::kill(child, SIGKILL) == 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    while (::read(pipe_ends[0], &game, sizeof game) == sizeof game) acknowledged = game;
    ::close(pipe_ends[0]);

    const auto journal = Journal::open(path, Mode::open_existing);  // the lock died with its owner
    int finished = 0;
    for (const GameRow& row : journal->games()) {
      if (!row.outcome) continue;
      ++finished;
      REQUIRE(row.game == finished);  // none missing, none twice
      const auto recorded = journal->game(row.game);
      const auto expected = played(started(row.game, row.attempt), random_moves(static_cast<std::uint64_t>(row.game), 12));
      REQUIRE(recorded->events.size() == expected.size() - 2);
    }
    CHECK(finished >= acknowledged);
    CHECK(finished <= acknowledged + 1);
    number = finished;
  }
  CHECK(number >= 12);
}

TEST_CASE("a journal whose schema version is not that of its tables is called damaged") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  (void)Journal::open(path, Journal::Mode::create_new);
  for (const char* version : {"-1", "0", "1"}) {
    { sqlite::Connection(path, sqlite::Access::create).execute(std::string("PRAGMA user_version = ") + version); }
    CHECK_THROWS_WITH(Journal::open(path, Journal::Mode::open_existing), Catch::Matchers::Contains("m.sqlite: a damaged journal: "));
  }
}
