#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <sstream>
#include <thread>

#include "referee/record/append_file.hpp"
#include "referee/record/file_guard.hpp"
#include "referee/record/pgn_stock.hpp"
#include "referee/record/recorder.hpp"
#include "referee/record/views.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

std::vector<PgnGame> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  PgnReader reader(in);
  std::vector<PgnGame> games;
  while (auto game = reader.next()) games.push_back(std::move(*game));
  return games;
}

std::vector<std::string> rounds(const std::string& path) {
  std::vector<std::string> found;
  for (const PgnGame& game : read(path)) {
    CHECK((game.problems.empty() && !game.cut_off));
    found.emplace_back(game.tag("Round").value_or("none"));
  }
  return found;
}

std::vector<Fact> random_game(int number, int attempt = 1) {
  return played(started(number, attempt), random_moves(static_cast<std::uint64_t>(number), 30));
}

/// What a match does: journal first, then the view.
void play(Journal& journal, View& view, const std::vector<Fact>& facts) {
  journal.write(facts);
  for (const Fact& fact : facts) view.see(fact);
  view.batch_done();
}

}  // namespace

TEST_CASE("finished games are appended one after the other") {
  const TempFolder folder;
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  PgnView view(folder.file("sub/games.pgn"), {}, *journal);
  for (int i : {2, 1, 3}) play(*journal, view, random_game(i));
  CHECK(rounds(folder.file("sub/games.pgn")) == std::vector<std::string>{"1.2", "1.1", "2.3"});
}

TEST_CASE("CD-03 half a record of a crash is cut away, and the next begins after a blank line") {
  const TempFolder folder;
  const std::string pgn = folder.file("games.pgn");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  {
    PgnView view(pgn, {}, *journal);
    play(*journal, view, random_game(1));
    play(*journal, view, random_game(2));
  }
  const std::string whole = read_file(pgn);
  const std::size_t second = whole.rfind("[Event ");
  for (std::size_t kept = second; kept<whole.size(); kept += whole.size() - kept> 40 ? 41 : 1) {
    write_file(pgn, whole.substr(0, kept));
    PgnView view(pgn, {}, *journal);
    const std::string repaired = read_file(pgn);
    REQUIRE(repaired == whole);
  }
}

TEST_CASE("CD-03 half a record that somebody else left is closed, and the next begins after a blank line") {
  const TempFolder folder;
  const std::string pgn = folder.file("games.pgn");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  for (const std::string left : {"[Event \"x\"]\n\n1. e4 e5 2. Nf", "[Event \"x\"]\n\n1. e4 {best by test"}) {
    write_file(pgn, left);
    {
      PgnView view(pgn, {}, *journal);
      CHECK_THAT(read_file(pgn), StartsWith(left) && EndsWith("\n* {this record was cut off here}\n\n"));
    }
    const auto games = read(pgn);
    REQUIRE(games.size() == 1);
    CHECK(games[0].result == "*");
    const std::string once = read_file(pgn);
    { PgnView view(pgn, {}, *journal); }
    CHECK(read_file(pgn) == once);
  }
}

TEST_CASE("half a record that another writer leaves while a match runs does not swallow the match's next game") {
  const TempFolder folder;
  const std::string pgn = folder.file("games.pgn");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  PgnView view(pgn, {}, *journal);
  play(*journal, view, random_game(1));
  const std::string left = read_file(pgn) + "[Event \"x\"]\n[Round \"7\"]\n\n1. e4 {best by test";
  write_file(pgn, left);
  play(*journal, view, random_game(2));
  CHECK_THAT(read_file(pgn), StartsWith(left));
  const auto games = read(pgn);
  REQUIRE(games.size() == 3);
  CHECK(games[1].result == "*");
  CHECK(games[2].tag("Round") == "1.2");
}

TEST_CASE("tags that are split over lines are counted as they stand (PGN standard 8.1.1)") {
  const TempFolder folder;
  const std::string pgn = folder.file("games.pgn");
  const std::string theirs =
      "[Event\n\"Club\"]\n[White\n\n\"Ann\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Event \"Club\"]\n[White \"Eve\"]\n"
      "[Result \"1-0\"]\n\n1. d4 e5 1-0\n\n";
  write_file(pgn, theirs);
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  {
    PgnView view(pgn, {}, *journal);
    for (const int number : {1, 2}) play(*journal, view, random_game(number));
  }
  journal->write({GameVoided{.game = 1, .why = "withdrawn"}, GameVoided{.game = 2, .why = "withdrawn"}});
  { const PgnView view(pgn, {}, *journal); }
  CHECK(read_file(pgn) == theirs);
}

TEST_CASE("what others wrote into the file stays, byte for byte") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const std::string theirs =
      "Notes of mine.\n\n[Event \"Club\"]\n[Round \"1.1\"]\n[White \"Anand\"]\n\n1. e4 e5 1-0 {agreed by telephone}\n";
  write_file(pgn, theirs);
  const std::size_t of_theirs = read(pgn).size();
  const auto first = Journal::open(folder.file("a.sqlite"), Journal::Mode::create_new);
  {
    PgnView view(pgn, {}, *first);
    play(*first, view, random_game(1));
  }
  // Another match of the same engines, with games of the same numbers, writes into the same file.
  auto facts_of_other = random_game(1);
  std::get<GameStarted>(facts_of_other.front()).at += std::chrono::hours(1);
  const auto second = Journal::open(folder.file("b.sqlite"), Journal::Mode::create_new);
  second->write(facts_of_other);
  { PgnView view(pgn, {}, *second); }
  REQUIRE(read(pgn).size() == of_theirs + 2);
  CHECK_THAT(read_file(pgn), StartsWith(theirs));
  const std::string whole = read_file(pgn);

  // The first is written anew: the others' games stand where they stood.
  { PgnView view(pgn, {}, *first, PgnView::Existing::replace); }
  CHECK_THAT(read_file(pgn), StartsWith(theirs));
  CHECK(read(pgn).size() == of_theirs + 2);
  CHECK(read_file(pgn).size() == whole.size());
  // A game of the first is void: it alone goes.
  first->write({GameVoided{1, "withdrawn"}});
  { PgnView view(pgn, {}, *first, PgnView::Existing::replace); }
  REQUIRE(read(pgn).size() == of_theirs + 1);
  CHECK_THAT(read_file(pgn), StartsWith(theirs));
  take_out_of_pgn(pgn, *second, {});
  CHECK_THAT(read_file(pgn), StartsWith(theirs));
  CHECK(read(pgn).size() == of_theirs);
  // A crash in the middle of the second's record, behind the others'.
  const std::string before = read_file(pgn);
  const std::string record = to_pgn(*second->game(1), {});
  for (std::size_t kept = 1; kept < record.size(); kept += 37) {
    write_file(pgn, before + record.substr(0, kept));
    { PgnView view(pgn, {}, *second); }
    REQUIRE(read_file(pgn) == before + record);
  }
}

TEST_CASE("on resume each finished game stands in the file once, whatever the file had") {
  const TempFolder folder;
  const std::string pgn = folder.file("games.pgn");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  for (int i : {3, 1, 2}) journal->write(random_game(i));
  auto uncounted = random_game(4);
  std::get<GameEnded>(uncounted.back()).counted = false;
  journal->write(uncounted);
  journal->write(random_game(4, 2));
  const auto running = random_game(5);
  journal->write({running.begin(), running.begin() + 9});
  {
    PgnView view(pgn, {}, *journal);
    CHECK(rounds(pgn) == std::vector<std::string>{"2.3", "1.1", "1.2", "2.4"});
    // The game that was running goes on where it stood.
    play(*journal, view, {running.begin() + 9, running.end()});
  }
  CHECK(rounds(pgn) == std::vector<std::string>{"2.3", "1.1", "1.2", "2.4", "3.5"});
  CHECK(read(pgn).back().moves.size() == 30);
  { PgnView view(pgn, {}, *journal); }
  CHECK(rounds(pgn).size() == 5);
  // Games of a file that somebody has written to stay.
  write_file(pgn, read_file(pgn) + "[Event \"Mine\"]\n[Round \"-\"]\n\n1. e4 e5 1/2-1/2");
  { PgnView view(pgn, {}, *journal); }
  CHECK(rounds(pgn).size() == 6);
  CHECK(read_file(pgn).ends_with("1/2-1/2\n\n"));
  { PgnView view(pgn, {}, *journal, PgnView::Existing::replace); }
  CHECK(rounds(pgn).size() == 6);
}

TEST_CASE("a game that is void goes out of the file when the file is opened, whoever else is in it") {
  const TempFolder folder;
  const std::string path = folder.file("games.pgn");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  {
    PgnView view(path, {}, *journal);
    for (const int number : {1, 2, 3, 4}) play(*journal, view, random_game(number));
  }
  const std::string foreign = "[Event \"Elsewhere\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
  write_file(path, foreign + read_file(path));
  journal->write(
      {GameVoided{.game = 2, .why = "withdrawn"}, GameVoided{.game = 4, .why = "withdrawn"}});  // and a kill keeps it from the file
  { const PgnView view(path, {}, *journal); }
  CHECK(rounds(path) == std::vector<std::string>{"none", "1.1", "2.3"});
  CHECK_THAT(read_file(path), StartsWith(foreign));
  journal->write({GameVoided{.game = 1, .why = "withdrawn"}});
  take_out_of_pgn(path, *journal, {});
  CHECK(read_file(path) == foreign);
}

TEST_CASE("CD-07 sixty-four games of eight at a time are sixty-four whole records") {
  const TempFolder folder;
  const std::string pgn = folder.file("games.pgn");
  {
    auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
    std::vector<std::unique_ptr<View>> views;
    views.push_back(std::make_unique<PgnView>(pgn, PgnStyle{}, *journal));
    Recorder recorder(std::move(journal), std::move(views), [](const std::string& error) { FAIL(error); });
    for (int first = 1; first <= 64; first += 8) {
      std::vector<std::vector<Fact>> games;
      for (int i = 0; i < 8; ++i) games.push_back(random_game(first + i));
      for (std::size_t step = 0; step < 70; ++step)
        for (auto& facts : games)
          if (step < facts.size()) recorder.post(facts[step]);
    }
    recorder.flush();
  }
  const auto games = read(pgn);
  REQUIRE(games.size() == 64);
  std::map<std::string, int> seen;
  for (const PgnGame& read : games) {
    CHECK((read.problems.empty() && !read.cut_off));
    ++seen[std::string(*read.tag("Round"))];
    const std::string round(*read.tag("Round"));
    const int number = std::stoi(round.substr(round.find('.') + 1));
    CHECK(read.moves.size() == random_moves(static_cast<std::uint64_t>(number), 30).size());
  }
  CHECK(seen.size() == 64);
}

TEST_CASE("the live file holds the games being played, always whole") {
  const TempFolder folder;
  const std::string live = folder.file("live.pgn");
  LivePgnView view(live, {}, 0ms);
  CHECK(read_file(live).empty());
  const auto first = random_game(1);
  const auto second = random_game(2);
  for (std::size_t i = 0; i < 12; ++i) {
    view.see(first[i]);
    view.see(second[i]);
    view.batch_done();
    const auto games = read(live);
    REQUIRE(games.size() == 2);
    CHECK((games[0].result == "*" && games[1].result == "*" && games[0].problems.empty()));
    CHECK(games[0].moves.size() == i / 2);
  }
  for (std::size_t i = 12; i < first.size(); ++i) view.see(first[i]);
  view.batch_done();
  CHECK(read(live)[0].result != "*");  // stays until the next game starts
  view.see(random_game(3).front());
  view.batch_done();
  const auto games = read(live);
  REQUIRE(games.size() == 2);
  CHECK((games[0].tag("Round") == "1.2" && games[1].tag("Round") == "2.3"));
  CHECK_FALSE(std::filesystem::exists(live + ".tmp"));
}

TEST_CASE("the live file is not written more often than asked, and its last state is not forgotten") {
  const TempFolder folder;
  const std::string live = folder.file("live.pgn");
  const auto facts = random_game(1);
  {
    LivePgnView view(live, {}, 1h);
    for (std::size_t i = 0; i < 9; ++i) {
      view.see(facts[i]);
      view.batch_done();
      view.tick();
    }
    CHECK(read_file(live).empty());
  }
  CHECK(read(live).size() == 1);
  CHECK(read(live)[0].moves.size() == 4);
  // With a recorder the last move before a long think appears without any further fact.
  std::vector<std::unique_ptr<View>> views;
  views.push_back(std::make_unique<LivePgnView>(live, PgnStyle{}, 50ms));
  Recorder recorder(Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new), std::move(views), [](const std::string&) {});
  for (std::size_t i = 0; i < 21; ++i) recorder.post(facts[i]);
  bool shown = false;
  for (int i = 0; i < 1000 && !shown; ++i) {
    std::this_thread::sleep_for(10ms);
    const auto games = read(live);
    shown = games.size() == 1 && games[0].moves.size() == 10;
  }
  CHECK(shown);
}

TEST_CASE("the stream of events is a JSON object a line, also after a crash in the middle of one") {
  const TempFolder folder;
  const std::string path = folder.file("events.jsonl");
  const auto facts = random_game(1);
  const std::string half = "{\"fact\":\"ev";
  write_file(path, "{\"fact\":\"match_finished\",\"at\":\"2026-11-30T00:00:00.000Z\"}\n" + half);
  {
    EventStreamView view(path);
    for (const Fact& fact : facts) view.see(fact);
    view.batch_done();
  }
  std::istringstream lines(read_file(path));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Fact fact = parse_fact(line);
    if (count > 0) CHECK(fact.index() == facts[count - 1].index());
  }
  CHECK(count == facts.size() + 1);
  CHECK(read_file(path).ends_with("}\n"));
}

TEST_CASE("another writer's torn line does not take one of ours with it") {
  const TempFolder folder;
  const std::string path = folder.file("events.jsonl");
  EventStreamView view(path);
  view.see(GameVoided{.game = 1, .why = "first"});
  view.batch_done();
  const std::string ours = read_file(path);
  write_file(path, ours + "{\"fact\":\"game_vo");
  view.see(GameVoided{.game = 2, .why = "second"});
  view.batch_done();
  CHECK(read_file(path) == ours + "{\"fact\":\"game_voided\",\"game\":2,\"why\":\"second\"}\n");
}

TEST_CASE("the stream of events gets the ends of games that a kill kept out of it, once") {
  const TempFolder folder;
  const std::string path = folder.file("events.jsonl");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  const auto first = random_game(1);
  const auto second = random_game(2);
  const std::vector<std::vector<Fact>> both = {first, second};
  journal->write_all(both);
  REQUIRE(std::holds_alternative<GameEnded>(second.back()));
  {
    EventStreamView view(path);
    for (const Fact& fact : first) view.see(fact);
    view.batch_done();
  }
  const std::string before = read_file(path);
  { const EventStreamView view(path, journal.get()); }
  const std::string after = read_file(path);
  REQUIRE(after.starts_with(before));
  std::string line;
  append_json(line, second.back());
  CHECK(after.substr(before.size()) == line + "\n");
  { const EventStreamView view(path, journal.get()); }
  CHECK(read_file(path) == after);
}

TEST_CASE("the stream of events gets the facts outside games that a kill kept out of it, once and in order") {
  const TempFolder folder;
  const std::string path = folder.file("events.jsonl");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  auto game = random_game(1);
  game.pop_back();  // the game is running
  const std::vector<Fact> matters = {EngineWithdrawn{.engine = "a", .why = "crashed"},
                                     GameVoided{.game = 1, .why = "the machine stood still"}, EngineReplaced{.engine = "a", .by = "b"},
                                     GameVoided{.game = 1, .why = "the machine stood still"}};
  const std::vector<std::vector<Fact>> all = {game, matters};
  journal->write_all(all);
  {
    EventStreamView view(path);
    view.see(matters[1]);
    view.batch_done();
  }
  const std::string before = read_file(path);
  { const EventStreamView view(path, journal.get()); }
  const std::string after = read_file(path);
  std::string missing;
  for (const std::size_t fact : {0U, 2U, 3U}) {
    append_json(missing, matters[fact]);
    missing += '\n';
  }
  CHECK(after == before + missing);
  { const EventStreamView view(path, journal.get()); }
  CHECK(read_file(path) == after);
}

TEST_CASE("a view that cannot write says which file") {
  const TempFolder folder;
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  CHECK_THROWS_WITH(PgnView(folder.path().string(), {}, *journal), Catch::Matchers::Contains(folder.path().string()));
  CHECK_THROWS_WITH(EventStreamView("/dev/full/x"), Catch::Matchers::Contains("/dev/full"));
  EventStreamView full("/dev/full");
  full.see(MatchFinished{wall(0), true});
  CHECK_THROWS_WITH(full.batch_done(), Catch::Matchers::Contains("/dev/full") && Catch::Matchers::Contains("No space"));
}

TEST_CASE("a clock before 1970 gives a file no game twice") {
  const TempFolder folder;
  const std::string path = folder.file("games.pgn");
  const auto journal = Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new);
  GameStarted start = started(1);
  start.at = WallTime(std::chrono::milliseconds{-86'400'500});
  {
    PgnView view(path, {}, *journal);
    play(*journal, view, played(start, random_moves(1, 30)));
  }
  { const PgnView view(path, {}, *journal); }
  REQUIRE(rounds(path) == std::vector<std::string>{"1.1"});
  CHECK(read(path).front().tag("UTCDate") == "1969.12.30");
  CHECK(read(path).front().tag("UTCTime") == "23:59:59");
}

TEST_CASE("what is no text is replaced by none, and none is added to it") {
  const TempFolder folder;
  const std::vector<std::pair<std::string, std::string>> kinds = {{std::string("SQLite format 3\0 ...", 20), "a database"},
                                                                  {"\x7F"
                                                                   "ELF...",
                                                                   "a program"},
                                                                  {"#!/bin/sh\n", "a program"},
                                                                  {"\x1F\x8B\x08", "a compressed archive"},
                                                                  {std::string(4095, 'x') + '\0', "no text"}};
  for (const auto& [text, kind] : kinds) {
    const std::string path = folder.file("file");
    write_file(path, text);
    CHECK_THROWS_WITH(replace_file(path, "text"), Catch::Matchers::Contains("is " + kind));
    CHECK_THROWS_WITH(check_writable(path, Writing::append), Catch::Matchers::Contains("is " + kind));
    CHECK(read_file(path) == text);
  }
  write_file(folder.file("m.sqlite"), kinds.front().first);
  CHECK_THROWS_WITH(replace_file(folder.file("m.sqlite-wal"), "text"), Catch::Matchers::Contains("is a part of the journal"));
  CHECK_THROWS_WITH(AppendFile(folder.file("m.sqlite-wal")), Catch::Matchers::Contains("is a part of the journal"));
  CHECK_THROWS_WITH(AppendFile(folder.file("m.sqlite")), Catch::Matchers::Contains("is a database"));
  CHECK_FALSE(std::filesystem::exists(folder.file("m.sqlite-wal")));
  write_file(folder.file("late.pgn"), std::string(4096, 'x') + '\0');  // it is told by its first 4 KiB
  CHECK_NOTHROW(check_writable(folder.file("late.pgn"), Writing::replace));
  replace_file(folder.file("n.sqlite-wal"), "text");
  CHECK(read_file(folder.file("n.sqlite-wal")) == "text");
}
