#include "referee/daemon/http.hpp"

#include <catch2/catch.hpp>

using namespace referee::daemon;

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

// RFC 9112, 3.2.2, and RFC 9110, 4.2.
TEST_CASE("a target in absolute form brings the host", "[http]") {
  const auto read = [](const std::string& target) {
    Request request;
    request.host = "field";
    return read_target(target, request) ? request.host + " " + request.path + " " + request.parameter("x").value_or("-") : "no";
  };
  CHECK(read("http://www.example.org/pub/WWW/TheProject.html") == "www.example.org /pub/WWW/TheProject.html -");
  CHECK(read("http://example.com:8080/a?x=1") == "example.com:8080 /a 1");
  CHECK(read("HTTPS://[2001:db8::7]:443/a") == "[2001:db8::7]:443 /a -");
  CHECK(read("http://example.com") == "example.com / -");
  CHECK(read("http://example.com?x=1") == "example.com / 1");
  CHECK(read("/a?x=http://example.com/") == "field /a http://example.com/");
  for (const char* bad : {"http:///a", "http://", "http://:80/a", "http://user@example.com/a", "http://a b/", "http://[::1/a",
                          "http://x:y/a", "http:/a", "ftp://example.com/a", "example.com:80", "*"}) {
    INFO(bad);
    CHECK(read(bad) == "no");
  }
}

// RFC 9110, 7.2: uri-host [ ":" port ], as RFC 3986 has them.
TEST_CASE("what a Host field may hold", "[http]") {
  for (const char* good : {"example.org", "example.org:8080", "127.0.0.1", "[::1]:80", "[2001:db8::7]", "xn--bcher-kva.example", "a_b",
                           "caf%C3%A9", "example.org:", ""}) {
    INFO(good);
    CHECK(is_host(good));
  }
  for (const char* bad : {"a b", "a/b", "http://example.org", "user@example.org", "a,b:1,2", "a:b", "a:1:2", "[::1", "[::1]x", "::1",
                          "caf%C3%A", "a#b", "a?b", "[::1]]"}) {
    INFO(bad);
    CHECK_FALSE(is_host(bad));
  }
}
