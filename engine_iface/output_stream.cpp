#include "engine_iface/output_stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

namespace referee::engine {

namespace {

constexpr std::size_t most_packets = 16;

Instant now() { return std::chrono::steady_clock::now(); }

Duration since_epoch(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// The kernel stamps in CLOCK_REALTIME.
Instant to_monotonic(const timespec& real) {
  const Duration difference = since_epoch(CLOCK_REALTIME) - since_epoch(CLOCK_MONOTONIC);
  return Instant(std::chrono::seconds(real.tv_sec) + std::chrono::nanoseconds(real.tv_nsec) - difference);
}

}  // namespace

OutputStream::OutputStream(boost::asio::io_context& io, DeadlineQueue& deadlines, Descriptor descriptor, Settings settings, Sink& sink)
    : io_(io),
      settings_(settings),
      sink_(sink),
      watch_(std::make_unique<DescriptorWatch>(io, descriptor.release(), static_cast<DescriptorWatch::Observer&>(*this))),
      lines_(settings.capacity, settings.longest_line),
      deadlines_(deadlines),
      refilled_(now()),
      allowance_(static_cast<long long>(settings.rate)) {}

void OutputStream::start(std::weak_ptr<void> owner) {
  owner_ = std::move(owner);
  watch_->arm();
}

void OutputStream::close() {
  if (resume_) resume_->clear();
  watch_.reset();
}

void OutputStream::readable(DescriptorWatch&) {
  const std::shared_ptr<void> keep = owner_.lock();
  Batch batch = read_batch();
  deliver();
  // A packet is small: several make a batch.
  for (std::size_t packets = 1; settings_.stamped && watch_ && batch == Batch::full && packets < most_packets; ++packets) {
    batch = read_batch();
    deliver();
  }
  proceed(batch);
}

void OutputStream::drain(std::size_t most) {
  const std::shared_ptr<void> keep = owner_.lock();
  deliver();  // from inside a delivery: its remaining lines come first
  for (std::size_t total = 0; watch_ && total < most; total += batch_bytes_) {
    const Batch batch = read_batch();
    deliver();
    if (batch == Batch::ended) end();
    if (batch_bytes_ == 0) break;
  }
}

OutputStream::Batch OutputStream::read_batch() {
  batch_bytes_ = 0;
  const Batch batch = settings_.stamped ? read_packet() : read_pipe();
  allowance_ -= static_cast<long long>(batch_bytes_);
  return batch;
}

OutputStream::Batch OutputStream::read_pipe() {
  const LineBuffer::Space space = lines_.writable();
  ssize_t count;
  do { count = read(watch_->descriptor(), space.data, space.size); } while (count < 0 && errno == EINTR);
  arrival_ = now();
  if (count < 0) return errno == EAGAIN ? Batch::partial : Batch::ended;
  if (count == 0) return Batch::ended;
  batch_bytes_ = static_cast<std::size_t>(count);
  lines_.filled(batch_bytes_);
  // A pipe that gave less than was asked for is empty: the next byte makes an edge. A hang-up makes none, so it is read to its end.
  return batch_bytes_ == space.size || watch_->hung_up() ? Batch::full : Batch::partial;
}

OutputStream::Batch OutputStream::read_packet() {
  const LineBuffer::Space space = lines_.writable(true);
  iovec piece{space.data, space.size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count;
  do { count = recvmsg(watch_->descriptor(), &message, 0); } while (count < 0 && errno == EINTR);
  arrival_ = now();
  if (count < 0) return errno == EAGAIN ? Batch::partial : Batch::ended;
  if (count == 0) return Batch::ended;
  batch_bytes_ = static_cast<std::size_t>(count);
  lines_.filled(batch_bytes_);
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
    // An engine may have answered before the referee, put aside for it, could note that its `go` had left.
    if (const Instant written = to_monotonic(stamp); written <= arrival_) arrival_ = std::max(written, earliest_);
  }
  return Batch::full;  // a socket does not say that it is empty
}

void OutputStream::deliver() {
  while (watch_) {
    const auto line = lines_.next();
    if (!line) return;
    sink_.stream_line(*this, *line, arrival_);
  }
}

void OutputStream::end() {
  if (!watch_) return;
  if (const auto line = lines_.rest()) sink_.stream_line(*this, *line, arrival_);
  if (!watch_) return;
  close();
  sink_.stream_ended(*this, arrival_);
}

void OutputStream::proceed(Batch batch) {
  if (!watch_) return;
  if (batch == Batch::ended) return end();
  if (const auto until = pause_until()) {
    if (!resume_) {
      resume_.emplace(deadlines_, [this](Instant) {
        if (watch_) readable(*watch_);
      });
    }
    resume_->set(*until);
  } else if (batch == Batch::partial) {
    watch_->arm();
  } else {
    // Others first.
    boost::asio::post(io_, [this, owner = owner_] {
      if (const auto keep = owner.lock(); keep && watch_) readable(*watch_);
    });
  }
}

std::optional<Instant> OutputStream::pause_until() {
  if (allowance_ >= 0) return std::nullopt;
  const Instant at = now();
  const double rate = static_cast<double>(settings_.rate);
  const double refill = std::chrono::duration<double>(at - refilled_).count() * rate;
  allowance_ = static_cast<long long>(std::min(static_cast<double>(allowance_) + refill, rate));
  refilled_ = at;
  if (allowance_ >= 0) return std::nullopt;
  if (!std::exchange(slowed_, true)) {
    sink_.stream_slowed(*this, at);
    if (!watch_) return std::nullopt;
  }
  return at + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(static_cast<double>(-allowance_) / rate));
}

}  // namespace referee::engine
