// The service manager's side of a daemon: readiness and watchdog (sd_notify's protocol, a datagram to NOTIFY_SOCKET) and sockets that it
// opened for us (LISTEN_FDS).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace referee::daemon {

class ServiceManager {
 public:
  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, LISTEN_PID, LISTEN_FDS and takes them out of the environment, so that no engine
  /// inherits them. Call it before there are threads.
  ServiceManager();

  /// "READY=1", "STATUS=...", "RELOADING=1", "STOPPING=1", "WATCHDOG=1". Nothing if there is no service manager.
  void tell(std::string_view state) const;
  /// How often to say "WATCHDOG=1": half of what it allows. nullopt if it does not watch.
  [[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval() const noexcept { return watchdog_; }
  /// Listening sockets handed over.
  [[nodiscard]] const std::vector<int>& sockets() const noexcept { return sockets_; }

 private:
  std::string notify_socket_;
  std::optional<std::chrono::microseconds> watchdog_;
  std::vector<int> sockets_;
};

}  // namespace referee::daemon
