// The signals that stop a match run by hand or by a service manager.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <functional>
#include <optional>

namespace referee::match {

/// SIGINT, SIGTERM, and SIGHUP unless it is ignored (nohup stays nohup).
class StopSignals {
 public:
  /// `heard`: each signal, on the thread of `io`. `io` outlives it.
  StopSignals(boost::asio::io_context& io, std::function<void(int signal)> heard);

  void listen();
  /// From here on they end the program again.
  void clear();

 private:
  void await();

  boost::asio::signal_set signals_;
  std::function<void(int)> heard_;
  std::optional<std::chrono::steady_clock::time_point> last_termination_;
};

}  // namespace referee::match
