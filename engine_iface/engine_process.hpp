// A running engine as bytes and instants: lines out, text in, end of file, exit status. It knows nothing of chess or protocols.
//
// Everything happens on one io_context's thread. Output is read in bounded batches, so that no engine starves another; one that floods is
// slowed down by not being read.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine_iface/engine.hpp"

namespace referee::engine {

class EngineProcess : public std::enable_shared_from_this<EngineProcess> {
 public:
  /// What happens, in the order in which it happened. Calls may come from inside drain(), not from other orders.
  class Observer {
   public:
    virtual void started() = 0;                             // the engine itself is running
    virtual void start_failed(const std::string& why) = 0;  // nothing but exited() follows
    virtual void line(std::string_view text, Instant at) = 0;
    virtual void error_line(std::string_view text, Instant at) = 0;
    virtual void note(const std::string& text, Instant at) = 0;     // a line was cut, output is slowed down ...: for the log
    virtual void written(Instant at) = 0;                           // what send() could not write at once has left
    virtual void end_of_file(Instant at) = 0;                       // of stdout; all its lines came before
    virtual void exited(const ExitStatus& status, Instant at) = 0;  // once; all that was still in the pipes came before

   protected:
    ~Observer() = default;
  };

  static constexpr std::size_t longest_line = 2U << 20;
  static constexpr std::size_t longest_error_line = 64U << 10;
  static constexpr std::size_t longest_unsent = 4U << 20;
  /// Bytes a second that are read of stdout in the long run, and of stderr; ten times a busy engine's output.
  static constexpr std::size_t output_rate = 16U << 20;
  static constexpr std::size_t error_rate = 2U << 20;

  /// Throws LaunchError.
  static std::shared_ptr<EngineProcess> start(boost::asio::io_context& io, DeadlineQueue& deadlines, const Launcher& launcher,
                                              const EngineCommand& command, Observer& observer);
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  /// The instant at which the last byte had left; nullopt if the pipe is full: written() follows when the engine has read.
  /// What exceeds longest_unsent is dropped with a note: by then the limit on writing has long expired.
  std::optional<Instant> send(std::string_view text);
  /// Nothing more will be sent: the engine's stdin ends when all has left.
  void close_input();
  void interrupt();  // SIGINT to its process group
  void terminate();  // SIGTERM
  void kill();       // SIGKILL to all of it, at once
  /// Reads what is in the pipes now (bounded) and delivers it.
  void drain();
  /// Nothing is reported any more; a process that lives is killed, and waited for by whoever runs the io_context.
  void abandon();

  [[nodiscard]] bool alive() const noexcept;
  [[nodiscard]] bool unsent() const noexcept;
  /// The instants of its lines are the kernel's, taken when they were written: no lateness of the referee's is in them.
  [[nodiscard]] bool stamped_by_kernel() const noexcept;
  [[nodiscard]] long id() const noexcept;

 private:
  struct Impl;
  explicit EngineProcess(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::engine
