#include "referee/record/append_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "referee/record/journal.hpp"

namespace referee::record {

namespace {

void make_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
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

}  // namespace

AppendFile::AppendFile(std::string path) : path_(std::move(path)) {
  make_folder_of(path_);
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) fail("cannot be opened");
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

AppendFile::~AppendFile() {
  if (file_ >= 0) ::close(file_);
}

void AppendFile::append(std::string_view text) {
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
  if (size >= size_) return;
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail("cannot be cut");
  size_ = size;
}

std::string AppendFile::tail(std::size_t bytes) const {
  const std::uint64_t wanted = std::min<std::uint64_t>(bytes, size_);
  std::string text(static_cast<std::size_t>(wanted), '\0');
  const ssize_t got = ::pread(file_, text.data(), text.size(), static_cast<off_t>(size_ - wanted));
  if (got < 0) fail("cannot be read");
  text.resize(static_cast<std::size_t>(got));
  return text;
}

void AppendFile::fail(const char* what) const {
  const int error = errno;
  throw JournalError(path_ + ": " + what + ": " + std::strerror(error), JournalError::cause_of(error));
}

void replace_file(const std::string& path, std::string_view text) {
  make_folder_of(path);
  const std::string draft = path + ".tmp";
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw JournalError(draft + ": cannot be opened: " + std::strerror(errno), JournalError::cause_of(errno));
  const bool written = write_all(file, text);
  const int error = errno;
  ::close(file);
  if (!written) {
    ::unlink(draft.c_str());
    throw JournalError(draft + ": cannot be written: " + std::strerror(error), JournalError::cause_of(error));
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) throw JournalError(path + ": cannot be replaced: " + std::strerror(errno));
}

}  // namespace referee::record
