#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "engine_iface/line_buffer.hpp"
#include "engine_iface/recent_lines.hpp"

using namespace referee::engine;

namespace {

/// Feeds `text` in pieces of at most `piece` bytes; the lines that come out, cut ones marked.
std::vector<std::string> lines_of(const std::string& text, std::size_t piece, std::size_t capacity, std::size_t longest,
                                  bool whole = false) {
  LineBuffer buffer(capacity, longest);
  std::vector<std::string> lines;
  const auto take = [&](const LineBuffer::Line& line) { lines.push_back(std::string(line.text) + (line.cut ? "<cut>" : "")); };
  for (std::size_t at = 0; at < text.size();) {
    const auto space = buffer.writable(whole);
    REQUIRE(space.size >= capacity / 2);
    const std::size_t count = std::min({piece, space.size, text.size() - at});
    std::copy_n(text.data() + at, count, space.data);
    buffer.filled(count);
    at += count;
    while (const auto line = buffer.next()) take(*line);
  }
  if (const auto line = buffer.rest()) take(*line);
  CHECK_FALSE(buffer.rest().has_value());
  return lines;
}

}  // namespace

TEST_CASE("lines come out whole however the bytes came in", "[lines]") {
  const std::string text = "uciok\n\ninfo depth 1\r\nbestmove e2e4\nno end";
  const std::vector<std::string> expected = {"uciok", "", "info depth 1\r", "bestmove e2e4", "no end"};
  const auto piece = GENERATE(1, 2, 3, 7, 16, 1000);
  const auto capacity = GENERATE(4, 8, 32, 4096);
  const auto whole = GENERATE(false, true);
  CHECK(lines_of(text, static_cast<std::size_t>(piece), static_cast<std::size_t>(capacity), 100, whole) == expected);
}

TEST_CASE("a long line is cut at the bound and the next one is not touched", "[lines]") {
  const std::string text = std::string(50, 'a') + "\nshort\n" + std::string(10, 'b') + "\n" + std::string(11, 'c');
  const std::vector<std::string> expected = {std::string(10, 'a') + "<cut>", "short", std::string(10, 'b'), std::string(10, 'c') + "<cut>"};
  const auto piece = GENERATE(1, 3, 100);
  const auto capacity = GENERATE(4, 16, 256);
  CHECK(lines_of(text, static_cast<std::size_t>(piece), static_cast<std::size_t>(capacity), 10) == expected);
}

TEST_CASE("random texts split as a plain splitter splits them", "[lines]") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    std::vector<std::string> expected;
    for (std::size_t lines = random() % 20; lines > 0; --lines) {
      const std::string line(random() % 60, static_cast<char>('a' + random() % 26));
      expected.push_back(line);
      text += line + "\n";
    }
    CHECK(lines_of(text, 1 + random() % 40, 8 + random() % 60, 1000) == expected);
  }
}

TEST_CASE("the last 200 lines are kept, long ones in part", "[lines]") {
  RecentLines recent;
  const Instant start{};
  const std::string position = "position startpos moves " + std::string(3000, 'm') + " e7e5";
  for (int i = 0; i < 5000; ++i) {
    recent.add(start + std::chrono::nanoseconds(i), LoggedLine::Way::to_engine, position);
    recent.add(start + std::chrono::nanoseconds(i), LoggedLine::Way::from_engine, "bestmove " + std::to_string(i));
  }
  const auto lines = recent.all();
  REQUIRE(lines.size() >= 200);
  REQUIRE(lines.size() <= 300);
  CHECK(lines.back().text == "bestmove 4999");
  CHECK(lines.at(lines.size() - 200).at == start + std::chrono::nanoseconds(4900));
  const std::string& cut = lines.at(lines.size() - 2).text;
  CHECK(cut.size() < 300);
  CHECK(cut.substr(0, 24) == "position startpos moves ");
  CHECK(cut.substr(cut.size() - 5) == " e7e5");
  CHECK(cut.find("[... " + std::to_string(position.size() - 240) + " bytes ...]") != std::string::npos);
}
