#include "referee/record/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "referee/record/journal.hpp"

namespace referee::record {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_wait{10};  // for another who holds the file
constexpr int most_links = 40;                    // on a path, as the kernel counts them
constexpr mode_t permissions = 07777;

void make_folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path();
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw JournalError(folder.string() + ": cannot be made: " + error.message());
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

[[noreturn]] void fail_at(const std::string& path, const char* what) {
  const int error = errno;
  throw JournalError(path + ": " + what + ": " + std::strerror(error), JournalError::cause_of(error));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no file";
}

[[noreturn]] void refuse_kind(const std::string& path, mode_t mode) {
  throw JournalError(path + ": is " + kind_of(mode) + " (expected a regular file, or none yet)");
}

/// The mode and owner of the file that is to be replaced, if there is one.
void take_rights_of(const std::string& path, int file) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) return;
  if (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) {
    if (::fchown(file, old.st_uid, old.st_gid) != 0) {
      // Only root may: the file is then ours, and says the same.
    }
  }
  (void)::fchmod(file, old.st_mode & permissions);
}

/// So that the name is on the disk as well. A file system that cannot do that for a folder does it in its own time.
void sync_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  (void)::fsync(file);
  ::close(file);
}

/// What a file is by its first bytes, when it is something that no text may take the place of, or be added to.
const char* precious(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, const char*>, 9> kinds{{{"\x1F\x8B"sv, "a compressed archive"},
                                                                           {"BZh"sv, "a compressed archive"},
                                                                           {"\xFD"
                                                                            "7zXZ\0"sv,
                                                                            "a compressed archive"},
                                                                           {"\x28\xB5\x2F\xFD"sv, "a compressed archive"},
                                                                           {"PK\x03\x04"sv, "a compressed archive"},
                                                                           {"SQLite format 3\0"sv, "a database"},
                                                                           {"\x7F"
                                                                            "ELF"sv,
                                                                            "a program"},
                                                                           {"MZ\x90\0"sv, "a program"},
                                                                           {"#!"sv, "a program"}}};
  for (const auto& [magic, kind] : kinds)
    if (head.starts_with(magic)) return kind;
  return nullptr;
}

std::string head_of(const std::string& path) {
  std::string head(16, '\0');
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t got = file < 0 ? 0 : ::pread(file, head.data(), head.size(), 0);
  if (file >= 0) ::close(file);
  head.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return head;
}

/// The next text of a file, beside it until it takes its place; of mode and owner of the one that is there.
class Draft {
 public:
  explicit Draft(std::string target) : target_(std::move(target)) {
    struct stat old {};
    const bool replaces = ::stat(target_.c_str(), &old) == 0;
    if (replaces && !S_ISREG(old.st_mode)) refuse_kind(target_, old.st_mode);
    constexpr int names = 100;  // a process that was killed may have left one of the same number
    for (int n = 0; n < names && file_ < 0; ++n) {
      path_ = target_ + "." + std::to_string(::getpid()) + (n == 0 ? "" : "-" + std::to_string(n)) + ".tmp";
      file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
      if (file_ < 0 && errno != EEXIST) break;
    }
    if (file_ < 0) fail_at(path_, "cannot be made");
    if (replaces) take_rights_of(target_, file_);
  }
  ~Draft() {
    if (file_ < 0) return;
    ::unlink(path_.c_str());
    ::close(file_);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(std::string_view text) {
    if (!write_all(file_, text)) fail_at(path_, "cannot be written");
  }
  void copy(int from, std::uint64_t begin, std::uint64_t end) {
    std::array<char, 65536> block{};
    while (begin < end) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), end - begin));
      const ssize_t got = ::pread(from, block.data(), wanted, static_cast<off_t>(begin));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_at(target_, "cannot be read");
      if (got == 0) throw JournalError(target_ + ": became shorter while it was read");
      write({block.data(), static_cast<std::size_t>(got)});
      begin += static_cast<std::uint64_t>(got);
    }
  }
  void make_durable() {
    if (::fsync(file_) != 0) fail_at(path_, "cannot be written");
  }
  [[nodiscard]] int file() const noexcept { return file_; }
  /// Gives the open file away.
  int take_place() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail_at(target_, "cannot be replaced");
    return std::exchange(file_, -1);
  }

 private:
  std::string target_, path_;
  int file_ = -1;
};

}  // namespace

AppendFile::AppendFile(std::string path) : path_(std::move(path)) {
  make_folder_of(path_);
  open();
  (void)stands_at_path();
}

AppendFile::~AppendFile() {
  if (file_ >= 0) ::close(file_);
}

void AppendFile::open() {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) fail("cannot be opened");
}

/// Notes the size, too.
bool AppendFile::stands_at_path() {
  struct stat held {};
  struct stat named {};
  if (::fstat(file_, &held) != 0) fail("cannot be looked at");
  size_ = S_ISREG(held.st_mode) ? static_cast<std::uint64_t>(held.st_size) : 0;
  return ::stat(path_.c_str(), &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

void AppendFile::take() {
  if (holders_ > 0) {
    ++holders_;
    return;
  }
  constexpr std::chrono::milliseconds pause{10};
  const auto limit = std::chrono::steady_clock::now() + longest_wait;
  for (;;) {
    if (file_ < 0) open();
    const bool taken = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
    const bool busy = !taken && (errno == EWOULDBLOCK || errno == EINTR);  // otherwise: a file system without locks
    if (!busy && stands_at_path()) break;
    if (std::chrono::steady_clock::now() > limit)
      throw JournalError(path_ + ": another program holds it (expected to write within " + std::to_string(longest_wait.count()) + " s)",
                         JournalError::Cause::no_room);
    if (busy) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    ::close(std::exchange(file_, -1));  // moved away, removed or replaced
  }
  holders_ = 1;
}

void AppendFile::let_go() noexcept {
  if (--holders_ == 0 && file_ >= 0) (void)::flock(file_, LOCK_UN);
}

void AppendFile::append(std::string_view text) {
  if (text.empty()) return;
  const Hold held(*this);
  if (!write_all(file_, text)) {
    const int error = errno;
    if (::ftruncate(file_, static_cast<off_t>(size_)) != 0) {
      // The next start finds the part and cuts it.
    }
    errno = error;
    fail("cannot be written");
  }
  size_ += text.size();
}

void AppendFile::cut(std::uint64_t size) {
  const Hold held(*this);
  if (size >= size_) return;
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail("cannot be cut");
  size_ = size;
}

void AppendFile::take_out(std::span<const ByteRange> ranges) {
  const Hold held(*this);
  std::vector<ByteRange> out;
  for (const ByteRange& range : ranges) {
    if (range.begin >= std::min(range.end, size_)) continue;
    if (!out.empty() && out.back().end == range.begin)
      out.back().end = range.end;
    else
      out.push_back(range);
  }
  if (out.empty()) return;
  if (out.size() == 1 && out.front().end >= size_) return cut(out.front().begin);
  Draft draft(behind_links(path_));
  std::uint64_t at = 0;
  for (const ByteRange& range : out) {
    draft.copy(file_, at, range.begin);
    at = std::min(range.end, size_);
  }
  draft.copy(file_, at, size_);
  draft.make_durable();
  (void)::flock(draft.file(), LOCK_EX | LOCK_NB);  // nobody else knows it yet
  ::close(std::exchange(file_, draft.take_place()));
  (void)stands_at_path();
}

std::string AppendFile::tail(std::size_t bytes) const {
  const std::uint64_t wanted = std::min<std::uint64_t>(bytes, size_);
  std::string text(static_cast<std::size_t>(wanted), '\0');
  const ssize_t got = ::pread(file_, text.data(), text.size(), static_cast<off_t>(size_ - wanted));
  if (got < 0) fail("cannot be read");
  text.resize(static_cast<std::size_t>(got));
  return text;
}

void AppendFile::fail(const char* what) const { fail_at(path_, what); }

void replace_file(const std::string& path, std::string_view text, Durability durability) {
  make_folder_of(path);
  check_writable(path, Writing::replace);
  const std::string target = behind_links(path);
  Draft draft(target);
  draft.write(text);
  if (durability == Durability::on_disk) draft.make_durable();
  ::close(draft.take_place());
  if (durability == Durability::on_disk) sync_folder_of(target);
}

void take_place(const std::string& draft, const std::string& path) {
  const int file = ::open(draft.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) fail_at(draft, "cannot be opened");
  take_rights_of(path, file);
  const bool durable = ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  errno = error;
  if (!durable) fail_at(draft, "cannot be written");
  if (::rename(draft.c_str(), path.c_str()) != 0) fail_at(path, "cannot be replaced");
  sync_folder_of(path);
}

std::string behind_links(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(at, error); ++links) {
    if (links == most_links) throw JournalError(path + ": a link that leads to itself");
    const fs::path target = fs::read_symlink(at, error);
    if (error) throw JournalError(at.string() + ": cannot be read: " + error.message());
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return at.string();
}

void check_writable(const std::string& path, Writing how) {
  const std::string target = behind_links(path);
  for (const std::string_view part : {"-wal", "-shm", "-journal", ".lock"}) {
    if (!target.ends_with(part)) continue;
    const std::string journal = target.substr(0, target.size() - part.size());
    if (const char* const kind = precious(head_of(journal)); kind != nullptr && kind == std::string_view("a database"))
      throw JournalError(std::string(path).append(": is a part of the journal ").append(journal) + " (expected another file)");
  }
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return;  // through links such as /dev/stdout, which lead to no path
  if (S_ISCHR(there.st_mode) && how == Writing::append) return;
  if (!S_ISREG(there.st_mode)) refuse_kind(path, there.st_mode);
  // One that cannot be read: whoever opens it to write says why.
  if (const char* const kind = precious(head_of(path)); kind != nullptr)
    throw JournalError(path + ": is " + kind + " (expected a file of plain text, or none yet)");
}

}  // namespace referee::record
