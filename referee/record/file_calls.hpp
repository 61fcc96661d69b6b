// What the writers of files share. For this folder alone.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace referee::record {

/// Throws JournalError with what errno says: "PATH: cannot be written: No space left on device".
[[noreturn]] void fail_at(const std::string& path, const char* what);
/// A short write is gone on with. False with errno set.
[[nodiscard]] bool write_all(int file, std::string_view text);
/// Throws JournalError: a file that `mode` says is no regular one cannot be written so.
[[noreturn]] void refuse_kind(const std::string& path, mode_t mode);

}  // namespace referee::record
