// Which files a match reads, and which it writes.
#pragma once

#include <string>
#include <vector>

#include "config/match_file.hpp"

namespace referee::config {

struct UsedFile {
  std::string name;  // as the match file has it
  std::string path;  // absolute
  std::string what;  // "the openings"
};

/// The match file itself is not among them.
[[nodiscard]] std::vector<UsedFile> files_read(const MatchFile& match);
/// Those that the match file names, and what a journal has beside it.
[[nodiscard]] std::vector<UsedFile> files_written(const MatchFile& match);
/// What SQLite and the lock of its owner keep beside a journal: appended to its path.
[[nodiscard]] const std::vector<std::string>& parts_of_journal();

/// Do both paths lead to one file, or will they once it is made?
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

}  // namespace referee::config
