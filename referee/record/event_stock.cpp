#include "referee/record/event_stock.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "referee/record/append_file.hpp"
#include "referee/record/fact.hpp"

namespace referee::record {

namespace {

constexpr std::string_view every_line = R"({"fact":")";
constexpr std::string_view every_start = R"({"fact":"match_started",)";

/// Every run of a match begins with a line of its own.
std::set<std::string> starts_of(const Journal& journal) {
  std::set<std::string> starts;
  for (const Fact& fact : journal.matters()) {
    if (!std::holds_alternative<MatchStarted>(fact)) continue;
    std::string line;
    append_json(line, fact);
    starts.insert(std::move(line));
  }
  return starts;
}

bool is_all_of(const std::string& path, const Journal& journal) {
  const std::set<std::string> starts = starts_of(journal);
  std::ifstream in(path, std::ios::binary);
  bool begun = false;
  for (std::string line; std::getline(in, line);) {
    const bool cut_off = in.eof();  // the last line, of a crash
    const std::string_view head = std::string_view(line).substr(0, every_line.size());
    if (head != every_line.substr(0, cut_off ? head.size() : every_line.size())) return false;
    if (!line.starts_with(every_start) || cut_off) continue;
    if (!starts.contains(line)) return false;
    begun = true;
  }
  return begun;
}

}  // namespace

bool take_out_of_events(const std::string& path, const Journal& journal) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return true;
  AppendFile file(path);
  const AppendFile::Hold held(file);
  if (file.size() == 0) return true;
  if (!is_all_of(path, journal)) return false;
  file.cut(0);
  return true;
}

}  // namespace referee::record
