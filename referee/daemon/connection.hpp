// What the server's connections share, plain HTTP and WebSocket.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/rate_policy.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "referee/daemon/http_server.hpp"

namespace referee::daemon {

using Stream =
    boost::beast::basic_stream<boost::asio::generic::stream_protocol, boost::asio::any_io_executor, boost::beast::unlimited_rate_policy>;

inline constexpr std::string_view server_name = "referee";

/// What every connection needs from the server; outlives them all.
struct ServerShared {
  ServerShared(HttpHandler& whose, ServerLimits what) : handler(whose), limits(what) {}
  HttpHandler& handler;
  ServerLimits limits;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> cut_off{0};
  std::atomic<bool> stopping{false};
};

/// Counts a connection as long as it lives.
class ConnectionSeat {
 public:
  explicit ConnectionSeat(std::shared_ptr<ServerShared> shared) : shared_(std::move(shared)) { ++shared_->connections; }
  ~ConnectionSeat() { --shared_->connections; }
  ConnectionSeat(const ConnectionSeat&) = delete;
  ConnectionSeat& operator=(const ConnectionSeat&) = delete;

 private:
  std::shared_ptr<ServerShared> shared_;
};

}  // namespace referee::daemon
