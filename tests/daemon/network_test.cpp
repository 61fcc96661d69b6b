// Who may come by the network: tokens, the files they are kept in, and the names that a daemon is reached by.
#include <catch2/catch.hpp>
#include <filesystem>
#include <future>

#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;
namespace json = boost::json;

namespace {

std::string token_of(const DaemonProcess& daemon, const char* name, const char* role) {
  const Answer made = ask(daemon, "POST", "/api/v1/tokens", json::object{{"name", name}, {"role", role}});
  REQUIRE(made.status == 201);
  return text(made.json, "token");
}

}  // namespace

TEST_CASE("TCP is closed to who has no token, and the network may name registered engines only", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--listen", "127.0.0.1:0"});
  const std::string secret = token_of(daemon, "olga", "operator");
  daemon::ClientTarget network{.socket = "", .address = daemon.address(), .token = ""};
  CHECK(ask(network, "GET", "/api/v1/matches").status == 401);
  CHECK(ask(network, "GET", "/metrics").status == 401);
  CHECK(ask(network, "GET", "/").status == 200);  // the page, which asks for a token
  network.token = "referee_wrong";
  CHECK(ask(network, "GET", "/api/v1/matches").status == 401);
  CHECK_THROWS_AS(daemon::Client(network).watch("/api/v1/live", [](const std::string&) { return daemon::Client::Watch::enough; }),
                  daemon::ClientError);
  network.token = secret;
  CHECK(ask(network, "GET", "/api/v1/matches").status == 200);
  CHECK(ask(network, "POST", "/api/v1/matches", json::object{{"match", match_file(2, 2, 5)}}).status == 400);
  CHECK(ask(network, "POST", "/api/v1/engines", json::object{{"name", "A"}, {"command", "/bin/sh"}}).status == 403);
  CHECK(ask(network, "POST", "/api/v1/tokens", json::object{{"name", "x"}, {"role", "arbiter"}}).status == 403);
  CHECK(ask(network, "POST", "/api/v1/matches/1/games/1/orders", json::object{{"order", "pause"}}).status == 403);
  for (const char* name : {"A", "B"}) {
    CHECK(ask(daemon, "POST", "/api/v1/engines", json::object{{"name", name}, {"command", slow_engine}, {"arguments", json::array{"5"}}})
              .status == 201);
  }
  const std::string file =
      "event: N\ntime_control: 60+1\nschedule: {kind: match, games: 2}\nadjudication: {max_moves: 2}\nengines: [A, B]\n";
  const Answer sent = ask(network, "POST", "/api/v1/matches", json::object{{"match", file}});
  INFO(sent.text);
  REQUIRE(sent.status == 201);
  CHECK(text(sent.json, "who") == "olga");
  REQUIRE(eventually([&] { return state(daemon, 1) == "finished"; }));
  // Neither the log nor the registry knows the token.
  CHECK(daemon.said().find(secret) == std::string::npos);
  CHECK(std::system(("grep -rq " + secret + " " + folder.file("data")).c_str()) != 0);
  std::promise<void> watching;
  std::promise<bool> closed;
  std::thread viewer([&] {
    closed.set_value(!daemon::Client(network).watch("/api/v1/live?match=1&from=1", [&](const std::string& message) {
      if (message.find("subscribed") != std::string::npos) watching.set_value();
      return daemon::Client::Watch::more;
    }));
  });
  watching.get_future().get();
  CHECK(ask(daemon, "DELETE", "/api/v1/tokens/olga").status == 200);
  CHECK(closed.get_future().get());
  viewer.join();
  CHECK(ask(network, "GET", "/api/v1/matches").status == 401);
}

TEST_CASE("a token's file may end its line as any system does, and blanks are no part of it", "[service]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--listen", "127.0.0.1:0"});
  const std::string secret = token_of(daemon, "olga", "viewer");
  const auto status_with = [&](const std::string& bytes) {
    folder.write("token", bytes);
    const std::string command = program + " status --connect " + daemon.address() + " --token-file " + folder.file("token") + " > " +
                                folder.file("out") + " 2> " + folder.file("err");
    return WEXITSTATUS(std::system(command.c_str()));
  };
  for (const std::string& good : {secret, secret + "\n", secret + "\r\n", "  " + secret + " \t\n\n"}) {
    INFO(good);
    CHECK(status_with(good) == 0);
    CHECK(folder.read("err").empty());
  }
  for (const std::string& bad : {std::string(), std::string("\r\n"), secret + " x", "\xEF\xBB\xBF" + secret, secret + "\r\nX: y"}) {
    INFO(bad);
    CHECK(status_with(bad) == 2);
    CHECK(folder.read("err").find(folder.file("token") + ": no token can be read (expected the token alone)") != std::string::npos);
    CHECK(folder.read("err").find(secret) == std::string::npos);
  }
}

TEST_CASE("what is no host name, or no name, is refused before anything is done with it", "[service]") {
  const ScratchFolder folder;
  const auto said = [&](const std::string& words) {
    const int status = std::system((program + " " + words + " > /dev/null 2> " + folder.file("err")).c_str());
    return std::to_string(WEXITSTATUS(status)) + " " + folder.read("err");
  };
  using Catch::Contains;
  using Catch::StartsWith;
  for (const char* host : {"http://x", "x:80", "''", "a/b", "'a b'", "'[::1]'"}) {
    INFO(host);
    CHECK_THAT(said("serve --data " + folder.file("data") + " --host " + host), StartsWith("2 ") && Contains("no host name"));
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("data")));
  const std::string no_text = "\"$(printf '\\377')\"";
  CHECK_THAT(said("serve --data " + folder.file("data") + " --new-token viewer --name " + no_text), StartsWith("2 ") && Contains("UTF-8"));
  CHECK_THAT(said("engines --socket " + folder.file("none") + " add " + no_text + " -- /bin/true"), StartsWith("2 ") && Contains("UTF-8"));
}
