// Which files a match reads, and which it writes.
#pragma once

#include <string>
#include <string_view>
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
/// Those that the match file names, what a journal has beside it, and what the match itself keeps in the folder of its output.
[[nodiscard]] std::vector<UsedFile> files_written(const MatchFile& match);

/// A name as part of a file name: what is no letter, digit, '.' or '-' becomes '_'.
[[nodiscard]] std::string file_name_of(std::string_view name);
/// What a match keeps beside its journal: `faults` beside `match.sqlite`, `faults-b.sqlite` beside another journal, so that several matches
/// may share a folder. The whole path.
[[nodiscard]] std::string beside_journal(const Output& output, const std::string& kind);
/// Folder of the last lines of games that an engine spoilt; folder of the protocol log; orders to the match while it runs.
[[nodiscard]] std::string fault_folder(const Output& output);
[[nodiscard]] std::string protocol_folder(const Output& output);
[[nodiscard]] std::string control_path(const Output& output);

/// Do both paths lead to one file, or will they once it is made?
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

}  // namespace referee::config
