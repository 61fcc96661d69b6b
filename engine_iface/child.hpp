// A started engine process and the referee's ends of its pipes. Internal to engine_iface.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/process.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace referee::engine {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : descriptor_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      descriptor_ = other.release();
    }
    return *this;
  }
  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
  void close() noexcept;

 private:
  int descriptor_ = -1;
};

using Process = boost::process::v2::basic_process<boost::asio::io_context::executor_type>;

/// Boost.Process v2's extension point, a callable that returns a basic_process: posix_spawn and a pidfd. The launchers that ship with 1.81
/// leak descriptors, slow down with their number and leave zombies.
struct SpawnLauncher {
  // The child's standard input, output and error and its end of the report pipe. Each must be 4 or above: they are moved to 0..3 one by
  // one.
  int input = -1, output = -1, error = -1, report = -1;
  const std::vector<std::string>* environment = nullptr;  // NAME=VALUE

  /// A session and process group of its own, default signal dispositions, nothing blocked, and no descriptor but 0..3. On failure sets
  /// `failure` and returns a closed process.
  Process operator()(const boost::asio::io_context::executor_type& executor, const std::string& executable,
                     const std::vector<std::string>& arguments, boost::system::error_code& failure) const;
};

/// The process must not be destroyed while it lives, nor asked to terminate, wait or tell whether it runs: those act by number, which may
/// by then be another process's. Signals go through `pidfd`; after async_wait has completed, detach() (EngineProcess does all this).
struct Child {
  std::unique_ptr<Process> process;
  Descriptor pidfd;                // of its own: readable when the process has ended
  Descriptor input;                // to its stdin; all are non-blocking
  Descriptor output, error;        // from its stdout and stderr
  Descriptor report;               // LaunchRecords (launch_report.hpp), end of file once the engine runs
  bool output_has_stamps = false;  // stdout is a SEQPACKET socket that carries the kernel's time of each write
  std::string private_folder;      // to be removed when it has ended; empty = none
  std::string control_group;       // likewise
};

}  // namespace referee::engine
