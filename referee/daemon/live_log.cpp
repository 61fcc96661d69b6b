#include "referee/daemon/live_log.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "referee/record/journal.hpp"

namespace referee::daemon {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t lines_a_mark = 128;
constexpr std::string_view ending = ".jsonl";

std::string part_name(std::uint64_t first) {
  std::string digits = std::to_string(first);
  return std::string(12 - std::min<std::size_t>(digits.size(), 12), '0') + digits + std::string(ending);
}

std::optional<std::uint64_t> number_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.size() <= ending.size() || !name.ends_with(ending)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const last = name.data() + name.size() - ending.size();
  const auto [end, error] = std::from_chars(name.data(), last, number);
  if (error != std::errc{} || end != last || number == 0) return std::nullopt;
  return number;
}

}  // namespace

LiveLog::LiveLog(std::string folder, LiveLogLimits limits, Opening opening) : folder_(std::move(folder)), limits_(limits) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error && opening == Opening::at_once) throw record::JournalError(folder_ + ": cannot be made: " + error.message());
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (const auto number = number_of(entry.path())) {
      Part part;
      part.first = *number;
      part.path = entry.path().string();
      parts_.push_back(std::move(part));
    }
  }
  if (error) throw record::JournalError(folder_ + ": cannot be read: " + error.message());
  std::ranges::sort(parts_, {}, &Part::first);
  for (Part& part : parts_) {
    std::ifstream in(part.path, std::ios::binary);
    if (!in) throw record::JournalError(part.path + ": cannot be read");
    std::string buffer(std::size_t{1} << 16, '\0');
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
      note(part, std::string_view(buffer).substr(0, static_cast<std::size_t>(in.gcount())));
  }
  if (parts_.empty()) open_part(1);
  if (opening == Opening::at_once) open_file();
}

/// The last part, to be written.
void LiveLog::open_file() {
  if (file_) return;
  auto file = std::make_unique<record::AppendFile>(parts_.back().path);
  // A line without its end was being written when the power went: nobody has been told of it.
  Part& last = parts_.back();
  file->cut(last.whole);
  last.size = file->size();
  file_ = std::move(file);
}

void LiveLog::note(Part& part, std::string_view lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (part.size == 0 && part.marks.empty()) part.marks.push_back(0);
    ++part.size;
    if (lines[i] != '\n') continue;
    part.whole = part.size;
    if (++part.lines % lines_a_mark == 0) part.marks.push_back(part.size);
  }
}

void LiveLog::open_part(std::uint64_t first) {
  Part part;
  part.first = first;
  part.path = (fs::path(folder_) / part_name(first)).string();
  file_.reset();
  parts_.push_back(std::move(part));
  while (parts_.size() > limits_.parts) {
    std::error_code ignored;
    fs::remove(parts_.front().path, ignored);
    parts_.erase(parts_.begin());
  }
}

std::uint64_t LiveLog::append(std::string_view lines, std::size_t count) {
  const std::lock_guard lock(mutex_);
  if (parts_.back().size >= limits_.part_bytes) open_part(parts_.back().first + parts_.back().lines);
  Part& part = parts_.back();
  const std::uint64_t number = part.first + part.lines;
  if (count == 0) return number;
  open_file();
  file_->append(lines);
  note(part, lines);
  return number;
}

std::uint64_t LiveLog::first() const {
  const std::lock_guard lock(mutex_);
  return parts_.front().first;
}

std::uint64_t LiveLog::next() const {
  const std::lock_guard lock(mutex_);
  return parts_.back().first + parts_.back().lines;
}

LiveLog::Slice LiveLog::read(std::uint64_t from, std::size_t count, std::size_t bytes) const {
  std::string path;
  std::uint64_t offset = 0;
  std::uint64_t skip = 0;
  std::uint64_t there = 0;
  std::uint64_t size = 0;
  Slice slice;
  {
    const std::lock_guard lock(mutex_);
    slice.first = std::max(from, parts_.front().first);
    const auto part = std::find_if(parts_.rbegin(), parts_.rend(), [&](const Part& p) { return p.first <= slice.first; });
    if (part == parts_.rend() || slice.first >= part->first + part->lines) return slice;
    const std::uint64_t line = slice.first - part->first;
    path = part->path;
    offset = part->marks[static_cast<std::size_t>(line / lines_a_mark)];
    skip = line % lines_a_mark;
    there = part->lines - line;
    size = part->size;
  }
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, there));
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset));
  std::string line;
  std::size_t taken = 0;
  while (slice.lines.size() < count && taken < bytes && offset < size && std::getline(in, line)) {
    if (skip > 0) {
      --skip;
      continue;
    }
    taken += line.size();
    slice.lines.push_back(std::move(line));
  }
  return slice;
}

}  // namespace referee::daemon
