#include "engine_iface/deadline_queue.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <vector>

using namespace referee::engine;
using namespace std::chrono_literals;

namespace {
DeadlineQueue::Instant now() { return std::chrono::steady_clock::now(); }
}  // namespace

TEST_CASE("deadlines expire in the order of their instants, never early", "[deadline]") {
  boost::asio::io_context io;
  DeadlineQueue queue(io);
  std::mt19937 random(7);
  const auto start = now();
  std::vector<std::unique_ptr<Deadline>> deadlines;
  std::vector<int> order, expected;
  std::vector<std::pair<int, int>> by_time;
  for (int i = 0; i < 300; ++i) {
    const int offset_us = static_cast<int>(random() % 30000);
    const auto at = start + std::chrono::microseconds(offset_us) + std::chrono::nanoseconds(i);
    deadlines.push_back(std::make_unique<Deadline>(queue, [&order, i, at](DeadlineQueue::Instant fired) {
      CHECK(fired >= at);
      order.push_back(i);
    }));
    deadlines.back()->set(at);
    by_time.emplace_back(offset_us, i);
  }
  std::stable_sort(by_time.begin(), by_time.end());
  // A third of them is cleared, a third moved behind all others.
  for (const auto& [offset, i] : by_time) {
    if (i % 3 == 0) deadlines.at(static_cast<std::size_t>(i))->clear();
    if (i % 3 == 1) expected.push_back(i);
  }
  std::vector<int> moved;
  for (int i = 2; i < 300; i += 3) moved.push_back(i);
  // Moved in reverse, so that entries go both ways in the heap.
  for (const int i : moved) deadlines.at(static_cast<std::size_t>(i))->set(start + 40ms - std::chrono::microseconds(i));
  std::reverse(moved.begin(), moved.end());
  expected.insert(expected.end(), moved.begin(), moved.end());
  while (queue.size() > 0) io.run_one();
  CHECK(order == expected);
}

TEST_CASE("setting later deadlines and clearing them never touches the timer", "[deadline]") {
  boost::asio::io_context io;
  DeadlineQueue queue(io);
  Deadline white(queue, [](auto) { FAIL("expired"); }), black(queue, [](auto) { FAIL("expired"); });
  for (int move = 0; move < 1000; ++move) {
    Deadline& mover = move % 2 == 0 ? white : black;
    mover.set(now() + 60s);
    mover.clear();
  }
  CHECK(queue.times_armed() == 1);
  white.set(now() + 30s);
  CHECK(queue.times_armed() == 2);  // earlier than what was armed
  CHECK(white.pending().has_value());
  CHECK_FALSE(black.pending().has_value());
  CHECK(queue.size() == 1);
}

TEST_CASE("a deadline set later than the armed one is met all the same", "[deadline]") {
  boost::asio::io_context io;
  DeadlineQueue queue(io);
  bool expired = false;
  Deadline early(queue, [](auto) { FAIL("was cleared"); });
  Deadline late(queue, [&](auto) { expired = true; });
  early.set(now() + 5ms);
  late.set(now() + 15ms);
  early.clear();
  while (!expired) io.run_one();
  CHECK(queue.times_armed() == 2);
}

TEST_CASE("a callback may set, clear and destroy deadlines, its own too", "[deadline]") {
  boost::asio::io_context io;
  DeadlineQueue queue(io);
  int expirations = 0;
  std::unique_ptr<Deadline> own, other, again;
  other = std::make_unique<Deadline>(queue, [](auto) { FAIL("was destroyed"); });
  own = std::make_unique<Deadline>(queue, [&](auto) {
    const std::vector<int> captured_state(100, 3);
    ++expirations;
    other.reset();
    own.reset();
    CHECK(captured_state.back() == 3);
  });
  again = std::make_unique<Deadline>(queue, [&](DeadlineQueue::Instant at) {
    if (++expirations < 5) again->set(at);  // already past: next time round
  });
  const auto soon = now() + 1ms;
  own->set(soon);
  other->set(soon + 1us);
  again->set(soon + 2us);
  while (expirations < 5) io.run_one();
  CHECK(own == nullptr);
  CHECK(queue.size() == 0);
}

TEST_CASE("the timer keeps nobody waiting once all deadlines are gone", "[deadline]") {
  boost::asio::io_context io;
  DeadlineQueue queue(io);
  {
    Deadline flag(queue, [](auto) { FAIL("expired"); });
    flag.set(now() + 1h);
    flag.clear();
  }
  const auto start = now();
  io.run();
  CHECK(now() - start < 10s);
}

TEST_CASE("a deadline may outlive its queue", "[deadline]") {
  boost::asio::io_context io;
  auto queue = std::make_unique<DeadlineQueue>(io);
  Deadline flag(*queue, [](auto) { FAIL("expired"); });
  flag.set(now() + 1ms);
  queue.reset();
  flag.set(now() + 2ms);
  io.run();
  CHECK(flag.pending().has_value());
}
