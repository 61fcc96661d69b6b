#include "engine_iface/descriptor_watch.hpp"

#include <unistd.h>

#include <boost/asio/detail/epoll_reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>
#include <boost/system/system_error.hpp>
#include <boost/version.hpp>
#include <utility>

// The reactor's operations are Asio's internals: stable within a release, so the release is named. Another one needs this file read again.
static_assert(BOOST_VERSION == 108100, "descriptor_watch.cpp is written for the reactor of Boost 1.81");

namespace referee::engine {

namespace detail = boost::asio::detail;

// Two operations wait in the reactor: one for input, which reports itself "done and exhausted", so that the reactor does not try it before
// the next edge; and one in the queue of writers, which a hang-up completes and (on the reading end of a pipe) nothing else does.
struct DescriptorWatch::State {
  struct Operation : detail::reactor_op {
    Operation(State& owner, status (*perform_it)(detail::reactor_op*), func_type complete_it)
        : reactor_op(boost::system::error_code(), perform_it, complete_it), state(&owner) {}
    State* state;
    bool waiting = false;
  };

  State(boost::asio::io_context& io, int file, Observer& receiver)
      : reactor(boost::asio::use_service<detail::epoll_reactor>(io)),
        descriptor(file),
        observer(&receiver),
        input(*this, &perform_input, &complete_input),
        hang_up(*this, &perform_hang_up, &complete_hang_up) {
    reactor.init_task();
    if (const int error = reactor.register_descriptor(descriptor, data); error != 0) {
      ::close(descriptor);
      throw boost::system::system_error(error, boost::system::system_category(), "epoll");
    }
    start(hang_up, detail::epoll_reactor::write_op);
  }

  void start(Operation& operation, int kind) {
    operation.ec_.clear();
    operation.waiting = true;
    starting = true;
    reactor.start_op(kind, descriptor, data, &operation, false, true);
    starting = false;
  }

  static detail::reactor_op::status perform_input(detail::reactor_op*) { return detail::reactor_op::done_and_exhausted; }
  static void complete_input(void* owner, detail::operation* base, const boost::system::error_code&, std::size_t) {
    Operation& operation = *static_cast<Operation*>(base);
    State& state = *operation.state;
    operation.waiting = false;
    const std::shared_ptr<void> keep = std::move(state.keep);
    if (state.watch == nullptr) return state.free_when_idle();
    if (owner != nullptr) state.observer->readable(*state.watch);
  }

  // Asked once when it is started: nothing is known then.
  static detail::reactor_op::status perform_hang_up(detail::reactor_op* base) {
    return static_cast<Operation*>(base)->state->starting ? detail::reactor_op::not_done : detail::reactor_op::done;
  }
  static void complete_hang_up(void* owner, detail::operation* base, const boost::system::error_code&, std::size_t) {
    Operation& operation = *static_cast<Operation*>(base);
    State& state = *operation.state;
    operation.waiting = false;
    if (owner != nullptr) state.hung_up = true;
    if (state.watch == nullptr) state.free_when_idle();
  }

  void abandon() {
    watch = nullptr;
    reactor.deregister_descriptor(descriptor, data, false);
    reactor.cleanup_descriptor_data(data);
    ::close(descriptor);
    free_when_idle();
  }
  void free_when_idle() {
    if (!input.waiting && !hang_up.waiting) delete this;
  }

  detail::epoll_reactor& reactor;
  detail::epoll_reactor::per_descriptor_data data = nullptr;
  int descriptor;
  Observer* observer;
  DescriptorWatch* watch = nullptr;  // none once it is destroyed
  std::shared_ptr<void> keep;
  bool hung_up = false;
  bool starting = false;
  Operation input, hang_up;
};

DescriptorWatch::DescriptorWatch(boost::asio::io_context& io, int descriptor, Observer& observer)
    : state_(new State(io, descriptor, observer)) {
  state_->watch = this;
}

DescriptorWatch::~DescriptorWatch() { state_->abandon(); }

void DescriptorWatch::arm(std::shared_ptr<void> keep) {
  if (state_->input.waiting) return;
  state_->keep = std::move(keep);
  state_->start(state_->input, detail::epoll_reactor::read_op);
}

bool DescriptorWatch::hung_up() const noexcept { return state_->hung_up; }
int DescriptorWatch::descriptor() const noexcept { return state_->descriptor; }

}  // namespace referee::engine
