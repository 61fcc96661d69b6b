#include "referee/daemon/access.hpp"

#include <catch2/catch.hpp>

using namespace referee::daemon;

namespace {

Request request_from(const std::string& address, const std::string& host = "localhost:8080") {
  Request request;
  request.method = "GET";
  request.path = "/api/v1/matches";
  request.peer.transport = Peer::Transport::tcp;
  request.peer.address = address;
  request.host = host;
  return request;
}
TokenRecord token(const std::string& name, Role role, const std::string& secret) {
  return {.name = name, .role = role, .sha256 = hash_of_token(secret), .created = {}};
}
int status(const Access::Verdict& verdict) { return verdict.refused ? verdict.refused->status : 200; }
const Access::Now start{};

}  // namespace

TEST_CASE("the Unix socket may do everything, TCP needs a token of the right role", "[access]") {
  Access access({});
  access.set_tokens({token("v", Role::viewer, "a"), token("o", Role::operator_, "b"), token("r", Role::arbiter, "c")});
  Request local = request_from("");
  local.peer.transport = Peer::Transport::unix_socket;
  CHECK(access.check(local, Access::Asked::service, start).caller.may(Right::own));

  Request request = request_from("192.0.2.1");
  CHECK(status(access.check(request, Access::Asked::service, start)) == 401);
  const auto may = [&](const std::string& secret, Right right) {
    request.authorization = "Bearer " + secret;
    const auto verdict = access.check(request, Access::Asked::service, start);
    REQUIRE_FALSE(verdict.refused);
    return verdict.caller.may(right);
  };
  CHECK(may("a", Right::look));
  CHECK_FALSE(may("a", Right::operate));
  CHECK_FALSE(may("a", Right::rule));
  CHECK(may("b", Right::operate));
  CHECK_FALSE(may("b", Right::rule));
  CHECK(may("c", Right::rule));
  CHECK_FALSE(may("c", Right::operate));
  for (const char* secret : {"a", "b", "c"}) CHECK_FALSE(may(secret, Right::own));
  request.authorization.clear();
  request.cookie = "other=1; referee_token=b";
  CHECK(access.check(request, Access::Asked::service, start).caller.may(Right::operate));
}

TEST_CASE("hosts that are not ours and foreign origins are refused", "[access]") {
  Access access({.public_view = AccessSettings::PublicView::yes, .hosts = {"chess.example.org"}});
  const auto with = [&](const std::string& host, const std::string& origin) {
    Request request = request_from("192.0.2.1", host);
    request.origin = origin;
    return status(access.check(request, Access::Asked::service, start));
  };
  CHECK(with("localhost:8080", "") == 200);
  CHECK(with("127.0.0.1:8080", "http://127.0.0.1:8080") == 200);
  CHECK(with("[::1]:8080", "http://[::1]:8080") == 200);
  CHECK(with("chess.example.org", "https://chess.example.org") == 200);
  CHECK(with("evil.example.com", "") == 400);  // a name of theirs that points to us
  CHECK(with("localhost:8080", "http://evil.example.com") == 403);
  CHECK(with("localhost:8080", "http://localhost:9090") == 403);
  CHECK(with("localhost:8080", "null") == 403);
  CHECK(with("", "") == 400);
}

TEST_CASE("requests of one address are limited, of another not", "[access]") {
  Access access({.public_view = AccessSettings::PublicView::yes, .hosts = {}, .requests_a_second = 10});
  const Request request = request_from("192.0.2.1");
  int served = 0;
  while (status(access.check(request, Access::Asked::service, start)) == 200 && served < 1000) ++served;
  CHECK(served == 100);  // ten seconds' worth
  CHECK(status(access.check(request, Access::Asked::service, start)) == 429);
  CHECK(status(access.check(request_from("192.0.2.2"), Access::Asked::service, start)) == 200);
  CHECK(status(access.check(request, Access::Asked::service, start + std::chrono::seconds(1))) == 200);
}

TEST_CASE("guessing tokens is stopped", "[access]") {
  Access access({.public_view = AccessSettings::PublicView::no, .hosts = {}, .requests_a_second = 1e6, .failures_a_minute = 5});
  access.set_tokens({token("v", Role::viewer, "right")});
  Request request = request_from("192.0.2.1");
  request.authorization = "Bearer wrong";
  for (int i = 0; i < 5; ++i) CHECK(status(access.check(request, Access::Asked::service, start + std::chrono::hours(1))) == 401);
  request.authorization = "Bearer right";
  CHECK(status(access.check(request, Access::Asked::service, start + std::chrono::hours(1))) == 429);
  CHECK(status(access.check(request, Access::Asked::service, start + std::chrono::hours(2))) == 200);
}

TEST_CASE("tokens are long, differ, and only their hash is kept", "[access]") {
  const std::string one = new_token();
  CHECK(one.size() == 8 + 64);
  CHECK(one != new_token());
  // SHA-256 of "abc", FIPS 180-2 B.1
  CHECK(hash_of_token("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("targets are decoded, and those that climb or lie are refused", "[http]") {
  Request request;
  REQUIRE(read_target("/api/v1/engines/Stock%20fish?from=3&x=a+b&y", request));
  CHECK(request.segments == std::vector<std::string>{"api", "v1", "engines", "Stock fish"});
  CHECK(request.parameter("from") == "3");
  CHECK(request.parameter("x") == "a b");
  CHECK(request.parameter("y") == "");
  CHECK_FALSE(request.parameter("z"));
  REQUIRE(read_target("/", request));
  CHECK(request.segments.empty());
  for (const char* bad : {"", "x", "/../etc", "/a/%2e%2e/b", "/a%2fb", "/%", "/%4", "/%zz", "/a?%", "/%00"}) {
    INFO(bad);
    CHECK_FALSE(read_target(bad, request));
  }
}
