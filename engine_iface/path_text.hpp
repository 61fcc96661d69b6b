// Absolute paths as texts. Also for the trampoline, which links nothing of ours.
#pragma once

#include <string>
#include <string_view>

namespace referee::engine {

/// `path` is `folder` or lies in it.
[[nodiscard]] inline bool covers(std::string_view folder, std::string_view path) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// What `path`, which lies in `from`, is in `to`.
[[nodiscard]] inline std::string moved(std::string_view path, std::string_view from, std::string_view to) {
  if (path == from) return std::string(to);
  std::string result(to == "/" ? std::string_view() : to);
  result += path.substr(from == "/" ? 0 : from.size());
  return result;
}

}  // namespace referee::engine
