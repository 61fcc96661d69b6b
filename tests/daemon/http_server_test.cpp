// The server's bounds: sizes, times, clients that do not read. In this process, over a Unix socket.
#include "referee/daemon/http_server.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <future>

#include "referee/daemon/access.hpp"
#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;
using namespace std::chrono_literals;

namespace {

class Handler : public daemon::HttpHandler {
 public:
  /// /secret is for who has a token; /short takes few bytes.
  daemon::Admission admit(const daemon::Request& head) override {
    ++judged;
    daemon::Admission admission;
    admission.longest_body = head.path == "/short" ? 10 : 10'000'000;
    if (head.path == "/secret" && head.authorization.empty()) admission.refused = daemon::error_response(401, "who are you?");
    admission.pass = std::string("seen");
    return admission;
  }
  void handle(daemon::Request request, std::any pass, daemon::Reply reply) override {
    if (request.path == "/throw") throw std::runtime_error("thrown in handle");
    if (std::any_cast<std::string>(pass) == "seen") ++handled;
    daemon::Response response;
    response.content_type = "text/plain";
    if (request.path == "/big") response.body.assign(big, 'x');
    if (request.path == "/file") response.file = file;
    if (request.path == "/big" || request.path == "/file") return reply(std::move(response));
    response.headers.emplace_back("Asked-Of", request.host);
    response.body = request.method + " " + request.path + " " + std::to_string(request.body.size());
    reply(std::move(response));
  }
  std::optional<daemon::Response> upgrade(const daemon::Request& request) override {
    if (request.path == "/live" || request.path == "/hold" || request.path == "/echo") return std::nullopt;
    daemon::Response response;
    response.status = 403;
    return response;
  }
  void connected(std::shared_ptr<daemon::LiveConnection> connection, const daemon::Request& request) override {
    connection->on_closed = [this] { ++closed; };
    if (request.path == "/live") {
      connection->on_text = [](std::string_view /*text*/) { throw std::runtime_error("thrown in on_text"); };
    } else {
      connection->on_text = [this, own = connection.get(), holds = request.path == "/hold"](std::string_view /*text*/) {
        ++heard;
        if (holds)
          own->hold();
        else
          own->send(answer);
      };
    }
    connections.push_back(std::move(connection));
    ++joined;
  }

  void failed(std::string_view what) override {
    if (what.starts_with("thrown in ")) ++failures;
  }

  std::chrono::milliseconds pause_after_message(const daemon::Request& request) override {
    return request.path == "/hold" ? 0ms : pause.load();
  }

  static constexpr std::size_t big = 6'000'000;
  std::string file;                                                                              // of /file
  std::shared_ptr<const std::string> answer = std::make_shared<const std::string>(20'000, 'x');  // of /echo
  std::atomic<std::chrono::milliseconds> pause{0ms};                                             // of /echo
  std::atomic<int> judged{0}, handled{0}, joined{0}, closed{0}, failures{0}, heard{0};
  std::vector<std::shared_ptr<daemon::LiveConnection>> connections;  // the server's thread
};

/// RFC 6455, 5.2: a text of one byte, masked.
const std::string one_byte("\x81\x81\0\0\0\0x", 7);

std::string upgrade_at(const std::string& path) {
  return "GET " + path +
         " HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
         "Sec-WebSocket-Version: 13\r\n\r\n";
}
const std::string upgrade = upgrade_at("/live");

struct Scene {
  explicit Scene(daemon::ServerLimits limits = {}) : server(handler, limits), path(folder.file("s")) {
    server.listen_unix(path);
    server.start();
  }
  ~Scene() {
    server.stop();
    handler.connections.clear();  // they are the server's
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ScratchFolder folder;
  Handler handler;
  daemon::HttpServer server;
  std::string path;
};

}  // namespace

TEST_CASE("one connection serves many requests, HEAD has no body, and odd requests get an answer", "[http]") {
  Scene scene;
  const RawClient client(scene.path);
  client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.hears("GET /a 0"));
  client.send("HEAD /b HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.hears("Content-Length: 8\r\n\r\n"));
  client.send("POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
  const std::string last = client.rest();
  CHECK(last.find("POST /c 3") != std::string::npos);
  CHECK(last.find("GET /b") == std::string::npos);
  for (const char* bad : {"nonsense\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET /../x HTTP/1.1\r\nHost: x\r\n\r\n"}) {
    const RawClient odd(scene.path);
    odd.send(bad);
    INFO(bad);
    CHECK(odd.hears("HTTP/1.1 400"));
  }
}

TEST_CASE("what is too large is refused, whoever is too slow is let go", "[http]") {
  daemon::ServerLimits limits;
  limits.body_bytes = 1000;
  limits.header_bytes = 2000;
  limits.request = 1s;
  Scene scene(limits);
  {
    const RawClient client(scene.path);
    client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'));
    CHECK(client.hears("HTTP/1.1 413"));
  }
  {
    const RawClient client(scene.path);
    client.send("GET /x HTTP/1.1\r\nHost: x\r\nX: " + std::string(3000, 'x') + "\r\n\r\n");
    CHECK(client.hears("HTTP/1.1 431"));
  }
  {
    const RawClient silent(scene.path);
    silent.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
    CHECK(silent.rest().empty());  // the rest never came: after a second the connection is closed
  }
  CHECK(scene.handler.handled == 0);
  CHECK(eventually([&] { return scene.server.connections() == 0; }));
}

TEST_CASE("a request is judged by its header: who is refused need not send his body, and hears why if he does", "[http]") {
  Scene scene;
  const std::string head = " HTTP/1.1\r\nHost: x\r\nContent-Length: ";
  {
    const RawClient client(scene.path);  // the body is never sent: an answer that waited for it would not come
    client.send("POST /secret" + head + "5000000\r\n\r\n");
    CHECK(client.hears("HTTP/1.1 401"));
  }
  {
    const RawClient client(scene.path);
    client.send("POST /short" + head + "11\r\n\r\n");
    CHECK(client.hears("HTTP/1.1 413"));
  }
  {
    const RawClient client(scene.path);  // longer than any request may be
    client.send("POST /x" + head + "9000000\r\n\r\n");
    CHECK(client.hears("HTTP/1.1 413"));
  }
  {
    const RawClient client(scene.path);  // without a length: refused when it becomes too long
    client.send("POST /short HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n");
    client.send("8\r\n12345678\r\n");
    CHECK(client.hears("HTTP/1.1 413"));
  }
  CHECK(scene.handler.judged == 4);
  CHECK(scene.handler.handled == 0);
  {
    const RawClient client(scene.path);  // a sender that looks for the answer only at the end
    client.send("POST /secret" + head + "5000000\r\n\r\n");
    client.send(std::string(5'000'000, 'x'));
    CHECK(client.hears("who are you?"));
  }
  {
    const RawClient client(scene.path);  // RFC 9110, 10.1.1
    client.send("POST /x" + head + "3\r\nExpect: 100-continue\r\n\r\n");
    REQUIRE(client.hears("HTTP/1.1 100 Continue\r\n\r\n"));
    client.send("abc");
    CHECK(client.hears("POST /x 3"));
  }
  {
    const RawClient client(scene.path);
    client.send("POST /secret" + head + "3\r\nAuthorization: Bearer x\r\n\r\nabc");
    CHECK(client.hears("POST /secret 3"));
  }
  CHECK(scene.handler.handled == 2);
}

// RFC 9112, 3.2
TEST_CASE("a request names one host, in its target or in a Host field", "[http]") {
  Scene scene;
  const auto answer = [&](const std::string& request) {
    const RawClient client(scene.path);
    client.send(request);
    ::shutdown(client.descriptor(), SHUT_WR);
    return client.rest();
  };
  using Catch::Contains;
  CHECK_THAT(answer("GET /a HTTP/1.1\r\n\r\n"), Contains("HTTP/1.1 400") && Contains("no Host field"));
  CHECK_THAT(answer("GET /a HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"), Contains("HTTP/1.1 400") && Contains("more than one Host field"));
  CHECK_THAT(answer("GET /a HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"), Contains(" 400 ") && Contains("more than one Host field"));
  CHECK_THAT(answer("GET /a HTTP/1.1\r\nHost: x/y\r\n\r\n"), Contains("HTTP/1.1 400") && Contains("Host field does not read"));
  CHECK_THAT(answer("GET http://y/a HTTP/1.1\r\n\r\n"), Contains("HTTP/1.1 400") && Contains("no Host field"));
  CHECK(scene.handler.judged == 0);
  CHECK_THAT(answer("GET /a HTTP/1.0\r\n\r\n"), Contains(" 200 OK") && Contains("GET /a 0"));
  CHECK_THAT(answer("GET /a HTTP/1.1\r\nHost: x:1\r\n\r\n"), Contains(" 200 OK") && Contains("Asked-Of: x:1\r\n"));
  CHECK_THAT(answer("GET http://y:2/a HTTP/1.1\r\nHost: x:1\r\n\r\n"),
             Contains(" 200 OK") && Contains("Asked-Of: y:2\r\n") && Contains("GET /a 0"));
}

// RFC 9110, 10.1.1: an expectation in an HTTP/1.0 request is passed over.
TEST_CASE("HTTP/1.0 is never told to continue", "[http]") {
  Scene scene;
  const RawClient client(scene.path);
  client.send("POST /x HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  client.send("abc");
  const std::string all = client.rest();
  CHECK(all.find(" 100 ") == std::string::npos);
  CHECK(all.find("POST /x 3") != std::string::npos);
}

// RFC 9112, 7.1.1: "A server ought to limit the total length of chunk extensions received in a request [...] and generate an appropriate
// 4xx (Client Error) response if that amount is exceeded." The same for its trailer.
TEST_CASE("of a body in chunks, what is not the body has a bound", "[http]") {
  daemon::ServerLimits limits;
  limits.framing_bytes = 100'000;
  Scene scene(limits);
  const std::string head = "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto answer = [&](const std::string& body) {
    const RawClient client(scene.path);
    client.send(head + body);
    ::shutdown(client.descriptor(), SHUT_WR);
    return client.rest();
  };
  using Catch::StartsWith;
  const std::string first = "2\r\nab\r\n0\r\n";
  CHECK_THAT(answer(first + "A: b\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  CHECK_THAT(answer(first + "A: " + std::string(70'000, 'x') + "\r\n\r\n"), StartsWith("HTTP/1.1 4"));  // one field
  CHECK_THAT(answer(first + std::string(70'000, 'A') + ": x\r\n\r\n"), StartsWith("HTTP/1.1 4"));       // its name
  std::string many = first;
  for (int i = 0; i < 100; ++i) many += "A: " + std::string(10'000, 'x') + "\r\n";
  CHECK_THAT(answer(many + "\r\n"), StartsWith("HTTP/1.1 4"));
  CHECK_THAT(answer("2;" + std::string(1'000'000, 'x') + "\r\nab\r\n0\r\n\r\n"), StartsWith("HTTP/1.1 4"));  // one extension
  std::string chunks;
  for (int i = 0; i < 50; ++i) chunks += "2;" + std::string(1'000, 'x') + "\r\nab\r\n";
  CHECK_THAT(answer(chunks + "0\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  for (int i = 0; i < 200; ++i) chunks += "2;" + std::string(1'000, 'x') + "\r\nab\r\n";
  CHECK_THAT(answer(chunks + "0\r\n\r\n"), StartsWith("HTTP/1.1 4"));  // many short ones
  const RawClient endless(scene.path);                                 // no end of the line ever comes, nor of the request
  endless.send(head + "2;" + std::string(70'000, 'x'));
  CHECK(endless.hears("HTTP/1.1 4"));
  CHECK(scene.handler.handled == 2);
}

// RFC 9112, 6.3: "If a Transfer-Encoding header field is present in a request and the chunked transfer coding is not the final encoding,
// [...] the server MUST respond with the 400 (Bad Request) status code and then close the connection." 6.1: a coding that is not understood
// is answered with 501; "A sender MUST NOT apply the chunked transfer coding more than once"; both framings in one request "ought to be
// handled as an error"; in HTTP/1.0 the framing is faulty.
TEST_CASE("where a request ends must be known, and nothing behind one that does not tell is a request", "[http]") {
  Scene scene;
  const std::string hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
  const auto answer = [&](const std::string& version, const std::string& fields) {
    const RawClient client(scene.path);
    client.send("POST /x " + version + "\r\nHost: x\r\n" + fields + "\r\n" + hidden);
    return client.rest();  // until it is closed from there
  };
  using Catch::StartsWith;
  for (const auto& [fields, status] :
       std::vector<std::pair<std::string, std::string>>{{"Transfer-Encoding: gzip\r\n", "400"},
                                                        {"Transfer-Encoding: identity\r\n", "400"},
                                                        {"Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n", "400"},
                                                        {"Transfer-Encoding: xchunked\r\n", "400"},
                                                        {"Transfer-Encoding: chunked, gzip\r\n", "400"},
                                                        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n", "400"},
                                                        {"Transfer-Encoding: chunked, chunked\r\n", "400"},
                                                        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "400"},
                                                        {"Transfer-Encoding: chunked;q=1\r\n", "400"},
                                                        {"Transfer-Encoding:\r\n", "400"},
                                                        {"Transfer-Encoding: gzip, chunked\r\n", "501"},
                                                        {"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "501"},
                                                        {"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "400"},
                                                        {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "400"},
                                                        {"Content-Length: 5\r\nContent-Length: 6\r\n", "400"},
                                                        {"Content-Length: x\r\n", "400"}}) {
    INFO(fields);
    const std::string all = answer("HTTP/1.1", fields);
    CHECK_THAT(all, StartsWith("HTTP/1.1 " + status));
    CHECK(all.find("HTTP/1.1", 1) == std::string::npos);
  }
  CHECK(answer("HTTP/1.0", "Transfer-Encoding: chunked\r\n").find(" 400 ") != std::string::npos);
  CHECK(scene.handler.judged == 0);
  const RawClient client(scene.path);
  client.send("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + hidden);
  ::shutdown(client.descriptor(), SHUT_WR);
  const std::string all = client.rest();
  CHECK(all.find("POST /x 3") != std::string::npos);
  CHECK(all.find("GET /hidden 0") != std::string::npos);
}

TEST_CASE("a large answer may take long as long as it is taken, and no longer", "[http]") {
  const ScratchFolder folder;
  std::ofstream(folder.file("big"), std::ios::binary) << std::string(Handler::big, 'x');
  /// Takes the answer in fifty parts, over at least `whole`; how much came.
  const auto taken = [&](daemon::ServerLimits limits, const std::string& path, std::chrono::milliseconds whole) {
    Scene scene(limits);
    scene.handler.file = folder.file("big");
    const RawClient client(scene.path);
    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    std::vector<char> part(Handler::big / 50);
    std::size_t got = 0;
    for (;;) {
      const ssize_t bytes = ::recv(client.descriptor(), part.data(), part.size(), MSG_WAITALL);
      if (bytes <= 0) return got;
      got += static_cast<std::size_t>(bytes);
      std::this_thread::sleep_for(whole / 50);
    }
  };
  daemon::ServerLimits limits;
  limits.request = 2s;
  for (const char* path : {"/big", "/file"}) {
    INFO(path);
    CHECK(taken(limits, path, 2500ms) > Handler::big);  // and its header
  }
  limits.request = 1s;
  limits.least_rate = 1'000'000'000;
  for (const char* path : {"/big", "/file"}) {
    INFO(path);
    CHECK(taken(limits, path, 2500ms) < Handler::big);
  }
}

TEST_CASE("whatever is thrown ends one connection and nothing else", "[http]") {
  ScratchFolder folder;
  Handler handler;
  daemon::HttpServer server(handler, {});
  const std::string path = folder.file("s");
  server.listen_unix(path);
  std::atomic<int> ticks{0};
  server.every(1ms, [&] {
    if (++ticks == 1) throw std::runtime_error("thrown in a tick");
  });
  server.start();
  const RawClient other(path);
  other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  REQUIRE(other.hears("GET /a"));
  {
    const RawClient client(path);
    client.send("GET /throw HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(client.rest().empty());
  }
  server.post([] { throw std::runtime_error("thrown in a job"); });
  const RawClient viewer(path);
  viewer.send(upgrade);
  REQUIRE(viewer.hears("101 Switching Protocols"));
  viewer.send(one_byte);
  (void)viewer.rest();
  CHECK(eventually([&] { return handler.closed == 1; }));
  CHECK(eventually([&] { return handler.failures == 4; }));
  CHECK(eventually([&, before = ticks.load()] { return ticks > before; }));
  other.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(other.hears("GET /b"));
  server.stop();
  handler.connections.clear();
}

TEST_CASE("connections beyond the limit are closed at once", "[http]") {
  daemon::ServerLimits limits;
  limits.connections = 2;
  Scene scene(limits);
  const RawClient one(scene.path);
  const RawClient two(scene.path);
  one.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  two.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  REQUIRE(one.hears("GET /a"));
  REQUIRE(two.hears("GET /a"));
  const RawClient three(scene.path);
  CHECK(three.rest().empty());
}

TEST_CASE("whatever comes by the network leaves room for the Unix socket", "[http]") {
  daemon::ServerLimits limits;
  limits.connections = 8;
  const ScratchFolder folder;
  Handler handler;
  daemon::HttpServer server(handler, limits);
  const std::string path = folder.file("s");
  server.listen_unix(path);
  const std::string address = "127.0.0.1:" + std::to_string(server.listen_tcp("127.0.0.1:0"));
  server.start();
  std::vector<RawClient> silent;
  for (int i = 0; i < 7; ++i) {
    silent.push_back(RawClient::by_tcp(address));
    silent.back().send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    REQUIRE(silent.back().hears("GET /a"));
  }
  CHECK(RawClient::by_tcp(address).rest().empty());
  const RawClient own(path);
  own.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(own.hears("GET /b"));
  server.stop();
}

TEST_CASE("a viewer that does not read is cut off; one that does gets everything", "[live]") {
  daemon::ServerLimits limits;
  limits.queued_messages = 50;
  Scene scene(limits);
  const RawClient slow(scene.path);
  slow.send(upgrade);
  REQUIRE(slow.hears("101 Switching Protocols"));
  REQUIRE(eventually([&] { return scene.handler.joined == 1; }));

  constexpr int messages = 400;
  std::promise<int> heard;
  std::thread fast([&] {
    int count = 0;
    (void)daemon::Client({.socket = scene.path, .address = "", .token = ""}).watch("/live", [&](const std::string& text) {
      if (text.size() == 20'000) ++count;
      return count == messages ? daemon::Client::Watch::enough : daemon::Client::Watch::more;
    });
    heard.set_value(count);
  });
  REQUIRE(eventually([&] { return scene.handler.joined == 2; }));
  const auto text = std::make_shared<const std::string>(20'000, 'x');
  for (int i = 0; i < messages; ++i) {
    std::promise<void> sent;
    scene.server.post([&] {
      for (const auto& connection : scene.handler.connections) connection->send(text);
      sent.set_value();
    });
    sent.get_future().get();
    // The one that reads is given the time to.
    REQUIRE(eventually([&] {
      std::promise<std::size_t> queued;
      scene.server.post([&] { queued.set_value(scene.handler.connections.back()->queued()); });
      return queued.get_future().get() < 40;
    }));
  }
  CHECK(heard.get_future().get() == messages);
  fast.join();
  CHECK(scene.server.cut_off() == 1);
  CHECK(eventually([&] { return scene.handler.closed == 2; }));
}

TEST_CASE("a viewer is heard one message at a time: the next when its answer has gone out and it is not held", "[live]") {
  daemon::ServerLimits limits;
  limits.queued_messages = 50;
  Scene scene(limits);
  const auto say = [](const RawClient& client, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += one_byte;
    client.send(all);
  };
  {
    const RawClient client(scene.path);  // asks far more often than answers may wait for it, and then looks
    client.send(upgrade_at("/echo"));
    REQUIRE(client.hears("101 Switching Protocols"));
    constexpr int times = 400;
    say(client, times);
    std::size_t came = 0;
    std::vector<char> buffer(100'000);
    while (came < times * scene.handler.answer->size()) {
      const ssize_t got = ::recv(client.descriptor(), buffer.data(), buffer.size(), 0);
      REQUIRE(got > 0);
      came += static_cast<std::size_t>(got);
    }
    CHECK(eventually([&] { return scene.handler.heard == times; }));
    CHECK(scene.server.cut_off() == 0);
  }
  const auto meanwhile = [&] {  // the server has done much else
    const RawClient other(scene.path);
    for (int i = 0; i < 20; ++i) {
      other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
      REQUIRE(other.hears("GET /a 0"));
    }
  };
  scene.handler.heard = 0;
  {
    const RawClient client(scene.path);
    client.send(upgrade_at("/hold"));
    REQUIRE(client.hears("101 Switching Protocols"));
    say(client, 3);
    for (int heard = 1; heard <= 3; ++heard) {
      CHECK(eventually([&] { return scene.handler.heard >= heard; }));
      meanwhile();
      CHECK(scene.handler.heard == heard);
      scene.server.post([&] { scene.handler.connections.back()->go_on(); });
    }
  }
  scene.handler.heard = 0;
  scene.handler.pause = 1h;
  const RawClient client(scene.path);
  client.send(upgrade_at("/echo"));
  REQUIRE(client.hears("101 Switching Protocols"));
  say(client, 3);
  CHECK(eventually([&] { return scene.handler.heard == 1; }));
  meanwhile();
  CHECK(scene.handler.heard == 1);
}

TEST_CASE("a socket in use, a file that is none, and a path that is too long are refused by name", "[http]") {
  Scene scene;
  Handler handler;
  daemon::HttpServer second(handler, {});
  CHECK_THROWS_WITH(second.listen_unix(scene.path), Catch::Contains(scene.path) && Catch::Contains("already"));
  scene.folder.write("plain", "x");
  CHECK_THROWS_WITH(second.listen_unix(scene.folder.file("plain")), Catch::Contains("no socket"));
  CHECK_THROWS_WITH(second.listen_unix("/" + std::string(200, 'x')), Catch::Contains("too long"));
  for (const char* bad : {"8080", "localhost", "localhost:x", "localhost:99999", "nowhere.example:80", ":80"}) {
    INFO(bad);
    CHECK_THROWS_AS(second.listen_tcp(bad), daemon::ListenError);
  }
  CHECK(second.listen_tcp("127.0.0.1:0") != 0);
}
