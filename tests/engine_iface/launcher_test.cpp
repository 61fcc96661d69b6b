// What the launcher gives an engine, and what it says when it cannot.
#include "engine_iface/launcher.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> output_of(Host& host, const EngineCommand& command) {
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  host.run_until([&] { return seen.saw("end of file"); });
  CHECK(seen.error_lines == std::vector<std::string>{});
  return seen.lines;
}

std::string failure_of(Host& host, const EngineCommand& command) {
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  CHECK_FALSE(seen.saw("started"));
  CHECK(seen.lines.empty());
  CHECK(seen.place_of("start failed") < seen.place_of("exited"));
  return seen.failure;
}

}  // namespace

TEST_CASE("a binary that cannot be executed is reported in the system's words", "[launcher]") {
  Host host("exec");
  const TemporaryFolder folder;
  const auto isolation = GENERATE(Isolation::none, Isolation::basic);
  EngineCommand command = shell("", isolation);
  command.arguments.clear();

  command.command = (folder.path() / "missing").string();
  CHECK(failure_of(host, command) == "cannot start " + command.command + ": No such file or directory");

  command.command = folder.write("data", "not a program", fs::perms::owner_all);
  CHECK(failure_of(host, command) == "cannot start " + command.command + ": Exec format error");

  command.command = folder.write("plain", "#!/bin/sh\n", fs::perms::owner_read | fs::perms::owner_write);
  CHECK(failure_of(host, command) == "cannot start " + command.command + ": Permission denied");

  command.command = folder.write("script", "#!/no/such/interpreter\n", fs::perms::owner_all);
  CHECK(failure_of(host, command) ==
        "cannot start " + command.command + ": No such file or directory (the file is there: its interpreter or dynamic loader is not)");

  command.command = "/bin/sh";
  command.folder = (folder.path() / "nowhere").string();
  CHECK(failure_of(host, command) == "cannot start /bin/sh: its working folder: No such file or directory");

  command.folder = "/";
  command.cpus = {4095};
  CHECK(failure_of(host, command) == "cannot start /bin/sh: the CPU set: Invalid argument");
}

TEST_CASE("the engine has its three descriptors and no other", "[launcher]") {
  Host host("descriptors");
  // Descriptors of ours that a careless launcher would pass on.
  const int leak = open("/dev/null", O_RDONLY);
  Recorder sibling(host, shell("exec cat"));
  EngineCommand command = shell("ls -1 /proc/self/fd", GENERATE(Isolation::none, Isolation::basic, Isolation::strict));
  // ls itself opens the folder it lists: 3.
  CHECK(output_of(host, command) == std::vector<std::string>{"0", "1", "2", "3"});
  close(leak);
}

TEST_CASE("arguments, folder and environment arrive as given", "[launcher]") {
  Host host("surroundings");
  const TemporaryFolder folder;
  const std::string program =
      folder.write("engine", "#!/bin/sh\npwd\nfor a in \"$@\"; do echo \"[$a]\"; done\necho $OMP_NUM_THREADS $HOME $REFEREE_RUN\n",
                   fs::perms::owner_all);
  REQUIRE(setenv("HOME", "/somewhere", 1) == 0);
  REQUIRE(setenv("OMP_NUM_THREADS", "9", 1) == 0);
  EngineCommand command;
  command.command = program;
  command.arguments = {"two words", "", "--", "--strict", "$HOME"};
  command.folder = folder.path().string();
  command.environment = {{"OMP_NUM_THREADS", "1"}, {"REFEREE_RUN", "forged"}};
  CHECK(output_of(host, command) == std::vector<std::string>{folder.path().string(), "[two words]", "[]", "[--]", "[--strict]", "[$HOME]",
                                                             "1 /somewhere " + host.launcher.run_id()});
}

TEST_CASE("signals are at their defaults, limits are set, new privileges are barred", "[launcher]") {
  Host host("limits");
  sigset_t usr1, before;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigprocmask(SIG_BLOCK, &usr1, &before);
  EngineCommand command = shell("grep -E 'SigBlk|SigIgn|NoNewPrivs' /proc/self/status | tr -d '\\t'; ulimit -c; ulimit -v; ulimit -n");
  command.memory_limit_bytes = 512ULL << 20;
  const auto lines = output_of(host, command);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  REQUIRE(lines.size() == 6);
  // 1 to 31: those above belong to the C library.
  const auto ordinary_signals = [](const std::string& line) {
    return std::stoull(line.substr(line.find(':') + 1), nullptr, 16) & 0x7fffffffULL;
  };
  CHECK(lines.at(0) == "SigBlk:0000000000000000");
  CHECK(ordinary_signals(lines.at(1)) == 0);
  CHECK(lines.at(2) == "NoNewPrivs:1");
  CHECK(lines.at(3) == "0");
  CHECK(lines.at(4) == std::to_string(512 * 1024));
  CHECK(std::stol(lines.at(5)) <= 4096);
}

TEST_CASE("an inherited disregard of dead children does not hide how engines end", "[launcher]") {
  std::signal(SIGCHLD, SIG_IGN);
  Host host("sigchld");
  Recorder seen(host, shell("exit 9"));
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->code == 9);
}

TEST_CASE("an engine is pinned to the processors that are named", "[launcher]") {
  Host host("pinned");
  cpu_set_t allowed;
  REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) last = cpu;
  }
  EngineCommand command = shell("grep Cpus_allowed_list /proc/self/status | tr -d '\\t'");
  command.cpus = {last};
  CHECK(output_of(host, command) == std::vector<std::string>{"Cpus_allowed_list:" + std::to_string(last)});
}

TEST_CASE("an engine without a folder gets a private one, which goes when it has ended", "[launcher]") {
  std::string first, second, base;
  {
    Host host("private");
    EngineCommand command = shell("pwd; touch book.bin; mkdir deep; touch deep/x; read go");
    command.folder.clear();
    Recorder one(host, command), two(host, command);
    REQUIRE(host.run_until([&] { return one.lines.size() == 1 && two.lines.size() == 1; }));
    first = one.lines.front();
    second = two.lines.front();
    base = fs::path(first).parent_path().string();
    CHECK(first != second);
    struct stat status {};
    REQUIRE(stat(first.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0700U);
    one.process().close_input();
    REQUIRE(one.run_until_exit());
    REQUIRE(host.run_until([&] { return !fs::exists(first); }));
    CHECK(fs::exists(second));
  }
  CHECK_FALSE(fs::exists(second));
  CHECK_FALSE(fs::exists(base));
}

TEST_CASE("strict isolation: no network and no writing outside the working folder", "[launcher]") {
  Host host("strict");
  const TemporaryFolder folder, elsewhere;
  const std::string probe = "touch inside && echo inside; touch " + elsewhere.path().string() +
                            "/outside 2>/dev/null || echo refused; echo x >/dev/null && echo null";
  EngineCommand command = shell(probe, Isolation::strict);
  command.folder = folder.path().string();
  const auto lines = output_of(host, command);
  const bool landlock = std::none_of(host.notices.begin(), host.notices.end(),
                                     [](const std::string& text) { return text.find("writing outside") != std::string::npos; });
  if (landlock) {
    CHECK(lines == std::vector<std::string>{"inside", "refused", "null"});
    CHECK_FALSE(fs::exists(elsewhere.path() / "outside"));
  }
  EngineCommand network = shell(
      "exec 2>/dev/null; perl -e 'use Socket; print socket(S, PF_INET, SOCK_STREAM, 0) ? \"open\\n\" : \"refused\\n\"; print socket(U, "
      "PF_UNIX, SOCK_STREAM, 0) ? \"local\\n\" : \"no local\\n\"; print \"$!\\n\" if !socket(S, PF_INET6, SOCK_DGRAM, 0);'",
      Isolation::strict);
  const bool seccomp = std::none_of(host.notices.begin(), host.notices.end(),
                                    [](const std::string& text) { return text.find("network") != std::string::npos; });
  if (seccomp) CHECK(output_of(host, network) == std::vector<std::string>{"refused", "local", "Permission denied"});
}

TEST_CASE("leftovers of a run are found by their environment and ended, with their folders", "[launcher]") {
  const std::string run = unique_run_id("leftover"), other = unique_run_id("other");
  const auto spawn = [](const std::string& id) {
    std::string variable = "REFEREE_RUN=" + id, shell_path = "/bin/sh", option = "-c", script = "trap '' TERM; exec sleep 1000";
    char* words[] = {shell_path.data(), option.data(), script.data(), nullptr};
    char* environment[] = {variable.data(), nullptr};
    pid_t pid = -1;
    REQUIRE(posix_spawn(&pid, "/bin/sh", nullptr, nullptr, words, environment) == 0);
    return pid;
  };
  const pid_t left = spawn(run), foreign = spawn(other);
  // A longer name that begins alike belongs to another run.
  const pid_t alike = spawn(run + "0");
  const fs::path folder = fs::temp_directory_path() / ("referee-" + run + "-abcdef");
  fs::create_directories(folder / "1");
  REQUIRE(wait_for_processes("REFEREE_RUN=" + run, 2));
  CHECK(end_leftovers(run) == 1);
  int status = 0;
  REQUIRE(waitpid(left, &status, 0) == left);
  CHECK(WIFSIGNALED(status));
  CHECK_FALSE(fs::exists(folder));
  CHECK(kill(foreign, 0) == 0);
  CHECK(kill(alike, 0) == 0);
  CHECK(end_leftovers(run) == 0);
  kill(foreign, SIGKILL);
  kill(alike, SIGKILL);
  waitpid(foreign, nullptr, 0);
  waitpid(alike, nullptr, 0);
}

TEST_CASE("a launcher refuses a malformed run id and a missing trampoline", "[launcher]") {
  CHECK_THROWS_WITH(Launcher({"a b", "", nullptr}), Catch::Contains("malformed run id 'a b'"));
  CHECK_THROWS_WITH(Launcher({"", "", nullptr}), Catch::Contains("malformed run id"));
  CHECK_THROWS_WITH(Launcher({"x", "/no/such/program", nullptr}),
                    Catch::Contains("referee-launch is missing (looked for: /no/such/program"));
}

TEST_CASE("executables are found as the match file says", "[launcher]") {
  const TemporaryFolder folder;
  const std::string program = folder.write("enginex", "#!/bin/sh\n", fs::perms::owner_all);
  (void)folder.write("data", "x", fs::perms::owner_read);
  CHECK(find_executable("./enginex", folder.path().string()) == program);
  CHECK(find_executable(program, "/nowhere") == program);
  CHECK(find_executable("./data", folder.path().string()).empty());
  CHECK(find_executable("no-such-program-anywhere", "").empty());
  CHECK(find_executable("sh", "/nowhere").ends_with("/sh"));
  CHECK(find_executable("", "/").empty());
}

TEST_CASE("the limit on open files rises to the hard one", "[launcher]") {
  rlimit files{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit lowered{std::min<rlim_t>(files.rlim_max, 200), files.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &lowered) == 0);
  CHECK(raise_open_files_limit() == files.rlim_max);
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  CHECK(files.rlim_cur == files.rlim_max);
}
