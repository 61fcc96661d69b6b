// How engines end: by themselves, by signals, with descendants, and with the referee.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

TEST_CASE("an engine that dies by a signal is told apart from one that exits", "[process]") {
  Host host("signal");
  const auto isolation = GENERATE(Isolation::none, Isolation::basic);
  const auto number = GENERATE(SIGSEGV, SIGABRT, SIGKILL, SIGTERM);
  Recorder seen(host, shell("echo last words; kill -" + std::to_string(number) + " $$", isolation));
  REQUIRE(seen.run_until_exit());
  CHECK(seen.lines == std::vector<std::string>{"last words"});
  CHECK(seen.status->signal == number);
  CHECK_FALSE(seen.status->code.has_value());
}

TEST_CASE("the last lines are read, however fast the engine dies behind them", "[process]") {
  Host host("last-lines");
  for (int round = 0; round < 20; ++round) {
    Recorder seen(host, shell("i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done; echo why >&2; kill -KILL $$"));
    REQUIRE(seen.run_until_exit());
    REQUIRE(seen.lines.size() == 500);
    CHECK(seen.lines.back() == "line 499");
    CHECK(seen.error_lines == std::vector<std::string>{"why"});
    CHECK(seen.events.back() == "exited");
  }
}

TEST_CASE("signals reach the engine, also inside a namespace, and leave it alive if it handles them", "[process]") {
  Host host("interrupt");
  const auto isolation = GENERATE(Isolation::none, Isolation::basic);
  Recorder seen(
      host, shell("trap 'echo interrupted' INT; trap 'echo terminated; exit 7' TERM; echo ready; while :; do sleep 0.01; done", isolation));
  REQUIRE(host.run_until([&] { return seen.lines.size() == 1; }));
  seen.process().interrupt();
  REQUIRE(host.run_until([&] { return seen.lines.size() == 2; }));
  CHECK(seen.lines.at(1) == "interrupted");
  CHECK(seen.process().alive());
  seen.process().terminate();
  REQUIRE(seen.run_until_exit());
  CHECK(seen.lines.back() == "terminated");
  CHECK(seen.status->code == 7);
}

TEST_CASE("a kill ends what ignores everything, and its descendants", "[process]") {
  Host host("kill");
  const std::string mark = unique_run_id("mark");
  const auto isolation = GENERATE(Isolation::none, Isolation::basic, Isolation::strict);
  EngineCommand command =
      shell("trap '' INT TERM HUP; (while :; do sleep 1000; done) & echo ready; while :; do sleep 1000; done", isolation);
  command.environment = {{"REFEREE_TEST_MARK", mark}};
  Recorder seen(host, command);
  REQUIRE(host.run_until([&] { return seen.lines.size() == 1; }));
  CHECK(seen.process().id() > 0);
  seen.process().kill();
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->signal == SIGKILL);
  CHECK(seen.process().id() == 0);
  CHECK(wait_for_processes(mark, 0));
}

TEST_CASE("a descendant that holds the pipes does not hide the engine's end", "[process]") {
  Host host("grandchild");
  const std::string mark = unique_run_id("mark");
  EngineCommand command = shell("(sleep 1000) & echo bye; exit 5", GENERATE(Isolation::none, Isolation::basic, Isolation::strict));
  command.environment = {{"REFEREE_TEST_MARK", mark}};
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->code == 5);
  CHECK(seen.lines == std::vector<std::string>{"bye"});
  // It ended with the engine's process group, so that the pipe ends too.
  REQUIRE(host.run_until([&] { return seen.saw("end of file"); }));
  CHECK(wait_for_processes(mark, 0));
}

TEST_CASE("a descendant in a session of its own ends with the engine where there is a pid namespace", "[process]") {
  Host host("setsid");
  if (host.launcher.namespaces() == NamespaceSupport::none) {
    WARN("this host gives no pid namespace: " << (host.notices.empty() ? "" : host.notices.front()));
    return;
  }
  const std::string mark = unique_run_id("mark");
  // Twice forked and in a session of its own, the engine gone before it.
  EngineCommand command =
      shell("(setsid sh -c 'echo away; trap \"\" TERM HUP; exec sleep 1000' &) ; read go", GENERATE(Isolation::basic, Isolation::strict));
  command.environment = {{"REFEREE_TEST_MARK", mark}};
  Recorder seen(host, command);
  REQUIRE(host.run_until([&] { return seen.lines.size() == 1; }));
  seen.process().close_input();
  REQUIRE(seen.run_until_exit());
  CHECK(wait_for_processes(mark, 0));
}

TEST_CASE("inside a namespace the engine sees the number the referee knows it by", "[process]") {
  Host host("number");
  Recorder seen(host, shell("echo $$"));
  REQUIRE(host.run_until([&] { return seen.lines.size() == 1; }));
  // Without the capability to choose it, it is some other number of the namespace.
  if (geteuid() == 0) CHECK(seen.lines.front() == std::to_string(seen.process().id()));
}

TEST_CASE("ended engines are waited for: no zombie and no descriptor stays behind 200 of them", "[process]") {
  Host host("two-hundred");
  {
    Recorder first(host, shell("exit 0"));
    REQUIRE(first.run_until_exit());
  }
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 10; ++round) {
    std::vector<std::unique_ptr<Recorder>> engines;
    for (int i = 0; i < 20; ++i) {
      engines.push_back(std::make_unique<Recorder>(
          host, shell(i % 2 == 0 ? "exec cat" : "echo x; exit 1", i % 3 == 0 ? Isolation::none : Isolation::basic)));
    }
    for (auto& engine : engines) {
      engine->process().close_input();
      REQUIRE(engine->run_until_exit());
    }
  }
  // On a busy machine the last of them may be on its way still.
  host.run_until([&] { return open_descriptors() == before && zombies() == 0; });
  CHECK(open_descriptors() == before);
  CHECK(zombies() == 0);
}

// Not a test of its own: the referee that the next test kills. It plays host to two engines until it is killed.
TEST_CASE("keeper of engines", "[.keeper]") {
  Host host("keeper");
  const char* mark = std::getenv("REFEREE_TEST_MARK");
  REQUIRE(mark != nullptr);
  const bool isolated = std::getenv("REFEREE_TEST_ISOLATED") != nullptr;
  const Isolation isolation = isolated ? Isolation::basic : Isolation::none;
  const std::string script =
      isolated ? "setsid sh -c 'echo a; exec sleep 1000' & (echo b; exec sleep 1000) & echo c; while :; do sleep 1000; done"
               : "trap '' TERM HUP INT; echo a; echo b; echo c; exec sleep 1000";
  Recorder first(host, shell(script, isolation)), second(host, shell(script, isolation));
  host.run_until([&] { return first.lines.size() == 3 && second.lines.size() == 3; });
  REQUIRE(write(STDERR_FILENO, "+", 1) == 1);
  host.run_until([] { return false; });
}

TEST_CASE("no engine survives a referee that is killed, nor what it started where there is a pid namespace", "[process]") {
  Host host("killed");
  const bool isolated = GENERATE(false, true);
  if (isolated && host.launcher.namespaces() == NamespaceSupport::none) return;
  const std::string mark = unique_run_id("mark");
  int pipe_ends[2];
  REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::string binary = "/proc/self/exe", name = "keeper of engines", variable = "REFEREE_TEST_MARK=" + mark,
              isolation = "REFEREE_TEST_ISOLATED=1";
  std::string path = "PATH=/usr/bin:/bin",
              launch = "REFEREE_LAUNCH=" + std::filesystem::read_symlink("/proc/self/exe").parent_path().string() + "/referee-launch";
  char* words[] = {binary.data(), name.data(), nullptr};
  char* environment[] = {variable.data(), path.data(), launch.data(), isolated ? isolation.data() : nullptr, nullptr};
  pid_t keeper = -1;
  REQUIRE(posix_spawn(&keeper, binary.c_str(), &actions, nullptr, words, environment) == 0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  pollfd ready{pipe_ends[0], POLLIN, 0};
  char byte = 0;
  const bool is_ready = poll(&ready, 1, 20000) == 1 && read(pipe_ends[0], &byte, 1) == 1 && byte == '+';
  const std::size_t running = processes_with(mark).size();
  kill(keeper, SIGKILL);
  REQUIRE(waitpid(keeper, nullptr, 0) == keeper);
  close(pipe_ends[0]);
  REQUIRE(is_ready);
  CHECK(running >= (isolated ? 9U : 3U));
  CHECK(wait_for_processes(mark, 0));
}
