#include "referee/daemon/live_hub.hpp"

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>

#include "tests/match/support.hpp"

using namespace referee;
using namespace referee::daemon;
using referee::test::ScratchFolder;

namespace {

class FakeConnection : public LiveConnection {
 public:
  void send(Text text) override {
    if (on_closed) messages.push_back(*text);
    waiting = true;
  }
  [[nodiscard]] std::size_t queued() const noexcept override { return waiting ? 1 : 0; }
  void hold() override { held = true; }
  void go_on() override { held = false; }
  void close(std::string_view /*why*/) override {
    if (auto closed = std::exchange(on_closed, nullptr)) closed();
  }
  /// The system has taken what was queued.
  void drain() {
    if (!std::exchange(waiting, false)) return;
    if (on_drained) on_drained();
  }
  std::vector<std::string> messages;
  bool waiting = false;
  bool held = false;
};

struct World {
  explicit World(const ScratchFolder& folder)
      : log(std::make_shared<LiveLog>(folder.file("events"))),
        hub({.log_of = [this](int match) { return match == 1 || (match == 2 && opened) ? log : nullptr; },
             .knows = [](int match) { return match <= 3; },
             .open_log = [this](int match) { opened = opened || match == 2; },
             .elsewhere = [this](std::function<void()> job,
                                 std::function<void()> done) { jobs.emplace_back(std::move(job), std::move(done)); }}) {}
  LiveBatch add(int count) {
    std::vector<std::string> lines;
    std::string text;
    for (int i = 0; i < count; ++i) {
      lines.push_back("{\"n\":" + std::to_string(log->next() + static_cast<std::uint64_t>(i)) + "}");
      text += lines.back() + "\n";
    }
    return make_batch(1, log->append(text, lines.size()), lines);
  }
  void read_one() {
    auto [job, done] = std::move(jobs.front());
    jobs.pop_front();
    job();
    done();
  }
  std::shared_ptr<LiveLog> log;
  bool opened = false;  // of match 2; that of 3 cannot be
  std::deque<std::pair<std::function<void()>, std::function<void()>>> jobs;
  LiveHub hub;
};

std::shared_ptr<FakeConnection> join(World& world, const std::string& target, const std::string& key = "") {
  Request request;
  REQUIRE(read_target(target, request));
  auto connection = std::make_shared<FakeConnection>();
  world.hub.join(connection, subscriptions_of(request), key);
  return connection;
}

std::vector<std::uint64_t> events_of(const FakeConnection& connection) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& message : connection.messages) {
    const boost::json::value value = boost::json::parse(message);
    if (!value.as_object().contains("events")) continue;
    auto number = value.at("first").to_number<std::uint64_t>();
    for (const auto& event : value.at("events").as_array()) {
      CHECK(event.at("n").to_number<std::uint64_t>() == number);
      numbers.push_back(number++);
    }
  }
  return numbers;
}

}  // namespace

TEST_CASE("whoever comes back is told what was missed, then what comes, each event once", "[live]") {
  const ScratchFolder folder;
  World world(folder);
  (void)world.add(10);
  const auto client = join(world, "/api/v1/live?match=1&from=8");
  const LiveBatch during = world.add(2);  // while what was missed is being read
  world.hub.publish(during);
  while (!world.jobs.empty()) {
    world.read_one();
    client->drain();
  }
  world.hub.publish(world.add(3));
  CHECK(events_of(*client) == std::vector<std::uint64_t>{8, 9, 10, 11, 12, 13, 14, 15});
}

TEST_CASE("in whatever order reading, publishing and sending happen, no event is lost or told twice", "[live]") {
  std::minstd_rand random(5);
  for (int round = 0; round < 60; ++round) {
    const ScratchFolder folder;
    World world(folder);
    (void)world.add(static_cast<int>(random() % 1500));
    const std::uint64_t from = 1 + random() % world.log->next();
    const auto client = join(world, "/api/v1/live?match=1&from=" + std::to_string(from));
    std::deque<LiveBatch> unpublished;
    for (int i = 0; i < 200; ++i) {
      switch (random() % 4) {
        case 0:
          unpublished.push_back(world.add(1 + static_cast<int>(random() % 30)));
          break;
        case 1:
          if (unpublished.empty()) break;
          world.hub.publish(unpublished.front());
          unpublished.pop_front();
          break;
        case 2:
          if (!world.jobs.empty()) world.read_one();
          break;
        default:
          client->drain();
      }
    }
    for (const LiveBatch& batch : unpublished) world.hub.publish(batch);
    for (int i = 0; i < 50 && (!world.jobs.empty() || client->waiting); ++i) {
      if (!world.jobs.empty()) world.read_one();
      client->drain();
    }
    world.hub.publish(world.add(1));
    for (int i = 0; i < 50 && (!world.jobs.empty() || client->waiting); ++i) {
      if (!world.jobs.empty()) world.read_one();
      client->drain();
    }
    const std::vector<std::uint64_t> told = events_of(*client);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t n = from; n < world.log->next(); ++n) expected.push_back(n);
    REQUIRE(told == expected);
  }
}

TEST_CASE("without a number a viewer gets what comes; news go to everybody; odd words are answered", "[live]") {
  const ScratchFolder folder;
  World world(folder);
  (void)world.add(5);
  const auto client = join(world, "/api/v1/live?match=1");
  const auto other = join(world, "/api/v1/live");
  world.hub.publish(world.add(1));
  CHECK(events_of(*client) == std::vector<std::uint64_t>{6});
  CHECK(other->messages.empty());
  world.hub.news("desk");
  CHECK(client->messages.back() == R"({"news":"desk"})");
  CHECK(other->messages.back() == R"({"news":"desk"})");
  other->on_text(R"({"subscribe":1,"from":6})");
  world.read_one();
  CHECK(events_of(*other) == std::vector<std::uint64_t>{6});
  other->on_text(R"({"unsubscribe":1})");
  world.hub.publish(world.add(1));
  CHECK(events_of(*other) == std::vector<std::uint64_t>{6});
  for (const char* odd :
       {"", "x", "[]", "{}", R"({"subscribe":"1"})", R"({"subscribe":7})", R"({"subscribe":4294967297})", R"({"subscribe":1,"from":"6"})",
        R"({"subscribe":1,"from":0})", R"({"unsubscribe":1.5})", R"({"subscribe":null})"}) {
    INFO(odd);
    other->on_text(odd);
    CHECK(other->messages.back().find("error") != std::string::npos);
  }
  CHECK(world.hub.clients() == 2);
  world.hub.close_all("enough");
  CHECK(world.hub.clients() == 0);
}

TEST_CASE("whatever a viewer asks for, one reading of its is under way, and what it says next is left until that is done", "[live]") {
  const ScratchFolder folder;
  World world(folder);
  (void)world.add(20);
  const auto client = join(world, "/api/v1/live");
  for (int i = 0; i < 1000; ++i) {
    client->on_text(R"({"subscribe":1,"from":1})");
    CHECK(client->held);
    client->on_text(R"({"unsubscribe":1})");
  }
  CHECK(world.jobs.size() == 1);
  client->on_text(R"({"subscribe":1,"from":15})");
  CHECK(world.jobs.size() == 1);
  for (int i = 0; i < 10 && (!world.jobs.empty() || client->waiting); ++i) {
    if (!world.jobs.empty()) world.read_one();
    client->drain();
    CHECK(world.jobs.size() <= 1);
    CHECK(client->held == !world.jobs.empty());
  }
  CHECK(events_of(*client) == std::vector<std::uint64_t>{15, 16, 17, 18, 19, 20});
  world.hub.publish(world.add(1));
  CHECK(events_of(*client).back() == 21);
}

TEST_CASE("a match that nobody has looked at yet is opened for its viewer", "[live]") {
  const ScratchFolder folder;
  World world(folder);
  (void)world.add(3);
  const auto client = join(world, "/api/v1/live?match=2&from=2");
  CHECK(client->held);
  CHECK(client->messages.empty());
  while (!world.jobs.empty()) world.read_one();
  CHECK_FALSE(client->held);
  CHECK(client->messages.front() == R"({"subscribed":2,"next":2,"end":4})");
  CHECK(events_of(*client) == std::vector<std::uint64_t>{2, 3});
  client->on_text(R"({"subscribe":3})");
  while (!world.jobs.empty()) world.read_one();
  CHECK_FALSE(client->held);
  CHECK(client->messages.back() == R"({"error":"nothing can be read of match 3","match":3})");
  client->on_text(R"({"subscribe":4})");
  CHECK(world.jobs.empty());
  CHECK(client->messages.back() == R"({"error":"there is no match 4","match":4})");
}

TEST_CASE("a viewer of many matches is told of each in turn, one reading after the other", "[live]") {
  const ScratchFolder folder;
  std::map<int, std::shared_ptr<LiveLog>> logs;
  std::deque<std::pair<std::function<void()>, std::function<void()>>> jobs;
  LiveHub hub(
      {.log_of = [&](int match) { return logs.contains(match) ? logs.at(match) : nullptr; },
       .knows = [](int /*match*/) { return true; },
       .open_log = [](int /*match*/) {},
       .elsewhere = [&](std::function<void()> job, std::function<void()> done) { jobs.emplace_back(std::move(job), std::move(done)); }});
  constexpr int events = 1200;  // two messages of 500 and one of the rest
  std::string lines;
  for (int i = 0; i < events; ++i) lines += "{}\n";
  std::string target = "/api/v1/live?";
  for (int match = 1; match <= 3; ++match) {
    logs[match] = std::make_shared<LiveLog>(folder.file("events" + std::to_string(match)));
    logs[match]->append(lines, events);
    target += "&match=" + std::to_string(match) + "&from=1";
  }
  Request request;
  REQUIRE(read_target(target, request));
  const auto client = std::make_shared<FakeConnection>();
  hub.join(client, subscriptions_of(request));
  for (int i = 0; i < 100 && (!jobs.empty() || client->waiting); ++i) {
    CHECK(jobs.size() <= 1);
    if (!jobs.empty()) {
      auto [job, done] = std::move(jobs.front());
      jobs.pop_front();
      job();
      done();
    }
    client->drain();
  }
  std::vector<std::pair<std::int64_t, std::size_t>> told;
  for (const std::string& message : client->messages) {
    const boost::json::object object = boost::json::parse(message).as_object();
    if (object.contains("events")) told.emplace_back(object.at("match").as_int64(), object.at("events").as_array().size());
  }
  using Told = std::vector<std::pair<std::int64_t, std::size_t>>;
  CHECK(told == Told{{1, 500}, {2, 500}, {3, 500}, {1, 500}, {2, 500}, {3, 500}, {1, 200}, {2, 200}, {3, 200}});
}

TEST_CASE("viewers whose key is taken away are closed, all others stay", "[live]") {
  const ScratchFolder folder;
  World world(folder);
  const auto local = join(world, "/api/v1/live?match=1");
  const auto kept = join(world, "/api/v1/live?match=1", "k");
  const auto gone = join(world, "/api/v1/live?match=1", "g");
  world.hub.close_others({"k", "other"}, "gone");
  CHECK(world.hub.clients() == 2);
  world.hub.publish(world.add(1));
  CHECK(events_of(*local).size() == 1);
  CHECK(events_of(*kept).size() == 1);
  CHECK(events_of(*gone).empty());
}

TEST_CASE("what a viewer begins with reads whole, or is refused by name", "[live]") {
  const auto read = [](const std::string& query) {
    Request request;
    REQUIRE(read_target("/api/v1/live" + query, request));
    return subscriptions_of(request);
  };
  CHECK(read("").empty());
  const auto two = read("?match=3&from=17&match=4");
  REQUIRE(two.size() == 2);
  CHECK((two[0].match == 3 && two[0].from == std::uint64_t{17}));
  CHECK((two[1].match == 4 && !two[1].from));
  using Catch::Contains;
  for (const char* value : {"", "x", "1x", "0", "-1", "1.5", "4294967297", "+1", "%201"}) {
    INFO(value);
    CHECK_THROWS_WITH(read(std::string("?match=") + value), Contains("'match' is ") && Contains("expected a number from 1"));
  }
  for (const char* value : {"", "x", "0", "-1", "99999999999999999999"}) {
    INFO(value);
    CHECK_THROWS_WITH(read(std::string("?match=1&from=") + value), Contains("'from' is ") && Contains("expected a number from 1"));
  }
  for (const char* lost : {"?from=1", "?from=1&match=1", "?match=1&from=1&from=2"}) {
    INFO(lost);
    CHECK_THROWS_WITH(read(lost), Contains("'from' belongs to the match before it"));
  }
}

TEST_CASE("a number beyond the log's end, or before its beginning, is told as lost", "[live]") {
  const ScratchFolder folder;
  World world(folder);
  (void)world.add(5);
  const auto client = join(world, "/api/v1/live?match=1&from=100");
  CHECK(client->messages.front().find("\"lost\":true") != std::string::npos);
  world.read_one();
  CHECK(events_of(*client) == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
}
