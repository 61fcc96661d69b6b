#include "referee/record/owner_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "referee/record/journal.hpp"
#include "referee/record/journal_parts.hpp"

namespace referee::record {

namespace {

std::string owner_text() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  std::string text = "process " + std::to_string(::getpid()) + " on " + host.data() + " since ";
  append_time(text, std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
  return text + "\n";
}

/// An owner that was killed holds its locks until the kernel has buried it.
bool try_lock(int file) {
  constexpr std::chrono::milliseconds pause{10};
  for (int tries = 0; tries < 50; ++tries) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(pause);
  }
  return ::flock(file, LOCK_EX | LOCK_NB) == 0;
}

/// False with errno set. A short write is gone on with.
bool write_owner(int file) {
  const std::string owner = owner_text();
  if (::ftruncate(file, 0) != 0) return false;
  for (std::size_t done = 0; done < owner.size();) {
    const ssize_t written = ::pwrite(file, owner.data() + done, owner.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

std::string read_owner(int file) {
  std::array<char, 512> buffer{};
  const ssize_t size = ::pread(file, buffer.data(), buffer.size(), 0);
  std::string text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  text.resize(std::min(text.find('\n'), text.size()));
  return text.empty() ? "another process" : text;
}

}  // namespace

OwnerLock::OwnerLock(const std::string& journal_path) : path_(std::string(journal_path).append(owner_lock_part)) {
  // A closing owner unlinks the file: if that happened between our open and our lock, we hold a lock on nothing and take the next one.
  for (int attempt = 0; attempt < 100; ++attempt) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) throw JournalError(path_ + ": cannot be made: " + std::strerror(errno));
    if (!try_lock(file_)) {
      const int error = errno;
      const std::string owner = read_owner(file_);
      ::close(file_);
      if (error != EWOULDBLOCK) throw JournalError(path_ + ": cannot be locked: " + std::strerror(error));
      throw JournalError(std::string(journal_path).append(": is being written by ").append(owner) +
                         "; wait for it, stop it, or choose another output folder");
    }
    struct stat held {};
    struct stat named {};
    if (::fstat(file_, &held) == 0 && ::stat(path_.c_str(), &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
      if (!write_owner(file_)) {
        const int error = errno;
        ::close(file_);
        throw JournalError(path_ + ": cannot be written: " + std::strerror(error));
      }
      return;
    }
    ::close(file_);
  }
  throw JournalError(path_ + ": comes and goes; another process opens and closes the journal without end");
}

bool OwnerLock::is_held(const std::string& journal_path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(journal_path, error);  // as Journal::open() locks it
  const int file = ::open(std::string(error ? journal_path : canonical.string()).append(owner_lock_part).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  // For an instant others who ask may hold it too, and a writer who comes just then tries again.
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

OwnerLock::~OwnerLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace referee::record
