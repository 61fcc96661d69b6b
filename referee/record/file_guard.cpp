#include "referee/record/file_guard.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "referee/record/file_calls.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/journal_parts.hpp"

namespace referee::record {

namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // on a path, as the kernel counts them
constexpr std::size_t looked_at = 4096;

std::string head_of(const std::string& path) {
  std::string head(looked_at, '\0');
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t got = file < 0 ? 0 : ::pread(file, head.data(), head.size(), 0);
  if (file >= 0) ::close(file);
  head.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return head;
}

}  // namespace

std::string_view in_words(Content content) {
  switch (content) {
    case Content::text:
      return "text";
    case Content::archive:
      return "a compressed archive";
    case Content::database:
      return "a database";
    case Content::program:
      return "a program";
    case Content::binary:
      break;
  }
  return "no text";
}

Content content_of(const std::string& path) {
  using namespace std::string_view_literals;
  static constexpr std::array<std::pair<std::string_view, Content>, 9> kinds{{{"\x1F\x8B"sv, Content::archive},
                                                                              {"BZh"sv, Content::archive},
                                                                              {"\xFD"
                                                                               "7zXZ\0"sv,
                                                                               Content::archive},
                                                                              {"\x28\xB5\x2F\xFD"sv, Content::archive},
                                                                              {"PK\x03\x04"sv, Content::archive},
                                                                              {"SQLite format 3\0"sv, Content::database},
                                                                              {"\x7F"
                                                                               "ELF"sv,
                                                                               Content::program},
                                                                              {"MZ\x90\0"sv, Content::program},
                                                                              {"#!"sv, Content::program}}};
  const std::string head = head_of(path);
  for (const auto& [magic, kind] : kinds)
    if (head.starts_with(magic)) return kind;
  return head.find('\0') == std::string::npos ? Content::text : Content::binary;
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

void check_no_part_of_journal(const std::string& path) {
  const std::string target = behind_links(path);
  for (const std::string_view part : parts_of_journal) {
    if (!target.ends_with(part)) continue;
    const std::string journal = target.substr(0, target.size() - part.size());
    if (content_of(journal) == Content::database)
      throw JournalError(std::string(path).append(": is a part of the journal ").append(journal) + " (expected another file)");
  }
}

void check_writable(const std::string& path, Writing how) {
  check_no_part_of_journal(path);
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return;  // through links such as /dev/stdout, which lead to no path
  if (S_ISCHR(there.st_mode) && how == Writing::append) return;
  if (!S_ISREG(there.st_mode)) refuse_kind(path, there.st_mode);
  // One that cannot be read: whoever opens it to write says why.
  if (const Content content = content_of(path); content != Content::text)
    throw JournalError(path + ": is " + std::string(in_words(content)) + " (expected a file of plain text, or none yet)");
}

}  // namespace referee::record
