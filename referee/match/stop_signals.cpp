#include "referee/match/stop_signals.hpp"

#include <csignal>
#include <utility>

namespace referee::match {

/// `timeout` and service managers send SIGTERM to a program and to its group, which it belongs to: that is one wish.
constexpr std::chrono::milliseconds one_termination{500};

StopSignals::StopSignals(boost::asio::io_context& io, std::function<void(int signal)> heard) : signals_(io), heard_(std::move(heard)) {}

void StopSignals::listen() {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) signals_.add(SIGHUP);
  await();
}

void StopSignals::clear() { signals_.clear(); }

void StopSignals::await() {
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    const auto now = std::chrono::steady_clock::now();
    const bool echo = signal == SIGTERM && last_termination_ && now - *last_termination_ < one_termination;
    if (signal == SIGTERM) last_termination_ = now;
    if (!echo) heard_(signal);
    await();
  });
}

}  // namespace referee::match
