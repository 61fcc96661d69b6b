// A folder with a match file's surroundings.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>

#include "config/match_file.hpp"

namespace referee::test {

/// A folder with a match file's surroundings, removed at the end.
class Scene {
 public:
  explicit Scene(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() /
                ("referee-match-file-" + name + "-" + std::to_string(std::hash<std::string>{}(REFEREE_BINARY_FOLDER)))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "engines/nets");
    add("engines/alpha", true);
    add("engines/beta", true);
    add("engines/readme.txt", false);
    add("book.epd", false);
  }
  ~Scene() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void add(const std::string& name, bool executable) const {
    std::ofstream(folder_ / name) << "#!/bin/sh\n";
    ::chmod((folder_ / name).c_str(), executable ? 0755 : 0644);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] config::MatchFile read(const std::string& text) const { return config::parse_match_file(text, path("m.yaml")); }
  /// The message, with the file's folder taken out.
  [[nodiscard]] std::string refusal(const std::string& text) const {
    try {
      static_cast<void>(read(text));
    } catch (const config::ConfigException& problem) {
      std::string message = problem.what();
      for (std::size_t at = message.find(folder_.string()); at != std::string::npos; at = message.find(folder_.string())) {
        message.erase(at, folder_.string().size() + 1);
      }
      return message;
    }
    return "accepted";
  }

 private:
  std::filesystem::path folder_;
};

inline const std::string two_engines = "engines:\n  - {name: A, command: engines/alpha}\n  - {name: B, command: engines/beta}\n";

}  // namespace referee::test
