// Kinds of misbehaviour that only a real process has: a stopped one, one that writes a line without end, one that eats memory.
#include <csignal>
#include <string>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

namespace {

long peak_memory_kb() {
  const std::string status = read_whole("/proc/self/status");
  return std::stol(status.substr(status.find("VmHWM:") + 6));
}

bool one_is_stopped(const std::string& mark) {
  const auto processes = processes_with(mark);
  return std::any_of(processes.begin(), processes.end(), [](long process) {
    const std::string stat = read_whole("/proc/" + std::to_string(process) + "/stat");
    const std::size_t name_ends = stat.rfind(')');
    return name_ends != std::string::npos && stat.compare(name_ends, 3, ") T") == 0;
  });
}

}  // namespace

TEST_CASE("an engine that stops itself is killed, at every level, and nothing of it stays", "[hostile]") {
  Host host("stopped");
  const std::string mark = unique_run_id("mark");
  EngineCommand command = shell("echo here; kill -STOP $$; echo on", GENERATE(Isolation::none, Isolation::basic, Isolation::strict));
  command.environment = {{"REFEREE_TEST_MARK", mark}};
  Recorder seen(host, command);
  REQUIRE(host.run_until([&] { return !seen.lines.empty() && one_is_stopped(mark); }));
  seen.process().terminate();  // a stopped process does not hear it
  seen.process().kill();
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->signal.value_or(0) == SIGKILL);
  CHECK(seen.lines.size() == 1);
  CHECK(wait_for_processes(mark, 0));
}

TEST_CASE("a line far beyond the bound costs no more than that, and what follows is read", "[hostile]") {
  Host host("long");
  const long before = peak_memory_kb();
  // 32 MiB: at the rate at which a flood is read, two seconds.
  Recorder seen(host, shell("perl -e '$b = \"x\" x 65536; print $b for 1..512; print \"\\nbestmove e2e4\\n\"'"));
  REQUIRE(seen.run_until_exit());
  REQUIRE(host.run_until([&] { return seen.saw("end of file"); }));
  CHECK(seen.lines.back() == "bestmove e2e4");
  for (const std::string& line : seen.lines) CHECK(line.size() <= EngineProcess::longest_line);
#ifdef REFEREE_SANITIZED
  const long most_kb = 64 * 1024;  // a sanitizer keeps books of all memory: still bounded, by more
#else
  const long most_kb = 16 * 1024;
#endif
  CHECK(peak_memory_kb() - before < most_kb);
}

TEST_CASE("an engine that eats memory ends at its limit, with all it started", "[hostile]") {
  Host host("eats");
  EngineCommand command = shell("perl -e '$x = \"x\" x (1 << 20); push @all, $x . $_ while 1' 2>/dev/null; exit 3",
                                GENERATE(Isolation::none, Isolation::basic, Isolation::strict));
  command.memory_limit_bytes = 200ULL << 20;
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->code == 3);
}
