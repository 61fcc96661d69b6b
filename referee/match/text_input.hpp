// A text file, plain or gzip-compressed (told by its content), as a stream that is read once from the front in bounded memory.
#pragma once

#include <istream>
#include <memory>
#include <string>
#include <string_view>

namespace referee::match {

/// Of the first two bytes of a text: are they those of UTF-16, which no text of chess is read in.
[[nodiscard]] bool is_utf16(std::string_view beginning) noexcept;

class TextInput {
 public:
  /// Throws std::runtime_error ("cannot be read: No such file or directory") when the file cannot be opened, is no regular file or is
  /// UTF-16.
  explicit TextInput(const std::string& path);
  ~TextInput();
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  [[nodiscard]] std::istream& stream() noexcept;
  /// To be asked at the end of the stream: damaged or cut-off compressed data, a read error. Empty when all is well.
  [[nodiscard]] std::string failure() const;
  /// The next line without its end (LF, CRLF) or a byte-order mark; false at the end. Lines above 1 MiB are cut there.
  bool next_line(std::string& line);
  /// Number of the line last read, from 1.
  [[nodiscard]] std::size_t line_number() const noexcept { return line_number_; }

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::istream stream_;
  std::size_t line_number_ = 0;
};

}  // namespace referee::match
