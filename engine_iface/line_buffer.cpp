#include "engine_iface/line_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace referee::engine {

// The buffer is not initialised: what is never read into costs no memory.
LineBuffer::LineBuffer(std::size_t capacity, std::size_t longest) : capacity_(capacity), longest_(longest), buffer_(new char[capacity]) {}

void LineBuffer::set_aside(std::size_t to) {
  if (!long_open_) {
    long_.clear();
    long_cut_ = false;
    long_open_ = true;
  }
  const std::size_t kept = std::min(longest_ - long_.size(), to - begin_);
  long_.append(buffer_.get() + begin_, kept);
  long_cut_ = long_cut_ || kept < to - begin_;
  begin_ = scanned_ = to;
}

LineBuffer::Line LineBuffer::take_long() {
  long_open_ = false;
  return {long_, long_cut_};
}

LineBuffer::Space LineBuffer::writable(bool whole) {
  if (!long_open_ && long_.capacity() > capacity_) std::string().swap(long_);
  if (begin_ == end_) {
    begin_ = scanned_ = end_ = 0;
  } else if (whole || end_ - begin_ > capacity_ / 2) {
    set_aside(end_);
    begin_ = scanned_ = end_ = 0;
  } else if (capacity_ - end_ < capacity_ / 2) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    scanned_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  return {buffer_.get() + end_, capacity_ - end_};
}

std::optional<LineBuffer::Line> LineBuffer::next() {
  const char* const data = buffer_.get();
  const void* found = scanned_ < end_ ? std::memchr(data + scanned_, '\n', end_ - scanned_) : nullptr;
  if (found == nullptr) {
    scanned_ = end_;
    return std::nullopt;
  }
  const std::size_t at = static_cast<std::size_t>(static_cast<const char*>(found) - data);
  if (long_open_) {
    set_aside(at);
    begin_ = scanned_ = at + 1;
    return take_long();
  }
  Line line{std::string_view(data + begin_, at - begin_), false};
  if (line.text.size() > longest_) line = {line.text.substr(0, longest_), true};
  begin_ = scanned_ = at + 1;
  return line;
}

std::optional<LineBuffer::Line> LineBuffer::rest() {
  if (begin_ == end_ && !long_open_) return std::nullopt;
  set_aside(end_);
  return take_long();
}

}  // namespace referee::engine
