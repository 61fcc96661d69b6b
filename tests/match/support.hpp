// Shared by the tests of match/: a folder that goes away, and match files as values.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "config/match_file.hpp"

namespace referee::test {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "referee-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return file(name);
  }
  [[nodiscard]] std::string read(std::string_view name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

inline config::MatchFile match_of(const std::vector<std::string>& names, config::ScheduleKind kind = config::ScheduleKind::round_robin) {
  config::MatchFile file;
  file.path = "/nowhere/match.yaml";
  file.schedule.kind = kind;
  file.time_control.periods = {
      clock::Period{.moves = 0, .base = std::chrono::seconds(10), .increment = std::chrono::milliseconds(100), .delay = {}}};
  for (const std::string& name : names) {
    config::EngineEntry engine;
    engine.name = name;
    engine.command = "/bin/true";
    file.engines.push_back(engine);
  }
  return file;
}

}  // namespace referee::test
