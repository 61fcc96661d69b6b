// The service manager's side, played by the test: readiness, watchdog, reload, stop, and a socket that is handed over.
#include <sys/socket.h>
#include <sys/un.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;

namespace {

int bound_socket(const std::string& path, int type) {
  const int descriptor = ::socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return descriptor;
}

/// What a daemon tells its service manager.
class Notices {
 public:
  explicit Notices(const std::string& path) : socket_(bound_socket(path, SOCK_DGRAM)) {
    const timeval limit{.tv_sec = 0, .tv_usec = 50'000};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~Notices() { ::close(socket_); }
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  [[nodiscard]] bool tells(const std::string& text) {
    return eventually([&] {
      char buffer[1024];
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got > 0) all_.append(buffer, static_cast<std::size_t>(got)).append("\n");
      const std::size_t place = all_.find(text);
      if (place == std::string::npos) return false;
      all_.erase(0, place + text.size());
      return true;
    });
  }

 private:
  int socket_;
  std::string all_;
};

/// A shell command that becomes the daemon, as the service manager would start it.
class Started {
 public:
  explicit Started(const std::string& command) {
    std::string shell = "/bin/sh";
    std::string option = "-c";
    std::string text = command;
    char* argv[] = {shell.data(), option.data(), text.data(), nullptr};
    REQUIRE(posix_spawn(&pid_, shell.c_str(), nullptr, nullptr, argv, environ) == 0);
  }
  ~Started() {
    if (pid_ > 0) (void)end(SIGKILL);
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  void signal(int number) const { ::kill(pid_, number); }
  int end(int number) {
    ::kill(pid_, number);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
};

}  // namespace

TEST_CASE("the service manager hears of readiness, life, reload and stop", "[service-manager]") {
  const ScratchFolder folder;
  Notices notices(folder.file("notify"));
  Started daemon("NOTIFY_SOCKET=" + folder.file("notify") + " WATCHDOG_USEC=400000 exec " + program + " serve --data " +
                 folder.file("data") + " 2> " + folder.file("stderr"));
  CHECK(notices.tells("READY=1"));
  CHECK(notices.tells("WATCHDOG=1"));
  CHECK(notices.tells("WATCHDOG=1"));
  daemon.signal(SIGHUP);
  CHECK(notices.tells("RELOADING=1"));
  CHECK(notices.tells("READY=1"));
  daemon.signal(SIGTERM);
  CHECK(notices.tells("STOPPING=1"));
  CHECK(daemon.end(SIGTERM) == 0);
}

TEST_CASE("a socket that the service manager opened is served, and stays when the daemon goes", "[service-manager]") {
  const ScratchFolder folder;
  const std::string path = folder.file("given");
  const int listening = bound_socket(path, SOCK_STREAM);
  REQUIRE(::listen(listening, 10) == 0);
  const int inherited = ::dup(listening);  // without close-on-exec
  REQUIRE(inherited > 3);
  const std::string number = std::to_string(inherited);
  {
    Started daemon("exec 3<&" + number + "; LISTEN_FDS=1 LISTEN_PID=$$ exec " + program + " serve --data " + folder.file("data") + " 2> " +
                   folder.file("stderr"));
    const daemon::ClientTarget target{.socket = path, .address = "", .token = ""};
    CHECK(ask(target, "GET", "/api/v1").status == 200);  // waits in the socket until the daemon is there
    CHECK_FALSE(std::filesystem::exists(folder.file("data/socket")));
    CHECK(daemon.end(SIGTERM) == 0);
  }
  CHECK(std::filesystem::exists(path));
  ::close(inherited);
  ::close(listening);
}
