#include "referee/match/engine_spec.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine_iface/launcher.hpp"
#include "referee/match/speed.hpp"

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
  config::Output of_a_service = records;
  of_a_service.also_hidden = {"/var/lib/service"};
  CHECK(match::engine_spec(entry, of_a_service).command.hidden.back() == "/var/lib/service");
  const engine::EngineCommand command = match::engine_spec(entry, records).command;
  CHECK(command.readable == entry.readable);
  CHECK(command.hidden == std::vector<std::string>{"/matches/out", "/matches/out/match.sqlite", "/matches/out/match.sqlite-wal",
                                                   "/matches/out/match.sqlite-shm", "/matches/out/games.pgn", "/matches/out/live.pgn"});
}

TEST_CASE("an engine under strict isolation has a bound of one processor more than the threads it is told to use, or the one it is given") {
  config::EngineEntry entry;
  CHECK(match::engine_spec(entry, {}).command.processor_limit == std::nullopt);
  entry.isolation = engine::Isolation::strict;
  CHECK(match::engine_spec(entry, {}).command.processor_limit == std::nullopt);  // how many it uses by itself is not known
  entry.options = {{"Threads", "1"}};
  CHECK(match::engine_spec(entry, {}).command.processor_limit == 2U);
  entry.options = {{"Threads", "8"}};
  CHECK(match::engine_spec(entry, {}).command.processor_limit == 9U);
  entry.processors = 3;
  CHECK(match::engine_spec(entry, {}).command.processor_limit == 3U);
}

TEST_CASE("records in a folder that an engine may write are refused, in one that it sees they are warned of") {
  const Folder folder;
  config::MatchFile file;
  file.path = "m.yaml";
  file.output.folder = folder.path("tables3/../engine");
  config::EngineEntry entry;
  entry.name = "Caged";
  entry.command = folder.path("engine/run");
  entry.folder = folder.path("tables4");
  file.engines = {entry};
  CHECK(match::exposed_records(file).empty());  // basic promises nothing of files

  file.engines.front().isolation = engine::Isolation::strict;
  const auto notes = match::exposed_records(file);
  REQUIRE(notes.size() == 1);
  CHECK(notes.front().find("Caged lies in the output's folder " + folder.path("engine")) == 0);
  file.output.folder = folder.path("results");
  CHECK(match::exposed_records(file).empty());

  file.output.folder = folder.path("tables4");
  CHECK_THROWS_WITH(match::exposed_records(file), Catch::Contains("is the working folder of Caged, which could change the records") &&
                                                      Catch::Contains("expected a folder of their own"));
}

TEST_CASE("records are kept from an engine whose speed is measured") {
  const Folder folder;
  std::ofstream(folder.path("tables3/match.sqlite")) << "records";
  std::ofstream(folder.path("engine/run"))
      << "#!/bin/sh\nwhile read -r word rest; do case $word in\nuci) echo uciok;; isready) echo readyok;; quit) "
         "exit;;\ngo) grep -q records ../tables3/match.sqlite 2>/dev/null && echo info depth 1 score cp 0 nodes 1 || echo "
         "info depth 1 score cp 0 nodes 1000000000\necho bestmove e2e4;; esac; done\n";
  fs::permissions(folder.path("engine/run"), fs::perms::owner_all);
  std::vector<std::string> notices;
  const engine::Launcher launcher(
      {"test-speed-" + std::to_string(getpid()), "", [&](const std::string& text) { notices.push_back(text); }});
  config::EngineEntry entry;
  entry.command = folder.path("engine/run");
  entry.folder = folder.path("engine");
  entry.isolation = engine::Isolation::strict;
  entry.readable = {folder.path("tables3")};
  config::Output records;
  records.folder = folder.path("tables3");
  const auto nodes_a_second = [&](const config::Output& hidden) {
    return match::measure_speed(entry, hidden, launcher, std::chrono::milliseconds(1));
  };
  const double with_nothing_hidden = nodes_a_second({});
  for (const std::string& notice : notices) {
    if (notice.find("a view of the files of their own") != std::string::npos || notice.find("pid namespace") != std::string::npos) return;
  }
  CHECK(with_nothing_hidden < 1e6);      // it read them, and told one node
  CHECK(nodes_a_second(records) > 1e6);  // a thousand million nodes in less than a thousand seconds
}
