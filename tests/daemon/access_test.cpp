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
  // RFC 9110, 4.2.3: the case of a host's name means nothing; a dot at its end is the root's.
  CHECK(with("Chess.Example.ORG:443", "https://chess.example.org:443") == 200);
  CHECK(with("LOCALHOST", "") == 200);
  CHECK(with("chess.example.org.", "") == 200);
  CHECK(with("chess.example.org..", "") == 400);
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

TEST_CASE("what a viewer says is taken from its visitor's allowance, and waits when that is used up", "[access]") {
  Access access({.public_view = AccessSettings::PublicView::yes, .hosts = {}, .requests_a_second = 10});
  const Request request = request_from("192.0.2.1");
  using std::chrono::milliseconds;
  int said = 0;
  while (access.take_message(request, start) == milliseconds(0) && said < 1000) ++said;
  CHECK(said == 99);  // ten seconds' worth: the hundredth leaves nothing for another
  // At ten a second every further one waits a tenth longer, from however many connections they come; ten seconds are the most.
  CHECK(access.take_message(request, start) == milliseconds(200));
  CHECK(access.take_message(request, start) == milliseconds(300));
  milliseconds longest{};
  for (int i = 0; i < 1000; ++i) longest = access.take_message(request, start);
  CHECK(longest == milliseconds(10'100));
  CHECK(status(access.check(request, Access::Asked::service, start)) == 429);  // of the same allowance
  CHECK(access.take_message(request_from("192.0.2.2"), start) == milliseconds(0));
  CHECK(access.take_message(request, start + std::chrono::minutes(1)) == milliseconds(0));
  Request local = request;
  local.peer.transport = Peer::Transport::unix_socket;
  for (int i = 0; i < 1000; ++i) CHECK(access.take_message(local, start) == milliseconds(0));
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

TEST_CASE("behind a trusted proxy every visitor has limits of his own; nobody else is believed", "[access]") {
  const auto settings = [] {
    AccessSettings out;
    out.failures_a_minute = 3;
    out.requests_a_second = 1e6;
    out.proxies = {*parse_network("192.0.2.1"), *parse_network("10.0.0.0/8")};
    return out;
  };
  const auto guess = [](Access& access, const std::string& peer, const std::string& forwarded_for) {
    Request request = request_from(peer);
    request.forwarded_for = forwarded_for;
    request.authorization = "Bearer wrong";
    return status(access.check(request, Access::Asked::service, start + std::chrono::hours(1)));
  };
  const auto use_up = [&](Access& access, const std::string& peer, const std::string& forwarded_for) {
    for (int i = 0; i < 3; ++i) CHECK(guess(access, peer, forwarded_for) == 401);
    CHECK(guess(access, peer, forwarded_for) == 429);
  };
  Access proxied(settings());
  use_up(proxied, "192.0.2.1", "198.51.100.7");
  CHECK(guess(proxied, "192.0.2.1", "198.51.100.8") == 401);                         // another visitor
  CHECK(guess(proxied, "192.0.2.1", "1.2.3.4, 198.51.100.7") == 429);                // what a visitor writes himself stands first
  CHECK(guess(proxied, "192.0.2.1", "198.51.100.7, 10.1.2.3") == 429);               // through two proxies of ours
  CHECK(guess(proxied, "192.0.2.1", "203.0.113.1, 198.51.100.9, 10.1.2.3") == 401);  // the last that is not ours
  CHECK(guess(proxied, "192.0.2.1", "nonsense") == 401);                             // the proxy itself, then
  use_up(proxied, "192.0.2.1", "2001:db8:1:2::1");
  CHECK(guess(proxied, "192.0.2.1", "2001:db8:1:2:ffff::9") == 429);  // one customer's 64 bits
  CHECK(guess(proxied, "192.0.2.1", "2001:db8:1:3::1") == 401);
  // RFC 7239, 6: a port may be told with it.
  CHECK(guess(proxied, "192.0.2.1", "198.51.100.7:4711") == 429);
  CHECK(guess(proxied, "192.0.2.1", "[2001:db8:1:2::1]:4711") == 429);

  Access direct(settings());
  use_up(direct, "203.0.113.9", "198.51.100.1");
  CHECK(guess(direct, "203.0.113.9", "198.51.100.2") == 429);  // no proxy of ours: the header says nothing
  CHECK(guess(direct, "203.0.113.10", "198.51.100.1") == 401);
}

TEST_CASE("addresses and networks are read as they are written, and nothing else", "[access]") {
  // RFC 4291, 2.2: ways to write one address.
  CHECK(parse_address("2001:DB8:0:0:8:800:200C:417A") == parse_address("2001:db8::8:800:200c:417a"));
  CHECK(parse_address("::FFFF:129.144.52.38") == parse_address("129.144.52.38"));
  CHECK(parse_address("[::1]") == parse_address("0:0:0:0:0:0:0:1"));
  for (const char* bad : {"", "localhost", "1.2.3", "1.2.3.4:80", "1.2.3.4.5", "::1::", "[::1", "unknown", "300.1.1.1"}) {
    INFO(bad);
    CHECK_FALSE(parse_address(bad));
  }
  const auto inside = [](const char* network, const char* address) { return parse_network(network)->contains(*parse_address(address)); };
  // RFC 4632, 3.1: 172.16.0.0/12 is 172.16.0.0 to 172.31.255.255.
  CHECK(inside("172.16.0.0/12", "172.31.255.255"));
  CHECK_FALSE(inside("172.16.0.0/12", "172.32.0.0"));
  CHECK_FALSE(inside("172.16.0.0/12", "172.15.255.255"));
  CHECK(inside("0.0.0.0/0", "8.8.8.8"));
  CHECK_FALSE(inside("0.0.0.0/0", "2001:db8::1"));
  CHECK(inside("2001:db8::/32", "2001:db8:ffff::1"));
  CHECK_FALSE(inside("2001:db8::/32", "2001:db9::1"));
  CHECK(inside("127.0.0.1", "::ffff:127.0.0.1"));
  for (const char* bad : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "::/129", "/8"}) {
    INFO(bad);
    CHECK_FALSE(parse_network(bad));
  }
}

TEST_CASE("what a viewer was let in by is its token, as long as there is that", "[access]") {
  TokenRecord token;
  token.name = "desk";
  token.role = Role::viewer;
  token.sha256 = hash_of_token("referee_abc");
  for (const auto view : {AccessSettings::PublicView::no, AccessSettings::PublicView::yes}) {
    AccessSettings settings;
    settings.public_view = view;
    Access access(settings);
    access.set_tokens({token});
    Request request = request_from("192.0.2.1");
    const std::optional<std::string> without =
        view == AccessSettings::PublicView::yes ? std::optional<std::string>("") : std::optional<std::string>();
    CHECK(access.key(request) == without);
    request.authorization = "Bearer referee_abc";
    CHECK(access.key(request) == token.sha256);
    request.authorization.clear();
    request.cookie = "referee_token=referee_abc";
    CHECK(access.key(request) == token.sha256);
    access.set_tokens({});
    CHECK(access.key(request) == without);
    request.peer.transport = Peer::Transport::unix_socket;
    CHECK(access.key(request) == "");
  }
}

TEST_CASE("tokens are long, differ, and only their hash is kept", "[access]") {
  const std::string one = new_token();
  CHECK(one.size() == 8 + 64);
  CHECK(one != new_token());
  // SHA-256 of "abc", FIPS 180-2 B.1
  CHECK(hash_of_token("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
