#include "referee/record/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "referee/record/draft.hpp"
#include "referee/record/file_calls.hpp"
#include "referee/record/file_guard.hpp"
#include "referee/record/journal.hpp"

namespace referee::record {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_wait{10};  // for another who holds the file

void make_folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path();
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw JournalError(folder.string() + ": cannot be made: " + error.message());
}

}  // namespace

AppendFile::AppendFile(std::string path) : path_(std::move(path)) {
  check_no_part_of_journal(path_);
  if (const Content content = content_of(path_); content == Content::database || content == Content::archive || content == Content::program)
    throw JournalError(path_ + ": is " + std::string(in_words(content)) + " (expected a file of plain text, or none yet)");
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

void AppendFile::copy_to(Draft& draft) const { draft.copy(file_, 0, size_); }

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

}  // namespace referee::record
