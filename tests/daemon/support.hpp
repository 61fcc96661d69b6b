// Shared by the tests of daemon/: a daemon of the built program in a folder that goes away, and a client of it.
#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "referee/daemon/client.hpp"
#include "tests/match/support.hpp"

extern char** environ;  // NOLINT: POSIX's own

namespace referee::test {

inline const std::string program = std::string(REFEREE_BINARY_FOLDER) + "/referee";
inline const std::string slow_engine = std::string(REFEREE_SOURCE_FOLDER) + "/tests/engines/slow_engine.py";

/// Until `condition` holds; false if a minute passes before.
inline bool eventually(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

class DaemonProcess {
 public:
  explicit DaemonProcess(const ScratchFolder& folder, std::vector<std::string> more = {}) : folder_(folder) {
    std::vector<std::string> words = {program, "serve", "--data", folder.file("data")};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, folder.file("stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    REQUIRE(posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    REQUIRE(eventually([&] { return folder_.read("stderr").find("ready") != std::string::npos || ended(); }));
    INFO(folder_.read("stderr"));
    REQUIRE_FALSE(ended());
  }
  ~DaemonProcess() {
    if (pid_ > 0) (void)end(SIGKILL);
  }
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  void signal(int number) const { ::kill(pid_, number); }
  /// Exit code; 128 + signal if one ended it.
  int end(int signal) {
    ::kill(pid_, signal);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  [[nodiscard]] bool ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
  }
  [[nodiscard]] std::string socket() const { return folder_.file("data") + "/socket"; }
  [[nodiscard]] std::string said() const { return folder_.read("stderr"); }
  /// "127.0.0.1:PORT" of --listen 127.0.0.1:0.
  [[nodiscard]] std::string address() const {
    const std::string text = said();
    const std::string key = "listening on http://";
    const std::size_t at = text.find(key);
    REQUIRE(at != std::string::npos);
    return text.substr(at + key.size(), text.find('\n', at) - at - key.size());
  }

 private:
  const ScratchFolder& folder_;
  pid_t pid_ = 0;
};

/// Bytes in, bytes out.
class RawClient {
 public:
  explicit RawClient(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  /// "127.0.0.1:PORT"
  static RawClient by_tcp(const std::string& address) {
    RawClient client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    REQUIRE(::connect(client.socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0);
    return client;
  }
  ~RawClient() {
    if (socket_ >= 0) ::close(socket_);
  }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(const std::string& bytes) const { (void)::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  [[nodiscard]] int descriptor() const noexcept { return socket_; }
  /// Everything until the other end closes.
  [[nodiscard]] std::string rest() const {
    std::string all;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;) all.append(buffer, static_cast<std::size_t>(got));
    return all;
  }
  /// Until `text` has come.
  [[nodiscard]] bool hears(const std::string& text) const {
    std::string all;
    char buffer[4096];
    while (all.find(text) == std::string::npos) {
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) return false;
      all.append(buffer, static_cast<std::size_t>(got));
    }
    return true;
  }
  /// Of the answer that comes next; 0 if none does.
  [[nodiscard]] int status() const {
    std::string all;
    char byte = 0;
    while (all.find('\n') == std::string::npos && ::recv(socket_, &byte, 1, 0) == 1) all += byte;
    return all.size() > 12 ? std::stoi(all.substr(9, 3)) : 0;
  }

 private:
  explicit RawClient(int socket) : socket_(socket) {}
  int socket_;
};

struct Answer {
  int status = 0;
  std::string text;
  boost::json::value json;
};

inline Answer ask(const daemon::ClientTarget& target, const std::string& method, const std::string& path,
                  const boost::json::value& body = nullptr) {
  const daemon::ClientResponse response = daemon::Client(target).request(method, path, body.is_null() ? "" : boost::json::serialize(body));
  Answer answer{.status = response.status, .text = response.body, .json = nullptr};
  boost::json::error_code error;
  answer.json = boost::json::parse(response.body, error);
  if (error) answer.json = nullptr;
  return answer;
}
inline Answer ask(const DaemonProcess& daemon, const std::string& method, const std::string& path,
                  const boost::json::value& body = nullptr) {
  return ask(daemon::ClientTarget{.socket = daemon.socket(), .address = "", .token = ""}, method, path, body);
}

inline std::string engine(const std::string& name, int delay_ms) {
  return "  - {name: " + name + ", command: " + slow_engine + ", arguments: ['" + std::to_string(delay_ms) + "']}\n";
}
/// Two engines that play a known game, `games` times; each ends at move `moves`.
inline std::string match_file(int games, int moves, int delay_ms, const std::string& more = "") {
  return "event: Test\ntime_control: 60+1\nschedule: {kind: match, games: " + std::to_string(games) +
         "}\nadjudication: {max_moves: " + std::to_string(moves) + "}\n" + more + "engines:\n" + engine("A", delay_ms) +
         engine("B", delay_ms);
}
inline int submit(const DaemonProcess& daemon, const std::string& file, int priority = 0) {
  const Answer answer = ask(daemon, "POST", "/api/v1/matches", {{"match", file}, {"priority", priority}});
  INFO(answer.text);
  REQUIRE(answer.status == 201);
  return static_cast<int>(answer.json.at("id").as_int64());
}
inline boost::json::value match_of_daemon(const DaemonProcess& daemon, int id) {
  const Answer answer = ask(daemon, "GET", "/api/v1/matches/" + std::to_string(id));
  INFO(answer.text);
  REQUIRE(answer.status == 200);
  return answer.json;
}
inline std::string state(const DaemonProcess& daemon, int id) { return match_of_daemon(daemon, id).at("state").as_string().c_str(); }
inline long long count(const DaemonProcess& daemon, int id, const char* what) {
  return match_of_daemon(daemon, id).at(what).to_number<long long>();
}
inline std::string text(const boost::json::value& object, const char* name) { return object.at(name).as_string().c_str(); }
inline boost::json::value game_of(const DaemonProcess& daemon, int id, int game) {
  return ask(daemon, "GET", "/api/v1/matches/" + std::to_string(id) + "/games/" + std::to_string(game)).json;
}
/// The game's board as the match shows it; null when it is not on the board.
inline boost::json::value board_of(const DaemonProcess& daemon, int id, int game) {
  const boost::json::value all = match_of_daemon(daemon, id);
  for (const boost::json::value& board : all.at("games").as_array()) {
    if (board.at("number").as_int64() == game) return board;
  }
  return nullptr;
}
inline bool has_plies(const DaemonProcess& daemon, int id, int game, int plies) {
  const boost::json::value board = board_of(daemon, id, game);
  return !board.is_null() && board.at("plies").as_int64() >= plies;
}
/// What `replay` of the match's journal ends with: 0 when every ruling follows.
inline int replay_of(const ScratchFolder& folder, int id) {
  const std::string command =
      program + " replay " + folder.file("data") + "/matches/" + std::to_string(id) + "/match.sqlite > " + folder.file("replay") + " 2>&1";
  return std::system(command.c_str());
}

}  // namespace referee::test
