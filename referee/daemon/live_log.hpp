// The numbered events of one match on disk: line N of the log is event N, for ever, so a client that was away asks for what follows the
// last number it has seen. Kept in parts of bounded size, the oldest of which go when there are too many.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "referee/record/append_file.hpp"

namespace referee::daemon {

struct LiveLogLimits {
  std::uint64_t part_bytes = 32 * 1024 * 1024;
  std::size_t parts = 16;
};

class LiveLog {
 public:
  /// When it is opened to be written: of a match that is over it is only read, unless something is missing.
  enum class Opening { at_once, when_written };
  /// Opens or creates; a last line that a crash cut off goes. Throws record::JournalError.
  explicit LiveLog(std::string folder, LiveLogLimits limits = {}, Opening opening = Opening::at_once);

  /// Any thread. One JSON object a line, each with its newline. Returns the number of the first. Throws record::JournalError.
  std::uint64_t append(std::string_view lines, std::size_t count);
  /// Any thread. First number that is still there, and the number that the next event gets.
  [[nodiscard]] std::uint64_t first() const;
  [[nodiscard]] std::uint64_t next() const;

  struct Slice {
    std::uint64_t first = 0;         // number of the first line; above the one asked for if that is gone
    std::vector<std::string> lines;  // without newlines
  };
  /// Any thread. At most `count` lines and about `bytes`; none beyond the end.
  [[nodiscard]] Slice read(std::uint64_t from, std::size_t count, std::size_t bytes = 1024 * 1024) const;

 private:
  struct Part {
    std::uint64_t first = 1;
    std::uint64_t lines = 0;
    std::uint64_t size = 0;
    std::uint64_t whole = 0;           // up to the end of its last line that has one
    std::vector<std::uint64_t> marks;  // offset of every 128th line
    std::string path;
  };
  void open_part(std::uint64_t first);
  void open_file();
  static void note(Part& part, std::string_view lines);

  std::string folder_;
  LiveLogLimits limits_;
  mutable std::mutex mutex_;
  std::vector<Part> parts_;
  std::unique_ptr<record::AppendFile> file_;
};

}  // namespace referee::daemon
