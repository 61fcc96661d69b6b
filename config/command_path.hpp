// Where an engine's binary is.
#pragma once

#include <string>

namespace referee::config {

struct CommandPath {
  std::string path;     // absolute; empty if there is a problem
  std::string problem;  // "no such file", "not executable", ...: for people
};

/// A command with a slash is a path, relative to `base_folder`; a bare one is looked up in PATH, then in /usr/games.
[[nodiscard]] CommandPath find_command(const std::string& command, const std::string& base_folder);

/// `path` made absolute from `base_folder` (itself made absolute) and normalised; the file need not exist.
[[nodiscard]] std::string absolute_path(const std::string& path, const std::string& base_folder);

/// Why a regular file was expected at the path and none is there: "there is no file x", "x is a folder".
[[nodiscard]] std::string no_file(const std::string& path);

}  // namespace referee::config
