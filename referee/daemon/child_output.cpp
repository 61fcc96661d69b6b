#include "referee/daemon/child_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

extern char** environ;

namespace referee::daemon {

namespace {

constexpr std::size_t most_output = 4 * 1024 * 1024;
constexpr int look_around_ms = 200;

}  // namespace

ChildOutput run_and_read(const std::vector<std::string>& command, const std::atomic<bool>& cancel) {
  ChildOutput result;
  std::array<int, 2> pipe{};
  if (command.empty() || ::pipe2(pipe.data(), O_CLOEXEC) != 0) return result;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: the interface of C
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(pipe[1]);
  if (failed != 0) {
    ::close(pipe[0]);
    return result;
  }
  bool killed = false;
  std::array<char, 65536> buffer{};
  for (;;) {
    if (cancel && !killed) {
      killed = true;
      ::kill(child, SIGKILL);
    }
    pollfd watch{.fd = pipe[0], .events = POLLIN, .revents = 0};
    if (::poll(&watch, 1, look_around_ms) <= 0) {
      if (killed) break;
      continue;
    }
    const ssize_t got = ::read(pipe[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (result.output.size() < most_output) result.output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace referee::daemon
