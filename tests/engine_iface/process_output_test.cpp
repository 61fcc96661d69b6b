// What engines write, through real pipes.
#include <string>
#include <thread>
#include <utility>

#include "process_harness.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("lines, the one without an end, stderr and the exit arrive in order", "[process]") {
  Host host("order");
  const auto isolation = GENERATE(Isolation::none, Isolation::basic);
  Recorder seen(host, shell("echo one; echo two >&2; printf 'three\\r\\nfour'; exit 3", isolation));
  REQUIRE(seen.run_until_exit());
  CHECK(seen.lines == std::vector<std::string>{"one", "three\r", "four"});
  CHECK(seen.error_lines == std::vector<std::string>{"two"});
  CHECK(seen.status->code == 3);
  CHECK_FALSE(seen.status->signal.has_value());
  CHECK(seen.place_of("started") < seen.events.size());
  CHECK(seen.place_of("end of file") < seen.place_of("exited"));
  CHECK(seen.events.back() == "exited");
}

TEST_CASE("what is sent is read, and the end of input ends the reader", "[process]") {
  Host host("echo");
  Recorder seen(host, shell("exec cat"));
  const auto before = std::chrono::steady_clock::now();
  const auto left = seen.process().send("uci\nisready\n");
  REQUIRE(left.has_value());
  CHECK(*left >= before);
  REQUIRE(host.run_until([&] { return seen.lines.size() == 2; }));
  CHECK(seen.lines == std::vector<std::string>{"uci", "isready"});
  CHECK(seen.instants.at(1) >= *left);
  seen.process().close_input();
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->code == 0);
}

TEST_CASE("an end of output is told while the engine lives, also right behind a line", "[process]") {
  Host host("eof");
  Recorder seen(host, shell("read go; echo bestmove e2e4; exec >&-; exec sleep 1000"));
  REQUIRE(host.run_until([&] { return seen.saw("started"); }));
  seen.process().send("go\n");
  REQUIRE(host.run_until([&] { return seen.saw("end of file"); }));
  CHECK(seen.lines == std::vector<std::string>{"bestmove e2e4"});
  CHECK(seen.process().alive());
  CHECK_FALSE(seen.saw("exited"));
}

TEST_CASE("a megabyte line arrives whole; what exceeds the bound is cut, with a note", "[process]") {
  Host host("long");
  const auto bytes = GENERATE(1U << 20, 3U << 20);
  Recorder seen(host, shell("head -c " + std::to_string(bytes) + " /dev/zero | tr '\\0' x; echo; echo readyok"));
  REQUIRE(seen.run_until_exit());
  REQUIRE(seen.lines.size() == 2);
  const bool cut = bytes > EngineProcess::longest_line;
  CHECK(seen.lines.at(0) == std::string(cut ? EngineProcess::longest_line : bytes, 'x'));
  CHECK(seen.lines.at(1) == "readyok");
  CHECK(seen.notes.size() == (cut ? 1U : 0U));
}

TEST_CASE("stderr is drained however much comes: it never blocks the engine", "[process]") {
  Host host("stderr");
  Recorder seen(host, shell("yes complaint | head -n 100000 >&2; echo uciok"));
  REQUIRE(seen.run_until_exit());
  CHECK(seen.lines == std::vector<std::string>{"uciok"});
  CHECK(seen.error_lines.size() == 100000);
}

TEST_CASE("an engine that floods keeps nobody else waiting and is slowed down", "[process]") {
  Host host("flood");
  Recorder flooder(host, shell("exec yes info string flood"));
  std::size_t flood_bytes = 0;
  flooder.on_line = [&] {
    flood_bytes += flooder.lines.back().size() + 1;
    flooder.lines.clear();
    flooder.instants.clear();
    flooder.events.clear();
  };
  Recorder quiet(host, shell("exec cat"));
  const auto start = std::chrono::steady_clock::now();
  int answers = 0;
  quiet.on_line = [&] {
    if (++answers < 500) quiet.process().send("go\n");
  };
  quiet.process().send("go\n");
#ifdef REFEREE_SANITIZED
  const bool reads_faster_than_allowed = false;  // a sanitized reader may never come to the rate at which a flood is slowed down
#else
  const bool reads_faster_than_allowed = true;
#endif
  REQUIRE(host.run_until([&] { return answers == 500 && (!flooder.notes.empty() || !reads_faster_than_allowed); }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // The first second's worth may come at once.
  CHECK(static_cast<double>(flood_bytes) <= (seconds + 1.1) * static_cast<double>(EngineProcess::output_rate));
  if (reads_faster_than_allowed) CHECK(flooder.notes.size() == 1);
}

TEST_CASE("drain() delivers what is in the pipe without the event loop", "[process]") {
  Host host("drain");
  Recorder seen(host, shell("exec cat"));
  REQUIRE(host.run_until([&] { return seen.saw("started"); }));
  seen.process().send("bestmove e2e4\n");
  const auto end = std::chrono::steady_clock::now() + patience;
  while (seen.lines.empty() && std::chrono::steady_clock::now() < end) seen.process().drain();
  CHECK(seen.lines == std::vector<std::string>{"bestmove e2e4"});
  // The loop does not deliver it again, and goes on with what comes next.
  seen.process().send("next\n");
  REQUIRE(host.run_until([&] { return seen.lines.size() == 2; }));
  CHECK(seen.lines.at(1) == "next");
}

TEST_CASE("drain() from inside a delivery keeps the order of lines", "[process]") {
  Host host("nested");
  Recorder seen(host, shell("read x; printf '1\\n2\\n3\\n4\\n'; exec sleep 1000"));
  bool nested = false;
  seen.on_line = [&] {
    if (!std::exchange(nested, true)) seen.process().drain();
  };
  seen.process().send("go\n");
  REQUIRE(host.run_until([&] { return seen.lines.size() == 4; }));
  CHECK(seen.lines == std::vector<std::string>{"1", "2", "3", "4"});
}

TEST_CASE("an engine that does not read: the rest is kept, sent when it reads, and bounded", "[process]") {
  Host host("slow-reader");
  Recorder seen(host, shell("read first; read second; echo ${#second}; exec cat >/dev/null"));
  REQUIRE(host.run_until([&] { return seen.saw("started"); }));
  const std::string much(300000, 'p');
  CHECK_FALSE(seen.process().send(much).has_value());
  CHECK(seen.process().unsent());
  CHECK_FALSE(seen.process().send("\nsecond\n").has_value());
  REQUIRE(host.run_until([&] { return seen.saw("written") && !seen.lines.empty(); }));
  CHECK(seen.lines.at(0) == "6");
  CHECK_FALSE(seen.process().unsent());

  Recorder deaf(host, shell("exec sleep 1000"));
  for (int i = 0; i < 40; ++i) deaf.process().send(much);
  CHECK(deaf.notes.size() > 0);
}

TEST_CASE("an engine that closed its input is written to in vain, without harm", "[process]") {
  Host host("epipe");
  Recorder seen(host, shell("exec <&-; echo closed; exec sleep 1000"));
  REQUIRE(host.run_until([&] { return !seen.lines.empty(); }));
  CHECK(seen.process().send("go\n").has_value());
  CHECK(seen.process().send("go\n").has_value());
  CHECK(seen.notes == std::vector<std::string>{"stdin of the engine: Broken pipe"});
  CHECK(seen.process().alive());
}

TEST_CASE("kernel stamps lie between the sending of go and the arrival of the answer", "[process]") {
  Host host("stamps");
  const TemporaryFolder folder;
  // The shell tells in a file of its folder when an answer has left it.
  EngineCommand command = shell("while read go; do echo bestmove e2e4; echo >> answers; done");
  command.folder = folder.path().string();
  command.clock_stamp = ClockStamp::kernel;
  Recorder seen(host, command);
  REQUIRE(host.run_until([&] { return seen.saw("started"); }));
  const auto answered = [&](std::uintmax_t times) {
    std::error_code error;
    return std::filesystem::file_size(folder.path() / "answers", error) == times && !error;
  };
  for (std::size_t i = 0; i < 20; ++i) {
    const auto left = seen.process().send("go\n");
    REQUIRE(left.has_value());
    // The referee is late: it looks only now.
    for (int looks = 10'000; looks > 0 && !answered(i + 1); --looks) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(answered(i + 1));
    const auto looked = std::chrono::steady_clock::now();
    REQUIRE(host.run_until([&] { return seen.lines.size() == i + 1; }));
    CHECK(seen.instants.at(i) >= *left);
    if (host.notices.empty()) CHECK(seen.instants.at(i) <= looked);
  }
}
