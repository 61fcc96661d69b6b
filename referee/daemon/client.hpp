// The other end: how the commands `submit status watch stop arbiter` talk to a daemon.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace referee::daemon {

/// Nobody listens, or what came is no answer. Says where it was tried and what to do.
class ClientError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ClientTarget {
  std::string socket;   // Unix socket; "" = by TCP
  std::string address;  // ADDRESS:PORT
  std::string token;    // for TCP
};

struct ClientResponse {
  int status = 0;
  std::string body;
};

class Client {
 public:
  explicit Client(ClientTarget target);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// `body`: JSON, or "". Throws ClientError.
  ClientResponse request(const std::string& method, const std::string& target, const std::string& body = "");
  /// A WebSocket at `target`; each message is handed over until `more` says stop, or the daemon closes (false). Throws ClientError when it
  /// cannot be opened.
  enum class Watch { more, enough };
  bool watch(const std::string& target, const std::function<Watch(const std::string&)>& message);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "%20": for names in a path.
[[nodiscard]] std::string percent_encoded(const std::string& text);

}  // namespace referee::daemon
