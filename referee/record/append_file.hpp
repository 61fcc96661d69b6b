// A text file that only grows, one whole record a write, and files that are replaced whole. Several programs may write into one file: each
// holds it while it does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace referee::record {

class Draft;

/// Bytes of a file, the end not among them.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
};

class AppendFile {
 public:
  /// Opens or creates, with the folders on the way. Throws JournalError (all members), also for a database, what belongs to one, a program
  /// and an archive; anything else that is no text may be what a power cut has left of one.
  explicit AppendFile(std::string path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// As long as it lives, nobody else appends to the file that stands at the path, cuts it or takes anything out of it.
  class Hold {
   public:
    explicit Hold(AppendFile& file) : file_(file) { file_.take(); }
    ~Hold() { file_.let_go(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    AppendFile& file_;
  };

  /// All of it, or nothing: what a full disk left of it is taken back. At the end of the file that stands at the path by then, whoever
  /// wrote or replaced it meanwhile.
  void append(std::string_view text);
  /// Everything from there on goes.
  void cut(std::uint64_t size);
  /// Takes these bytes out, all at once; the rest stays as it is. Needs: held since they were looked for.
  void take_out(std::span<const ByteRange> ranges);
  /// All of it. Needs: held.
  void copy_to(Draft& draft) const;
  /// As it was when it was last held.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// At most `bytes` from the end.
  [[nodiscard]] std::string tail(std::size_t bytes) const;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  void take();
  void let_go() noexcept;
  void open();
  [[nodiscard]] bool stands_at_path();
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  int holders_ = 0;
};

/// What a power cut may leave of a file that was replaced: the old text or the new one, or something else if it comes soon after.
enum class Durability { on_disk, in_time };
/// Replaces a file by rename, so that a reader sees the old text or the new one, never a part. A link stays a link, mode and owner stay.
/// Throws JournalError, also for what check_writable() refuses.
void replace_file(const std::string& path, std::string_view text, Durability durability = Durability::on_disk);
}  // namespace referee::record
