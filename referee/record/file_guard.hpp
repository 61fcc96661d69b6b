// What stands where text is to be written, and what of it no text may take the place of, or be added to.
#pragma once

#include <string>
#include <string_view>

namespace referee::record {

/// What a file is by its first bytes.
enum class Content { text /* or nothing, or nothing that can be read */, archive, database, program, binary };
/// "a database"
[[nodiscard]] std::string_view in_words(Content content);
/// Looks at the first 4 KiB: what has a NUL in it is binary.
[[nodiscard]] Content content_of(const std::string& path);

/// The path at the end of the links, whether anything stands there or not. Throws JournalError for links without an end.
[[nodiscard]] std::string behind_links(const std::string& path);

/// Throws JournalError if the path is one that SQLite or an owner uses beside a database that is there, whether anything stands at it or
/// not.
void check_no_part_of_journal(const std::string& path);

/// What will happen to a file.
enum class Writing { append, replace };
/// Throws JournalError if that must not be done to what stands at the path: a folder, a pipe, a device that is to be replaced, a compressed
/// archive, a program, a database or what belongs to one, anything else that is no text. A path at which nothing stands is fine.
void check_writable(const std::string& path, Writing how);

}  // namespace referee::record
