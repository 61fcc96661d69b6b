// HTTP and WebSocket as the daemon sees them: plain values and two interfaces. Only http_server.cpp and client.cpp know Beast.
#pragma once

#include <any>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace referee::daemon {

/// Who is at the other end of a connection.
struct Peer {
  enum class Transport { unix_socket, tcp };
  Transport transport = Transport::unix_socket;
  std::string address;               // of a TCP peer, without port
  std::optional<std::uint32_t> uid;  // of a local one
};

struct Request {
  std::string method;                                      // "GET"
  std::string path;                                        // as sent, without the query
  std::vector<std::string> segments;                       // of the path, percent-decoded
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order
  std::string host, origin, authorization, cookie, content_type, if_none_match;
  std::string forwarded_for;  // X-Forwarded-For, as sent: anybody may write it
  std::string body;           // not there yet when the header is judged
  Peer peer;

  /// The first of that name.
  [[nodiscard]] std::optional<std::string> parameter(std::string_view name) const;
};
/// Splits and decodes a request target into path, segments and query. One in absolute form ("http://host/path") brings the host, whatever
/// the Host field says (RFC 9112, 3.2.2). False if it is of another form, an escape is broken or the path climbs ("..").
[[nodiscard]] bool read_target(std::string_view target, Request& request);
/// Is it a host with or without a port, as a Host field may hold it (RFC 9110, 7.2)? The empty text is.
[[nodiscard]] bool is_host(std::string_view text);

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string file;  // sent instead of the body when not empty
  std::vector<std::pair<std::string, std::string>> headers;
};
using Reply = std::function<void(Response)>;

/// A request that cannot be done, with the HTTP status that says so.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  int status_;
};

/// A WebSocket of a viewer. All of it on the server's thread.
class LiveConnection {
 public:
  using Text = std::shared_ptr<const std::string>;
  virtual ~LiveConnection() = default;
  /// Queues a text message. A client whose queue is full is cut off: it is never waited for.
  virtual void send(Text text) = 0;
  /// Messages not yet given to the system.
  [[nodiscard]] virtual std::size_t queued() const noexcept = 0;
  virtual void close(std::string_view why) = 0;
  /// What the client has asked for has yet to come: until go_on() none of its further messages is read.
  virtual void hold() = 0;
  virtual void go_on() = 0;

  std::function<void(std::string_view)> on_text;  // from the client
  std::function<void()> on_drained;               // the queue has become empty
  std::function<void()> on_closed;                // once, and the last of all
};

/// What is found out about a request by its header alone, before a byte of its body is taken.
struct Admission {
  std::optional<Response> refused;  // the answer; the body is never read
  std::size_t longest_body = 0;     // in bytes; longer ones are refused with 413
  std::any pass;                    // handed back with the request
};

/// What the server asks of the daemon, on the server's thread.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// Of every request first.
  virtual Admission admit(const Request& head) = 0;
  /// One that was admitted, with its body; `reply` once, on any thread.
  virtual void handle(Request request, std::any pass, Reply reply) = 0;
  /// One that was admitted asks for a WebSocket: nullopt welcomes it, a response refuses it.
  virtual std::optional<Response> upgrade(const Request& request) = 0;
  /// The connection may be kept as long as the server lives.
  virtual void connected(std::shared_ptr<LiveConnection> connection, const Request& request) = 0;
  /// A viewer that came by this request has said something: after how long its next message may be read.
  virtual std::chrono::milliseconds pause_after_message(const Request& request) = 0;
  /// Something was thrown, by the handler or below it; the connection that it was for is closed.
  virtual void failed(std::string_view what) = 0;
};

}  // namespace referee::daemon
