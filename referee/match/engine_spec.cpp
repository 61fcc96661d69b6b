#include "referee/match/engine_spec.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "referee/match/host.hpp"

namespace referee::match {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_paths = 100;

/// The folder of the output, and its files by name for an engine whose own folder it is.
std::vector<std::string> record_paths(const config::Output& records) {
  std::vector<std::string> paths;
  if (records.folder.empty()) return paths;
  const fs::path folder(records.folder);
  paths.push_back(folder.string());
  for (const char* part : {"", "-wal", "-shm"}) paths.push_back((folder / (records.journal + part)).string());
  for (const std::string& name : {records.pgn, records.live, records.events}) {
    if (!name.empty()) paths.push_back((folder / name).string());
  }
  paths.insert(paths.end(), records.also_hidden.begin(), records.also_hidden.end());
  return paths;
}

/// What the paths lead to now, where that is elsewhere: it is named by itself, so that a link which an engine makes later leads nowhere.
void add_real_paths(const config::EngineEntry& entry, std::vector<std::string>& readable) {
  std::vector<fs::path> paths(readable.begin(), readable.end());
  for (const std::string& argument : entry.arguments) paths.push_back(fs::path(entry.folder) / argument);
  std::error_code error;
  for (const fs::path& path : paths) {
    if (const fs::path real = fs::canonical(path, error); !error && real != path.lexically_normal()) readable.push_back(real.string());
  }
  if (const fs::path program = fs::canonical(entry.command, error); !error && program != fs::path(entry.command).lexically_normal())
    readable.push_back(program.parent_path().string());
}

}  // namespace

std::vector<std::string> paths_in_options(const std::vector<engine::EngineOption>& options, const std::string& folder) {
  std::vector<std::string> paths;
  for (const engine::EngineOption& option : options) {
    for (std::size_t start = 0; start < option.value.size() && paths.size() < most_paths;) {
      const std::size_t end = std::min(option.value.find_first_of(":;", start), option.value.size());
      const std::string text = option.value.substr(start, end - start);
      start = end + 1;
      if (text.empty() || (folder.empty() && text.front() != '/')) continue;
      const fs::path path = (fs::path(folder) / text).lexically_normal();
      std::error_code error;
      if (path.has_relative_path() && fs::exists(path, error)) paths.push_back(path.string());
    }
  }
  return paths;
}

std::vector<std::string> exposed_records(const config::MatchFile& file) {
  std::vector<std::string> notes;
  std::error_code error;
  const fs::path records = fs::weakly_canonical(file.output.folder, error);
  if (file.output.folder.empty() || error) return notes;
  const auto is_it = [&](const fs::path& folder) { return !folder.empty() && fs::weakly_canonical(folder, error) == records; };
  for (const config::EngineEntry& entry : file.engines) {
    if (entry.isolation != engine::Isolation::strict) continue;
    if (is_it(entry.folder)) {
      throw config::ConfigException(config::ConfigError{
          .file = file.path,
          .line = 0,
          .column = 0,
          .message =
              "the output's folder " + records.string() + " is the working folder of " + entry.name + ", which could change the records",
          .expected = "a folder of their own, or another `isolation` than strict"});
    }
    if (is_it(fs::path(entry.command).parent_path()) || is_it(fs::weakly_canonical(entry.command, error).parent_path()))
      notes.push_back(entry.name + " lies in the output's folder " + records.string() +
                      ": it can read the records that are made while it runs (a folder of their own keeps them from it)");
  }
  return notes;
}

engine::EngineSpec engine_spec(const config::EngineEntry& entry, const config::Output& records) {
  engine::EngineSpec spec;
  spec.name = entry.name;
  spec.protocol = entry.protocol.value_or(engine::ProtocolKind::uci);
  spec.command.command = entry.command;
  spec.command.arguments = entry.arguments;
  spec.command.folder = entry.folder;
  spec.command.environment = entry.environment;
  spec.command.clock_stamp = entry.clock_stamp;
  spec.command.isolation = entry.isolation;
  spec.command.memory_limit_bytes = entry.memory_bytes;
  spec.command.process_limit = entry.processes;
  if (entry.isolation == engine::Isolation::strict) {
    // One more than it is told to use. Who is told nothing knows best (a default of its own, helpers of its runtime): its share is bounded.
    if (entry.processors)
      spec.command.processor_limit = entry.processors;
    else if (names_threads(entry))
      spec.command.processor_limit = static_cast<std::uint64_t>(threads_of(entry)) + 1;
    spec.command.readable = paths_in_options(entry.options, entry.folder);
    spec.command.readable.insert(spec.command.readable.end(), entry.readable.begin(), entry.readable.end());
    add_real_paths(entry, spec.command.readable);
    spec.command.hidden = record_paths(records);
  }
  spec.settings.options = entry.options;
  spec.settings.timeouts = entry.timeouts;
  spec.settings.fallback_name = entry.name;
  return spec;
}

}  // namespace referee::match
