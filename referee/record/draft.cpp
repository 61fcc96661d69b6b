#include "referee/record/draft.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "referee/record/file_calls.hpp"
#include "referee/record/journal.hpp"

namespace referee::record {

namespace {

constexpr mode_t permissions = 07777;

void take_rights_of(const struct stat& old, int file) {
  if (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) {
    if (::fchown(file, old.st_uid, old.st_gid) != 0) {
      // Only root may: the file is then ours, and says the same.
    }
  }
  (void)::fchmod(file, old.st_mode & permissions);
}

}  // namespace

Draft::Draft(std::string target) : target_(std::move(target)) {
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
  if (replaces) take_rights_of(old, file_);
}

Draft::~Draft() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

void Draft::write(std::string_view text) {
  if (!write_all(file_, text)) fail_at(path_, "cannot be written");
}

void Draft::copy(int from, std::uint64_t begin, std::uint64_t end) {
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

void Draft::make_durable() {
  struct stat held {};
  struct stat named {};
  if (::fstat(file_, &held) != 0 || ::stat(path_.c_str(), &named) != 0) fail_at(path_, "cannot be looked at");
  if (held.st_ino != named.st_ino || held.st_dev != named.st_dev) {
    const int now = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
    if (now < 0) fail_at(path_, "cannot be opened");
    ::close(std::exchange(file_, now));
  }
  if (::fsync(file_) != 0) fail_at(path_, "cannot be written");
}

int Draft::take_place() {
  if (::rename(path_.c_str(), target_.c_str()) != 0) fail_at(target_, "cannot be replaced");
  return std::exchange(file_, -1);
}

void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  (void)::fsync(file);
  ::close(file);
}

}  // namespace referee::record
