#include "referee/daemon/live_log.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/match/support.hpp"

using referee::daemon::LiveLog;
using referee::test::ScratchFolder;

namespace {

void put(LiveLog& log, int first, int last) {
  for (int i = first; i <= last; ++i) log.append("{\"n\":" + std::to_string(i) + "}\n", 1);
}
std::string line(int i) { return "{\"n\":" + std::to_string(i) + "}"; }

}  // namespace

TEST_CASE("line N of the live log is event N, from any start, also after it was opened again", "[live]") {
  const ScratchFolder folder;
  {
    LiveLog log(folder.file("events"));
    CHECK(log.next() == 1);
    CHECK(log.append(line(1) + "\n" + line(2) + "\n", 2) == 1);
    put(log, 3, 1000);
    CHECK(log.next() == 1001);
  }
  const LiveLog log(folder.file("events"));
  CHECK(log.first() == 1);
  CHECK(log.next() == 1001);
  for (const int from : {1, 2, 127, 128, 129, 255, 256, 257, 999, 1000}) {
    const auto slice = log.read(static_cast<std::uint64_t>(from), 3);
    CHECK(slice.first == static_cast<std::uint64_t>(from));
    REQUIRE_FALSE(slice.lines.empty());
    CHECK(slice.lines.front() == line(from));
    CHECK(slice.lines.size() == static_cast<std::size_t>(std::min(3, 1001 - from)));
  }
  CHECK(log.read(1001, 5).lines.empty());
  CHECK(log.read(5, 100, 30).lines.size() == 5);  // of 7 bytes each: the limit is passed with the fifth
}

TEST_CASE("old parts of the live log go, numbers stay", "[live]") {
  const ScratchFolder folder;
  {
    LiveLog log(folder.file("events"), {.part_bytes = 100, .parts = 3});
    put(log, 1, 200);
    CHECK(log.next() == 201);
    CHECK(log.first() > 1);
    const auto slice = log.read(1, 10);
    CHECK(slice.first == log.first());
    CHECK(slice.lines.front() == line(static_cast<int>(slice.first)));
  }
  const LiveLog log(folder.file("events"), {.part_bytes = 100, .parts = 3});
  CHECK(log.next() == 201);
  CHECK(log.read(200, 10).lines == std::vector<std::string>{line(200)});
}

TEST_CASE("a line that a crash cut off was told to nobody and goes", "[live]") {
  const ScratchFolder folder;
  {
    LiveLog log(folder.file("events"));
    put(log, 1, 300);
  }
  const auto part = std::filesystem::directory_iterator(folder.file("events"))->path();
  std::filesystem::resize_file(part, std::filesystem::file_size(part) - 3);
  LiveLog log(folder.file("events"));
  CHECK(log.next() == 300);
  CHECK(log.append(line(300) + "\n", 1) == 300);
  CHECK(log.read(299, 5).lines == std::vector<std::string>{line(299), line(300)});
}

TEST_CASE("however long the line is that a crash cut off, all before it stays", "[live]") {
  for (const std::size_t torn : {std::size_t{1}, std::size_t{65'536}, std::size_t{300'000}}) {
    for (const int whole : {0, 1, 128, 200}) {
      INFO(torn << " bytes behind " << whole << " lines");
      const ScratchFolder folder;
      {
        LiveLog log(folder.file("events"));
        put(log, 1, whole);
      }
      const auto part = std::filesystem::directory_iterator(folder.file("events"))->path();
      const auto size = std::filesystem::file_size(part);
      std::ofstream(part, std::ios::binary | std::ios::app) << std::string(torn, '{');
      LiveLog log(folder.file("events"));
      CHECK(std::filesystem::file_size(part) == size);
      CHECK(log.next() == static_cast<std::uint64_t>(whole) + 1);
      put(log, whole + 1, whole + 200);
      for (const int n : {1, whole + 1, whole + 150})
        CHECK(log.read(static_cast<std::uint64_t>(n), 1).lines == std::vector<std::string>{line(n)});
    }
  }
}

TEST_CASE("the log of a match that is over is read only, until something is missing in it", "[live]") {
  const ScratchFolder folder;
  {
    LiveLog log(folder.file("events"));
    put(log, 1, 3);
  }
  const std::string part = "events/000000000001.jsonl";
  folder.write(part, folder.read(part) + "{\"half");
  LiveLog log(folder.file("events"), {}, LiveLog::Opening::when_written);
  CHECK(folder.read(part).ends_with("{\"half"));
  CHECK(log.next() == 4);
  CHECK(log.read(1, 9).lines.size() == 3);
  put(log, 4, 4);
  CHECK(log.read(3, 9).lines == std::vector<std::string>{line(3), line(4)});
  CHECK(folder.read(part).find("half") == std::string::npos);
}
