#include "referee/record/pgn_source.hpp"

#include <cstring>

namespace referee::record {

void PgnSource::refill() {
  char* const begin = buffer_.data();
  const std::size_t kept = static_cast<std::size_t>(end_ - at_);
  before_ += static_cast<std::size_t>(at_ - line_start_);
  if (kept > 0) std::memmove(begin, at_, kept);
  at_ = begin;
  line_start_ = begin;
  std::size_t size = kept;
  while (size < buffer_.size()) {
    in_.read(begin + size, static_cast<std::streamsize>(buffer_.size() - size));
    const auto got = static_cast<std::size_t>(in_.gcount());
    size += got;
    if (got == 0 || !in_) {
      ended_ = true;
      break;
    }
  }
  end_ = begin + size;
}

void PgnSource::skip_to_line_end() {
  for (;;) {
    const std::string_view text = rest();
    if (text.empty()) return;
    const std::size_t end = text.find('\n');
    if (end != std::string_view::npos) return skip(end);
    skip(text.size());
  }
}

}  // namespace referee::record
