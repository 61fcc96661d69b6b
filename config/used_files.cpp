#include "config/used_files.hpp"

#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "config/command_path.hpp"
#include "referee/record/journal_parts.hpp"

namespace referee::config {

namespace {

namespace fs = std::filesystem;

/// Where a file will stand that is not there yet: at the end of the links.
fs::path place_of(const std::string& path) {
  constexpr int most_links = 40;
  std::error_code error;
  fs::path at = fs::absolute(path, error);
  for (int links = 0; links < most_links && fs::is_symlink(at, error); ++links) at = at.parent_path() / fs::read_symlink(at, error);
  return fs::weakly_canonical(at, error);
}

}  // namespace

std::vector<UsedFile> files_read(const MatchFile& match) {
  std::vector<UsedFile> files;
  const auto add = [&files](const std::string& path, std::string what) {
    if (!path.empty()) files.push_back({path, path, std::move(what)});
  };
  add(match.openings.file, "the openings");
  add(match.schedule.ratings, "the rating list");
  if (match.edition.find('/') != std::string::npos || match.edition.ends_with(".yaml") || match.edition.ends_with(".yml"))
    add(absolute_path(match.edition, fs::path(match.path).parent_path().string()), "the edition");
  for (const EngineEntry& engine : match.engines) {
    add(engine.command, "the program of " + engine.name);
    if (engine.book) add(engine.book->file, "the book of " + engine.name);
  }
  return files;
}

std::vector<UsedFile> files_written(const MatchFile& match) {
  const std::string journal = absolute_path(match.output.journal, match.output.folder);
  std::vector<UsedFile> files{{match.output.journal, journal, "the journal"}};
  for (const std::string_view part : record::parts_of_journal)
    files.push_back({std::string(match.output.journal).append(part), std::string(journal).append(part), "a part of the journal"});
  const auto add = [&](const std::string& name, const char* what) {
    if (!name.empty()) files.push_back({name, absolute_path(name, match.output.folder), what});
  };
  add(match.output.pgn, "the PGN of the games");
  add(match.output.live, "the PGN of the running games");
  add(match.output.events, "the stream of events");
  const auto keep = [&files](const std::string& path, const char* what) {
    files.push_back({fs::path(path).filename().string(), path, what});
  };
  keep(fault_folder(match.output), "the folder of the match's fault logs");
  keep(protocol_folder(match.output), "the folder of the match's protocol log");
  keep(control_path(match.output), "the file of orders to the match");
  return files;
}

std::string file_name_of(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  }
  if (result.starts_with('.')) result[0] = '_';
  return result;
}

std::string beside_journal(const Output& output, const std::string& kind) {
  const std::string usual = Output{}.journal;
  return absolute_path(output.journal == usual ? kind : kind + "-" + file_name_of(output.journal), output.folder);
}

std::string fault_folder(const Output& output) { return beside_journal(output, "faults"); }
std::string protocol_folder(const Output& output) { return beside_journal(output, "protocol"); }
std::string control_path(const Output& output) { return beside_journal(output, "control"); }

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  const bool there = fs::exists(one, error);
  if (there != fs::exists(other, error)) return false;
  if (there) return fs::equivalent(one, other, error);
  const fs::path place = place_of(one);
  return !place.empty() && place == place_of(other);
}

}  // namespace referee::config
