// The daemon's ear: one thread that serves HTTP/1.1 and WebSocket on Unix sockets and TCP ports.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "referee/daemon/http.hpp"

namespace referee::daemon {

struct ServerLimits {
  std::size_t connections = 4096;  // in all; an eighth of them is kept for the Unix socket, whatever comes by the network
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 8 * 1024 * 1024;  // of any request; the handler may allow less
  std::size_t framing_bytes = 1024 * 1024;   // of a request behind its header that is not its body: chunks' sizes, extensions, trailer
  std::chrono::seconds request{30};          // for a whole request to arrive, and for any more of a response to be taken
  std::size_t least_rate = 4 * 1024;         // bytes a second that a response, after `request`, must have been taken at
  std::chrono::seconds idle{120};            // between requests of one connection
  std::chrono::seconds linger{2};            // for a body that is refused to be sent to its end, so that its sender hears the answer
  std::size_t queued_messages = 1024;        // of a WebSocket client that does not read: beyond it is cut off
  std::size_t queued_bytes = 8 * 1024 * 1024;
  std::size_t client_message_bytes = 64 * 1024;
};

/// A socket cannot be listened on. Names it.
class ListenError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class HttpServer {
 public:
  /// `handler` outlives it.
  HttpServer(HttpHandler& handler, ServerLimits limits);
  ~HttpServer();  // stop()
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Before start(). Throw ListenError.
  /// A socket file that nobody listens on any more is replaced; one that is in use is refused. Readable for its owner and group.
  void listen_unix(const std::string& path);
  /// "ADDRESS:PORT", an IPv6 address in brackets; port 0 lets the system choose. Returns the port.
  std::uint16_t listen_tcp(const std::string& address);
  /// A listening socket that the service manager opened (socket activation).
  void adopt(int descriptor);

  void start();
  /// No new connection; open ones are cut. Blocks until the thread has ended.
  void stop();
  /// Any thread: runs it on the server's thread. Without effect when it is stopped.
  void post(std::function<void()> job);
  /// On the server's thread, again and again; the answer to "does it still live".
  void every(std::chrono::milliseconds interval, std::function<void()> job);

  [[nodiscard]] std::size_t connections() const noexcept;  // any thread
  [[nodiscard]] std::uint64_t requests() const noexcept;   // so far; any thread
  [[nodiscard]] std::uint64_t cut_off() const noexcept;    // slow WebSocket clients so far; any thread

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace referee::daemon
