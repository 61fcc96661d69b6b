// Files that others write, too: what a record may do there. Expected values: what others wrote stays byte for byte, each game of the
// journal stands there once and whole (PGN standard, export format).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

#include "referee/record/append_file.hpp"
#include "referee/record/draft.hpp"
#include "referee/record/event_stock.hpp"
#include "referee/record/file_guard.hpp"
#include "referee/record/pgn_stock.hpp"
#include "referee/record/views.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace fs = std::filesystem;

namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

struct Match {
  Match(const TempFolder& folder, const std::string& name, const std::string& event, int games)
      : journal(Journal::open(folder.file(name), Journal::Mode::create_new)) {
    for (int i = 1; i <= games; ++i) {
      auto facts = played(started(i), random_moves(static_cast<std::uint64_t>(i), 30));
      std::get<GameStarted>(facts.front()).event = event;
      journal->write(facts);
    }
  }
  [[nodiscard]] std::string record(int number) const { return to_pgn(*journal->game(number), {}); }
  void open_pgn(const std::string& path) const { const PgnView view(path, {}, *journal); }

  std::unique_ptr<Journal> journal;
};

}  // namespace

TEST_CASE("a record that a crash cut off is written anew, also when another match has used the file since") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const Match a(folder, "a.sqlite", "First", 2);
  const Match b(folder, "b.sqlite", "Second", 1);
  const std::string last = a.record(2);
  // Within the tags, the moves, a comment, and the result.
  for (std::size_t kept = 1; kept<last.size() - 2; kept += kept + 12> last.size() ? 1 : 23) {
    write_file(pgn, a.record(1) + last.substr(0, kept));
    b.open_pgn(pgn);
    a.open_pgn(pgn);
    REQUIRE(read_file(pgn) == a.record(1) + b.record(1) + last);
    a.open_pgn(pgn);
    b.open_pgn(pgn);
    REQUIRE(read_file(pgn) == a.record(1) + b.record(1) + last);
  }
}

TEST_CASE("a game whose result was changed gets the result of the journal") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const Match a(folder, "a.sqlite", "First", 2);
  std::string changed = a.record(1);
  const std::string result(*PgnReader(*std::make_unique<std::istringstream>(changed)).next()->tag("Result"));
  const std::string other = result == "1-0" ? "0-1" : "1-0";
  for (std::size_t at = changed.find(result); at != std::string::npos; at = changed.find(result, at + 1))
    changed.replace(at, result.size(), other);
  write_file(pgn, changed + a.record(2));
  a.open_pgn(pgn);
  CHECK(read_file(pgn) == a.record(2) + a.record(1));
}

TEST_CASE("games of two matches that differ in their event alone are told apart") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const Match a(folder, "a.sqlite", "First", 1);
  const Match b(folder, "b.sqlite", "Second", 1);
  a.open_pgn(pgn);
  b.open_pgn(pgn);
  CHECK(read_file(pgn) == a.record(1) + b.record(1));
  take_out_of_pgn(pgn, *a.journal, {});
  CHECK(read_file(pgn) == b.record(1));
}

TEST_CASE("of games that nothing tells apart each match takes as many as it has played") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const Match a(folder, "a.sqlite", "One", 1);
  const auto b = Journal::open(folder.file("b.sqlite"), Journal::Mode::create_new);
  auto facts = played(started(1), random_moves(1, 31));  // the other side resigns
  std::get<GameStarted>(facts.front()).event = "One";
  b->write(facts);
  const std::string of_b = to_pgn(*b->game(1), {});
  for (const bool b_first : {true, false}) {
    write_file(pgn, b_first ? of_b + a.record(1) : a.record(1) + of_b);
    a.open_pgn(pgn);
    CHECK(read_file(pgn) == (b_first ? of_b + a.record(1) : a.record(1) + of_b));
    take_out_of_pgn(pgn, *a.journal, {});
    CHECK(read_file(pgn) == of_b);
  }
  write_file(pgn, a.record(1) + a.record(1));
  take_out_of_pgn(pgn, *a.journal, {});
  CHECK(read_file(pgn) == a.record(1));
}

TEST_CASE("notes between the games of a match stay when its games go") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const Match a(folder, "a.sqlite", "First", 3);
  for (const std::string note : {"; a note of mine\n\n", "{a comment\nof two lines}\n\n", "% for a program\n"}) {
    write_file(pgn, "; above\n" + a.record(1) + note + a.record(2) + note + a.record(3) + note);
    take_out_of_pgn(pgn, *a.journal, {});
    CHECK(read_file(pgn) == "; above\n" + note + note + note);
  }
  // A copy of a record, and one that another program has written without PlyCount, are left where they are.
  std::string plain = a.record(1);
  const std::size_t count = plain.find("[PlyCount");
  plain.erase(count, plain.find('\n', count) + 1 - count);
  write_file(pgn, plain + a.record(2) + a.record(2) + a.record(3));
  a.open_pgn(pgn);
  CHECK(read_file(pgn) == plain + a.record(2) + a.record(2) + a.record(3));
}

TEST_CASE("who appends finds the file that stands at the path, whoever replaced it meanwhile") {
  const TempFolder folder;
  const std::string pgn = folder.file("all.pgn");
  const Match a(folder, "a.sqlite", "First", 1);
  a.open_pgn(pgn);
  AppendFile other(pgn);
  other.append("theirs 1\n");
  const std::string before = read_file(pgn);
  AppendFile third(pgn);
  third.append("of a third\n");  // `other` knows nothing of it
  take_out_of_pgn(pgn, *a.journal, {});
  other.append("theirs 2\n");
  CHECK(read_file(pgn) == "theirs 1\nof a third\ntheirs 2\n");
  fs::remove(pgn);
  other.append("theirs 3\n");
  CHECK(read_file(pgn) == "theirs 3\n");
  CHECK(fs::directory_iterator(folder.path()) != fs::directory_iterator());
  for (const auto& entry : fs::directory_iterator(folder.path())) CHECK_FALSE(entry.path().extension() == ".tmp");
}

TEST_CASE("what is looked for and taken out while a file is held is safe from others who append") {
  const TempFolder folder;
  const std::string path = folder.file("shared.txt");
  constexpr int writers = 4;
  constexpr int lines = 200;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      AppendFile file(path);
      for (int line = 0; line < lines; ++line) {
        file.append(std::to_string(writer) + " " + std::to_string(line) + "\ngoes\n");
        const AppendFile::Hold held(file);
        const std::string text = read_file(path);
        std::vector<ByteRange> out;
        for (std::size_t at = text.find("goes\n"); at != std::string::npos; at = text.find("goes\n", at + 5)) out.push_back({at, at + 5});
        file.take_out(out);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = read_file(path);
  CHECK(text.find("goes") == std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == writers * lines);
}

TEST_CASE("a file that is replaced keeps its mode, a link stays a link, and what is no file is refused") {
  const TempFolder folder;
  const std::string real = folder.file("real.pgn");
  const std::string link = folder.file("link.pgn");
  write_file(real, "old");
  ::chmod(real.c_str(), 0600);
  fs::create_symlink("real.pgn", link);
  replace_file(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(read_file(real) == "new");
  CHECK(mode_of(real) == 0600U);

  const std::string nowhere = folder.file("to-be.pgn");
  fs::create_symlink("made.pgn", nowhere);
  replace_file(nowhere, "made");
  CHECK(fs::is_symlink(nowhere));
  CHECK(read_file(folder.file("made.pgn")) == "made");

  write_file(folder.file("real.pgn.tmp"), "somebody's");
  replace_file(real, "newer");
  CHECK(read_file(folder.file("real.pgn.tmp")) == "somebody's");

  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(replace_file(pipe, "x"), Contains(pipe + ": is a pipe (expected a regular file"));
  CHECK(fs::is_fifo(pipe));
  CHECK_THROWS_WITH(replace_file(folder.path().string(), "x"), Contains("is a folder"));
  CHECK_THROWS_WITH(replace_file("/dev/null", "x"), Contains("is a device"));
  fs::create_symlink("round", folder.file("round"));
  CHECK_THROWS_WITH(replace_file(folder.file("round"), "x"), Contains("a link that leads to itself"));

  const Match a(folder, "a.sqlite", "First", 2);
  const std::string pgn = folder.file("mine.pgn");
  write_file(pgn, "[Event \"Mine\"]\n\n1. e4 *\n\n");
  ::chmod(pgn.c_str(), 0640);
  a.open_pgn(pgn);
  write_file(pgn, read_file(pgn) + "; more\n");
  take_out_of_pgn(pgn, *a.journal, {});
  CHECK(read_file(pgn) == "[Event \"Mine\"]\n\n1. e4 *\n\n; more\n");
  CHECK(mode_of(pgn) == 0640U);
}

TEST_CASE("a PGN is written anew whole, of a draft that is nobody else's") {
  const TempFolder folder;
  const Match a(folder, "a.sqlite", "First", 2);
  const std::string real = folder.file("real.pgn");
  const std::string note = "[Event \"Mine\"]\n\n1. e4 *\n\n";
  write_file(real, note + a.record(1) + a.record(2));
  ::chmod(real.c_str(), 0640);
  fs::create_symlink("real.pgn", folder.file("games.pgn"));
  write_file(real + ".new", "somebody's");
  write_file(real + "." + std::to_string(::getpid()) + ".tmp", "what a kill has left");
  const std::string before = read_file(real);
  std::ifstream reader(real, std::ios::binary);
  rewrite_pgn(folder.file("games.pgn"), {}, *a.journal);
  CHECK(fs::is_symlink(folder.file("games.pgn")));
  CHECK(read_file(real) == before);
  CHECK(mode_of(real) == 0640U);
  CHECK(std::string(std::istreambuf_iterator<char>(reader), {}) == before);
  CHECK(read_file(real + ".new") == "somebody's");
  const auto drafts = [&folder] {
    return std::count_if(fs::directory_iterator(folder.path()), {}, [](const auto& entry) { return entry.path().extension() == ".tmp"; });
  };
  CHECK(drafts() == 1);
  {
    const Draft given_up(real);
    CHECK(drafts() == 2);
  }
  CHECK(drafts() == 1);
  CHECK(read_file(real + "." + std::to_string(::getpid()) + ".tmp") == "what a kill has left");
}

TEST_CASE("a record is not written into what cannot hold it") {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(check_writable(pipe, Writing::append), Contains("is a pipe"));
  CHECK_THROWS_WITH(check_writable(folder.path().string(), Writing::append), Contains("is a folder"));
  CHECK_NOTHROW(check_writable("/dev/null", Writing::append));
  CHECK_THROWS_WITH(check_writable("/dev/null", Writing::replace), Contains("is a device"));
  CHECK_NOTHROW(check_writable(folder.file("none.pgn"), Writing::replace));
  write_file(folder.file("games.pgn"), std::string("\x1F\x8B\x08\x00", 4));  // RFC 1952, 2.3.1
  CHECK_THROWS_WITH(check_writable(folder.file("games.pgn"), Writing::append), Contains("is a compressed archive"));
}

TEST_CASE("a stream of events is emptied if the match alone wrote there, and else left as it is") {
  const TempFolder folder;
  const std::string path = folder.file("events.jsonl");
  const std::string link = folder.file("link.jsonl");
  fs::create_symlink("events.jsonl", link);
  const auto journal = Journal::open(folder.file("a.sqlite"), Journal::Mode::create_new);
  std::vector<Fact> facts{MatchStarted{wall(0), "digest", false}};
  for (Fact& fact : played(started(1), random_moves(1, 10))) facts.push_back(std::move(fact));
  journal->write(facts);
  const auto stream = [&] {
    fs::remove(path);
    EventStreamView view(link);
    for (const Fact& fact : facts) view.see(fact);
    view.batch_done();
  };
  stream();
  const std::string own = read_file(path);
  CHECK(take_out_of_events(link, *journal));
  CHECK(read_file(path).empty());
  CHECK(fs::is_symlink(link));
  CHECK(take_out_of_events(folder.file("none.jsonl"), *journal));

  write_file(path, own + R"({"fact":"mo)");  // a crash
  CHECK(take_out_of_events(path, *journal));
  CHECK(read_file(path).empty());

  std::string of_another;
  append_json(of_another, MatchStarted{wall(1), "digest", false});
  for (const std::string& text : {std::string("a note\n") + own, own + "{\"log\":\"of a program\"}\n", own + of_another + "\n",
                                  std::string("{\"fact\":\"of a fiction\"}\n"), own + "no line's end"}) {
    write_file(path, text);
    CHECK_FALSE(take_out_of_events(path, *journal));
    CHECK(read_file(path) == text);
  }
  // What has no line's end and is no fact of ours gets one; half a fact goes.
  { const EventStreamView view(path); }
  CHECK(read_file(path) == own + "no line's end\n");
  // Ends that another match told of games with the same numbers are not taken for ours.
  auto other = played(started(1), random_moves(2, 10));
  std::get<GameEnded>(other.back()).at += 1h;
  std::string theirs;
  append_json(theirs, other.back());
  write_file(path, theirs + "\n");
  { const EventStreamView view(path, journal.get()); }
  std::string ours;
  append_json(ours, facts.back());
  CHECK(read_file(path) == theirs + "\n" + ours + "\n");
}
