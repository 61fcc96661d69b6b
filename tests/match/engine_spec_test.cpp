#include "referee/match/engine_spec.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace referee;

namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "referee-spec-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    for (const char* part : {"engine", "tables3", "tables4"}) fs::create_directory(path_ / part);
    std::ofstream(path_ / "engine/big.nnue") << "net";
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path(const std::string& part) const { return (path_ / part).string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("files and folders that options name are found, several in one value, and nothing else") {
  const Folder folder;
  const std::vector<engine::EngineOption> options = {{"EvalFile", "big.nnue"},
                                                     {"SyzygyPath", folder.path("tables3") + ":" + folder.path("tables4")},
                                                     {"GaviotaTbPath", folder.path("tables4") + ";" + folder.path("missing")},
                                                     {"Hash", "16"},
                                                     {"Root", "/"},
                                                     {"Style", ""}};
  CHECK(match::paths_in_options(options, folder.path("engine")) ==
        std::vector<std::string>{folder.path("engine/big.nnue"), folder.path("tables3"), folder.path("tables4"), folder.path("tables4")});
  // In a private folder there is nothing yet that a relative path could mean.
  CHECK(match::paths_in_options({{"EvalFile", "tmp"}}, "").empty());
}

TEST_CASE("an engine under strict isolation is kept from all files of the record") {
  config::EngineEntry entry;
  entry.processes = 77;
  entry.readable = {"/srv/nets"};
  config::Output records;
  records.folder = "/matches/out";
  records.live = "live.pgn";
  CHECK(match::engine_spec(entry, records).command.hidden.empty());
  CHECK(match::engine_spec(entry, records).command.process_limit == 77U);
  entry.isolation = engine::Isolation::strict;
  const engine::EngineCommand command = match::engine_spec(entry, records).command;
  CHECK(command.readable == entry.readable);
  CHECK(command.hidden == std::vector<std::string>{"/matches/out", "/matches/out/match.sqlite", "/matches/out/match.sqlite-wal",
                                                   "/matches/out/match.sqlite-shm", "/matches/out/games.pgn", "/matches/out/live.pgn"});
}
