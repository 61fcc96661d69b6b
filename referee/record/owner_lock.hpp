// One writer a journal. The lock is an flock on a file beside the journal, so the kernel gives it back however its owner dies; the
// file's text says who the owner is.
#pragma once

#include <string>

namespace referee::record {

class OwnerLock {
 public:
  /// Throws JournalError that names the owner (process, host, since when) if there is one.
  explicit OwnerLock(const std::string& journal_path);
  ~OwnerLock();
  /// Does any process write this journal now? False where none can tell.
  [[nodiscard]] static bool is_held(const std::string& journal_path);
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace referee::record
