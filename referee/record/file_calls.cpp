#include "referee/record/file_calls.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "referee/record/journal.hpp"

namespace referee::record {

namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no file";
}

}  // namespace

void fail_at(const std::string& path, const char* what) {
  const int error = errno;
  throw JournalError(path + ": " + what + ": " + std::strerror(error), JournalError::cause_of(error));
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

void refuse_kind(const std::string& path, mode_t mode) {
  throw JournalError(path + ": is " + kind_of(mode) + " (expected a regular file, or none yet)");
}

}  // namespace referee::record
