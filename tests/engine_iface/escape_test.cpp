// What an engine tries that wants to reach beyond itself, and what it gets. Only what a level promises is asked for; what this host cannot
// give has to have been said.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

namespace {

namespace fs = std::filesystem;

/// A journal with its side file, and a folder to work in beside it.
struct Record {
  Record() {
    std::string name = (fs::temp_directory_path() / "referee-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    fs::create_directory(folder / "work");
    for (const char* file : {"match.sqlite", "match.sqlite-wal"}) std::ofstream(folder / file) << "what was recorded";
  }
  ~Record() { fs::remove_all(folder); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  fs::path folder;
};

}  // namespace

TEST_CASE("an engine in a pid namespace cannot signal the referee or another engine", "[escape]") {
  Host host("signals");
  Recorder other(host, shell("echo here; read line; echo $line"));
  REQUIRE(host.run_until([&] { return !other.lines.empty(); }));
  if (host.launcher.namespaces() == NamespaceSupport::none) {
    CHECK(said(host, "without a pid namespace"));
    return;
  }
  const auto isolation = GENERATE(Isolation::basic, Isolation::strict);
  // The referee is only asked whether a signal would reach it.
  const std::string script = "kill -0 " + std::to_string(getpid()) + " 2>/dev/null && echo reaches the referee; kill -9 " +
                             std::to_string(other.process().id()) + " 2>/dev/null && echo reaches an engine; echo tried";
  CHECK(lines_of(host, shell(script, isolation)) == std::vector<std::string>{"tried"});
  other.process().send("alive\n");
  REQUIRE(host.run_until([&] { return other.lines.size() == 2; }));
  CHECK(other.lines.back() == "alive");
}

TEST_CASE("strict: the record beside the working folder can be neither written, cut, moved nor removed", "[escape]") {
  Host host("record");
  const Record record;
  const std::string journal = (record.folder / "match.sqlite").string();
  EngineCommand command =
      shell("exec 2>/dev/null; J=" + journal +
                "; (echo x >>$J) && echo written; (: >$J) && echo cut; mv $J $J.away && echo moved; rm -f $J-wal && echo "
                "removed; ln $J ./link && echo linked; (echo x >link) && echo through a link; ln -s $J s && (echo x >s) && echo "
                "through a name; mkdir ../new && echo made; echo tried",
            Isolation::strict);
  command.folder = (record.folder / "work").string();
  const auto lines = lines_of(host, command);
  if (said(host, "writing outside")) return;
  CHECK(lines.back() == "tried");
  // In a view of its own it may well have made files of the same names, in a /tmp that nobody else sees.
  CHECK(std::distance(fs::directory_iterator(record.folder), fs::directory_iterator()) == 3);
  for (const char* file : {"match.sqlite", "match.sqlite-wal"}) CHECK(read_whole(record.folder / file) == "what was recorded");
}

TEST_CASE("an engine in a pid namespace sees no other process, nor its memory and descriptors", "[escape]") {
  Host host("view");
  if (host.launcher.namespaces() == NamespaceSupport::none) return;
  const std::string own = "/proc/" + std::to_string(getpid());
  const auto isolation = GENERATE(Isolation::basic, Isolation::strict);
  const auto lines = lines_of(host, shell("exec 2>/dev/null; test -e " + own + "/mem && echo memory; ls " + own +
                                              "/fd >/dev/null && echo descriptors; test -r /proc/self/stat && echo tried",
                                          isolation));
  if (said(host, "/proc of their own")) return;
  CHECK(lines == std::vector<std::string>{"tried"});
}

TEST_CASE("strict: the referee's memory and descriptors cannot be written through /proc", "[escape]") {
  Host host("proc");
  const Record record;
  const std::string journal = (record.folder / "match.sqlite").string();
  const int held = open(journal.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(held >= 0);
  const std::string own = "/proc/" + std::to_string(getpid());
  EngineCommand command = shell("exec 2>/dev/null; (: >>" + own + "/mem) && echo memory; (echo x >" + own + "/fd/" + std::to_string(held) +
                                    ") && echo descriptor; echo tried",
                                Isolation::strict);
  command.folder = (record.folder / "work").string();
  const auto lines = lines_of(host, command);
  close(held);
  if (said(host, "writing outside")) return;
  CHECK(lines == std::vector<std::string>{"tried"});
  CHECK(read_whole(journal) == "what was recorded");
}

TEST_CASE("an engine that eats memory meets its limit, not the host's", "[escape]") {
  Host host("memory");
  EngineCommand command =
      shell("exec 2>/dev/null; x=0123456789abcdef; while :; do x=$x$x || exit 3; done", GENERATE(Isolation::none, Isolation::basic));
  command.memory_limit_bytes = 256ULL << 20;
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  CHECK(seen.status->code.value_or(1) != 0);
}
