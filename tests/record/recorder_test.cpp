#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

#include "referee/record/recorder.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;

namespace {

/// Writes down what it is told, and whether a reader of the file would already find a game that is said to have ended.
class Witness : public View {
 public:
  struct Notes {
    std::mutex mutex;
    std::vector<std::string> facts;
    std::vector<int> ended;
    bool durable_first = true;
    int batches = 0;
  };
  Witness(std::shared_ptr<Notes> notes, std::string path) : notes_(std::move(notes)), path_(std::move(path)) {}
  void see(const Fact& fact) override {
    const std::lock_guard lock(notes_->mutex);
    append_json(notes_->facts.emplace_back(), fact);
    if (const auto* ended = std::get_if<GameEnded>(&fact)) {
      notes_->ended.push_back(ended->game);
      const auto recorded = Journal::open(path_, Journal::Mode::read_only)->game(ended->game);
      if (!recorded || !recorded->row.outcome) notes_->durable_first = false;
    }
  }
  void batch_done() override {
    const std::lock_guard lock(notes_->mutex);
    ++notes_->batches;
  }

 private:
  std::shared_ptr<Notes> notes_;
  std::string path_;
};

class FullDisk : public Journal {
 public:
  explicit FullDisk(std::atomic<int>& writes) : writes_(writes) {}
  void write_plan(const PlanRecord&) override {}
  void write_all(std::span<const std::vector<Fact>>) override {
    ++writes_;
    throw JournalError("x.sqlite: the disk is full");
  }
  std::optional<PlanRecord> plan() const override { return {}; }
  void each_game(const std::function<void(GameRow)>&) const override {}
  std::vector<GameRow> attempts() const override { return {}; }
  std::optional<RecordedGame> game(int) const override { return {}; }
  std::optional<RecordedGame> game(int, int) const override { return {}; }
  std::vector<EngineFault> faults(std::size_t, std::size_t) const override { return {}; }
  std::size_t count_faults() const override { return 0; }
  std::vector<EngineWarning> warnings() const override { return {}; }
  std::vector<EngineWithdrawn> withdrawals() const override { return {}; }
  std::vector<Fact> matters() const override { return {}; }
  int schema_version() const override { return 1; }
  const std::string& path() const noexcept override { return path_; }

 private:
  std::atomic<int>& writes_;
  std::string path_ = "x.sqlite";
};

/// Full for its first writes; then there is room.
class FullForAWhile final : public FullDisk {
 public:
  FullForAWhile(std::atomic<int>& writes, std::atomic<int>& facts) : FullDisk(writes), writes_(writes), facts_(facts) {}
  void write_all(std::span<const std::vector<Fact>> parts) override {
    if (++writes_ <= 2) throw JournalError("x.sqlite: the disk is full", JournalError::Cause::no_room);
    for (const auto& part : parts) facts_ += static_cast<int>(part.size());
  }

 private:
  std::atomic<int>& writes_;
  std::atomic<int>& facts_;
};

template <class Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

}  // namespace

TEST_CASE("facts of interleaved games arrive in order, ended games on disk before a view hears of them") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  const auto notes = std::make_shared<Witness::Notes>();
  std::vector<std::vector<Fact>> games;
  for (int i = 1; i <= 8; ++i)
    games.push_back(played(started(i), random_moves(static_cast<std::uint64_t>(i), 20 + static_cast<std::size_t>(i))));
  {
    std::vector<std::unique_ptr<View>> views;
    views.push_back(std::make_unique<Witness>(notes, path));
    Recorder recorder(Journal::open(path, Journal::Mode::create_new), std::move(views), [](const std::string&) {});
    recorder.post(MatchStarted{wall(0), "d", false});
    for (std::size_t i = 0; i < 80; ++i)
      for (const auto& game : games)
        if (i < game.size()) recorder.post(game[i]);
    recorder.post(MatchFinished{wall(1), true});
    recorder.flush();
    CHECK(recorder.backlog() == 0);
    CHECK(recorder.healthy());
    CHECK_FALSE(recorder.congested());
    CHECK(Journal::open(path, Journal::Mode::read_only)->games().size() == 8);
    recorder.post(EngineWarning{.game = 0, .ply = 0, .engine = "A", .kind = "k", .text = "t", .line = ""});
    REQUIRE(recorder.flush_within(std::chrono::minutes(1)));
    CHECK(Journal::open(path, Journal::Mode::read_only)->warnings().size() == 1);
  }
  CHECK(notes->durable_first);
  CHECK(notes->ended.size() == 8);
  CHECK(notes->batches >= 1);
  CHECK(notes->facts.front().find("match_started") != std::string::npos);
  CHECK(notes->facts.back().find("warning") != std::string::npos);
  const auto journal = Journal::open(path, Journal::Mode::read_only);
  for (const auto& game : games) {
    const int number = std::get<GameStarted>(game.front()).game;
    std::vector<std::string> expected, seen;
    for (const Fact& fact : game) append_json(expected.emplace_back(), fact);
    const std::string mark = "\"game\":" + std::to_string(number) + ",";
    for (const std::string& fact : notes->facts)
      if (fact.find(mark) != std::string::npos) seen.push_back(fact);
    CHECK(seen == expected);
    CHECK(journal->game(number)->events.size() == game.size() - 2);
  }
}

TEST_CASE("an ended game is written soon without anybody asking, and so are events of a running one") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  Recorder recorder(Journal::open(path, Journal::Mode::create_new), {}, [](const std::string&) {});
  std::this_thread::sleep_for(600ms);  // the thread sleeps by now
  for (const Fact& fact : played(started(1), {"e2e4", "e7e5"})) recorder.post(fact);
  const auto running = played(started(2), {"d2d4", "d7d5"});
  for (std::size_t i = 0; i + 1 < running.size(); ++i) recorder.post(running[i]);
  const auto reader = Journal::open(path, Journal::Mode::read_only);
  CHECK(comes_true([&] { return reader->game(1) && reader->game(1)->row.outcome; }));
  CHECK(comes_true([&] { return reader->game(2) && reader->game(2)->events.size() == running.size() - 2; }));
}

TEST_CASE("what was posted comes back as room for the next facts, and no more of it than is needed") {
  const TempFolder folder;
  Recorder recorder(Journal::open(folder.file("m.sqlite"), Journal::Mode::create_new), {}, [](const std::string&) {});
  CHECK(recorder.spare().capacity() == 0);  // nothing was posted yet
  for (int game = 1; game <= 200; ++game) recorder.post(played(started(game), {"e2e4", "c7c5", "g1f3"}));
  recorder.flush();
  int spares = 0;
  for (auto facts = recorder.spare(); facts.capacity() > 0; facts = recorder.spare()) {
    CHECK(facts.empty());
    CHECK(facts.capacity() >= 5);
    ++spares;
  }
  CHECK(spares > 0);
  CHECK(spares < 200);
}

TEST_CASE("many threads may post") {
  const TempFolder folder;
  const std::string path = folder.file("m.sqlite");
  Recorder recorder(Journal::open(path, Journal::Mode::create_new), {}, [](const std::string&) {});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&recorder, t] {
      for (int i = 0; i < 5; ++i)
        for (Fact& fact : played(started(1 + t * 5 + i), {"e2e4", "c7c5", "g1f3"})) recorder.post(std::move(fact));
    });
  }
  for (std::thread& thread : threads) thread.join();
  recorder.flush();
  const auto games = Journal::open(path, Journal::Mode::read_only)->games();
  CHECK(games.size() == 20);
  for (const GameRow& row : games) CHECK((row.outcome && row.plies == 3));
}

TEST_CASE("a disk that fails is told once, and nobody waits for it") {
  std::atomic<int> writes{0};
  std::atomic<int> errors{0};
  std::string told;
  {
    Recorder recorder(std::make_unique<FullDisk>(writes), {}, [&](const std::string& text) {
      told = text;
      ++errors;
    });
    for (const Fact& fact : played(started(1), {"e2e4"})) recorder.post(fact);
    recorder.flush();
    CHECK_FALSE(recorder.healthy());
    CHECK_FALSE(recorder.flush_within(std::chrono::minutes(1)));
    for (const Fact& fact : played(started(2), {"e2e4"})) recorder.post(fact);
    recorder.flush();
    CHECK(recorder.backlog() == 0);
  }
  CHECK(writes == 1);
  CHECK(errors == 1);
  CHECK(told == "x.sqlite: the disk is full");
}

TEST_CASE("a full disk is waited for: nothing is lost, nothing is written twice, nothing new is started meanwhile") {
  std::atomic<int> writes = 0, written = 0;
  std::mutex mutex;
  std::vector<std::string> told;
  const auto facts = played(started(1), {"e2e4", "e7e5"});
  {
    Recorder recorder(
        std::make_unique<FullForAWhile>(writes, written), {}, [](const std::string&) { FAIL("a full disk is no failure"); },
        [&](const std::string& text) {
          const std::lock_guard lock(mutex);
          told.push_back(text);
        });
    for (const Fact& fact : facts) recorder.post(fact);
    REQUIRE(comes_true([&] { return writes > 0; }));
    REQUIRE(comes_true([&] { return recorder.congested() || writes > 2; }));
    recorder.flush();
    CHECK_FALSE(recorder.congested());
    CHECK(recorder.healthy());
  }
  CHECK(writes == 3);
  CHECK(written == static_cast<int>(facts.size()));
  REQUIRE(told.size() == 2);
  CHECK(told[0].find("the disk is full") != std::string::npos);
  CHECK(told[1].find("room again") != std::string::npos);
}
