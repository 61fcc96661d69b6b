// The next text of a file, beside it until it takes its place: a reader sees the old text or the new one, never a part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace referee::record {

/// A file of a name that nobody has, with the mode and owner of the one that it will replace; it goes if it does not come to that.
class Draft {
 public:
  /// Needs: `target` is no link (behind_links()). Throws JournalError (all members).
  explicit Draft(std::string target);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(std::string_view text);
  /// Bytes of an open file: `begin` to before `end`.
  void copy(int from, std::uint64_t begin, std::uint64_t end);
  /// Where others may write, too; what they put in its place by rename is the draft then. By descriptor it is not to be written any more.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] int file() const noexcept { return file_; }
  /// On the disk, whoever wrote it.
  void make_durable();
  /// Gives the open file away.
  [[nodiscard]] int take_place();

 private:
  std::string target_, path_;
  int file_ = -1;
};

/// So that a name that was made or replaced is on the disk as well. A file system that cannot do that for a folder does it in its own time.
void sync_folder_of(const std::string& path);

}  // namespace referee::record
