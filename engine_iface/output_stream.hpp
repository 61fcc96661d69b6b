// One output of an engine (stdout or stderr): reads batches, stamps them, cuts them into lines, keeps a rate.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <memory>
#include <optional>

#include "engine_iface/child.hpp"
#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/descriptor_watch.hpp"
#include "engine_iface/line_buffer.hpp"
#include "engine_iface/protocol.hpp"

namespace referee::engine {

class OutputStream final : private DescriptorWatch::Observer {
 public:
  class Sink {
   public:
    virtual void stream_line(OutputStream& stream, const LineBuffer::Line& line, Instant at) = 0;
    virtual void stream_ended(OutputStream& stream, Instant at) = 0;
    virtual void stream_slowed(OutputStream& stream, Instant at) = 0;  // once

   protected:
    ~Sink() = default;
  };
  struct Settings {
    std::size_t capacity;  // bytes a batch
    std::size_t longest_line;
    std::size_t rate;      // bytes a second
    bool stamped = false;  // a SEQPACKET socket with SO_TIMESTAMPNS
  };

  /// `owner` is kept alive while lines are delivered.
  OutputStream(boost::asio::io_context& io, DeadlineQueue& deadlines, Descriptor descriptor, Settings settings, Sink& sink);
  void start(std::weak_ptr<void> owner);
  /// At most `most` bytes, without regard to the rate.
  void drain(std::size_t most);
  void close();
  [[nodiscard]] bool is_open() const noexcept { return watch_ != nullptr; }
  /// The earliest instant at which what arrives next can have been written, if it answers to anything: an earlier kernel stamp is moved
  /// to it.
  void set_earliest(Instant at) noexcept { earliest_ = at; }

 private:
  enum class Batch { partial, full, ended };

  void readable(DescriptorWatch& watch) override;
  Batch read_batch();
  Batch read_pipe();
  Batch read_packet();
  void deliver();
  void end();
  void proceed(Batch batch);
  [[nodiscard]] std::optional<Instant> pause_until();

  boost::asio::io_context& io_;
  Settings settings_;
  Sink& sink_;
  std::weak_ptr<void> owner_;
  std::unique_ptr<DescriptorWatch> watch_;
  LineBuffer lines_;
  DeadlineQueue& deadlines_;
  std::optional<Deadline> resume_;  // made when the rate is exceeded for the first time
  Instant arrival_{};               // of the batch in lines_
  Instant earliest_{};
  Instant refilled_{};
  long long allowance_;  // bytes that may be read before the rate counts
  std::size_t batch_bytes_ = 0;
  bool slowed_ = false;
};

}  // namespace referee::engine
