// Text under the PGN reader: a window that slides over a stream, with line and column.
#pragma once

#include <cstddef>
#include <istream>
#include <string_view>
#include <vector>

namespace referee::record {

class PgnSource {
 public:
  /// What look_ahead() may ask for.
  static constexpr std::size_t widest_look = 16384;

  PgnSource(std::istream& in, std::size_t first_line) : in_(in), buffer_(window), line_(first_line) {}

  /// Makes at least `bytes` (<= widest_look) bytes readable unless the text ends before.
  void look_ahead(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes && !ended_) refill();
  }
  /// What is readable now; empty only at the end of the text.
  [[nodiscard]] std::string_view rest() {
    if (at_ == end_ && !ended_) refill();
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }
  [[nodiscard]] bool at_end() { return rest().empty(); }
  /// 0 at the end. `ahead` must be within what look_ahead() made sure of.
  [[nodiscard]] char peek(std::size_t ahead = 0) {
    if (at_ == end_ && !ended_) refill();
    return static_cast<std::size_t>(end_ - at_) > ahead ? at_[ahead] : '\0';
  }
  /// Passes over bytes that hold no line end. Needs: readable.
  void skip(std::size_t bytes) { at_ += bytes; }
  /// Passes over one byte, which may be a line end.
  void skip_any() {
    if (*at_++ == '\n') new_line();
  }
  void skip_to_line_end();

  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] std::size_t column() const noexcept { return static_cast<std::size_t>(at_ - line_start_) + before_; }  // 1-based
  [[nodiscard]] bool at_line_start() const noexcept { return column() == 1; }

 private:
  static constexpr std::size_t window = std::size_t{1} << 18U;

  void new_line() {
    ++line_;
    line_start_ = at_;
    before_ = 1;
  }
  void refill();

  std::istream& in_;
  std::vector<char> buffer_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* line_start_ = nullptr;  // in the window, or its beginning
  std::size_t before_ = 1;            // columns of this line that have left the window, and one
  std::size_t line_;
  bool ended_ = false;
};

}  // namespace referee::record
