#include "config/command_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace referee::config {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view games_folder = "/usr/games";

std::string problem_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return "there is no file " + path.string();
  if (fs::is_directory(status)) return path.string() + " is a folder";
  if (!fs::is_regular_file(status)) return path.string() + " is not a regular file";
  if (::access(path.c_str(), X_OK) != 0) return path.string() + " is not executable";
  return "";
}

}  // namespace

std::string absolute_path(const std::string& path, const std::string& base_folder) {
  std::error_code error;
  const fs::path joined = fs::path(base_folder) / path;
  const fs::path absolute = fs::absolute(joined, error);
  std::string text = (error ? joined : absolute).lexically_normal().string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

CommandPath find_command(const std::string& command, const std::string& base_folder) {
  if (command.empty()) return {"", "the command is empty"};
  if (command.find('/') != std::string::npos) {
    const std::string path = absolute_path(command, base_folder);
    const std::string problem = problem_of(path);
    return problem.empty() ? CommandPath{path, ""} : CommandPath{"", problem};
  }
  const char* const variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): read before any thread is started
  std::string folders = variable != nullptr ? variable : "";
  folders += ":" + std::string(games_folder);
  std::string nearly;
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    const std::string folder = folders.substr(start, end - start);
    start = end + 1;
    if (folder.empty() || folder.front() != '/') continue;  // an engine never comes from whatever folder one stands in
    const std::string path = absolute_path(command, folder);
    const std::string problem = problem_of(path);
    if (problem.empty()) return {path, ""};
    if (nearly.empty() && problem.substr(0, 8) != "there is") nearly = problem;
  }
  return {"", nearly.empty() ? "there is no program '" + command + "' in PATH or " + std::string(games_folder) : nearly};
}

std::string no_file(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? path + " is a folder" : "there is no file " + path;
}

}  // namespace referee::config
