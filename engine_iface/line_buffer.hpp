// Bytes in, lines out, without copying: a line is a view into what was read. Bounded: a line longer than `longest` is cut and says so.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace referee::engine {

class LineBuffer {
 public:
  struct Line {
    std::string_view text;  // without its line feed; valid until the next writable()
    bool cut = false;       // only its first `longest` bytes
  };
  struct Space {
    char* data;
    std::size_t size;
  };

  /// capacity: bytes read at once.
  LineBuffer(std::size_t capacity, std::size_t longest);

  /// Where to read into; at least half of the capacity, all of it if `whole`.
  [[nodiscard]] Space writable(bool whole = false);
  void filled(std::size_t count) noexcept { end_ += count; }
  /// The next whole line.
  [[nodiscard]] std::optional<Line> next();
  /// At end of file: what stands behind the last line end, if anything. Once.
  [[nodiscard]] std::optional<Line> rest();

 private:
  void set_aside(std::size_t to);  // moves what is read of the unfinished line out of the buffer
  [[nodiscard]] Line take_long();

  std::size_t capacity_, longest_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0, scanned_ = 0, end_ = 0;
  std::string long_;        // the beginning of a line that did not fit the buffer
  bool long_open_ = false;  // long_ is still growing
  bool long_cut_ = false;
};

}  // namespace referee::engine
