// A text file that only grows, one whole record a write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace referee::record {

class AppendFile {
 public:
  /// Opens or creates, with the folders on the way. Throws JournalError (all members).
  explicit AppendFile(std::string path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// All of it, or nothing: what a full disk left of it is taken back.
  void append(std::string_view text);
  void cut(std::uint64_t size);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// At most `bytes` from the end.
  [[nodiscard]] std::string tail(std::size_t bytes) const;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  [[noreturn]] void fail(const char* what) const;
  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

/// Replaces a file by rename, so that a reader sees the old text or the new one, never a part.
void replace_file(const std::string& path, std::string_view text);

}  // namespace referee::record
