// Says when a descriptor becomes readable, for one system call a message: a registration that stays, edge-triggered, so that waiting again
// costs none and reading needs no second read() that only finds the pipe empty. (Asio's own descriptors spend an epoll_ctl or a failing
// read() on every message.)
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

namespace referee::engine {

class DescriptorWatch {
 public:
  class Observer {
   public:
    /// There may be something to read. Called once for each arm(), on the io_context's thread. May destroy the watch.
    virtual void readable(DescriptorWatch& watch) = 0;

   protected:
    ~Observer() = default;
  };

  /// Takes the descriptor (which is non-blocking) and closes it with itself. Throws boost::system::system_error.
  DescriptorWatch(boost::asio::io_context& io, int descriptor, Observer& observer);
  ~DescriptorWatch();
  DescriptorWatch(const DescriptorWatch&) = delete;
  DescriptorWatch& operator=(const DescriptorWatch&) = delete;

  /// Asks for one call of readable(). Before arming again, read until a read() returns less than was asked for; after hung_up(), until it
  /// returns 0 or fails: what was left in the pipe causes no further call. `keep` is held until that call, also beyond the watch itself.
  void arm(std::shared_ptr<void> keep = nullptr);
  /// The other end was closed (or failed).
  [[nodiscard]] bool hung_up() const noexcept;
  [[nodiscard]] int descriptor() const noexcept;

 private:
  struct State;
  State* state_;  // frees itself when the reactor has given back what it holds
};

}  // namespace referee::engine
