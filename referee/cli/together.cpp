#include "referee/cli/together.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "config/used_files.hpp"
#include "referee/record/file_guard.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/journal_parts.hpp"

namespace referee::cli {

namespace {

bool is_given(const Arguments& arguments, std::string_view needed) {
  const std::size_t equals = needed.find('=');
  if (equals == std::string_view::npos) return arguments.has(needed);
  return arguments.value(needed.substr(0, equals)) == std::string(needed.substr(equals + 1));
}

std::string with_dashes(std::string_view needed) {
  std::string text = "--" + std::string(needed);
  std::replace(text.begin(), text.end(), '=', ' ');
  return text;
}

/// Does it begin as PGN does, with a tag?
bool holds_games(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  std::istringstream in(head);
  std::string line;
  for (int i = 0; i < 16 && std::getline(in, line); ++i) {
    std::string_view text = line;
    if (i == 0 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
    if (text.empty() || text.front() == '%' || text.front() == ';') continue;
    const std::size_t quote = text.find('"');
    return text.front() == '[' && quote != std::string_view::npos && quote > 2 && text.substr(quote).find(']') != std::string_view::npos &&
           std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(quote), [](char c) {
             return c == ' ' || c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
           });
  }
  return false;
}

}  // namespace

void belongs_to(const Arguments& arguments, std::initializer_list<std::string_view> options,
                std::initializer_list<std::string_view> needed) {
  if (std::any_of(needed.begin(), needed.end(), [&](std::string_view name) { return is_given(arguments, name); })) return;
  std::string list;
  for (const std::string_view name : needed) list += (list.empty() ? "" : " or ") + with_dashes(name);
  for (const std::string_view option : options) {
    if (arguments.has(option)) throw UsageError("option --" + std::string(option) + " says nothing alone (expected " + list + " with it)");
  }
}

void check_output(std::string_view option, const std::string& path, const std::vector<std::string>& inputs, Written written) {
  namespace fs = std::filesystem;
  if (path.empty() || path == "-") return;
  const std::string name = "option --" + std::string(option) + ": ";
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw UsageError(name + "there is no folder " + folder.string() + " (expected one that is there)");
  if (fs::is_directory(path, error)) throw UsageError(name + path + " is a folder (expected a file)");
  const bool is_there = fs::is_regular_file(path, error);
  try {
    if (is_there)
      record::check_writable(path, record::Writing::replace);
    else
      record::check_no_part_of_journal(path);  // pipes and devices are written where they are
  } catch (const record::JournalError& refusal) { throw UsageError(name + refusal.what()); }
  if (is_there) {
    const fs::path extension = fs::path(path).extension();
    if (written != Written::games && holds_games(path)) throw UsageError(name + path + " is there and holds games (expected another name)");
    if (extension == ".json") throw UsageError(name + path + " is there, and named as a configuration (expected another name)");
    if (written != Written::match_file && (extension == ".yaml" || extension == ".yml"))
      throw UsageError(name + path + " is there, and named as a match file (expected another name)");
  }
  for (const std::string& input : inputs) {
    if (config::is_same_file(input, path)) throw UsageError(name + path + " is read and written (expected another file)");
    for (const std::string_view part : record::parts_of_journal) {
      if (config::is_same_file(std::string(input).append(part), path))
        throw UsageError(std::string(name).append(path).append(" is a part of the journal ").append(input) + " (expected another file)");
    }
  }
}

void check_outputs(const Arguments& arguments, std::initializer_list<std::string_view> options,
                   std::initializer_list<std::string_view> read) {
  std::vector<std::string> inputs = arguments.operands();
  for (const std::string_view option : read)
    for (const std::string& path : arguments.values(option)) inputs.push_back(path);
  std::vector<std::pair<std::string, std::string_view>> written;
  for (const std::string_view option : options) {
    const auto path = arguments.value(option);
    if (!path) continue;
    check_output(option, *path, inputs, option == "pgn" || option == "output" ? Written::games : Written::other);
    for (const auto& [other, its_option] : written) {
      if (other == *path || (other != "-" && *path != "-" && config::is_same_file(other, *path)))
        throw UsageError("options --" + std::string(its_option) + " and --" + std::string(option) +
                         " name one file (expected a file for each)");
    }
    written.emplace_back(*path, option);
  }
}

void exclude(const Arguments& arguments, std::string_view one, std::string_view other) {
  if (arguments.has(one) && arguments.has(other))
    throw UsageError("options --" + std::string(one) + " and --" + std::string(other) + " exclude each other (expected one of them)");
}

}  // namespace referee::cli
